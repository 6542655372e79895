"""Response headers that Django does not know yet."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

#: What no page here asks a browser for. Sharing, the clipboard and the screen's wake lock stay allowed.
PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "microphone",
        "payment",
        "usb",
    )
)


def isolation_headers(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Return a middleware: no device features, no other site may embed what is answered here, no body after HEAD."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method == "HEAD" and not response.streaming:
            # The server says so loudly if an answer without a body has one; its length is told all the same.
            length = str(len(response.content))
            response.content = b""
            response.headers["Content-Length"] = length
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response

    return middleware
