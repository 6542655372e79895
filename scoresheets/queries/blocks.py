"""A game's whole score sheet, read in three statements whatever its length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import rules
from scoresheets.models import Bid, Game, Player, Round, Seat
from scoresheets.models.games import others_played, playing


@dataclass(frozen=True, slots=True)
class Undo:
    """What the next step back takes back: the entry's version and what it recorded.

    One seat's bid (`seat` and `tricks_bid`), several bids at once (neither), or the tricks of a round (`tricks`).
    """

    version: int
    round_number: int
    seat: Seat | None = None
    tricks_bid: int | None = None
    tricks: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A game as its pages show it: the Block as a value, and the rows that the next step needs.

    `seats` are those that play now, or played to the end, in dealing order, as the cells of `block` are; `gone` are
    those that have played and play no longer. A whole sheet has everybody among its `seats`. `current` is the open
    round, None once finished; `bids` are the open round's bids by seat id, also those that are not shown yet
    (`covered`); `next_dealer` deals after the newest round. `everybody` and `rounds` are all rows, in their order.
    """

    game: Game
    seats: tuple[Seat, ...]
    gone: tuple[Seat, ...]
    block: rules.Block
    current: Round | None
    bids: Mapping[int, Bid]
    undo: Undo | None
    covered: bool
    next_dealer: Seat
    everybody: tuple[Seat, ...]
    rounds: tuple[Round, ...]

    @property
    def places(self) -> dict[int, int]:
        """Each seat id's place in dealing order."""
        return {seat.pk: place for place, seat in enumerate(self.seats)}

    @property
    def bidding_order(self) -> tuple[Seat, ...]:
        """The seats in the order of bidding in the open round, dealer last; empty once finished."""
        if self.current is None:
            return ()
        order = rules.bidding_order(self.places[self.current.dealer_id], len(self.seats))
        return tuple(self.seats[place] for place in order)

    @property
    def forbidden_bid(self) -> int | None:
        """The bid that plus/minus one takes from the last one who has to bid in the open round; None for none."""
        assert self.current is not None
        spoken = [self.bids[seat.pk].tricks_bid for seat in self.bidding_order if seat.pk in self.bids]
        is_shown = self.current.shown_version is not None
        return rules.forbidden_bid(
            # Hidden bids that were shown bind the dealer as spoken ones do. Source: D26.
            replace(self.block.house, hidden_bids=False) if is_shown else self.block.house,
            number=self.current.number,
            cards=self.current.cards,
            players=len(self.seats),
            bids=spoken,
        )

    @property
    def may_bid_blind(self) -> bool:
        """Whether bids of the open round can be blind. Source: D30, D31."""
        assert self.current is not None
        return self.block.house.blind_bids and not (self.block.house.clairvoyance and self.current.number == 1)


#: Reads that a write slipped into are made again. Once is enough in practice; it must end in any case.
MOST_READS = 5


def sheet_of(game: Game, seats: Sequence[Seat] | None = None, *, whole: bool = False, is_public: bool = False) -> Sheet:
    """Return the game's sheet: seats, rounds and the open round's bids (3 statements).

    A `whole` sheet has a column for everybody who has played, not only for those who still do; on a public one players
    go by the names they show publicly (1 statement more, if the club knows somebody at the table). Whoever has just
    written the game may hand over all its `seats`, in dealing order (then 2 statements). Reading takes no
    lock, so a write may fall between two statements: then all is read again, the game itself too.
    """
    for _ in range(MOST_READS):
        everybody = tuple(seats or game.seats_in_order())
        if is_public:
            _name_publicly(everybody)
        sheet, fits = _read(game, everybody, whole=whole)
        if fits:
            break
        game, seats = Game.objects.get(pk=game.pk), None
    return sheet


def _name_publicly(seats: Sequence[Seat]) -> None:
    """Put the names that players show publicly on their seats, in memory alone."""
    known = {seat.player_id for seat in seats if seat.player_id is not None}
    players = Player.objects.filter(pk__in=known).select_related("canonical") if known else ()
    public = {player.pk: player.canonical.public_name for player in players}
    for seat in seats:
        seat.name = (seat.player_id and public.get(seat.player_id)) or seat.name


def _read(game: Game, everybody: tuple[Seat, ...], *, whole: bool) -> tuple[Sheet, bool]:
    """Return the sheet, and whether its parts are of one moment."""
    present = tuple(playing(everybody))
    gone = tuple(seat for seat in everybody if seat.presence and seat.rounds) if game.table_changed else ()
    seats = tuple(seat for seat in everybody if not seat.presence or seat.rounds) if whole and gone else present
    rounds = game.rounds_in_order()
    current = rounds[-1] if rounds and rounds[-1].state != Round.State.SCORED else None
    bids = current.bids_by_seat() if current else {}
    state = current.state if current else Game.State.FINISHED
    scored = len(rounds) - (1 if current else 0)
    fits = (
        game.state == state
        and len(rounds) <= len(game.plan)
        and all(len(seat.line) == scored for seat in everybody)
        and (current is None or (len(bids) == len(present)) == (state == Round.State.PLAYING))
    )
    covered = _are_covered(game, current)
    places = {seat.pk: place for place, seat in enumerate(seats)}
    plan = game.round_plans(everybody)
    rows = tuple(
        _row(
            played,
            plan[played.number - 1],
            places.get(played.dealer_id),
            _open_cells(seats, bids, covered) if played is current else _cells(seats, played.number),
        )
        for played in rounds[: len(plan)]
    )
    block = rules.Block(
        house=game.house,
        plan=plan,
        rows=rows,
        starting=tuple(seat.starting for seat in seats),
        adjustments=tuple(
            rules.Adjustment(after, place, points)
            for place, seat in enumerate(seats)
            for after, points in seat.adjustments
        ),
        gone=tuple(place for place, seat in enumerate(seats) if seat.presence),
    )
    ended_early = current is None and scored < len(game.plan)
    stops = game.table_changed and others_played(everybody)
    undo = None if ended_early else _undo(rounds, bids, seats, covered, stops=stops)
    following = _next_dealer(rounds[-1], everybody) if rounds else everybody[game.first_dealer]
    return (
        Sheet(game, seats, gone, block, current, bids, undo, covered, following, tuple(everybody), tuple(rounds)),
        fits,
    )


def _next_dealer(newest: Round, everybody: Sequence[Seat]) -> Seat:
    dealer = next((place for place, seat in enumerate(everybody) if seat.pk == newest.dealer_id), 0)
    return everybody[rules.next_dealer(dealer, [not seat.presence for seat in everybody])]


def _are_covered(game: Game, current: Round | None) -> bool:
    """Say whether the open round's bids must stay covered: hidden ones until all are in, secret ones until scored."""
    if current is None:
        return False
    hidden = game.hidden_bids and current.state == Round.State.BIDDING and current.shown_version is None
    return game.secret_bids or hidden


def _row(
    played: Round, planned: rules.RoundPlan, dealer: int | None, cells: tuple[rules.Cell | None, ...]
) -> rules.Row:
    fixed = (planned.trump or rules.NO_TRUMP) if planned.fixed_trump else None
    return rules.Row(
        number=played.number,
        cards=played.cards,
        dealer=dealer,
        cells=cells,
        bombs=played.bombs,
        trump=fixed or played.trump or None,
        turned_up=planned.turned_up,
    )


def _cells(seats: Sequence[Seat], number: int) -> tuple[rules.Cell | None, ...]:
    return tuple(_cell(seat.line[number - 1]) if number <= len(seat.line) else None for seat in seats)


def _cell(cell: Sequence[int] | None) -> rules.Cell | None:
    if cell is None:
        return None
    blind, cloud_delta = (bool(cell[3]), cell[4]) if len(cell) > 3 else (False, 0)
    return rules.Cell(bid=cell[0], tricks=cell[1], points=cell[2], blind=blind, cloud_delta=cloud_delta)


def _open_cells(seats: Sequence[Seat], bids: Mapping[int, Bid], covered: bool) -> tuple[rules.Cell | None, ...]:
    return tuple(
        rules.Cell(bid=None if covered else bids[seat.pk].tricks_bid, blind=bids[seat.pk].blind)
        if seat.pk in bids
        else None
        for seat in seats
    )


def _undo(
    rounds: Sequence[Round], bids: Mapping[int, Bid], seats: Sequence[Seat], covered: bool, *, stops: bool
) -> Undo | None:
    """Return what the newest entry recorded, from the rows alone: the bids know the entry that brought them.

    It `stops` at the open round where other people played the one before.
    """
    if not rounds:
        return None
    last = rounds[-1]
    if last.scored_version is not None:
        return Undo(last.changed_version, last.number, tricks=True)
    if last.shown_version is not None and last.dealer_id not in bids:
        return Undo(last.shown_version, last.number)
    if bids:
        newest = max(bid.version for bid in bids.values())
        together = [bid for bid in bids.values() if bid.version == newest]
        if len(together) > 1:
            return Undo(newest, last.number)
        seat = next(seat for seat in seats if seat.pk == together[0].seat_id)
        return Undo(newest, last.number, seat, None if covered else together[0].tricks_bid)
    if not stops and len(rounds) > 1 and rounds[-2].scored_version is not None:
        return Undo(rounds[-2].changed_version, rounds[-2].number, tricks=True)
    return None
