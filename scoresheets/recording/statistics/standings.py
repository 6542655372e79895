"""The standings of a club's seasons, worked out from its results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils import timezone

import rules
from scoresheets.models import ClubTally, Result, Season, Seat, Standing

_COLUMNS = (
    *("player", "game", "night", "edition", "evening", "evening__counts", "has_guest"),
    *("players", "total", "rank", "level", "exact", "rounds"),
)
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


def counts_for(season: Season, result: Mapping[str, Any]) -> bool:
    """Say whether a season counts a result, given as a mapping of its columns with `has_guest`."""
    if result["rank"] is None or not in_dates(season, result["night"]):
        return False
    if season.editions and result["edition"] not in season.editions:
        return False
    if season.only_evenings and result["evening"] is None:
        return False
    if season.guests == Season.Guests.EXCLUDED and result["has_guest"]:
        return False
    return result["evening__counts"] is not False


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
    Standing.objects.filter(season=season).delete()
    rows = list(standings_of(season))
    Standing.objects.bulk_create(rows, batch_size=500)
    season.last_night, season.stale = max((row.last_night for row in rows), default=None), False
    Season.objects.filter(pk=season.pk).update(last_night=season.last_night, stale=False)


def standings_of(season: Season) -> Iterator[Standing]:
    """Return the standings as the results have them, not saved, in order of the players' ids (1 statement)."""
    return _standings(season, _results(Result.objects.filter(club=season.club_id), [season]))


def follow(seasons: Sequence[Season], players: Collection[int]) -> None:
    """Work out anew the standings of these players in these seasons (at most 6 statements).

    Only what changes is written; a closed season in which something does says so.
    """
    if not seasons or not players:
        return
    results = list(_results(Result.objects.filter(player__in=players), seasons))
    stored = {
        (standing.season_id, standing.player_id): standing
        for standing in Standing.objects.filter(season__in=seasons, player__in=players)
    }
    changed, touched = [], set()
    for row in (row for season in seasons for row in _standings(season, results)):
        before = stored.pop((row.season_id, row.player_id), None)
        if before is None or _values_of(before) != _values_of(row):
            changed.append(row)
            touched.add(row.season_id)
    touched.update(season for season, _player in stored)
    if stored:
        Standing.objects.filter(pk__in=[standing.pk for standing in stored.values()]).delete()
    Standing.objects.bulk_create(
        sorted(changed, key=lambda row: (row.season_id, row.player_id)),
        update_conflicts=True,
        unique_fields=["season", "player"],
        update_fields=STANDING_FIELDS,
    )
    _follow_nights([season for season in seasons if season.pk in touched])


def _values_of(standing: Standing) -> list[Any]:
    return [getattr(standing, name) for name in STANDING_FIELDS]


def _follow_nights(seasons: Sequence[Season]) -> None:
    """Bring the newest night of changed seasons up to date, and mark those that were closed."""
    newest = Standing.objects.filter(season__in=seasons).values("season").annotate(night=Max("last_night")).order_by()
    nights = dict(newest.values_list("season", "night"))
    changed = []
    for season in seasons:
        before, season.last_night = season.last_night, nights.get(season.pk)
        if season.closed_at is not None:
            season.changed_after_close = timezone.now()
        if season.last_night != before or season.closed_at is not None:
            changed.append(season)
    if changed:
        Season.objects.bulk_update(changed, ["last_night", "changed_after_close"])


def _results(results: QuerySet[Result], seasons: Sequence[Season]) -> Iterator[dict[str, Any]]:
    """Return the ranked results within the dates of one of the seasons, in the order played (1 statement)."""
    dates = Q(pk__in=())
    for season in seasons:
        within = Q(night__gte=season.starts_on)
        dates |= within if season.ends_on is None else within & Q(night__lte=season.ends_on)
    found = results.filter(dates, rank__isnull=False).order_by("started_at", "game")
    if any(season.guests == Season.Guests.EXCLUDED for season in seasons):
        yield from with_guests(found).values(*_COLUMNS).iterator()
        return
    for result in found.values(*(name for name in _COLUMNS if name != "has_guest")).iterator():
        yield result | {"has_guest": False}


def _standings(season: Season, results: Iterable[Mapping[str, Any]]) -> Iterator[Standing]:
    """Return the line of each player who has results that count, in order of their ids."""
    league = season.league_rules
    of_players: dict[int, list[rules.LeagueResult]] = defaultdict(list)
    for result in results:
        if counts_for(season, result):
            of_players[result["player"]].append(league_result(league, result))
    for player, played in sorted(of_players.items()):
        yield _standing(season, league, player, played)


def league_result(league: rules.LeagueRules, result: Mapping[str, Any]) -> rules.LeagueResult:
    """Return what a result, given as a mapping of its columns, is to a league."""
    points = rules.league_points(
        league, total=result["total"], rank=result["rank"], level=result["level"], players=result["players"]
    )
    return rules.LeagueResult(
        night=result["night"], points=points, won=result["rank"] == 1, exact=result["exact"], bids=result["rounds"]
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
