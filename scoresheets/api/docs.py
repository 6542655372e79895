"""The API's own pages: the schema, a page to read and try it, and what every problem's code means."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from csp.decorators import csp_update
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from scoresheets import wording


@lru_cache(maxsize=1)
def schema_dict() -> dict[str, Any]:
    """Return the OpenAPI schema, which is made once a process."""
    with translation.override("en"):
        return SchemaGenerator().get_schema(request=None, public=True)


@lru_cache(maxsize=1)
def _schema_text() -> tuple[bytes, str]:
    """Return the schema as it is sent, and its entity tag."""
    text = json.dumps(schema_dict(), ensure_ascii=False, separators=(",", ":")).encode()
    return text, f'"{hashlib.sha256(text).hexdigest()[:16]}"'


@require_safe
def schema(request: HttpRequest) -> HttpResponseBase:
    """Answer with the OpenAPI 3.1 schema as JSON."""
    text, etag = _schema_text()
    response = HttpResponse(text, content_type="application/vnd.oai.openapi+json;version=3.1")
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "no-cache"
    return get_conditional_response(request, etag=etag, response=response) or response


def _operations() -> Iterator[dict[str, str]]:
    """Yield what there is, for those who read without scripts."""
    for path, methods in schema_dict()["paths"].items():
        for method, said in methods.items():
            yield {"method": method.upper(), "path": path, "summary": said["summary"], "tag": said["tags"][0]}


@require_safe
@never_cache
# The pictures of the buttons there are part of the style sheet.
@csp_update({"img-src": ["data:"]})
def documentation(request: HttpRequest) -> HttpResponse:
    """Show the schema as a page to read, and to try with a token or as who is signed in."""
    # Only who is signed in by a cookie has something to protect.
    csrf = get_token(request) if request.user.is_authenticated else ""
    return render(request, "api/docs.html", {"csrf": csrf, "operations": _operations()})


@require_safe
def problems(request: HttpRequest) -> HttpResponse:
    """List every code of a problem with what it says."""
    shelves = [{"name": name, "codes": sorted(codes.items())} for name, codes in wording.codes_in_general().items()]
    return render(request, "api/problems.html", {"shelves": shelves})
