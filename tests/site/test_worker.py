"""The worker as a process of its own, beside a server and by itself, on the database of the tests."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from datetime import timedelta
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from django.db import connection
from django.utils import timezone
from django_tasks_db.management.commands import db_worker as package_worker
from django_tasks_db.models import DBTaskResult

from scoresheets.actors import OPERATOR
from scoresheets.management.commands import db_worker
from scoresheets.models import Delivery, Season
from scoresheets.recording import deliveries, ping, statistics, tasks
from scoresheets.recording.webhooks import signature, signing_secret
from tests.scoresheets.clubs import add, finished, make_club
from tests.scoresheets.webhooks import log_of, make_webhook, receiving
from wizard_site import serve, worker
from wizard_site.local import BASE_DIR

QUEUE = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}}
SLEEP = (sys.executable, "-c", "import time; time.sleep(60)")


@pytest.fixture
def queue(settings):
    """Let tasks wait for a worker, as on the site."""
    settings.TASKS = QUEUE


@pytest.fixture
def site(tmp_path):
    """Return the environment of a site on the tests' database."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "postgresql":
        database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
    else:
        database = f"sqlite:///{name}"
    (tmp_path / "staticfiles.json").write_text('{"version": "1.1", "paths": {}}')
    return {
        **{name: value for name, value in os.environ.items() if name not in {"WORKER", "DJANGO_SETTINGS_MODULE"}},
        "DATABASE_URL": database,
        "DATA_DIR": str(tmp_path),
        "STATIC_ROOT": str(tmp_path),
    }


@pytest.fixture
def site_worker(queue, monkeypatch):
    """Return a worker in this process; it must not close the connection that holds the test's transaction."""
    for module in (db_worker, package_worker):
        monkeypatch.setattr(module, "close_old_connections", lambda: None)
    return db_worker.SiteWorker(interval=0)


def stale_season():
    """Return a season of a club with a game, whose table is not worked out yet."""
    club = make_club()
    finished(club, add(club, "Ada", "Bo"))
    return Season.objects.create(club=club, name="2024", starts_on=timezone.now().date().replace(year=2020), stale=True)


def wait_for(question, seconds=20.0):
    """Return once the question is answered with something true; fail if it is not in time."""
    end = time.monotonic() + seconds
    while not (answer := question()):
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)
    return answer


# -- by itself -------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_worker_does_what_was_asked_for_and_what_was_lost_and_tells_webhooks(queue, site, settings):
    settings.WEBHOOKS_LOCAL = True
    asked, lost = stale_season(), stale_season()
    tasks.enqueue_once(tasks.rebuild_season, asked.pk)

    with receiving() as receiver:
        webhook = make_webhook(asked.club, receiver.address())
        game = finished(asked.club)
        ended = subprocess.run(
            [sys.executable, "manage.py", "db_worker", "--once"],
            cwd=BASE_DIR,
            env={**site, "WEBHOOKS_LOCAL": "on"},
            capture_output=True,
            timeout=60,
        )

    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
    assert log_of(webhook) == [("delivered", 1, 204, "")]
    ((_line, headers, body),) = receiver.requests
    timestamp = int(headers["tafelrunde-timestamp"])
    assert headers["tafelrunde-signature"] == signature(signing_secret(webhook), timestamp, body)
    assert json.loads(body)["game"] == game.pk
    assert [row.status for row in DBTaskResult.objects.all()] == ["SUCCESSFUL"] * 2
    assert [season.standings.count() for season in (asked, lost)] == [2, 2]
    assert not Season.objects.filter(stale=True).exists()


@pytest.mark.django_db
def test_a_task_that_fails_stops_nothing_and_is_asked_for_again(site_worker, monkeypatch, caplog):
    broken, right = stale_season(), stale_season()
    restand = statistics.restand

    def fail_for_one(season):
        if season == broken:
            raise ValueError("wrong")
        restand(season)

    def seasons_done():
        site_worker.keep_house()
        site_worker.work()
        return [season.standings.count() for season in (broken, right)]

    with monkeypatch.context() as patched:
        patched.setattr(statistics, "restand", fail_for_one)
        assert seasons_done() == [0, 2]
    assert sorted(row.status for row in DBTaskResult.objects.all()) == ["FAILED", "SUCCESSFUL"]
    assert "ValueError: wrong" in caplog.text

    assert seasons_done() == [2, 2]


@pytest.mark.django_db
def test_nothing_to_do_takes_no_lock(site_worker, django_assert_num_queries):
    with django_assert_num_queries(2) as asked:
        site_worker.work()

    assert all(query["sql"].startswith("SELECT") for query in asked.captured_queries)


@pytest.mark.django_db
def test_worker_sends_all_that_is_due_and_does_tasks_in_between(site_worker, monkeypatch):
    done = []

    def deliver():
        assert site_worker.running_task  # told to stop, it notes the answers first
        done.append("sent")
        if done.count("sent") == 1:
            tasks.rebuild_season.enqueue(7)
        return 8 if done.count("sent") < 3 else 0

    monkeypatch.setattr(deliveries, "deliver_due", deliver)
    monkeypatch.setattr(site_worker, "run", lambda: done.append("tasks") or DBTaskResult.objects.all().delete())

    site_worker.work()

    assert done == ["sent", "tasks", "sent", "sent"]
    assert not site_worker.running_task


@pytest.mark.django_db
def test_worker_that_is_told_to_stop_sends_no_more(site_worker, monkeypatch):
    sent = []

    def deliver():
        sent.append(1)
        site_worker.shutdown(signal.SIGTERM, None)
        return 8

    monkeypatch.setattr(deliveries, "deliver_due", deliver)
    site_worker.work()
    site_worker.work()

    assert len(sent) == 1


@pytest.mark.django_db
def test_rows_of_finished_tasks_and_old_deliveries_are_forgotten_and_failed_tasks_later(site_worker):
    def row(status, days):
        tasks.rebuild_season.enqueue(7)
        done = DBTaskResult.objects.ready().get()
        DBTaskResult.objects.filter(pk=done.pk).update(
            status=status, finished_at=timezone.now() - timedelta(days=days, minutes=1)
        )
        return done

    delivery = ping(make_webhook(make_club()), by=OPERATOR)
    Delivery.objects.filter(pk=delivery.pk).update(
        status="failed", next_try_at=None, created_at=timezone.now() - timedelta(days=30, minutes=1)
    )
    row("SUCCESSFUL", 1)
    row("FAILED", 30)
    kept = {row("SUCCESSFUL", 0), row("FAILED", 29)}

    site_worker.keep_house()

    assert set(DBTaskResult.objects.all()) == kept
    assert not Delivery.objects.exists()


@pytest.mark.parametrize(("beside", "looks"), [(os.getppid, 3), (os.getpid, 0), (lambda: None, 3)])
def test_worker_stops_when_the_process_beside_it_is_gone(monkeypatch, beside, looks):
    site_worker = db_worker.SiteWorker(interval=0, beside=beside())
    site_worker.kept_house = time.monotonic()
    looked = []

    def work():
        looked.append(1)
        site_worker.running = len(looked) < 3

    monkeypatch.setattr(site_worker, "work", work)

    site_worker.go_on()

    assert len(looked) == looks


def answer_of(address):
    """Return what a server says, or nothing where none listens."""
    try:
        with urlopen(address) as answer:
            return answer.read()
    except URLError:
        return b""


# -- beside a server -------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_server_starts_its_worker_and_stops_it(queue, site):
    season = stale_season()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]

    server = subprocess.Popen(
        [sys.executable, "-m", "wizard_site.serve"],
        cwd=BASE_DIR,
        env={**site, "PORT": str(port), "WEB_CONCURRENCY": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        wait_for(lambda: Season.objects.filter(pk=season.pk, stale=False).exists())
        # Either may be there first.
        assert wait_for(lambda: answer_of(f"http://127.0.0.1:{port}/healthz")) == b"ok\n"
        os.kill(server.pid, signal.SIGTERM)
        # All that it has started writes to the same pipe: its end is the end of the last one.
        printed, _ = server.communicate(timeout=20)
    finally:
        server.kill()
        server.communicate()

    assert server.returncode == 0
    assert printed.endswith("Stop with Ctrl-C.\n")


def test_keeper_starts_again_what_died_but_not_at_once(monkeypatch, capsys):
    monkeypatch.setattr(worker, "SHORTEST_PAUSE", 0.2)
    keeper = worker.Keeper(SLEEP, is_wanted=lambda: True)
    keeper.look()
    first = keeper.process
    try:
        keeper.look()
        assert keeper.process is first

        first.kill()
        first.wait()
        keeper.look()
        assert keeper.process is None
        assert "The worker ended" in capsys.readouterr().err
        time.sleep(0.25)
        keeper.look()
        assert keeper.process is not None
    finally:
        keeper.end()
    assert keeper.process.returncode == -signal.SIGTERM


def test_keeper_waits_longer_each_time_but_not_after_a_long_life(monkeypatch):
    keeper = worker.Keeper((sys.executable, "-c", ""), is_wanted=lambda: True)
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(subprocess, "Popen", lambda *_given, **_options: Dead())

    def pause_after(life):
        keeper.look()
        now[0] += life
        keeper.look()
        now[0] += keeper.pause
        return keeper.pause

    assert [pause_after(1) for _ in range(8)] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert [pause_after(life) for life in (61, 1)] == [0, 1]


class Dead:
    """A process that has ended."""

    def poll(self):
        return 1


@pytest.mark.parametrize("ends", ["server", "signal"])
def test_keeper_ends_with_the_server_or_when_it_is_told_to(monkeypatch, ends):
    monkeypatch.setattr(worker, "LOOK", 0.01)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)}
    asked = []

    def is_wanted():
        asked.append(keeper.process)
        if ends == "signal" and len(asked) == 3:
            os.kill(os.getpid(), signal.SIGTERM)
        return ends == "signal" or len(asked) < 3

    keeper = worker.Keeper(SLEEP, is_wanted=is_wanted)
    try:
        keeper.keep()
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)

    assert len(asked) == 3
    assert keeper.process.returncode == -signal.SIGTERM


def test_stopping_leaves_alone_what_is_no_child():
    other = subprocess.Popen(SLEEP)
    worker.stop(other.pid)
    assert other.wait() is not None  # already waited for

    worker.stop(other.pid)
    worker.stop(os.getppid())


def test_worker_can_be_switched_off(monkeypatch):
    started = []
    monkeypatch.setattr(worker, "start", lambda: started.append(1))
    monkeypatch.setattr(serve, "prepare_site", lambda *, migrate: None)
    monkeypatch.setattr(serve, "check_free", lambda host, port: None)
    monkeypatch.setattr(os, "execv", lambda *command: started.append(command[1][2]))
    monkeypatch.setattr(os, "environ", dict(os.environ) | {"WORKER": "off"})

    serve.main([])

    assert started == ["gunicorn"]


def test_worker_is_on_or_off(monkeypatch):
    monkeypatch.setattr(serve, "check_free", lambda host, port: None)
    monkeypatch.setenv("WORKER", "perhaps")

    with pytest.raises(SystemExit, match="WORKER must be on or off, not 'perhaps'"):
        serve.main([])
