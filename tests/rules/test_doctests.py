import doctest
import importlib
import pkgutil

import pytest

import rules

MODULES = sorted(module.name for module in pkgutil.iter_modules(rules.__path__, "rules."))


@pytest.mark.parametrize("name", MODULES)
def test_doctests_of_module_run(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_doctests_exist() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    assert sum(bool(test.examples) for name in MODULES for test in finder.find(importlib.import_module(name))) >= 5
