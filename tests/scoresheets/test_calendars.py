"""Calendars as text: what a reader of the format gets back out of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoresheets.formats.calendars import CalendarEvent, calendar_text

NOW = datetime(2026, 11, 30, 12, 0, 5, tzinfo=UTC)
START = datetime(2026, 12, 3, 19, 30, tzinfo=timezone(timedelta(hours=1)))


def event(**values):
    return CalendarEvent(**{"uid": "e1@x", "starts_at": START, "ends_at": START, "title": "Night"} | values)


def lines_of(text: str) -> list[str]:
    """Return the lines unfolded, after checking what holds for every line."""
    assert text.endswith("\r\n")
    raw = text.removesuffix("\r\n").split("\r\n")
    assert all(line and len(line.encode()) <= 75 and "\n" not in line and "\r" not in line for line in raw)
    lines: list[str] = []
    for line in raw:
        if line.startswith(" "):
            lines[-1] += line[1:]
        else:
            lines.append(line)
    return lines


def value_of(text: str, name: str) -> str:
    """Return a text value as it was before it was escaped."""
    (found,) = [line.partition(":")[2] for line in lines_of(text) if line.partition(":")[0] == name]
    plain, escaped = "", False
    for character in found:
        if escaped:
            plain, escaped = plain + {"n": "\n"}.get(character, character), False
        elif character == "\\":
            escaped = True
        else:
            assert character not in ";,"
            plain += character
    assert not escaped
    return plain


def test_calendar_has_the_lines_of_the_format():
    text = calendar_text("Runde", [event(ends_at=START + timedelta(hours=4), address="https://x/1")], now=NOW)

    assert lines_of(text) == [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Tafelrunde//Evenings//EN",
        "CALSCALE:GREGORIAN",
        "X-WR-CALNAME:Runde",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "X-PUBLISHED-TTL:PT1H",
        "BEGIN:VEVENT",
        "UID:e1@x",
        "DTSTAMP:20261130T120005Z",
        "DTSTART:20261203T183000Z",
        "DTEND:20261203T223000Z",
        "SUMMARY:Night",
        "URL:https://x/1",
        "STATUS:CONFIRMED",
        "TRANSP:OPAQUE",
        "END:VEVENT",
        "END:VCALENDAR",
    ]


def test_calendar_without_events():
    assert len(lines_of(calendar_text("Runde", [], now=NOW))) == 8


def test_event_that_was_called_off_says_so():
    assert "STATUS:CANCELLED" in lines_of(calendar_text("x", [event(is_cancelled=True)], now=NOW))


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("Bar; Hof, 2. Stock", "LOCATION:Bar\\; Hof\\, 2. Stock"),
        ("C:\\x", "LOCATION:C:\\\\x"),
        ("a\r\nBEGIN:VEVENT\rb", "LOCATION:a\\nBEGIN:VEVENT\\nb"),
        ("bell\x07\x00 tab\t", "LOCATION:bell tab\t"),
    ],
)
def test_text_cannot_end_or_part_a_line(place, line):
    assert line in lines_of(calendar_text("x", [event(place=place)], now=NOW))


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=300))
def test_any_text_comes_back_as_it_was(text):
    calendar = calendar_text(text, [event(title=text, text=text)], now=NOW)

    assert value_of(calendar, "SUMMARY") == value_of(calendar, "DESCRIPTION") == text
    assert value_of(calendar, "X-WR-CALNAME") == text


def test_long_text_is_folded_between_characters():
    text = calendar_text("x", [event(title="ä" * 80 + "👩‍👩‍👧" * 20)], now=NOW)

    assert value_of(text, "SUMMARY") == "ä" * 80 + "👩‍👩‍👧" * 20
    assert max(len(line.encode()) for line in text.split("\r\n")) == 75
