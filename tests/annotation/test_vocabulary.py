"""Roles, phases, verdicts, sources, statuses and states are defined once: other modules import them, templates are
given them, and neither repeats one as text. Scripts do, where `tsc` checks it against the types generated from them.
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from enum import Enum, EnumType
from itertools import chain
from pathlib import Path

import pytest
from django.template import engines
from django.test import RequestFactory

from agreement.gold.status import PairState
from agreement.models import ComputationStatus
from annotation.models import JobStatus, Source
from annotation.models.imports import ImportStage, ImportStatus
from annotation.models.messages import Party
from annotation.models.people import Mailing
from annotation.models.webhooks import DeliveryStatus
from annotation.qualification.results import STATUSES, State
from annotation.selectors.threads import ThreadStatus
from annotation.vocabulary import InvitationState, Phase, Role, Status, Verdict, template_context
from assist.models import LotStatus
from tests.paths import ROOT


def values(*enums: EnumType) -> set[str]:
    members: Iterator[Enum] = chain.from_iterable(enums)
    return {str(each.value) for each in members if each.value}


OF_JOBS = (JobStatus, ImportStatus, DeliveryStatus, ComputationStatus, LotStatus)
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


COMPARED = re.compile(r"""([\w.]+) *(?:==|!=) *(["'])(.*?)\2""")
MEMBER = re.compile(r"\b(\w+\.)?([A-Z][A-Za-z]+)\.([A-Z][A-Z_]*)\b")
OWN = {"Status": (JobStatus, DeliveryStatus), "OwnStatus": (ImportStatus,), "Stage": (ImportStage,)}
"""By name, the Enums of rows that a template has: `row.Status.DONE`."""
GIVEN: dict[str, EnumType] = {
    **template_context(None), "ThreadStatus": ThreadStatus, "PairState": PairState, "Mailing": Mailing
}  # fmt: skip
"""By name, what all templates can use, and what views give to theirs."""


def templates() -> list[Path]:
    return sorted(path for path in (ROOT / "templates").rglob("*") if path.suffix in (".html", ".txt"))


def repeated_in_template(text: str) -> list[str]:
    compared = [(name.rsplit(".", 1)[-1], value) for name, _quote, value in COMPARED.findall(text)]
    return [f"{name}: {value}" for name, value in compared if value in _words(name)]


def unknown_members(text: str) -> list[str]:
    """What a template would take for nothing, without a word: members that no Enum of that name has."""
    found = []
    for row, name, member in MEMBER.findall(text):
        enums: Iterable[EnumType] = OWN.get(name, ()) if row else [GIVEN[name]] if name in GIVEN else []
        if not any(member in enum.__members__ for enum in enums):
            found.append(f"{row}{name}.{member}")
    return found


def test_no_template_repeats_a_value_as_text() -> None:
    found = {str(path.relative_to(ROOT)): repeated_in_template(path.read_text("utf-8")) for path in templates()}
    assert len(found) > 100
    assert not {name: lines for name, lines in found.items() if lines}


def test_templates_name_members_that_exist() -> None:
    found = {str(path.relative_to(ROOT)): unknown_members(path.read_text("utf-8")) for path in templates()}
    assert not {name: lines for name, lines in found.items() if lines}
    assert any(MEMBER.search(path.read_text("utf-8")) for path in templates())


@pytest.mark.parametrize("line", ['{% if row.status == "done" %}', "{% if a and state != 'open' %}"])
def test_a_repetition_in_a_template_is_noticed(line: str) -> None:
    assert repeated_in_template(line)
    assert not repeated_in_template(line.replace("row.status", "here").replace("state", "here"))


@pytest.mark.parametrize("name", ["Status.DNOE", "row.Status.OPENED", "Phase.DONE", "row.Phase.MAIN", "State.PASSED"])
def test_a_member_that_does_not_exist_is_noticed(name: str) -> None:
    assert unknown_members(f"{{% if x == {name} %}}")


@pytest.mark.parametrize("name", GIVEN)
def test_templates_can_compare_with_members(name: str) -> None:
    member = next(iter(GIVEN[name].__members__))
    template = engines["django"].from_string(f"{{% if value == {name}.{member} %}}the same{{% endif %}}")
    context = {**GIVEN, "value": str(GIVEN[name].__members__[member].value)}
    assert template.render(context, RequestFactory().get("/")) == "the same"


def test_every_template_of_a_request_has_the_vocabulary() -> None:
    template = engines["django"].from_string("{{ Status.DONE }} {{ Role.LEAD }}")
    assert template.render({}, RequestFactory().get("/")) == "done lead"


TYPES = ROOT / "static/js/api-types.d.ts"
IN_SCRIPT = re.compile(r"""(\w+)(?: === | !== |: )"([\w-]+)\"""")
TYPED = re.compile(r"""\"(rejected|flagged|skipped|lead)\"""")
"""Texts that stand for nothing else, wherever they are."""


def texts_in_script(line: str) -> set[str]:
    """The texts of a line that are compared with a verdict or the like, or given for one."""
    named = {value for name, value in IN_SCRIPT.findall(line) if value in _words(name)}
    return {*named, *TYPED.findall(line)} if not line.lstrip().startswith("*") else set()


@pytest.mark.parametrize(
    ("name", "enum"), [("AssignmentStatus", Status), ("Phase", Phase), ("Verdict", Verdict), ("Party", Party)]
)
def test_the_types_of_scripts_have_the_values(name: str, enum: EnumType) -> None:
    stated = re.search(rf"^ +{name}: (\".*\");$", TYPES.read_text("utf-8"), re.MULTILINE)
    assert stated and set(stated[1].replace('"', "").split(" | ")) == values(enum)


@pytest.mark.node
@pytest.mark.long
@pytest.mark.takes(12)
def test_scripts_write_values_only_where_the_type_is_checked(tmp_path: Path) -> None:
    """All of them changed at once, in a copy: `tsc` names every line with one."""
    shutil.copy(ROOT / "tsconfig.json", tmp_path)
    shutil.copytree(ROOT / "static/js", tmp_path / "static/js")
    changed = set()
    for path in sorted((tmp_path / "static/js").rglob("*.js")):
        lines = path.read_text("utf-8").splitlines(keepends=True)
        for index, line in enumerate(lines):
            for text in texts_in_script(line):
                lines[index] = lines[index].replace(f'"{text}"', f'"{text}-not"')
                changed.add(f"{path.relative_to(tmp_path)}({index + 1}")
        path.write_text("".join(lines), "utf-8")
    assert len(changed) > 10
    command = [str(ROOT / "node_modules/.bin/tsc"), "--project", str(tmp_path / "tsconfig.json"), "--pretty", "false"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    refused = {line.partition(",")[0] for line in done.stdout.splitlines()}
    assert not changed - refused, done.stdout[-6000:]
