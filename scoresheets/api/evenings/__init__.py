"""Evenings of a club: planned, listed, opened and closed; who comes, who sits where, the games of their tables."""

from scoresheets.api.evenings.nights import (
    CancelEvening,
    CloseEvening,
    Evenings,
    OneEvening,
    OpenEvening,
    ReinstateEvening,
)
from scoresheets.api.evenings.sittings import (
    AnswerToEvening,
    OneSitting,
    PeopleHere,
    Planning,
    Sittings,
    StartTable,
)

__all__ = [
    "AnswerToEvening",
    "CancelEvening",
    "CloseEvening",
    "Evenings",
    "OneEvening",
    "OneSitting",
    "OpenEvening",
    "PeopleHere",
    "Planning",
    "ReinstateEvening",
    "Sittings",
    "StartTable",
]
