"""What each operation takes, answers and needs, said once: views act by it, the OpenAPI schema is made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Literal, TypeVar

from django_filters import FilterSet
from drf_spectacular.contrib.django_filters import DjangoFilterExtension
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse
from rest_framework import serializers

from scoresheets.api import csv
from scoresheets.api.fields import Answer, Id, Shape, Text, Whole
from scoresheets.api.pagination import MOST_ROWS, PAGE_SIZE, Order
from scoresheets.api.problems import MEDIA_TYPE
from scoresheets.models import Token

Scope = Token.Scope
ID = {"type": "integer", "format": "int64", "minimum": 1, "maximum": 10**18 - 1}

#: What each status means, where an operation says no more of it.
MEANINGS: Mapping[int, str] = {
    400: "The request is not as this page says, or breaks a rule of the game: every problem is named.",
    401: "The token is unknown, revoked or expired, or there is none and this needs somebody.",
    403: "The token, or its account, may see this but not do it.",
    404: "There is no such thing, or not for whoever asks: both look alike.",
    406: "Only the media types of this page are answered.",
    409: "It is not as the request expects: somebody else was faster, or something stands against it.",
    412: "`If-Match` names a version that is no longer the newest. Nothing was written.",
    413: "The body is too large.",
    415: "The body is not `application/json`.",
    422: "The `Idempotency-Key` came with another request before. Nothing was written.",
    428: "This needs an `If-Match`.",
    429: "Too many requests: `Retry-After` says how many seconds to wait.",
}


class FoundProblem(Answer):
    code = Text(help_text="What is wrong. Codes are stable; the page of problems lists them all.")
    detail = Text(help_text="The same as a sentence, in the language of `Accept-Language` (de or en).")
    field = Text(
        allow_null=True,
        help_text="The field of the body, or the parameter, it is about: `name`, `seats.2.name`; null for the whole.",
    )
    seat = Id(allow_null=True, help_text="The id of the seat it is about, null for none.")


class Problem(Answer):
    """Why a request was refused (RFC 9457). At the top stands the first problem; `problems` has all of them."""

    type = serializers.URLField(help_text="Where the code is explained.")
    title = Text(help_text="What kind of problem it is, the same for each one of the status.")
    status = Whole(least=400, most=599, help_text="The status of the answer.")
    code = Text(help_text="What is wrong. Codes are stable; the page of problems lists them all.")
    detail = Text(help_text="The same as a sentence, in the language of `Accept-Language` (de or en).")
    field = Text(allow_null=True, help_text="The field of the body, or the parameter, it is about; null for the whole.")
    seat = Id(allow_null=True, help_text="The id of the seat it is about, null for none.")
    problems = FoundProblem(many=True, help_text="All that was found wrong, at least one.")


@lru_cache
def page_shape(of: type[Answer]) -> type[Answer]:
    """Return the shape of a page of a list."""
    fields = {
        "next": serializers.URLField(allow_null=True, help_text="The address of the next page, null on the last one."),
        "previous": serializers.URLField(
            allow_null=True, help_text="The address of the page before, null on the first one."
        ),
        "results": of(many=True, help_text="The rows of this page, in the order of the list."),
    }
    name = f"{of.__name__.removesuffix('Answer')}Page"
    return type(name, (Answer,), {**fields, "__doc__": "One page of a list."})


# -- an operation ----------------------------------------------------------------------------------------------------

Handler = TypeVar("Handler", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one address; the arguments of `operation` explain the fields."""

    name: str
    summary: str
    tag: str
    description: str
    answer: type[Answer] | dict[Any, Any] | None
    status: int
    takes: type[Shape] | None
    scope: Scope
    beyond_clubs: bool
    writes: bool
    lists: bool
    filters: type[FilterSet] | None
    orders: Mapping[str, Order]
    parameters: Sequence[OpenApiParameter]
    errors: Mapping[int, Sequence[str]]
    if_match: Literal["", "optional", "required"]
    etag: bool
    game_link: bool
    examples: Sequence[OpenApiExample] = field(default=())

    @property
    def known_parameters(self) -> frozenset[str]:
        """The names of all query parameters; others are refused."""
        names = {one.name for one in self.parameters if one.location == OpenApiParameter.QUERY and not one.response}
        if self.filters is not None:
            names |= set(self.filters.base_filters)
        if self.lists:
            names |= {"page_size", "cursor", "format"}
            names |= {"ordering"} if len(self.orders) > 1 else set()
        return frozenset(names)

    @property
    def statuses(self) -> dict[int, Sequence[str]]:
        """Every status of a refusal, and the codes named for it."""
        found: dict[int, Sequence[str]] = dict.fromkeys((400, 401, 404, 406, 429), ())
        if self.writes:
            found |= dict.fromkeys((403, 409, 422), ())
        if self.takes is not None:
            found |= dict.fromkeys((413, 415), ())
        if self.if_match:
            found[412] = ("version_stale",)
        if self.if_match == "required":
            found[428] = ("if_match_missing",)
        return dict(sorted((found | dict(self.errors)).items()))


def operation(
    name: str,
    *,
    summary: str,
    tag: str,
    answer: type[Answer] | dict[Any, Any] | None,
    status: int = 0,
    takes: type[Shape] | None = None,
    writes: bool | None = None,
    scope: Scope = Scope.RECORD,
    beyond_clubs: bool = False,
    lists: bool = False,
    filters: type[FilterSet] | None = None,
    orders: Mapping[str, Order] | None = None,
    parameters: Sequence[OpenApiParameter] = (),
    errors: Mapping[int, Sequence[str]] | None = None,
    if_match: Literal["", "optional", "required"] = "",
    etag: bool = False,
    game_link: bool = False,
    examples: Sequence[OpenApiExample] = (),
) -> Callable[[Handler], Handler]:
    """Return a decorator that says all there is to know of a view's method; its docstring is the description.

    `name` is the operationId (`clubs_list`). `answer` is the shape of the answer (None: 204), or a dict of shapes by
    status and media type as the schema library takes it; `status` is 200, or 204 without an answer, unless given.
    `takes` is the shape of the body. `writes` (every method but GET, unless
    given) makes a token need `scope`; `beyond_clubs`: and be for no club alone. `lists` answers pages of `answer`, with
    `filters` and `orders` (the first one is the usual one). `parameters` are further ones. `errors` names codes by
    status beside those that follow from all this. `if_match` and `etag` say what versions have to do with it,
    `game_link` that the header `Game-Link` is read.
    """

    def decorate(handler: Handler) -> Handler:
        method = handler.__name__
        handler.operation = Operation(  # type: ignore[attr-defined]
            name=name,
            summary=summary,
            tag=tag,
            description=_unwrapped(handler.__doc__ or ""),
            answer=answer,
            status=status or (HTTPStatus.NO_CONTENT if answer is None else HTTPStatus.OK),
            takes=takes,
            scope=scope,
            beyond_clubs=beyond_clubs,
            writes=method != "get" if writes is None else writes,
            lists=lists,
            filters=filters,
            orders=orders or {},
            parameters=parameters,
            errors=errors or {},
            if_match=if_match,
            etag=etag,
            game_link=game_link,
            examples=examples,
        )
        return handler

    return decorate


def _unwrapped(docstring: str) -> str:
    """Return a docstring with its paragraphs on one line each."""
    paragraphs = docstring.strip().split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


# -- its place in the schema -----------------------------------------------------------------------------------------

_EVERYWHERE = [
    OpenApiParameter(
        name,
        {"type": "integer", "minimum": 0},
        OpenApiParameter.HEADER,
        required=False,
        description=description,
        response=True,
    )
    for name, description in (
        ("RateLimit-Limit", "How many requests a minute there are."),
        ("RateLimit-Remaining", "How many are left in this minute."),
        ("RateLimit-Reset", "In how many seconds the next minute begins."),
    )
]
_ENTITY_TAG = {"type": "string", "examples": ['"12-5f0c3a1b"']}


def _header(name: str, schema: dict[str, Any], description: str, **options: Any) -> OpenApiParameter:
    return OpenApiParameter(name, schema, OpenApiParameter.HEADER, description=description, **options)


_IDEMPOTENCY_KEY = _header(
    "Idempotency-Key",
    {"type": "string", "pattern": "^[!-~]{1,64}$", "maxLength": 64},
    "Any text of 1 to 64 visible ASCII characters, new for each thing to be done (a UUID is one). With the same key and"
    " request again nothing is done twice: the first answer comes again, for at least 7 days.",
)
_REPLAYED = _header(
    "Idempotency-Replayed", {"type": "string", "const": "true"}, "This answer was given before.", response=True
)
_GAME_LINK = _header(
    "Game-Link",
    {"type": "string"},
    "The secret of one of the game's links: it allows what the link allows. A quick game is reached by nothing else.",
)


class Schema(AutoSchema):
    """Makes a view's operation part of the schema."""

    @property
    def _operation(self) -> Operation | None:
        return getattr(getattr(self.view, self.method.lower(), None), "operation", None)

    @property
    def operation(self) -> Operation:
        found = self._operation
        assert found is not None, f"{self.method} {self.path} does not say what it is"
        return found

    def is_excluded(self) -> bool:
        return self._operation is None

    def get_operation_id(self) -> str:
        return self.operation.name

    def get_summary(self) -> str:
        return self.operation.summary

    def get_description(self) -> str:  # type: ignore[override]
        said = self.operation
        parts = [said.description]
        if said.writes:
            parts.append(f"A token needs the scope `{said.scope.value}`{' and no club' if said.beyond_clubs else ''}.")
        return "\n\n".join(filter(None, parts))

    def get_tags(self) -> list[str]:
        return [self.operation.tag]

    def get_request_serializer(self) -> Any:
        takes = self.operation.takes
        return None if takes is None else takes()

    def get_response_serializers(self) -> Any:
        said = self.operation
        found: dict[Any, Any]
        if isinstance(said.answer, dict):
            found = dict(said.answer)
        elif said.answer is None:
            found = {said.status: OpenApiResponse(description="It is done.")}
        elif said.lists:
            found = {
                (200, "application/json"): OpenApiResponse(page_shape(said.answer), f"{said.summary}."),
                (200, "text/csv"): OpenApiTypes.STR,
            }
        else:
            found = {(said.status, "application/json"): OpenApiResponse(said.answer, f"{said.summary}.")}
        if said.etag and not said.writes:
            found[304] = OpenApiResponse(description="Nothing has changed since the `ETag` in `If-None-Match`.")
        for status, codes in said.statuses.items():
            named = ", ".join(f"`{code}`" for code in codes)
            text = f"{MEANINGS[status]} Among others: {named}." if named else MEANINGS[status]
            found[status, MEDIA_TYPE] = OpenApiResponse(Problem, text)
        return found

    def get_override_parameters(self) -> list[Any]:
        said = self.operation
        found = [*said.parameters, *_EVERYWHERE]
        if said.lists:
            found += _list_parameters(said)
        if said.writes:
            found += [_IDEMPOTENCY_KEY, _REPLAYED]
        if said.game_link:
            found.append(_GAME_LINK)
        if said.etag:
            found.append(
                _header("ETag", _ENTITY_TAG, "The version of the answer.", response=[said.status], required=True)
            )
            if not said.writes:
                found.append(_header("If-None-Match", {"type": "string"}, "An `ETag` got before: 304 if it still is."))
        if said.if_match:
            text = "The `ETag` of the game as it was seen (or `*`): 412 if it has changed since."
            found.append(_header("If-Match", {"type": "string"}, text, required=said.if_match == "required"))
        return found

    def _resolve_path_parameters(self, variables: Any) -> list[Any]:
        found: list[Any] = super()._resolve_path_parameters(variables)
        for parameter in found:
            what = parameter["name"].removesuffix("_id").replace("_", " ")
            parameter.setdefault("description", f"The id of the {what}.")
        return found

    def _get_filter_parameters(self) -> list[Any]:
        filters = self.operation.filters
        if filters is None:
            return []
        extension = DjangoFilterExtension(filters)
        found: list[Any] = []
        for name, one in filters.base_filters.items():
            for parameter in extension.resolve_filter_field(self, filters._meta.model, filters, name, one):
                parameter["description"] = str(one.extra.get("help_text", ""))
                found.append(parameter)
        return found

    def _get_pagination_parameters(self) -> list[Any]:
        return []

    def _get_format_parameters(self) -> list[Any]:
        return []

    def get_examples(self) -> list[OpenApiExample]:
        return list(self.operation.examples)

    def _get_serializer_name(self, serializer: Any, direction: Any, bypass_extensions: bool = False) -> str:
        return super()._get_serializer_name(serializer, direction, bypass_extensions).removesuffix("Answer")

    def _map_serializer_field(self, field: Any, direction: Any, bypass_extensions: bool = False) -> Any:
        found = super()._map_serializer_field(field, direction, bypass_extensions)
        most = getattr(field, "max_length", None) if isinstance(field, serializers.ListSerializer) else None
        if most is not None:
            # The library knows lists of plain values only.
            found["maxItems"] = most
        return found

    def _map_serializer(self, serializer: Any, direction: Any, bypass_extensions: bool = False) -> Any:
        found = super()._map_serializer(serializer, direction, bypass_extensions)
        if isinstance(serializer, Shape) or (isinstance(serializer, type) and issubclass(serializer, Shape)):
            found["additionalProperties"] = False
        return found


def _list_parameters(said: Operation) -> list[OpenApiParameter]:
    found = [
        OpenApiParameter(
            "page_size",
            {"type": "integer", "minimum": 1, "maximum": MOST_ROWS, "default": PAGE_SIZE},
            description="How many rows a page has.",
        ),
        OpenApiParameter("cursor", str, description="Which page, as `next` and `previous` name it."),
        OpenApiParameter(
            "format",
            {"type": "string", "enum": ["json", "csv"]},
            description=f"`csv` answers the whole list as `text/csv`, as `Accept: text/csv` does, up to"
            f" {csv.MOST_ROWS} rows; where it goes on, the header `Link` says.",
        ),
    ]
    if len(said.orders) > 1:
        usual = next(iter(said.orders))
        found.append(
            OpenApiParameter(
                "ordering",
                {"type": "string", "enum": list(said.orders), "default": usual},
                description="The order of the list; with a minus it falls.",
            )
        )
    return found


# -- the schema as a whole -------------------------------------------------------------------------------------------

#: What each tag holds, in the order in which they are shown.
TAGS: Mapping[str, str] = {
    "me": "The account that asks: its clubs, and its own numbers over all of them.",
    "token": "Who asks: the account and what its token allows.",
    "clubs": "Clubs: one's own, founding, changing and deleting one.",
    "members": "Who belongs to a club, in which role, and invitations to it.",
    "players": "Whom a club knows by name, whose accounts they are, and duplicates that were merged.",
    "games": "Games: reading them, starting them, every act on one at an address of its own, and what was done when.",
    "evenings": "A club's game nights: planned, answered, opened, with tables drawn and games started there.",
    "seasons": "Seasons of a club: their rule, their table, and the games behind every number.",
    "statistics": "Lifetime numbers, comparisons, records, ratings, and what a bid is worth.",
    "engine": "The rules by themselves: plans, house rules, who takes a trick, what may be played, what it scores.",
    "webhooks": "Where the site calls when something has happened to a club's games, and what came of it.",
}


DESCRIPTION = """\
Games, clubs, evenings, seasons and statistics for other programs: what the pages do, by the same rules.

- **Who asks**: `Authorization: Bearer tfr_…`, a token that its account has made on the page of tokens. Without one, it
  is what strangers may see; a quick game needs the secret of its link alone, in `Game-Link`.
- **Repeats**: any write may carry an `Idempotency-Key`. The same key and request again does nothing twice and gets the
  first answer.
- **Versions**: the `ETag` of a game goes into `If-None-Match` (304 while nothing has changed) and `If-Match` (412 if
  something has).
- **Refusals**: `application/problem+json`, with a stable `code` for programs and a sentence for people.
- **Additions**: operations, fields, codes and choices may come; nothing goes or changes its meaning in v1.
"""


def tidied(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Return the schema with what it is about, its tags explained, and choices that may be null as a choice or null.

    Generators of clients make one type of such a choice, not one for each type and a mixture.
    """
    tidy: dict[str, Any] = _tidied(result)
    tidy["info"]["description"] = DESCRIPTION
    used = {tag for methods in result["paths"].values() for said in methods.values() for tag in said["tags"]}
    tidy["tags"] = [{"name": name, "description": TAGS[name]} for name in TAGS if name in used]
    return tidy


def _tidied(part: Any) -> Any:
    if isinstance(part, list):
        return [_tidied(inner) for inner in part]
    if not isinstance(part, dict):
        return part
    # The library's own note on which choices are the same.
    found = {name: _tidied(inner) for name, inner in part.items() if name != "x-spec-enum-id"}
    choices = found.get("enum")
    if isinstance(choices, list) and None in choices:
        values = [choice for choice in choices if choice is not None]
        kind = next(name for name in found["type"] if name != "null")
        rest = {name: inner for name, inner in found.items() if name not in ("enum", "type")}
        return {"oneOf": [{"type": kind, "enum": values}, {"type": "null"}], **rest}
    return found


class TokenScheme(OpenApiAuthenticationExtension):
    target_class = "scoresheets.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        text = "A token of an account, made on its page of tokens: `Authorization: Bearer tfr_…`."
        return {"type": "http", "scheme": "bearer", "bearerFormat": "tfr_ and 40 characters", "description": text}


class SessionScheme(OpenApiAuthenticationExtension):
    target_class = "scoresheets.api.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        text = "The session of somebody signed in on these pages, to try things out; writes need the CSRF token."
        return {"type": "apiKey", "in": "cookie", "name": "sessionid", "description": text}
