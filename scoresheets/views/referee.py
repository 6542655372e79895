"""Who takes the trick? The cards of one trick, tapped in, and what the rules say about them.

The whole state is in the query string: a trick is shared by its address, the browser's back takes a tap back, nothing
is stored. A button's answer has the address of the trick it made; HTMX gets it as a header, a browser is sent there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

import rules
from scoresheets import permissions, verdicts, wording
from scoresheets.forms.referee import BUTTONS, NO_TRUMP, Table, Trick
from scoresheets.models import Game, Seat
from scoresheets.models.games import playing
from scoresheets.queries.blocks import sheet_of
from scoresheets.views import access
from scoresheets.views.partials import wants_partial

#: What is said of a whole trick only: it looks ahead, and the cards to come may change it.
AFTER_THE_TRICK = frozenset(
    {
        *("cloud_changes_bid", "cloud_bombed", "pass_left", "pass_nothing_left"),
        *("leads_next", "leads_next_after_bomb", "round_over"),
    }
)
#: More people than this stand closer than the word "Person" is wide.
SHORT_TABLE = 4


@require_safe
@vary_on_headers("HX-Request", "Cookie", "Accept-Language")
def referee(request: HttpRequest) -> HttpResponse:
    """Decide a trick of any table; players, deck and special cards are chosen on the page."""
    return _answer(request, reverse("referee"))


@require_safe
@vary_on_headers("HX-Request", "Cookie", "Accept-Language")
def game_referee(request: HttpRequest, game_id: int) -> HttpResponse:
    """Decide a trick of a game, with its people and house rules; of any table where the game's rounds are not known."""
    game, actor = access.game_and_actor(request, game_id)
    if not game.has_rounds:
        return redirect("referee")
    is_public = not permissions.can_see_names(actor, game)
    seats = sheet_of(game, is_public=True).seats if is_public else playing(game.seats_in_order())
    return _answer(
        request,
        reverse("game_referee", args=[game.pk]),
        _table_of(game, seats, reads_trump=not request.GET.get("trump")),
        [seat.name for seat in seats],
        game=game,
        can_keep_score=permissions.can_keep_score(actor, game),
    )


def _table_of(game: Game, seats: Sequence[Seat], *, reads_trump: bool) -> Table:
    """Return the game's table in its open round, or in its last one: left of the dealer leads the first trick.

    `seats` are those that play. The round itself is read on demand (1 statement): its trump may be noted, and where the
    table has changed it alone knows its dealer.
    """
    number = min(len(seats[0].line) + 1, len(game.plan))
    plan = rules.plan_of(game.house, len(seats), number=number, cards=game.plan[number - 1])
    noted = game.rounds.filter(number=number).first() if reads_trump or game.table_changed else None
    dealer = next((place for place, seat in enumerate(seats) if noted and seat.pk == noted.dealer_id), None)
    if dealer is None:
        dealer = rules.dealer_of(game.first_dealer % len(seats), number, len(seats))
    trump = ""
    if plan.fixed_trump:
        trump = plan.trump or NO_TRUMP
    elif not plan.turned_up and not game.house.last_round_dealer_trump:
        trump = NO_TRUMP
    elif reads_trump and noted:
        trump = noted.trump
    return Table(len(seats), game.house, rules.starter_of(dealer, len(seats)), trump, is_game=True)


def _answer(
    request: HttpRequest, path: str, table: Table | None = None, names: Sequence[str] = (), **of_game: Any
) -> HttpResponse:
    before = Trick.from_query(request.GET, table)
    pressed = any(button in request.GET for button in BUTTONS)
    trick = before.after_button(request.GET) if pressed else before
    address = f"{path}?{trick.query}"
    is_refused = bool(trick.left_out or trick.refused)
    is_partial = wants_partial(request)
    if pressed and not is_refused and not is_partial:
        return redirect(address)
    context = {
        **of_game,
        **_shown(trick, names or [verdicts.person(seat + 1) for seat in range(trick.table.players)]),
        # "Person 5" does not fit under five cards side by side; its number does.
        "with_numbers": not names and trick.table.players > SHORT_TABLE,
        "path": path,
        "menu_next": address,
        "shared": f"{reverse('referee')}?{trick.shared_query}",
        "is_partial": is_partial,
        # What was tapped is gone from the tray, so the focus goes to what came in its place.
        "moves_focus": is_partial and pressed and _stage(trick) != _stage(before),
    }
    template = "referee/referee.html#referee" if is_partial else "referee/referee.html"
    response = render(request, template, context, status=422 if is_refused else 200)
    if is_partial:
        # Taps can be taken back one by one; what is chosen about the table is no step of its own.
        response["HX-Push-Url" if pressed and not is_refused else "HX-Replace-Url"] = address
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _stage(trick: Trick) -> str:
    """Return what the tray shows: a question about a special card, the cards to choose from, or what comes next."""
    if trick.asked is not None:
        return "ask"
    return "done" if trick.is_complete and trick.at is None else "cards"


def _shown(trick: Trick, names: Sequence[str]) -> dict[str, Any]:
    """Return what the page shows of a trick; `names` in seat order."""
    in_order = [names[trick.seat_of(place)] for place in range(trick.table.players)]
    best = trick.outcome.next_leader if trick.cards else None
    return {
        "trick": trick,
        "stage": _stage(trick),
        "names": list(enumerate(names)),
        "table_sizes": range(rules.FEWEST_PLAYERS, rules.MOST_PLAYERS + 1),
        "leader": names[trick.lead],
        "places": _places(trick, in_order, best),
        "turn": _turn(trick, in_order),
        "left_out": [verdicts.refusal_in_words(problem) for problem in trick.left_out],
        "refused": [verdicts.refusal_in_words(problem) for problem in trick.refused],
        "undo": verdicts.card_name(trick.cards[-1]) if trick.cards else "",
        "trumps": _trumps(trick),
        "specials": _specials(trick.table),
        "tab": _tab(trick),
        **_said(trick, in_order, best),
    }


def _places(trick: Trick, in_order: Sequence[str], best: int | None) -> list[dict[str, Any]]:
    """Return one place for each card of the trick, also for those that do not lie there yet."""
    places = []
    for place, name in enumerate(in_order):
        card = trick.cards[place] if place < len(trick.cards) else None
        wins = trick.is_complete and place == best and trick.outcome.winner is not None
        said = {"number": place + 1, "name": name, "card": verdicts.card_name(card) if card else ""}
        label = _("Card %(number)s, %(name)s: %(card)s, takes the trick. Change") if wins else ""
        places.append(
            {
                **said,
                "seat": trick.seat_of(place) + 1,
                "face": card,
                "label": (label or _("Card %(number)s, %(name)s: %(card)s. Change")) % said,
                "wins": wins,
                "holds": place == best and not trick.is_complete,
                "is_changing": place == trick.at,
                "is_next": place == len(trick.cards) and trick.at is None,
            }
        )
    return places


def _turn(trick: Trick, in_order: Sequence[str]) -> dict[str, Any]:
    """Return whose card is asked for, and where it will lie, counted from 1."""
    place = len(trick.cards) if trick.at is None else trick.at
    lies = verdicts.card_name(trick.cards[place]) if trick.at is not None else ""
    name = in_order[place] if place < len(in_order) else ""
    asked = verdicts.kind_name(trick.asked.kind) if trick.asked else ""
    return {"name": name, "number": place + 1, "lies": lies, "asked": asked}


def _trumps(trick: Trick) -> list[dict[str, Any]]:
    suits: list[tuple[str, rules.Suit | None]] = [(str(suit), suit) for suit in trick.table.suits]
    return [
        {
            "value": value,
            "suit": suit,
            "name": verdicts.suit_name(suit),
            "beside": verdicts.suit_name(suit) if suit else pgettext("beside the word trump", "none"),
            "is_chosen": trick.trump == value,
        }
        for value, suit in [*suits, (NO_TRUMP, None)]
    ]


def _specials(table: Table) -> list[dict[str, Any]]:
    """Return the special cards to tick; dragon and fairy are one choice. Source: D03."""
    pair = wording.joined([verdicts.kind_name(rules.Kind.DRAGON), verdicts.kind_name(rules.Kind.FAIRY)])
    return [
        {"value": name, "name": pair if name == "DRAGON" else verdicts.kind_name(rules.Kind(name)), "is_in": is_in}
        for name in rules.SPECIALS
        if name != "FAIRY"
        for is_in in [name in table.ticked]
    ]


def _tab(trick: Trick) -> rules.Suit:
    """Return the suit whose numbers are shown: the one to follow, or the last one that was played."""
    others = [card for place, card in enumerate(trick.cards) if place != trick.at]
    if not trick.table.single_suit and (suit := rules.suit_to_follow(others)):
        return suit
    if trick.at is not None and (suit := trick.cards[trick.at].led_suit):
        return suit
    return next((card.led_suit for card in reversed(others) if card.led_suit), trick.table.suits[0])


def _said(trick: Trick, in_order: Sequence[str], best: int | None) -> dict[str, Any]:
    """Return the verdict: who holds the trick or takes it, why, and all that follows from the cards."""
    single_suit = trick.table.single_suit
    follow = rules.follow_reason(trick.cards, single_suit=single_suit)
    if best is None:
        return {"follow": _step(follow, in_order), "holder": "", "why": None, "steps": []}
    outcome = trick.outcome
    # The headline says the bomb or the reason; the steps are the rest, in the order in which one would explain them.
    first = rules.Reason.of("bombed") if outcome.bombed else outcome.reason
    said = {first} if trick.is_complete else {first, follow}
    passed_over = {"follow_nothing_yet"} if trick.is_complete else AFTER_THE_TRICK
    steps = [reason for reason in trick.steps if reason not in said and reason.code not in passed_over]
    return {
        "holder": in_order[best],
        "best_card": verdicts.card_name(trick.cards[best]),
        "bombed": outcome.bombed,
        "why": _step(first, in_order),
        "follow": _step(follow, in_order),
        "steps": [_step(reason, in_order) for reason in steps],
    }


def _step(reason: rules.Reason, in_order: Sequence[str]) -> dict[str, str]:
    return {"code": reason.code, "words": verdicts.reason_in_words(reason, names=in_order)}
