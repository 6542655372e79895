"""Names, labels and wrong input with an attack in them: no page gets an element or an attribute from it.

The same pages are made once with harmless text of the same kind; elements and attributes must be the same, one by one.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from tests.scoresheets.factories import client_for, enter_bids, make_game, seat_ids, seen_of
from tests.scoresheets.pages import HTMX, Element, read, read_html
from tests.scoresheets.views.every_page import STAGES, every_page
from tests.thorough import THOROUGH

pytestmark = pytest.mark.django_db

PAYLOADS = (
    "<script>alert(1)</script>",
    "</script><script>alert(1)//",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg/onload=alert(1)//",
    "<b>bold</b>",
    "<!-- comment",
    "--><h1>out</h1>",
    "<![CDATA[x]]>",
    "<?xml version='1.0'?>",
    "</title><h1>title</h1>",
    "</textarea><p>",
    "</section></main></body>",
    "</button><button name=rematch>",
    "</option></select>",
    "</table><table>",
    "</svg><script>x</script>",
    "</desc></svg>",
    "</noscript><p>",
    "<style>*{display:none}</style>",
    "<link rel=stylesheet href=//x>",
    "<meta http-equiv=refresh content=0>",
    "<base href=//evil.example>",
    "<iframe src=//evil.example>",
    "<form action=//evil.example>",
    "<input name=seat value=0>",
    "<template><p>",
    "<a href=javascript:alert(1)>x</a>",
    '" onfocus=alert(1) autofocus x="',
    "' onfocus=alert(1) autofocus x='",
    '" onmouseover="alert(1)',
    "' onmouseover='alert(1)",
    '"><script>alert(1)</script>',
    "'><script>alert(1)</script>",
    '"/><svg onload=alert(1)>',
    "` onerror=alert(1) `",
    '" hx-post="/x" hx-trigger="load',
    "' hx-get='//evil' hx-trigger='load",
    '" hx-on::load="alert(1)',
    '" hx-headers=\'{"X":"y"}',
    '" data-follow data-copy="#x',
    '" style="display:none',
    '" class="vh',
    '" id="pad',
    '" aria-label="x',
    "&lt;script&gt;",
    "&#60;script&#62;",
    "&amp;lt;b&amp;gt;",
    "&quot; onload=&quot;x",
    "&",
    "&nbsp;",
    "%3Cscript%3E",
    "\\u003cscript\\u003e",
    "\\x3cscript\\x3e",
    "{{ 7|add:7 }}",
    "{% load static %}",
    "{% csrf_token %}",
    "{# gone #}",
    "%(name)s %(who)s",
    "%s %d %n",
    "{0} {name}",
    "${7*7}",
    "javascript:alert(1)",
    "data:text/html,<script>x</script>",
    "\"}'",
    "'}\"",
    '\\"',
    "\u202e<b>\u202c",
    "<\u200bscript>",
    "＜script＞",
    "<scr\u0131pt>",
    "\u2028<script>\u2029",
)


def names_of(payloads: Sequence[str], room: int) -> list[str]:
    """Return names of at most so many characters in which every payload stands, one behind the other, shortest first.

    What is not made harmless changes the page whatever stands beside it.
    """
    names: list[str] = []
    for payload in sorted(payloads, key=len, reverse=True):
        place = next((place for place, name in enumerate(names) if len(name) + len(payload) <= room), None)
        if place is None:
            names.append(payload)
        else:
            names[place] += payload
    return sorted(names, key=len)


#: Two characters are left for what the pages add to a name.
NAMES = names_of(PAYLOADS, room=38)
#: Six people sit at each table, and its first name is also a link's label and a club's name, its second typed wrongly.
TABLES = [NAMES[start::6] for start in range(6)]
HARMLESS = ("Annika", "Bernd", "Cem", "Doro", "Emil", "Frida")


def shape(root: Element) -> list[tuple[str, tuple[str, ...]]]:
    """Return every element with the names of its attributes, in the order of the page."""
    return [(element.tag, tuple(sorted(element.attrs))) for element in root.walk()]


@pytest.fixture(scope="module")
def harmless_shapes():
    """Kept for all tables: stages -> answer -> its shape with harmless names."""
    return {}


def test_there_are_enough_payloads_and_each_sits_at_a_table():
    assert len(set(PAYLOADS)) == len(PAYLOADS) == 72
    assert {len(table) for table in TABLES} == {6}
    seated = [name for table in TABLES for name in table]
    assert [payload for payload in PAYLOADS if not any(payload in name for name in seated)] == []


@pytest.mark.parametrize("table", TABLES, ids=range(len(TABLES)))
def test_no_page_gets_an_element_or_an_attribute_from_a_name(table, harmless_shapes):
    # The first table goes through all stages and all pages, the others through what shows most of a game.
    stages = STAGES if table is TABLES[0] or THOROUGH else ("last bid", "tricks entered", "finished")
    if stages not in harmless_shapes:
        harmless = every_page(HARMLESS, "TV", "x", stages=stages)
        harmless_shapes[stages] = {name: shape(read(answer)) for name, answer in harmless.items()}

    for name, answer in every_page(table, table[0], table[1], stages=stages).items():
        root = read(answer)
        assert shape(root) == harmless_shapes[stages][name], name
        for element in root.walk():
            for attribute, value in element.attrs.items():
                if attribute in {"href", "action", "src", "hx-get", "hx-post"}:
                    assert value.startswith(("/", "#")), (name, attribute, value)
                elif attribute == "hx-headers":
                    json.loads(value)


def test_wrong_input_is_given_back_harmlessly():
    game = make_game(seats=3)
    enter_bids(game)
    client, first = client_for(game), seat_ids(game)[0]
    shapes = set()
    for typed in ("abc", *PAYLOADS):
        new = client.post(
            "/games/new/", {"name": ["A", "B", "C"], "new_name": f"{typed},B", "add": "1", "key": typed}, headers=HTMX
        )
        pad = client.post(
            f"/games/{game.pk}/", {"seen": seen_of(game), f"taken_{first}": typed, "score": "1"}, headers=HTMX
        )
        new_page, pad_page = read(new), read(pad)
        assert pad_page.one("input", name=f"taken_{first}")["value"] == typed
        assert new_page.one("input", name="key")["value"] == typed
        shapes.add((*shape(pad_page), pad.status_code, new.status_code))

    assert len(shapes) == 1


def test_names_are_shown_as_they_were_typed():
    table = TABLES[0]
    pages = every_page(table, "TV", "x", stages=("one bid", "finished"))
    # As `text` reads them: the separators among them are white space.
    shown = [" ".join(name.split()) for name in table]

    heads = read(pages["one bid, edit, page"]).one("thead").all("b")
    assert [head.text for head in heads] == shown
    assert read(pages["finished, watch, page"]).one(class_="stand").all(class_="nm")[0].text in shown
    assert read(pages["start"]).one("ul").all("b")[0].text == " ".join(", ".join(table).split())


def test_this_check_would_notice_an_injected_element_or_attribute():
    page = '<p title="{}">{}</p>'

    assert shape(read_html(page.format("x", "x"))) != shape(read_html(page.format("x", "<b>x</b>")))
    assert shape(read_html(page.format("x", "x"))) != shape(read_html(page.format('" onload="x', "x")))
