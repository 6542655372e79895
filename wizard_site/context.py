"""What every template knows of the product."""

from django.conf import settings
from django.http import HttpRequest


def product(request: HttpRequest) -> dict[str, str]:
    """Return the product's name and running release as `product_name` and `release`."""
    return {"product_name": settings.PRODUCT_NAME, "release": settings.RELEASE}
