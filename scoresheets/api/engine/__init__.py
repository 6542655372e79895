"""The rules of the game, for everybody: plans, house rules, tricks, bids, points, and their words."""

from scoresheets.api.engine.codes import Codes
from scoresheets.api.engine.plans import HouseRulesCheck, Plans, Presets
from scoresheets.api.engine.rounds import AllowedBids, Scores
from scoresheets.api.engine.tricks import LegalCards, Tricks

__all__ = ["AllowedBids", "Codes", "HouseRulesCheck", "LegalCards", "Plans", "Presets", "Scores", "Tricks"]
