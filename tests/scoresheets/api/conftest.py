import pytest

from scoresheets.api.throttles import counters


@pytest.fixture(autouse=True)
def _nothing_counted_yet() -> None:
    """Begin each test with no requests counted."""
    counters.clear()
