"""Seasons of a club."""

from scoresheets.api.seasons.leagues import (
    CloseSeason,
    OneSeason,
    ReopenSeason,
    SeasonPlayer,
    SeasonPlayerGames,
    Seasons,
    Standings,
)

__all__ = [
    "CloseSeason",
    "OneSeason",
    "ReopenSeason",
    "SeasonPlayer",
    "SeasonPlayerGames",
    "Seasons",
    "Standings",
]
