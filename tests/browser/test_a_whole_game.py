"""Fifteen rounds with four people, every tap on the page, beside totals that are computed here from the rules' text."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.checks import styled
from tests.browser.helpers import (
    answered,
    asked,
    chip,
    control,
    guesses,
    in_row,
    round_of,
    shown,
    tap,
    totals,
    tricks_of,
)
from tests.scoresheets.factories import dealt

NAMES = ("Annika", "Bernd", "Cem", "Doro")


def points(bid: int, taken: int) -> int:
    """Exactly the tricks bid: 20 and 10 for each; else 10 lost for each trick too many or too few."""
    return 20 + 10 * taken if bid == taken else -10 * abs(bid - taken)


class Scorer:
    """One person at the phone: bids and tricks in seat order go in as taps, and the totals are kept on paper."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.running: list[list[int]] = []

    @property
    def paper(self) -> list[int]:
        return self.running[-1] if self.running else [0] * len(NAMES)

    def start(self) -> None:
        page = self.page
        page.goto("/")
        page.locator("a.btn--primary").tap()
        for count, name in enumerate(NAMES, start=1):
            page.locator("#new_name").fill(name)
            page.locator("#new_name").press("Enter")
            expect(page.locator(".seats li")).to_have_count(count)
        page.locator(".toggle").tap()
        expect(page.get_by_role("switch")).to_be_checked()
        control(page, "start").tap()

    def bid(self, number: int, bids: list[int]) -> None:
        cards = number
        for done in range(len(NAMES)):
            seat = (number + done) % len(NAMES)  # Annika deals round 1, so Bernd bids first
            self.expect_asked(NAMES[seat])
            if done == len(NAMES) - 1:
                barred = cards - sum(bids) + bids[seat]
                expect(self.page.locator(".chip[aria-disabled=true]")).to_have_count(1 if 0 <= barred <= cards else 0)
            tap(self.page, chip(self.page, bids[seat]))

    def take(self, number: int, bids: list[int], tricks: list[int], last: int) -> None:
        """Tap in the tricks of all but one seat, whose tricks are filled in, and score."""
        for seat, name in enumerate(NAMES):
            if seat == last:
                continue
            if tricks[seat] == bids[seat]:
                tap(self.page, in_row(self.page, name, "made"))
            for more in range(bids[seat], tricks[seat]):
                tap(self.page, in_row(self.page, name, "plus"))
                assert self.typed(name) == str(more + 1)
            for fewer in range(bids[seat], tricks[seat], -1):
                tap(self.page, in_row(self.page, name, "minus"))
                assert self.typed(name) == str(fewer - 1)
        assert self.typed(NAMES[last]) == str(tricks[last])
        expect(self.page.locator(".made .auto .nm b")).to_have_text(NAMES[last])
        self.score(bids, tricks)

    def score(self, bids: list[int], tricks: list[int]) -> None:
        after = [total + points(*played) for total, *played in zip(self.paper, bids, tricks, strict=True)]
        preview = self.page.locator(".row-now .tot").all_inner_texts()
        assert preview == [shown(total) for total in after]
        tap(self.page, control(self.page, "score"))
        self.running.append(after)

    def typed(self, name: str) -> str:
        return tricks_of(self.page, name).input_value()

    def undo(self, what: str) -> None:
        """Take one step back; the button says which."""
        expect(control(self.page, "back")).to_have_accessible_name(re.compile(rf"\b{what}$"))
        tap(self.page, control(self.page, "back"))

    def expect_asked(self, name: str) -> None:
        expect(asked(self.page)).to_contain_text(name)

    def compare(self) -> None:
        """Compare the head and every running total with the paper."""
        assert totals(self.page) == [shown(total) for total in self.paper]
        rows = self.page.locator(".block tbody tr:not(.row-now, .row-future)").all()
        scored = [row.locator(".tot").all_inner_texts() for row in rows]
        assert scored == [[shown(total) for total in totals] for totals in self.running]


def test_whole_game_through_the_page_has_every_total_right(phone: Callable[..., Page]) -> None:
    page = phone()
    scorer = Scorer(page)
    chance = random.Random("light")
    rounds = []
    for cards in range(1, 16):
        tricks = dealt(cards, len(NAMES), chance)
        rounds.append((guesses(chance, tricks), tricks))

    scorer.start()
    for number, (bids, tricks) in enumerate(rounds, start=1):
        expect(round_of(page)).to_have_text(re.compile(rf"\b{number}\b.*\b15\b"))
        scorer.bid(number, bids)
        scorer.take(number, bids, tricks, last=chance.randrange(len(NAMES)))
        if number < 15:
            scorer.compare()
        if number == 2:
            step_back_into_the_bids(scorer, number, bids, tricks)
        assert styled(page) == []

    check_ranking(scorer)
    scorer.undo("15")
    scorer.running.pop()
    scorer.compare()
    scorer.score(*rounds[-1])
    check_ranking(scorer)


def step_back_into_the_bids(scorer: Scorer, number: int, bids: list[int], tricks: list[int]) -> None:
    """Undo a scored round and two of its bids after the next round has begun, and enter them again."""
    page = scorer.page
    dealer = (number - 1) % len(NAMES)
    before = (dealer - 1) % len(NAMES)
    starter = (dealer + 2) % len(NAMES)
    scorer.expect_asked(NAMES[starter])
    tap(page, chip(page, 1))
    scorer.undo(f"{NAMES[starter]} 1")
    scorer.undo(f"{number}")
    scorer.running.pop()
    scorer.compare()
    assert [scorer.typed(name) for name in NAMES] == [str(taken) for taken in tricks]
    for seat in (dealer, before):
        scorer.undo(f"{NAMES[seat]} {bids[seat]}")
        scorer.expect_asked(NAMES[seat])
        expect(page.locator(".chip[aria-pressed=true]")).to_have_attribute("value", str(bids[seat]))
    for seat in (before, dealer):
        tap(page, chip(page, bids[seat]))
    with answered(page):  # typed this time, and kept by Enter
        for name, taken in zip(NAMES, tricks, strict=True):
            tricks_of(page, name).fill(str(taken))
        page.keyboard.press("Enter")
    scorer.score(bids, tricks)
    scorer.compare()


def check_ranking(scorer: Scorer) -> None:
    """Compare the ranking with the paper: most points first, at level points more exact bids first."""
    page = scorer.page
    expect(page.locator(".stand")).to_be_visible()
    lines = [
        (line.locator(".nm").inner_text(), line.locator(".pt").inner_text()) for line in page.locator(".stand li").all()
    ]
    on_paper = sorted(zip(NAMES, scorer.paper, strict=True), key=lambda line: -line[1])
    assert sorted(lines) == sorted((name, shown(total)) for name, total in on_paper)
    assert [total for _name, total in lines] == [shown(total) for _name, total in on_paper]
