"""Bids: who may say what, and what is wrong with the bids of a round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.errors import Problem, refuse
from rules.variants import HouseRules


def forbidden_bid(house: HouseRules, *, number: int, cards: int, players: int, bids: Sequence[int]) -> int | None:
    """Return the bid that plus/minus one takes from the last bidder; None if every bid is free.

    `bids` are those made so far in bidding order; only the last of `players` is bound. With hidden bids nobody can be
    barred beforehand: `bids_problems` judges them once they are shown. The nominal number of tricks counts, whatever a
    bomb or a cloud may do later. Source: D22-D24, D26, D28.
    """
    if len(bids) != players - 1 or house.hidden_bids or not _sum_rule_binds(house, number):
        return None
    rest = cards - sum(bids)
    return rest if 0 <= rest <= cards else None


def allowed_bids(house: HouseRules, *, number: int, cards: int, players: int, bids: Sequence[int]) -> tuple[int, ...]:
    """Return what the next bidder may bid, ascending; () once everybody has bid.

    `bids` are those made so far in bidding order. Source: D20-D22.

    >>> allowed_bids(HouseRules(plus_minus_one=True), number=3, cards=3, players=3, bids=[1, 1])
    (0, 2, 3)
    """
    if len(bids) >= players:
        return ()
    barred = forbidden_bid(house, number=number, cards=cards, players=players, bids=bids)
    return tuple(bid for bid in range(cards + 1) if bid != barred)


def bids_problems(
    house: HouseRules,
    *,
    number: int,
    cards: int,
    dealer: int,
    bids: Sequence[int | None],
    blind: Sequence[bool] = (),
) -> tuple[Problem, ...]:
    """Return all that is wrong with the bids of a round.

    `bids` are by seat, None for a seat that has not bid yet; `blind` marks by seat, () for none. The sum is judged once
    all bids are in and in range: the dealer, who bids last, is the one to change. Source: D20-D31.
    """
    problems = [*deal_problems(number, cards)]
    if not 0 <= dealer < len(bids):
        problems.append(Problem.of("dealer_out_of_range", dealer=dealer, players=len(bids)))
    problems += bid_problems(cards, bids)
    problems += blind_problems(house, number, len(bids), blind)
    made = [bid for bid in bids if bid is not None and 0 <= bid <= cards]
    if 0 <= dealer < len(bids) == len(made) and _sum_rule_binds(house, number) and sum(made) == cards:
        last = made[dealer]
        problems.append(Problem.of("bid_sum_forbidden", dealer, bid=last, others=cards - last, cards=cards))
    return tuple(problems)


def check_bids(
    house: HouseRules,
    *,
    number: int,
    cards: int,
    dealer: int,
    bids: Sequence[int | None],
    blind: Sequence[bool] = (),
) -> None:
    """Do nothing if the bids so far can stand; the arguments are those of `bids_problems`.

    Raises `RulesError` with all of `bids_problems`.
    """
    refuse(bids_problems(house, number=number, cards=cards, dealer=dealer, bids=bids, blind=blind))


def deal_problems(number: int, cards: int) -> Iterator[Problem]:
    """Yield what is wrong with a round's number or its cards per seat, whatever happens in it."""
    if number < 1:
        yield Problem.of("round_number", round=number)
    if cards < 1:
        yield Problem.of("cards_out_of_range", round=number, cards=cards)


def bid_problems(cards: int, bids: Sequence[int | None]) -> Iterator[Problem]:
    """Yield each bid, by seat, that lies outside 0 to the cards in hand. Source: D20."""
    for seat, bid in enumerate(bids):
        if bid is not None and not 0 <= bid <= cards:
            yield Problem.of("bid_out_of_range", seat, bid=bid, cards=cards)


def blind_problems(house: HouseRules, number: int, seats: int, blind: Sequence[bool]) -> Iterator[Problem]:
    """Yield each blind mark, by seat, that this round does not know. Source: D30, D31."""
    if blind and len(blind) != seats:
        yield Problem.of("wrong_length", what="blind", expected=seats, given=len(blind))
    for seat, is_blind in enumerate(blind[:seats]):
        if is_blind and not house.blind_bids:
            yield Problem.of("blind_not_enabled", seat)
        elif is_blind and house.clairvoyance and number == 1:
            yield Problem.of("blind_not_available", seat, round=number)


def _sum_rule_binds(house: HouseRules, number: int) -> bool:
    """Plus/minus one binds from its first round on; a secret sum cannot be judged while bidding (D28)."""
    return house.plus_minus_one and not house.secret_bids and number >= house.plus_minus_one_from
