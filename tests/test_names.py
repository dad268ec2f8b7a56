"""One word has one meaning: no two classes share a name, and names that were replaced don't come back.

The words are those of the table in CONTRIBUTING.md, *Words*.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.paths import ROOT

APPS = ("annotation", "assist", "agreement", "operation", "config")
REPLACED = {
    "makings": "generation jobs",
    "minings": "mining jobs",
    "meeting": "overlap",
    "meetings": "overlaps",
    "met": "matched",
    "oddity": "warning",
    "oddities": "warnings",
    "standing": "progress",
    "work": "annotation, submission, pairs or time",
    "works": "annotations",
}
"""Words of names that were replaced, and by what."""
KEPT = {
    "ItemMakingsSerializer": "a shape of the API",
    "MiningsSerializer": "a shape of the API",
    "WorkDay": "the table of working time",
    "_WORK": "the end of a stored message",
    "makings": "a field of the API",
    "own_work": "the page My work",
    "work": "a column of the table of stored reports",
}
"""Names that contain one all the same, and what they are."""
LOOKED_UP = {"Command", "DatabaseWrapper", "Migration"}
"""Classes that Django finds by their names."""


def modules() -> Iterator[tuple[Path, ast.Module]]:
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            if not {"migrations", "shipped"} & set(path.parts):
                yield path.relative_to(ROOT), ast.parse(path.read_text("utf-8"))


def words_of(name: str) -> list[str]:
    """The words of a name in lower case: 'own' and 'work' of `own_work` and `OwnWork`."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]


def names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """What a module names: its classes, functions, arguments and variables."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield node.lineno, name


def replaced(tree: ast.AST) -> list[tuple[int, str]]:
    return [(line, name) for line, name in names(tree) if name not in KEPT and REPLACED.keys() & set(words_of(name))]


def test_names_that_were_replaced_are_not_used_again() -> None:
    found = [f"{path}:{line} {name}" for path, tree in modules() for line, name in replaced(tree)]
    assert not found, "CONTRIBUTING.md, Words, says what to write instead"


@pytest.mark.parametrize("source", ["class TimedWork: ...", "def f(own_works): ...", "met = 1", "makings_run = f"])
def test_a_replaced_name_is_noticed(source: str) -> None:
    assert replaced(ast.parse(source))


@pytest.mark.parametrize("source", ["class Worker: ...", "workspace = 1", "meta = 1", "self.network = 1"])
def test_names_that_only_contain_the_letters_are_none(source: str) -> None:
    assert not replaced(ast.parse(source))


def test_no_two_classes_share_a_name() -> None:
    where: dict[str, list[str]] = defaultdict(list)
    for path, tree in modules():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and node.name not in LOOKED_UP:
                where[node.name].append(str(path))
    assert not {name: paths for name, paths in where.items() if len(paths) > 1}
