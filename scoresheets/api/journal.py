"""The journal of a game: what was done to it, by whom, and why; and what was corrected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django_filters import ChoiceFilter, FilterSet

from scoresheets import permissions
from scoresheets.api.fields import Answer, Choice, Id, Json, Moment, Text, Whole
from scoresheets.api.games.acts import TAG, GameView
from scoresheets.api.games.shapes import MOST_VERSION
from scoresheets.api.pagination import Order
from scoresheets.api.schema import operation
from scoresheets.api.views import Body, View
from scoresheets.models import Entry, User
from scoresheets.models.games import REASON_LENGTH, Via
from scoresheets.queries.corrections import CORRECTIONS, differences
from scoresheets.queries.games import entries_of, first_covered_rounds

Kind = Entry.Kind
Row = Mapping[str, Any]


class EntryAnswer(Answer):
    """One act on a game."""

    version = Whole(least=1, most=MOST_VERSION, help_text="The version it made; there is one entry a version.")
    kind = Choice(choices=Kind.values, help_text="What was done.")
    at = Moment(help_text="When.")
    via = Choice(choices=Via.values, help_text="Through which door: a link, an account, an app, the operator.")
    who = Text(
        allow_null=True,
        help_text="Who: the name of an account or of a link; null for nobody in particular, and for strangers.",
    )
    seat = Id(allow_null=True, help_text="The seat somebody acted for, null for none.")
    reason = Text(most=REASON_LENGTH, help_text="Why, if that was said; empty for strangers.")
    payload = Json(
        help_text='What was entered, by seat ids as texts: `{"round": 1, "bids": {"12": 1}}`. Which fields there '
        "are depends on `kind`; new ones may come. Bids that are not shown yet are null."
    )


class DifferenceAnswer(Answer):
    """One value that a correction changed."""

    field = Choice(
        choices=["bids", "taken", "clouds", "points", "blind", "bombs", "trump", "turned_up", "chosen_by"],
        help_text="What of the round: bids, tricks taken, changes by the cloud, blind bids, bombs, the trump as noted. "
        "Where only the results of the game are known: points.",
    )
    seat = Id(allow_null=True, help_text="Whose value it is, null for the round's.")
    before = Json(allow_null=True, help_text="The value as it was; null for none, and while it is not shown.")
    after = Json(allow_null=True, help_text="The value as it is since.")


class CorrectionEntryAnswer(EntryAnswer):
    """A correction."""

    round = Whole(least=1, most=100, allow_null=True, help_text="The round that was corrected, null for none.")
    differences = DifferenceAnswer(
        many=True, help_text="What it changed of the round, or of the points where only those are known; else nothing."
    )


class EntryFilter(FilterSet):
    """What entries can be narrowed down by."""

    kind = ChoiceFilter(choices=Kind.choices, help_text="Only entries of this kind.")

    class Meta:
        model = Entry
        fields: tuple[str, ...] = ()


def entry_bodies(rows: Sequence[Row], *, shows_names: bool) -> list[Body]:
    """Return entries as they are answered, given dicts of `queries.games.TOLD` (1 statement at most).

    Bids that are not shown yet are left out, whoever asks.
    """
    covered = first_covered_rounds(rows)
    return [_entry(row, covered.get(row["game_id"]), shows_names) for row in rows]


def _entry(row: Row, covered_from: int | None, shows_names: bool) -> Body:
    payload = row["payload"]
    return {
        "version": row["version"],
        "kind": row["kind"],
        "at": row["at"],
        "via": row["via"],
        "who": _who(row) if shows_names else None,
        "seat": row["seat_id"],
        "reason": row["reason"] if shows_names else "",
        "payload": payload if covered_from is None else _without_bids(payload, covered_from),
    }


def _who(row: Row) -> str | None:
    """Return who made an entry: the label of the link, or the account."""
    if row["label"]:
        label: str = row["label"]
        return label
    return str(User(username=row["user__username"])) if row["user_id"] is not None else None


def _without_bids(payload: Body, covered_from: int) -> Body:
    """Return a payload without the bids of the rounds from this one on."""
    if "rounds" in payload:
        rounds = [
            _covered(values) if number >= covered_from else values
            for number, values in enumerate(payload["rounds"], start=1)
        ]
        return {**payload, "rounds": rounds}
    if payload.get("round", 0) < covered_from:
        return payload
    found = _covered(payload)
    return {**found, "before": _covered(payload["before"])} if "before" in payload else found


def _covered(values: Body) -> Body:
    """Return values of a round with null for each bid; a cloud would tell what it can have changed."""
    bids = values.get("bids")
    found = {name: value for name, value in values.items() if name != "clouds"}
    return {**found, "bids": dict.fromkeys(bids)} if isinstance(bids, Mapping) else found


class JournalOfGame(View):
    @operation(
        "games_journal",
        summary="The journal of a game",
        tag=TAG,
        answer=EntryAnswer,
        lists=True,
        game_link=True,
        filters=EntryFilter,
        orders={
            "version": Order.number("version"),
            "-version": Order.number("version", descending=True),
        },
    )
    def get(self, request: Any, game_id: int) -> Any:
        """All that was done to a game, the oldest first: nothing is ever taken out of it or changed in it.

        Who and why are for those who see the names on the sheet. Bids that are hidden or secret are null until they are
        shown to everybody.
        """
        game = self.game(game_id)
        shows_names = permissions.can_see_names(self.actor, game)
        return self.listed(entries_of(game), lambda rows: entry_bodies(rows, shows_names=shows_names))


class CorrectionsOfGame(GameView):
    @operation(
        "games_corrections",
        summary="The corrections of a game",
        tag=TAG,
        answer=CorrectionEntryAnswer,
        lists=True,
        game_link=True,
        orders={"-version": Order.number("version", descending=True)},
    )
    def get(self, request: Any, game_id: int) -> Any:
        """What was corrected in a game, the newest first: rounds, points beside the rounds, bare points, names."""
        game = self.game(game_id)
        shows_names = permissions.can_see_names(self.actor, game)
        entries: QuerySet = entries_of(game).filter(kind__in=CORRECTIONS)
        return self.listed(entries, lambda rows: _correction_bodies(rows, shows_names))


def _correction_bodies(rows: Sequence[Row], shows_names: bool) -> list[Body]:
    return [_correction(body) for body in entry_bodies(rows, shows_names=shows_names)]


def _correction(entry: Body) -> Body:
    payload = entry["payload"]
    found = differences(payload["before"], payload) if "before" in payload else []
    return {
        **entry,
        "round": payload.get("round"),
        "differences": [
            {"field": field, "seat": seat, "before": before, "after": after} for field, seat, before, after in found
        ],
    }
