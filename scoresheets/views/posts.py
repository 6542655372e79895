"""What a pad's forms send, read by the names of their fields: as numbers where they plainly are some, or as typed."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import QueryDict

from scoresheets.forms.rounds import Extras

#: No id and no number of tricks is longer; Python refuses to read very long ones.
MOST_DIGITS = 18


def typed_in(post: QueryDict, prefix: str) -> dict[str, str]:
    """Return what stands in the seats' fields, by seat id, both as text."""
    return {name.removeprefix(prefix): post.get(name, "").strip() for name in post if name.startswith(prefix)}


def is_number(text: str) -> bool:
    """Say whether a text plainly is a whole number, not negative and not absurdly long."""
    return text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS


def numbers_in(typed: Mapping[str, str]) -> dict[int, int] | None:
    """Return the fields as numbers if all of them plainly are, else None: a form then says what is wrong."""
    if all(map(is_number, [*typed, *typed.values()])):
        return {int(seat): int(number) for seat, number in typed.items()}
    return None


def blind_in(post: QueryDict) -> set[int]:
    """Return the ids of the seats that are marked as blind: all in one form, or the one whose bid was tapped."""
    marked = [name.removeprefix("blind_") for name in post if name.startswith("blind_")]
    if "blind" in post:
        marked.append(post.get("seat", ""))
    return {int(seat) for seat in marked if is_number(seat)}


def extras_in(post: QueryDict) -> Extras | None:
    """Return bombs and clouds if they plainly are some, else None: a form then says what is wrong."""
    bombs, takers = post.get("bombs", "").strip() or "0", [seat for seat in post.getlist("cloud") if seat]
    delta = {"-1": -1, "1": 1}.get(post.get("cloud_delta", ""))
    if not all(map(is_number, [bombs, *takers])) or (takers and delta is None):
        return None
    return Extras(int(bombs), {int(seat): delta for seat in takers if delta is not None})


def round_typed(post: QueryDict) -> dict[str, str]:
    """Return bid and tricks of each seat as typed: "2/1"."""
    taken = typed_in(post, "taken_")
    bids = typed_in(post, "bid_")
    return {seat: f"{bids.get(seat, '')}/{taken.get(seat, '')}" for seat in {**bids, **taken}}
