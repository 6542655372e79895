"""Games written through `recording`, and the taps of a scorer on the page."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Locator, Page, Request, Route, expect

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.models import Game, Seat
from tests.scoresheets.factories import dealt, fresh, link_to, open_round, play_round, seats_of

#: As many and as long as the site takes; the last one has no place to break.
LONG_NAMES = (
    "Maximiliane Freifrau von Hohenlohe-Berge",
    "Wilhelmina Oberhuber-Schwarzenbach",
    "Friederike Charlotte Auguste",
    "Bartholomäus der Ältere vom Berg",
    "Ilse",
    "Donaudampfschifffahrtskapitänswitwenxyz",
)
DESKTOP: dict[str, Any] = {
    "viewport": {"width": 1280, "height": 800},
    "device_scale_factor": 1,
    "is_mobile": False,
    "has_touch": False,
}


def bidders_of(game: Game) -> list[Seat]:
    """Return the seats in the order of bidding in the open round, the dealer last."""
    seats, dealer = seats_of(game), open_round(game).dealer_id
    place = [seat.pk for seat in seats].index(dealer)
    return seats[place + 1 :] + seats[: place + 1]


def bid(game: Game, *bids: int) -> None:
    """Record the next bids in the order of bidding, each as its own entry, as a scorer does."""
    current = open_round(game)
    for seat, tricks in zip(bidders_of(game)[current.bids.count() :], bids, strict=False):
        recording.record_bids(game, bids={seat.pk: tricks}, seen=current.stage_version, by=OPERATOR)


def keep(game: Game, *tricks: int) -> None:
    """Keep tricks of the first bidders as a draft, as a tap on another phone does."""
    taken = {str(seat.pk): number for seat, number in zip(bidders_of(game), tricks, strict=False)}
    recording.save_draft(game, draft={"taken": taken}, seen=open_round(game).stage_version, by=OPERATOR)


def play(game: Game, rounds: int | None = None, *, seed: int = 1) -> None:
    """Play so many rounds, or to the end, with plausible bids and tricks."""
    chance = random.Random(seed)
    played = 0
    while played != rounds and not fresh(game).is_finished:
        tricks = dealt(open_round(game).cards, game.seats.count(), chance)
        play_round(game, guesses(chance, tricks), tricks)
        played += 1


def guesses(chance: random.Random, tricks: Sequence[int]) -> list[int]:
    """Return bids near these tricks that do not add up."""
    cards = sum(tricks)
    bids = [min(max(taken + chance.choice((0, 0, 0, 0, 1, -1, -2)), 0), cards) for taken in tricks]
    if sum(bids) == cards:
        bids[-1] += 1 if bids[-1] < cards else -1
    return bids


def open_block(page: Page, game: Game, scope: str = "edit") -> Page:
    """Open the game's Block by a new link."""
    page.goto(f"/j/{link_to(game, scope)[1]}")
    return page


def key_of(page: Page) -> str:
    """Return the request key of the pad's forms: every pad that is rendered has a new one."""
    return page.locator("#pad [name=key]").first.input_value()


@contextmanager
def answered(page: Page) -> Iterator[None]:
    """Wait, after what is done inside, until the pad was swapped and takes taps again."""
    before = key_of(page)
    yield
    page.wait_for_function(
        """before => {
            const pad = document.querySelector("#pad"), key = pad?.querySelector("[name=key]");
            return key && key.value !== before && !("settling" in pad.dataset);
        }""",
        arg=before,
    )


def tap(page: Page, control: Locator) -> None:
    """Tap a control of the pad and wait for the answer."""
    with answered(page):
        control.tap() if page.evaluate("navigator.maxTouchPoints > 0") else control.click()


def control(page: Page, name: str, value: object = None) -> Locator:
    """Return a button that is shown, by what it sends: tests of taps do not depend on wording."""
    chosen = "" if value is None else f'[value="{value}"]'
    return page.locator(f'button[name="{name}"]{chosen}:not(.vh)')


def chip(page: Page, bid: int) -> Locator:
    """Return the chip of a bid."""
    return control(page, "bid", bid)


def row_of(page: Page, name: str) -> Locator:
    """Return somebody's row in the tricks."""
    return page.locator(".made li").filter(has=page.locator(".nm b").get_by_text(name, exact=True))


def in_row(page: Page, name: str, action: str) -> Locator:
    """Return a button of somebody's row: "made", "plus" or "minus"."""
    return row_of(page, name).locator(f'button[name="{action}"]')


def tricks_of(page: Page, name: str) -> Locator:
    """Return the field of somebody's tricks."""
    return row_of(page, name).locator("input.n")


def asked(page: Page) -> Locator:
    """Return the question whose bid is due."""
    return page.locator(".turn h2")


def round_of(page: Page) -> Locator:
    """Return the bar's words about the round."""
    return page.locator(".bar-title strong")


def open_menu(page: Page) -> None:
    page.locator(".menu > summary").click()


def expect_strip(page: Page, kind: str) -> None:
    """Expect the strip that speaks of trouble: "offline", "gone" or "error"."""
    strip = page.locator("#notice")
    expect(strip).to_be_visible()
    expect(strip).to_have_text(strip.get_attribute(f"data-{kind}") or "")


def totals(page: Page) -> list[str]:
    """Return the totals in the head of the Block, in dealing order."""
    return page.locator(".block thead .sum").all_inner_texts()


def shown(number: int) -> str:
    """Return a number as the page writes it, with the real minus sign."""
    return str(number).replace("-", "−")


def is_poll(request: Request) -> bool:
    """Say whether the page asks by itself for what is new."""
    return request.method == "GET" and "hx-request" in request.headers


def cut_off_news(page: Page) -> None:
    """Answer the page's polls with "nothing new", so that it grows stale."""

    def answer(route: Route) -> None:
        if is_poll(route.request):
            route.fulfill(status=304)
        else:
            route.continue_()

    page.route("**/games/*/", answer)


def posts_of(page: Page) -> list[Request]:
    """Return the list in which the page's POST requests are collected from now on."""
    posts: list[Request] = []
    page.on("request", lambda request: posts.append(request) if request.method == "POST" else None)
    return posts
