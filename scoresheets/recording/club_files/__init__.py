"""Clubs out of files: all of a file is checked before anything is written, and then written at once."""

from scoresheets.recording.club_files.checking import ClubFileError, Preview, look_at
from scoresheets.recording.club_files.creating import import_club

__all__ = ["ClubFileError", "Preview", "import_club", "look_at"]
