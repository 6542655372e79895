"""Every act on a game: a game that it fits, and what is sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Club, Entry, Game, Player
from tests.scoresheets.api.helpers import Answer, Api
from tests.scoresheets.clubs import club_game
from tests.scoresheets.evenings import planned
from tests.scoresheets.factories import enter_bids, fresh, newest_of, open_round, seat_ids

Body = dict[str, Any]


@dataclass(frozen=True)
class Act:
    """Where it is done (below the game), to which game, and what is sent of it (None: nothing)."""

    path: str
    game: Callable[[Club, list[Player]], Game]
    body: Callable[[Game], Body | None] = lambda game: None
    needs_version: bool = True
    status: int = 200

    def headers(self, game: Game) -> dict[str, str]:
        return {"If_Match": f'"{fresh(game).version}-x"'} if self.needs_version else {}

    def by(self, api: Api, game: Game, **headers: str) -> Answer:
        """Do it."""
        return api.post(f"games/{game.pk}/{self.path}", self.body(game), **{**self.headers(game), **headers})


def grid(game: Game, value: str, *numbers: int, places: int = 3) -> list[Body]:
    """Return one entry for each of the first seats."""
    return [{"seat": seat, value: number} for seat, number in zip(seat_ids(game)[:places], numbers, strict=False)]


def seen(game: Game) -> int:
    return open_round(game).stage_version


# -- games -----------------------------------------------------------------------------------------------------------


def _bidding(club: Club, players: list[Player]) -> Game:
    return club_game(club, players[:3], length=2)


def _with_bids(club: Club, players: list[Player]) -> Game:
    game = _bidding(club, players)
    enter_bids(game, [1, 0, 0])
    return fresh(game)


def _after_a_round(club: Club, players: list[Player]) -> Game:
    return club_game(club, players[:3], rounds=1, length=2)


def _four(club: Club, players: list[Player]) -> Game:
    return club_game(club, players[:4], rounds=1, length=2)


def _one_left(club: Club, players: list[Player]) -> Game:
    game = _four(club, players)
    recording.leave_table(game, seat=seat_ids(game)[1], cards=[2], seen=game.version, by=OPERATOR)
    return fresh(game)


def _finished(club: Club, players: list[Player]) -> Game:
    return club_game(club, players[:3], rounds=1)


def _results(club: Club, players: list[Player]) -> Game:
    seated = players[:3]
    names, ids = [player.name for player in seated], [player.pk for player in seated]
    return fresh(recording.record_results(names, [120, -30, 75], by=OPERATOR, club=club, players=ids).game)


def _done(verb: Callable[..., Any], **given: Any) -> Callable[[Club, list[Player]], Game]:
    def make(club: Club, players: list[Player]) -> Game:
        game = _bidding(club, players)
        verb(game, by=OPERATOR, **given)
        return fresh(game)

    return make


def _with_evening(club: Club, players: list[Player]) -> Game:
    planned(club)
    return _bidding(club, players)


# -- acts ------------------------------------------------------------------------------------------------------------


def _reason(game: Game) -> Body:
    return {"reason": "A card was missing"}


def _correction(game: Game) -> Body:
    return {"round": 1, "bids": grid(game, "bid", 1, 0, 0), "tricks": grid(game, "tricks", 0, 1, 0)}


def _to_club(game: Game) -> Body:
    seats = seat_ids(game)
    swapped = dict(zip(seats, reversed(game.seats.order_by("position").values_list("player", flat=True)), strict=True))
    return {"club": game.club_id, "players": [{"seat": seat, "player": who} for seat, who in swapped.items()]}


ACTS: Mapping[str, Act] = {
    "games_record_bids": Act(
        "bids/", _bidding, lambda g: {"seen": seen(g), "bids": grid(g, "bid", 1, 0, 0)}, needs_version=False
    ),
    "games_record_tricks": Act(
        "tricks/", _with_bids, lambda g: {"seen": seen(g), "tricks": grid(g, "tricks", 1, 0, 0)}, needs_version=False
    ),
    "games_record_round": Act(
        "round/",
        _bidding,
        lambda g: {"seen": seen(g), "bids": grid(g, "bid", 1, 0, 0), "tricks": grid(g, "tricks", 1, 0, 0)},
        needs_version=False,
    ),
    "games_note_trump": Act(
        "trump/", _bidding, lambda g: {"round": 1, "trump": "R", "turned_up": "R7"}, needs_version=False
    ),
    "games_step_back": Act("step-back/", _with_bids, lambda g: {"undoes": newest_of(g)}),
    "games_correct_round": Act("corrections/", _after_a_round, _correction),
    "games_correct_results": Act(
        "results/", _results, lambda g: {"points": grid(g, "points", 120, 200, 75), **_reason(g)}
    ),
    "games_adjust_points": Act(
        "adjustments/", _bidding, lambda g: {"seat": seat_ids(g)[1], "points": -10, **_reason(g)}
    ),
    "games_rename_seat": Act("seats/{seat}/rename/", _bidding, lambda g: {"name": "Somebody else"}),
    "games_join_table": Act("table/join/", _after_a_round, lambda g: {"name": "Emil", "after": seat_ids(g)[0]}),
    "games_leave_table": Act("table/leave/", _four, lambda g: {"seat": seat_ids(g)[1]}),
    "games_come_back": Act("table/come-back/", _one_left, lambda g: {"seat": seat_ids(g)[1]}),
    "games_replace_at_table": Act("table/replace/", _bidding, lambda g: {"seat": seat_ids(g)[1], "name": "Emil"}),
    "games_pause": Act("pause/", _bidding),
    "games_resume": Act("resume/", _done(recording.pause)),
    "games_end_early": Act("end-early/", _after_a_round, _reason),
    "games_abandon": Act("abandon/", _bidding, _reason),
    "games_void": Act("void/", _bidding, _reason),
    "games_restore": Act("restore/", _done(recording.abandon)),
    "games_reopen": Act("reopen/", _finished, _reason),
    "games_confirm": Act("confirm/", _finished),
    "games_move": Act("move/", _bidding, _to_club),
    "games_set_evening": Act("evening/", _with_evening, lambda g: {"evening": g.club.evenings.get().pk}),
    "games_rematch": Act("rematch/", _finished, needs_version=False, status=201),
    "games_make_link": Act("links/", _bidding, lambda g: {"scope": "watch"}, needs_version=False, status=201),
}


def prepared(name: str, club: Club, players: list[Player]) -> tuple[Act, Game]:
    """Return an act and a new game that it fits, with its address filled in."""
    act = ACTS[name]
    game = act.game(club, players)
    path = act.path.format(seat=seat_ids(game)[1])
    return Act(path, act.game, act.body, act.needs_version, act.status), game


#: The acts that leave one entry in the journal.
JOURNALLED = {name: act for name, act in ACTS.items() if act.status == 200}
KINDS = {
    "games_record_bids": Entry.Kind.BIDS_RECORDED,
    "games_record_tricks": Entry.Kind.TRICKS_RECORDED,
    "games_record_round": Entry.Kind.ROUND_RECORDED,
    "games_note_trump": Entry.Kind.TRUMP_NOTED,
    "games_step_back": Entry.Kind.STEPPED_BACK,
    "games_correct_round": Entry.Kind.ROUND_CORRECTED,
    "games_correct_results": Entry.Kind.RESULTS_CORRECTED,
    "games_adjust_points": Entry.Kind.POINTS_ADJUSTED,
    "games_rename_seat": Entry.Kind.SEAT_RENAMED,
    "games_join_table": Entry.Kind.SEAT_JOINED,
    "games_leave_table": Entry.Kind.SEAT_LEFT,
    "games_come_back": Entry.Kind.SEAT_JOINED,
    "games_replace_at_table": Entry.Kind.SEAT_REPLACED,
    "games_pause": Entry.Kind.PAUSED,
    "games_resume": Entry.Kind.RESUMED,
    "games_end_early": Entry.Kind.ENDED,
    "games_abandon": Entry.Kind.ABANDONED,
    "games_void": Entry.Kind.VOIDED,
    "games_restore": Entry.Kind.RESTORED,
    "games_reopen": Entry.Kind.REOPENED,
    "games_confirm": Entry.Kind.CONFIRMED,
    "games_move": Entry.Kind.MOVED,
    "games_set_evening": Entry.Kind.EVENING_SET,
}
