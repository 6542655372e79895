"""Problems and conflicts in words, in the reader's language. Codes are stable; sentences are not."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import rules
from scoresheets import rulebook
from scoresheets.imports.words import FIELDS
from scoresheets.models import Round
from scoresheets.numbers import reader_language
from scoresheets.queries.blocks import Undo
from scoresheets.recording import Conflict

MINUS = "\N{MINUS SIGN}"


def signed(number: int) -> str:
    """Return a number with its sign, the real minus: +1, −2, 0."""
    return f"+{number}" if number > 0 else plain(number)


def plain(number: int) -> str:
    """Return a number with the real minus: 120, −30."""
    return f"{MINUS}{-number}" if number < 0 else str(number)


def sum_in_words(bid_sum: int, cards: int) -> str:
    """Return how a sum of bids stands to the cards: "2 under", "adds up", "1 over"."""
    if bid_sum == cards:
        return _("adds up")
    if bid_sum < cards:
        return _("%(count)s under") % {"count": cards - bid_sum}
    return _("%(count)s over") % {"count": bid_sum - cards}


def joined(names: Sequence[str]) -> str:
    """Return names as a list in words: "Annika, Bernd and Cem"."""
    if len(names) < 2:
        return "".join(names)
    return _("%(first)s and %(last)s") % {"first": ", ".join(names[:-1]), "last": names[-1]}


def undo_in_words(undo: Undo | None) -> str:
    """Return what the step back takes back: "Bernd 2", "tricks of round 6", "all bids"; "" if there is nothing."""
    if undo is None:
        return ""
    if undo.tricks:
        return _("tricks of round %(number)s") % {"number": undo.round_number}
    if undo.seat is None:
        return _("all bids")
    return f"{undo.seat.name} {undo.tricks_bid}" if undo.tricks_bid is not None else undo.seat.name


def problem_in_words(problem: rules.Problem, names: Sequence[str] = ()) -> str:
    """Return a rule's problem as one sentence; `names` in seat order lets it say who. Unknown codes speak English."""
    words = _PROBLEMS.get(problem.code)
    if words is None:
        return problem.message
    values: dict[str, Any] = dict(problem.params)
    values["who"] = (
        names[problem.seat] if problem.seat is not None and problem.seat < len(names) else _("The last bidder")
    )
    return words(values)


def _tricks_sum(values: Mapping[str, Any]) -> str:
    if values["missing"]:
        return ngettext(
            "%(count)s trick is missing: %(sum)s of %(countable)s entered.",
            "%(count)s tricks are missing: %(sum)s of %(countable)s entered.",
            values["missing"],
        ) % {**values, "count": values["missing"]}
    return ngettext(
        "One trick too many. Who miscounted?",
        "%(count)s tricks too many. Who miscounted?",
        values["surplus"],
    ) % {**values, "count": values["surplus"]}


def _bid_out_of_range(values: Mapping[str, Any]) -> str:
    if values["bid"] < 0:
        return _("A bid is at least 0.")
    return (
        ngettext(
            "%(bid)s is too many: there is only %(cards)s card this round.",
            "%(bid)s is too many: there are only %(cards)s cards this round.",
            values["cards"],
        )
        % values
    )


def _tricks_out_of_range(values: Mapping[str, Any]) -> str:
    if values["tricks"] < 0:
        return _("Nobody takes fewer than 0 tricks.")
    return (
        ngettext(
            "%(tricks)s is too many: only %(countable)s trick counts this round.",
            "%(tricks)s is too many: only %(countable)s tricks count this round.",
            values["countable"],
        )
        % values
    )


def _bid_sum_forbidden(values: Mapping[str, Any]) -> str:
    return (
        ngettext(
            "%(bid)s does not work here: the others bid %(others)s, and %(bid)s would make exactly %(cards)s. "
            "%(who)s needs another number.",
            "%(bid)s does not work here: the others bid %(others)s, and %(bid)s would make exactly %(cards)s. "
            "%(who)s needs another number.",
            values["others"],
        )
        % values
    )


def _too_many_bombs(values: Mapping[str, Any]) -> str:
    return (
        ngettext(
            "There is only %(in_deck)s bomb in this deck.",
            "There are only %(in_deck)s bombs in this deck.",
            values["in_deck"],
        )
        % values
    )


def _too_many_clouds(values: Mapping[str, Any]) -> str:
    return (
        ngettext(
            "There is only %(in_deck)s cloud in this deck: one person has it.",
            "There are only %(in_deck)s clouds in this deck.",
            values["in_deck"],
        )
        % values
    )


def _bombs_out_of_range(values: Mapping[str, Any]) -> str:
    return (
        ngettext(
            "%(bombs)s bombed tricks are not possible: there is only %(cards)s trick this round.",
            "%(bombs)s bombed tricks are not possible: there are only %(cards)s tricks this round.",
            values["cards"],
        )
        % values
    )


def _cloud_bid_out_of_range(values: Mapping[str, Any]) -> str:
    if values["delta"] < 0:
        return _("%(who)s bid %(bid)s: the cloud cannot lower that, only raise it by 1.") % values
    return (
        ngettext(
            "%(who)s bid %(bid)s of %(cards)s trick: the cloud cannot raise that, only lower it by 1.",
            "%(who)s bid %(bid)s of %(cards)s tricks: the cloud cannot raise that, only lower it by 1.",
            values["cards"],
        )
        % values
    )


def _trump_impossible(values: Mapping[str, Any]) -> str:
    if values["trump"] == rules.NO_TRUMP:
        return _("There has to be a trump here.")
    return _("Trump cannot be %(trump)s here.") % {"trump": _suit(values["trump"])}


def _suit(value: Any) -> Any:
    """Return what a suit is called; what is none stays."""
    return Round.Trump(value).label if value in Round.Trump.values else value


def _rounds_out_of_range(values: Mapping[str, Any]) -> str:
    return _("Choose 1 to %(most)s rounds.") % values


def _rule(name: Any) -> str:
    """Return what a field of the house rules, or a value of one, is called."""
    shelves = (rulebook.FIELDS, rulebook.VARIANT_WORDS, rulebook.DECKS, rulebook.LADDERS, rulebook.SPECIALS)
    return next((str(words[name].name) for words in shelves if name in words), str(name))


def _dragon_fairy_pair(values: Mapping[str, Any]) -> str:
    return _("Dragon and fairy are only played together. Missing: %(missing)s.") % {"missing": _rule(values["missing"])}


def _variant_needs_no_specials(values: Mapping[str, Any]) -> str:
    return _("“%(variant)s” is played without special cards, unless “%(rule)s” is on.") % {
        "variant": _rule(values["variant"]),
        "rule": _rule("specials_in_variants"),
    }


def _variant_players(values: Mapping[str, Any]) -> str:
    return _("“%(variant)s” is for %(fewest)s to %(most)s people, not for %(players)s.") % {
        **values,
        "variant": _rule(values["variant"]),
    }


def _variant_incompatible(values: Mapping[str, Any]) -> str:
    return _("“%(first)s” and “%(second)s” exclude each other.") % {
        "first": _rule(values["first"]),
        "second": _rule(values["second"]),
    }


def _cards_exceed_deck(values: Mapping[str, Any]) -> str:
    return _("Round %(round)s: %(cards)s cards for %(players)s players need %(needed)s of %(deck)s.") % values


def _points_printed(values: Mapping[str, Any]) -> str:
    return _("The paper says %(printed)s, computed: %(computed)s.") % _plainly(values)


def _total_printed(values: Mapping[str, Any]) -> str:
    return _("The paper says %(printed)s in total, computed: %(computed)s.") % _plainly(values)


def _plainly(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: plain(values[name]) for name in ("printed", "computed")}


def _rank_mismatch(values: Mapping[str, Any]) -> str:
    return _("%(name)s: place %(told)s is told, the points give place %(found)s.") % values


def _header(field: str) -> str:
    """Return the header word of a field of imported tables, in the reader's language."""
    return FIELDS.get(reader_language(), FIELDS["en"]).get(field, field)


def _headers_missing(values: Mapping[str, Any]) -> str:
    missing = ", ".join(f"“{_header(field)}”" for field in str(values["missing"]).split())
    return _("No header of a table of games: %(missing)s missing. Found: %(found)s.") % {
        "missing": missing,
        "found": values["found"],
    }


def _plays_ignored(values: Mapping[str, Any]) -> str:
    return (
        ngettext(
            "%(count)s play is left out: the app does not count it either.",
            "%(count)s plays are left out: the app does not count them either.",
            values["count"],
        )
        % values
    )


def _told_and_found(values: Mapping[str, Any]) -> dict[str, Any]:
    return {**values, "told": plain(values["told"]), "found": plain(values["found"])}


def _people_unsettled(values: Mapping[str, Any]) -> str:
    return (
        ngettext(
            "%(people)s name is open: say who it is.",
            "%(people)s names are open: say who they are.",
            values["people"],
        )
        % values
    )


def _games_refused(values: Mapping[str, Any]) -> str:
    return (
        ngettext(
            "%(games)s game cannot be imported. Put the file right, or tick that the others are imported.",
            "%(games)s games cannot be imported. Put the file right, or tick that the others are imported.",
            values["games"],
        )
        % values
    )


def _table_size(values: Mapping[str, Any]) -> str:
    return (
        ngettext(
            "Table %(table)s would have %(people)s person: three to six play at a table.",
            "Table %(table)s would have %(people)s people: three to six play at a table.",
            values["people"],
        )
        % values
    )


def _club_file_type(values: Mapping[str, Any]) -> str:
    return {
        "number": _("A whole number belongs here."),
        "text": _("A text belongs here."),
        "yes_no": _("true or false belongs here."),
        "moment": _("A moment belongs here, such as 2026-03-01T19:30:00.000000Z."),
        "day": _("A day belongs here, such as 2026-03-01."),
        "list": _("A list belongs here."),
    }.get(values["expected"]) or _("An object belongs here.")


def _in_numbers(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: plain(values[name]) for name in ("told", "computed")}


def _club_file_unknown(values: Mapping[str, Any]) -> str:
    words = {
        "seat": _("There is no seat %(number)s here."),
        "player": _("There is no player %(number)s here."),
        "evening": _("There is no evening %(number)s here."),
        "table": _("There is no table %(number)s here."),
        "season": _("There is no season %(number)s here."),
    }
    return (words.get(values["what"]) or _("There is no game %(number)s here.")) % values


_PROBLEMS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "players": lambda values: _("Wizard needs 3 to 6 people; so far: %(players)s.") % values,
    "reason_missing": lambda values: _("Say why, in a few words."),
    "reason_too_long": lambda values: _("A reason has at most %(most)s characters.") % values,
    "adjustment_out_of_range": lambda values: _("Write −%(most)s to +%(most)s points, but not 0.") % values,
    "name_missing": lambda values: _("Enter a name."),
    "name_too_long": lambda values: _("A name has at most %(most)s characters.") % values,
    "name_taken": lambda values: _("%(name)s is already at the table. Try “%(name)s B.”, for example.") % values,
    "table_full": lambda values: _("The table is full: %(most)s people at most.") % values,
    "starting_out_of_range": lambda values: _("Write −%(most)s to +%(most)s points.") % values,
    "dealer_out_of_range": lambda values: _("Choose who deals first."),
    "rounds_out_of_range": _rounds_out_of_range,
    "ladder_players": lambda values: _("There is no tournament ladder for %(players)s people.") % values,
    "ladder_unknown": lambda values: _("Choose a length."),
    "ladder_cards": lambda values: _("Type the cards of each round, for example 1 3 5 7."),
    "cards_unreadable": lambda values: _("“%(typed)s” is no number of cards. Type for example 1 3 5 7.") % values,
    "cards_out_of_range": lambda values: _("Round %(round)s: everybody needs at least 1 card.") % values,
    "cards_exceed_deck": _cards_exceed_deck,
    "deck_unknown": lambda values: _("Choose one of the packs."),
    "special_unknown": lambda values: _("There is no special card “%(special)s”.") % values,
    "special_repeated": lambda values: (
        _("%(card)s: only one of each card is in the pack.") % {"card": _rule(values["special"])}
    ),
    "dragon_fairy_pair": _dragon_fairy_pair,
    "deck_has_no_specials": lambda values: (
        _("“%(deck)s” is played without special cards.") % {"deck": _rule(values["deck"])}
    ),
    "variant_unknown": lambda values: _("Choose one of the variants."),
    "variant_needs_no_specials": _variant_needs_no_specials,
    "variant_players": _variant_players,
    "variant_incompatible": _variant_incompatible,
    "tie_break_unknown": lambda values: _("Choose what a tie means."),
    "plus_minus_one_from": lambda values: _("Type the number of a round, 1 or later."),
    "bid_out_of_range": _bid_out_of_range,
    "bid_sum_forbidden": _bid_sum_forbidden,
    "tricks_out_of_range": _tricks_out_of_range,
    "tricks_sum": _tricks_sum,
    # Blind bids, bombs and clouds.
    "blind_not_enabled": lambda values: _("Blind bids are not part of this game."),
    "blind_not_available": lambda values: _("Nobody can bid blind in this round: nobody sees their own card."),
    "bombs_out_of_range": _bombs_out_of_range,
    "bomb_not_in_deck": lambda values: _("The bomb is not in this game."),
    "too_many_bombs": _too_many_bombs,
    "cloud_not_in_deck": lambda values: _("The cloud is not in this game."),
    "too_many_clouds": _too_many_clouds,
    "cloud_delta": lambda values: _("The cloud changes a bid by exactly 1, up or down."),
    "cloud_without_trick": lambda values: (
        _("%(who)s has no trick that counts: then the cloud changes nothing.") % values
    ),
    "cloud_bid_out_of_range": _cloud_bid_out_of_range,
    # Sheets on paper.
    "points_printed": _points_printed,
    "total_printed": _total_printed,
    "points_out_of_range": lambda values: _("Write −%(most)s to +%(most)s points.") % values,
    "rank_mismatch": _rank_mismatch,
    "played_later": lambda values: _("This day is still to come."),
    # Trump.
    "trump_impossible": _trump_impossible,
    "trump_missing": lambda values: _("Say which trump it was."),
    "chooser_impossible": lambda values: _("%(who)s had no trump to choose in this round.") % values,
    "suit_not_in_deck": lambda values: _("This suit is not in the deck."),
    "card_not_in_deck": lambda values: _("This card is not in the deck."),
    "card_unknown": lambda values: _("This is no card."),
    "turned_up_not_left": lambda values: _("No card is left in this round that could be turned up."),
    # Tricks, and rounds without a game: only the API asks for them.
    "trick_empty": lambda values: _("There is no card in this trick yet."),
    "card_undeclared": lambda values: _("Say what %(card)s stands for: a suit, or a wizard or jester.") % values,
    "card_not_in_hand": lambda values: _("%(card)s is not in this hand.") % values,
    "must_follow": lambda values: (
        _("%(card)s cannot be played: the suit to follow is %(suit)s.") % {**values, "suit": _suit(values["suit"])}
    ),
    "too_many_of_card": lambda values: _("%(card)s is there too often: the deck has %(in_deck)s.") % values,
    "trick_too_long": lambda values: (
        _("At a table of %(players)s a trick has %(players)s cards: %(card)s is one too many.") % values
    ),
    "wrong_length": lambda values: _("One entry a seat is needed: %(expected)s, not %(given)s.") % values,
    "seat_out_of_range": lambda values: _("There is no seat %(seat_index)s at a table of %(players)s.") % values,
    "round_number": lambda values: _("Rounds are numbered from 1."),
    # Clubs and their people.
    "time_zone_unknown": lambda values: _("“%(time_zone)s” is no time zone. Choose one of the list.") % values,
    "language_unknown": lambda values: _("Choose German or English."),
    "visibility_unknown": lambda values: _("Choose who may look at the club."),
    "hours_out_of_range": lambda values: _("Write 0 to %(most)s hours, or nothing for never.") % values,
    "role_unknown": lambda values: _("Choose one of the roles."),
    "days_out_of_range": lambda values: _("Choose 1 to %(most)s days.") % values,
    "uses_out_of_range": lambda values: _("Write 1 to %(most)s people, or nothing for any number.") % values,
    "player_name_taken": lambda values: (
        _("The club already knows %(name)s. Choose that person, or add something to tell both apart.") % values
    ),
    "player_twice": lambda values: _("%(name)s cannot sit on two seats.") % values,
    # Tokens.
    "scope_unknown": lambda values: _("Choose what the token may do."),
    "too_many_tokens": lambda values: _("%(most)s tokens are open already: revoke one first.") % values,
    # Evenings.
    "evening_day_out_of_range": lambda values: _("Choose a day of the years %(first)s to %(last)s.") % values,
    "evening_time_skipped": lambda values: (
        _("On that day the clocks go forward, and %(time)s does not come. Choose another time.") % values
    ),
    "place_too_long": lambda values: _("A place has at most %(most)s characters.") % values,
    "note_too_long": lambda values: _("A note has at most %(most)s characters.") % values,
    "times_out_of_range": lambda values: _("Plan 1 to %(most)s evenings at once.") % values,
    "answer_unknown": lambda values: _("Choose one of the answers."),
    "tables_out_of_range": lambda values: _("Write 0 to %(most)s tables, or nothing for as many as it takes.") % values,
    "table_size": _table_size,
    # Files to be imported: the file as a whole.
    "file_too_large": lambda values: _("A file has at most %(most)s MB.") % values,
    "file_empty": lambda values: _("The file is empty."),
    "file_has_no_games": lambda values: _("There is a header, but no game below it."),
    "file_type_wrong": lambda values: (
        _("This is a file of another kind (%(found)s). Save the table as CSV or XLSX.") % values
    ),
    "file_is_club": lambda values: _("This file holds a whole club. It becomes a club of its own: bring it in there."),
    "encoding_unknown": lambda values: _("The characters of the file cannot be read. Save it as CSV in UTF-8."),
    "nul_bytes": lambda values: _("The file holds signs that no text has. Save it as CSV in UTF-8."),
    "quote_open": lambda values: _("A quotation mark is opened here and not closed, or stands inside a cell."),
    "cell_too_long": lambda values: _("A cell is too long, or a quotation mark is not closed."),
    "too_many_rows": lambda values: _("A table has at most %(most)s rows. Divide the file.") % values,
    "too_many_columns": lambda values: _("The table has %(columns)s columns; at most %(most)s are read.") % values,
    "too_many_games": lambda values: _("A file has at most %(most)s games. Divide it.") % values,
    "workbook_broken": lambda values: _("The workbook is damaged or not complete. Save it again as XLSX."),
    "workbook_encrypted": lambda values: _("The workbook is protected by a password. Save it without one."),
    "workbook_old": lambda values: _("This is a workbook in the old format (XLS). Save it as XLSX."),
    "workbook_too_large": lambda values: _("Unpacked, the workbook is too large: more than %(most)s MB.") % values,
    "sheet_unknown": lambda values: _("The workbook has no sheet “%(sheet)s”.") % values,
    "formula_without_value": lambda values: _("This formula has no result. Open the workbook, save it and try again."),
    "cell_has_error": lambda values: _("This cell shows the error %(typed)s.") % values,
    "json_broken": lambda values: (
        _("From line %(line)s on the file cannot be read: it is damaged or cut off.") % values
    ),
    "json_too_deep": lambda values: _("The file is nested too deeply, or holds too many values."),
    "json_not_known": lambda values: _("This is neither an export of BG Stats nor a file of ours."),
    "no_plays": lambda values: _("There are no plays in this export."),
    "no_plays_chosen": lambda values: _("None of the games in this export is Wizard: choose which one is."),
    "plays_ignored": _plays_ignored,
    # Files to be imported: the header.
    "headers_missing": _headers_missing,
    "header_repeated": lambda values: _("Column %(first)s has the same header. Each may be there once.") % values,
    "player_column_missing": lambda values: (
        _("There is no column “%(name)s %(field)s”.") % {**values, "field": _header(values["field"])}
    ),
    "column_unread": lambda values: _("This column is not read."),
    "line_unread": lambda values: _("This line of sums is not read."),
    # Files to be imported: a cell.
    "number_unreadable": lambda values: _("“%(typed)s” is no number.") % values,
    "number_not_whole": lambda values: _("%(typed)s is not a whole number.") % values,
    "number_too_long": lambda values: _("This number is too large."),
    "mark_unreadable": lambda values: _("“%(typed)s” is neither a yes nor a no. Write x, or nothing.") % values,
    "date_missing": lambda values: _("The day is missing."),
    "date_unreadable": lambda values: _("“%(typed)s” is no day. Write 24.12.2025 or 2025-12-24.") % values,
    "date_ambiguous": lambda values: (
        _("%(typed)s can be read with the day first or the month first. Write 2025-12-24.") % values
    ),
    "date_too_early": lambda values: _("Wizard was not there before %(first)s.") % values,
    "cell_without_header": lambda values: _("“%(typed)s” stands in a column without a header.") % values,
    "told_twice": lambda values: _("“%(told)s” stands here, and “%(known)s” further up in the same game.") % values,
    # Files to be imported: a game.
    "round_number_missing": lambda values: _("The number of the round is missing."),
    "round_out_of_range": lambda values: _("There is no round %(round)s.") % values,
    "round_twice": lambda values: (
        _("Round %(round)s is in row %(first)s already. Give each game of a day a number of its own.") % values
    ),
    "rounds_missing": lambda values: _("The game has no rounds."),
    "round_missing": lambda values: _("Round %(round)s of %(last)s is missing.") % values,
    "player_not_in_round": lambda values: _("%(name)s is missing in round %(round)s.") % values,
    "player_twice_in_round": lambda values: (
        _("%(name)s is in round %(round)s already, in row %(first)s. Give each game of a day a number of its own.")
        % values
    ),
    "player_twice_in_game": lambda values: _("%(name)s is in this game already, in row %(first)s.") % values,
    "player_not_in_file": lambda values: _("The file does not say who this is."),
    "played_in_teams": lambda values: _("This game was played in teams."),
    "bid_missing": lambda values: _("%(name)s: the bid of round %(round)s is missing.") % values,
    "tricks_missing": lambda values: _("%(name)s: the tricks of round %(round)s are missing.") % values,
    "points_missing": lambda values: _("%(name)s: the points are missing.") % values,
    "rules_unreadable": lambda values: _("“%(typed)s” are no house rules.") % values,
    "dealer_unknown": lambda values: _("%(name)s deals round %(round)s, but does not play.") % values,
    # Files to be imported: what the file says otherwise than the rules.
    "points_mismatch": lambda values: (
        _("%(name)s, round %(round)s: the file says %(told)s points, computed: %(found)s.") % _told_and_found(values)
    ),
    "total_mismatch": lambda values: (
        _("%(name)s, round %(round)s: the file says %(told)s in total, computed: %(found)s.") % _told_and_found(values)
    ),
    "dealer_mismatch": lambda values: (
        _("Round %(round)s: the file lets %(told)s deal, but it is the turn of %(found)s.") % values
    ),
    "winner_mismatch": lambda values: _("%(told)s is called the winner, but %(found)s has more points.") % values,
    "game_repeated": lambda values: _("The same game stands in row %(first)s.") % values,
    # Imports.
    "too_many_imports": lambda values: (
        _("%(most)s files of the club wait to be imported: import or discard one of them first.") % values
    ),
    "too_many_people": lambda values: (
        _("The file has %(people)s different names; at most %(most)s are taken at once. Divide it.") % values
    ),
    "people_unsettled": _people_unsettled,
    "games_refused": _games_refused,
    "nothing_to_import": lambda values: _("There is no game left to import."),
    "name_unknown": lambda values: _("The club knows nobody called “%(name)s”.") % values,
    "import_game_failed": lambda values: _("This game could not be recorded; nothing of it is kept."),
    # Webhooks.
    "address_unreadable": lambda values: _("This is no address. Write one such as https://example.org/tafelrunde."),
    "address_too_long": lambda values: _("An address has at most %(most)s characters.") % values,
    "address_not_https": lambda values: _("Only addresses that start with https:// are allowed."),
    "address_has_login": lambda values: _("An address must not hold a name or password: requests are signed instead."),
    "address_port": lambda values: _("Only port %(https)s and those from %(first)s on are allowed.") % values,
    "address_not_public": lambda values: _("The address must be that of a server on the internet."),
    "address_taken": lambda values: _("The club has a webhook with this address already."),
    "events_missing": lambda values: _("Choose at least one thing to tell."),
    "event_unknown": lambda values: _("There is no event “%(event)s”.") % values,
    "too_many_webhooks": lambda values: _("A club has at most %(most)s webhooks.") % values,
    # Seasons.
    "season_name_taken": lambda values: _("There is a season “%(name)s” already. Choose another name.") % values,
    "season_ends_before_start": lambda values: _("A season cannot end before it starts."),
    "too_many_seasons": lambda values: _("%(most)s seasons are open already: close one first.") % values,
    "edition_unknown": lambda values: _("Choose among the editions."),
    "guests_unknown": lambda values: _("Choose what becomes of guests."),
    "league_formula_unknown": lambda values: _("Choose what a game is worth."),
    "league_best_of_unknown": lambda values: _("Choose games or evenings."),
    "league_tie_rule_unknown": lambda values: _("Choose what decides between equal points."),
    "league_places_count": lambda values: _("Write the points of 1 to %(most)s places.") % values,
    "league_place_out_of_range": lambda values: _("A place is worth −%(most)s to +%(most)s points.") % values,
    "league_places_must_fall": lambda values: _(
        "A worse place cannot be worth more; places you leave out are worth 0."
    ),
    "league_best_out_of_range": lambda values: _("Write 1 to %(most)s, or nothing for all.") % values,
    "league_best_needs_points": lambda values: _("The rate of exact bids is of all games: leave this empty."),
    "league_fewest_games_out_of_range": lambda values: _("Write 0 to %(most)s games.") % values,
    # The file of a whole club.
    "club_file_json": lambda values: (
        _("Line %(line)s: from here on this is no JSON, or a part of the file is missing.") % values
    ),
    "club_file_large": lambda values: _("The file is larger than %(most)s MB.") % values,
    "club_file_format": lambda values: _("This is not the file of a club from here."),
    "club_file_version": lambda values: (
        _("The file is of version %(version)s; this site knows version %(known)s.") % values
    ),
    "club_file_order": lambda values: _("“%(name)s” is due here.") % values,
    "club_file_type": _club_file_type,
    "club_file_range": lambda values: _("The number has to be from %(least)s to %(most)s.") % values,
    "club_file_length": lambda values: _("A text here has at most %(most)s characters.") % values,
    "club_file_characters": lambda values: _("This has characters that no text here may have."),
    "club_file_blank": lambda values: _("This has to say something."),
    "club_file_choice": lambda values: _("“%(value)s” is none of the choices.") % values,
    "club_file_count": lambda values: _("There have to be %(least)s to %(most)s of them.") % values,
    "club_file_year": lambda values: _("The year has to be from %(first)s to %(last)s.") % values,
    "club_file_later": lambda values: _("This is still to come."),
    "club_file_name_unknown": lambda values: _("“%(name)s” is not known here.") % values,
    "club_file_name_missing": lambda values: _("“%(name)s” is missing.") % values,
    "club_file_unknown": _club_file_unknown,
    "club_file_number": lambda values: _("Numbers count from 1 without a gap: %(expected)s is due.") % values,
    "club_file_repeated": lambda values: _("Something is there twice."),
    "club_file_contradicts": lambda values: _("This contradicts what else stands in the file."),
    "club_file_seats": lambda values: _("The seats are not those of the journal."),
    "club_file_journal": lambda values: (
        _("Entry %(version)s tells what cannot have happened after those before it.") % values
    ),
    "club_file_not_here": lambda values: _("By its journal the game belongs to another club."),
    "club_file_differs": lambda values: _("The file says %(told)s, computed: %(computed)s.") % _in_numbers(values),
    "club_file_standings": lambda values: _("The table of season %(season)s comes out otherwise.") % values,
}


def conflict_in_words(conflict: Conflict) -> str:
    """Return a conflict's reason as one sentence."""
    return _conflicts().get(conflict.code, _("That does not fit the current state of the game."))


def _conflicts() -> dict[str, str]:
    return {
        "stale": _("Somebody was faster: the score has changed since this page was shown."),
        "already_bid": _("Somebody was faster: this bid is already on the score pad."),
        "nothing_to_undo": _("There is nothing to undo."),
        "not_finished": _("The game is not finished yet."),
        "key_reused": _("This page was already sent with another entry; that one counts."),
        "seat_unknown": _("This person is not at this table."),
        "missing_bids": _("There is no bid to record."),
        "missing_seats": _("Everybody's tricks are needed."),
        "nothing_changed": _("Nothing is changed yet."),
        "halted": _("The game is interrupted: let it go on first."),
        "not_halted": _("The game goes on already."),
        "is_finished": _("The game is finished already."),
        "table_changed": _("Other people played the round before: correct it instead."),
        "too_few_playing": _("Fewer than three people are left: somebody has to join or come back first."),
        "nothing_scored": _("No round is scored yet: abandon the game instead."),
        "trick_taken": _("Somebody was faster: this trick is counted already."),
        "results_only": _("Only the results of this game are known: it has no rounds."),
        "has_rounds": _("The points of this game follow from its rounds: correct those."),
        "no_trick_left": _("All tricks of this round are counted already."),
        "already_confirmed": _("That is confirmed already."),
        "wrote_it": _("You wrote this sheet yourself: somebody else at the table confirms it."),
        "club_has_games": _("A club that has games cannot be deleted."),
        "invitation_gone": _("This invitation is no longer open. Ask for a new one."),
        "invitation_used_up": _("This invitation is used up. Ask for a new one."),
        "not_member": _("This person does not belong to the club any more."),
        "last_owner": _("A club needs an owner: make somebody else owner first."),
        "player_unknown": _("This person is not known in the club."),
        "player_merged": _("This entry was merged with another one: choose that one."),
        "player_archived": _("This person is in the archive: bring them back first."),
        "player_claimed": _("This person has an account already."),
        "has_player": _("In this club this account is somebody else already: a manager can merge the two."),
        "already_decided": _("Somebody else has decided this already."),
        "link_gone": _("This link is no longer open. Ask for a new one."),
        "same_player": _("Choose two different people."),
        "two_accounts": _("Both have an account of their own, so they are two people."),
        "sat_together": _("Both sat at the same table once, so they are two people."),
        "not_newest": _("Undo the newer merge of these people first."),
        "evening_unknown": _("There is no such evening in the club."),
        "evening_has_games": _("Games were played in this evening: it cannot be called off or get another day."),
        "evening_cancelled": _("This evening was called off."),
        "evening_closed": _("This evening is closed: open it again first."),
        "evening_not_open": _("The evening is not open: open it first."),
        "other_evening_open": _("Another evening is open: close that one first."),
        "no_player": _("The club does not know yet which of its players you are."),
        "too_few_here": _("Three people have to be here to draw a table."),
        "sitting_unknown": _("Somebody else has taken these tables away meanwhile."),
        "sitting_started": _("A game of these tables was started: draw the next ones instead."),
        "table_started": _("The game of this table was started: who sits there stays."),
        "table_unknown": _("Somebody else has changed this table meanwhile."),
        "not_here": _("This person is not here yet: tick them first."),
        "import_gone": _("This file is no longer there: choose it again."),
        "import_decided": _("Somebody has decided about this file already."),
        "import_running": _("Another import of the club is under way: wait for its end."),
        "import_overtaken": _("Another import of the club has ended since you looked: look at the file again."),
        "import_not_done": _("Only an import that has ended can be undone, and only once."),
        "webhook_gone": _("This webhook is no longer there."),
        "webhook_off": _("This webhook is off: switch it on first."),
        "delivery_gone": _("This delivery is no longer in the log."),
        "own_account": _("That cannot be done to your own account here."),
        "account_gone": _("This account was deleted."),
        "journal_unplayable": _("The journal of this game cannot be played forward, so nothing can follow from it."),
        "season_gone": _("This season is no longer there."),
        "season_closed": _("The season is closed: open it again first."),
        "season_not_begun": _("The season has not begun yet: change its dates, or delete it."),
    }


def noted_in_words(problem: rules.Problem, names: Sequence[str] = ()) -> str:
    """Return what was noted of a game that could not be recorded, as one sentence: a problem, or a conflict's code."""
    if problem.code in _conflicts() and problem.code not in _PROBLEMS:
        return conflict_in_words(Conflict(problem.code))
    return problem_in_words(problem, names)


def refusal_in_words(code: str, **values: Any) -> str:
    """Return why the API refuses a request, as one sentence."""
    words = _REFUSALS.get(code)
    return words(values) if words is not None else _("That does not work.")


_REFUSALS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    # Who asks, and what they may.
    "not_authenticated": lambda values: _("This needs a token, or somebody who is signed in."),
    "authentication_failed": lambda values: _("This needs a token, or somebody who is signed in."),
    "token_unknown": lambda values: _("There is no such token."),
    "token_revoked": lambda values: _("This token was revoked."),
    "token_expired": lambda values: _("This token has expired."),
    "scope_missing": lambda values: _("This needs a token with the scope “%(scope)s”.") % values,
    "token_of_one_club": lambda values: _("This needs a token for all clubs; this one is for a single club."),
    "csrf_failed": lambda values: _("Writing with a session needs its CSRF token."),
    "not_allowed": lambda values: _("This is not allowed here."),
    "not_found": lambda values: _("There is nothing here, or not for you."),
    "throttled": lambda values: (
        ngettext(
            "Too many requests. Go on in %(seconds)s second.",
            "Too many requests. Go on in %(seconds)s seconds.",
            values["seconds"],
        )
        % values
    ),
    # How it asks.
    "request_unreadable": lambda values: _("This request cannot be read."),
    "method_not_allowed": lambda values: _("This address does not know this method."),
    "not_acceptable": lambda values: _("There is no answer in this format here."),
    "media_type_unsupported": lambda values: _("Send the body as application/json."),
    "body_too_large": lambda values: _("The body is too large."),
    "body_unreadable": lambda values: _("The body is not readable as JSON."),
    "unknown_parameter": lambda values: _("This parameter is not known here."),
    "parameter_wrong": lambda values: _("This parameter cannot be read."),
    "page_size_out_of_range": lambda values: _("A page has 1 to %(most)s rows.") % values,
    "cursor_unknown": lambda values: _("This cursor is not of this list."),
    "key_malformed": lambda values: _("An Idempotency-Key has 1 to 64 visible ASCII characters."),
    "key_reused": lambda values: _("This Idempotency-Key came with another request before."),
    "if_match_missing": lambda values: _("This needs an If-Match with the version you have seen."),
    "version_stale": lambda values: _("Somebody was faster: this is no longer the newest version."),
    # The shape of the body.
    "unknown_field": lambda values: _("This field is not known here."),
    "field_missing": lambda values: _("This field is missing."),
    "field_null": lambda values: _("This field cannot be null."),
    "field_blank": lambda values: _("This field cannot be blank."),
    "field_empty": lambda values: _("This list cannot be empty."),
    "wrong_type": lambda values: _("This is not of the right type."),
    "choice_unknown": lambda values: _("This is none of the choices."),
    "too_long": lambda values: _("This is too long."),
    "too_short": lambda values: _("This is too short."),
    "too_large": lambda values: _("This number is too large."),
    "too_small": lambda values: _("This number is too small."),
    "characters_not_allowed": lambda values: _("This has characters that no text here may have."),
    # Games.
    "seat_repeated": lambda values: _("Somebody is there twice."),
    "club_missing": lambda values: _("Only a club's game has this: say which club."),
    "cloud_bid_secret": lambda values: _("The cloud cannot change this bid in that way."),
    "too_long_ago": lambda values: _("Nothing was played before the year %(first)s.") % values,
    "since_unknown": lambda values: _("This is no `next_since` of an answer here."),
    # Us.
    "server_error": lambda values: _("Something went wrong on our side. Try again; the same key does nothing twice."),
}


def title_of_status(status: int) -> str:
    """Return what kind of refusal a status is."""
    return {
        400: _("The request cannot be carried out as it is"),
        401: _("Who is asking?"),
        403: _("Not allowed"),
        404: _("Not found"),
        405: _("Unknown method"),
        406: _("Unknown format"),
        409: _("Something stands against it"),
        412: _("Somebody was faster"),
        413: _("Too large"),
        415: _("Not JSON"),
        422: _("The key was used for something else"),
        428: _("The version is missing"),
        429: _("Too many requests"),
    }.get(status, _("An error"))


# -- every code at once ---------------------------------------------------------------------------------------------


class _Anything(int):
    """A value in a sentence that is about no case in particular: it counts as several and is shown as "…"."""

    def __str__(self) -> str:
        return "…"


class _AnyValues(dict[str, Any]):
    """What a sentence asks for, where nothing is known of the case."""

    def __missing__(self, name: str) -> Any:
        return _("Somebody") if name == "who" else _Anything(2)


def codes_in_general() -> dict[str, dict[str, str]]:
    """Return the sentence of every code that a refusal can have, in no particular case, by what it is about."""
    # Some sentences put all that is there together with something of their own: that has to be there by name.
    named = re.findall(r"\{(\w+)", " ".join(rules.MESSAGES.values()))
    values = _AnyValues(dict.fromkeys(named, _Anything(2)))
    words = {code: make(values) for code, make in _PROBLEMS.items()}
    others = {
        code: re.sub(r"\{[^}]*\}", "…", template) for code, template in rules.MESSAGES.items() if code not in words
    }
    return {
        "request": {code: make(values) for code, make in _REFUSALS.items()},
        "conflict": {code: said for code, said in _conflicts().items() if code not in _REFUSALS},
        "rule": {**words, **others},
    }
