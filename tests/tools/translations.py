"""The German catalogue: `python -m tests.tools.translations` checks it, with `--update` brings it up to date.

English is the language of the code, so German is the only catalogue. Checked: every string of code and templates is
translated, all plural forms too; nothing is fuzzy, left over or badly formatted; the compiled file says the same.
"""

import ast
import gettext
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES = ("rules", "scoresheets", "templates", "wizard_site")
CATALOGUE = Path("scoresheets/locale/de/LC_MESSAGES/django.po")
# Extracting reads the sources as text: it needs neither the site's settings nor code that can be imported.
DJANGO_ADMIN = """
import sys
from django.conf import settings
from django.core.management import execute_from_command_line
settings.configure(LOCALE_PATHS=["scoresheets/locale"])
execute_from_command_line(["django-admin", *sys.argv[1:]])
"""
NO_GETTEXT = "The gettext tools are missing (Debian: apt-get install gettext)."


@dataclass
class Message:
    """One entry of a catalogue; `translations` holds its plural forms, or its one translation."""

    msgctxt: str | None = None
    msgid: str = ""
    msgid_plural: str | None = None
    translations: list[str] = field(default_factory=list)
    fuzzy: bool = False
    obsolete: bool = False


def read_catalogue(text: str) -> list[Message]:
    """Return the entries of a .po file, without its header."""
    messages: list[Message] = []
    for block in re.split(r"\n\s*\n", text):
        message = Message()
        key = ""
        values: dict[str, str] = {}
        for raw in block.splitlines():
            line = raw
            if line.startswith("#~"):
                message.obsolete = True
                line = line.removeprefix("#~").strip()
            if line.startswith("#,") and "fuzzy" in line:
                message.fuzzy = True
            if line.startswith("#") or not line:
                continue
            if not line.startswith('"'):
                key, _, line = line.partition(" ")
                values[key] = ""
            values[key] += ast.literal_eval(line)
        if "msgid" not in values or (values["msgid"] == "" and "msgctxt" not in values):
            continue
        message.msgid = values["msgid"]
        message.msgctxt = values.get("msgctxt")
        message.msgid_plural = values.get("msgid_plural")
        message.translations = [text for name, text in values.items() if name.startswith("msgstr")]
        messages.append(message)
    return messages


def catalogue_problems(messages: Iterable[Message], forms: int = 2) -> list[str]:
    """Return a sentence for each entry that is not translated in full; `forms` is the number of plural forms."""
    problems = []
    for message in messages:
        wanted = 1 if message.msgid_plural is None else forms
        if message.obsolete:
            problems.append(f"No longer used: {message.msgid!r}")
        elif message.fuzzy:
            problems.append(f"Fuzzy (check the translation and remove the mark): {message.msgid!r}")
        elif len(message.translations) != wanted or not all(message.translations):
            problems.append(f"Not translated: {message.msgid!r}")
    return problems


def compiled(path: Path) -> dict[object, str]:
    """Return the entries of a .mo file."""
    with path.open("rb") as file:
        catalogue: dict[object, str] = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    return catalogue


def extract(root: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Bring the catalogue under `root` up to date with the code there."""
    (root / CATALOGUE).parent.mkdir(parents=True, exist_ok=True)
    skip = [f"--ignore={folder}" for folder in (".venv", "data", "static", "staticfiles", "tests")]
    command = ["makemessages", "--locale=de", "--add-location=file", "--no-wrap", *options, *skip]
    return run([sys.executable, "-c", DJANGO_ADMIN, *command], root)


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a tool; standard error joins what it prints."""
    env = {**os.environ, "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        command, cwd=folder, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )


def check(root: Path) -> list[str]:
    """Return what is wrong with the catalogue of the checkout `root`, which is left as it is."""
    catalogue = root / CATALOGUE
    if not catalogue.exists():
        return [f"{CATALOGUE} is missing."]
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in SOURCES:
            if (root / name).is_dir():
                shutil.copytree(root / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            elif (root / name).exists():
                shutil.copy(root / name, copy / name)
        extracted = extract(copy)
        if extracted.returncode:
            return [f"makemessages failed:\n{extracted.stdout}"]
        problems += catalogue_problems(read_catalogue((copy / CATALOGUE).read_text(encoding="utf-8")))
        machine = copy / "check.mo"
        format_check = run(["msgfmt", "--check", f"--output-file={machine}", str(catalogue)], copy)
        if format_check.returncode:
            problems.append(format_check.stdout.strip().replace(str(root) + os.sep, ""))
        elif not catalogue.with_suffix(".mo").exists() or compiled(machine) != compiled(catalogue.with_suffix(".mo")):
            problems.append(f"{CATALOGUE.with_suffix('.mo')} was not compiled from {CATALOGUE.name} as it is.")
    return problems


def settle_header(catalogue: Path) -> None:
    """Drop the header lines that msgmerge writes anew each time: a catalogue changes only when its texts do."""
    lines = catalogue.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not line.startswith(('"POT-Creation-Date:', '"Report-Msgid-Bugs-To:'))]
    catalogue.write_text("".join(kept), encoding="utf-8")


def update(root: Path) -> None:
    """Extract, drop what is no longer used, and compile."""
    catalogue = root / CATALOGUE
    for step in (
        lambda: extract(root, "--no-obsolete"),
        lambda: settle_header(catalogue),
        lambda: run(["msgfmt", "--check", f"--output-file={catalogue.with_suffix('.mo')}", str(catalogue)], root),
    ):
        result = step()
        if result is not None and result.returncode:
            raise SystemExit(result.stdout)


def main(arguments: list[str]) -> None:
    if not all(shutil.which(tool) for tool in ("xgettext", "msguniq", "msgmerge", "msgattrib", "msgfmt")):
        raise SystemExit(NO_GETTEXT)
    if "--update" in arguments:
        update(ROOT)
        left = catalogue_problems(read_catalogue((ROOT / CATALOGUE).read_text(encoding="utf-8")))
        print("\n".join(left) or f"{CATALOGUE} is complete.")
        return
    if problems := check(ROOT):
        print("\n".join(problems))
        raise SystemExit(f"The German catalogue has {len(problems)} problems. Run: make messages")
    print("The German catalogue is complete.")


if __name__ == "__main__":
    main(sys.argv[1:])
