"""A club's file as it is uploaded."""

from __future__ import annotations

from typing import Any, BinaryIO, cast

from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

#: A larger club is the operator's to import.
MOST_MEGABYTES = 10
MOST_BYTES = MOST_MEGABYTES * 1024**2


class ClubFileForm:
    """An uploaded file; `problem` is a sentence where there is none, or none that is taken, else ""."""

    def __init__(self, files: MultiValueDict[str, Any] | None = None, *, too_large: bool = False) -> None:
        uploaded = files.get("file") if files is not None else None
        self.file: BinaryIO | None = None
        self.problem = ""
        if too_large or (uploaded is not None and uploaded.size > MOST_BYTES):
            self.problem = _("The file is larger than %(most)s MB. Ask the operator of the site to import it.") % {
                "most": MOST_MEGABYTES
            }
        elif uploaded is not None:
            self.file = cast(BinaryIO, uploaded.file)
        elif files is not None:
            self.problem = _("Choose a file.")
