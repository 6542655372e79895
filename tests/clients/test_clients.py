"""Generated clients compile and play a whole game against a live server, as apps of other people would.

They are made of the schema as the site answers it. The one in TypeScript needs node and what `npm ci` puts beside
package.json.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from scoresheets.models import Game
from scoresheets.recording import repair
from tests.conftest import CI
from tests.scoresheets.api.helpers import token_of
from tests.scoresheets.clubs import make_club, owner_of

pytestmark = pytest.mark.clients

HERE = Path(__file__).parent
NODE = shutil.which("node")
MODULES = HERE / "node_modules"
NO_NODE = "node, or what `npm ci` in tests/clients installs, is missing (Debian: apt-get install nodejs npm)"


def run(command: Sequence[str | Path], folder: Path, **variables: str) -> str:
    """Run a command in a folder and return what it prints. Fails with all of it if it ends with anything but 0."""
    done = subprocess.run(
        [*map(str, command)], cwd=folder, env={**os.environ, **variables}, capture_output=True, text=True, timeout=300
    )
    if done.returncode != 0:
        pytest.fail(f"{command[0]} ended with {done.returncode}\n{done.stdout}\n{done.stderr}", pytrace=False)
    return done.stdout


@pytest.fixture
def schema(client: Any, tmp_path: Path) -> Path:
    """Return the schema as a file, as the site answers it."""
    path = tmp_path / "schema.json"
    path.write_bytes(client.get("/api/v1/schema/").content)
    return path


@pytest.fixture
def app(live_server: Any, transactional_db: None) -> list[str]:
    """Return what an app needs: the site's address, a token, and the id of a club that token may record in."""
    club = make_club()
    return [live_server.url, token_of(owner_of(club), "record", club)[1], str(club.pk)]


def check_game(printed: str) -> None:
    """Compare what an app says of the game it has played with what is stored."""
    told: Mapping[str, Any] = json.loads(printed)
    game = Game.objects.get()
    assert (told["game"], game.state) == (game.pk, Game.State.FINISHED)
    assert told["totals"] == list(game.seats.order_by("position").values_list("total", flat=True))
    assert repair.differences_of(game.pk) == []


def test_python_client_plays_a_whole_game(schema, app, tmp_path):
    package = tmp_path / "tafelrunde_client"
    generate = [sys.executable, "-m", "openapi_python_client", "generate", "--path", schema, "--output-path", package]
    run([*generate, "--meta", "none", "--config", HERE / "python-client.yml", "--fail-on-warning"], tmp_path)
    run([sys.executable, "-W", "error", "-m", "compileall", "-q", package], tmp_path)

    check_game(run([sys.executable, HERE / "play.py", *app], tmp_path, PYTHONPATH=str(tmp_path)))


def test_typescript_client_plays_a_whole_game(schema, app, tmp_path):
    if NODE is None or not MODULES.is_dir():
        if CI:
            pytest.fail(NO_NODE, pytrace=False)
        pytest.skip(NO_NODE)
    for name in ("package.json", "tsconfig.json", "play.ts"):
        shutil.copy(HERE / name, tmp_path)
    (tmp_path / "node_modules").symlink_to(MODULES)
    generator, compiler = MODULES / "openapi-typescript/bin/cli.js", MODULES / "typescript/bin/tsc"
    run([NODE, generator, schema, "--output", "api.ts", "--default-non-nullable=false"], tmp_path)
    run([NODE, compiler, "--project", "."], tmp_path)

    check_game(run([NODE, "out/play.js", *app], tmp_path))


def test_no_lock_file_names_a_registry():
    locked = json.loads((HERE / "package-lock.json").read_text())["packages"]
    assert [name for name, package in locked.items() if "resolved" in package] == []
    assert [name for name, package in locked.items() if name and "integrity" not in package] == []
