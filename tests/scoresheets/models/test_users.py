"""Accounts in the database: each constraint holds there, whoever writes; names are one but for case in any script."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import translation

from scoresheets.models import User
from scoresheets.models.usernames import INVISIBLE, tidy_username, username_key, validate_username

pytestmark = pytest.mark.django_db

#: Constraint -> what an account is changed to; another account is called "Annika".
ATTACKS = {
    "user_name_once_but_for_case": {"username": "ANNIKA"},
    "user_key_is_unique": {"username_key": "annika"},
    "user_has_a_name": {"username_key": ""},
    "user_language_is_known": {"language": "tlh"},
    "user_theme_is_known": {"theme": "blue"},
}


def test_every_constraint_has_an_attack():
    assert {constraint.name for constraint in User._meta.constraints} == set(ATTACKS)


@pytest.mark.parametrize("name", ATTACKS)
def test_database_refuses_an_account_that_breaks(name):
    User.objects.create_user("Annika")
    other = User.objects.create_user("Bernd")

    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        User.objects.filter(pk=other.pk).update(**ATTACKS[name])

    assert name in str(refused.value) or "UNIQUE constraint failed: scoresheets_user.username_key" in str(refused.value)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Annika", "aNNIKA"),
        ("Änne", "äNNE"),
        ("Änne", "A\u0308nne"),
        ("Weiß", "WEISS"),
        ("Σίσυφος", "σίσυφοσ"),
        ("Иван", "иВАН"),
        ("Kelvin", "\u212aelvin"),
        ("ﬁn", "FIN"),
    ],
)
def test_names_that_differ_in_case_or_form_only_cannot_both_exist(first, second):
    User.objects.create_user(first)

    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user(second)


def test_saving_a_new_name_alone_saves_its_key_too():
    user = User.objects.create_user("Annika")
    user.username = "Änne"
    user.save(update_fields=["username"])

    assert User.objects.values_list("username", "username_key").get() == ("Änne", "änne")


def test_saving_another_field_alone_writes_no_name():
    user = User.objects.create_user("Annika")
    user.username, user.theme = "Bernd", "dark"
    user.save(update_fields=["theme"])

    assert User.objects.values_list("username", "username_key", "theme").get() == ("Annika", "annika", "dark")


@pytest.mark.parametrize(
    "name",
    [
        "A",
        "7",
        "a" * 40,
        "Anna-Lena O'Brien",
        "Jo B.",
        "Änne_Müller",
        "Zoë·2",
        "Иван",
        "李小龍",
        "محمد",
        "नेहा",
        "พิมพ์",
        "Nguyễn",
        "Đorđe’s",
    ],
)
def test_name_of_any_script_is_taken(name):
    validate_username(name)
    assert tidy_username(name) == name


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "beginning"),
        (" ", "beginning"),
        ("a" * 41, "too_long"),
        ("-a", "beginning"),
        ("\u0301a", "beginning"),
        ("a@example.org", "character"),
        ("#1", "character"),
        ("<b>x</b>", "character"),
        ("a\u202eb", "character"),  # right-to-left override
        ("a\u2066b\u2069", "character"),  # isolates
        ("a\u200bb", "character"),  # zero width space
        ("a\u200db", "character"),  # joiner
        ("a\u00adb", "character"),  # soft hyphen
        ("a\ufeffb", "character"),
        ("a\u3164b", "character"),  # a letter that shows nothing
        ("a\ufe0fb", "character"),  # variation selector
        ("a\u034fb", "character"),
        ("a\tb", "character"),
        ("a\nb", "character"),
        ("a\x00b", "character"),
        ("a\u2028b", "character"),
        ("Annika 🃏", "character"),
        ("🏳️‍🌈", "character"),
        ("a/b", "character"),
        ('a"b', "character"),
        ("a&b", "character"),
        ("a\ue000b", "character"),  # private use
        ("e\u0301\u0302\u0303\u0304", "marks"),
    ],
)
def test_name_that_could_hide_or_turn_something_is_refused(name, code):
    with pytest.raises(ValidationError) as refused:
        validate_username(name)

    assert refused.value.code == code


def test_every_invisible_letter_and_mark_is_refused():
    for character in INVISIBLE:
        with pytest.raises(ValidationError):
            validate_username(f"a{chr(character)}")


def test_no_name_is_another_one_after_tidying():
    assert tidy_username("  Anna \u3000 Lena ") == "Anna Lena"
    assert tidy_username("Ａｎｎａ") == "Anna"
    assert username_key("Ａｎｎａ") == username_key("ANNA")


def test_deleted_account_names_itself_so():
    user = User.objects.create_user("Annika")
    assert (str(user), user.is_deleted) == ("Annika", False)

    user.username = f"{User.DELETED}{user.pk}"

    with translation.override("en"):
        assert (str(user), user.is_deleted) == ("deleted account", True)
    with pytest.raises(ValidationError):
        validate_username(user.username)
