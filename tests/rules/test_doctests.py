import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import rules

MODULES = sorted(module.name for module in pkgutil.iter_modules(rules.__path__, "rules."))


@pytest.mark.parametrize("name", MODULES)
def test_doctests_of_module_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_examples_of_the_documentation_run() -> None:
    result = doctest.testfile(str(Path(__file__).parents[2] / "docs" / "engine.md"), module_relative=False)
    assert result.failed == 0
    assert result.attempted >= 20


def test_doctests_exist() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    assert sum(bool(test.examples) for name in MODULES for test in finder.find(importlib.import_module(name))) >= 5
