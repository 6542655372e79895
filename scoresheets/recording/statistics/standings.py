"""The standings of a club's seasons, worked out from its results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone

import rules
from scoresheets.models import ClubTally, Evening, Result, Season, Seat, Standing
from scoresheets.recording.statistics.contributions import Contribution

ROWS_AT_ONCE = 2000
STANDING_FIELDS = (
    *("games", "nights", "wins", "bids", "exact", "points", "ranked", "score", "tie"),
    *("last_night", "ranked_before", "score_before", "tie_before"),
)


def lock_statistics(club_id: int) -> ClubTally:
    """Keep others from writing the club's statistics until the transaction ends; return its row and club (1 statement).

    Clubs and games are locked before.
    """
    return ClubTally.objects.select_for_update(of=("self",)).select_related("club").get(club=club_id)


def with_guests(results: QuerySet[Result]) -> QuerySet[Result]:
    """Return these results, each with whether a guest sat in its game."""
    guests = Seat.objects.filter(game=OuterRef("game"), player__canonical__is_guest=True)
    return results.annotate(has_guest=Exists(guests))


class _Row(NamedTuple):
    """A result as the database driver gives it."""

    player: int
    night: date
    edition: str
    evening: int | None
    evening__counts: Any
    players: int
    total: int
    rank: int | None
    level: int | None
    exact: int
    rounds: int
    has_guest: Any = False


def _counts_for(season: Season, result: _Row) -> bool:
    """Say whether a season counts a ranked result within its dates."""
    if season.editions and result.edition not in season.editions:
        return False
    if season.only_evenings and result.evening is None:
        return False
    # Only the results of such a game are known: it says nothing about bids, and must not count as one with none right.
    if season.formula == "exact_rate" and not result.rounds:
        return False
    if season.guests == Season.Guests.EXCLUDED and result.has_guest:
        return False
    return result.evening__counts is None or bool(result.evening__counts)


def in_dates(season: Season, night: date) -> bool:
    """Say whether a night is within the season's dates."""
    return season.starts_on <= night and (season.ends_on is None or night <= season.ends_on)


def seasons_of(club: int, nights: Collection[date]) -> list[Season]:
    """Return the club's seasons that one of these nights lies in, in order of their ids (1 statement)."""
    seasons = Season.objects.filter(club=club, starts_on__lte=max(nights)).order_by("pk")
    return [season for season in seasons if any(in_dates(season, night) for night in nights)]


def restand_night(club: int, night: date) -> None:
    """Work out anew the standings that the games of a night bear on: its evening counts now, or no longer."""
    lock_statistics(club)
    players = Result.objects.filter(club=club, night=night).values_list("player", flat=True).distinct()
    follow(seasons_of(club, [night]), list(players))


def restand_for_guests(club: int) -> None:
    """Work out anew the seasons in which games with guests do not count: somebody is a guest now, or no longer."""
    for season in Season.objects.filter(club=club, guests=Season.Guests.EXCLUDED).order_by("pk"):
        restand(season)


def restand(season: Season) -> None:
    """Work out all standings of a season anew, in the transaction of the caller (6 statements)."""
    lock_statistics(season.club_id)
    _replace(season, list(standings_of(season)))


def _replace(season: Season, rows: Sequence[Standing]) -> None:
    Standing.objects.filter(season=season).delete()
    Standing.objects.bulk_create(rows, batch_size=500)
    season.last_night, season.stale = max((row.last_night for row in rows), default=None), False
    Season.objects.filter(pk=season.pk).update(last_night=season.last_night, stale=False)


class AllSeasons:
    """The tables of all seasons of a club, made anew from games that go by in the order played (3 statements)."""

    def __init__(self, club: int) -> None:
        seasons = Season.objects.filter(club=club).order_by("pk")
        self._played = [_Played(season) for season in seasons]
        self._evening_counts = dict(Evening.objects.filter(club=club).values_list("pk", "counts"))
        guests: Any = ()
        if any(season.guests == Season.Guests.EXCLUDED for season in seasons):
            seats = Seat.objects.filter(game__club=club, player__canonical__is_guest=True)
            guests = seats.values_list("game", flat=True)
        self._with_guests = frozenset(guests)

    def add(self, game: Contribution) -> None:
        """Take a game into account, the next one in order."""
        if not self._played:
            return
        played = game.game
        evening_counts = self._evening_counts.get(played.evening) if played.evening is not None else None
        has_guest = played.id in self._with_guests
        rows = [
            _Row(
                part.player,
                played.night,
                played.edition,
                played.evening,
                evening_counts,
                game.players,
                part.total,
                part.rank,
                part.level,
                part.exact,
                len(part.cells),
                has_guest,
            )
            for part in game.parts
            if part.rank is not None
        ]
        for season in self._played:
            season.add(rows)

    def standings(self) -> list[tuple[Season, list[Standing]]]:
        """Return the standings of each season, not saved, in order of the players' ids."""
        return [(played.season, list(played.standings())) for played in self._played]


def save_all(standings: Iterable[tuple[Season, Sequence[Standing]]]) -> None:
    """Write these standings in place of those that the seasons have (4 statements a season)."""
    for season, rows in standings:
        _replace(season, rows)


def standings_of(season: Season) -> Iterator[Standing]:
    """Return the standings as the results have them, not saved, in order of the players' ids (1 statement)."""
    return _standings(season, _results(Result.objects.filter(club=season.club_id), [season]))


def follow(seasons: Sequence[Season], players: Collection[int], *, added: int | None = None) -> None:
    """Work out anew the standings of these players in these seasons (at most 6 statements).

    `added` is the game that came in, where nothing else has changed: then it is added to what stands wherever that is
    enough, and a player's other results are not read. Only what changes is written; a closed season in which something
    does says so.
    """
    if not seasons or not players:
        return
    stored = {
        (standing.season_id, standing.player_id): standing
        for standing in Standing.objects.filter(season__in=seasons, player__in=players)
    }
    if added is None:
        results = list(_results(Result.objects.filter(player__in=players), seasons))
        rows = [row for season in seasons for row in _standings(season, results)]
        gone = set(stored) - {(row.season_id, row.player_id) for row in rows}
    else:
        rows, gone = _with_added(seasons, stored, added), set()
    changed = [row for row in rows if not _is_as(row, stored.get((row.season_id, row.player_id)))]
    if gone:
        Standing.objects.filter(pk__in=[stored[key].pk for key in gone]).delete()
    Standing.objects.bulk_create(
        sorted(changed, key=lambda row: (row.season_id, row.player_id)),
        update_conflicts=True,
        unique_fields=["season", "player"],
        update_fields=STANDING_FIELDS,
    )
    touched = {row.season_id for row in changed} | {season for season, _player in gone}
    _follow_nights([season for season in seasons if season.pk in touched], changed, may_shrink=added is None)


def _with_added(seasons: Sequence[Season], stored: Mapping[tuple[int, int], Standing], game: int) -> list[Standing]:
    """Return the standings that a game changes which came in (1 statement, 2 where something has to be read again)."""
    added = list(_results(Result.objects.filter(game=game), seasons))
    rows, again = [], []
    for season in seasons:
        for result in added:
            if not (in_dates(season, result.night) and _counts_for(season, result)):
                continue
            before = stored.get((season.pk, result.player))
            if season.best is None and not season.stale and (before is None or before.last_night <= result.night):
                rows.append(_longer(season, before, result))
            else:
                again.append((season, result.player))
    if again:
        found = _results(
            Result.objects.filter(player__in={player for _season, player in again}),
            list({season.pk: season for season, _player in again}.values()),
        )
        results: dict[int, list[_Row]] = defaultdict(list)
        for result in found:
            results[result.player].append(result)
        rows += [row for season, player in again for row in _standings(season, results[player])]
    return rows


def _longer(season: Season, old: Standing | None, result: _Row) -> Standing:
    """Return a standing with one more result, of its last night or of a later one, in a season where all count."""
    league = season.league_rules
    new = _league_result(league, result)
    if old is None:
        return _standing(season, league, result.player, [new])
    sums = {
        "games": old.games + 1,
        "wins": old.wins + new.won,
        "bids": old.bids + new.bids,
        "exact": old.exact + new.exact,
        "points": old.points + new.points,
    }
    place = rules.league_place(league, **sums, counted=sums["games"])
    is_new_night = result.night > old.last_night
    before = (old.ranked, old.score, old.tie) if is_new_night else (old.ranked_before, old.score_before, old.tie_before)
    return Standing(
        season=season,
        player_id=result.player,
        **sums,
        nights=old.nights + is_new_night,
        ranked=place.ranked,
        score=place.score,
        tie=place.tie,
        last_night=result.night,
        ranked_before=before[0],
        score_before=before[1],
        tie_before=before[2],
    )


def _is_as(row: Standing, stored: Standing | None) -> bool:
    return stored is not None and all(getattr(row, name) == getattr(stored, name) for name in STANDING_FIELDS)


def _follow_nights(seasons: Sequence[Season], changed: Iterable[Standing], *, may_shrink: bool) -> None:
    """Bring the newest night of changed seasons up to date, and mark those that were closed."""
    if may_shrink:
        nights = newest_nights(seasons)
    else:
        nights = {season.pk: season.last_night for season in seasons}
        for row in changed:
            nights[row.season_id] = max(row.last_night, nights[row.season_id] or row.last_night)
    other = []
    for season in seasons:
        before, season.last_night = season.last_night, nights.get(season.pk)
        if season.closed_at is not None:
            season.changed_after_close = timezone.now()
        if season.last_night != before or season.closed_at is not None:
            other.append(season)
    if other:
        Season.objects.bulk_update(other, ["last_night", "changed_after_close"])


def newest_nights(seasons: Sequence[Season]) -> dict[int, date | None]:
    """Return the newest night with a result that counts in each season, by its id (1 statement)."""
    newest = Standing.objects.filter(season__in=seasons).values("season").annotate(night=Max("last_night")).order_by()
    return dict(newest.values_list("season", "night"))


def _results(results: QuerySet[Result], seasons: Sequence[Season]) -> Iterator[_Row]:
    """Return the ranked results within the dates of one of the seasons, in the order played (1 statement)."""
    dates = Q(pk__in=())
    for season in seasons:
        within = Q(night__gte=season.starts_on)
        dates |= within if season.ends_on is None else within & Q(night__lte=season.ends_on)
    found = results.filter(dates, rank__isnull=False).order_by("started_at", "game")
    columns: tuple[str, ...] = _Row._fields[:-1]
    if any(season.guests == Season.Guests.EXCLUDED for season in seasons):
        found, columns = with_guests(found), _Row._fields
    # Past Django's converters, which cost more than the rest where a season has very many results.
    statement, values = found.values_list(*columns).query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        while rows := cursor.fetchmany(ROWS_AT_ONCE):
            yield from (_Row(*row) for row in rows)


class _Played:
    """What the players of a season played in it, one result after the other in the order played."""

    def __init__(self, season: Season) -> None:
        self.season, self._league = season, season.league_rules
        self._of_players: dict[int, list[rules.LeagueResult]] = defaultdict(list)

    def add(self, results: Sequence[_Row]) -> None:
        """Take the ranked results of a game into account, or some of them, if the season counts that game."""
        if results and in_dates(self.season, results[0].night) and _counts_for(self.season, results[0]):
            for result in results:
                self._of_players[result.player].append(_league_result(self._league, result))

    def standings(self) -> Iterator[Standing]:
        """Return the line of each player who has results that count, in order of their ids."""
        for player, played in sorted(self._of_players.items()):
            yield _standing(self.season, self._league, player, played)


def _standings(season: Season, results: Iterable[_Row]) -> Iterator[Standing]:
    played = _Played(season)
    for result in results:
        played.add([result])
    return played.standings()


def _league_result(league: rules.LeagueRules, result: _Row) -> rules.LeagueResult:
    """Return what a ranked result is to a league."""
    assert result.rank is not None
    assert result.level is not None
    return rules.league_result(
        league,
        night=result.night,
        total=result.total,
        rank=result.rank,
        level=result.level,
        players=result.players,
        exact=result.exact,
        bids=result.rounds,
    )


def _standing(season: Season, league: rules.LeagueRules, player: int, played: Sequence[rules.LeagueResult]) -> Standing:
    nights: list[Any] = [result.night for result in played]
    last = max(nights)
    now = rules.league_line(league, played)
    before = rules.league_line(league, [result for result in played if result.night != last])
    return Standing(
        season=season,
        player_id=player,
        games=now.games,
        nights=now.nights,
        wins=now.wins,
        bids=now.bids,
        exact=now.exact,
        points=now.points,
        ranked=now.ranked,
        score=now.score,
        tie=now.tie,
        last_night=last,
        ranked_before=before.ranked,
        score_before=before.score,
        tie_before=before.tie,
    )
