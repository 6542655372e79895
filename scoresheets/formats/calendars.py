"""Calendars as text, for calendar programs to read again and again.

Source: RFC 5545; of it only events at a moment, without time zones of their own, alarms or repetition.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

CONTENT_TYPE = "text/calendar; charset=utf-8"
#: Longer lines are folded: so many bytes, the line's end not counted.
_MOST_BYTES = 75


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """An event. `uid` stays the same as long as it is the same event, whatever else changes; moments are aware."""

    uid: str
    starts_at: datetime
    ends_at: datetime
    title: str
    place: str = ""
    text: str = ""
    address: str = ""
    is_cancelled: bool = False


def calendar_text(name: str, events: Iterable[CalendarEvent], *, now: datetime) -> str:
    """Return a calendar of this name as iCalendar text, lines folded and ended as the format has it."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Tafelrunde//Evenings//EN",
        "CALSCALE:GREGORIAN",
        f"X-WR-CALNAME:{_escaped(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "X-PUBLISHED-TTL:PT1H",
        *(line for event in events for line in _lines_of(event, now)),
        "END:VCALENDAR",
    ]
    return "".join(f"{folded}\r\n" for line in lines for folded in _folded(line))


def _lines_of(event: CalendarEvent, now: datetime) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{_escaped(event.uid)}"
    yield f"DTSTAMP:{_moment(now)}"
    yield f"DTSTART:{_moment(event.starts_at)}"
    yield f"DTEND:{_moment(event.ends_at)}"
    yield f"SUMMARY:{_escaped(event.title)}"
    if event.place:
        yield f"LOCATION:{_escaped(event.place)}"
    if event.text:
        yield f"DESCRIPTION:{_escaped(event.text)}"
    if event.address:
        # A URI is no text: it is not escaped, and what we give has no character that would have to be.
        yield f"URL:{event.address}"
    yield f"STATUS:{'CANCELLED' if event.is_cancelled else 'CONFIRMED'}"
    yield "TRANSP:OPAQUE"
    yield "END:VEVENT"


def _moment(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escaped(text: str) -> str:
    """Return text as a value: one line, with the signs marked that would end or part it, without control characters."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    plain = "".join(c for c in lines if c in "\n\t" or unicodedata.category(c) != "Cc")
    return plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def _folded(line: str) -> Iterator[str]:
    """Return a line in pieces of at most 75 bytes, those after the first begun with a space; no character is torn."""
    piece, size = "", 0
    for character in line:
        width = len(character.encode())
        if size + width > _MOST_BYTES:
            yield piece
            piece, size = " ", 1
        piece += character
        size += width
    yield piece
