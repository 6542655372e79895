"""Files to be imported as they are uploaded, and what is decided about them. The decisions are the plan's to judge."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import QueryDict
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext as _

from scoresheets import wording
from scoresheets.forms.clubs import Choice
from scoresheets.forms.import_plans import (
    BY_RULES,
    GUEST,
    LEAVE,
    NEW,
    OF_CLUB,
    OTHER,
    PLAYER,
    STANDARD,
    Decisions,
    Person,
    Plan,
)
from scoresheets.imports.plain import MOST_BYTES
from scoresheets.models import Player
from scoresheets.models.games import NAME_LENGTH
from scoresheets.recording.names import folded, tidy_name

#: The fields of a name: who it is, and a name typed in beside; the name itself follows.
WHO, CALLED = "who:", "called:"
#: Problems that a day for all games without one may take away.
NEEDS_DAY = {"date_missing", "headers_missing"}
#: No id is longer, and no file has so many games in it, or worksheets with longer titles.
MOST_DIGITS, MOST_TITLES, MOST_TITLE = 18, 200, 200


class UploadForm:
    """A file as it was sent; `problem` is a sentence where it cannot be taken, "" where it can be read."""

    MOST_MEGABYTES = MOST_BYTES // 1024**2

    def __init__(self, files: MultiValueDict[str, Any] | None = None, *, too_large: bool = False) -> None:
        uploaded = files.get("file") if files is not None else None
        self.problem, self.name, self.content = "", "", b""
        if too_large or (uploaded is not None and uploaded.size > MOST_BYTES):
            self.problem = self.too_large()
        elif uploaded is None:
            self.problem = _("Choose a file.") if files is not None else ""
        else:
            self.name, self.content = str(uploaded.name or ""), uploaded.read()

    @classmethod
    def too_large(cls) -> str:
        """Return what is said of a file that is too large."""
        return _("The file is larger than %(most)s MB. Divide it, or leave out what is not about games.") % {
            "most": cls.MOST_MEGABYTES
        }


class DecisionsForm:
    """What a page about a file sends; `decisions` as far as they can be read, and `errors` by field."""

    def __init__(self, data: QueryDict, before: Decisions) -> None:
        self.errors: dict[str, str] = {}
        names = [field.removeprefix(WHO) for field in data if field.startswith(WHO)]
        self.decisions = Decisions(
            # Names that are not on the page now, such as those of another worksheet, keep what was decided.
            people={**before.people, **_people(data, names)},
            again=frozenset(data.getlist("again")),
            mismatches=LEAVE if data.get("mismatches") == LEAVE else BY_RULES,
            partly="partly" in data,
            games=self._games(data, before),
            sheet=data.get("sheet", before.sheet)[:MOST_TITLE],
            day=self._day(data, before),
            house=STANDARD if data.get("house") == STANDARD else OF_CLUB,
        )

    def _games(self, data: QueryDict, before: Decisions) -> tuple[str, ...] | None:
        if "asked_for_games" not in data:
            return before.games
        return tuple(title[:MOST_TITLE] for title in data.getlist("game")[:MOST_TITLES])

    def _day(self, data: QueryDict, before: Decisions) -> date | None:
        typed = data.get("day")
        if typed is None:
            return before.day
        if not typed.strip():
            return None
        try:
            day = date.fromisoformat(typed.strip())
        except ValueError:
            day = date.min
        if day.year < 1900:
            self.errors["day"] = _("“%(value)s” is not a date.") % {"value": typed[:20]}
            return None
        return day


def _people(data: QueryDict, names: list[str]) -> dict[str, str]:
    found = {}
    for name in names:
        choice = data.get(WHO + name, "")
        kind, _colon, number = choice.partition(":")
        if choice in (NEW, GUEST) or (kind == PLAYER and number.isascii() and number.isdigit()):
            found[folded(name)] = choice[: MOST_DIGITS + len(PLAYER) + 1]
        elif choice == OTHER:
            found[folded(name)] = f"{OTHER}:{tidy_name(data.get(CALLED + name, '')[: 4 * NAME_LENGTH])}"
    return found


def reading_is_asked(plan: Plan) -> bool:
    """Say whether the file could be read in another way: other games, another worksheet, a day for those without."""
    return bool(plan.found.offers) or len(plan.found.sheets) > 1 or lacks_day(plan)


def could_be_read(plan: Plan, content: bytes, file_name: str) -> bool:
    """Say whether a file with problems of its own may be read in another way, so that asking makes sense."""
    if plan.found.offers or len(plan.found.sheets) > 1:
        return True
    with_day = Decisions(day=timezone.localdate())
    return not Plan.of_file(plan.club, content, file_name, with_day).found.problems


def lacks_day(plan: Plan) -> bool:
    """Say whether a day for games that name none would help."""
    of_games = (problem for game in plan.found.refused for problem in game.problems)
    return any(problem.code in NEEDS_DAY for problem in (*plan.found.problems, *of_games))


@dataclass(frozen=True, slots=True)
class PersonFields:
    """The fields of one name: who it may be as things to choose, a name typed in beside, and what is wrong."""

    person: Person
    options: list[Choice]
    typed: str
    error: str

    @property
    def is_typed(self) -> bool:
        """Whether somebody else is chosen, whose name stands beside."""
        return self.person.choice.startswith(f"{OTHER}:")


def person_fields(person: Person) -> PersonFields:
    """Return the fields of a name; what is not decided yet has nothing chosen."""
    chosen = person.choice or (f"{PLAYER}:{person.match.pk}" if person.match is not None else "")
    known = [player for player in (person.match, *person.near) if player is not None]
    if person.player is not None and chosen.startswith(f"{PLAYER}:") and person.player not in known:
        known.append(person.player)
    options = [_choice(person, f"{PLAYER}:{player.pk}", player.name, _about(player), chosen) for player in known]
    if person.match is None:
        options.append(_choice(person, NEW, _("A new player"), "", chosen))
        options.append(_choice(person, GUEST, _("A new guest"), "", chosen))
    kind, _colon, value = person.choice.partition(":")
    error = wording.problem_in_words(person.wrong) if person.wrong is not None else ""
    return PersonFields(person, options, value if kind == OTHER else "", error)


def _choice(person: Person, value: str, title: str, line: str, chosen: str) -> Choice:
    return Choice(f"{WHO}{person.name}", value, title, line, value == chosen)


def _about(player: Player) -> str:
    if player.archived_at is not None:
        return _("in the archive")
    return _("Guest") if player.is_guest else ""
