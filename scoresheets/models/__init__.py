"""What the app stores. Only `recording` writes game rows; every row invariant is a named constraint."""

from scoresheets.models.games import Bid, Entry, Game, Link, Receipt, Round, Seat
from scoresheets.models.people import Claim, Club, Invitation, Membership, Merge, Player, PlayerLink, User

__all__ = [
    "Bid",
    "Claim",
    "Club",
    "Entry",
    "Game",
    "Invitation",
    "Link",
    "Membership",
    "Merge",
    "Player",
    "PlayerLink",
    "Receipt",
    "Round",
    "Seat",
    "User",
]
