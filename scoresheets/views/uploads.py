"""Files that are sent to the site: never more of them is kept than may be read."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http import HttpRequest

#: More than this is not even read to its end, though a browser then shows its own message instead of ours.
HOPELESS = 256 * 1024 * 1024


class LimitedUpload(FileUploadHandler):
    """Stops an upload as soon as its files are larger than `most` bytes; what is left of it is read and thrown away."""

    def __init__(self, request: HttpRequest, most: int) -> None:
        super().__init__(request)
        self.most = most
        self.received = 0

    @property
    def is_too_large(self) -> bool:
        """Whether the upload was stopped."""
        return self.received > self.most

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self.received += len(raw_data)
        if self.is_too_large:
            raise StopUpload(connection_reset=False)
        return raw_data

    def file_complete(self, file_size: int) -> Any:
        return None


def limit_upload(request: HttpRequest, most: int) -> LimitedUpload:
    """Let the request bring files of so many bytes together, and return what says whether they were more.

    For views that are `csrf_exempt` and go on in one that is `csrf_protect`: it has to be called before anything asks
    for the request's form.
    """
    handler = LimitedUpload(request, most)
    request.upload_handlers = [handler, *request.upload_handlers]
    return handler


def is_hopeless(request: HttpRequest) -> bool:
    """Say whether the request is so large that it is refused unread."""
    length = request.headers.get("Content-Length", "")
    return length.isascii() and length.isdigit() and (len(length) > 12 or int(length) > HOPELESS)
