"""Evenings of a club: planned, changed, called off, opened and closed; who comes and who is here; their calendar.

Every function here holds the club's lock. Those without a `key` may be sent twice: the second time changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import (
    Attendance,
    CalendarAddress,
    Club,
    Evening,
    Game,
    Player,
    Season,
)
from scoresheets.models.games import night_of
from scoresheets.models.leagues import NOTE_LENGTH, PLACE_LENGTH
from scoresheets.recording import receipts, statistics
from scoresheets.recording.errors import Conflict
from scoresheets.recording.links import new_nonce
from scoresheets.recording.locks import locked_club
from scoresheets.recording.names import tidy_name
from scoresheets.recording.players import seated_players

#: Evenings are of this century: whoever types another year has mistyped it.
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2099, 12, 31)
#: So many evenings are planned at once: a year, week by week.
MOST_AT_ONCE = 53


@dataclass(frozen=True, slots=True)
class EveningPlan:
    """When and where an evening is: day and time on the clock of the club. Texts are kept tidy.

    `counts` is False for a friendly evening, which no season counts.
    """

    day: date
    time: time
    place: str = ""
    note: str = ""
    counts: bool = True

    @classmethod
    def of(cls, evening: Evening, club: Club) -> EveningPlan:
        """Return the plan of an evening as it stands, on the club's clock."""
        local = evening.starts_at.astimezone(ZoneInfo(club.time_zone))
        return cls(local.date(), local.time(), evening.place, evening.note, evening.counts)

    def starts_at(self, time_zone: str) -> datetime:
        """Return the moment; of an hour that comes twice on that day it is the first."""
        return datetime.combine(self.day, self.time, ZoneInfo(time_zone)).astimezone(UTC)

    def values(self, club: Club) -> dict[str, Any]:
        """Return what follows under the names of the evening's fields."""
        starts_at = self.starts_at(club.time_zone)
        return {
            "starts_at": starts_at,
            "night": night_of(starts_at, club.time_zone),
            "place": tidy_name(self.place),
            "note": tidy_name(self.note),
            "counts": self.counts,
        }

    def problems(self, club: Club) -> tuple[rules.Problem, ...]:
        """Return every reason why an evening of the club cannot be so; none if it can."""
        found: list[rules.Problem] = []
        if not FIRST_DAY <= self.day <= LAST_DAY:
            years = {"first": FIRST_DAY.year, "last": LAST_DAY.year}
            found.append(rules.Problem.of("evening_day_out_of_range", **years))
        elif self.starts_at(club.time_zone).astimezone(ZoneInfo(club.time_zone)).time() != self.time:
            found.append(rules.Problem.of("evening_time_skipped", time=f"{self.time:%H:%M}"))
        if len(tidy_name(self.place)) > PLACE_LENGTH:
            found.append(rules.Problem.of("place_too_long", most=PLACE_LENGTH))
        if len(tidy_name(self.note)) > NOTE_LENGTH:
            found.append(rules.Problem.of("note_too_long", most=NOTE_LENGTH))
        return tuple(found)


# -- planning -------------------------------------------------------------------------------------------------------


@transaction.atomic
def plan_evening(
    club: Club, plan: EveningPlan, *, by: Actor, times: int = 1, every: int = 7, key: str | None = None
) -> list[Evening]:
    """Plan an evening, or as many `times` one `every` so many days, always at the same time; return them in order.

    A repeat with the same key returns the same evenings. Raises `PermissionDenied`, `rules.RulesError`
    (`evening_day_out_of_range`, `evening_time_skipped`: the clocks go forward over it, `place_too_long`,
    `note_too_long`, `times_out_of_range`: 1 to 53 of them, 1 to 365 days apart), `Conflict` ("key_reused"); then writes
    nothing.
    """
    club, by = locked_club(club.pk, by)
    permissions.check_can_plan_evenings(by, club)
    asked = [plan.day.isoformat(), plan.time.isoformat(), plan.place, plan.note, plan.counts, times, every]
    fingerprint = receipts.fingerprint_of("plan_evening", club.pk, *asked)
    if body := receipts.answer_to_repeat(by, key, fingerprint):
        return list(Evening.objects.filter(pk__in=body["evenings"]).order_by("starts_at", "pk"))
    if not (1 <= times <= MOST_AT_ONCE and 1 <= every <= 365):
        raise rules.RulesError([rules.Problem.of("times_out_of_range", most=MOST_AT_ONCE)])
    plans = [_later(plan, number * every) for number in range(times)]
    problems = dict.fromkeys(problem for one in plans for problem in one.problems(club))
    if problems:
        raise rules.RulesError(problems)
    planned = Evening.objects.bulk_create(Evening(club=club, created_by=by.user, **one.values(club)) for one in plans)
    receipts.keep_answer(by, key, fingerprint, {"evenings": [evening.pk for evening in planned]})
    receipts.forget_old_receipts()
    return planned


def _later(plan: EveningPlan, days: int) -> EveningPlan:
    """Return the same plan so many days later, at most a day past the last one that can be."""
    left = (LAST_DAY - plan.day).days + 1
    day = plan.day + timedelta(days=max(0, min(days, left)))
    return EveningPlan(day, plan.time, plan.place, plan.note, plan.counts)


@transaction.atomic
def change_evening(evening: Evening, plan: EveningPlan, *, by: Actor) -> Evening:
    """Set the evening as given and return it; a season that counts it, or does so no more, follows at once.

    Raises `PermissionDenied`, `rules.RulesError` (as `plan_evening`), `Conflict` ("evening_has_games": its night cannot
    change once games were played in it); then writes nothing.
    """
    club, evening, by = locked_evening(evening, by)
    permissions.check_can_plan_evenings(by, club)
    if problems := plan.problems(club):
        raise rules.RulesError(problems)
    values = plan.values(club)
    if values["night"] != evening.night and evening.games.exists():
        raise Conflict("evening_has_games")
    changed = [name for name, value in values.items() if getattr(evening, name) != value]
    for name in changed:
        setattr(evening, name, values[name])
    if changed:
        evening.save(update_fields=changed)
    if "counts" in changed and evening.results.exists():
        statistics.restand_night(club.pk, evening.night)
    return evening


@transaction.atomic
def cancel_evening(evening: Evening, *, by: Actor) -> Evening:
    """Call an evening off and return it; answers and drawn tables stay.

    Raises `PermissionDenied`, `Conflict` ("evening_has_games").
    """
    club, evening, by = locked_evening(evening, by)
    permissions.check_can_plan_evenings(by, club)
    if evening.cancelled_at is None:
        if evening.games.exclude(halted=Game.Halted.VOIDED).exists():
            raise Conflict("evening_has_games")
        evening.cancelled_at = timezone.now()
        if evening.opened_at is not None and evening.closed_at is None:
            evening.closed_at = evening.cancelled_at
        evening.save(update_fields=["cancelled_at", "closed_at"])
    return evening


@transaction.atomic
def reinstate_evening(evening: Evening, *, by: Actor) -> Evening:
    """Let an evening that was called off take place after all, and return it. Raises `PermissionDenied`."""
    club, evening, by = locked_evening(evening, by)
    permissions.check_can_plan_evenings(by, club)
    if evening.cancelled_at is not None:
        evening.cancelled_at = None
        evening.save(update_fields=["cancelled_at"])
    return evening


@transaction.atomic
def open_evening(evening: Evening, *, by: Actor) -> Evening:
    """Open an evening, also one that was closed, and return it: games that are started now belong to it.

    One of an earlier night that was forgotten is closed. Raises `PermissionDenied`, `Conflict` ("evening_cancelled",
    "other_evening_open": one of this night or a later one is).
    """
    club, evening, by = locked_evening(evening, by)
    permissions.check_can_run_evenings(by, club)
    _check_not_cancelled(evening)
    if evening.is_open:
        return evening
    now = timezone.now()
    standing = Evening.objects.filter(
        club=club, opened_at__isnull=False, closed_at__isnull=True, cancelled_at__isnull=True
    )
    if standing.filter(night__gte=evening.night).exists():
        raise Conflict("other_evening_open")
    standing.update(closed_at=now)
    evening.opened_at, evening.closed_at = evening.opened_at or now, None
    evening.save(update_fields=["opened_at", "closed_at"])
    return evening


@transaction.atomic
def close_evening(evening: Evening, *, by: Actor) -> Evening:
    """Close an evening and return it: games that are started now no longer belong to it; those that run go on.

    Raises `PermissionDenied`, `Conflict` ("evening_not_open": it never was).
    """
    club, evening, by = locked_evening(evening, by)
    permissions.check_can_run_evenings(by, club)
    if evening.opened_at is None:
        raise Conflict("evening_not_open")
    if evening.closed_at is None:
        evening.closed_at = timezone.now()
        evening.save(update_fields=["closed_at"])
    return evening


def locked_evening(evening: Evening, by: Actor) -> tuple[Club, Evening, Actor]:
    """Return the evening's club, locked, the evening as it is now, and the actor with the role they have now."""
    club, by = locked_club(evening.club_id, by)
    return club, Evening.objects.get(pk=evening.pk), by


def _check_not_cancelled(evening: Evening) -> None:
    if evening.cancelled_at is not None:
        raise Conflict("evening_cancelled")


def _check_goes_on(evening: Evening) -> None:
    _check_not_cancelled(evening)
    if evening.closed_at is not None:
        raise Conflict("evening_closed")


def seasons_of(evening: Evening) -> list[Season]:
    """Return the club's seasons that the evening's night is in, the newest first (1 statement)."""
    seasons = statistics.seasons_of(evening.club_id, [evening.night])
    return sorted(seasons, key=lambda season: (season.starts_on, season.pk), reverse=True)


# -- who comes ------------------------------------------------------------------------------------------------------


@transaction.atomic
def answer(evening: Evening, *, answer: str, by: Actor, player: Player | None = None) -> Attendance:
    """Say whether somebody comes ("" takes an answer back) and return what stands now.

    Without a `player` it is the actor, as the club knows them. Raises `PermissionDenied`, `rules.RulesError`
    (`answer_unknown`), `Conflict` ("evening_cancelled", "evening_closed", "no_player": the club does not know the
    account as one of its players, "player_unknown"); then writes nothing.
    """
    club, evening, by = locked_evening(evening, by)
    found = _who_answers(club, player, by=by)
    if answer not in ("", *Attendance.Answer.values):
        raise rules.RulesError([rules.Problem.of("answer_unknown", answer=answer)])
    _check_goes_on(evening)
    standing = _attendance_of(evening, [found.pk])[found.pk]
    # A duplicate may have answered before it was merged: one person, one answer.
    rows = Attendance.objects.filter(evening=evening, player__canonical=found)
    if rows.exclude(answer=answer).exists():
        rows.update(answer=answer, answered_at=timezone.now() if answer else None, by=by.user)
        standing.refresh_from_db()
    return standing


def _who_answers(club: Club, player: Player | None, *, by: Actor) -> Player:
    """Return the canonical player who answers. Raises `PermissionDenied`, `Conflict`."""
    if player is None:
        permissions.check_can_see_attendance(by, club)
        if by.user is None:
            raise PermissionDenied
        own = Player.objects.filter(club=club, user=by.user).first()
        if own is None:
            raise Conflict("no_player")
        return own
    found = Player.objects.select_related("canonical").filter(club=club, pk=player.pk).first()
    if found is None:
        permissions.check_can_run_evenings(by, club)
        raise Conflict("player_unknown")
    permissions.check_can_answer_for(by, found.canonical)
    return found.canonical


@transaction.atomic
def set_here(
    evening: Evening,
    here: Mapping[int, bool],
    *,
    by: Actor,
    newcomers: Sequence[str] = (),
    key: str | None = None,
) -> list[Player]:
    """Note who is here, and who is not (any more), by player id; return those who are new to the club.

    Whoever is not named stays as noted. `newcomers` are names the club does not know: they come in as guests, and are
    here. A repeat with the same key returns the same people. Raises `PermissionDenied`, `rules.RulesError`
    (`name_missing`, `name_too_long`, `player_name_taken`: seats are places in `newcomers`), `Conflict`
    ("evening_cancelled", "evening_closed", "player_unknown", "key_reused"); then writes nothing.
    """
    club, evening, by = locked_evening(evening, by)
    permissions.check_can_run_evenings(by, club)
    fingerprint = receipts.fingerprint_of("set_here", evening.pk, sorted(here.items()), list(newcomers))
    if body := receipts.answer_to_repeat(by, key, fingerprint):
        return list(Player.objects.filter(pk__in=body["players"]).order_by("pk"))
    _check_goes_on(evening)
    known = dict(Player.objects.filter(club=club, pk__in=here).values_list("pk", "canonical"))
    if set(here) - set(known):
        raise Conflict("player_unknown")
    new = [player for player in seated_players(club, newcomers, by=by) if player is not None]
    wanted = {known[player]: is_here for player, is_here in here.items()} | {player.pk: True for player in new}
    _attendance_of(evening, wanted)
    for is_here in (True, False):
        who = [player for player, wanted_here in wanted.items() if wanted_here == is_here]
        rows = Attendance.objects.filter(evening=evening, player__canonical__in=who)
        rows.exclude(is_here=is_here).update(is_here=is_here)
    receipts.keep_answer(by, key, fingerprint, {"players": [player.pk for player in new]})
    return new


def _attendance_of(evening: Evening, players: Collection[int]) -> dict[int, Attendance]:
    """Return what is noted of these canonical players, by id; rows that are missing are made (2 statements)."""
    rows = {row.player_id: row for row in Attendance.objects.filter(evening=evening, player__in=players)}
    missing = [Attendance(evening=evening, player_id=player) for player in players if player not in rows]
    return rows | {row.player_id: row for row in Attendance.objects.bulk_create(missing)}


# -- the calendar ---------------------------------------------------------------------------------------------------


@transaction.atomic
def make_calendar_address(club: Club, *, by: Actor, renew: bool = False) -> CalendarAddress:
    """Return the secret part of the club's calendar address; make it if there is none yet, as every member may.

    With `renew` it is made anew, for managers: the old address opens nothing any more. Raises `PermissionDenied`.
    """
    club, by = locked_club(club.pk, by)
    if renew:
        permissions.check_can_plan_evenings(by, club)
    else:
        permissions.check_can_see_attendance(by, club)
    address = CalendarAddress.objects.filter(club=club).first()
    if address is None or renew:
        address = CalendarAddress(club=club, nonce=new_nonce(), made_by=by.user)
        address.save()
    return address
