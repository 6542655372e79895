"""Kept connections to PostgreSQL: trusted while nothing speaks against them, replaced when the server ends them."""

import select

import pytest
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection, connections
from django.db.backends.postgresql import base

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def asked(monkeypatch):
    """Count how often the server is asked whether it is there."""
    asked = []
    ask = base.DatabaseWrapper.is_usable
    monkeypatch.setattr(base.DatabaseWrapper, "is_usable", lambda self: asked.append(ask(self)) or asked[-1])
    return asked


@pytest.fixture
def kept():
    """A connection as requests keep it, which is looked at before the first statement of each."""
    kept = connections.create_connection(DEFAULT_DB_ALIAS)
    kept.settings_dict = {**kept.settings_dict, "CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": True}
    backend_of(kept)
    yield kept
    kept.close()


def backend_of(kept):
    """Do what a request does at its beginning and with its first statement; return the server's process."""
    kept.close_if_unusable_or_obsolete()
    kept.health_check_enabled = True
    with kept.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return cursor.fetchone()[0]


def end(backend):
    """Let the server end a connection, and wait until it has."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 10000)", [backend])
        assert cursor.fetchone()[0]


def test_a_connection_that_worked_is_not_asked_again(kept, asked):
    assert backend_of(kept) == backend_of(kept)
    assert asked == []


def test_a_connection_that_the_server_has_ended_is_replaced(kept, asked):
    before = backend_of(kept)
    end(before)

    assert backend_of(kept) != before
    assert asked == [False]


def test_a_connection_is_asked_when_its_last_answer_is_long_ago(kept, asked):
    kept._answered_at -= 31

    backend_of(kept)
    backend_of(kept)

    assert asked == [True]


def test_a_connection_is_asked_after_an_error(kept, asked):
    with pytest.raises(OperationalError), kept.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = 1; SELECT pg_sleep(10)")

    backend_of(kept)
    backend_of(kept)

    assert asked == [True]


def test_a_connection_that_hears_something_is_asked(kept, asked):
    with kept.cursor() as cursor:
        cursor.execute("LISTEN block")
    with connection.cursor() as cursor:
        cursor.execute("NOTIFY block")
    assert select.select([kept.connection], [], [], 30)[0]

    backend_of(kept)

    assert asked == [True]


def test_a_connection_that_is_closed_is_opened_anew(kept, asked):
    kept.connection.close()

    assert backend_of(kept)
    assert asked == [False]
