"""What must hold on every page: nothing for axe to find, nothing sideways, no small targets, no inline styles."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

AXE_RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
}
WIDTHS = {320: 640, 360: 740, 600: 900, 1280: 800}
SMALL_TARGETS = """() => [...document.querySelectorAll("a, button, input, select, textarea, summary, label.choice")]
    .map(element => {
        const hit = element.matches("[type=radio], [type=checkbox]") ? element.closest("label") || element : element;
        const box = hit.getBoundingClientRect();
        const inText = element.matches("a") && getComputedStyle(element).display === "inline" && element.closest("p");
        const hidden = !box.width || element.matches(".skip, .vh") || !element.checkVisibility();
        const name = element.getAttribute("aria-label") || element.textContent.trim() || element.name;
        return inText || hidden || (box.width >= 43.5 && box.height >= 43.5) ? null
            : `${name}: ${Math.round(box.width)} x ${Math.round(box.height)}`;
    })
    .filter(Boolean)"""


def violations(page: Page) -> list[str]:
    """Return what axe finds on the page as it is now: rule, element, message."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    # What it found in order is many times as long, and nobody reads it.
    found: list[dict[str, Any]] = page.evaluate(
        "rules => axe.run(document, rules).then(results => results.violations)", AXE_RULES
    )
    return [
        f"{violation['id']}: {node['target']} {[check['message'] for check in node['any'] + node['all']][:1]}"
        for violation in found
        for node in violation["nodes"]
    ]


def small_targets(page: Page) -> list[str]:
    """Return the controls that are smaller than 44 px on a side; links inside a text may be."""
    return page.evaluate(SMALL_TARGETS)


def overhang(page: Page) -> int:
    """Return by how many pixels the page can be scrolled sideways."""
    return page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")


def styled(page: Page) -> list[str]:
    """Return the elements that have a style of their own."""
    return page.evaluate("() => [...document.querySelectorAll('[style]:not([style=\"\"])')].map(e => e.outerHTML)")


def layout_problems(page: Page) -> list[str]:
    """Return what is wrong on the page at phone, tablet and desktop widths; the viewport stays at the last one.

    At 320 px the steppers' numbers are narrower than 44 px, their buttons are not; the rest is measured at 360 and up.
    """
    problems = []
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        if over := overhang(page):
            problems.append(f"{width} px: {over} px sideways")
        if width > 320:
            problems += [f"{width} px: small target: {target}" for target in small_targets(page)]
    problems += [f"style attribute: {element}" for element in styled(page)]
    return problems
