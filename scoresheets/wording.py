"""Problems and conflicts in words, in the reader's language. Codes are stable; sentences are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import rules
from scoresheets import rulebook
from scoresheets.models import Round
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
    return _("Trump cannot be %(trump)s here.") % {"trump": Round.Trump(values["trump"]).label}


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


def _table_size(values: Mapping[str, Any]) -> str:
    return (
        ngettext(
            "Table %(table)s would have %(people)s person: three to six play at a table.",
            "Table %(table)s would have %(people)s people: three to six play at a table.",
            values["people"],
        )
        % values
    )


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
    "played_later": lambda values: _("This day is still to come."),
    # Trump.
    "trump_impossible": _trump_impossible,
    "trump_missing": lambda values: _("Say which trump it was."),
    "chooser_impossible": lambda values: _("%(who)s had no trump to choose in this round.") % values,
    "suit_not_in_deck": lambda values: _("This suit is not in the deck."),
    "card_not_in_deck": lambda values: _("This card is not in the deck."),
    "card_unknown": lambda values: _("This is no card."),
    "turned_up_not_left": lambda values: _("No card is left in this round that could be turned up."),
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
}


def conflict_in_words(conflict: Conflict) -> str:
    """Return a conflict's reason as one sentence."""
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
        "season_gone": _("This season is no longer there."),
        "season_closed": _("The season is closed: open it again first."),
        "season_not_begun": _("The season has not begun yet: change its dates, or delete it."),
    }.get(conflict.code, _("That does not fit the current state of the game."))
