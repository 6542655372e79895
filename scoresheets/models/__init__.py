"""What the app stores. Only `recording` writes game rows; every row invariant is a named constraint."""

from scoresheets.models.games import Bid, Entry, Game, Link, Receipt, Round, Seat
from scoresheets.models.imports import Import, ImportedFile, ImportedGame
from scoresheets.models.leagues import (
    Attendance,
    CalendarAddress,
    DrawnSeat,
    DrawnTable,
    Evening,
    Season,
    Standing,
)
from scoresheets.models.people import Claim, Club, Invitation, Membership, Merge, Player, PlayerLink, User
from scoresheets.models.tallies import (
    BidTally,
    BidTotal,
    CardsTally,
    ClubTally,
    PairTally,
    PlayerTally,
    PositionTally,
    Record,
    Result,
)
from scoresheets.models.tokens import Token
from scoresheets.models.webhooks import Delivery, Webhook

__all__ = [
    "Attendance",
    "Bid",
    "BidTally",
    "BidTotal",
    "CalendarAddress",
    "CardsTally",
    "Claim",
    "Club",
    "ClubTally",
    "Delivery",
    "DrawnSeat",
    "DrawnTable",
    "Entry",
    "Evening",
    "Game",
    "Import",
    "ImportedFile",
    "ImportedGame",
    "Invitation",
    "Link",
    "Membership",
    "Merge",
    "PairTally",
    "Player",
    "PlayerLink",
    "PlayerTally",
    "PositionTally",
    "Receipt",
    "Record",
    "Result",
    "Round",
    "Season",
    "Seat",
    "Standing",
    "Token",
    "User",
    "Webhook",
]
