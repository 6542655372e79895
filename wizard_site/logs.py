"""Log records without the secrets of links: who reads `/j/<secret>` in a log could write on that block.

So too with invitations (`/i/`), which let somebody into a club, with personal links (`/p/`), which make somebody a
player, and with the links of mails: one sets a new password, another confirms an address.
"""

import logging
import re

#: "I/O error" is no invitation.
_LINK = re.compile(r"(?:(?<![\w-])|(?<=%2F))([ijp](?:/|%2F)(?!(?<=i/)O\b))[\w.~%+=-]+", re.IGNORECASE)
_MAILED = re.compile(
    r"((?:password(?:/|%2F)reset(?:/|%2F)key|confirm-email)(?:/|%2F))(?!done\b)[\w.~%+=:-]+", re.IGNORECASE
)
_FORMATTER = logging.Formatter()


def scrub(text: str) -> str:
    """Return `text` with the secret of every link path replaced: `/j/abc123/` becomes `/j/***/`."""
    return _MAILED.sub(r"\1***", _LINK.sub(r"\1***", text))


class PlainRefusals(logging.Filter):
    """Let every record pass; what was refused (a page by 403, a host name not ours) is one line, no traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", None) == 403 or record.name == "django.security.DisallowedHost":
            record.exc_info = record.exc_text = None
        return True


class ScrubLinks(logging.Filter):
    """Let every record pass, scrubbed: its message with the arguments filled in, its traceback and its stack."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg = scrub(record.getMessage())
        record.args = ()
        if record.exc_info and not record.exc_text:
            record.exc_text = _FORMATTER.formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = scrub(record.exc_text)
        if record.stack_info:
            record.stack_info = scrub(record.stack_info)
        return True
