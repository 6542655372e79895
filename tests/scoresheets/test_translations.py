"""The German catalogue is complete and sound, and no page mixes the two languages."""

from __future__ import annotations

import ast
import gettext
import html
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client, RequestFactory
from django.utils import translation

import rules
from scoresheets.models import Link
from scoresheets.recording import invite, revoke_invitation
from tests.scoresheets.accounts.helpers import add_app, add_passkey, device_of, make_account
from tests.scoresheets.clubs import club_game, finished, make_club, make_user, member_of, owner_of
from tests.scoresheets.factories import (
    client_for,
    enter_bids,
    enter_tricks,
    finished_game,
    link_of,
    make_game,
    open_round,
    seat_ids,
    seen_of,
)
from tests.tools.translations import CATALOGUE, ROOT, catalogue_problems, read_catalogue
from wizard_site import errors

PO = ROOT / CATALOGUE
MESSAGES = read_catalogue(PO.read_text(encoding="utf-8"))
PLACEHOLDER = re.compile(r"%\(\w+\)s")
TAG = re.compile(r"</?\w+>")
#: Shorter pieces of a text also occur by chance, in names of classes for example.
LONG = 12


def test_catalogue_is_complete():
    assert len(MESSAGES) > 200
    assert catalogue_problems(MESSAGES) == []


@pytest.mark.parametrize("mark", [PLACEHOLDER, TAG], ids=["placeholders", "tags"])
def test_translations_have_what_their_originals_have(mark):
    for message in MESSAGES:
        originals = [message.msgid] if message.msgid_plural is None else [message.msgid, message.msgid_plural]
        for original, translated in zip(originals, message.translations, strict=True):
            assert set(mark.findall(translated)) == set(mark.findall(original)), message.msgid


def test_percent_signs_only_begin_placeholders():
    texts = [text for message in MESSAGES for text in (message.msgid, *message.translations)]
    assert [text for text in texts if "%" in PLACEHOLDER.sub("", text)] == []


def test_header_holds_nothing_that_changes_by_itself():
    assert re.findall(r"^([\w-]+):", _header(), flags=re.MULTILINE) == [
        "Language",
        "MIME-Version",
        "Content-Type",
        "Content-Transfer-Encoding",
        "Plural-Forms",
    ]


def test_compiled_catalogue_says_the_same():
    expected: dict[Any, str] = {"": _header()}
    for message in MESSAGES:
        key = message.msgid if message.msgctxt is None else f"{message.msgctxt}\x04{message.msgid}"
        if message.msgid_plural is None:
            expected[key] = message.translations[0]
        else:
            expected.update({(key, form): text for form, text in enumerate(message.translations)})

    with PO.with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    assert compiled == expected


def test_german_has_no_exclamation_marks():
    assert [text for message in MESSAGES for text in message.translations if "!" in text] == []


def test_no_text_is_marked_inside_an_f_string():
    """Older versions of xgettext do not look into f-strings: such a text would never reach the catalogue."""
    files = [path for folder in ("scoresheets", "wizard_site") for path in (ROOT / folder).rglob("*.py")]
    assert [f"{path.relative_to(ROOT)}:{line}" for path in files for line in _marked_in_f_strings(path)] == []


def _marked_in_f_strings(path: Path) -> list[int]:
    strings = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.JoinedStr)]
    calls = [node for string in strings for node in ast.walk(string) if isinstance(node, ast.Call)]
    marks = {"_", "gettext", "ngettext", "pgettext", "npgettext"}
    return [call.lineno for call in calls if isinstance(call.func, ast.Name) and call.func.id in marks]


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["de", "en"])
def test_pages_hold_no_text_of_the_other_language(language):
    english = _pieces(text for m in MESSAGES for text in (m.msgid, m.msgid_plural or ""))
    german = _pieces(text for m in MESSAGES for text in m.translations)
    own, foreign = (german, english) if language == "de" else (english, german)

    for name, page in _pages(language).items():
        found = {piece for piece in foreign - own if piece in page}
        assert (name, found) == (name, set())
        # Else the page would be empty, or the search would find nothing in any language.
        assert any(piece in page for piece in own - foreign), name


@pytest.mark.django_db
def test_german_pages_say_what_a_table_says():
    pages = _pages("de")

    for name, words in {
        "start": ["Runde 2 von 15", "Gleichauf vorn mit 20 Punkten: Bernd, Cem, Doro"],
        "bids": ["Bernd sagt an", "Dann Cem, zuletzt Annika (gibt)", "noch 4 Ansagen"],
        "last bid": ["Letzte Ansage · 1 gesperrt", "geht auf", "1 unter", "Zurück: Doro 0"],
        "forbidden bid": [
            "1 geht hier nicht. 0 sind angesagt, mit 1 wären es genau 1. Annika braucht eine andere Zahl."
        ],
        "tricks": ["sagte 1", "Noch 2 Stiche"],
        "too many tricks": ["2 Stiche zu viel. Wer hat sich verzählt?"],
        "tricks ready": ["Runde 2 werten"],
        "decided by points": ["gewinnt", "Nach Punkten entschieden: 40 zu 10.", "Revanche: gleiche Sitzordnung"],
        "decided by exact bids": ["mit 60 Punkten und der besseren Trefferzahl", "Deshalb liegt Bernd vorn."],
        "shared": ["Bernd und Cem gewinnen gemeinsam", "Gleichstand an der Spitze"],
        "new game refused": ["Cem sitzt schon am Tisch. Nimm zum Beispiel „Cem B.“."],
    }.items():
        assert [word for word in words if word not in pages[name]] == [], name


def _header() -> str:
    """Return the header of the catalogue, which `read_catalogue` leaves out."""
    lines = PO.read_text(encoding="utf-8").partition("\n\n")[0].splitlines()
    return "".join(ast.literal_eval(line) for line in lines if line.startswith('"'))


def _pieces(texts: Iterable[str]) -> set[str]:
    """Return what stands between placeholders and tags, where it is long enough to be told from the rest of a page."""
    pieces = [piece.strip() for text in texts for piece in re.split(f"{PLACEHOLDER.pattern}|{TAG.pattern}", text)]
    return {piece for piece in pieces if len(piece) > LONG}


def _pages(language: str) -> dict[str, str]:
    """Return every page of the site, and every state of a game's page, as text with one space between words."""
    pages = {}
    for name, response in _answers(language):
        words = " ".join(re.sub(r"</?(?:b|small|span|i)\b[^>]*>", "", response.content.decode()).split())
        pages[name] = html.unescape(words)
    return pages


def _answers(language: str) -> Iterable[tuple[str, Any]]:
    yield from _site(language)
    yield from _new_game(language)
    yield from _rounds(language)
    yield from _rankings(language)
    yield from _links(language)
    yield from _accounts(language)
    yield from _clubs(language)


def _device(language: str, **options: Any) -> dict[str, Any]:
    return {"headers": {"accept-language": language}, **options}


def _site(language: str) -> Iterable[tuple[str, Any]]:
    client = Client(**_device(language))
    yield "start, empty", client.get("/")
    yield "no such game", client.get("/games/1/")
    yield "no such link", client.get("/j/nothing")
    yield "no CSRF token", Client(**_device(language, enforce_csrf_checks=True)).post("/games/new/")
    for theme in ("light", "dark"):
        client.cookies["theme"] = theme
        yield f"start, {theme}", client.get("/")
    request = RequestFactory().get("/")
    with translation.override(language):
        yield "400", errors.bad_request(request, Exception())
        yield "403", errors.permission_denied(request, Exception())
        yield "500", errors.server_error(request)


def _new_game(language: str) -> Iterable[tuple[str, Any]]:
    client = Client(**_device(language))
    names = ["Annika", "Bernd", "Cem", "Doro"]
    table: dict[str, Any] = {"name": names, "dealer": "0", "length": "full"}
    yield "new game", client.get("/games/new/")
    yield "new game, seated", client.post("/games/new/", table)
    yield "new game refused", client.post("/games/new/", {**table, "new_name": "Cem, " + "x" * 41, "add": "1"})
    yield "one person", client.post("/games/new/", {**table, "name": names[:1], "start": "1"})
    yield "no rounds", client.post("/games/new/", {**table, "length": "own", "rounds": "0", "start": "1"})
    six = {**table, "name": [*names, "Emil", "Frida"]}
    yield "seven people", client.post("/games/new/", {**six, "new_name": "Gero", "add": "1"})
    yield "six people, tournament", client.post("/games/new/", {**six, "length": "tournament", "start": "1"})
    yield "tournament", client.post("/games/new/", {**table, "length": "tournament"})


def _rounds(language: str) -> Iterable[tuple[str, Any]]:
    game = make_game(house=rules.HouseRules(plus_minus_one=True))
    address = f"/games/{game.pk}/"
    client = client_for(game, **_device(language))
    watcher = client_for(game, Link.Scope.WATCH, **_device(language))
    annika, bernd, cem, doro = seat_ids(game)

    yield "bids", client.get(address)
    yield "watching bids", watcher.get(address)
    yield "watcher enters", watcher.post(address, {"seen": seen_of(game), "seat": bernd, "bid": "0"})
    typed = {f"bid_{bernd}": "x", f"bid_{cem}": ""}
    yield "all bids refused", client.post(address, {"seen": seen_of(game), **typed, "bids": "1"})
    yield "bid out of range", client.post(address, {"seen": seen_of(game), "seat": bernd, "bid": "9"})
    yield "old page", client.post(address, {"seen": "99", "seat": bernd, "bid": "0"})
    yield "nothing to undo", client.post(address, {"seen": seen_of(game), "back": "99"})
    yield "no rematch yet", client.post(address, {"seen": seen_of(game), "rematch": "1"})
    seen = seen_of(game)
    for seat in (bernd, cem, doro):
        client.post(address, {"seen": seen, "seat": seat, "bid": "0"})
    yield "bid twice", client.post(address, {"seen": seen, "seat": bernd, "bid": "1"})
    yield "last bid", client.get(address)
    yield "forbidden bid", client.post(address, {"seen": seen_of(game), "seat": annika, "bid": "1"})
    client.post(address, {"seen": seen_of(game), "seat": annika, "bid": "0"})
    yield "tricks of one card", client.get(address)
    enter_tricks(game)

    enter_bids(game, [1, 0, 0, 0])
    yield "start", client.get("/")
    yield "watched game on the start page", watcher.get("/")
    yield "tricks", client.get(address)
    yield "watching tricks", watcher.get(address)
    yield "missing tricks", _score(client, address, game, {annika: "1", bernd: "0"})
    yield "too many tricks", _score(client, address, game, {annika: "1", bernd: "1", cem: "1", doro: "1"})
    yield "tricks out of range", _score(client, address, game, {annika: "9", bernd: "0", cem: "0", doro: "0"})
    client.post(address, {"seen": seen_of(game), f"taken_{annika}": "2", f"taken_{bernd}": "0", "made": cem})
    yield "tricks ready", client.get(address)
    yield "sheet", client.get(f"{address}sheet/")
    enter_tricks(game)
    yield "next round", client.get(address)
    assert open_round(game).number == 3


def _score(client: Client, address: str, game: Any, taken: dict[int, str]) -> Any:
    typed = {f"taken_{seat}": tricks for seat, tricks in taken.items()}
    return client.post(address, {"seen": seen_of(game), **typed, "score": "1"})


def _rankings(language: str) -> Iterable[tuple[str, Any]]:
    shared = rules.HouseRules(tie_break="shared")
    level = [[(0, 1), (0, 0), (0, 0)]]
    for name, game in {
        "decided by points": finished_game([[(0, 0), (0, 0), (0, 1)], [(0, 1), (0, 0), (0, 1)]]),
        "decided by exact bids": finished_game(
            [[(0, 0), (0, 0), (0, 1)], [(2, 1), (0, 0), (2, 1)], [(3, 3), (0, 0), (0, 0)]]
        ),
        "shared": finished_game(level),
        "shared by the rule book": finished_game(level, house=shared),
    }.items():
        client = client_for(game, **_device(language))
        yield name, client.get(f"/games/{game.pk}/")
        yield f"{name}, start", client.get("/")
        yield f"{name}, sheet", client.get(f"/games/{game.pk}/sheet/")
        watcher = client_for(game, Link.Scope.WATCH, **_device(language))
        yield f"{name}, watching", watcher.get(f"/games/{game.pk}/")


def _links(language: str) -> Iterable[tuple[str, Any]]:
    game = make_game()
    address = f"/games/{game.pk}/links/"
    client = client_for(game, **_device(language))
    other = client_for(game, **_device(language))
    yield "links", client.get(address)
    yield "watch link made", client.post(address, {"scope": "watch", "label": "TV", "key": "1"})
    yield "scorer's link made", client.post(address, {"scope": "edit", "key": "2"})
    yield "no such link", client.post(address, {"scope": "nothing", "label": "x" * 41, "key": "3"})
    yield "same key", client.post(address, {"scope": "edit", "label": "other", "key": "1"})
    client.post(f"{address}{link_of(other, game).pk}/revoke/")
    yield "links, one closed", client.get(address)
    yield "link closed", other.get(f"/games/{game.pk}/")


def _accounts(language: str) -> Iterable[tuple[str, Any]]:
    """Yield the account's pages; names and addresses there are those of no language."""
    visitor = Client(**_device(language))
    for address in ("login/", "signup/", "password/reset/", "password/reset/done/", "inactive/", "confirm-email/x/"):
        yield f"account {address}", visitor.get(f"/account/{address}")
    wrong = {"username": "x@", "email": "x", "password1": "x", "password2": "y", "login": "x", "password": "x"}
    for address in ("login/", "signup/", "password/reset/"):
        yield f"account {address} refused", visitor.post(f"/account/{address}", wrong)
    user = make_account(f"Q{language}")
    client = device_of(user, sure=True, **_device(language))
    passkey = add_passkey(user)
    add_app(user)
    for address in (
        *("", "email/", "password/change/", "logout/", "reauthenticate/", "sessions/", "delete/", "2fa/"),
        *("2fa/totp/deactivate/", "2fa/webauthn/", "2fa/webauthn/add/", "2fa/webauthn/reauthenticate/"),
        *("2fa/recovery-codes/", "2fa/recovery-codes/generate/", f"2fa/webauthn/keys/{passkey.pk}/remove/"),
    ):
        yield f"account {address}", client.get(f"/account/{address}")
    yield "account, box not ticked", client.post("/account/delete/")


def _clubs(language: str) -> Iterable[tuple[str, Any]]:
    """Yield the pages of clubs; the names there are those of no language."""
    house = rules.HouseRules(blind_bids=True, cloud_upper_clamp=False)
    club = make_club("QQ", owner=f"Q{language}1", visibility="public", house=house)
    empty = make_club("QQQ", owner=f"Q{language}2")
    finished(club)
    club_game(club, length=3)
    member = member_of(club, "member", f"Q{language}3")
    by, start = owner_of(club), f"/clubs/{club.pk}/"
    secret, used_up = (invite(club, role="manager", label="Q", most_uses=1, by=by)[1] for _ in range(2))
    closed, closed_secret = invite(club, role="member", by=by)
    revoke_invitation(closed, by=by)
    visitor, owner, plain, nobody = (Client(**_device(language)) for _ in range(4))
    owner.force_login(by.user)
    plain.force_login(member.user)
    nobody.force_login(make_user(f"Q{language}4"))
    yield "no clubs yet", nobody.get("/clubs/")
    nobody.post(f"/i/{used_up}")
    membership = club.memberships.get(user=member.user)
    own = club.memberships.get(user=by.user)
    addresses = {
        visitor: ("/clubs/", start, f"/i/{secret}", f"/i/{used_up}", f"/i/{closed_secret}", "/i/x", "/clubs/0/"),
        plain: ("/clubs/", start, f"{start}members/", f"{start}members/{membership.pk}/remove/", f"/i/{secret}"),
        owner: (
            *("/clubs/", "/clubs/new/", start, f"{start}settings/", f"{start}delete/", f"{start}members/"),
            *(f"{start}members/{membership.pk}/remove/", f"{start}members/{own.pk}/remove/", f"/i/{secret}"),
        ),
    }
    for client, listed in addresses.items():
        for address in listed:
            yield f"club {address}", client.get(address)
    owner.force_login(empty.memberships.get().user)
    for end in ("", "delete/", "settings/"):
        yield f"empty club {end}", owner.get(f"/clubs/{empty.pk}/{end}")
    owner.force_login(by.user)
    wrong = {"name": "", "visibility": "x", "locks_after": "-1", "special": "DRAGON", "time_zone": "x", "language": "x"}
    yield "club refused", owner.post(f"{start}settings/", wrong)
    yield "invitation refused", owner.post(f"{start}members/", {"role": "x", "days": "7", "most_uses": "0"})
    yield "invitation made", owner.post(f"{start}members/", {"role": "scorer", "days": "7"})
    changed = {"change": membership.pk, "role": "scorer"}
    yield "role changed", owner.post(f"{start}members/", changed, follow=True)
    yield "role unknown", owner.post(f"{start}members/", {**changed, "role": "x"})
    yield "saved", owner.post(f"{start}settings/", _sent(club), follow=True)


def _sent(club: Any) -> dict[str, str]:
    plain = ("name", "time_zone", "language", "visibility", "ladder")
    return {name: getattr(club, name) for name in plain}
