"""Error pages: the template of the status, and a plain sentence where even that cannot be shown."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.template import TemplateDoesNotExist, loader

from scoresheets.api.problems import plain_answer


def error_page(request: HttpRequest, status: HTTPStatus, reason: str = "") -> HttpResponse:
    """Return the page `<status>.html`; it gets `status`, a `reason` to word it by, and the usual context.

    Addresses of the API get a problem as JSON instead.
    """
    problem = plain_answer(request, status)
    if problem is not None:
        return problem
    try:
        body = loader.get_template(f"{status.value}.html").render({"status": status.value, "reason": reason}, request)
    except TemplateDoesNotExist:
        return _plain(status)
    except Exception:
        # Only a server error is allowed to be shown plainly: its cause (no database, say) may also break its page.
        if status < HTTPStatus.INTERNAL_SERVER_ERROR:
            raise
        return _plain(status)
    return HttpResponse(body, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, HTTPStatus.BAD_REQUEST)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, HTTPStatus.FORBIDDEN)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, HTTPStatus.NOT_FOUND, reason=getattr(exception, "reason", ""))


def server_error(request: HttpRequest) -> HttpResponse:
    return error_page(request, HTTPStatus.INTERNAL_SERVER_ERROR)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form whose token is missing or old with `403_csrf.html`, else with the page for 403."""
    try:
        body = loader.get_template("403_csrf.html").render({"status": 403}, request)
    except TemplateDoesNotExist:
        return error_page(request, HTTPStatus.FORBIDDEN)
    # The script tells an old page from a closed game by this.
    return HttpResponse(body, status=HTTPStatus.FORBIDDEN, headers={"X-Reason": "expired"})


def _plain(status: HTTPStatus) -> HttpResponse:
    return HttpResponse(f"{status.value} {status.phrase}\n", content_type="text/plain; charset=utf-8", status=status)
