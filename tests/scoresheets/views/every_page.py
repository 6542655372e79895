"""Every page and fragment of a table of people, in every stage, role and state of refusal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.test import Client

import rules
from scoresheets.actors import OPERATOR
from scoresheets.models import Game
from scoresheets.recording import record_bids, save_draft, step_back
from tests.scoresheets.factories import (
    client_for,
    enter_bids,
    enter_tricks,
    hold_link,
    link_to,
    make_game,
    newest_of,
    seat_ids,
    seen_of,
)
from tests.scoresheets.pages import HTMX

#: What each stage of a game of two rounds has recorded so far.
STAGES = ("new", "one bid", "last bid", "bids taken back", "tricks", "tricks entered", "second round", "finished")


def table_in(stage: str, names: Sequence[str], **options: Any) -> Game:
    """Return a game of these people in one of the `STAGES`."""
    game = make_game(names=names, length=2, **options)
    bidders = seat_ids(game)
    if stage in {"one bid", "last bid"}:
        made = bidders[1:2] if stage == "one bid" else bidders[1:]
        record_bids(game, bids=dict.fromkeys(made, 0), seen=seen_of(game), by=OPERATOR)
    elif stage != "new":
        enter_bids(game)
    if stage == "bids taken back":
        step_back(game, undoes=newest_of(game), by=OPERATOR)
    if stage == "tricks entered":
        save_draft(game, draft={"taken": dict.fromkeys(map(str, bidders[1:]), 0)}, seen=seen_of(game), by=OPERATOR)
    if stage in {"second round", "finished"}:
        enter_tricks(game)
    if stage == "finished":
        enter_bids(game, [0] * len(bidders))
        enter_tricks(game)
    return game


def every_page(
    names: Sequence[str], label: str = "TV", typed: str = "?", *, stages: Sequence[str] = STAGES
) -> dict[str, Any]:
    """Return each answer by a name for it: `names` sit at the table, `label` is a link's, `typed` is wrong input."""
    found: dict[str, Any] = {}
    shown = {"page": {}, "part": HTMX}
    everything = Client()
    for stage in stages:
        game = table_in(stage, names)
        hold_link(everything, game, link_to(game, label=label)[1])
        for scope in ("edit", "watch"):
            client = client_for(game, scope)
            for kind, headers in shown.items():
                found[f"{stage}, {scope}, {kind}"] = client.get(f"/games/{game.pk}/", headers=headers)
            found[f"{stage}, {scope}, sheet"] = client.get(f"/games/{game.pk}/sheet/")
        found |= _refusals(stage, game, typed)
    found |= _ends(names, rules.TIE_BREAKS if stages == STAGES else rules.TIE_BREAKS[:1])
    for kind, headers in shown.items():
        sent = {"name": names, "new_name": typed, "add": "1", "key": typed, "rounds": typed, "shown_rounds": "1"}
        found[f"new game, {kind}"] = everything.get("/games/new/", headers=headers)
        found[f"new game refused, {kind}"] = everything.post("/games/new/", sent, headers=headers)
        sent = {"name": [*names, names[0]], "start": "1"}
        found[f"new game of twins, {kind}"] = everything.post("/games/new/", sent, headers=headers)
    found["start"] = everything.get("/")
    found |= _tricks("/referee/", everything, "", typed)
    found |= _tricks(f"/games/{game.pk}/referee/", everything, "game's ", typed)
    for page in ("", "special-cards/", "variants/", "rounds/", "tips/"):
        found[f"rules {page}"] = everything.get(f"/rules/{page}")
    address = f"/games/{game.pk}/links/"
    found["links"] = everything.get(address)
    found["link made"] = everything.post(address, {"scope": "watch", "label": label, "key": typed})
    found["link refused"] = everything.post(address, {"scope": typed, "label": typed * 41, "key": typed})
    found["not found"] = everything.get("/no/such/page")
    found["link unknown"] = everything.get("/j/unknown")
    return found


def _tricks(address: str, client: Client, prefix: str, typed: str) -> dict[str, Any]:
    """Return the referee's answers: cards to choose from, a question, a verdict, and what was left out."""
    cards = {"empty": [], "begun": ["R9", "W"], "whole": ["R9", "J", "R10", "B1", "B2", "B3"]}
    found = {f"{prefix}referee, {name}": client.get(address, {"card": laid}) for name, laid in cards.items()}
    found[f"{prefix}referee, change"] = client.get(address, {"card": ["R9"], "at": "1"})
    found[f"{prefix}referee, part"] = client.get(address, {"card": ["R9"]}, headers=HTMX)
    found[f"{prefix}referee, refused"] = client.get(address, {"card": ["R9", typed], "trump": typed, "play": "R9"})
    return found


def _refusals(stage: str, game: Game, typed: str) -> dict[str, Any]:
    client, seats = client_for(game), seat_ids(game)
    wrong = {f"{field}_{seat}": typed for field in ("bid", "taken") for seat in seats}
    if stage == "finished":
        return {"rematch of a stale page": client.post(f"/games/{game.pk}/", {"rematch": "1", "key": typed})}
    found = {}
    for button in ("bid", "bids", "score", "keep", "back"):
        sent = {"seen": seen_of(game), "seat": seats[0], **wrong, button: typed}
        found[f"{stage}, {button} refused"] = client.post(f"/games/{game.pk}/", sent, headers=HTMX)
        found[f"{stage}, {button} stale"] = client.post(f"/games/{game.pk}/", {**sent, "seen": 10**6}, headers=HTMX)
    return found


def _ends(names: Sequence[str], tie_breaks: Sequence[str]) -> dict[str, Any]:
    """Return the rankings by each rule that can decide them."""
    found = {}
    for rule in tie_breaks:
        house = rules.HouseRules(tie_break=rule)
        game = make_game(names=names, length=1, house=house)
        enter_bids(game, [0, 0, *[1] * (len(names) - 2)])
        enter_tricks(game, [0, 0, 1, *[0] * (len(names) - 3)])
        tied = make_game(names=names, length=1, house=house)
        enter_bids(tied, [1] * len(names))
        enter_tricks(tied, [0, 0, 1, *[0] * (len(names) - 3)])
        level = make_game(names=names, length=1, house=house)
        enter_bids(level, [0, 0, 0, *[1] * (len(names) - 3)])
        enter_tricks(level, [0, 0, 1, *[0] * (len(names) - 3)])
        for kind, ended in (("points", game), ("tied", tied), ("level", level)):
            found[f"ranking by {rule}, {kind}"] = client_for(ended).get(f"/games/{ended.pk}/")
    return found
