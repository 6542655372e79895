"""The check of the German catalogue finds what it is meant to find."""

import shutil

import pytest

from tests.tools import translations

CATALOGUE = r"""
# German
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

#: a.py
msgid "Round"
msgstr "Runde"

#: a.py
msgid ""
"Long "
"\"text\""
msgstr ""

#: a.py
#, fuzzy, python-format
#| msgid "old"
msgid "%(n)s bid"
msgstr "%(n)s Ansage"

#: a.py
msgctxt "card"
msgid "Trump"
msgstr "Trumpf"

#: a.py
msgid "one trick"
msgid_plural "%(n)s tricks"
msgstr[0] "ein Stich"
msgstr[1] ""

#~ msgid "Gone"
#~ msgstr "Weg"
"""


def test_catalogue_problems_are_named():
    assert translations.catalogue_problems(translations.read_catalogue(CATALOGUE)) == [
        "Not translated: 'Long \"text\"'",
        "Fuzzy (check the translation and remove the mark): '%(n)s bid'",
        "Not translated: 'one trick'",
        "No longer used: 'Gone'",
    ]


@pytest.fixture
def checkout(tmp_path):
    """Return a copy of what translations are extracted from, with two strings and a complete catalogue."""
    if not shutil.which("msgfmt"):
        pytest.skip(translations.NO_GETTEXT)
    (tmp_path / "scoresheets").mkdir()
    (tmp_path / "scoresheets" / "__init__.py").write_text(
        "from django.utils.translation import gettext_lazy as _\nname = _('Round')\n"
    )
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "a.html").write_text("{% load i18n %}{% translate 'Bid' %}")
    translations.update(tmp_path)
    catalogue = tmp_path / translations.CATALOGUE
    text = catalogue.read_text()
    for english, german in (("Round", "Runde"), ("Bid", "Ansage")):
        text = text.replace(f'msgid "{english}"\nmsgstr ""', f'msgid "{english}"\nmsgstr "{german}"')
    catalogue.write_text(text)
    translations.update(tmp_path)
    return tmp_path


def test_check_finds_missing_left_over_and_not_compiled(checkout):
    catalogue = checkout / translations.CATALOGUE
    assert translations.check(checkout) == []

    (checkout / "templates" / "a.html").write_text("{% load i18n %}{% translate 'Points' %}")
    assert translations.check(checkout) == ["Not translated: 'Points'", "No longer used: 'Bid'"]

    (checkout / "templates" / "a.html").write_text("{% load i18n %}{% translate 'Bid' %}")
    catalogue.write_text(catalogue.read_text().replace("Ansage", "Gebot"))
    assert translations.check(checkout) == [
        "scoresheets/locale/de/LC_MESSAGES/django.mo was not compiled from django.po as it is."
    ]
