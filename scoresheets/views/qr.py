from __future__ import annotations

import segno
from django.utils.safestring import SafeString, mark_safe


def qr_of(address: str) -> SafeString:
    """Return an address as the inline SVG of its QR code, without any style of its own."""
    code = segno.make(address, error="m", micro=False)
    return mark_safe(code.svg_inline(scale=4, border=2, svgclass="qr", lineclass=None, omitsize=True))
