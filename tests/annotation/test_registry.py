"""Registries: complete when first read, in a fixed order, and no name twice."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from annotation.registry import Registry

MODULE = "from {package} import LIST, Item\n\nLIST.register(Item('{name}'))\n"
PACKAGE = """
from dataclasses import dataclass
from annotation.registry import Registry

@dataclass
class Item:
    name: str

LIST = Registry("{package}")
"""


@dataclass(frozen=True)
class Item:
    name: str
    value: int = 0


def test_every_module_is_found_when_the_registry_is_read(tmp_path: Path) -> None:
    package = tmp_path / "shelf"
    package.mkdir()
    (package / "__init__.py").write_text(PACKAGE.format(package="shelf"))
    for name in ("one", "two", "three"):
        (package / f"{name}.py").write_text(MODULE.format(package="shelf", name=name))
    program = "import shelf; print(sorted(shelf.LIST._own), list(shelf.LIST), shelf.LIST['two'].name, len(shelf.LIST))"
    environment = {"PYTHONPATH": f"{tmp_path}:{Path(__file__).parents[2]}"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.stdout == "[] ['one', 'three', 'two'] two 3\n", done.stderr


def test_a_name_is_registered_once() -> None:
    registry: Registry[Item] = Registry("annotation.text")
    item = registry.register(Item("x"))
    assert registry.register(item) is item
    with pytest.raises(ValueError, match="two are named 'x'"):
        registry.register(Item("x", 1))
    assert list(registry.values()) == [item]
    del registry["x"]
    assert not registry
