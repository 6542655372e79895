"""The words that stand above columns: how they are written, and all that are understood when reading."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

FIELDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": MappingProxyType(
            {
                "game": "Game",
                "date": "Date",
                "round": "Round",
                "cards": "Cards",
                "dealer": "Dealer",
                "player": "Player",
                "bid": "Bid",
                "tricks": "Tricks",
                "blind": "Blind",
                "cloud": "Cloud",
                "bombs": "Bombs",
                "points": "Points",
                "total": "Total",
                "place": "Place",
                "rules": "Rules",
                "note": "Note",
            }
        ),
        "de": MappingProxyType(
            {
                "game": "Spiel",
                "date": "Datum",
                "round": "Runde",
                "cards": "Karten",
                "dealer": "Geber",
                "player": "Spieler",
                "bid": "Ansage",
                "tricks": "Stiche",
                "blind": "Blind",
                "cloud": "Wolke",
                "bombs": "Bomben",
                "points": "Punkte",
                "total": "Summe",
                "place": "Platz",
                "rules": "Regeln",
                "note": "Notiz",
            }
        ),
    }
)
"""The header of each field as it is written, by language; a player's columns have the name and a space in front."""

OF_PLAYERS = frozenset({"bid", "tricks", "blind", "cloud", "points", "total", "place"})
"""The fields that each player has one of in a wide layout."""

UNREAD = "unread"
"""What a column means whose header is known, but of no use here."""

_ALSO: Mapping[str, str] = MappingProxyType(
    {
        "game": "partie match spielnr spielnummer gamenumber gameno gamenr gameid spielid",
        "date": "tag day datumzeit datetime dateandtime datumunduhrzeit gespieltam playedon playedat played",
        "round": "rd rde rnd rundennr rundennummer roundnumber roundno roundnr",
        "cards": "kartenzahl anzahlkarten karte card handcards handkarten",
        "dealer": "kartengeber gibt geberin",
        "player": "spielerin spielerinnen spielername name playername mitspieler",
        "bid": "angesagt vorhersage tipp gebot bids prediction predicted called call ansagen",
        "tricks": "stich gemacht erhalten trick taken made trickstaken",
        "blind": "blindansage blindbid",
        "cloud": "clouds wolken",
        "bombs": "bombe bomb",
        "points": "punkt pkt pts point score scores ergebnis punktzahl result",
        "total": "gesamt gesamtpunkte zwischensumme zwischenstand stand totals sum runningtotal subtotal totalpoints",
        "place": "rang rank platzierung position places ranking",
        "rules": "regel hausregeln houserules",
        "note": "notizen bemerkung bemerkungen kommentar kommentare notes comment comments remark remarks anmerkung",
        UNREAD: "ort spielort location venue uhrzeit zeit time beginn start ende end dauer duration minuten minutes"
        " sieger siegerin gewinner gewinnerin winner won saison season abend spielabend evening id nr no nummer number"
        " trumpf trump wochentag weekday",
    }
)
_TOTALS = frozenset(
    {"summe", "total", "gesamt", "gesamtpunkte", "endstand", "ergebnis", "sum", "totals", "final", "result"}
)
_BETWEEN = " \t:;,-–—_/|()[]"
"""What may stand between a name and the word behind or before it; a name may begin or end with some of it, too."""


def folded_header(text: str) -> str:
    """Return a header as it is compared: without case, accents, spaces and signs.

    >>> folded_header(" Spieler/in: ")
    'spielerin'
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in plain if c.isalnum())


def _vocabulary() -> dict[str, str]:
    words: dict[str, str] = {}
    for headers in FIELDS.values():
        words |= {folded_header(header): field for field, header in headers.items()}
    for field, also in _ALSO.items():
        words |= dict.fromkeys(also.split(), field)
    return words


_FIELDS = _vocabulary()


def field_of(header: str) -> str:
    """Return the field that a header names, `UNREAD` for a known one of no use, "" for an unknown one."""
    return _FIELDS.get(folded_header(header), "")


def player_field_of(header: str) -> tuple[str, str]:
    """Return the player and the field of a header such as "Anna bid", "Stiche Anna" or "Anna (Punkte)"; else two "".

    >>> player_field_of("Anna Lena (Punkte)")
    ('Anna Lena', 'points')
    """
    text = header.strip().rstrip(" :)]")
    parts = re.split(r"[\s:;,/|()\[\]_]+|\s[-–—]\s", text)
    behind, before = text[: len(text) - len(parts[-1])].rstrip(_BETWEEN), text[len(parts[0]) :].lstrip(_BETWEEN)
    for word, name in ((parts[-1], behind), (parts[0], before)):
        field = _FIELDS.get(folded_header(word), "")
        if name and field in OF_PLAYERS:
            return name, field
    return "", ""


def is_total(text: str) -> bool:
    """Whether the first cell of a line says that it holds the final totals."""
    return folded_header(text) in _TOTALS
