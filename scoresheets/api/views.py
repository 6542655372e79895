"""What every address of the API is made of: who asks, what they may, strict reading, writing once, lists in pages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.common import no_append_slash
from rest_framework.exceptions import AuthenticationFailed, NotAcceptable, ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import rules
from scoresheets import permissions
from scoresheets.actors import Actor
from scoresheets.api import csv
from scoresheets.api.authentication import SessionAuthentication, TokenAuthentication
from scoresheets.api.pagination import MOST_ROWS, PAGE_SIZE, Order, page_of
from scoresheets.api.problems import Finding, Refused, findings_of, refusal
from scoresheets.api.schema import Operation, Schema
from scoresheets.api.throttles import Throttle
from scoresheets.models import Club, Game, Link, Membership, Token, User
from scoresheets.models.games import hash_of_secret
from scoresheets.recording.receipts import Kept, done_before, fingerprint_of, written_once

Made = TypeVar("Made")
Body = dict[str, Any]

_KEY = re.compile(r"[!-~]{1,64}")
_ENTITY_TAG = re.compile(r'\s*(?:W/)?"([!#-~]*)"\s*')
_VERSION = re.compile(r"(\d{1,18})-[\w-]+", re.ASCII)


class Negotiation(DefaultContentNegotiation):
    """As usual, but a `format` that there is not is said to be one, and so is an empty one."""

    def select_renderer(self, request: Any, renderers: Any, format_suffix: Any = None) -> Any:
        if request.query_params.get("format") == "":
            raise NotAcceptable(available_renderers=renderers)
        return super().select_renderer(request, renderers, format_suffix)

    def filter_renderers(self, renderers: Any, format: str) -> Any:
        found = [renderer for renderer in renderers if renderer.format == format]
        if not found:
            raise NotAcceptable(available_renderers=renderers)
        return found


class JsonRenderer(JSONRenderer):
    """JSON in UTF-8, as tight as it can be."""

    def get_indent(self, accepted_media_type: str, renderer_context: Any) -> int | None:
        return None


class JsonParser(BaseParser):
    """Reads JSON as the standard has it: no NaN, no name twice in one object, no half characters."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        """Return the body's value. Raises `ParseError`, and `RequestDataTooBig` for more than a form may have."""
        request = parser_context["request"]._request
        try:
            text = request.body.decode("utf-8")
            data = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
            if "\\u" in text:
                # Raises for halves of surrogate pairs, which no database takes.
                json.dumps(data, ensure_ascii=False).encode()
        except (ValueError, RecursionError):
            raise ParseError from None
        return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is there twice")
    return found


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)


class View(APIView):
    """One address. Each method carries its `schema.operation`, and the class acts by it.

    A method begins by finding what may be seen (`self.club(id)`, `self.game(id)`: 404), checks what may be done
    (`permissions.check_...`: 403), then answers with `self.answer`, `self.listed` or `self.write`.
    """

    authentication_classes = (TokenAuthentication, SessionAuthentication)
    throttle_classes = (Throttle,)
    parser_classes = (JsonParser,)
    renderer_classes = (JsonRenderer,)
    content_negotiation_class = Negotiation
    http_method_names = ["get", "post", "put", "patch", "delete", "head"]
    schema = Schema()

    #: Which field of the body each problem that recording finds is about; the others are about the whole.
    FIELD_OF: ClassVar[Mapping[str, str]] = {}

    def setup(self, request: Any, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        #: The club that this is about, as far as it is known.
        self.club_id: int | None = None
        #: The seats of the game this is about, as (id, name), in the order in which problems count them.
        self.seats: Sequence[tuple[int, str]] = ()
        self._link: Link | None = None

    @classmethod
    def as_view(cls, **options: Any) -> Any:
        # A redirect would turn a POST without the last slash into a GET.
        return no_append_slash(super().as_view(**options))

    # -- before the method -------------------------------------------------------------------------------------------

    @property
    def operation(self) -> Operation | None:
        """What this request does, None for a method that is not there."""
        method = (self.request.method or "").lower()
        return getattr(getattr(self, method, None), "operation", None)

    @property
    def said(self) -> Operation:
        """The operation of a method that is there."""
        said = self.operation
        assert said is not None
        return said

    def get_renderers(self) -> list[Any]:
        request = getattr(self, "request", None)
        said = self.operation if request is not None else None
        lists = said is not None and said.lists
        return [JsonRenderer(), csv.CsvRenderer()] if lists else [JsonRenderer()]

    def perform_authentication(self, request: Request) -> None:
        try:
            super().perform_authentication(request)
        except AuthenticationFailed:
            # Guessing is counted too.
            self.check_throttles(request)
            raise

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        said = self.operation
        if said is None:
            return
        if said.writes:
            self._check_scope(said)
        unknown = sorted(set(request.query_params) - said.known_parameters)
        if unknown:
            raise Refused(400, [refusal(400, "unknown_parameter", field=name).findings[0] for name in unknown])
        # Filters would take it for one that is not there.
        empty = sorted(name for name, values in request.query_params.lists() if "" in values)
        if empty:
            raise Refused(400, [refusal(400, "parameter_wrong", field=name).findings[0] for name in empty])
        if said.if_match == "required" and "If-Match" not in request.headers:
            raise refusal(428, "if_match_missing")

    def _check_scope(self, said: Operation) -> None:
        token = self.token
        if token is None:
            return
        if not Token.Scope(token.scope).reaches(said.scope):
            raise refusal(403, "scope_missing", scope=said.scope.value)
        if said.beyond_clubs and token.club_id is not None:
            raise refusal(403, "token_of_one_club")

    def handle_exception(self, exc: Exception) -> Any:
        """Return the answer to what was raised. Who may not do something any more for having done it, has done it."""
        said = self.operation
        is_bare = said is not None and said.writes and said.takes is None
        if is_bare and isinstance(exc, Http404 | PermissionDenied):
            key = self.request.headers.get("Idempotency-Key", "")
            if self.is_somebody and done_before(self.actor, key, self._fingerprint()):
                return Response(status=204, headers={"Idempotency-Replayed": "true"})
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        standing = getattr(getattr(request, "_request", request), "rate", None)
        if standing is not None:
            response.headers["RateLimit-Limit"] = str(standing.limit)
            response.headers["RateLimit-Remaining"] = str(standing.remaining)
            response.headers["RateLimit-Reset"] = str(standing.reset)
        # What one may see is not for the next one at the same proxy or browser.
        response.headers.setdefault("Cache-Control", "private, no-cache")
        patch_vary_headers(response, ("Authorization", "Cookie", "Game-Link"))
        return response

    # -- who asks ----------------------------------------------------------------------------------------------------

    @property
    def token(self) -> Token | None:
        """The token this request came with."""
        return self.request.auth if isinstance(self.request.auth, Token) else None

    @cached_property
    def actor(self) -> Actor:
        """Who asks (1 statement for an account): by token, signed in, by a game's link, or nobody in particular."""
        token, user = self.token, self.request.user
        if token is not None:
            return Actor.of_token(token, Membership.of_user(token.user_id), link=self._link)
        if isinstance(user, User):
            return Actor.of_user(user, Membership.of_user(user.pk), link=self._link)
        if self._link is not None:
            return Actor.of_link(self._link)
        network = Throttle().network_of(self.request)
        return Actor.of_device(fingerprint_of("api", network)[:32])

    @property
    def is_somebody(self) -> bool:
        """Whether the request says who asks: by a token, a session or a game's link."""
        is_signed_in = self.request.successful_authenticator is not None
        return is_signed_in or self._link is not None

    def signed_in(self) -> User:
        """Return the account that asks. Raises `Refused` (401) where there is none."""
        if self.actor.user is None:
            raise refusal(401, "not_authenticated", headers={"WWW-Authenticate": 'Bearer realm="api"'})
        return self.actor.user

    # -- what may be seen --------------------------------------------------------------------------------------------

    def club(self, club_id: int) -> Club:
        """Return a club that may be seen (1 statement, and 1 for the actor). Raises `Http404`."""
        club = Club.with_id(club_id)
        if club is None or not permissions.can_see_club(self.actor, club):
            raise Http404
        self.club_id = club.pk
        return club

    def game(self, game_id: int) -> Game:
        """Return a game that may be seen, by the header `Game-Link` or in its club (at most 3 statements).

        From then on the actor has what the link allows. Raises `Http404`.
        """
        secret = self.request.headers.get("Game-Link", "")
        opened = Link.opened_by(game_id, hash_of_secret(secret)) if secret else None
        game: Game | None
        if opened is not None and opened[2]:
            game, self._link = opened[:2]
            # Whoever was asked for before had no link yet.
            self.__dict__.pop("actor", None)
        else:
            game = Game.objects.select_related("club").filter(pk=game_id, club__isnull=False).first()
        if game is None or not permissions.can_see(self.actor, game):
            raise Http404
        self.club_id = game.club_id
        return game

    # -- what was found wrong ----------------------------------------------------------------------------------------

    @property
    def names_of_seats(self) -> list[str]:
        """The names by which sentences about problems say who."""
        return [name for _id, name in self.seats]

    def field_of(self, problem: rules.Problem) -> str | None:
        """Return the field of the body that a problem is about, None for the whole."""
        return self.FIELD_OF.get(problem.code)

    def seat_of(self, problem: rules.Problem) -> int | None:
        """Return the id of the seat that a problem is about, None for none."""
        if problem.seat is None or problem.seat >= len(self.seats):
            return None
        return self.seats[problem.seat][0]

    # -- reading -----------------------------------------------------------------------------------------------------

    def answer(self, body: Body, *, etag: str = "", status: int = 200) -> Response:
        """Answer with a body; one whose `etag` (without quotes) is known already is not sent again."""
        headers = {"ETag": f'"{etag}"'} if etag else {}
        if etag and self.request.method in ("GET", "HEAD") and self._knows(etag):
            return Response(status=304, headers=headers)
        return Response(body, status=status, headers=headers)

    def _knows(self, etag: str) -> bool:
        known = self.request.headers.get("If-None-Match", "")
        return known.strip() == "*" or etag in _tags_in(known)

    def listed(self, rows: QuerySet, read: Callable[[Sequence[Any]], Sequence[Body]]) -> Response | HttpResponse:
        """Answer with a page of a list, or all of it as CSV.

        `read` makes answers of the rows of a page, in the same order. 1 statement for the page beside what `read` does.
        """
        said = self.said
        if said.filters is not None and not said.filters.base_filters.keys().isdisjoint(self.request.query_params):
            rows = self._filtered(rows, said)
        name = self.request.query_params.get("ordering", next(iter(said.orders)))
        if name not in said.orders:
            raise refusal(400, "choice_unknown", field="ordering")
        order, cursor = said.orders[name], self.request.query_params.get("cursor")
        size = self._page_size()
        if self.request.accepted_renderer.format == "csv":
            return self._as_csv(rows, read, name, order, cursor)
        page = page_of(rows, name, order, size=size, cursor=cursor)
        return Response(
            {
                "next": self._address_of(page.next),
                "previous": self._address_of(page.previous),
                "results": read(page.rows),
            }
        )

    def _filtered(self, rows: QuerySet, said: Operation) -> QuerySet:
        assert said.filters is not None
        # The library would leave an empty one out, and answer with what nobody asked for.
        empty = [name for name in said.filters.base_filters if self.request.query_params.get(name) == ""]
        if empty:
            raise refusal(400, "parameter_wrong", field=empty[0])
        found = said.filters(self.request.query_params, queryset=rows, request=self.request)
        if not found.is_valid():
            errors = found.errors.get_json_data()
            raise Refused(
                400,
                [
                    Finding("parameter_wrong", str(error["message"]), field)
                    for field, all_of_it in errors.items()
                    for error in all_of_it
                ],
            )
        return found.qs

    def _page_size(self) -> int:
        text = self.request.query_params.get("page_size", str(PAGE_SIZE))
        size = int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else 0
        if not 1 <= size <= MOST_ROWS:
            raise refusal(400, "page_size_out_of_range", field="page_size", most=MOST_ROWS)
        return size

    def _as_csv(self, rows: QuerySet, read: Any, name: str, order: Order, cursor: str | None) -> HttpResponse:
        found: list[Body] = []
        page = None
        while len(found) < csv.MOST_ROWS and (page is None or page.next is not None):
            after = cursor if page is None else str(page.next)
            page = page_of(rows, name, order, size=min(1000, csv.MOST_ROWS - len(found)), cursor=after)
            found += read(page.rows)
        return self.csv_answer(found, self._address_of(page and page.next))

    def csv_answer(self, rows: Sequence[Body], following: str | None) -> HttpResponse:
        """Answer with rows of a list as CSV; `following` is the address of what comes behind them, None for nothing."""
        said = self.said
        assert isinstance(said.answer, type)
        headers = {"Content-Disposition": f'attachment; filename="{said.name}.csv"'}
        if following is not None:
            headers["Link"] = f'<{following}>; rel="next"'
        text = csv.csv_of(rows, list(said.answer().fields))
        return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=headers)

    def _address_of(self, cursor: Any) -> str | None:
        if cursor is None:
            return None
        query = self.request.query_params.copy()
        query["cursor"] = str(cursor)
        return self.request.build_absolute_uri(f"{self.request.path}?{query.urlencode()}")

    # -- writing -----------------------------------------------------------------------------------------------------

    def sent(self) -> Body:
        """Return what was sent, as the operation's shape has read it. Raises `Refused` (400) with all problems."""
        assert self.said.takes is not None
        shape = self.said.takes(data=self.request.data)
        if not shape.is_valid():
            raise Refused(400, list(findings_of(shape.errors)))
        return dict(shape.validated_data)

    @cached_property
    def key(self) -> str | None:
        """The request's `Idempotency-Key`, None without one. Raises `Refused` (400) for one that is none."""
        key = self.request.headers.get("Idempotency-Key")
        if key is not None and not _KEY.fullmatch(key):
            raise refusal(400, "key_malformed", field="Idempotency-Key")
        return key

    def write(
        self,
        act: Callable[[], Made],
        answer: Callable[[Made], Body] | None = None,
        *,
        secrets: Sequence[str] = (),
        etag: Callable[[Made], str] | None = None,
    ) -> Response:
        """Do something once, and answer with what `answer` makes of its result; without `answer` with nothing.

        With an `Idempotency-Key` all of it is one transaction with the answer that is kept: the same request again
        gets that. Call it when it is decided what may be seen and done. The fields named in `secrets` are not kept:
        for a repeat `act` is run again, so it has to give `key=self.key` to a recording function that knows its secret
        again by that. Raises what `act` raises; then nothing is written.
        """
        said = self.said

        def once() -> Kept:
            made = act()
            body = _plain(answer(made)) if answer is not None else None
            headers = {"ETag": f'"{etag(made)}"'} if etag is not None else {}
            return Kept(said.status, body, headers)

        kept, is_repeat = written_once(
            self.actor, self.key, self._fingerprint(), once, secrets=tuple(secrets), club_id=self.club_id
        )
        headers = {**kept.headers, **({"Idempotency-Replayed": "true"} if is_repeat else {})}
        return Response(kept.body, status=kept.status, headers=headers)

    def _fingerprint(self) -> str:
        """Return a hash of what is asked: the same again is a repeat."""
        content = self.request.data if self.said.takes is not None else None
        return fingerprint_of(self.request.method, self.request.path, content)

    def check_version(self, version: int) -> None:
        """Compare a game's version, read under its lock, with `If-Match`, if there is one. Raises `Refused` (412)."""
        wanted = self.request.headers.get("If-Match")
        if wanted is None or wanted.strip() == "*":
            return
        versions = {found[1] for tag in _tags_in(wanted) if (found := _VERSION.fullmatch(tag))}
        if str(version) not in versions:
            raise refusal(412, "version_stale")


def _tags_in(header: str) -> Iterator[str]:
    """Yield the entity tags of a header, weak or not, without their quotes."""
    return (found[1] for part in header.split(",") if (found := _ENTITY_TAG.fullmatch(part)))


def _plain(body: Body) -> Body:
    """Return a body with all its times as texts, as it is sent."""
    return json.loads(JSONRenderer().render(body))
