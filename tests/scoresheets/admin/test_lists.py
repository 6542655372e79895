"""Lists and pages of the admin site: the same statements whatever the rows, names only as text, no secrets."""

from __future__ import annotations

import csv
from io import BytesIO, StringIO
from typing import Any

import openpyxl
import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from scoresheets import recording
from scoresheets.actors import OPERATOR
from scoresheets.admin import site
from scoresheets.admin.looking import MOST_COUNTED, SECRET_FIELDS, BoundedPaginator
from scoresheets.models import Club, Game, Token, User
from scoresheets.models.imports import Import, ImportedGame
from tests.scoresheets.admin.helpers import address, client_of, full_club, game_of, superuser, support
from tests.scoresheets.clubs import fill, finished, make_club
from tests.scoresheets.factories import enter_bids, make_game
from tests.scoresheets.pages import read_html

pytestmark = pytest.mark.django_db

MOST_STATEMENTS = 30


def list_of(model: Any) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def add_service_rows(club: Club, label: str = "TV") -> None:
    """Give the site rows of what the worker and staff leave."""
    recording.ping(club.webhooks.get(), by=OPERATOR)
    made = Import.objects.create(club=club, by=User.objects.latest("pk"), file_name=f"{label}.csv", total=1)
    ImportedGame.objects.create(of_import=made, place=1, row=2, key=label, state="left_out", reason="twice")
    DBTaskResult.objects.create(
        args_kwargs={"args": [], "kwargs": {}},
        task_path="some.task",
        enqueued_at=timezone.now(),
        priority=0,
        queue_name="default",
        backend_name="default",
        run_after=timezone.now(),
    )
    LogEntry.objects.create(
        user=User.objects.all()[0],
        content_type=ContentType.objects.get_for_model(Game),
        object_id=1,
        object_repr="game 1",
        action_flag=2,
        change_message="void",
    )


def statements(client: Any, path: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as caught:
        answer = client.get(path)
    assert (path, answer.status_code) == (path, 200)
    return len(caught)


def test_every_list_takes_the_same_statements_whatever_the_rows():
    boss = client_of(superuser())
    for names in (("A", "B", "C"), ("D", "E", "F")):
        add_service_rows(full_club(names))
    lists = {model: list_of(model) for model in site._registry}
    for path in lists.values():
        boss.get(path)  # content types are read once
    few = {model: statements(boss, path) for model, path in lists.items()}
    for number in range(3):
        add_service_rows(full_club((f"B{number}", "C", "D"), "TV"))
    fill(make_club("Große"), 300, 2000)

    many = {model: statements(boss, path) for model, path in lists.items()}

    assert many == few
    assert max(many.values()) < MOST_STATEMENTS
    assert all(model._default_manager.count() > 1 for model in lists)


def test_game_page_takes_the_same_statements_whatever_is_on_it():
    boss = client_of(superuser())
    small, large = make_game(seats=3, rounds=1, length=3), make_game(seats=6, rounds=8, length=10)
    for game in (small, large):
        boss.get(address(game))

    assert statements(boss, address(large)) == statements(boss, address(small)) < MOST_STATEMENTS


def test_counting_stops():
    class Rows:
        def order_by(self) -> Rows:
            return self

        def __getitem__(self, part: slice) -> Rows:
            self.most = part.stop
            return self

        def count(self) -> int:
            return self.most

    assert BoundedPaginator(Rows(), 50).num_pages == MOST_COUNTED // 50


def names_found(client: Any, model: Any, **asked: str) -> list[str]:
    page = client.get(list_of(model), asked)
    return [str(row.pk) for row in page.context["cl"].result_list]


def test_games_are_found_by_number_by_people_and_by_club():
    boss = client_of(superuser())
    club, other = full_club(("Bernd", "Cem", "Doro")), full_club(("Anna", "Ben", "Cleo"))
    game, another = game_of(club), game_of(other)
    quick = make_game(seats=3)

    assert names_found(boss, Game, q=str(game.pk)) == [str(game.pk)]
    assert names_found(boss, Game, q="Cem") == [str(quick.pk), str(game.pk)]
    assert names_found(boss, Game, q="cleo") == [str(another.pk)]
    assert names_found(boss, Game, q=other.name) == [str(another.pk)]
    assert names_found(boss, Game, club=str(club.pk)) == [str(game.pk)]
    assert names_found(boss, Game, state__exact="finished") == [str(another.pk), str(game.pk)]
    assert names_found(boss, Game, q="nobody is called so") == []


@pytest.mark.parametrize("asked", [{"club": "x"}, {"club": "9" * 30}, {"q": "\x00"}, {"p": "99999"}, {"q": "%_\\'\""}])
def test_strange_searches_find_nothing_and_break_nothing(asked):
    full_club()

    assert client_of(superuser()).get(list_of(Game), asked).status_code in {200, 302}


def elements(html: str) -> list[tuple[str, list[str]]]:
    return [(element.tag, sorted(element.attrs)) for element in read_html(html).walk()]


def every_page(names: tuple[str, str, str], label: str) -> dict[str, str]:
    """Return the pages of a site on which people and labels are called so."""
    club = full_club(names, label)
    add_service_rows(club, label[:40])
    boss = client_of(superuser())
    found = {}
    for model, shown in site._registry.items():
        row = model._default_manager.order_by("pk").last()
        found[f"{model.__name__}s"] = boss.get(list_of(model))
        for act in ("", *(act.name for act in shown.acts if act.subject is None)):
            found[f"{model.__name__} {act}"] = boss.get(address(row, act))
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}_history"
        found[f"{model.__name__} history"] = boss.get(reverse(name, args=[row.pk]))
    game = game_of(club)
    found["correct"] = boss.post(address(game, "correct_round", 1), {"reason": label, "trump": label})
    found["rename"] = boss.post(address(game, "rename", game.seats.all()[0].pk), {"name": label * 9, "reason": ""})
    found["many"] = boss.post(list_of(Game), {"action": "void", "_selected_action": [game.pk]})
    found["search"] = boss.get(list_of(Game), {"q": label})
    return {name: answer.content.decode() for name, answer in found.items()}


def test_names_are_text_on_every_page():
    attack = '"><script>alert(1)</script>'
    harmless = every_page(("Bernd", "Cem", "Doro"), "some words of the same length.")
    for model in (Import, DBTaskResult, LogEntry):
        model._default_manager.all().delete()
    User.objects.filter(username="Boss").update(username="Old boss", username_key="old boss")

    attacked = every_page((f"{attack}1", f"{attack}2", f"{attack}3"), attack)

    assert attacked.keys() == harmless.keys()
    for name, html in attacked.items():
        assert "<script>alert" not in html, name
        # The attacked search finds its game.
        known = elements(harmless["Games" if name == "search" else name])
        assert {tag for tag, _attrs in elements(html)} <= {tag for tag, _attrs in known}, name


def test_pages_have_nothing_inline_and_no_secrets():
    club = full_club()
    add_service_rows(club)
    boss = client_of(superuser())
    secrets = {
        str(value)
        for model in site._registry
        for field in model._meta.concrete_fields
        if field.name in SECRET_FIELDS - {"draft", "content", "username_key"}
        for value in model._default_manager.values_list(field.name, flat=True)
    }
    assert len(secrets) > 8

    for model in site._registry:
        row = model._default_manager.order_by("pk").last()
        for path in (list_of(model), address(row)):
            html = boss.get(path).content.decode()
            page = read_html(html)
            assert not [secret for secret in secrets if secret in html], path
            assert not [
                one for one in page.walk() if any(name == "style" or name.startswith("on") for name in one.attrs)
            ]
            assert not page.all("style"), path
            assert [one for one in page.all("script") if "src" not in one.attrs] == [], path


def test_covered_bids_are_told_to_nobody():
    import rules

    game = make_game(seats=3, house=rules.HouseRules(hidden_bids=True), length=2)
    first = game.seats.all()[1]
    recording.record_bids(game, bids={first.pk: 1}, seen=1, by=OPERATOR)

    html = client_of(superuser()).get(address(game)).content.decode()
    assert "still covered" in html
    assert f"{first.name} 1" not in html

    recording.step_back(game, undoes=2, by=OPERATOR)
    enter_bids(game, [0, 1, 0])

    assert f"{first.name} 1" in client_of(superuser("Second")).get(address(game)).content.decode()


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_exported_names_are_no_formulas(form):
    club = full_club(("=1+1", "@SUM(A1)", "-2+3"))
    finished(club)
    boss = client_of(superuser())

    answer = boss.post(reverse("admin:scoresheets_player_export"), {"format": "0" if form == "csv" else "1"})

    assert answer["Content-Disposition"].endswith(f'.{form}"')
    if form == "csv":
        lines = list(csv.DictReader(StringIO(answer.content.decode())))
    else:
        values = list(openpyxl.load_workbook(BytesIO(answer.content)).active.values)
        lines = [dict(zip(values[0], line, strict=True)) for line in values[1:]]
    assert {"'=1+1", "'@SUM(A1)", "'-2+3"} <= {line["name"] for line in lines}
    assert {str(line["id"]) for line in lines} == {str(pk) for pk in club.players.values_list("pk", flat=True)}


def test_chosen_games_are_exported_with_what_each_had():
    club = full_club()
    game, _other = game_of(club), finished(club)
    boss = client_of(support())

    page = boss.post(list_of(Game), {"action": "export_admin_action", "_selected_action": [game.pk]})
    assert page.context["form"].initial["export_items"] == [game.pk]
    answer = boss.post(reverse("admin:scoresheets_game_export"), {"format": "0", "export_items": [game.pk]})

    (line,) = csv.DictReader(StringIO(answer.content.decode()))
    assert (line["id"], line["names"], line["totals"]) == (str(game.pk), "Bernd, Cem, Doro", "40, 20, 20")


def test_rows_that_cannot_be_there_are_a_bad_request():
    answer = client_of(superuser()).post(list_of(Game), {"action": "void", "_selected_action": ["x"]})

    assert answer.status_code == 400


def test_deleted_account_and_token_show_nothing_personal():
    club = full_club()
    token = Token.objects.get()
    page = client_of(superuser()).get(address(token)).content.decode()

    assert token.secret_hash not in page
    assert token.shown in page
    assert club.name in client_of(superuser("Second")).get(address(club)).content.decode()
