from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.contrib.contenttypes.models import ContentType


@pytest.fixture(autouse=True)
def _content_types_of_this_test() -> Iterator[None]:
    """Forget the rows that name the models: tests make them as they go, and each takes its own away again."""
    ContentType.objects.clear_cache()
    yield
    ContentType.objects.clear_cache()
