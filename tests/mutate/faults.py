"""Small faults that someone could have made by mistake: where in a module, and what it puts there instead.

Offsets are half-open ranges of bytes of the UTF-8 source. Python is read with `ast`, JavaScript by `javascript.mjs`
with TypeScript's parser; both make the same kinds of faults.
"""

from __future__ import annotations

import ast
import json
import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

APPS = {
    "annotation": "annotation",
    "assist": "assist",
    "agreement": "agreement",
    "operation": "operation",
    "js": "static/js",
}
"""The apps, and the folder of each."""
SWAPS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="), ast.GtE: (">=", ">"), ast.Is: ("is", "is not"), ast.IsNot: (r"is\s+not", "is"),
    ast.In: ("in", "not in"), ast.NotIn: (r"not\s+in", "in"),
    ast.Add: (r"\+", "-"), ast.Sub: ("-", "+"), ast.Mult: (r"\*", "/"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"), ast.Mod: ("%", "*"), ast.BitAnd: ("&", "|"), ast.BitOr: (r"\|", "&"),
    ast.And: ("and", "or"), ast.Or: ("or", "and"),
}  # fmt: skip
"""What is between two operands (a pattern), and what takes its place."""
LOGGING = {"logger", "logging", "LOG"}
OPERATOR, CONDITION, RETURN, CONSTANT, STATEMENT = (
    "operator changed", "condition negated", "return value dropped", "constant changed", "statement removed",
)  # fmt: skip


@dataclass(frozen=True, order=True, slots=True)
class Fault:
    """`source[start:end]` of a module (its path from the root) is replaced by `text`."""

    path: str
    line: int
    start: int
    end: int
    text: str
    kind: str

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.text.encode() + source[self.end :]


class _Finder(ast.NodeVisitor):
    """Collects the faults of a Python module. Annotations, decorators and docstrings have none."""

    def __init__(self, path: str, source: bytes) -> None:
        self.path, self.source = path, source
        self.found: list[Fault] = []
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.starts[node.lineno - 1] + node.col_offset, self.starts[node.end_lineno - 1] + node.end_col_offset

    def replace(self, node: ast.expr | ast.stmt, text: str, kind: str) -> None:
        self.found.append(Fault(self.path, node.lineno, *self.span(node), text, kind))

    def swap(self, left: ast.expr, operator: ast.AST, right: ast.expr) -> None:
        if type(operator) not in SWAPS:
            return
        old, new = SWAPS[type(operator)]
        low, high = self.span(left)[1], self.span(right)[0]
        found = re.search(rf"(?<!\w){old}(?!\w)".encode(), self.source[low:high])
        if found:
            line = left.end_lineno or left.lineno
            line += self.source[low : low + found.start()].count(b"\n")
            self.found.append(Fault(self.path, line, low + found.start(), low + found.end(), new, OPERATOR))

    def negate(self, test: ast.expr) -> None:
        low, high = self.span(test)
        self.replace(test, f"(not ({self.source[low:high].decode()}))", CONDITION)

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            self.swap(left, operator, right)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.swap(node.left, node.op, node.right)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self.swap(node.values[0], node.op, node.values[1])
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        self.negate(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.negate(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        if not isinstance(node.test, ast.Constant):
            self.negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self.negate(test)
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self.replace(node.value, "None", RETURN)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.replace(node, str(not node.value), CONSTANT)
        elif isinstance(node.value, int | float):
            self.replace(node, repr(node.value + 1), CONSTANT)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call) and not _logs(node.value):
            self.replace(node, "pass", STATEMENT)
            self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self.replace(node, "pass", STATEMENT)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.replace(node, "pass", STATEMENT)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if isinstance(node.targets[0], ast.Attribute | ast.Subscript):
            self.replace(node, "pass", STATEMENT)
        self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for each in (*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body):
            self.visit(each)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for each in node.body:
            self.visit(each)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Left alone: before Python 3.12 what is inside has no position of its own."""


def _logs(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and getattr(call.func.value, "id", "") in LOGGING


def python_faults(path: str, source: bytes) -> list[Fault]:
    """Every fault of a Python module, in the order of its text, of those with which it still compiles."""
    finder = _Finder(path, source)
    for statement in ast.parse(source).body:
        before = len(finder.found)
        finder.visit(statement)
        # A whole module for each of its faults would take seconds.
        low, high = finder.span(statement)
        compiled = [
            each
            for each in finder.found[before:]
            if _compiles(source[low : each.start] + each.text.encode() + source[each.end : high])
        ]
        finder.found[before:] = compiled
    return sorted(finder.found)


def _compiles(source: bytes) -> bool:
    try:
        compile(source, "fault", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


def script_faults(root: Path, paths: Sequence[str]) -> list[Fault]:
    """Every fault of some JavaScript modules. Needs Node.js and what `npm ci` installs."""
    program = Path(__file__).with_name("javascript.mjs")
    done = subprocess.run(["node", str(program), *paths], cwd=root, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"JavaScript cannot be read (Node.js and npm ci are needed): {done.stderr.strip()[-500:]}")
    return sorted(Fault(**each) for each in json.loads(done.stdout))


def modules(root: Path, app: str, only: str = "") -> list[str]:
    """The modules of an app, as paths from the root; of them those that are `only`, or lie in it."""
    folder = root / APPS[app]
    found = (path.relative_to(root) for path in folder.rglob("*.js" if app == "js" else "*.py"))
    kept = (path for path in found if not {"migrations", "vendor"} & set(path.parts))
    return sorted(str(path) for path in kept if not only or path.is_relative_to(only))


def faults(root: Path, app: str, only: str = "") -> dict[str, list[Fault]]:
    """The faults of each module of an app; a module that has none is omitted."""
    paths = modules(root, app, only)
    if app == "js":
        found = script_faults(root, paths) if paths else []
    else:
        found = [fault for path in paths for fault in python_faults(path, (root / path).read_bytes())]
    grouped: dict[str, list[Fault]] = {}
    for fault in found:
        grouped.setdefault(fault.path, []).append(fault)
    return grouped


def chosen(grouped: dict[str, list[Fault]], count: int, dice: random.Random) -> Iterator[Fault]:
    """So many faults at random, spread over the modules: a second of a module only after one of each."""
    waiting = [dice.sample(each, len(each)) for _path, each in sorted(grouped.items())]
    dice.shuffle(waiting)
    while waiting and count > 0:
        for each in waiting[:count]:
            yield each.pop()
        count -= len(waiting[:count])
        waiting = [each for each in waiting if each]
