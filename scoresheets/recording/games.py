"""Starting a game and its rematch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.models import Club, Entry, Evening, Game, Link, Player, Round, Seat
from scoresheets.models.games import HOUSE_RULE_FIELDS, night_of, playing
from scoresheets.recording import journal, receipts
from scoresheets.recording.errors import Conflict
from scoresheets.recording.links import add_link, new_nonce, secret_of
from scoresheets.recording.locks import locked_club
from scoresheets.recording.names import name_problems
from scoresheets.recording.players import seated_players

#: So long after it was opened an evening takes games in by itself.
LONGEST_EVENING = timedelta(hours=18)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a write left behind: the game as it is now, and whether this was a repeat that wrote nothing.

    `seats` are the game's seats in dealing order, as written, where the write had them in hand: they need not be read
    again to show the result.
    """

    game: Game
    repeated: bool = False
    seats: Sequence[Seat] | None = None


@dataclass(frozen=True, slots=True)
class Started:
    """A started game and the secret of the link that keeps its score; the secret is not stored anywhere."""

    game: Game
    secret: str
    repeated: bool = False


def start_problems(
    names: Sequence[str],
    house: rules.HouseRules,
    *,
    first_dealer: int,
    ladder: str = "full",
    rounds: int | None = None,
    cards: Sequence[int] | None = None,
) -> tuple[rules.Problem, ...]:
    """Return every reason why this game cannot be started; none if it can. Parameters as in `start_game`."""
    problems = name_problems(names) + rules.plan_problems(house, len(names), ladder=ladder, rounds=rounds, cards=cards)
    if names and not 0 <= first_dealer < len(names):
        problems += (rules.Problem.of("dealer_out_of_range", dealer=first_dealer, players=len(names)),)
    return problems


def start_game(
    names: Sequence[str],
    house: rules.HouseRules,
    *,
    first_dealer: int,
    by: Actor,
    ladder: str = "full",
    rounds: int | None = None,
    cards: Sequence[int] | None = None,
    club: Club | None = None,
    players: Sequence[int | str | None] | None = None,
    evening: int | None = None,
    key: str | None = None,
) -> Started:
    """Start a game and return it with its first edit link, open for the bids of round 1.

    `names` stand in dealing order, 3 to 6 of them; `first_dealer` is a place in that list; `ladder`, `rounds` and
    `cards` choose the plan as `rules.round_plans` does. Without a `club` it is a quick game. In a club, `players` says
    who sits where, as many as `names` and in their order: a player's id, the name of somebody new to the club (added
    as a guest), or None for a name alone; the sheet shows `names` all the same. The game belongs to the `evening` with
    this id or, without one, to the club's open evening if there is one.
    Raises `rules.RulesError` (of a club's players too: `players.seated_players`), `Conflict` ("evening_unknown": not of
    this club, or cancelled), `PermissionDenied` unless the actor may start games of the club; then writes nothing.
    """
    if players is not None and (club is None or len(players) != len(names)):
        raise ValueError("players are for the seats of a club's game, one each")
    problems = start_problems(names, house, first_dealer=first_dealer, ladder=ladder, rounds=rounds, cards=cards)
    if problems:
        raise rules.RulesError(problems)
    plan = [
        planned.cards for planned in rules.round_plans(house, len(names), ladder=ladder, rounds=rounds, cards=cards)
    ]
    try:
        return _start(names, house, plan, ladder, first_dealer, club, players, evening, by=by, key=key)
    except IntegrityError:
        # There is no game to lock yet: the same request was faster by a hair, and its answer is there now.
        return _start(names, house, plan, ladder, first_dealer, club, players, evening, by=by, key=key)


@transaction.atomic
def _start(
    names: Sequence[str],
    house: rules.HouseRules,
    plan: list[int],
    ladder: str,
    first_dealer: int,
    club: Club | None,
    players: Sequence[int | str | None] | None,
    evening: int | None,
    *,
    by: Actor,
    key: str | None,
) -> Started:
    asked = [list(names), house.to_mapping(), plan, ladder, first_dealer]
    if club is not None:
        club, by = locked_club(club.pk, by)
        permissions.check_can_start_game(by, club)
        asked += [club.pk, players and list(players), evening]
    fingerprint = receipts.fingerprint_of("start_game", *asked)
    if body := receipts.answer_to_repeat(by, key, fingerprint):
        return Started(Game.objects.get(pk=body["game"]), secret_of(body["nonce"]), repeated=True)
    seated = seated_players(club, players, by=by) if club is not None and players is not None else ()
    belongs = evening_of_new_game(club, evening) if club is not None else None
    game = _create(
        names,
        house,
        plan=plan,
        ladder=ladder,
        first_dealer=first_dealer,
        by=by,
        club=club,
        players=seated,
        evening=belongs,
    )
    nonce = new_nonce()
    add_link(game, scope=Link.Scope.EDIT, nonce=nonce)
    receipts.keep_answer(by, key, fingerprint, {"game": game.pk, "nonce": nonce})
    receipts.forget_old_receipts()
    return Started(game, secret_of(nonce))


@transaction.atomic
def rematch(game: Game, *, by: Actor, key: str | None = None) -> Started:
    """Start the next game of the same table: same seats, rules, plan and club; the seat after the last dealer deals
    first. The game may be confirmed or locked.

    Those who played to the end play again; where they are more or fewer than at the start, the ladder is theirs. A game
    has one rematch: whoever keeps its score and asks again gets that one, with a link of their own. Raises
    `PermissionDenied`, `Conflict` ("not_finished" while rounds are left, "results_only", "too_few_playing",
    "key_reused").
    """
    game = Game.locked(game.pk)
    permissions.check_can_rematch(by, game)
    fingerprint = receipts.fingerprint_of("rematch", game.pk)
    if body := receipts.answer_to_repeat(by, key, fingerprint):
        return Started(Game.objects.get(pk=body["game"]), secret_of(body["nonce"]), repeated=True)
    if not game.is_finished or game.halted:
        raise Conflict("not_finished")
    if not game.has_rounds:
        raise Conflict("results_only")
    following = Game.objects.filter(rematch_of=game).first()
    if following is None:
        following = _create(**_same_table(game), house=game.house, by=by, rematch_of=game)
    nonce = new_nonce()
    add_link(following, scope=Link.Scope.EDIT, nonce=nonce)
    receipts.keep_answer(by, key, fingerprint, {"game": following.pk, "nonce": nonce})
    return Started(following, secret_of(nonce))


def _same_table(game: Game) -> dict[str, Any]:
    """Return who plays the rematch, its club, plan and ladder, and the place of its first dealer."""
    seats = list(game.seats.select_related("player__canonical").order_by("position"))
    dealer = next(seat.position for seat in seats if seat.pk == game.rounds.latest("number").dealer_id)
    again = playing(seats)
    if len(again) < rules.FEWEST_PLAYERS:
        raise Conflict("too_few_playing")
    deals = seats[rules.next_dealer(dealer, [seat.plays for seat in seats])]
    plan, ladder = game.plan, game.ladder
    if game.table_changed:
        started = game.entries.get(version=1).payload
        plan, ladder = _plan_again(game.house, started, len(again))
    return {
        "names": [seat.name for seat in again],
        "players": [seat.player and seat.player.canonical for seat in again],
        "club": game.club,
        "evening": evening_of_new_game(game.club, None) if game.club is not None else None,
        "plan": plan,
        "ladder": ladder,
        "first_dealer": again.index(deals),
    }


def _plan_again(house: rules.HouseRules, started: Mapping[str, Any], players: int) -> tuple[list[int], str]:
    """Return the plan of a game as it was started, for another number of players, and its ladder."""
    before, ladder = len(started["seats"]), started["ladder"]
    cards = rules.remaining_cards(house, players, ladder=ladder, cards=started["plan"], played=0, before=before)
    if not rules.plan_problems(house, players, ladder=ladder, rounds=len(cards), cards=cards):
        return list(cards), ladder
    return list(cards), "free"


def _create(
    names: Sequence[str],
    house: rules.HouseRules,
    *,
    plan: list[int],
    ladder: str,
    first_dealer: int,
    by: Actor,
    rematch_of: Game | None = None,
    club: Club | None = None,
    players: Sequence[Player | None] = (),
    evening: Evening | None = None,
) -> Game:
    flags = {name: value for name, value in house.to_mapping().items() if name in HOUSE_RULE_FIELDS}
    game = Game(
        **flags,
        ladder=ladder,
        plan=plan,
        first_dealer=first_dealer,
        rematch_of=rematch_of,
        club=club,
        evening=evening,
    )
    if club is not None:
        game.night = evening.night if evening is not None else night_of(game.started_at, club.time_zone)
    game.save()
    seated = players or [None] * len(names)
    seats = Seat.objects.bulk_create(
        Seat(game=game, position=position, name=name, player=player)
        for position, (name, player) in enumerate(zip(names, seated, strict=True))
    )
    open_round(game, seats[first_dealer], number=1)
    payload = {
        "seats": [seat.pk for seat in seats],
        "first_dealer": first_dealer,
        "house": house.to_mapping(),
        "ladder": ladder,
        "plan": plan,
    }
    if club is not None:
        payload |= {"club": club.pk, "players": {seat.pk: seat.player_id for seat in seats if seat.player_id}}
        payload |= night_payload(game)
    journal.append(game, Entry.Kind.STARTED, payload, by=by)
    return game


def evening_of_new_game(club: Club, evening: int | None) -> Evening | None:
    """Return the evening with this id or, for None, the club's open one, if any (1 statement).

    One that was opened long ago was forgotten: what is started now does not belong to it.
    Raises `Conflict` ("evening_unknown") unless it is one of this club's and was not cancelled.
    """
    evenings = Evening.objects.filter(club=club, cancelled_at__isnull=True)
    if evening is None:
        return evenings.filter(opened_at__gt=timezone.now() - LONGEST_EVENING, closed_at__isnull=True).first()
    found = evenings.filter(pk=evening).first()
    if found is None:
        raise Conflict("evening_unknown")
    return found


def night_payload(game: Game) -> dict[str, Any]:
    """Return the night of a club's game, and its evening if it has one, as entries hold them."""
    night: dict[str, Any] = {"night": game.night and game.night.isoformat()}
    return night | ({"evening": game.evening_id} if game.evening_id is not None else {})


def open_round(game: Game, dealer: Seat, *, number: int) -> Round:
    """Open a round for bids at the game's present version. For recording functions that hold the lock."""
    return Round.objects.create(
        game=game, number=number, cards=game.plan[number - 1], dealer=dealer, stage_version=game.version
    )
