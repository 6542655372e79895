"""The walk of docs/api.md, command by command: bash reads them as a reader's shell does, answers are as shown."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.conf import settings

from tests.scoresheets.api.helpers import Answer, Api, api_schema, token_of
from tests.scoresheets.clubs import make_club, owner_of

PAGE = settings.BASE_DIR / "docs" / "api.md"
SITE = "http://testserver"
#: Options of curl that say how it prints.
PRINTING = {"-sS": 0, "-o": 1, "-w": 1}


def blocks(heading: str) -> Iterator[tuple[str, str]]:
    """Yield language and text of every block of code under a heading of the page."""
    _before, _heading, rest = PAGE.read_text().partition(f"\n## {heading}\n")
    yield from re.findall(r"^```(\w+)\n(.*?)^```$", rest.partition("\n## ")[0], re.DOTALL | re.MULTILINE)


def lines_of(text: str) -> Iterator[str]:
    """Yield the commands of a block, each with all of its lines."""
    command = ""
    for line in text.splitlines():
        command += f"{line}\n"
        if not line.endswith("\\") and command.count("'") % 2 == 0:
            yield command
            command = ""
    assert command == ""


@dataclass
class Request:
    """What a curl command asks for."""

    path: str = ""
    method: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    body: Any = None

    @classmethod
    def of(cls, command: str, variables: Mapping[str, str]) -> Request:
        """Return what curl would be given by bash."""
        values = "".join(f"{name}='{value}'\n" for name, value in variables.items())
        script = f"set -u\ncurl() {{ printf '%s\\0' \"$@\"; }}\n{values}{command}"
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True, timeout=30)
        words, request = iter(done.stdout.split("\0")[:-1]), cls()
        for word in words:
            if word in PRINTING:
                for _value in range(PRINTING[word]):
                    next(words)
            elif word == "-H":
                name, _colon, value = next(words).partition(": ")
                request.headers[name.replace("-", "_")] = value
            elif word == "--json":
                request.body, request.method = json.loads(next(words)), request.method or "POST"
            elif word == "-X":
                request.method = next(words)
            else:
                assert word.startswith(f"{SITE}/"), word
                assert request.path == "", "two addresses"
                request.path = word.removeprefix(SITE)
        return request


def found_in(answer: Answer, where: str) -> str:
    """Return what stands at a place of an answer: `header ETag`, or `.results[0].id` of its body."""
    if where.startswith("header "):
        return answer.headers[where.removeprefix("header ")]
    value = answer.body
    for name, place in re.findall(r"\.(\w+)|\[(\d+)\]", where):
        value = value[name] if name else value[int(place)]
    return str(value)


def shown(part: Any, whole: Any) -> Any:
    """Return what an answer has in the places of a shown excerpt: equal to that if nothing is shown wrongly."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return {name: shown(inner, whole.get(name, "missing")) for name, inner in part.items()}
    if isinstance(part, list) and isinstance(whole, list) and len(part) == len(whole):
        return [shown(inner, other) for inner, other in zip(part, whole, strict=True)]
    return whole


@pytest.mark.django_db
def test_the_walk_from_a_token_to_a_finished_game_is_as_shown():
    club = make_club("Runde", owner="Annika")
    variables = {"SITE": SITE, "TOKEN": token_of(owner_of(club), "record")[1]}
    answer: Answer | None = None
    calls = checked = 0
    for language, text in list(blocks("From a token to a finished game"))[1:]:
        if language == "json":
            assert answer is not None
            excerpt = json.loads(text)
            assert shown(excerpt, answer.body) == excerpt
            assert answer.status == excerpt.get("status", answer.status)
            checked += 1
        elif language == "text":
            assert answer is not None
            assert answer.status == int(text)
            checked += 1
        else:
            for line in lines_of(text):
                assigned = re.fullmatch(r"(\w+)=(\S+) +# (.+)\n", line)
                if assigned:
                    assert answer is not None
                    variables[assigned[1]] = found_in(answer, assigned[3])
                else:
                    request = Request.of(line, variables)
                    answer = Api().ask(request.method or "GET", request.path, request.body, **request.headers)
                    calls += 1
    assert (calls, checked) == (15, 11)


def test_what_the_page_calls_by_name_is_there():
    """Addresses, codes and headers that the page mentions."""
    page = PAGE.read_text()
    paths = {re.sub(r"\{\w+\}", "{id}", path) for path in api_schema()["paths"]}
    paths |= {f"/api/v1/{name}/" for name in ("docs", "schema", "problems")}
    for path in set(re.findall(r"/api/v1/[\w/{}-]+/", page)):
        plain = re.sub(r"/\d+/", "/{id}/", re.sub(r"\{\w+\}", "{id}", path))
        assert plain in paths or any(known.startswith(plain) for known in paths), path


def test_the_wrong_excerpt_would_be_found():
    assert shown({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3, "c": 4}], "d": 5}) == {"a": [1, {"b": 3}]}
    assert shown({"a": 1}, {}) == {"a": "missing"}
