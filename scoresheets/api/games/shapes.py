"""What is answered of games: the fields, and what they mean."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

import rules
from scoresheets.api.fields import Answer, Choice, Day, Id, Moment, Points, Text, Whole, Yes
from scoresheets.api.house import HouseRulesAnswer
from scoresheets.models import Game, Link, Round, Seat
from scoresheets.models.games import (
    MOST_ADJUSTMENT,
    MOST_CARDS,
    MOST_PEOPLE,
    MOST_STARTING,
    NAME_LENGTH,
)

#: Versions and points that a database column takes.
MOST_VERSION = 2**31 - 1
#: So many rounds a plan has at most.
MOST_ROUNDS = 100

SEEN = "What bids and tricks have to name as `seen`: the version at which this stage was opened."
TRUMPS = [trump for trump in Round.Trump.values if trump]
PRESENCES = ["plays", *(presence for presence in Seat.Presence.values if presence)]
ENTRIES = ["in_turn", "hidden", "shown", "secret"]
HALTS = [halted for halted in Game.Halted.values if halted]


def version(help_text: str, **options: Any) -> Whole:
    """Return a field for a version of a game."""
    return Whole(least=1, most=MOST_VERSION, help_text=help_text, **options)


def tricks(help_text: str, **options: Any) -> Whole:
    """Return a field for a number of tricks of a round."""
    return Whole(least=0, most=MOST_CARDS, help_text=help_text, **options)


class AdjustmentAnswer(Answer):
    """Points beside the rounds."""

    after = Whole(least=0, most=MOST_ROUNDS, help_text="How many rounds were scored before.")
    points = Whole(least=-MOST_ADJUSTMENT, most=MOST_ADJUSTMENT, help_text="The points, never 0.")


class ListedSeatAnswer(Answer):
    """A person's place in one game, as lists have it."""

    id = Id(help_text="The id of the seat, by which all else names it.")
    position = Whole(least=0, most=MOST_PEOPLE - 1, help_text="Its place clockwise, from 0.")
    name = Text(most=NAME_LENGTH, help_text="The name on the sheet; for strangers the one the player shows publicly.")
    player = Id(allow_null=True, help_text="Which of the club's players was seated here, null for a name alone.")
    presence = Choice(
        choices=PRESENCES, help_text="`plays` (or played to the end), `left`, or `replaced` by somebody else."
    )
    total = Points(help_text="Points so far; they may be negative.")
    exact = Whole(least=0, most=MOST_ROUNDS, help_text="How many bids were met.")
    rounds = Whole(least=0, most=MOST_ROUNDS, help_text="How many scored rounds it played.")
    rank = Whole(least=1, most=MOST_PEOPLE, help_text="From 1; equal ones share a rank and the next is skipped.")


class SeatAnswer(ListedSeatAnswer):
    """A person's place in one game."""

    starting = Whole(
        least=-MOST_STARTING,
        most=MOST_STARTING,
        help_text="The points somebody began with who joined later, else 0; all points of the seat where only those "
        "are known.",
    )
    adjustments = AdjustmentAnswer(many=True, help_text="Points beside the rounds, in the order they were given.")
    line = serializers.ListField(
        child=serializers.ListField(child=Points(), min_length=3, max_length=5, allow_null=True),
        help_text="The scored rounds in order: `[bid, tricks, points]`, or `[bid, tricks, points, blind, cloud]` where "
        "it was bid blind (1) or the cloud changed the bid (-1, 1); null for a round this seat did not play.",
    )


class RoundPlanAnswer(Answer):
    """A round as it is planned."""

    number = Whole(least=1, most=MOST_ROUNDS, help_text="From 1.")
    cards = Whole(least=1, most=MOST_CARDS, help_text="How many cards everybody gets.")
    turned_up = Yes(help_text="Whether a card is left to be turned up for trump.")
    fixed_trump = Yes(help_text="Whether the variant sets the trump.")
    trump = Choice(choices=TRUMPS, allow_null=True, help_text="The trump the variant sets, null where it sets none.")


class BidAnswer(Answer):
    """One seat's part in a round. Numbers are null where they are not known yet, or not shown yet."""

    seat = Id(help_text="The id of the seat.")
    bid = tricks("The bid as spoken; null while it is covered.", allow_null=True)
    blind = Yes(help_text="Whether it was bid before looking at the cards: points count double.")
    cloud_delta = Whole(least=-1, most=1, help_text="What the cloud has changed the bid by.")
    final_bid = Whole(least=0, most=MOST_CARDS + 1, allow_null=True, help_text="The bid as it counts, after the cloud.")
    tricks = tricks("The tricks taken; null until the round is scored.", allow_null=True)
    exact = Yes(allow_null=True, help_text="Whether the bid was met; null until the round is scored.")
    points = Points(allow_null=True, help_text="Points of this round, doubled if blind; null until it is scored.")
    total = Points(allow_null=True, help_text="The seat's points after this round, with what was added beside rounds.")


class RoundAnswer(Answer):
    """A round so far."""

    number = Whole(least=1, most=MOST_ROUNDS, help_text="From 1.")
    cards = Whole(least=1, most=MOST_CARDS, help_text="How many cards everybody gets.")
    state = Choice(choices=Round.State.values, help_text="`bidding`, `playing` or `scored`.")
    version = version("The version at which it last changed: what a correction has seen.")
    dealer = Id(help_text="The seat that deals, which bids last.")
    trump = Choice(
        choices=TRUMPS, allow_null=True, help_text="The trump, set by the variant or noted; null if nobody noted it."
    )
    turned_up = Text(most=16, allow_null=True, help_text="The card turned up (`R7`, `W`), null if nobody noted it.")
    chosen_by = Id(allow_null=True, help_text="The seat that named trump, null if nobody noted it.")
    bombs = tricks("How many tricks were bombed and count for nobody.")
    bid_sum = Whole(least=0, allow_null=True, help_text="The sum of the bids so far as spoken; null while covered.")
    bids = BidAnswer(many=True, help_text="One for each seat that has bid, in dealing order.")


class StageAnswer(Answer):
    """What the game waits for."""

    name = Choice(choices=Game.State.values, help_text="`bidding`, `playing` (tricks are to come) or `finished`.")
    seen = version(SEEN)
    round = Whole(least=1, most=MOST_ROUNDS, allow_null=True, help_text="The open round, null once finished.")
    cards = Whole(least=1, most=MOST_CARDS, allow_null=True, help_text="The cards of the open round.")
    dealer = Id(help_text="Who deals the open round; once finished, who would deal next.")
    bidding_order = serializers.ListField(
        child=Id(), help_text="The seats of the open round in the order of bidding, the dealer last."
    )
    entry = Choice(
        choices=ENTRIES,
        allow_null=True,
        help_text="How bids are entered: `in_turn`, one after the other; `hidden`, shown once all are in; `shown`, the "
        "hidden ones add up and the dealer bids again; `secret`, shown once the round is scored. Null once all are in.",
    )
    next = Id(allow_null=True, help_text="Who bids next; null if that is nobody, or all who are left at once.")
    missing = serializers.ListField(
        child=Id(), help_text="The seats whose bids are still to come, in the order of bidding."
    )
    forbidden_bid = tricks("The one number the last bidder must not bid, null if there is none.", allow_null=True)
    first_bid = tricks("What the dealer bid before hidden bids were shown to add up; else null.", allow_null=True)
    may_bid_blind = Yes(help_text="Whether a bid may be blind now.")
    covered = Yes(help_text="Whether the bids that are in are not shown yet, to nobody.")


class UndoAnswer(Answer):
    """What a step back takes back."""

    version = version("The entry that is taken back: what a step back names as `undoes`.")
    round = Whole(least=1, most=MOST_ROUNDS, help_text="The round it belongs to.")
    label = Text(  # type: ignore[assignment]
        help_text="The same in words, in the language of `Accept-Language`."
    )
    seat = Id(allow_null=True, help_text="Whose bid it is, null for several bids or for tricks.")
    bid = tricks("That bid; null for several, for tricks and while it is covered.", allow_null=True)
    tricks = Yes(help_text="Whether it is the tricks of the round.")


class ConfirmedByAnswer(Answer):
    """Somebody who says that the sheet is right."""

    seat = Id(allow_null=True, help_text="The seat they had, null for a manager who did not play.")
    at = Moment(help_text="When.")


class ConfirmationAnswer(Answer):
    """Where the confirmation of a club's finished game stands."""

    confirmed = Yes(help_text="Whether the sheet stands confirmed as it is: then only managers change it.")
    by = ConfirmedByAnswer(
        many=True,
        allow_null=True,
        help_text="Who has confirmed since the newest change, oldest first; null for strangers.",
    )
    locks_at = Moment(allow_null=True, help_text="From when on only managers change it anyway, null for never.")
    locked = Yes(help_text="Whether that has come.")


class ListedGameAnswer(Answer):
    """A game, as lists have it."""

    id = Id(help_text="The id of the game.")
    version = version("The version of its newest journal entry; each write raises it by 1.")
    club = Id(allow_null=True, help_text="The club it belongs to, null for a quick game.")
    evening = Id(allow_null=True, help_text="The club's evening it belongs to, null for none.")
    night = Day(allow_null=True, help_text="The night it was played in, where the club is; null for a quick game.")
    detail = Choice(
        choices=Game.Detail.values,
        help_text="How much is known of it: its `rounds`, or only the `results`, the points of each seat. Such a game "
        "is finished, has no rounds and no plan, and counts for points and wins, never for bids; its ladder, house "
        "rules and first dealer say nothing.",
    )
    state = Choice(choices=Game.State.values, help_text="What the open round waits for, or `finished`.")
    halted = Choice(
        choices=HALTS, allow_null=True, help_text="Why nothing is recorded for now, whatever the state; null if it is."
    )
    incomplete = Yes(help_text="Whether it was ended before its last round, or somebody left it.")
    table_changed = Yes(help_text="Whether somebody joined, left, came back or was replaced.")
    confirmed = Yes(help_text="Whether the finished sheet stands confirmed.")
    edition = Choice(choices=list(rules.EDITIONS), help_text="What it is compared with: games of the same edition.")
    ladder = Choice(choices=list(rules.LADDERS), help_text="Where the cards of its rounds come from.")
    planned_rounds = Whole(
        least=0, most=MOST_ROUNDS, help_text="How many rounds it is to have; 0 where only its results are known."
    )
    scored_rounds = Whole(least=0, most=MOST_ROUNDS, help_text="How many of them are scored.")
    started_at = Moment(help_text="When it was started.")
    finished_at = Moment(allow_null=True, help_text="When it was finished, null while it goes on.")
    seats = ListedSeatAnswer(many=True, help_text="Who sits there, in dealing order.")


class GameAnswer(ListedGameAnswer):
    """A whole game: its rules, seats, rounds and what it waits for."""

    rematch_of = Id(allow_null=True, help_text="The game of the same table before it, null for none.")
    first_dealer = Whole(least=0, most=rules.MOST_PLAYERS - 1, help_text="The place at the start of who dealt round 1.")
    house = HouseRulesAnswer(help_text="What the table has agreed on.")
    plan = RoundPlanAnswer(many=True, help_text="All of its rounds as planned.")
    seats = SeatAnswer(many=True, help_text="Who sits there or has played, in dealing order.")
    rounds = RoundAnswer(many=True, required=False, help_text="Its rounds so far, from 1; left out with `rounds=none`.")
    stage = StageAnswer(help_text="What the game waits for.")
    undo = UndoAnswer(allow_null=True, help_text="What a step back takes back, null if there is nothing.")
    confirmation = ConfirmationAnswer(allow_null=True, help_text="Null unless it is a club's finished game.")
    may_keep_score = Yes(help_text="Whether the one who asks may change the game.")


class StartedGameAnswer(Answer):
    """A game that was started, and the link to it."""

    game = GameAnswer(help_text="The game.")
    link_secret = Text(
        most=64,
        help_text="The secret of a link that keeps its score, for the header `Game-Link` and for `/j/SECRET`. It is "
        "shown this once (and again to a repeat with the same `Idempotency-Key`).",
    )


class GameLinkAnswer(Answer):
    """A link to a game."""

    id = Id(help_text="The id of the link.")
    scope = Choice(choices=Link.Scope.values, help_text="What it lets its holder do: `edit` the score, or `watch`.")
    label = Text(  # type: ignore[assignment]
        most=NAME_LENGTH, help_text="What it is called: the name of who acts with it."
    )
    created_at = Moment(help_text="When it was made.")
    expires_at = Moment(allow_null=True, help_text="When it stops working, null for never.")
    revoked_at = Moment(allow_null=True, help_text="When it was closed, null for one that is open.")


class MadeGameLinkAnswer(GameLinkAnswer):
    """A link that was made, with its secret."""

    secret = Text(most=64, help_text="For the header `Game-Link` and for `/j/SECRET`; shown this once.")


class MovedRankAnswer(Answer):
    """What a correction changes for a seat."""

    seat = Id(help_text="The id of the seat.")
    total_before = Points(help_text="Its points as they are.")
    total_after = Points(help_text="Its points afterwards.")
    rank_before = Whole(least=1, most=MOST_PEOPLE, help_text="Its rank as it is.")
    rank_after = Whole(least=1, most=MOST_PEOPLE, help_text="Its rank afterwards.")
    exact_before = Whole(least=0, most=MOST_ROUNDS, help_text="How many bids it has met.")
    exact_after = Whole(least=0, most=MOST_ROUNDS, help_text="How many it has met afterwards.")


class CorrectionPreviewAnswer(Answer):
    """What a correction would change; nothing is written."""

    seats = MovedRankAnswer(many=True, help_text="The seats whose points, rank or exact bids change.")
    winners_before = serializers.ListField(child=Id(), help_text="The seats in front as it is.")
    winners_after = serializers.ListField(child=Id(), help_text="The seats in front afterwards.")
    adds_up = Yes(help_text="Whether the bids would add up though the house forbids it: they may, if spoken so.")
