"""What every template knows of the product."""

from django.conf import settings
from django.http import HttpRequest


def product(request: HttpRequest) -> dict[str, str | bool]:
    """Return the product's name, its running release, and whether it really sends mail."""
    return {
        "product_name": settings.PRODUCT_NAME,
        "release": settings.RELEASE,
        "mail_is_sent": settings.MAIL_IS_SENT,
    }
