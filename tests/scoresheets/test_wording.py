"""Every problem and conflict that a page can meet has a sentence of its own, in either language."""

from __future__ import annotations

import ast
import inspect
import pkgutil
from importlib import import_module

import pytest
from django.utils import translation

import rules
from rules import bidding, cards, leagues, notes, plans, scoring, sheets, tricks, trump, variants
from scoresheets import imports, recording, wording
from scoresheets.forms import games as new_game
from scoresheets.forms import import_plans
from scoresheets.recording import (
    Conflict,
    clubs,
    corrections,
    draws,
    evenings,
    finished,
    names,
    players,
    results,
    seasons,
    table,
    tokens,
    trumps,
    undo,
    webhooks,
    writing,
)
from scoresheets.recording import games as starting
from scoresheets.recording import imports as recording_imports
from scoresheets.recording import rounds as recording_rounds
from scoresheets.recording import sheets as recording_sheets

#: Codes of rules that no page offers yet: games with them are started by other callers of `recording`.
NOT_ON_PAGES = {
    # Trump as the cards say it; what a table notes of it is checked by other codes.
    *("no_trump_not_allowed", "choice_not_allowed", "turned_up_missing", "werewolf_not_in_deck"),
    # JSON, read by `rules` alone.
    *("rule_unknown", "rule_type", "sheet_shape", "sheet_rounds", "sheet_cards"),
}

#: One problem of each code that a page shows, with the sentence.
SENTENCES = [
    (rules.Problem.of("points_printed", 0, printed=10, computed=-20), "The paper says 10, computed: −20."),
    (
        rules.Problem.of("total_printed", 0, printed=-10, computed=120),
        "The paper says −10 in total, computed: 120.",
    ),
    (rules.Problem.of("played_later"), "This day is still to come."),
    (rules.Problem.of("points_out_of_range", 0, points=5001, most=5000), "Write −5000 to +5000 points."),
    (
        rules.Problem.of("rank_mismatch", 1, name="Bernd", told=1, found=3),
        "Bernd: place 1 is told, the points give place 3.",
    ),
    (rules.Problem.of("players", players=2), "Wizard needs 3 to 6 people; so far: 2."),
    (rules.Problem.of("reason_missing"), "Say why, in a few words."),
    (rules.Problem.of("reason_too_long", most=500), "A reason has at most 500 characters."),
    (
        rules.Problem.of("adjustment_out_of_range", points=0, most=1000),
        "Write −1000 to +1000 points, but not 0.",
    ),
    (rules.Problem.of("name_missing", 0), "Enter a name."),
    (rules.Problem.of("name_too_long", 0, name="x", most=40), "A name has at most 40 characters."),
    (
        rules.Problem.of("name_taken", 1, name="Annika"),
        "Annika is already at the table. Try “Annika B.”, for example.",
    ),
    (rules.Problem.of("starting_out_of_range", points=9999, most=5000), "Write −5000 to +5000 points."),
    (rules.Problem.of("table_full", name="Gero", most=6), "The table is full: 6 people at most."),
    (rules.Problem.of("dealer_out_of_range", dealer=7, players=3), "Choose who deals first."),
    (rules.Problem.of("rounds_out_of_range", rounds=0, most=15), "Choose 1 to 15 rounds."),
    (
        rules.Problem.of("ladder_players", ladder="tournament", players=6),
        "There is no tournament ladder for 6 people.",
    ),
    (rules.Problem.of("ladder_unknown", ladder="endless"), "Choose a length."),
    (rules.Problem.of("ladder_cards"), "Type the cards of each round, for example 1 3 5 7."),
    (
        rules.Problem.of("cards_unreadable", typed="three"),
        "“three” is no number of cards. Type for example 1 3 5 7.",
    ),
    (rules.Problem.of("cards_out_of_range", round=2, cards=0), "Round 2: everybody needs at least 1 card."),
    (
        rules.Problem.of("cards_exceed_deck", round=3, cards=16, players=4, needed=64, deck=60),
        "Round 3: 16 cards for 4 players need 64 of 60.",
    ),
    (rules.Problem.of("deck_unknown", deck="tarot"), "Choose one of the packs."),
    (rules.Problem.of("special_unknown", special="GNOME"), "There is no special card “GNOME”."),
    (
        rules.Problem.of("special_repeated", special="BOMB", count=2),
        "Bomb: only one of each card is in the pack.",
    ),
    (
        rules.Problem.of("dragon_fairy_pair", missing="FAIRY"),
        "Dragon and fairy are only played together. Missing: Fairy.",
    ),
    (
        rules.Problem.of("deck_has_no_specials", deck="french52"),
        "“Wizards and Jesters” is played without special cards.",
    ),
    (rules.Problem.of("variant_unknown", variant="chess"), "Choose one of the variants."),
    (
        rules.Problem.of("variant_needs_no_specials", variant="clairvoyance"),
        "“Clairvoyance” is played without special cards, unless “Special cards in variants” is on.",
    ),
    (
        rules.Problem.of("variant_players", variant="einfarbig", players=5, fewest=3, most=4),
        "“Single-suit” is for 3 to 4 people, not for 5.",
    ),
    (
        rules.Problem.of("variant_incompatible", first="plus_minus_one", second="secret_bids"),
        "“Bids never add up” and “Secret bids” exclude each other.",
    ),
    (
        rules.Problem.of("variant_incompatible", first="maximus", second="tournament"),
        "“Wizard Maximus” and “Tournament ladder” exclude each other.",
    ),
    (rules.Problem.of("tie_break_unknown", tie_break="dice"), "Choose what a tie means."),
    (rules.Problem.of("plus_minus_one_from", round=0), "Type the number of a round, 1 or later."),
    (rules.Problem.of("bid_out_of_range", 0, bid=-1, cards=3), "A bid is at least 0."),
    (
        rules.Problem.of("bid_out_of_range", 0, bid=2, cards=1),
        "2 is too many: there is only 1 card this round.",
    ),
    (
        rules.Problem.of("bid_out_of_range", 0, bid=9, cards=3),
        "9 is too many: there are only 3 cards this round.",
    ),
    (
        rules.Problem.of("bid_sum_forbidden", 1, bid=1, others=3, cards=4),
        "1 does not work here: the others bid 3, and 1 would make exactly 4. Bernd needs another number.",
    ),
    (
        rules.Problem.of("bid_sum_forbidden", None, bid=1, others=3, cards=4),
        "1 does not work here: the others bid 3, and 1 would make exactly 4. The last bidder needs another number.",
    ),
    (rules.Problem.of("tricks_out_of_range", 0, tricks=-1, countable=3), "Nobody takes fewer than 0 tricks."),
    (
        rules.Problem.of("tricks_out_of_range", 0, tricks=2, countable=1),
        "2 is too many: only 1 trick counts this round.",
    ),
    (
        rules.Problem.of("tricks_out_of_range", 0, tricks=4, countable=3),
        "4 is too many: only 3 tricks count this round.",
    ),
    (
        rules.Problem.of("tricks_sum", sum=2, countable=3, difference=-1, missing=1, surplus=0),
        "1 trick is missing: 2 of 3 entered.",
    ),
    (
        rules.Problem.of("tricks_sum", sum=0, countable=3, difference=-3, missing=3, surplus=0),
        "3 tricks are missing: 0 of 3 entered.",
    ),
    (
        rules.Problem.of("tricks_sum", sum=4, countable=3, difference=1, missing=0, surplus=1),
        "One trick too many. Who miscounted?",
    ),
    (
        rules.Problem.of("tricks_sum", sum=5, countable=3, difference=2, missing=0, surplus=2),
        "2 tricks too many. Who miscounted?",
    ),
    (rules.Problem.of("blind_not_enabled", 0), "Blind bids are not part of this game."),
    (
        rules.Problem.of("blind_not_available", 0, round=1),
        "Nobody can bid blind in this round: nobody sees their own card.",
    ),
    (
        rules.Problem.of("bombs_out_of_range", bombs=2, cards=1),
        "2 bombed tricks are not possible: there is only 1 trick this round.",
    ),
    (
        rules.Problem.of("bombs_out_of_range", bombs=4, cards=3),
        "4 bombed tricks are not possible: there are only 3 tricks this round.",
    ),
    (rules.Problem.of("bomb_not_in_deck"), "The bomb is not in this game."),
    (rules.Problem.of("too_many_bombs", bombs=2, in_deck=1), "There is only 1 bomb in this deck."),
    (rules.Problem.of("too_many_bombs", bombs=3, in_deck=2), "There are only 2 bombs in this deck."),
    (rules.Problem.of("cloud_not_in_deck"), "The cloud is not in this game."),
    (
        rules.Problem.of("too_many_clouds", clouds=2, in_deck=1),
        "There is only 1 cloud in this deck: one person has it.",
    ),
    (rules.Problem.of("too_many_clouds", clouds=3, in_deck=2), "There are only 2 clouds in this deck."),
    (rules.Problem.of("cloud_delta", 0, delta=2), "The cloud changes a bid by exactly 1, up or down."),
    (
        rules.Problem.of("cloud_without_trick", 1),
        "Bernd has no trick that counts: then the cloud changes nothing.",
    ),
    (
        rules.Problem.of("cloud_bid_out_of_range", 1, bid=0, delta=-1, cards=3),
        "Bernd bid 0: the cloud cannot lower that, only raise it by 1.",
    ),
    (
        rules.Problem.of("cloud_bid_out_of_range", 1, bid=3, delta=1, cards=3),
        "Bernd bid 3 of 3 tricks: the cloud cannot raise that, only lower it by 1.",
    ),
    (
        rules.Problem.of("cloud_bid_out_of_range", 0, bid=1, delta=1, cards=1),
        "Annika bid 1 of 1 trick: the cloud cannot raise that, only lower it by 1.",
    ),
    (rules.Problem.of("trick_empty"), "There is no card in this trick yet."),
    (
        rules.Problem.of("card_undeclared", card="JUGGLER"),
        "Say what JUGGLER stands for: a suit, or a wizard or jester.",
    ),
    (rules.Problem.of("card_not_in_hand", card="R9"), "R9 is not in this hand."),
    (rules.Problem.of("must_follow", card="B9", suit="R"), "B9 cannot be played: the suit to follow is red."),
    (
        rules.Problem.of("too_many_of_card", card="R9", count=2, in_deck=1),
        "R9 is there too often: the deck has 1.",
    ),
    (
        rules.Problem.of("trick_too_long", card="R9", players=3),
        "At a table of 3 a trick has 3 cards: R9 is one too many.",
    ),
    (
        rules.Problem.of("wrong_length", what="bids", expected=4, given=3),
        "One entry a seat is needed: 4, not 3.",
    ),
    (rules.Problem.of("seat_out_of_range", seat_index=4, players=3), "There is no seat 4 at a table of 3."),
    (rules.Problem.of("round_number", round=0), "Rounds are numbered from 1."),
    (rules.Problem.of("trump_impossible", trump="G"), "Trump cannot be green here."),
    (rules.Problem.of("trump_impossible", trump="none"), "There has to be a trump here."),
    (rules.Problem.of("trump_missing"), "Say which trump it was."),
    (rules.Problem.of("chooser_impossible", 1), "Bernd had no trump to choose in this round."),
    (rules.Problem.of("suit_not_in_deck", suit="H", deck="wizard60"), "This suit is not in the deck."),
    (rules.Problem.of("card_not_in_deck", card="HQ"), "This card is not in the deck."),
    (rules.Problem.of("card_unknown", card="X"), "This is no card."),
    (rules.Problem.of("turned_up_not_left"), "No card is left in this round that could be turned up."),
    (
        rules.Problem.of("time_zone_unknown", time_zone="Mars/Olympus"),
        "“Mars/Olympus” is no time zone. Choose one of the list.",
    ),
    (rules.Problem.of("language_unknown", language="tlh"), "Choose German or English."),
    (rules.Problem.of("visibility_unknown", visibility="x"), "Choose who may look at the club."),
    (rules.Problem.of("hours_out_of_range", hours=-1, most=8760), "Write 0 to 8760 hours, or nothing for never."),
    (rules.Problem.of("role_unknown", role="king"), "Choose one of the roles."),
    (rules.Problem.of("days_out_of_range", days=0, most=365), "Choose 1 to 365 days."),
    (rules.Problem.of("uses_out_of_range", uses=0, most=1000), "Write 1 to 1000 people, or nothing for any number."),
    (
        rules.Problem.of("player_name_taken", 0, name="Annika"),
        "The club already knows Annika. Choose that person, or add something to tell both apart.",
    ),
    (
        rules.Problem.of("season_name_taken", name="Winter"),
        "There is a season “Winter” already. Choose another name.",
    ),
    (rules.Problem.of("season_ends_before_start"), "A season cannot end before it starts."),
    (
        rules.Problem.of("address_unreadable"),
        "This is no address. Write one such as https://example.org/tafelrunde.",
    ),
    (rules.Problem.of("address_too_long", most=500), "An address has at most 500 characters."),
    (rules.Problem.of("address_not_https"), "Only addresses that start with https:// are allowed."),
    (
        rules.Problem.of("address_has_login"),
        "An address must not hold a name or password: requests are signed instead.",
    ),
    (rules.Problem.of("address_port", https=443, first=1024), "Only port 443 and those from 1024 on are allowed."),
    (rules.Problem.of("address_not_public"), "The address must be that of a server on the internet."),
    (rules.Problem.of("address_taken"), "The club has a webhook with this address already."),
    (rules.Problem.of("events_missing"), "Choose at least one thing to tell."),
    (rules.Problem.of("event_unknown", event="game_started"), "There is no event “game_started”."),
    (rules.Problem.of("too_many_webhooks", most=10), "A club has at most 10 webhooks."),
    (
        rules.Problem.of("too_many_imports", most=5),
        "5 files of the club wait to be imported: import or discard one of them first.",
    ),
    (
        rules.Problem.of("too_many_people", people=252, most=250),
        "The file has 252 different names; at most 250 are taken at once. Divide it.",
    ),
    (rules.Problem.of("people_unsettled", people=1), "1 name is open: say who it is."),
    (
        rules.Problem.of("games_refused", games=2),
        "2 games cannot be imported. Put the file right, or tick that the others are imported.",
    ),
    (rules.Problem.of("nothing_to_import"), "There is no game left to import."),
    (rules.Problem.of("name_unknown", name="Tomm"), "The club knows nobody called “Tomm”."),
    (rules.Problem.of("import_game_failed"), "This game could not be recorded; nothing of it is kept."),
    (rules.Problem.of("too_many_seasons", most=20), "20 seasons are open already: close one first."),
    (rules.Problem.of("edition_unknown", edition="2030"), "Choose among the editions."),
    (rules.Problem.of("guests_unknown", guests="loud"), "Choose what becomes of guests."),
    (rules.Problem.of("league_formula_unknown", formula="elo"), "Choose what a game is worth."),
    (rules.Problem.of("league_best_of_unknown", best_of="weeks"), "Choose games or evenings."),
    (rules.Problem.of("league_tie_rule_unknown", tie_rule="dice"), "Choose what decides between equal points."),
    (rules.Problem.of("league_places_count", places=0, most=6), "Write the points of 1 to 6 places."),
    (rules.Problem.of("league_place_out_of_range", most=1000), "A place is worth −1000 to +1000 points."),
    (
        rules.Problem.of("league_places_must_fall"),
        "A worse place cannot be worth more; places you leave out are worth 0.",
    ),
    (rules.Problem.of("league_best_out_of_range", best=0, most=1000), "Write 1 to 1000, or nothing for all."),
    (rules.Problem.of("league_best_needs_points"), "The rate of exact bids is of all games: leave this empty."),
    (rules.Problem.of("league_fewest_games_out_of_range", games=-1, most=1000), "Write 0 to 1000 games."),
    (rules.Problem.of("scope_unknown", scope="all"), "Choose what the token may do."),
    (rules.Problem.of("too_many_tokens", most=50), "50 tokens are open already: revoke one first."),
    (rules.Problem.of("player_twice", 1, name="Bernd"), "Bernd cannot sit on two seats."),
    (
        rules.Problem.of("evening_day_out_of_range", first=2000, last=2099),
        "Choose a day of the years 2000 to 2099.",
    ),
    (
        rules.Problem.of("evening_time_skipped", time="02:30"),
        "On that day the clocks go forward, and 02:30 does not come. Choose another time.",
    ),
    (rules.Problem.of("place_too_long", most=80), "A place has at most 80 characters."),
    (rules.Problem.of("note_too_long", most=500), "A note has at most 500 characters."),
    (rules.Problem.of("times_out_of_range", most=53), "Plan 1 to 53 evenings at once."),
    (rules.Problem.of("answer_unknown", answer="soon"), "Choose one of the answers."),
    (
        rules.Problem.of("tables_out_of_range", most=200),
        "Write 0 to 200 tables, or nothing for as many as it takes.",
    ),
    (
        rules.Problem.of("table_size", table=2, people=1),
        "Table 2 would have 1 person: three to six play at a table.",
    ),
    (
        rules.Problem.of("table_size", table=2, people=7),
        "Table 2 would have 7 people: three to six play at a table.",
    ),
    (rules.Problem.of("file_too_large", most=10), "A file has at most 10 MB."),
    (rules.Problem.of("file_empty"), "The file is empty."),
    (rules.Problem.of("file_has_no_games"), "There is a header, but no game below it."),
    (
        rules.Problem.of("file_type_wrong", found="PNG"),
        "This is a file of another kind (PNG). Save the table as CSV or XLSX.",
    ),
    (
        rules.Problem.of("file_is_club"),
        "This file holds a whole club. It becomes a club of its own: bring it in there.",
    ),
    (
        rules.Problem.of("encoding_unknown"),
        "The characters of the file cannot be read. Save it as CSV in UTF-8.",
    ),
    (rules.Problem.of("nul_bytes"), "The file holds signs that no text has. Save it as CSV in UTF-8."),
    (rules.Problem.of("quote_open"), "A quotation mark is opened here and not closed, or stands inside a cell."),
    (rules.Problem.of("cell_too_long"), "A cell is too long, or a quotation mark is not closed."),
    (rules.Problem.of("too_many_rows", most=200_000), "A table has at most 200000 rows. Divide the file."),
    (
        rules.Problem.of("too_many_columns", columns=300, most=200),
        "The table has 300 columns; at most 200 are read.",
    ),
    (rules.Problem.of("too_many_games", most=5000), "A file has at most 5000 games. Divide it."),
    (rules.Problem.of("workbook_broken"), "The workbook is damaged or not complete. Save it again as XLSX."),
    (rules.Problem.of("workbook_encrypted"), "The workbook is protected by a password. Save it without one."),
    (rules.Problem.of("workbook_old"), "This is a workbook in the old format (XLS). Save it as XLSX."),
    (rules.Problem.of("workbook_too_large", most=64), "Unpacked, the workbook is too large: more than 64 MB."),
    (rules.Problem.of("sheet_unknown", sheet="Mai"), "The workbook has no sheet “Mai”."),
    (
        rules.Problem.of("formula_without_value"),
        "This formula has no result. Open the workbook, save it and try again.",
    ),
    (rules.Problem.of("cell_has_error", typed="#REF!"), "This cell shows the error #REF!."),
    (
        rules.Problem.of("json_broken", line=3, place=4),
        "From line 3 on the file cannot be read: it is damaged or cut off.",
    ),
    (rules.Problem.of("json_too_deep"), "The file is nested too deeply, or holds too many values."),
    (rules.Problem.of("json_not_known"), "This is neither an export of BG Stats nor a file of ours."),
    (rules.Problem.of("no_plays"), "There are no plays in this export."),
    (
        rules.Problem.of("no_plays_chosen"),
        "None of the games in this export is Wizard: choose which one is.",
    ),
    (rules.Problem.of("plays_ignored", count=1), "1 play is left out: the app does not count it either."),
    (rules.Problem.of("plays_ignored", count=2), "2 plays are left out: the app does not count them either."),
    (
        rules.Problem.of("headers_missing", missing="round bid", found="Date, Anna"),
        "No header of a table of games: “Round”, “Bid” missing. Found: Date, Anna.",
    ),
    (
        rules.Problem.of("header_repeated", first="B (Date)"),
        "Column B (Date) has the same header. Each may be there once.",
    ),
    (
        rules.Problem.of("player_column_missing", name="Anna", field="tricks"),
        "There is no column “Anna Tricks”.",
    ),
    (rules.Problem.of("column_unread"), "This column is not read."),
    (rules.Problem.of("line_unread"), "This line of sums is not read."),
    (rules.Problem.of("number_unreadable", typed="abc"), "“abc” is no number."),
    (rules.Problem.of("number_not_whole", typed="12,5"), "12,5 is not a whole number."),
    (rules.Problem.of("number_too_long", most=9), "This number is too large."),
    (
        rules.Problem.of("mark_unreadable", typed="?"),
        "“?” is neither a yes nor a no. Write x, or nothing.",
    ),
    (rules.Problem.of("date_missing"), "The day is missing."),
    (
        rules.Problem.of("date_unreadable", typed="gestern"),
        "“gestern” is no day. Write 24.12.2025 or 2025-12-24.",
    ),
    (
        rules.Problem.of("date_ambiguous", typed="5/6/2025"),
        "5/6/2025 can be read with the day first or the month first. Write 2025-12-24.",
    ),
    (rules.Problem.of("date_too_early", typed="1.1.1900", first=1984), "Wizard was not there before 1984."),
    (
        rules.Problem.of("cell_without_header", typed="5"),
        "“5” stands in a column without a header.",
    ),
    (
        rules.Problem.of("told_twice", told="3", known="4"),
        "“3” stands here, and “4” further up in the same game.",
    ),
    (rules.Problem.of("round_number_missing"), "The number of the round is missing."),
    (rules.Problem.of("round_out_of_range", round=99, most=60), "There is no round 99."),
    (
        rules.Problem.of("round_twice", round=3, first=4),
        "Round 3 is in row 4 already. Give each game of a day a number of its own.",
    ),
    (rules.Problem.of("rounds_missing"), "The game has no rounds."),
    (rules.Problem.of("round_missing", round=3, last=5), "Round 3 of 5 is missing."),
    (rules.Problem.of("player_not_in_round", 0, name="Anna", round=3), "Anna is missing in round 3."),
    (
        rules.Problem.of("player_twice_in_round", name="Anna", round=3, first=4),
        "Anna is in round 3 already, in row 4. Give each game of a day a number of its own.",
    ),
    (
        rules.Problem.of("player_twice_in_game", name="Anna", first=4),
        "Anna is in this game already, in row 4.",
    ),
    (rules.Problem.of("player_not_in_file"), "The file does not say who this is."),
    (rules.Problem.of("played_in_teams"), "This game was played in teams."),
    (rules.Problem.of("bid_missing", 0, name="Anna", round=3), "Anna: the bid of round 3 is missing."),
    (rules.Problem.of("tricks_missing", 0, name="Anna", round=3), "Anna: the tricks of round 3 are missing."),
    (rules.Problem.of("points_missing", 0, name="Anna"), "Anna: the points are missing."),
    (rules.Problem.of("rules_unreadable", typed="xyz"), "“xyz” are no house rules."),
    (rules.Problem.of("dealer_unknown", name="Emil", round=3), "Emil deals round 3, but does not play."),
    (
        rules.Problem.of("points_mismatch", 0, name="Anna", round=2, told=10, found=-20),
        "Anna, round 2: the file says 10 points, computed: −20.",
    ),
    (
        rules.Problem.of("total_mismatch", 0, name="Anna", round=2, told=-10, found=20),
        "Anna, round 2: the file says −10 in total, computed: 20.",
    ),
    (
        rules.Problem.of("dealer_mismatch", 0, round=2, told="Anna", found="Bernd"),
        "Round 2: the file lets Anna deal, but it is the turn of Bernd.",
    ),
    (
        rules.Problem.of("winner_mismatch", 0, told="Anna", found="Bernd"),
        "Anna is called the winner, but Bernd has more points.",
    ),
    (rules.Problem.of("game_repeated", first=4), "The same game stands in row 4."),
    # The file of a whole club.
    (
        rules.Problem.of("club_file_json", line=7),
        "Line 7: from here on this is no JSON, or a part of the file is missing.",
    ),
    (rules.Problem.of("club_file_large", most=10), "The file is larger than 10 MB."),
    (rules.Problem.of("club_file_format"), "This is not the file of a club from here."),
    (
        rules.Problem.of("club_file_version", version="2", known=1),
        "The file is of version 2; this site knows version 1.",
    ),
    (rules.Problem.of("club_file_order", name="club"), "“club” is due here."),
    *(
        (rules.Problem.of("club_file_type", expected=expected), sentence)
        for expected, sentence in {
            "number": "A whole number belongs here.",
            "text": "A text belongs here.",
            "yes_no": "true or false belongs here.",
            "moment": "A moment belongs here, such as 2026-03-01T19:30:00.000000Z.",
            "day": "A day belongs here, such as 2026-03-01.",
            "list": "A list belongs here.",
            "object": "An object belongs here.",
        }.items()
    ),
    (rules.Problem.of("club_file_range", least=1, most=23), "The number has to be from 1 to 23."),
    (rules.Problem.of("club_file_length", most=40), "A text here has at most 40 characters."),
    (rules.Problem.of("club_file_characters"), "This has characters that no text here may have."),
    (rules.Problem.of("club_file_blank"), "This has to say something."),
    (rules.Problem.of("club_file_choice", value="x"), "“x” is none of the choices."),
    (rules.Problem.of("club_file_count", least=3, most=12), "There have to be 3 to 12 of them."),
    (rules.Problem.of("club_file_year", first=1900, last=2099), "The year has to be from 1900 to 2099."),
    (rules.Problem.of("club_file_later"), "This is still to come."),
    (rules.Problem.of("club_file_name_unknown", name="x"), "“x” is not known here."),
    (rules.Problem.of("club_file_name_missing", name="night"), "“night” is missing."),
    *(
        (rules.Problem.of("club_file_unknown", what=what, number="9"), f"There is no {what} 9 here.")
        for what in ("seat", "player", "evening", "table", "season", "game")
    ),
    (rules.Problem.of("club_file_number", expected=3), "Numbers count from 1 without a gap: 3 is due."),
    (rules.Problem.of("club_file_repeated"), "Something is there twice."),
    (rules.Problem.of("club_file_contradicts"), "This contradicts what else stands in the file."),
    (rules.Problem.of("club_file_seats"), "The seats are not those of the journal."),
    (
        rules.Problem.of("club_file_journal", version=4),
        "Entry 4 tells what cannot have happened after those before it.",
    ),
    (rules.Problem.of("club_file_not_here"), "By its journal the game belongs to another club."),
    (rules.Problem.of("club_file_differs", told=-10, computed=20), "The file says −10, computed: 20."),
    (rules.Problem.of("club_file_standings", season=2), "The table of season 2 comes out otherwise."),
]


def codes_in(module, made_by: str) -> set[str]:
    """Return the codes that a module's source gives to `Problem.of` or `Conflict`."""
    found = set()
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(made_by):
            code = node.args[0]
            assert isinstance(code, ast.Constant), ast.unparse(node)
            found.add(code.value)
    return found


def test_every_problem_of_a_page_has_a_sentence():
    modules = (
        bidding,
        cards,
        notes,
        plans,
        scoring,
        tricks,
        trump,
        variants,
        starting,
        recording_rounds,
        trumps,
        undo,
        writing,
        table,
        finished,
        results,
        recording_sheets,
        sheets,
        corrections,
        new_game,
        names,
        clubs,
        draws,
        evenings,
        players,
        leagues,
        seasons,
        tokens,
        webhooks,
        import_plans,
        recording_imports,
    )
    modules += tuple(
        import_module(f"{imports.__name__}.{module.name}") for module in pkgutil.iter_modules(imports.__path__)
    )
    raised = set().union(*(codes_in(module, "Problem.of") for module in modules))

    # Those of a club's file are compared where its pages are tested.
    assert {code for code in wording._PROBLEMS if not code.startswith("club_file_")} == raised - NOT_ON_PAGES
    assert raised >= NOT_ON_PAGES


def test_every_sentence_is_among_the_examples():
    assert {problem.code for problem, _sentence in SENTENCES} == set(wording._PROBLEMS)


@pytest.mark.parametrize(("problem", "sentence"), SENTENCES)
def test_problem_in_words(problem, sentence):
    with translation.override("en"):
        assert wording.problem_in_words(problem, ["Annika", "Bernd"]) == sentence


@pytest.mark.parametrize("problem", [problem for problem, _sentence in SENTENCES])
def test_problem_in_german_is_worded_too(problem):
    """The catalogue is checked elsewhere; here only that every value finds its place in it."""
    with translation.override("de"):
        sentence = wording.problem_in_words(problem, ["Annika", "Bernd"])

    assert problem.code not in sentence
    assert "%(" not in sentence


def test_problem_without_a_sentence_still_says_something():
    problem = rules.Problem.of("werewolf_not_in_deck")
    assert wording.problem_in_words(problem) == "The werewolf is not in this deck."


def test_every_conflict_has_a_sentence_of_its_own():
    modules = [
        __import__(f"{recording.__name__}.{module.name}", fromlist=["_"])
        for module in pkgutil.iter_modules(recording.__path__)
    ]
    raised = set().union(*(codes_in(module, "Conflict") for module in modules))

    sentences = {code: wording.conflict_in_words(Conflict(code)) for code in raised}

    assert raised == {
        *("stale", "already_bid", "nothing_to_undo", "not_finished", "key_reused", "seat_unknown"),
        *("missing_bids", "missing_seats", "nothing_changed"),
        *("halted", "not_halted", "is_finished", "nothing_scored", "table_changed", "too_few_playing"),
        *("trick_taken", "no_trick_left", "results_only", "has_rounds"),
        *("already_confirmed", "wrote_it"),
        *("club_has_games", "invitation_gone", "invitation_used_up", "not_member", "last_owner"),
        *("player_unknown", "player_merged", "player_archived", "player_claimed", "has_player", "already_decided"),
        *("link_gone", "same_player", "two_accounts", "sat_together", "not_newest"),
        "evening_unknown",
        *("evening_has_games", "evening_cancelled", "evening_closed", "evening_not_open", "other_evening_open"),
        *("no_player", "too_few_here", "not_here", "sitting_unknown", "sitting_started"),
        *("table_unknown", "table_started"),
        *("own_account", "account_gone", "journal_unplayable"),
        *("season_gone", "season_closed", "season_not_begun"),
        *("webhook_gone", "webhook_off", "delivery_gone"),
        *("import_gone", "import_decided", "import_running", "import_overtaken", "import_not_done"),
    }
    assert len({*sentences.values(), wording.conflict_in_words(Conflict("no such code"))}) == len(raised) + 1


@pytest.mark.parametrize(
    ("number", "signed", "plain"), [(20, "+20", "20"), (0, "0", "0"), (-10, "−10", "−10"), (1234, "+1234", "1234")]
)
def test_numbers_carry_the_real_minus(number, signed, plain):
    assert (wording.signed(number), wording.plain(number)) == (signed, plain)


@pytest.mark.parametrize(
    ("bids", "cards", "words"), [(3, 3, "adds up"), (0, 3, "3 under"), (4, 3, "1 over"), (18, 3, "15 over")]
)
def test_sum_in_words(bids, cards, words):
    with translation.override("en"):
        assert wording.sum_in_words(bids, cards) == words


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([], ""),
        (["A"], "A"),
        (["A", "B"], "A and B"),
        (["A", "B", "C"], "A, B and C"),
        (["%s", "%(x)s"], "%s and %(x)s"),
    ],
)
def test_names_are_joined_as_people_say_them(names, words):
    with translation.override("en"):
        assert wording.joined(names) == words
