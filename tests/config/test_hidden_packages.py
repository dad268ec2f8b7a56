"""What is hidden from an import is found before and after it."""

from __future__ import annotations

import importlib
import sys

import pytest

from config.hidden_packages import hide_packages


def test_what_is_not_loaded_is_not_found_inside_and_loads_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "wave", raising=False)
    with hide_packages("wave"), pytest.raises(ImportError):
        importlib.import_module("wave")
    assert importlib.import_module("wave").__name__ == "wave"
    with hide_packages("json"):
        assert importlib.import_module("json") is sys.modules["json"] is not None


def test_nothing_stays_hidden_after_a_failure() -> None:
    with pytest.raises(ZeroDivisionError), hide_packages("wave"):
        raise ZeroDivisionError
    assert sys.modules.get("wave", sys) is not None
