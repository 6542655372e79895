"""What the app stores. Only `recording` writes game rows; every row invariant is a named constraint."""

from scoresheets.models.games import Bid, Entry, Game, Link, Receipt, Round, Seat
from scoresheets.models.people import User

__all__ = ["Bid", "Entry", "Game", "Link", "Receipt", "Round", "Seat", "User"]
