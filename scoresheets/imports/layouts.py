"""Games as tables that the readers read back: the header words, rows in each layout, and the examples to download."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time

import rules
from scoresheets.imports.plain import LONG, SHEETS, FoundGame
from scoresheets.imports.words import FIELDS, field_of, player_field_of
from scoresheets.names import folded

__all__ = ["FIELDS", "example_games", "example_rows", "rows_of"]

Row = list[str | int]

_GAME = ("game", "date", "rules", "note")
_LONG_SHEET = (
    *("game", "date", "round", "cards", "dealer", "player", "bid", "tricks"),
    *("blind", "cloud", "bombs", "points", "total", "rules", "note"),
)
_LONG_RESULT = ("game", "date", "player", "points", "place", "note")
_WIDE_SHEET = ("game", "date", "round", "cards", "dealer", "bombs", "rules", "note")
_OF_PLAYER = ("bid", "tricks", "blind", "cloud", "points", "total")
#: Columns that are left out where no game has anything in them.
_OPTIONAL = {"blind", "cloud", "bombs", "rules", "note"}


def rows_of(games: Sequence[FoundGame], kind: str, layout: str, language: str) -> list[Row]:
    """Return a table that `read` reads back to these games: the header, then the lines.

    `kind` is "sheets" or "results", `layout` "long" or "wide", `language` "de" or "en" (for words and days). Times are
    written as they are in the time zone of each `played_at`. The rules of a game are those in its `house`, on top of
    the standard ones.
    """
    if kind == SHEETS:
        lines = [line for game in games for line in _sheet_lines(game, layout, language)]
        fields = [*(_LONG_SHEET if layout == LONG else _WIDE_SHEET)]
    else:
        lines = [line for game in games for line in _result_lines(game, layout, language)]
        fields = [*_LONG_RESULT] if layout == LONG else ["game", "date", "note"]
    names = {folded(name): name for game in games for name in game.names}
    own_fields = () if layout == LONG else _OF_PLAYER if kind == SHEETS else ("points",)
    columns = [("", field) for field in fields] + [(key, field) for key in names for field in own_fields]
    used = {(key, field) for line in lines for (key, field), value in line.items() if value != ""}
    used_fields = {field for _key, field in used}
    columns = [column for column in columns if column[1] not in _OPTIONAL or column[1] in used_fields]
    header: Row = [_header_of(names.get(key, ""), field, kind, FIELDS[language]) for key, field in columns]
    return [header, *([line.get(column, "") for column in columns] for line in lines)]


def _header_of(name: str, field: str, kind: str, words: Mapping[str, str]) -> str:
    """Return the header of a column; a name stands alone above results, unless it would be read as something else."""
    if not name:
        return words[field]
    if kind != SHEETS and not field_of(name) and not player_field_of(name)[1]:
        return name
    return f"{name} {words[field]}"


_Line = dict[tuple[str, str], str | int]


def _sheet_lines(game: FoundGame, layout: str, language: str) -> Iterator[_Line]:
    house = rules.HouseRules.from_mapping(game.house)
    totals = [0] * len(game.names)
    for number, (cards, played) in enumerate(zip(game.cards, game.rounds or (), strict=True), start=1):
        scores = played.scores(house, number, cards)
        totals = [total + score.points for total, score in zip(totals, scores, strict=True)]
        head = _head(game, language) | {
            ("", "round"): number,
            ("", "cards"): cards,
            ("", "dealer"): game.names[rules.dealer_of(game.first_dealer, number, len(game.names))],
            ("", "bombs"): played.bombs or "",
        }
        clouds = dict(played.clouds)
        blind = played.blind or (False,) * len(scores)
        own = [
            {
                "bid": played.bids[place],
                "tricks": played.tricks[place],
                "blind": "x" if blind[place] else "",
                "cloud": f"{clouds[place]:+d}" if place in clouds else "",
                "points": score.points,
                "total": totals[place],
            }
            for place, score in enumerate(scores)
        ]
        if layout == LONG:
            for name, values in zip(game.names, own, strict=True):
                yield head | {("", "player"): name} | {("", field): value for field, value in values.items()}
        else:
            line = dict(head)
            for name, values in zip(game.names, own, strict=True):
                line |= {(folded(name), field): value for field, value in values.items()}
            yield line


def _result_lines(game: FoundGame, layout: str, language: str) -> Iterator[_Line]:
    head = _head(game, language)
    if layout != LONG:
        yield head | {(folded(name), "points"): points for name, points in zip(game.names, game.points, strict=True)}
        return
    for name, points, rank in zip(game.names, game.points, game.ranks, strict=True):
        yield head | {("", "player"): name, ("", "points"): points, ("", "place"): rank}


def _head(game: FoundGame, language: str) -> _Line:
    when = _day_in(game.played_at.date() if game.timed else game.day, language)
    if game.timed:
        when += f" {game.played_at:%H:%M:%S}"
    words = rules.write_house(rules.HouseRules.from_mapping(game.house)) if game.is_sheet else ""
    values = {"game": game.label or game.key, "date": when, "rules": words, "note": game.note}
    return {("", field): value for field, value in values.items()}


def _day_in(day: date | datetime, language: str) -> str:
    return f"{day:%d.%m.%Y}" if language == "de" else f"{day:%Y-%m-%d}"


# -- examples to download ---------------------------------------------------------------------------------------------


_EXAMPLE_NAMES = ("Anna", "Ben", "Carla", "Deniz")
_EXAMPLE_DAYS = (date(2025, 10, 3), date(2025, 12, 24))
#: Bids and tricks of each round, of both games.
_EXAMPLE_ROUNDS = (
    (((0, 1, 0), (0, 1, 0)), ((1, 0, 0), (1, 0, 1)), ((1, 1, 2), (2, 1, 0))),
    (((1, 0, 0, 0), (0, 1, 0, 0)), ((0, 1, 0, 2), (0, 1, 0, 1)), ((1, 0, 2, 1), (1, 0, 1, 1))),
)


def example_games() -> list[FoundGame]:
    """Return the two short games of the example files: three rounds each, by three and by four people."""
    return [_example_game(number) for number in range(len(_EXAMPLE_ROUNDS))]


def _example_game(number: int) -> FoundGame:
    rounds = tuple(rules.PlayedRound(bids, tricks) for bids, tricks in _EXAMPLE_ROUNDS[number])
    names = _EXAMPLE_NAMES[: len(rounds[0].bids)]
    scores = [played.scores(rules.HouseRules(), index, index) for index, played in enumerate(rounds, start=1)]
    points = tuple(sum(score[place].points for score in scores) for place in range(len(names)))
    hits = [sum(score[place].exact for score in scores) for place in range(len(names))]
    day = _EXAMPLE_DAYS[number]
    return FoundGame(
        key=str(number + 1),
        source="",
        row=0,
        day=day,
        played_at=datetime.combine(day, time(12), tzinfo=UTC),
        timed=False,
        names=names,
        points=points,
        ranks=rules.ranks(points, hits),
        rounds=rounds,
        cards=tuple(range(1, len(rounds) + 1)),
    )


def example_rows(kind: str, layout: str, language: str) -> list[Row]:
    """Return the table of an example file to download, of two short games; parameters as in `rows_of`."""
    return rows_of(example_games(), kind, layout, language)
