"""Refusals as `application/problem+json` (RFC 9457): one shape for every error below `/api/`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.core.exceptions import DisallowedHost, PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from rest_framework import exceptions
from rest_framework.settings import api_settings

import rules
from scoresheets import wording
from scoresheets.recording import Conflict

MEDIA_TYPE = "application/problem+json"
#: Where every address of the API begins.
ROOT = "/api/"
CHALLENGE = 'Bearer realm="api"'

#: What is wrong with the shape of a field: the framework's codes, and ours.
_SHAPE_CODES: Mapping[str, str] = {
    "required": "field_missing",
    "null": "field_null",
    "blank": "field_blank",
    "empty": "field_empty",
    "max_length": "too_long",
    "max_string_length": "too_long",
    "min_length": "too_short",
    "max_value": "too_large",
    "min_value": "too_small",
    "invalid_choice": "choice_unknown",
    "null_characters_not_allowed": "characters_not_allowed",
    "surrogate_characters_not_allowed": "characters_not_allowed",
    **{code: code for code in ("unknown_field", "characters_not_allowed", "choice_unknown")},
}
SHAPE_CODE = "wrong_type"

#: The framework's refusals that say all by their status.
_STATUS_CODES: Mapping[type[exceptions.APIException], str] = {
    exceptions.ParseError: "body_unreadable",
    exceptions.NotFound: "not_found",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.NotAcceptable: "not_acceptable",
    exceptions.UnsupportedMediaType: "media_type_unsupported",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: a stable code, a sentence for people, and where: a field's path, a seat's id."""

    code: str
    detail: str
    field: str | None = None
    seat: int | None = None


class Refused(Exception):
    """A request that is refused with a status, for at least one reason."""

    def __init__(self, status: int, findings: Sequence[Finding], *, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status, [finding.code for finding in findings])
        self.status = status
        self.findings = tuple(findings)
        self.headers = dict(headers or {})


def refusal(
    status: int, code: str, *, field: str | None = None, headers: Mapping[str, str] | None = None, **values: Any
) -> Refused:
    """Return the refusal with this code, to be raised; `values` are what its sentence in `wording` needs."""
    return Refused(status, [Finding(code, wording.refusal_in_words(code, **values), field)], headers=headers)


def handle(error: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """Return the answer to whatever a view raised, or None for what nobody expected: that is a 500."""
    view = context["view"]
    refused = _refused(error, view)
    return None if refused is None else answer_of(refused, view.request)


def answer_of(refused: Refused, request: Any) -> HttpResponse:
    """Return a refusal as the answer to a request."""
    first = refused.findings[0]
    findings = [_as_dict(finding) for finding in refused.findings]
    body = {
        "type": f"{_address(request)}#{first.code}",
        "title": wording.title_of_status(refused.status),
        "status": refused.status,
        **findings[0],
        "problems": findings,
    }
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return HttpResponse(text, content_type=MEDIA_TYPE, status=refused.status, headers=refused.headers)


def plain_answer(request: HttpRequest, status: HTTPStatus) -> HttpResponse | None:
    """Return the answer of the site's own error pages for addresses of the API; None for all others."""
    if not request.path_info.startswith(ROOT):
        return None
    codes = {400: "request_unreadable", 403: "not_allowed", 404: "not_found"}
    return answer_of(refusal(status, codes.get(status, "server_error")), request)


def _as_dict(finding: Finding) -> dict[str, Any]:
    return {"code": finding.code, "detail": finding.detail, "field": finding.field, "seat": finding.seat}


def _address(request: Any) -> str:
    path = reverse("api_problems")
    try:
        return request.build_absolute_uri(path)
    except DisallowedHost:
        return path


# -- what was raised, as a refusal ----------------------------------------------------------------------------------


def _refused(error: Exception, view: Any) -> Refused | None:
    match error:
        case Refused():
            return error
        case rules.RulesError():
            return Refused(400, [_of_problem(problem, view) for problem in error.problems])
        case Conflict():
            if error.code == "key_reused":
                return refusal(422, error.code)
            return Refused(409, [Finding(error.code, wording.conflict_in_words(error), None, error.seat_id)])
        case Http404():
            return refusal(404, "not_found")
        case PermissionDenied() | exceptions.PermissionDenied():
            return _denied(error, view)
        case RequestDataTooBig():
            return refusal(413, "body_too_large")
        case exceptions.ValidationError():
            return Refused(400, list(findings_of(error.detail)))
        case exceptions.Throttled():
            wait = max(1, round(getattr(error, "wait", None) or 1))
            return refusal(429, "throttled", headers={"Retry-After": str(wait)}, seconds=wait)
        case exceptions.AuthenticationFailed() | exceptions.NotAuthenticated():
            code = str(error.get_codes())
            challenge = f'{CHALLENGE}, error="invalid_token"' if code.startswith("token_") else CHALLENGE
            return refusal(401, code, headers={"WWW-Authenticate": challenge})
        case exceptions.APIException():
            code = _STATUS_CODES.get(type(error), "server_error")
            return refusal(error.status_code, code)
    return None


def _denied(error: Exception, view: Any) -> Refused:
    """Where nobody has said who they are, that comes first."""
    if str(error).startswith("CSRF"):
        return refusal(403, "csrf_failed")
    if not view.is_somebody:
        return refusal(401, "not_authenticated", headers={"WWW-Authenticate": CHALLENGE})
    return refusal(403, "not_allowed")


def _of_problem(problem: rules.Problem, view: Any) -> Finding:
    sentence = wording.problem_in_words(problem, view.names_of_seats)
    return Finding(problem.code, sentence, view.field_of(problem), view.seat_of(problem))


def findings_of(detail: Any, path: str = "") -> Iterable[Finding]:
    """Return the findings in what serializers and filters have found wrong, with dotted paths: `seats.2.name`."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            here = path if name == api_settings.NON_FIELD_ERRORS_KEY else f"{path}.{name}" if path else str(name)
            yield from findings_of(inner, here)
    elif isinstance(detail, exceptions.ErrorDetail):
        yield Finding(_SHAPE_CODES.get(detail.code or "", SHAPE_CODE), str(detail), path or None)
    else:
        for inner in detail:
            yield from findings_of(inner, path)
