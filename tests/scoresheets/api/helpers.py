"""Asking the API as an app does; every answer is compared with what the schema says of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import jsonschema_rs
from django.http import HttpResponse
from django.test import Client

from scoresheets.actors import Actor
from scoresheets.api.docs import schema_dict
from scoresheets.models import Club, Token, User
from scoresheets.recording.tokens import make_token

PROBLEM = "application/problem+json"


def token_of(who: User | Actor, scope: str = "manage", club: Club | None = None) -> tuple[Token, str]:
    """Return a new token of an account and its secret."""
    user = who.user if isinstance(who, Actor) else who
    return make_token(name="App", scope=scope, club=club, days=30, by=Actor.of_user(user))


class Api:
    """An app: with a token, on behalf of somebody signed in, or nobody in particular."""

    def __init__(self, secret: str = "", client: Client | None = None, **headers: str) -> None:
        self.client = client or Client()
        self.headers = {**({"Authorization": f"Bearer {secret}"} if secret else {}), **headers}

    @classmethod
    def of(cls, who: User | Actor, scope: str = "manage", club: Club | None = None, **headers: str) -> Api:
        """Return an app with a new token of this account."""
        return cls(token_of(who, scope, club)[1], **headers)

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.ask("POST", path, body, **headers)

    def put(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.ask("PUT", path, body, **headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.ask("PATCH", path, body, **headers)

    def delete(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.ask("DELETE", path, body, **headers)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send a request (headers are written with _ for -) and return its answer, once the schema agrees with it."""
        path = path if path.startswith(("/", "http")) else f"/api/v1/{path}"
        all_headers = {name.replace("_", "-"): value for name, value in {**self.headers, **headers}.items()}
        content = {} if body is None else {"data": json.dumps(body), "content_type": "application/json"}
        response = whole(self.client.generic(method, path, headers=all_headers, **content))
        check_against_schema(method, path, response)
        return Answer(response)


def whole(response: Any) -> Any:
    """Return an answer that came in pieces as one."""
    if not response.streaming:
        return response
    return HttpResponse(response.getvalue(), status=response.status_code, headers=response.headers)


class Answer:
    """What came back: status, headers, and the body as a value (None: none)."""

    def __init__(self, response: Any) -> None:
        self.status = response.status_code
        self.headers = response.headers
        self.text = response.content.decode()
        is_json = "json" in response.headers.get("Content-Type", "")
        self.body: Any = json.loads(self.text) if is_json and self.text else None

    @property
    def code(self) -> str | None:
        """The code of the first problem, None where there is none."""
        return self.body.get("code") if self.headers.get("Content-Type") == PROBLEM else None

    @property
    def refusal(self) -> tuple[int, str | None]:
        return self.status, self.code

    @property
    def problems(self) -> list[tuple[str, str | None]]:
        """Code and field of every problem."""
        return [(problem["code"], problem["field"]) for problem in self.body["problems"]]


# -- the schema ------------------------------------------------------------------------------------------------------


@cache
def api_schema() -> dict[str, Any]:
    """Return the schema, made once."""
    return schema_dict()


def operations() -> dict[str, tuple[str, str]]:
    """Return method and path of every operation by its id."""
    return {
        said["operationId"]: (method.upper(), path)
        for path, methods in api_schema()["paths"].items()
        for method, said in methods.items()
    }


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    # Fixed parts before parameters, as the addresses themselves are matched.
    paths = sorted(api_schema()["paths"], key=lambda path: path.count("{"))
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path) for path in paths]


def _path_item(path: str) -> Mapping[str, Any] | None:
    plain = re.sub(r"^https?://[^/]+", "", path).split("?")[0]
    found = next((name for pattern, name in _patterns() if pattern.fullmatch(plain)), None)
    return None if found is None else api_schema()["paths"][found]


def check_against_schema(method: str, path: str, response: Any) -> None:
    """Fail unless status, media type and body of an answer are among those that the schema has for the operation."""
    said = (_path_item(path) or {}).get("get" if method == "HEAD" else method.lower())
    kind = response.headers.get("Content-Type", "").split(";")[0]
    if said is None:
        assert response.status_code in (404, 405), f"{method} {path} is not in the schema"
        assert kind == PROBLEM
        return
    expected = said["responses"].get(str(response.status_code))
    assert expected is not None, f"{said['operationId']} answers {response.status_code}: {response.content[:500]!r}"
    for name, header in expected.get("headers", {}).items():
        assert name in response.headers or not header.get("required"), f"{said['operationId']}: no {name}"
    if "content" not in expected:
        assert response.content == b""
    elif method != "HEAD":
        assert kind in expected["content"], f"{said['operationId']} answers {kind}"
        if kind.endswith("json"):
            _validator(json.dumps(expected["content"][kind]["schema"])).validate(json.loads(response.content))


@cache
def _validator(schema: str) -> Any:
    root = {**json.loads(schema), "components": _strict(api_schema()["components"])}
    return jsonschema_rs.Draft202012Validator(root, validate_formats=True)


def _strict(schema: Any) -> Any:
    """Return the schema with all fields that an object may have named: nothing is answered that is not described."""
    if isinstance(schema, list):
        return [_strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: _strict(part) for name, part in schema.items()}
    if found.get("type") == "object" and "properties" in found:
        found.setdefault("additionalProperties", False)
    return found
