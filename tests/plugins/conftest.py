"""Loads a plugin for one test, in the way a module of the package that it would lie in is loaded."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from annotation.registry import Registry

Load = Callable[[str, Registry[Any]], None]


@pytest.fixture
def load() -> Iterator[Load]:
    """Import the module `tests.plugins.NAME`, which registers something; what it registered is gone after the test."""
    loaded: list[tuple[str, Registry[Any], set[str]]] = []

    def one(name: str, registry: Registry[Any]) -> None:
        module = f"tests.plugins.{name}"
        loaded.append((module, registry, set(registry)))
        importlib.import_module(module)

    yield one
    for module, registry, before in loaded:
        for new in set(registry) - before:
            del registry[new]
        sys.modules.pop(module, None)
