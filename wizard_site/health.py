"""Whether the site is alive, for whatever watches it."""

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer "ok" if the database answers, else 503.

    Asked over plain HTTP it does not redirect, but the Host header must be an allowed one, as everywhere.
    """
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return HttpResponse("database unavailable\n", content_type="text/plain; charset=utf-8", status=503)
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8")
