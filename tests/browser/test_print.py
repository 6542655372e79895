"""Every sheet is printed on one page, black on white, whatever was played and however people are called."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

from playwright.sync_api import Page

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Game
from tests.browser.helpers import DESKTOP, LONG_NAMES, play
from tests.scoresheets.factories import fresh, link_to, make_game, newest_of, play_round, seat_ids, seats_of

#: A4 without the margins of the page, in CSS pixels: upright and across.
UPRIGHT, ACROSS = (703, 1032), (1047, 718)


def played(**more: object) -> Game:
    game = make_game(**more)  # type: ignore[arg-type]
    play(game)
    return fresh(game)


def twelve_people() -> Game:
    """Return a game in which as many people have sat as can, each with a name as long as can be."""
    names = [f"{name[:37]} {number}" for number, name in enumerate(LONG_NAMES * 2)]
    game = make_game(names=names[:6], length=10, rounds=1)
    for name in names[6:]:
        seat = next(seat for seat in seats_of(game) if seat.plays)
        recording.replace_at_table(game, seat=seat.pk, name=name, seen=newest_of(game), by=OPERATOR)
        play_round(game)
    while not fresh(game).is_finished:
        play_round(game)
    return fresh(game)


def much_corrected() -> Game:
    game = played(names=LONG_NAMES[:4], length=15)
    reason = "On paper it said otherwise: " + "the pencil was blunt and the light was bad. " * 10
    for number, seat in enumerate(seat_ids(game) * 3):
        recording.adjust_points(game, seat=seat, points=10 * number - 55, reason=reason, by=OPERATOR)
    for number in (10, 11):
        values = recording.RoundValues(
            dict.fromkeys(seat_ids(game), 0), {seat: number * (place == 0) for place, seat in enumerate(seat_ids(game))}
        )
        seen = game.rounds.get(number=number).changed_version
        recording.correct_round(game, number=number, values=values, seen=seen, reason=reason, by=OPERATOR)
    return fresh(game)


def bare_results() -> Game:
    played_at = datetime(2025, 12, 24, 19, tzinfo=UTC)
    return recording.record_results(LONG_NAMES, (120, -30, 0, 50, 10, 120), by=OPERATOR, played_at=played_at).game


SHEETS: dict[str, Callable[[], Game]] = {
    "six": lambda: played(names=LONG_NAMES),
    "six, empty": lambda: make_game(names=LONG_NAMES),
    "three": lambda: played(names=LONG_NAMES[:3]),
    "five": lambda: played(names=LONG_NAMES[:5], house=rules.HouseRules(specials=rules.SPECIALS, blind_bids=True)),
    "twelve people": twelve_people,
    "own list": lambda: played(seats=4, ladder="free", cards=[*range(1, 16), *range(15, 0, -1)]),
    "much corrected": much_corrected,
    "bare results": bare_results,
}


def pages_of(page: Page) -> int:
    """Return the number of pages that the printer would put out."""
    return len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))


#: What does not fit where it is printed.
TOO_WIDE = """() => [...document.querySelectorAll("main *")]
    .filter((e) => e.scrollWidth > e.clientWidth + 1 && !e.closest(".vh, .no-print, svg"))
    .filter((e) => getComputedStyle(e).display !== "inline").map((e) => e.outerHTML.slice(0, 80))"""


def test_every_sheet_is_printed_on_one_page(phone):
    games = {name: make() for name, make in SHEETS.items()}
    german, english = (phone(**DESKTOP, locale=language, color_scheme="dark") for language in ("de", "en"))
    pages, too_wide, colours = {}, {}, set()
    # German has the longer words.
    for page, names in ((german, SHEETS), (english, ("six", "twelve people"))):
        for name in names:
            game = games[name]
            page.emulate_media(media="screen", color_scheme="dark")
            page.goto(f"/j/{link_to(game)[1]}")
            page.goto(f"/games/{game.pk}/sheet/")
            page.emulate_media(media="print", color_scheme="dark")
            pages[name] = max(pages_of(page), pages.get(name, 0))
            width, height = ACROSS if game.seats.count() > 4 and game.has_rounds else UPRIGHT
            page.set_viewport_size({"width": width, "height": height})
            too_wide[name] = too_wide.get(name, []) + page.evaluate(TOO_WIDE)
            colours.add(page.evaluate("() => getComputedStyle(document.querySelector('main td')).color"))
            assert page.locator(".bar, .btn, .skip, #notice").filter(visible=True).count() == 0
            assert str(game.started_at.year) in page.locator(".print-rules").inner_text()
            assert f"/games/{game.pk}/" in page.locator(".print-head").inner_text()

    assert pages == dict.fromkeys(games, 1)
    assert {name: found for name, found in too_wide.items() if found} == {}
    assert colours == {"rgb(0, 0, 0)"}
