"""The pages of a club's webhooks: made, tried out, changed, switched, deleted; the log, and sending something again."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from scoresheets.actors import OPERATOR
from scoresheets.models import Club, Delivery, Webhook
from scoresheets.recording import delete_webhook, ping, switch_webhook, webhooks
from scoresheets.views import webhooks as pages
from tests.scoresheets.clubs import finished, make_club, stored
from tests.scoresheets.pages import Element, press, read, sentences_at
from tests.scoresheets.views.test_clubs import as_role
from tests.scoresheets.views.test_statements import statements
from tests.scoresheets.webhooks import ADDRESS, make_webhook, only

pytestmark = pytest.mark.django_db

OTHER = "https://other.example.org/"


@pytest.fixture
def club() -> Club:
    return make_club("Nachteulen")


@pytest.fixture
def manager(club) -> Client:
    return as_role(club, "manager")


def list_of(club: Club) -> str:
    return f"/clubs/{club.pk}/webhooks/"


def page_of(webhook: Webhook) -> str:
    return f"{list_of(webhook.club)}{webhook.pk}/"


def said(page: Element) -> str:
    return page.one(role="status").text


def log_in(page: Element) -> list[str]:
    return [line.one("div").text for line in page.one(class_="links").all("li")] if page.all(class_="links") else []


def test_webhook_is_made_and_its_secret_shown_once(club, manager):
    response = press(manager, list_of(club), "make", typed={"address": f"  {ADDRESS} ", "event": ["game_finished"]})

    webhook = club.webhooks.get()
    assert (response.status_code, webhook.address, webhook.events) == (200, ADDRESS, ["game_finished"])
    page = read(response)
    secret = webhooks.signing_secret(webhook)
    assert page.one(id="secret")["value"] == secret
    assert secret not in manager.get(page_of(webhook)).content.decode()
    assert secret not in manager.get(list_of(club)).content.decode()


def test_form_that_is_sent_twice_makes_one_webhook(club, manager):
    page = read(manager.get(list_of(club)))
    typed = {"address": ADDRESS}

    first, second = (press(manager, list_of(club), "make", page=page, typed=typed) for _ in range(2))
    other = press(manager, list_of(club), "make", page=page, typed={"address": OTHER})

    assert [answer.status_code for answer in (first, second, other)] == [200, 200, 409]
    assert read(first).one(id="secret")["value"] == read(second).one(id="secret")["value"]
    assert read(other).one(class_="err-box").text == "This page was already sent with another entry; that one counts."
    assert club.webhooks.get().address == ADDRESS


@pytest.mark.parametrize("address", ["", "http://app.example.org/", "https://10.0.0.1/", "https://taken.example.org/"])
def test_wrong_address_is_said_at_its_field_and_kept(address, club, manager):
    make_webhook(club, "https://taken.example.org/")
    before = stored()

    response = press(manager, list_of(club), "make", typed={"address": address, "event": ["game_corrected"]})

    page = read(response)
    assert response.status_code == 422
    assert sentences_at(page, "address")
    assert page.one(id="address")["value"] == address
    chosen = [box["value"] for box in page.all("input", name="event") if "checked" in box.attrs]
    assert chosen == ["game_corrected"]
    assert stored() == before


@pytest.mark.parametrize(
    ("events", "sentence"),
    [(None, "Choose at least one thing to tell."), (["lunch"], "There is no event “lunch”.")],
)
def test_events_that_cannot_be_are_said(events, sentence, club, manager):
    response = press(manager, list_of(club), "make", typed={"address": ADDRESS, "event": events})

    page = read(response)
    assert (response.status_code, page.one(id="event_errors").text) == (422, sentence)
    assert page.one("fieldset")["aria-describedby"] == "event_errors"
    assert not club.webhooks.exists()


def test_full_club_has_no_form(club, manager):
    for number in range(webhooks.MOST_WEBHOOKS):
        make_webhook(club, f"{ADDRESS}{number}")

    page = read(manager.get(list_of(club)))

    assert page.all("input", name="address") == []
    assert page.one(class_="note").text == "A club has at most 10 webhooks."
    assert manager.post(list_of(club), {"address": ADDRESS, "event": "game_finished"}).status_code == 422


def test_list_says_how_each_webhook_fares(club, manager):
    on, off, failing, dead = (make_webhook(club, f"{ADDRESS}/{name}") for name in ("on", "off", "failing", "dead"))
    now = timezone.now()
    switch_webhook(off, on=False, by=OPERATOR)
    Webhook.objects.filter(pk=failing.pk).update(failures=1, failing_since=now)
    Webhook.objects.filter(pk=dead.pk).update(is_active=False, disabled_at=now)
    for _ in range(2):
        finished(club)
    Delivery.objects.filter(webhook=on).update(status="delivered", next_try_at=None, delivered_at=now)

    lines = [line.one("small").text for line in read(manager.get(list_of(club))).one(class_="club-list").all("li")]

    assert [line.split(" · ")[0].split(" since ")[0] for line in lines] == [
        "on",
        "off",
        "nothing has got through",
        "switched off, because nothing got through",
    ]
    assert lines[0].endswith("delivered")
    assert lines[1] == "off"
    assert lines[2].endswith("waiting · 2 wait")


def test_settings_are_changed(club, manager):
    webhook = make_webhook(club)

    response = press(manager, page_of(webhook), "save", typed={"address": OTHER, "event": ["game_confirmed"]})

    webhook.refresh_from_db()
    assert (response.status_code, response["Location"]) == (302, page_of(webhook))
    assert (webhook.address, webhook.events) == (OTHER, ["game_confirmed"])
    assert said(read(manager.get(page_of(webhook)))) == "The webhook is saved."


@pytest.mark.parametrize("address", ["https://", "https://taken.example.org/"])
def test_settings_that_cannot_be_are_refused(address, club, manager):
    make_webhook(club, "https://taken.example.org/")
    webhook = make_webhook(club)
    before = stored()

    response = press(manager, page_of(webhook), "save", typed={"address": address})

    assert response.status_code == 422
    assert sentences_at(read(response), "address")
    assert stored() == before


def test_test_is_sent_and_shown_in_the_log(club, manager):
    webhook = make_webhook(club)
    assert log_in(read(manager.get(page_of(webhook)))) == []

    response = press(manager, page_of(webhook), "ping")

    assert (response.status_code, response["Location"]) == (302, f"{page_of(webhook)}#log")
    page = read(manager.get(page_of(webhook)))
    assert said(page) == "The test is on its way."
    (line,) = log_in(page)
    assert line.startswith("Test ")
    assert line.endswith(" · waiting")


def test_log_says_what_became_of_each_and_leads_to_the_game(club, manager):
    webhook = make_webhook(club)
    games = [finished(club) for _ in range(3)]
    first, second, third = webhook.deliveries.order_by("pk")
    now = timezone.now()
    Delivery.objects.filter(pk=first.pk).update(
        status="delivered", delivered_at=now, next_try_at=None, status_code=204, tries=1
    )
    Delivery.objects.filter(pk=second.pk).update(status="failed", next_try_at=None, status_code=500, tries=9)
    Delivery.objects.filter(pk=third.pk).update(error="too_slow", tries=2)

    page = read(manager.get(page_of(webhook)))

    lines = log_in(page)
    assert lines[2].endswith("delivered · answer 204")
    assert lines[1].endswith("given up · answer 500 · 9 tries")
    assert " · waiting · the answer took too long · 2 tries · next at " in lines[0]
    links = [link["href"] for link in page.one(class_="links").all("a")]
    assert links == [f"/games/{game.pk}/" for game in reversed(games)]


def test_long_log_has_pages(club, manager):
    webhook = make_webhook(club)
    finished(club)
    payload, uuid = only(webhook).payload, only(webhook).uuid
    rows = [
        Delivery(webhook=webhook, uuid=uuid.int + n, event="ping", payload=payload, next_try_at=timezone.now())
        for n in range(1, 21)
    ]
    for row in rows:
        row.uuid = type(uuid)(int=row.uuid)
    Delivery.objects.bulk_create(rows)

    first, second = (read(manager.get(f"{page_of(webhook)}{page}")) for page in ("", "?log=2"))

    assert [len(log_in(page)) for page in (first, second)] == [20, 1]
    assert log_in(second)[0].startswith("Game finished")


def test_delivery_is_sent_again(club, manager):
    webhook = make_webhook(club)
    delivery = ping(webhook, by=OPERATOR)
    Delivery.objects.update(status="failed", next_try_at=None, tries=9)

    response = press(manager, page_of(webhook), "again", str(delivery.pk))

    assert response.status_code == 302
    assert said(read(manager.get(page_of(webhook)))) == "It is on its way again."
    delivery.refresh_from_db()
    assert (delivery.status, delivery.tries) == ("pending", 0)


def test_foreign_and_unknown_deliveries_are_not_sent_again(club, manager):
    webhook, foreign = make_webhook(club), make_webhook(make_club())
    Delivery.objects.filter(pk=ping(foreign, by=OPERATOR).pk).update(status="failed", next_try_at=None)
    before = stored()

    for typed in (str(foreign.deliveries.get().pk), "0", "x", "-1", "9" * 30, ""):
        response = manager.post(page_of(webhook), {"again": typed})
        assert response.status_code == 409
        assert read(response).one(class_="err-box").text == "This delivery is no longer in the log."

    assert stored() == before


def test_webhook_is_switched_off_and_on(club, manager):
    webhook = make_webhook(club)
    ping(webhook, by=OPERATOR)

    press(manager, page_of(webhook), "off")
    off = read(manager.get(page_of(webhook)))
    assert said(off) == "The webhook is off."
    assert off.one(class_="note").text == "This webhook is off: it is told nothing."
    # Nothing is sent now, so nothing offers to.
    assert [button["name"] for button in off.one("main").all("button") if "name" in button.attrs] == [
        "save",
        "on",
        "renew",
    ]
    assert manager.post(page_of(webhook), {"ping": "1"}).status_code == 409

    press(manager, page_of(webhook), "on")
    on = read(manager.get(page_of(webhook)))
    assert said(on) == "The webhook is on."
    assert on.all(class_="note") == []


def test_webhook_that_was_switched_off_by_the_site_is_shown(club, manager):
    assert "webhook" not in read(manager.get(f"/clubs/{club.pk}/")).one("main").text
    webhook = make_webhook(club)
    Webhook.objects.filter(pk=webhook.pk).update(is_active=False, disabled_at=timezone.now())

    home = read(manager.get(f"/clubs/{club.pk}/"))
    alone = read(as_role(club, "member").get(f"/clubs/{club.pk}/"))

    (link,) = [link for link in home.one("main").all("a") if link["href"] == list_of(club)]
    assert link.text == "1 webhook was switched off"
    assert "webhook" not in alone.one("main").text
    box = read(manager.get(page_of(webhook))).one(class_="err-box").text
    assert box.startswith("Switched off on ")
    assert "nothing had got through for 3 days" in box


def test_failing_webhook_is_warned_of(club, manager):
    webhook = make_webhook(club)
    Webhook.objects.filter(pk=webhook.pk).update(failures=1, failing_since=timezone.now())

    box = read(manager.get(page_of(webhook))).one(class_="err-box").text

    assert box.startswith("Nothing has got through since ")
    assert box.endswith("After 3 days of that it is switched off.")


def test_new_secret_is_shown_once(club, manager):
    webhook = make_webhook(club)
    before = webhooks.signing_secret(webhook)
    page = read(manager.get(page_of(webhook)))

    first, second = (press(manager, page_of(webhook), "renew", page=page) for _ in range(2))

    webhook.refresh_from_db()
    secret = webhooks.signing_secret(webhook)
    assert secret != before
    assert [read(answer).one(id="secret")["value"] for answer in (first, second)] == [secret] * 2
    assert secret not in manager.get(page_of(webhook)).content.decode()


def test_webhook_is_deleted_after_a_question(club, manager):
    webhook = make_webhook(club)
    address = f"{page_of(webhook)}delete/"
    assert ADDRESS in read(manager.get(address)).one("main").text

    response = manager.post(address)

    assert (response.status_code, response["Location"]) == (302, list_of(club))
    assert said(read(manager.get(list_of(club)))) == "The webhook is deleted."
    assert not club.webhooks.exists()


def test_what_is_gone_or_of_another_club_is_not_found(club, manager):
    own, foreign = make_webhook(club), make_webhook(make_club())
    delete_webhook(own, by=OPERATOR)
    before = stored()

    for pk in (own.pk, foreign.pk, 10**30):
        for end in ("", "delete/"):
            address = f"{list_of(club)}{pk}/{end}"
            assert manager.get(address).status_code == 404
            for button in ("save", "ping", "off", "renew"):
                assert manager.post(address, {button: "1"}).status_code == 404

    assert stored() == before


def test_webhook_that_is_deleted_meanwhile_is_not_found(club, manager, monkeypatch):
    webhook = make_webhook(club)
    find = pages._managed

    def found_for_the_last_time(*asked):
        found = find(*asked)
        Webhook.objects.filter(pk=webhook.pk).delete()
        return found

    monkeypatch.setattr(pages, "_managed", found_for_the_last_time)

    assert manager.post(page_of(webhook), {"off": "1"}).status_code == 404


@pytest.mark.parametrize("number", [1, 10])
def test_statements_of_the_pages_do_not_grow(number, club, manager):
    for place in range(number):
        make_webhook(club, f"{ADDRESS}{place}")
    for _ in range(number):
        finished(club)

    found = [
        statements(lambda end=end: manager.get(list_of(club) + end))[1]
        for end in ("", f"{Webhook.objects.first().pk}/")
    ]

    # Session, account, club and roles; the webhooks and the newest delivery of each; the webhook, its log counted.
    assert found == [(0, 6), (0, 7)]
