"""Setting up and starting a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from scoresheets import rulebook, wording
from scoresheets.forms.games import FREE, MOST_NAMES, Setup
from scoresheets.forms.house import HIDDEN, PAIR, SECRET, bid_mode_of
from scoresheets.queries.devices import DeviceGame, games_of_device, newest_kept, recent_names
from scoresheets.recording import Conflict, start_game
from scoresheets.views import access
from scoresheets.views.club_tables import ClubTable, club_table
from scoresheets.views.keys import key_in, new_key
from scoresheets.views.partials import wants_partial


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def new_game(request: HttpRequest) -> HttpResponse:
    """Show the new game; a POST changes it by its named buttons, and "start" starts it.

    It begins with the rules and the length of the newest game that this device keeps the score of, or with those of the
    club that `club` names, in the address or among the fields.
    """
    table = club_table(request)
    if "start" in request.POST:
        return _start(request, table)
    games = _games_of(request)
    usual = table.usual if table.club is not None else _usual(games)
    if request.method != "POST":
        return _render(request, Setup().with_rules_of(usual), games, table)
    sent = Setup.from_post(request.POST)
    setup = sent.after_button(request.POST)
    if "usual" in request.POST or table.has_changed:
        setup = setup.with_rules_of(usual)
    return _render(request, setup, games, table, before=sent, status=422 if setup.problems else 200)


def _start(request: HttpRequest, table: ClubTable) -> HttpResponse:
    setup = Setup.from_post(request.POST).after_button(request.POST)
    if not setup.problems:
        setup = setup.checked()
    if setup.problems:
        return _render(request, setup, _games_of(request), table, status=422)
    try:
        started = start_game(
            **setup.start_arguments(), **table.start_arguments(setup.names), by=table.actor, key=key_in(request.POST)
        )
    except Conflict as conflict:
        # The old key belongs to what was sent before.
        notice = wording.conflict_in_words(conflict)
        return _render(request, setup, _games_of(request), table, key=new_key(), status=409, notice=notice)
    return go_to_game(request, started.game.pk, access_to=(started.game, started.secret))


def go_to_game(request: HttpRequest, game_id: int, *, access_to: tuple[Any, str] | None = None) -> HttpResponse:
    """Answer with the way to a game's Block, for a browser and for HTMX, and keep its link on this device."""
    if wants_partial(request):
        response = HttpResponse(status=204)
        response["HX-Redirect"] = reverse("block", args=[game_id])
    else:
        response = redirect("block", game_id)
    if access_to is not None:
        access.remember_link(request, response, *access_to)
    return response


def _games_of(request: HttpRequest) -> list[DeviceGame]:
    return games_of_device(list(access.secrets_of(request).values()))


def _usual(games: Sequence[DeviceGame]) -> Setup:
    """Return rules and length of this device's last game; of the default edition if there is none."""
    last = newest_kept(games)
    if last is None:
        return Setup()
    return Setup().like(last.game.house, len(last.seats), ladder=last.game.ladder, plan=last.game.plan)


def _render(
    request: HttpRequest,
    setup: Setup,
    games: Sequence[DeviceGame],
    table: ClubTable,
    *,
    before: Setup | None = None,
    key: str = "",
    status: int = 200,
    notice: str = "",
) -> HttpResponse:
    seated = {name.casefold() for name in setup.names}
    problems = setup.plan_problems()
    errors = _errors(setup, problems)
    context: Mapping[str, Any] = {
        "setup": setup,
        "key": key or request.POST.get("key", "") or new_key(),
        "pills": [
            (name, name.casefold() in seated) for name in (recent_names(games) if table.club is None else table.names)
        ],
        "table": table,
        "seats": _seats(setup, table),
        "most_names": MOST_NAMES,
        "starter": setup.names[(setup.dealer + 1) % len(setup.names)] if len(setup.names) > 1 else "",
        "dealer": setup.names[setup.dealer] if setup.names else "",
        "plan": _plan(setup),
        "lengths": _lengths(setup, problems),
        "house": _house(setup, problems, errors),
        "start_from": _start_from(setup, games),
        "changed": _changed(before, setup) if {"preset", "usual"} & request.POST.keys() else "",
        "errors": errors,
        "notice": notice,
    }
    template = "games/new.html#setup" if wants_partial(request) else "games/new.html"
    return render(request, template, context, status=status)


def _seats(setup: Setup, table: ClubTable) -> list[dict[str, Any]]:
    last = len(setup.names) - 1
    return [
        {
            "place": place,
            "name": name,
            "deals": place == setup.dealer,
            "first": place == 0,
            "last": place == last,
            "is_new": table.is_new(name),
            "meant": [near for near in table.near(name) if setup.place_of(near) is None],
        }
        for place, name in enumerate(setup.names)
    ]


def _plan(setup: Setup) -> dict[str, Any]:
    """What the chosen length means: its rounds and tricks, and the numbers on the choices."""
    cards = [plan.cards for plan in setup.plans()]
    listed = " ".join(map(str, cards))
    return {
        "rounds": len(cards),
        "shown": setup.rounds if setup.length == "own" else str(len(cards) or setup.most_rounds),
        "tricks": sum(cards),
        "list": setup.typed_cards if setup.length == FREE else listed,
        **setup.length_rounds,
    }


def _lengths(setup: Setup, standing: Sequence[rules.Problem]) -> dict[str, Option]:
    """Return the lengths that are more than a number of rounds."""
    words, is_tournament = rulebook.LADDERS, setup.length == "tournament"
    cards = ", ".join(str(plan.cards) for plan in setup.plans()) if is_tournament else ""
    return {
        "tournament": Option(
            "length",
            "tournament",
            words["tournament"].name,
            _("%(cards)s cards") % {"cards": cards} if cards else words["tournament"].line,
            is_tournament,
            "" if is_tournament else _reason(setup, setup.choosing(length="tournament"), standing),
        ),
        "free": Option("length", FREE, words[FREE].name, words[FREE].line, setup.length == FREE),
    }


# -- house rules ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to choose: what its field sends, what it is called, and why it cannot be chosen now ("" if it can)."""

    name: str
    value: str
    title: rulebook.Text
    line: rulebook.Text = ""
    is_chosen: bool = False
    reason: str = ""
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Options that belong together, what of them is chosen, and whether something is wrong among them."""

    title: rulebook.Text
    chosen: str
    is_wrong: bool


_ICONS = {"JUGGLER": "juggle", "WEREWOLF": "wolf", "SHAPESHIFTER": "shift"}
#: The rules that are on or off, by the group in which they stand.
_SWITCHES: Mapping[str, Sequence[str]] = {
    "specials": ("cloud_upper_clamp", "allow_lone_dragon_or_fairy", "rounds_from_deck", "specials_in_variants"),
    "bids": ("blind_bids",),
    "trump": ("weak_specials_no_trump", "werewolf_may_choose_no_trump", "last_round_dealer_trump"),
    "cards": ("clairvoyance",),
}
_USUAL = rules.HouseRules()


def _house(setup: Setup, standing: Sequence[rules.Problem], errors: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options of the house rules, and the groups they stand in with what is chosen there."""
    options = _options(setup, standing)
    switches = {group: [_switch(setup, standing, name) for name in names] for group, names in _SWITCHES.items()}
    titles = {
        "edition": (_("Edition"), options["edition"], _edition_in_words(setup)),
        "specials": (rulebook.FIELDS["specials"].name, options["specials"], pgettext("special cards", "none")),
        "bids": (_("How bids are made"), options["bids"], ""),
        "trump": (_("Trump"), [], _("as in the rule book")),
        "cards": (_("Pack and variant"), [*options["deck"], *options["variant"]], ""),
        "tie": (rulebook.FIELDS["tie_break"].name, options["tie"], ""),
    }
    groups = {
        name: Group(title, _chosen(shown, switches.get(name, []), otherwise), bool(_FIELDS_IN[name] & errors.keys()))
        for name, (title, shown, otherwise) in titles.items()
    }
    return {
        **options,
        "switches": switches,
        "groups": groups,
        "plus_minus_one": _switch(setup, standing, "plus_minus_one"),
        "no_specials": list(dict.fromkeys(option.reason for option in options["specials"] if option.reason)),
    }


def _options(setup: Setup, standing: Sequence[rules.Problem]) -> dict[str, list[Option]]:
    """Return the options of which one is chosen, and the special cards."""

    def option(name: str, value: str, words: rulebook.Words, is_chosen: bool, other: Setup, icon: str = "") -> Option:
        reason = "" if is_chosen else _reason(setup, other, standing)
        return Option(name, value, words.name, words.line, is_chosen, reason, icon)

    def of_field(name: str, words: Mapping[str, rulebook.Words]) -> list[Option]:
        chosen = getattr(setup, name)
        return [option(name, value, words[value], value == chosen, setup.choosing(**{name: value})) for value in words]

    def bid_mode(mode: str, words: rulebook.Words) -> Option:
        other = setup.choosing(hidden_bids=mode == HIDDEN, secret_bids=mode == SECRET)
        return option("bid_mode", mode, words, mode == bid_mode_of(setup.house), other)

    def pill(cards: Sequence[str]) -> Option:
        words = rulebook.Words(wording.joined([str(rulebook.SPECIALS[card].name) for card in cards]), "")
        other = setup.choosing(specials=(*setup.specials, *cards))
        icon = _ICONS.get(cards[0], cards[0].lower())
        return option("special", ",".join(cards), words, set(cards) <= set(setup.specials), other, icon)

    return {
        "edition": [
            option("preset", name, words, name == setup.preset, setup.with_preset(name))
            for name, words in rulebook.PRESETS.items()
        ],
        "specials": [pill(cards) for cards in _pills(setup)],
        "bids": [bid_mode(mode, words) for mode, words in rulebook.BID_MODES.items()],
        "deck": of_field("deck", rulebook.DECKS),
        "variant": of_field("variant", rulebook.VARIANT_WORDS),
        "tie": of_field("tie_break", rulebook.TIE_BREAKS),
    }


def _switch(setup: Setup, standing: Sequence[rules.Problem], name: str) -> Option:
    is_on, words = getattr(setup, name), rulebook.FIELDS[name]
    reason = "" if is_on else _reason(setup, setup.choosing(**{name: True}), standing)
    return Option(name, "on", words.name, words.line, is_on, reason)


def _pills(setup: Setup) -> list[tuple[str, ...]]:
    """Return the special cards as they are chosen: each for itself, or dragon and fairy at once."""
    if setup.is_pair_apart:
        return [(card,) for card in rules.SPECIALS]
    return [PAIR, *((card,) for card in rules.SPECIALS if card not in PAIR)]


def _edition_in_words(setup: Setup) -> str:
    if setup.edition is None:
        return _("your own mix")
    return _("%(edition)s, changed") % {"edition": rulebook.PRESETS[setup.edition].name}


def _chosen(options: Sequence[Option], switches: Sequence[Option], otherwise: str) -> str:
    """Return what is chosen in words: the options, and the switches that do not stand as usual."""
    words = [str(option.title) for option in options if option.is_chosen]
    for switch in switches:
        if switch.is_chosen != getattr(_USUAL, switch.name):
            words.append(str(switch.title) if switch.is_chosen else _("not: %(rule)s") % {"rule": switch.title})
    return ", ".join(words) or otherwise


def _start_from(setup: Setup, games: Sequence[DeviceGame]) -> dict[str, Any]:
    """Return what the rules stand on and the way back: to the last game's, or from those to the default edition."""
    if newest_kept(games) is None:
        return {}
    usual, plain = _usual(games), Setup()
    if not setup.has_rules_of(usual):
        return {"usual": True}
    return {} if setup.has_rules_of(plain) else {"preset": next(iter(rules.PRESETS))}


def _changed(before: Setup | None, after: Setup) -> str:
    """Return the rules that a button changed, in words; the page says so where it is easily overlooked."""
    if before is None:
        return ""
    names = [
        str(rulebook.FIELDS[field.name].name)
        for field in fields(rules.HouseRules)
        if getattr(before, field.name) != getattr(after, field.name)
    ]
    return ", ".join([*names, *([_("Length")] if before.plan_arguments != after.plan_arguments else [])])


# -- what is wrong -------------------------------------------------------------------------------------------------

#: Which field shows which problem; all others stand above the button.
_FIELD_OF = {
    **dict.fromkeys(("name_missing", "name_too_long", "name_taken", "table_full", "players"), "name"),
    **dict.fromkeys(("rounds_out_of_range", "ladder_players", "ladder_unknown"), "length"),
    **dict.fromkeys(("ladder_cards", "cards_unreadable", "cards_out_of_range", "cards_exceed_deck"), "cards"),
    **dict.fromkeys(("special_unknown", "special_repeated", "dragon_fairy_pair", "deck_has_no_specials"), "specials"),
    "variant_needs_no_specials": "specials",
    "dealer_out_of_range": "dealer",
    "deck_unknown": "deck",
    "variant_unknown": "variant",
    "variant_players": "variant",
    "tie_break_unknown": "tie",
    "plus_minus_one_from": "from",
}
#: Of two choices that exclude each other, where the second one is made.
_FIELD_OF_SECOND = {"secret_bids": "bids", "tournament": "length"}
#: The fields of each group: one with something wrong in it stands open.
_FIELDS_IN = {
    "edition": set(),
    "specials": {"specials"},
    "bids": {"bids"},
    "trump": set(),
    "cards": {"deck", "variant"},
    "tie": {"tie"},
}
#: A list that does not fit says so at its first rounds; the others follow from the same mistake.
_MOST_SENTENCES = 3


def _errors(setup: Setup, plan_problems: Sequence[rules.Problem]) -> dict[str, list[str]]:
    """Return the sentences to show, by field."""
    errors: dict[str, list[str]] = {}
    for problem in (*setup.problems, *plan_problems):
        sentence = wording.problem_in_words(problem, setup.names)
        at = errors.setdefault(_field_of(problem), [])
        if sentence not in at and len(at) < _MOST_SENTENCES:
            at.append(sentence)
    return errors


def _field_of(problem: rules.Problem) -> str:
    if problem.code == "variant_incompatible":
        return _FIELD_OF_SECOND.get(str(problem.args["second"]), "variant")
    return _FIELD_OF.get(problem.code, "form")


def _reason(setup: Setup, other: Setup, standing: Sequence[rules.Problem]) -> str:
    """Return in words why one cannot change to the other setup; "" if one can."""
    return " ".join(dict.fromkeys(wording.problem_in_words(problem) for problem in setup.bars(other, standing)))
