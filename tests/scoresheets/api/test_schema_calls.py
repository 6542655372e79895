"""Generated calls of every operation by everybody: whatever comes in, the answer is one that the schema has.

Data is drawn from the schema, good and bad; ids, versions and secrets are mostly real ones, so that calls get past the
door. Each call finds one small club as it was.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core import signals
from django.db import close_old_connections, transaction
from django.test import override_settings
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core import NotSet
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.scoresheets.api.helpers import api_schema, operations
from tests.scoresheets.api.town import MODELS, Town
from tests.thorough import scaled
from wizard_site.wsgi import application

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    # What is not as the schema says is refused.
    negative_data_rejection,
]
#: All calls of a run, and those of one operation.
CALLS = scaled(1_000, 10)
EACH = -(-CALLS // len(operations()))
#: One in so many ids stays as it was drawn: of nothing, most likely.
STAYS = 12
#: Numbers below are no ids that were drawn: those are long.
SMALL = 1_000
#: What a list of these holds of each seat.
WHOLE_ROUND = {"bids": "bid", "tricks": "tricks"}

pytestmark = pytest.mark.django_db

POSITIVE, NEGATIVE = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE


@pytest.fixture(scope="module")
def town(django_db_setup: None, django_db_blocker: Any) -> Iterator[Town]:
    """Yield the small club, made once; all of it is taken back."""
    # Its transaction goes on beyond a request, as with the test client.
    for signal in (signals.request_started, signals.request_finished):
        signal.disconnect(close_old_connections)
    try:
        with (
            django_db_blocker.unblock(),
            override_settings(API_REQUESTS_A_MINUTE=0, API_REQUESTS_A_MINUTE_WITHOUT_TOKEN=0),
            transaction.atomic(),
        ):
            yield Town()
            transaction.set_rollback(True)
    finally:
        for signal in (signals.request_started, signals.request_finished):
            signal.connect(close_old_connections)


@pytest.fixture(scope="module")
def schema() -> Any:
    found = schemathesis.openapi.from_dict(api_schema())
    found.app = application
    return found


def test_ids_in_addresses_are_of_something_the_town_has(town):
    names = {name.strip("{}") for _method, path in operations().values() for name in path.split("/") if "_id}" in name}
    assert {name for name in names if name.removesuffix("_id") not in MODELS} == set()
    assert {name for name in MODELS if not town.ids_of(name)} == set()


@pytest.mark.parametrize("name", operations())
def test_whatever_is_asked_the_answer_is_one_of_the_schema(name, town, schema):
    method, path = operations()[name]
    operation = schema[path][method]
    drawn = [operation.as_strategy(generation_mode=mode) for mode in (POSITIVE, POSITIVE, NEGATIVE)]
    problems: list[str] = []
    calls = 0

    @settings(
        max_examples=EACH, phases=[Phase.generate], database=None, deadline=None, suppress_health_check=[*HealthCheck]
    )
    @given(case=st.one_of(drawn), seed=st.integers(0, 2**64))
    def ask(case: Any, seed: int) -> None:
        nonlocal calls
        calls += 1
        rng = random.Random(f"{name} {seed}")
        role = rng.choice(town.roles)
        headers = {**town.apps[role].headers, "Accept-Encoding": "identity"}
        make_real(case, town, rng)
        with transaction.atomic():
            response = case.call(headers=headers)
            transaction.set_rollback(True)
        try:
            case.validate_response(response, checks=CHECKS, headers=headers)
        except BaseExceptionGroup as found:
            # All are shown, none is searched for a smaller one: the next call may go wrong in another way.
            problems.append(f"{role}: {found}")

    ask()

    if problems:
        pytest.fail("\n\n".join(problems), pytrace=False)
    assert calls >= EACH


def make_real(case: Any, town: Town, rng: random.Random) -> None:
    """Put what there is in the place of most ids, versions and secrets of a call."""

    def real(name: str, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: real(key, part) for key, part in value.items()}
        if isinstance(value, list) and name in WHOLE_ROUND and rng.randrange(2):
            return town.whole_round(game, WHOLE_ROUND[name], rng) or value
        if isinstance(value, list):
            return [real(name, part) for part in value]
        if not isinstance(value, int) or isinstance(value, bool) or rng.randrange(STAYS) == 0:
            return value
        if name == "seen":
            return town.seen_of(game, rng)
        if name in ("undoes", "since"):
            return town.version_of(game, rng)
        is_id = name.removesuffix("_id").removesuffix("s") in MODELS
        return rng.choice(town.ids_of(name, game)) if abs(value) >= SMALL or is_id else value

    game = None
    case.path_parameters = real("", dict(case.path_parameters))
    game = case.path_parameters.get("game_id")
    case.query = real("", dict(case.query))
    if not isinstance(case.body, NotSet):
        case.body = real("", case.body)
    if "If-Match" in case.headers and rng.randrange(STAYS):
        case.headers["If-Match"] = rng.choice(("*", f'"{town.version_of(game, rng)}-0"'))
    if "Game-Link" in case.headers and game in town.secrets and rng.randrange(STAYS):
        case.headers["Game-Link"] = town.secrets[game]
