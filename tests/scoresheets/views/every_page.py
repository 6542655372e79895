"""Every page and fragment of a table of people, in every stage, role and state of refusal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from allauth.account.models import EmailAddress
from django.test import Client

import rules
from scoresheets import recording
from scoresheets.actors import OPERATOR, Actor
from scoresheets.models import Game, Membership, User
from scoresheets.recording import (
    RoundValues,
    adjust_points,
    correct_results,
    correct_round,
    lay_coin,
    leave_table,
    note_trump,
    record_bids,
    record_results,
    rename_seat,
    replace_at_table,
    save_draft,
    step_back,
)
from scoresheets.recording.tokens import make_token
from tests.scoresheets.accounts.helpers import add_app, add_passkey, device_of, make_account, sign_in
from tests.scoresheets.factories import (
    client_for,
    enter_bids,
    enter_tricks,
    hold_link,
    keeper_of,
    link_to,
    make_game,
    newest_of,
    seat_ids,
    seen_of,
)
from tests.scoresheets.pages import HTMX
from tests.scoresheets.views.every_club_page import club_pages

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
    """Return each answer by a name for it: `names` sit at the table, `label` is a link's, `typed` is wrong input.

    Given only some of the stages, variants and pages that belong to no game are left out, too.
    """
    everywhere = stages == STAGES
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
    found |= _ends(names, rules.TIE_BREAKS if everywhere else rules.TIE_BREAKS[:1])
    for kind, headers in shown.items():
        sent = {"name": names, "new_name": typed, "add": "1", "key": typed, "rounds": typed, "shown_rounds": "1"}
        found[f"new game, {kind}"] = everything.get("/games/new/", headers=headers)
        found[f"new game refused, {kind}"] = everything.post("/games/new/", sent, headers=headers)
        sent = {"name": [*names, names[0]], "start": "1"}
        found[f"new game of twins, {kind}"] = everything.post("/games/new/", sent, headers=headers)
    found |= _sheets(everything, names, typed)
    found |= _results(names, label, typed)
    found["start"] = everything.get("/")
    found |= _tricks("/referee/", everything, "", typed)
    found |= _tricks(f"/games/{game.pk}/referee/", everything, "game's ", typed)
    if everywhere:
        found |= _variants(names, typed)
        found |= _beside(everything, names[0], label, typed)
        found |= club_pages(names, label, typed)
    found |= _corrections(names, label, typed)
    found |= _comings_and_goings(names, typed)
    address = f"/games/{game.pk}/state/"
    found["state"] = everything.get(address)
    found["state refused"] = everything.post(address, {"act": "void", "reason": typed * 501, "key": typed})
    found["state unknown"] = everything.post(address, {"act": typed})
    address = f"/games/{game.pk}/links/"
    found["links"] = everything.get(address)
    found["link made"] = everything.post(address, {"scope": "watch", "label": label, "key": typed})
    found["link refused"] = everything.post(address, {"scope": typed, "label": typed * 41, "key": typed})
    return found


def _beside(client: Client, name: str, label: str, typed: str) -> dict[str, Any]:
    """Return the pages that belong to no game: rules, players, accounts, and what is not there."""
    pages = ("", "special-cards/", "variants/", "rounds/", "tips/")
    return {
        **{f"rules {page}": client.get(f"/rules/{page}") for page in pages},
        **_players(name, label, typed),
        **_accounts(name, label, typed),
        "not found": client.get("/no/such/page"),
        "link unknown": client.get("/j/unknown"),
    }


def _accounts(name: str, label: str, typed: str) -> dict[str, Any]:
    """Return the account's pages: of a visitor, of somebody of this name, and with wrong input."""
    user = make_account("Somebody else")
    visitor, client = Client(), device_of(user, sure=True, headers={"user-agent": typed})
    # No form takes such a name; an operator may have made it.
    named = User.objects.filter(pk=user.pk)
    named.update(username=name)
    passkey = add_passkey(user, typed)
    EmailAddress.objects.create(user=user, email="somebody@example.org", primary=True)
    own = f"2fa/webauthn/keys/{passkey.pk}"
    make_token(name=label, scope="read", days=1, by=Actor.of_user(user))
    pages = {
        visitor: ["login/", "signup/", "password/reset/", "password/reset/done/", "inactive/", "confirm-email/"],
        client: [
            *("", "email/", "password/change/", "logout/", "reauthenticate/", "sessions/", "delete/", "2fa/"),
            "tokens/",
            *("2fa/totp/activate/", "2fa/webauthn/", "2fa/webauthn/add/", "2fa/webauthn/reauthenticate/"),
            *(f"{own}/edit/", f"{own}/remove/", "2fa/recovery-codes/generate/"),
        ],
    }
    found = {
        f"account, {address.replace(own, 'own')}": device.get(f"/account/{address}")
        for device, addresses in pages.items()
        for address in addresses
    }
    found["account, menu"] = client.get("/")
    wrong = {"username": f"@{typed}", "email": typed, "login": typed, "password": typed, "password1": "short"}
    wrong |= {"code": typed}
    for address in ("login/", "signup/", "password/reset/"):
        found[f"account, {address} refused"] = visitor.post(f"/account/{address}", wrong)
    for address in ("email/", "password/change/", "2fa/totp/activate/", "delete/"):
        found[f"account, {address} refused"] = client.post(f"/account/{address}", {**wrong, "action_add": "1"})
    found["account, token made"] = client.post("/account/tokens/", {"name": label, "scope": "manage", "key": typed})
    found["account, token refused"] = client.post("/account/tokens/", {"name": typed * 41, "scope": typed})
    found["account, token unknown"] = client.post("/account/tokens/", {"revoke": typed})
    found["api, docs"], found["api, problems"] = client.get("/api/v1/docs/"), client.get("/api/v1/problems/")
    add_app(user)
    client.get("/account/2fa/")
    for address in ("2fa/", "2fa/recovery-codes/", "2fa/totp/deactivate/"):
        found[f"account, {address} with an app"] = client.get(f"/account/{address}")
    second = Client()
    named.update(username=user.username)
    sign_in(second, user.username)
    named.update(username=name)
    found["account, second step"] = second.get("/account/2fa/authenticate/")
    found["account, second step refused"] = second.post("/account/2fa/authenticate/", {"code": typed})
    user.delete()
    return found


def _players(name: str, label: str, typed: str) -> dict[str, Any]:
    """Return the pages of a club and a player of this name, whose account has it too; `label` is the public name."""
    owner, account = (make_account(f"{who} {User.objects.count()}") for who in ("Owner", "Member"))
    club = recording.create_club(recording.ClubSettings(name), by=Actor.of_user(owner))
    manager, member, visitor = Client(), Client(), Client()
    manager.force_login(owner)
    Membership.objects.create(club=club, user=account)
    # No form takes such a name.
    User.objects.filter(pk=account.pk).update(username=name)
    member.force_login(account)
    player = recording.add_player(club, name, by=OPERATOR)
    recording.rename_player(player, name=name, public_name=label, by=OPERATOR)
    other, duplicate = (recording.add_player(club, other, by=OPERATOR) for other in ("Quentin", "Yvonne"))
    recording.merge_players(player, duplicate, by=OPERATOR)
    started = recording.start_game(
        [name, "Quentin", "Zita"],
        rules.HouseRules(),
        first_dealer=0,
        by=OPERATOR,
        club=club,
        players=[player.pk, other.pk, None],
    )
    _link, secret = recording.make_claim_link(player, by=OPERATOR)
    roster = f"/clubs/{club.pk}/players/"
    own = f"{roster}{player.pk}/"
    nobody = f"{typed}zq"
    found = {
        "players": manager.get(roster),
        "players, found": manager.get(roster, {"q": name}),
        "players, nobody found": manager.get(roster, {"q": nobody}),
        "players, name refused": manager.post(roster, {"name": typed * 41, "is_guest": "on", "key": typed}),
        "players, name known": manager.post(roster, {"name": name, "key": typed}),
        "player": manager.get(own),
        "player, for members": member.get(own),
        "player, names refused": manager.post(own, {"act": "rename", "name": typed * 41, "public_name": typed * 41}),
        "player, days refused": manager.post(own, {"act": "link", "days": typed}),
        "player, nothing to do": manager.post(own, {"act": typed}),
        "merge": manager.get(f"{own}merge/"),
        "merge, nobody found": manager.get(f"{own}merge/", {"q": nobody}),
        "merge, not to be done": manager.get(f"{own}merge/", {"other": other.pk}),
        "anonymise": manager.get(f"{own}anonymise/"),
        "anonymise, refused": manager.post(f"{own}anonymise/", {"name": nobody}),
        "personal link": member.get(f"/p/{secret}"),
        "personal link, visitor": visitor.get(f"/p/{secret}"),
        "personal link, unknown": visitor.get("/p/unknown"),
    }
    recording.void(started.game, reason="?", by=OPERATOR)
    Game.objects.filter(pk=started.game.pk).delete()
    found["merge, to be done"] = manager.get(f"{own}merge/", {"other": other.pk})
    found["merge, not chosen"] = manager.post(f"{own}merge/", {"other": other.pk, "kept": typed, "key": typed})
    claim = recording.claim_player(player, by=Actor.of_user(account, account.memberships.all()))
    found["player, claimed"] = member.get(own)
    found["claims"] = manager.get(f"/clubs/{club.pk}/claims/")
    found["player, link made"] = manager.post(own, {"act": "link", "days": "3"})
    found["personal link, closed"] = visitor.get(f"/p/{secret}")
    recording.archive_player(player, by=OPERATOR)
    found["archive"] = manager.get(roster, {"archive": "1"})
    found["players, name in the archive"] = manager.post(roster, {"name": name, "key": typed})
    recording.decide_claim(claim, accepted=True, by=OPERATOR)
    found["archive, with an account"] = manager.get(roster, {"archive": "1"})
    found["player, with an account"] = manager.get(own)
    found["anonymise, with an account"] = member.get(f"{own}anonymise/")
    account.save(update_fields=["username"])
    return found


def _sheets(client: Client, names: Sequence[str], typed: str) -> dict[str, Any]:
    """Return the page of a paper sheet: empty, refused above the grid and within it, differing from the paper."""
    address = "/games/sheet/new/"
    table = {"name": list(names), "rounds": "2", "special": ["BOMB", "CLOUD"], "blind_bids": "on", "printed": "on"}
    right = {f"{kind}1-{place}": "0" for kind in "btxps" for place in range(len(names))} | {"t1-0": "1", "cloud1": "0-"}
    wrong = {f"{kind}2-{place}": typed for kind in "btxps" for place in range(len(names))} | {"bombs2": typed}
    head = {"played_on": typed, "cards": typed, "ladder": "free", "rounds": typed, "key": typed}
    return {
        "paper": client.get(address),
        "paper, table refused": client.post(address, {**table, **wrong, **head}),
        "paper, twins": client.post(address, {**table, "name": [*names[:3], names[0]], "save": "1"}),
        "paper, grid refused": client.post(address, {**table, **right, **wrong, "save": typed}),
        "paper, differs": client.post(address, {**table, "rounds": "1", **right, "cloud1": "", "save": typed}),
    }


def _results(names: Sequence[str], label: str, typed: str) -> dict[str, Any]:
    """Return the pages of games of which only the points are known: typed in, tied, corrected, and refused."""
    game = record_results(names, [20, *[40] * (len(names) - 1)], by=OPERATOR).game
    client, keeper, start = client_for(game), keeper_of(game, label), f"/games/{game.pk}/"
    correct_results(game.pk, [60] * len(names), seen=2, reason=typed, by=keeper)
    found = {
        f"results, {scope}, {page or 'pad'}": client_for(game, scope).get(f"{start}{page}")
        for scope in ("edit", "watch")
        for page in ("", "sheet/")
    }
    found |= {f"results, {page}": client.get(f"{start}{page}/") for page in ("people", "state", "links")}
    found["results, seat"] = client.get(f"{start}seats/{seat_ids(game)[0]}/")
    correct, points = f"{start}results/correct/", {f"points_{seat}": "70" for seat in seat_ids(game)}
    found["correct results"] = client.get(correct)
    found["correct results, reversing"] = client.get(correct, {"reverse": "3"})
    sent = points | {f"points_{seat_ids(game)[0]}": "10", "seen": "3", "reason": typed, "key": typed}
    found["correct results, seen"] = client.post(correct, {**sent, "look": "1"})
    found["correct results, stale"] = client.post(correct, {**sent, "seen": "1", "save": "1"})
    wrong = {**dict.fromkeys(points, typed), "seen": "3", "reason": typed * 501, "save": "1"}
    found["correct results, refused"] = client.post(correct, wrong)
    address, table = "/games/results/new/", {"name": list(names), "points": ["10", "-5", *["10"] * (len(names) - 2)]}
    found["new results"] = client.get(address)
    found["new results, seen"] = client.post(address, {**table, "look": "1", "key": typed})
    wrong = {"points": [typed] * len(names), "played_on": typed, "evening": typed, "save": "1"}
    found["new results, refused"] = client.post(address, {**table, **wrong})
    found["new results, twins"] = client.post(address, {**table, "name": [*names[:3], names[0]], "save": "1"})
    return found


def _variants(names: Sequence[str], typed: str) -> dict[str, Any]:
    """Return the pads of games with variants, as they are shown and with wrong input."""
    cards = {"specials": ("BOMB", "CLOUD", "WEREWOLF"), "blind_bids": True}
    houses = {
        "special cards": rules.HouseRules(**cards),
        "hidden": rules.HouseRules(**cards, hidden_bids=True, plus_minus_one=True),
        "secret": rules.HouseRules(**cards, secret_bids=True),
        "clairvoyant": rules.HouseRules(deck="french52", clairvoyance=True),
        "maximus": rules.HouseRules(variant="maximus"),
    }
    found: dict[str, Any] = {}
    for name, house in houses.items():
        game = make_game(names=names, house=house)
        found |= _pads_of(game, name, typed)
        if name == "special cards":
            note_trump(game, number=1, trump="R", turned_up="R7", chosen_by=seat_ids(game)[0], by=OPERATOR)
            found |= _pads_of(game, f"{name}, trump noted", typed)
        if name in {"special cards", "hidden"}:
            bids = [1, *[0] * (len(names) - 1)]
            seats = seat_ids(game)
            by_seat = dict(zip(seats, bids, strict=True))
            record_bids(game, bids=by_seat, blind=seats[:1], seen=seen_of(game), by=OPERATOR)
            if name == "special cards":
                draft = {"taken": {str(seats[0]): 0}, "bombs": 1, "clouds": {str(seats[0]): -1}}
                save_draft(game, draft=draft, seen=seen_of(game), by=OPERATOR)
            found |= _pads_of(game, f"{name}, bids in", typed)
        if name in {"special cards", "secret"}:
            lay_coin(game, trick=1, seat=seat_ids(game)[0], seen=seen_of(game), by=OPERATOR)
            found |= _pads_of(game, f"{name}, counted", typed)
    return found


def _pads_of(game: Game, name: str, typed: str) -> dict[str, Any]:
    client, seats = client_for(game), seat_ids(game)
    address = f"/games/{game.pk}/"
    found = {f"{name}, {scope}": client_for(game, scope).get(address) for scope in ("edit", "watch")}
    counting = client_for(game)
    counting.cookies["coins"] = "1"
    found[f"{name}, coins"] = counting.get(address)
    wrong = {f"{field}_{seat}": typed for field in ("bid", "taken", "blind") for seat in seats}
    wrong |= {"bombs": typed, "cloud": [str(seat) for seat in seats], "cloud_delta": typed, "blind": typed}
    wrong |= {"turned_up": typed, "chosen_by": str(seats[0]), "number": "1", "seat": str(seats[0])}
    for button in ("bid", "bids", "score", "record", "hold", "keep", "trump", "note", "coin", "uncoin", "coins"):
        sent = {"seen": seen_of(game), **wrong, button: typed}
        found[f"{name}, {button} refused"] = client.post(address, sent, headers=HTMX)
    return found


def _tricks(address: str, client: Client, prefix: str, typed: str) -> dict[str, Any]:
    """Return the referee's answers: cards to choose from, a question, a verdict, and what was left out."""
    cards = {"empty": [], "begun": ["R9", "W"], "whole": ["R9", "J", "R10", "B1", "B2", "B3"]}
    found = {f"{prefix}referee, {name}": client.get(address, {"card": laid}) for name, laid in cards.items()}
    found[f"{prefix}referee, change"] = client.get(address, {"card": ["R9"], "at": "1"})
    found[f"{prefix}referee, part"] = client.get(address, {"card": ["R9"]}, headers=HTMX)
    found[f"{prefix}referee, refused"] = client.get(address, {"card": ["R9", typed], "trump": typed, "play": "R9"})
    return found


def _corrections(names: Sequence[str], label: str, typed: str) -> dict[str, Any]:
    """Return the pages that correct a game, and its sheet once a round, points and a name are corrected."""
    game = table_in("second round", names)
    client, keeper, seats = client_for(game), keeper_of(game, label), seat_ids(game)
    scored, bids = game.rounds.get(number=1), dict.fromkeys(seats, 0)
    values = RoundValues(bids=bids, taken={**bids, seats[1]: 1}, trump="R", chosen_by=None)
    correct_round(game, number=1, values=values, seen=scored.changed_version, reason=typed, by=keeper)
    adjust_points(game, seat=seats[0], points=-10, reason=typed, by=keeper)
    for name in ("Somebody", names[0]):
        rename_seat(game, seat=seats[0], name=name, reason=typed, by=keeper)
    found = {
        f"corrected sheet, {scope}": client_for(game, scope).get(f"/games/{game.pk}/sheet/?cell=1-0")
        for scope in ("edit", "watch")
    }
    address, seat = f"/games/{game.pk}/rounds/1/correct/", f"/games/{game.pk}/seats/{seats[0]}/"
    version = game.rounds.get(number=1).changed_version
    found["correct round"] = client.get(address)
    found["correct round, reversing"] = client.get(address, {"reverse": version})
    sent = {f"{kind}_{one}": "0" for kind in ("bid", "taken") for one in seats}
    sent |= {f"taken_{seats[2]}": "1", "seen": version, "trump": "", "reason": typed, "key": typed}
    found["correct round, seen"] = client.post(address, {**sent, "look": "1"}, headers=HTMX)
    found["correct round, stale"] = client.post(address, {**sent, "seen": "1", "save": "1"})
    wrong = {**sent, f"bid_{seats[0]}": typed, f"taken_{seats[0]}": "9", "trump": typed, "reason": typed * 501}
    found["correct round, refused"] = client.post(address, {**wrong, "save": "1"})
    found["correct seat"] = client.get(seat)
    found["correct seat, reversing"] = client.get(seat, {"reverse": version + 1})
    found["points refused"] = client.post(seat, {"points": typed, "reason": typed * 501, "key": typed, "adjust": "1"})
    found["name refused"] = client.post(seat, {"name": typed * 41, "reason": typed * 501, "key": typed})
    return found


def _comings_and_goings(names: Sequence[str], typed: str) -> dict[str, Any]:
    """Return the page on which people come and go, each of its acts refused, and the pages of a game they left."""
    game = make_game(names=names, rounds=1, length=3)
    client, seats = client_for(game), seat_ids(game)
    leave_table(game, seat=seats[0], cards=[2], seen=game.version, by=OPERATOR)
    arguments = {"name": "Somebody", "seen": newest_of(game), "by": OPERATOR}
    replace_at_table(game, seat=seats[1], **arguments)
    rename_seat(game, seat=seat_ids(game)[1], name=f"{names[0]}2"[-40:], by=OPERATOR)
    address = f"/games/{game.pk}/people/"
    found = {"people": client.get(address)}
    wrong = {"seat": typed, "name": typed * 41, "start": "own", "points": typed, "cards": typed, "reason": typed * 501}
    for act in ("join", "back", "replace", "leave"):
        found[f"people, {act} refused"] = client.post(address, {**wrong, "act": act, "key": typed})
        sent = {**wrong, "seat": seats[0 if act == "back" else 2], "start": "none", "points": "", "cards": "2"}
        found[f"people, {act} stale"] = client.post(
            address, {**sent, "act": act, "name": f"{typed} B", "reason": typed[:400], "seen": "1"}
        )
    found["people, unknown act"] = client.post(address, {"act": typed})
    for page in ("", "sheet/", "rounds/1/correct/"):
        found[f"changed table, {page}"] = client.get(f"/games/{game.pk}/{page}")
    enter_bids(game, [0] * (len(names) - 1))
    enter_tricks(game)
    found["changed table, ranking"] = client.get(f"/games/{game.pk}/")
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
