"""The statistics: what finished games of clubs add up to, kept in the transaction of each write, and made anew."""

from scoresheets.recording.statistics.following import counted, counts, follow
from scoresheets.recording.statistics.many import following_many
from scoresheets.recording.statistics.rebuild import (
    add_to_public,
    catch_up,
    differences_of,
    public_differences,
    rebuild_club,
)
from scoresheets.recording.statistics.standings import (
    lock_statistics,
    restand,
    restand_for_guests,
    restand_night,
    seasons_of,
)

__all__ = [
    "add_to_public",
    "catch_up",
    "counted",
    "counts",
    "differences_of",
    "follow",
    "following_many",
    "lock_statistics",
    "public_differences",
    "rebuild_club",
    "restand",
    "restand_for_guests",
    "restand_night",
    "seasons_of",
]
