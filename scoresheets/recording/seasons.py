"""Seasons: made, changed, closed, opened again, deleted. Their tables follow from the club's results.

Every function here holds the locks on the club and its statistics. Those without a `key` may be sent twice: the second
time changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db import transaction
from django.utils import timezone

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Club, Result, Season
from scoresheets.models.games import night_of
from scoresheets.models.leagues import SEASON_NAME_LENGTH
from scoresheets.recording import receipts, statistics, tasks
from scoresheets.recording.errors import Conflict
from scoresheets.recording.locks import delete_recorded, locked_club, save_recorded
from scoresheets.recording.names import folded, tidy_name

Guests = Season.Guests
#: A season of so many results is worked out in the transaction that changes its rule, a larger one by the worker.
MOST_AT_ONCE = 2000
#: So many seasons of a club can be open at once: each finished game is worked out for all of them.
MOST_OPEN = 20


@dataclass(frozen=True, slots=True)
class SeasonSettings:
    """All that can be set of a season. Names are kept without outer spaces.

    `starts_on` and `ends_on` are nights, both included; None: it goes on. `editions` are those that count, () for all.
    """

    name: str
    starts_on: date
    ends_on: date | None = None
    league: rules.LeagueRules = field(default_factory=rules.LeagueRules)
    editions: tuple[str, ...] = ()
    guests: str = Guests.RANKED
    only_evenings: bool = False

    @classmethod
    def of(cls, season: Season) -> SeasonSettings:
        """Return the settings of a season as they stand."""
        return cls(
            season.name,
            season.starts_on,
            season.ends_on,
            season.league_rules,
            tuple(season.editions),
            season.guests,
            season.only_evenings,
        )

    @property
    def values(self) -> dict[str, Any]:
        """The settings under the names of the season's fields.

        Points for places are kept for that formula alone; all editions are none in particular.
        """
        editions = [edition for edition in rules.EDITIONS if edition in self.editions]
        return {
            "name": tidy_name(self.name),
            "starts_on": self.starts_on,
            "ends_on": self.ends_on,
            "formula": self.league.formula,
            "place_points": list(self.league.place_points) if self.league.formula == "places" else [],
            "best": self.league.best,
            "best_of": self.league.best_of,
            "fewest_games": self.league.fewest_games,
            "tie_rule": self.league.tie_rule,
            "editions": editions if len(editions) < len(rules.EDITIONS) else [],
            "guests": self.guests,
            "only_evenings": self.only_evenings,
        }

    @property
    def problems(self) -> tuple[rules.Problem, ...]:
        """Every reason why no season can be set so; none if one can."""
        name = tidy_name(self.name)
        found: list[rules.Problem] = []
        if not name:
            found.append(rules.Problem.of("name_missing"))
        elif len(name) > SEASON_NAME_LENGTH:
            found.append(rules.Problem.of("name_too_long", name=name, most=SEASON_NAME_LENGTH))
        if self.ends_on is not None and self.ends_on < self.starts_on:
            found.append(rules.Problem.of("season_ends_before_start"))
        found += rules.league_rules_problems(self.league)
        found += [
            rules.Problem.of("edition_unknown", edition=edition)
            for edition in self.editions
            if edition not in rules.EDITIONS
        ]
        if self.guests not in Guests.values:
            found.append(rules.Problem.of("guests_unknown", guests=self.guests))
        return tuple(found)


@transaction.atomic
def create_season(club: Club, settings: SeasonSettings, *, by: Actor, key: str | None = None) -> Season:
    """Make a season and return it; games that it counts already are in its table.

    A repeat with the same key returns the same season. Raises `PermissionDenied`, `rules.RulesError` with the problems
    of the settings (and `season_name_taken`, `too_many_seasons`), `Conflict` ("key_reused", or "season_gone": it was
    deleted since); then writes nothing.
    """
    club, by = _locked(club.pk, by)
    permissions.check_can_manage_seasons(by, club)
    asked = {name: str(value) if isinstance(value, date) else value for name, value in settings.values.items()}
    fingerprint = receipts.fingerprint_of("create_season", club.pk, asked)
    if body := receipts.answer_to_repeat(by, key, fingerprint):
        return _season_now(club, body["season"])
    problems = list(settings.problems)
    if _is_taken(club, settings):
        problems.append(rules.Problem.of("season_name_taken", name=tidy_name(settings.name)))
    if Season.objects.filter(club=club, closed_at__isnull=True).count() >= MOST_OPEN:
        problems.append(rules.Problem.of("too_many_seasons", most=MOST_OPEN))
    if problems:
        raise rules.RulesError(problems)
    season = Season(club=club, **settings.values)
    save_recorded(season, by=by)
    _work_out(season)
    receipts.keep_answer(by, key, fingerprint, {"season": season.pk})
    return season


@transaction.atomic
def change_season(season: Season, settings: SeasonSettings, *, by: Actor) -> Season:
    """Set the season as given, work out its table anew if that takes it, and return the season.

    Raises `PermissionDenied`, `Conflict` ("season_gone", "season_closed": open it again first), `rules.RulesError` with
    the problems of the settings (and `season_name_taken`); then writes nothing.
    """
    club, by = _locked(season.club_id, by)
    permissions.check_can_manage_seasons(by, club)
    season = _season_now(club, season.pk)
    if season.closed_at is not None:
        raise Conflict("season_closed")
    problems = list(settings.problems)
    if _is_taken(club, settings, but=season):
        problems.append(rules.Problem.of("season_name_taken", name=tidy_name(settings.name)))
    if problems:
        raise rules.RulesError(problems)
    changed = [name for name, value in settings.values.items() if getattr(season, name) != value]
    for name in changed:
        setattr(season, name, settings.values[name])
    if changed:
        save_recorded(season, by=by, fields=changed)
    if set(changed) - {"name"}:
        _work_out(season)
    return season


@transaction.atomic
def close_season(season: Season, *, by: Actor) -> Season:
    """End the season with tonight, unless it ended before, and return it.

    Its table stays and still follows corrections, which then show.

    Raises `PermissionDenied`, `Conflict` ("season_gone", "season_not_begun"); then writes nothing.
    """
    club, by = _locked(season.club_id, by)
    permissions.check_can_manage_seasons(by, club)
    season = _season_now(club, season.pk)
    if season.closed_at is not None:
        return season
    tonight = night_of(timezone.now(), club.time_zone)
    if tonight < season.starts_on:
        raise Conflict("season_not_begun")
    ended = season.ends_on is not None and season.ends_on <= tonight
    season.closed_at, season.changed_after_close = timezone.now(), None
    if not ended:
        season.ends_on = tonight
    save_recorded(season, by=by, fields=["closed_at", "ends_on", "changed_after_close"])
    if not ended:
        _work_out(season)
    return season


@transaction.atomic
def reopen_season(season: Season, *, by: Actor) -> Season:
    """Open a closed season again and return it. It ends when it ended; that can be changed then.

    Raises `PermissionDenied`, `Conflict` ("season_gone"), `rules.RulesError` (`too_many_seasons`); then writes nothing.
    """
    club, by = _locked(season.club_id, by)
    permissions.check_can_manage_seasons(by, club)
    season = _season_now(club, season.pk)
    if season.closed_at is None:
        return season
    if Season.objects.filter(club=club, closed_at__isnull=True).count() >= MOST_OPEN:
        raise rules.RulesError([rules.Problem.of("too_many_seasons", most=MOST_OPEN)])
    season.closed_at = season.changed_after_close = None
    save_recorded(season, by=by, fields=["closed_at", "changed_after_close"])
    return season


@transaction.atomic
def delete_season(season: Season, *, by: Actor) -> None:
    """Delete the season and its table; games and results stay.

    Raises `PermissionDenied`, `Conflict` ("season_gone").
    """
    club, by = _locked(season.club_id, by)
    permissions.check_can_manage_seasons(by, club)
    delete_recorded(_season_now(club, season.pk), by=by)


def _locked(club_id: int, by: Actor) -> tuple[Club, Actor]:
    """Lock the club and its statistics, in this order: a game that is finished writes seasons too, under the second."""
    club, by = locked_club(club_id, by)
    statistics.lock_statistics(club.pk)
    return club, by


def _season_now(club: Club, season_id: int) -> Season:
    season = Season.objects.filter(club=club, pk=season_id).first()
    if season is None:
        raise Conflict("season_gone")
    return season


def _is_taken(club: Club, settings: SeasonSettings, *, but: Season | None = None) -> bool:
    names = dict(Season.objects.filter(club=club).values_list("pk", "name"))
    if but is not None:
        del names[but.pk]
    return folded(tidy_name(settings.name)) in map(folded, names.values())


def _work_out(season: Season) -> None:
    """Bring the standings in line with the season's rule: at once, or by the worker where that takes long."""
    results = Result.objects.filter(club=season.club_id, night__gte=season.starts_on)
    if season.ends_on is not None:
        results = results.filter(night__lte=season.ends_on)
    if results[: MOST_AT_ONCE + 1].count() <= MOST_AT_ONCE:
        statistics.restand(season)
        return
    # The history does not know what is stale.
    Season.objects.filter(pk=season.pk).update(stale=True)
    season.stale = True
    tasks.enqueue_once(tasks.rebuild_season, season.pk)
