"""Roles, phases, verdicts, sources, statuses and states are defined once: other modules and templates import them and
repeat none as text.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from enum import Enum, EnumType
from itertools import chain

import pytest

from agreement.gold.status import PairState
from agreement.models import Building, Computation
from annotation.models import Source
from annotation.models.imports import ImportStatus
from annotation.models.lifecycle import DeletionStatus
from annotation.models.messages import Party
from annotation.models.people import Mailing
from annotation.models.webhooks import DeliveryStatus
from annotation.qualification.results import STATUSES, State
from annotation.selectors.threads import ThreadStatus
from annotation.vocabulary import InvitationState, Phase, Role, Status, Verdict
from assist.models import JobStatus, LotStatus, RunStatus
from tests.paths import ROOT


def values(*enums: EnumType) -> set[str]:
    members: Iterator[Enum] = chain.from_iterable(enums)
    return {str(each.value) for each in members if each.value}


OF_JOBS = (ImportStatus, DeletionStatus, DeliveryStatus, Building, Computation, RunStatus, LotStatus, JobStatus)
WORDS = {
    "role": values(Role),
    "phase": values(Phase),
    "verdict": values(Verdict),
    "source": values(Source),
    "status": {*values(Status, ThreadStatus, *OF_JOBS), *STATUSES},
    "state": values(InvitationState, PairState, State),
    "waiting_for": values(Party),
    "mailing": values(Mailing),
}
"""By the last word of the name of an argument, attribute, variable, key or function: the texts that stand for its
values."""
TOGETHER = [values(Role), values(Phase), values(Verdict), values(Status), values(InvitationState)]
"""Texts of which one alone may mean something else, but not two side by side: in the body of an Enum, in a list, as
the keys of a dictionary."""
DATA = {
    "annotation/api/projects.py": "names of counts, of which some are named like verdicts",
    "annotation/forms/plan.py": "names of fields",
    "annotation/management/commands/plan.py": "names of columns and options",
    "annotation/planning/plans.py": "names of the numbers that a plan has too many of",
    "assist/item_requests/api.py": "names of fields",
}
"""Modules with such texts that are something else, and what."""


def repeated(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Lines that compare a phase (or the like) with a text, pass, give or return one or have one as default, and the
    text. Examples in the API's document may.
    """
    examples = {inner for node in ast.walk(tree) for each in _examples(node) for inner in ast.walk(each)}
    for node in ast.walk(tree):
        for name, value in [] if node in examples else _named(node):
            for part in ast.walk(value) if isinstance(value, ast.Tuple | ast.List | ast.Set) else [value]:
                if isinstance(part, ast.Constant) and part.value in _words(name):
                    yield part.lineno, str(part.value)


def side_by_side(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Lines with several values of one kind in a list, as keys of a dictionary or in the body of an Enum."""
    for node in ast.walk(tree):
        texts = [each for each in _parts(node) if isinstance(each, ast.Constant)]
        for known in TOGETHER:
            found = [each for each in texts if each.value in known]
            if len({each.value for each in found}) > 1:
                yield from ((each.lineno, str(each.value)) for each in found)


def _examples(node: ast.AST) -> Iterable[ast.expr]:
    match node:
        case ast.keyword(arg="example", value=value):
            return [value]
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name.endswith("EXAMPLE"):
            return [value]
    return []


def _named(node: ast.AST) -> list[tuple[str, ast.expr]]:
    """Values with the names of what has or gets them."""
    match node:
        case ast.keyword(arg=str(name), value=value):
            return [(name.removesuffix("__in").split("__")[-1], value)]
        case ast.Compare(left=left, comparators=others):
            return [(_name(one), other) for one in (left, *others) for other in (left, *others)]
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            return [(_name(target), value)]
        case ast.Assign(targets=[target], value=value):
            return [(_name(target), part) for part in _results(value)]
        case ast.Dict(keys=keys, values=given):
            return [
                (key.value, part)
                for key, value in zip(keys, given, strict=True)
                if isinstance(key, ast.Constant) and isinstance(key.value, str)
                for part in _results(value)
            ]
        case ast.FunctionDef(name=name):
            returns = (each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value)
            return [(name, part) for value in returns for part in _results(value)]
        case ast.Match(subject=subject, cases=cases):
            patterns = (part for case in cases for part in ast.walk(case.pattern))
            return [(_name(subject), part.value) for part in patterns if isinstance(part, ast.MatchValue)]
    return []


def _results(value: ast.expr) -> list[ast.expr]:
    """What an expression may give: both, of a conditional one."""
    if isinstance(value, ast.IfExp):
        return [*_results(value.body), *_results(value.orelse)]
    return [value]


def _name(node: ast.expr) -> str:
    """The name of what an expression reads: `status` of `row.status`, `row["status"]`, `row.get("status")`; of another
    call the function's.
    """
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            return name
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(name)), *_]):
            return name
        case ast.Call(func=function):
            return _name(function)
    return ""


def _words(name: str) -> set[str]:
    return WORDS.get(name) or WORDS.get(name.rsplit("_", 1)[-1], set())


def _parts(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
            return items
        case ast.Dict(keys=keys):
            return [key for key in keys if key is not None]
        case ast.ClassDef(body=body):
            given = [each.value for each in body if isinstance(each, ast.Assign)]
            return [each.elts[0] if isinstance(each, ast.Tuple) and each.elts else each for each in given]
    return []


APPS = ("annotation", "assist", "agreement", "operation", "config")


def modules() -> Iterator[tuple[str, ast.AST]]:
    """The code of the apps but the vocabulary itself, migrations, which are of their time, and what is shipped with a
    dataset, which imports nothing of this project.
    """
    for path in sorted(path for app in APPS for path in (ROOT / app).rglob("*.py")):
        name = str(path.relative_to(ROOT))
        if not {"migrations", "shipped"} & set(path.parts) and name != "annotation/vocabulary.py":
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def test_no_module_repeats_a_value_as_text() -> None:
    found = [f"{name}:{line}: {value}" for name, tree in modules() for line, value in repeated(tree)]
    assert not found


def test_no_module_lists_values_as_text() -> None:
    found = {name: lines for name, tree in modules() if (lines := list(side_by_side(tree)))}
    assert set(found) == set(DATA), found


@pytest.mark.parametrize(
    "line",
    [
        'gold_create(phase="main")',
        'rows.filter(assignment__phase__in=("trial", "main"))',
        'work.verdict != "submitted"',
        'source: str = "human"',
        'role = "lead"',
        'publications.filter(status="done")',
        'status = status if status in STATUSES else "open"',
        'row["status"] == "queued"',
        'wanted.get("status") == "done"',
        'invitation_state(row) == "open"',
        'Response({"status": "done"})',
        'Response({"status": "failed" if failed else "computing"})',
        'def invitation_state(row):\n    return "expired" if row.expired else "open"',
        'match row.status:\n    case "done":\n        pass',
    ],
)
def test_a_repetition_is_noticed(line: str) -> None:
    assert list(repeated(ast.parse(line)))


@pytest.mark.parametrize(
    "line",
    [
        'STATES = ("open", "accepted", "revoked", "expired")',
        'NAMES = {"open": "not submitted", "skipped": "skipped"}',
        'class Missing(StrEnum):\n    REJECTED = "rejected"\n    FLAGGED = "flagged"',
        'class Party(TextChoices):\n    ANNOTATOR = "annotator", "annotator"\n    LEAD = "lead", "lead"',
    ],
)
def test_a_list_is_noticed(line: str) -> None:
    assert list(side_by_side(ast.parse(line)))


@pytest.mark.parametrize(
    "line",
    [
        'documented(example={"phase": "trial"})',
        'RULE_EXAMPLE = {"rule": "majority", "phase": "main"}',
        'here == "main"',
        'class Kind(StrEnum):\n    REASSIGNED = "reassigned"\n    PLANNED = "planned"',
    ],
)
def test_other_texts_are_none(line: str) -> None:
    assert not [*repeated(ast.parse(line)), *side_by_side(ast.parse(line))]
