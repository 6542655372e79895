"""What staff can do with a game: put its sheet right, take it out and back, put it where it belongs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms.utils import ErrorDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

import rules
from scoresheets import permissions, recording, verdicts
from scoresheets.actors import Actor
from scoresheets.admin.acts import Act, ActForm, Change, NeededReason, ReasonForm
from scoresheets.correction_words import effects_in_words, trump_in_words, winners_in_words
from scoresheets.forms.corrections import RoundForm, SignedNumberField, fields_of, values_of
from scoresheets.forms.results import CorrectResultsForm
from scoresheets.forms.results import fields_of as fields_of_results
from scoresheets.models import Club, Evening, Game, Link, Player, Round, Seat
from scoresheets.models.games import NAME_LENGTH
from scoresheets.queries.blocks import Sheet, sheet_of
from scoresheets.queries.clubs import roster
from scoresheets.queries.corrections import Preview, scored_round
from scoresheets.recording.names import folded, tidy_name
from scoresheets.recording.repair import differences_of, recompute

#: So many evenings are offered, those nearest to the game's night first.
MOST_EVENINGS = 30
#: So many clubs are named where a name fits several.
MOST_NAMED = 10
MOST_DIGITS = 18


# -- a round --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScoredRound:
    """A scored round to be corrected, and the sheet it stands on."""

    sheet: Sheet
    scored: Round


def scored_round_of(game: Game, number: int) -> ScoredRound | None:
    """Return a scored round of the game with its sheet, None if there is none of this number (4 statements).

    The round is read before the sheet: a correction between the two makes the form stale, never wrong.
    """
    scored = scored_round(game, number)
    if scored is None:
        return None
    sheet = sheet_of(game, whole=True)
    return ScoredRound(sheet, scored) if any(row.number == number for row in sheet.block.scored_rows) else None


def _nothing_wrong_yet(form: Any) -> None:
    """Keep a form that is filled with what is stored, and was not sent, from complaining about the missing reason."""
    form._errors, form.cleaned_data = ErrorDict(), {}


class StaffRoundForm(RoundForm):
    """The form of a correction as the game's own page has it, with labels and a reason that is always needed."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, subject: ScoredRound) -> None:
        sheet, scored = subject.sheet, subject.scored
        stored = {**fields_of(values_of(sheet, scored).payload), "seen": str(scored.changed_version)}
        super().__init__(stored if data is None else data, sheet, scored)
        self.fields["seen"] = forms.IntegerField(widget=forms.HiddenInput)
        self.fields["turned_up"] = forms.CharField(widget=forms.HiddenInput, required=False)
        self.fields["chosen_by"] = forms.CharField(widget=forms.HiddenInput, required=False)
        self.fields["reason"] = NeededReason()
        self._give_labels()
        if data is None:
            _nothing_wrong_yet(self)

    def _give_labels(self) -> None:
        for seat in self.seats:
            self.fields[f"bid_{seat.pk}"].label = _("Bid of %(name)s") % {"name": seat.name}
            self.fields[f"taken_{seat.pk}"].label = _("Tricks of %(name)s") % {"name": seat.name}
            if f"blind_{seat.pk}" in self.fields:
                self.fields[f"blind_{seat.pk}"].label = _("Blind bid of %(name)s") % {"name": seat.name}
        if "bombs" in self.fields:
            self.fields["bombs"].label = verdicts.kind_name(rules.Kind.BOMB)
        if "cloud_seat" in self.fields:
            self.fields["cloud_seat"].label = _("Who took the cloud")
            self.fields["cloud_delta"].label = _("Cloud: which way the bid went")
        if "trump" in self.fields:
            trump: Any = self.fields["trump"]
            trump.label, trump.choices = _("Trump"), [(value, trump_in_words(value)) for value, _name in trump.choices]

    @property
    def current(self) -> dict[str, str]:
        """The version of the round as it is now."""
        return {"seen": str(self.scored.changed_version)}

    @property
    def rows(self) -> list[tuple[Seat, Any, Any]]:
        """Each seat that played the round, with its two fields."""
        return [(seat, self[f"bid_{seat.pk}"], self[f"taken_{seat.pk}"]) for seat in self.seats]

    @property
    def others(self) -> list[Any]:
        """The fields that are there once a round, or seldom."""
        return [self[name] for name in self.fields if not name.startswith(("bid_", "taken_")) and name not in _HIDDEN]

    @property
    def hidden(self) -> list[Any]:
        """The fields that only go along."""
        return [self[name] for name in _HIDDEN]


_HIDDEN = ("seen", "turned_up", "chosen_by")


def _look_at(form: Any) -> list[Change]:
    """Return what a correction changes: the standings, and who is in front."""
    preview: Preview | None = form.preview
    if preview is None:
        return []
    effects = effects_in_words(form.sheet, preview) or [(_("Points and ranks stay as they are."), "", "")]
    found = [*effects, (winners_in_words(form.sheet, preview), "", "")]
    if getattr(form, "adds_up", False):
        found.append((_("These bids add up, which the rule of this game does not allow; they are saved so."), "", ""))
    return found


def _correct_round(subject: ScoredRound, form: StaffRoundForm, by: Actor, key: str) -> None:
    recording.correct_round(
        subject.sheet.game,
        number=subject.scored.number,
        values=form.values,
        seen=form.cleaned_data["seen"],
        reason=form.reason,
        by=by,
        key=key,
    )


# -- results ---------------------------------------------------------------------------------------------------------


class StaffResultsForm(CorrectResultsForm):
    """The points of a game of which only these are known, with labels and a reason."""

    def __init__(self, data: Mapping[str, Any] | None = None, *, subject: Game) -> None:
        sheet = sheet_of(subject, whole=True)
        stored = fields_of_results({seat.pk: seat.starting for seat in sheet.seats})
        super().__init__({**stored, "seen": str(subject.version)} if data is None else data, sheet)
        for seat in sheet.seats:
            self.fields[f"points_{seat.pk}"].label = _("Points of %(name)s") % {"name": seat.name}
        self.fields["seen"] = forms.IntegerField(widget=forms.HiddenInput)
        self.fields["reason"] = NeededReason()
        if data is None:
            _nothing_wrong_yet(self)

    @property
    def current(self) -> dict[str, str]:
        """The version of the game as it is now."""
        return {"seen": str(self.sheet.game.version)}


def _correct_results(game: Game, form: StaffResultsForm, by: Actor, key: str) -> None:
    seen: int = form.cleaned_data["seen"]
    recording.correct_results(game.pk, form.points, by=by, seen=seen, reason=form.reason, key=key)


# -- a seat ----------------------------------------------------------------------------------------------------------


def seat_of(game: Game, seat_id: int) -> Seat | None:
    """Return the game's seat with this id, None if there is none (1 statement)."""
    return game.seats.select_related("game").filter(pk=seat_id).first()


class PointsForm(ActForm):
    """Points beside the rounds; how many is the rules' business."""

    points = SignedNumberField(
        label=gettext_lazy("Points, with their sign"),
        help_text=gettext_lazy("They count for the total and the rank, never for bids."),
    )
    reason = NeededReason()
    problem_fields = {"adjustment": "points"}


class NameForm(ActForm):
    """Another name for a seat."""

    name = forms.CharField(label=gettext_lazy("Name"), required=False, max_length=5 * NAME_LENGTH)
    reason = NeededReason()
    problem_fields = {"name": "name"}

    def __init__(self, data: Mapping[str, Any] | None = None, *, subject: Seat) -> None:
        super().__init__(data, subject=subject)
        self.fields["name"].initial = subject.name
        self.names = [seat.name for seat in subject.game.seats_in_order()]

    def clean_name(self) -> str:
        return tidy_name(self.cleaned_data["name"])


def _adjust(seat: Seat, form: PointsForm, by: Actor, key: str) -> None:
    entered = form.cleaned_data
    recording.adjust_points(seat.game, seat=seat.pk, points=entered["points"], reason=entered["reason"], by=by, key=key)


def _rename(seat: Seat, form: NameForm, by: Actor, key: str) -> None:
    entered = form.cleaned_data
    recording.rename_seat(seat.game, seat=seat.pk, name=entered["name"], reason=entered["reason"], by=by, key=key)


# -- the game as a whole ---------------------------------------------------------------------------------------------


def _void(game: Game, form: ReasonForm, by: Actor, key: str) -> None:
    recording.void(game, reason=form.cleaned_data["reason"], by=by, key=key)


def _restore(game: Game, form: ActForm, by: Actor, key: str) -> None:
    recording.restore(game, by=by, key=key)


def _resume(game: Game, form: ActForm, by: Actor, key: str) -> None:
    recording.resume(game, by=by, key=key)


def _reopen(game: Game, form: ReasonForm, by: Actor, key: str) -> None:
    recording.reopen(game, reason=form.cleaned_data["reason"], by=by, key=key)


def _confirm(game: Game, form: ActForm, by: Actor, key: str) -> None:
    recording.confirm(game, seen=int(form.cleaned_data["seen"]), by=by, key=key)


def _recompute(game: Game, form: ActForm, by: Actor, key: str) -> None:
    recompute(game, by=by)


def _differences(form: ActForm) -> list[Change]:
    """Return each place where the rows differ from the journal; one line if they agree."""
    found = differences_of(form.subject.pk)
    return [(sentence, "", "") for sentence in found] or [(_("Rows and journal agree."), "", "")]


class SeenForm(ActForm):
    """Nothing to enter; it carries the version that was looked at."""

    seen = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(self, data: Mapping[str, Any] | None = None, *, subject: Game) -> None:
        super().__init__(data, subject=subject)
        self.fields["seen"].initial = subject.version

    @property
    def current(self) -> dict[str, str]:
        return {"seen": str(self.subject.version)}


class EveningForm(ActForm):
    """One of the club's evenings around the game's night, or none."""

    evening = forms.ModelChoiceField(
        Evening.objects.none(),
        required=False,
        label=gettext_lazy("Evening"),
        empty_label=gettext_lazy("none: the night it was started in"),
    )

    def __init__(self, data: Mapping[str, Any] | None = None, *, subject: Game) -> None:
        super().__init__(data, subject=subject)
        field: Any = self.fields["evening"]
        around = Evening.objects.filter(club=subject.club_id, cancelled_at__isnull=True)
        if subject.night is not None:
            after = around.filter(night__gte=subject.night).order_by("night", "pk")[: MOST_EVENINGS // 2]
            before = around.filter(night__lt=subject.night).order_by("-night", "-pk")[: MOST_EVENINGS // 2]
            around = around.filter(pk__in=[evening.pk for evening in (*after, *before)])
        field.queryset = around.order_by("-night", "-pk")
        field.initial = subject.evening_id


def _set_evening(game: Game, form: EveningForm, by: Actor, key: str) -> None:
    recording.set_evening(game, form.cleaned_data["evening"], by=by, key=key)


# -- moving ----------------------------------------------------------------------------------------------------------

#: What a seat's field sends beside a player's id: somebody new, or nobody the club knows.
NEW, NOBODY = "new", ""


def club_called(text: str) -> Club | list[Club]:
    """Return the club with this number or name or, where that is not one club, those that may be meant."""
    text = tidy_name(text)
    if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS:
        known = Club.with_id(int(text))
        return known if known is not None else []
    found = list(Club.objects.filter(name__icontains=text).order_by("name", "pk")[: MOST_NAMED + 1])
    exact = [club for club in found if folded(club.name) == folded(text)]
    return exact[0] if len(exact) == 1 else found[0] if len(found) == 1 else found[:MOST_NAMED]


class MoveForm(ActForm):
    """A club and, once it is known, who of it sat where: those of the same name are filled in."""

    club = forms.CharField(label=gettext_lazy("Club: its number or name"), max_length=200)

    def __init__(self, data: Mapping[str, Any] | None = None, *, subject: Game) -> None:
        super().__init__(data, subject=subject)
        self.seats = subject.seats_in_order()
        self.names = [seat.name for seat in self.seats]
        self.fields["club"].initial = subject.club_id
        self.found = club_called(data["club"]) if data is not None and data.get("club") else []
        if isinstance(self.found, Club):
            self._ask_who(self.found, dict(data.items()) if data is not None else {})

    def _ask_who(self, club: Club, typed: dict[str, Any]) -> None:
        players = list(roster(club))
        by_name = {folded(player.name): player for player in players}
        for seat in self.seats:
            name = f"seat_{seat.pk}"
            sits = seat.player_id if self.subject.club_id == club.pk else None
            known = by_name.get(folded(seat.name))
            typed.setdefault(name, str(sits or (known.pk if known is not None else NEW)))
            self.fields[name] = forms.ChoiceField(
                choices=[(NEW, _("new in the club, as a guest")), (NOBODY, _("nobody of the club: only a name"))]
                + [(str(player.pk), player.name) for player in (*players, *self._duplicate(sits, players))],
                required=False,
                label=seat.name,
            )
        self.data = typed

    def _duplicate(self, sits: int | None, players: Sequence[Player]) -> list[Player]:
        """Return who sits there and is not on the roster, so that they may stay."""
        return (
            [] if sits is None or any(player.pk == sits for player in players) else list(Player.objects.filter(pk=sits))
        )

    def clean_club(self) -> Club:
        if isinstance(self.found, Club):
            return self.found
        if not self.found:
            raise forms.ValidationError(_("There is no such club."))
        named = ", ".join(f"{club.pk} ({club.name})" for club in self.found)
        raise forms.ValidationError(_("Several clubs are called so: %(clubs)s.") % {"clubs": named})

    @property
    def players(self) -> dict[int, int | str]:
        """Who sat where, as `recording.move_game` takes it."""
        chosen: dict[int, int | str] = {}
        for seat in self.seats:
            who = self.cleaned_data.get(f"seat_{seat.pk}", NOBODY)
            if who:
                chosen[seat.pk] = seat.name if who == NEW else int(who)
        return chosen

    def field_of(self, problem: rules.Problem) -> str | None:
        return f"seat_{self.seats[problem.seat].pk}" if problem.seat is not None else None


def _look_at_move(form: MoveForm) -> list[Change]:
    club = form.cleaned_data["club"]
    here = form.subject.club.name if form.subject.club is not None else _("no club")
    fields: Any = form.fields
    names = {str(value): str(words) for seat in form.seats for value, words in fields[f"seat_{seat.pk}"].choices}
    seated = [(seat.name, "", names[form.cleaned_data[f"seat_{seat.pk}"]]) for seat in form.seats]
    return [(_("club"), here, club.name), *seated]


def _move(game: Game, form: MoveForm, by: Actor, key: str) -> None:
    recording.move_game(game, form.cleaned_data["club"], players=form.players, by=by, key=key)


# -- a link ----------------------------------------------------------------------------------------------------------


def _revoke_link(link: Link, form: ActForm, by: Actor, key: str) -> None:
    recording.revoke_link(link, by=by)


REVOKE_LINK = Act(
    "revoke",
    gettext_lazy("Close the link"),
    gettext_lazy("Whoever uses it can neither enter nor see anything of this game any more, at once and for good."),
    permissions.can_manage_links,
    _revoke_link,
    about=lambda link: (link.game,),
    fits=lambda link: link.revoked_at is None,
    is_danger=True,
)


def _goes_on(game: Game) -> bool:
    return not game.halted


GAME_ACTS = (
    Act(
        "correct_round",
        gettext_lazy("Correct a round"),
        gettext_lazy("The round is scored anew; totals, ranks, statistics and seasons follow."),
        permissions.can_keep_score,
        _correct_round,
        StaffRoundForm,
        subject=scored_round_of,
        preview=_look_at,
        template="admin/correct_round.html",
    ),
    Act(
        "correct_results",
        gettext_lazy("Correct the points"),
        gettext_lazy("Only the points of this game are known. Ranks, statistics and seasons follow."),
        permissions.can_keep_score,
        _correct_results,
        StaffResultsForm,
        fits=lambda game: not game.has_rounds and not game.halted,
        preview=_look_at,
    ),
    Act(
        "adjust",
        gettext_lazy("Points beside the rounds"),
        gettext_lazy("They are added from the newest scored round on."),
        permissions.can_keep_score,
        _adjust,
        PointsForm,
        subject=seat_of,
    ),
    Act(
        "rename",
        gettext_lazy("Another name"),
        gettext_lazy("For a seat that was given to the wrong person. All its rounds stay."),
        permissions.can_keep_score,
        _rename,
        NameForm,
        subject=seat_of,
    ),
    Act(
        "evening",
        gettext_lazy("Put to an evening"),
        gettext_lazy("The game belongs to the night of that evening then, also in seasons."),
        permissions.can_keep_score,
        _set_evening,
        EveningForm,
        fits=lambda game: game.club_id is not None and not game.halted,
    ),
    Act(
        "move",
        gettext_lazy("Move into a club"),
        gettext_lazy("The game counts there from then on. The names on the sheet stay as they are."),
        permissions.can_manage_site,
        _move,
        MoveForm,
        about=lambda game: (),
        fits=_goes_on,
        preview=_look_at_move,
    ),
    Act(
        "confirm",
        gettext_lazy("Confirm"),
        gettext_lazy("The sheet stands as it is; only managers of the club change it then."),
        permissions.can_manage_game,
        _confirm,
        SeenForm,
        fits=lambda game: game.club_id is not None and game.is_finished and not game.halted and not game.is_confirmed,
    ),
    Act(
        "reopen",
        gettext_lazy("Take back the end"),
        gettext_lazy("The game goes on: its last tricks are taken back or, if it was ended early, a round follows."),
        permissions.can_keep_score,
        _reopen,
        ReasonForm,
        fits=lambda game: game.is_finished and not game.halted and game.has_rounds,
    ),
    Act(
        "resume",
        gettext_lazy("Go on"),
        gettext_lazy("The game goes on where it was. Everything entered is still there."),
        permissions.can_keep_score,
        _resume,
        fits=lambda game: game.halted == Game.Halted.PAUSED,
    ),
    Act(
        "restore",
        gettext_lazy("Restore the game"),
        gettext_lazy("The game is back as it was, and counts again."),
        permissions.can_keep_score,
        _restore,
        fits=lambda game: game.halted in (Game.Halted.ABANDONED, Game.Halted.VOIDED),
    ),
    Act(
        "recompute",
        gettext_lazy("Recompute from the journal"),
        gettext_lazy(
            "What differs from the journal is written anew from it, and the worker works out the club's statistics."
        ),
        permissions.can_keep_score,
        _recompute,
        preview=_differences,
    ),
    Act(
        "void",
        gettext_lazy("Void the game"),
        gettext_lazy("It counts for nothing, and can be restored."),
        permissions.can_keep_score,
        _void,
        ReasonForm,
        fits=lambda game: game.halted in ("", Game.Halted.PAUSED),
        is_danger=True,
    ),
)
