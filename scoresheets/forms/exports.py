"""What of a club is taken away as a table, and how it is written."""

from __future__ import annotations

from scoresheets.formats.tables import STYLES
from scoresheets.forms.statistics import ChosenField, FilterForm
from scoresheets.numbers import reader_language


class ExportForm(FilterForm):
    """Which games, of a season or between two dates, and the language whose spreadsheets are to open the file."""

    players = None  # type: ignore[assignment]
    edition = None  # type: ignore[assignment]
    language = ChosenField(STYLES)

    @property
    def written_in(self) -> str:
        """The language chosen, else the one the page is read in."""
        chosen = self.chosen.get("language") or reader_language()[:2]
        return chosen if chosen in STYLES else "en"
