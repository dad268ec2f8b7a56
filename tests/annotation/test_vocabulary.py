"""Roles, phases, verdicts and sources are defined once: other modules import them and repeat none as text."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from annotation.models import Source
from annotation.vocabulary import FINAL_VERDICTS, Phase, Role
from tests.paths import ROOT

WORDS = {
    "role": set(Role.values),
    "phase": set(Phase.values),
    "verdict": {each.value for each in FINAL_VERDICTS},
    "source": set(Source.values),
}
"""By the name of an argument, attribute or variable: the texts that stand for its values."""


def repeated(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Lines that compare a phase (or the like) with a text, pass one or have one as default, and the text.

    Examples in the API's document are dictionaries, and may.
    """
    for node in ast.walk(tree):
        match node:
            case ast.keyword(arg=str(name), value=value):
                pairs = [(name.removesuffix("__in").split("__")[-1], value)]
            case ast.Compare(left=left, comparators=others):
                pairs = [(_name(one), other) for one in (left, *others) for other in (left, *others)]
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                pairs = [(_name(target), value)]
            case ast.Assign(targets=[target], value=value):
                pairs = [(_name(target), value)]
            case _:
                continue
        for name, value in pairs:
            for part in ast.walk(value) if isinstance(value, ast.Tuple | ast.List | ast.Set) else [value]:
                if isinstance(part, ast.Constant) and part.value in WORDS.get(name, ()):
                    yield part.lineno, str(part.value)


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


@pytest.mark.parametrize("app", ["annotation", "assist", "agreement", "operation", "config"])
def test_no_module_repeats_a_value_as_text(app: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {value}"
        for path in sorted((ROOT / app).rglob("*.py"))
        # Migrations are of their time, and what is shipped with a dataset imports nothing of this project.
        if not {"migrations", "shipped"} & set(path.parts)
        for line, value in repeated(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not found


@pytest.mark.parametrize(
    "line",
    [
        'gold_create(phase="main")',
        'rows.filter(assignment__phase__in=("trial", "main"))',
        'work.verdict != "submitted"',
        'source: str = "human"',
        'role = "lead"',
    ],
)
def test_a_repetition_is_noticed(line: str) -> None:
    assert list(repeated(ast.parse(line)))
