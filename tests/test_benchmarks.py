"""Benchmarks run some code in processes of their own, from strings that neither the type check nor ruff reads."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.paths import ROOT


def programs() -> Iterator[tuple[str, str]]:
    """Where each begins, and its text."""
    for path in sorted(ROOT.glob("benchmarks/**/*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and "django.setup()" in node.value:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node.value


def missing_names(program: str) -> list[str]:
    """What it imports that is not there."""
    missing = []
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.ImportFrom) and node.module:
            there = {*dir(importlib.import_module(node.module)), "*"}
            missing += [f"{node.module}.{each.name}" for each in node.names if each.name not in there]
    return missing


def undefined_names(program: str) -> str:
    check = "-m ruff check --isolated --select F821 --output-format concise -"
    command = [sys.executable, *check.split()]
    return subprocess.run(command, input=program, capture_output=True, text=True, check=False, cwd=ROOT).stdout


def test_the_programs_in_strings_name_what_exists() -> None:
    found = dict(programs())
    assert len(found) > 2
    assert {where: missing for where, program in found.items() if (missing := missing_names(program))} == {}
    for where, program in found.items():
        assert "All checks passed" in undefined_names(program), where


@pytest.mark.parametrize("program", ["from tests.paths import RUIN", "import django\ndjango.setup(ROOT)"])
def test_a_stale_name_is_found(program: str) -> None:
    assert missing_names(program) or "F821" in undefined_names(program)
