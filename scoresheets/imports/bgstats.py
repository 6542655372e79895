"""The export of the app BG Stats: a JSON object with the lists `games`, `players`, `plays`.

A play names its game (`gameRefId`), its day (`playDate`, "2025-12-24 19:30:00", local), itself (`uuid`), and in
`playerScores` who played (`playerRefId`) with `score` (a text, "" for none), `rank` (0: not told), `winner` and
`seatOrder` (0: not told). Rows are counted from 1 in the order of `plays`. Points are all that such a file knows: they
come in as bare results.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import rules
from scoresheets.imports.drafts import Draft, DraftResult, Reading
from scoresheets.imports.places import at, quoted
from scoresheets.imports.plain import MOST_GAMES, FoundColumn, OfferedGame
from scoresheets.imports.refusals import Refused
from scoresheets.imports.values import Unreadable, Value, moment_of, text_of, whole_number
from scoresheets.imports.words import folded_header
from scoresheets.names import folded

#: The number of the game in the catalogue that the app refers to (`bggId`).
WIZARD_BGG_ID = 1465
_OWN_FORMAT = "tafelrunde-club"
_MOST_VALUES = 400_000
"""So many lists and objects may be in a file; an honest one has a quarter of it."""
_LONGEST_NUMBER = 15

#: Games that are called after Wizard and are scored otherwise.
_OTHER_GAMES = ("extreme", "junior", "wurfel", "dice", "kids", "kinder", "sieben siegel")
_SCORE = {"points": FoundColumn("score", ""), "place": FoundColumn("rank", "")}


class FoundPlays(NamedTuple):
    """The plays of a file: a draft for each that was chosen, all games of the file, what was left out."""

    drafts: Sequence[Draft]
    offers: tuple[OfferedGame, ...]
    warnings: tuple[rules.Problem, ...]


def looks_like_wizard(name: str) -> bool:
    """Whether a game is Wizard, by its name: in any edition, but none of the games that are only called after it.

    >>> [looks_like_wizard(name) for name in ("Wizard", "WIZARD: 25 Jahre Edition", "Wizard Extreme", "Wizardry")]
    [True, True, False, False]
    """
    words = [folded_header(word) for word in re.split(r"[\s:,.–—()-]+", name) if word]
    return words[:1] == ["wizard"] and not any(other in " ".join(words) for other in _OTHER_GAMES)


def read_plays(text: str, reading: Reading) -> FoundPlays:
    """Return the plays of Wizard in an export, or of the games that were chosen.

    Raises `Refused`: `json_broken`, `json_too_deep`, `file_is_club`, `json_not_known`, `too_many_games`, `no_plays`.
    """
    export = _export_of(text)
    names = {_id(game): text_of(_text(game.get("name"))) for game in _objects(export.get("games"))}
    numbers = {_id(game): game.get("bggId") for game in _objects(export.get("games"))}
    players = {_id(player): player for player in _objects(export.get("players"))}
    plays = [(row, play) for row, play in enumerate(_list(export.get("plays")), start=1) if isinstance(play, dict)]
    counts: dict[str, int] = {}
    likely = set()
    for _row, play in plays:
        game = _key(play.get("gameRefId"))
        name = names.get(game, "")
        counts[name] = counts.get(name, 0) + 1
        if looks_like_wizard(name) or numbers.get(game) == WIZARD_BGG_ID:
            likely.add(name)
    chosen = likely if reading.choices.games is None else reading.choices.games
    offers = tuple(OfferedGame(name, count, name in chosen) for name, count in sorted(counts.items()))
    taken = [(row, play) for row, play in plays if names.get(_key(play.get("gameRefId")), "") in chosen]
    if not counts:
        raise Refused(rules.Problem.of("no_plays"))
    if len(taken) > MOST_GAMES:
        raise Refused(rules.Problem.of("too_many_games", most=MOST_GAMES))
    ignored = [row for row, play in taken if play.get("ignored") is True]
    warnings = [at(rules.Problem.of("plays_ignored", count=len(ignored)), ignored[0])] if ignored else []
    if not taken:
        warnings.append(at(rules.Problem.of("no_plays_chosen"), 0))
    left_out = set(ignored)
    drafts = [_draft(row, play, players, reading) for row, play in taken if row not in left_out]
    return FoundPlays(drafts, offers, tuple(warnings))


def _export_of(text: str) -> Mapping[str, Any]:
    if text.count("[") + text.count("{") > _MOST_VALUES:
        raise Refused(rules.Problem.of("json_too_deep"))
    try:
        # Numbers come as they are written: a score of 12.0 is one like any other, and none is too long to be read.
        found = json.loads(text, parse_int=_int, parse_float=str, parse_constant=str)
    except json.JSONDecodeError as error:
        raise Refused(rules.Problem.of("json_broken", line=error.lineno, place=error.colno), error.lineno) from None
    except RecursionError:
        raise Refused(rules.Problem.of("json_too_deep")) from None
    if isinstance(found, dict) and found.get("format") == _OWN_FORMAT:
        raise Refused(rules.Problem.of("file_is_club"))
    if not (isinstance(found, dict) and isinstance(found.get("plays"), list)):
        raise Refused(rules.Problem.of("json_not_known"))
    return found


def _int(digits: str) -> int | str:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else digits


def _draft(row: int, play: Mapping[str, Any], players: Mapping[str, Mapping[str, Any]], reading: Reading) -> Draft:
    uuid = _text(play.get("uuid"))
    draft = Draft(row, note=text_of(_text(play.get("comments"))))
    draft.source = f"bgstats:{uuid.lower()}" if uuid and len(uuid) <= 64 else ""
    try:
        draft.moment = moment_of(_scalar(play.get("playDate")), now=reading.now, time_zone=reading.time_zone)
    except Unreadable as unreadable:
        draft.has_bad_day = True
        draft.refuse(unreadable.problem, row, "playDate")
    if play.get("usesTeams") is True:
        draft.refuse(rules.Problem.of("played_in_teams"), row)
    for score in sorted(_objects(play.get("playerScores")), key=_seat_order):
        player = players.get(_key(score.get("playerRefId")))
        name = text_of(_text(player.get("name"))) if player is not None else ""
        if not name:
            draft.refuse(rules.Problem.of("player_not_in_file"), row, "playerRefId")
            continue
        place = draft.seat(name, row, "playerRefId")
        if place in draft.results:
            draft.refuse(rules.Problem.of("player_twice_in_game", name=quoted(name), first=row), row, "playerRefId")
            continue
        draft.results[place] = _result(draft, row, score)
    _compare_winners(draft, play, players)
    return draft


def _result(draft: Draft, row: int, score: Mapping[str, Any]) -> DraftResult:
    own = DraftResult(row, _SCORE)
    for field, key in (("points", "score"), ("place", "rank")):
        try:
            setattr(own, field, whole_number(_scalar(score.get(key))))
        except Unreadable as unreadable:
            draft.refuse(unreadable.problem, row, key)
            setattr(own, field, 0)
    own.place = own.place or None
    return own


def _compare_winners(draft: Draft, play: Mapping[str, Any], players: Mapping[str, Mapping[str, Any]]) -> None:
    """Warn if somebody is called the winner who has not the most points; at a tie any of the first will do."""
    points = {place: own.points for place, own in draft.results.items() if own.points is not None}
    if draft.problems or len(points) < len(draft.results):
        return
    for score in _objects(play.get("playerScores")):
        player = players.get(_key(score.get("playerRefId")), {})
        place = draft.places.get(folded(text_of(_text(player.get("name")))))
        if score.get("winner") is True and place is not None and points[place] < max(points.values()):
            told = draft.names[place]
            found = draft.names[max(points, key=lambda place: (points[place], -place))]
            problem = rules.Problem.of("winner_mismatch", place, told=told, found=found)
            draft.warnings.append(at(problem, draft.row, "winner"))


def _seat_order(score: Mapping[str, Any]) -> int:
    order = score.get("seatOrder")
    return order if type(order) is int else 0


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _objects(value: object) -> Iterator[Mapping[str, Any]]:
    for entry in _list(value):
        if isinstance(entry, dict):
            yield entry


def _key(value: object) -> str:
    """Return an id as a key: the app writes numbers, other programs texts."""
    return str(value) if isinstance(value, int | str) else ""


def _id(entry: Mapping[str, Any]) -> str:
    return _key(entry.get("id"))


def _text(value: object) -> str:
    """Return a text, halves of characters replaced: JSON can write them, but nothing can keep them."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def _scalar(value: object) -> Value:
    return _text(value) if isinstance(value, str) else value if isinstance(value, int) else None
