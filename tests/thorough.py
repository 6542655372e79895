"""How much random testing to do: a little at every run, a lot with THOROUGH=1."""

import os

THOROUGH = os.environ.get("THOROUGH", "") not in {"", "0"}


def scaled(count: int, factor: int = 25) -> int:
    """Return how many random cases to try: `count`, or `factor` times as many with THOROUGH=1."""
    return count * factor if THOROUGH else count
