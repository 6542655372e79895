"""What every test may use: the browser as a phone, and when browser and PostgreSQL tests are left out.

Settings are in tests/settings.py, the amount of random testing in tests/thorough.py.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.contenttypes.management import create_contenttypes
from django.core.cache import cache
from django.db.models.signals import post_migrate
from hypothesis import HealthCheck, settings

from tests.thorough import THOROUGH, scaled

# Playwright's API runs inside an event loop, where Django refuses the database unless told otherwise.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

CI = os.environ.get("CI", "").lower() not in {"", "0", "false"}
# The same browser without windows comes first: it takes a third of the time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
NO_CHROMIUM = "Chromium is missing (Debian: apt-get install chromium-headless-shell libatomic1)"

settings.register_profile(
    "default", derandomize=True, deadline=None, max_examples=scaled(100), suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "thorough", settings.get_profile("default"), derandomize=False, print_blob=True, max_examples=scaled(100)
)
settings.load_profile("thorough" if THOROUGH else "default")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark browser tests by the fixtures they use, and skip those for PostgreSQL elsewhere."""
    postgres = os.environ.get("DATABASE_URL", "").startswith("postgres")
    for item in items:
        if {"browser", "phone"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("browser")
        if item.get_closest_marker("postgres") and not postgres:
            item.add_marker(pytest.mark.skip(reason="only for PostgreSQL"))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Without Chromium a browser test is skipped; in CI that is a failure, because nobody would notice."""
    if CHROMIUM is None and item.get_closest_marker("browser"):
        if CI:
            pytest.fail(NO_CHROMIUM, pytrace=False)
        pytest.skip(NO_CHROMIUM)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    left_out = [report for report in terminalreporter.stats.get("skipped", []) if NO_CHROMIUM in str(report.longrepr)]
    if left_out:
        terminalreporter.write_line(f"{len(left_out)} browser tests were skipped. {NO_CHROMIUM}", yellow=True)


@pytest.fixture(scope="session", autouse=True)
def _no_rows_that_nobody_reads() -> None:
    """Keep Django from naming all models and their permissions again whenever a test has emptied the database.

    The site asks for neither, and that is most of the time the emptying takes.
    """
    post_migrate.disconnect(create_contenttypes)
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")


@pytest.fixture(autouse=True)
def _no_attempts_yet() -> None:
    """Begin each test with no attempts counted."""
    cache.clear()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start the system's Chromium, also as root and in a container, and keep it from calling home."""
    return {
        **browser_type_launch_args,
        "executable_path": CHROMIUM,
        "headless": True,
        "args": [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ],
    }


@pytest.fixture
def phone(new_context: Callable[..., Any], live_server: Any) -> Iterator[Callable[..., Any]]:
    """Return a function that opens a page on another phone: 360 x 740, touch, English, its own cookies.

    It takes what Playwright's `new_context` takes: `phone(color_scheme="dark")`, `phone(locale="de-DE")`,
    `phone(java_script_enabled=False)`. Addresses are relative to the live server: `phone().goto("/")`.
    An error in a script or something that the Content-Security-Policy stopped fails the test at its end.
    """
    problems: list[str] = []

    def open_phone(**options: Any) -> Any:
        defaults = {
            "base_url": live_server.url,
            "viewport": {"width": 360, "height": 740},
            "device_scale_factor": 2,
            "is_mobile": True,
            "has_touch": True,
            "locale": "en-GB",
        }
        page = new_context(**{**defaults, **options}).new_page()
        page.set_default_timeout(10_000)
        page.on("pageerror", lambda error: problems.append(f"script error: {error}"))
        page.on("console", lambda message: problems.extend(t for t in [message.text] if "Content Security" in t))
        return page

    yield open_phone
    assert problems == []
