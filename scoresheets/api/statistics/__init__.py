"""What is counted of games: of a player, of one's own in all clubs, of a club, of bids."""

from scoresheets.api.statistics.boards import AllTime, HallOfFame, Ratings, Records
from scoresheets.api.statistics.comparisons import Comparison
from scoresheets.api.statistics.insight import ClubInsight, PublicInsight
from scoresheets.api.statistics.lifetimes import Lifetime, Months, Opponents
from scoresheets.api.statistics.own import Me, OwnLifetime, OwnOpponents

__all__ = [
    "AllTime",
    "ClubInsight",
    "Comparison",
    "HallOfFame",
    "Lifetime",
    "Me",
    "Months",
    "Opponents",
    "OwnLifetime",
    "OwnOpponents",
    "PublicInsight",
    "Ratings",
    "Records",
]
