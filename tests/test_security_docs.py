"""The checklist of docs/security.md names tests that exist."""

from __future__ import annotations

import re

from tests.paths import ROOT

NAMED = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def test_every_test_of_the_checklist_exists() -> None:
    text = (ROOT / "docs/security.md").read_text()
    named = NAMED.findall(text)
    assert len(named) > 50 and len(named) == text.count("::")
    missing = [
        f"{path}::{name}"
        for path, name in named
        if not (ROOT / path).is_file() or f"def {name}(" not in (ROOT / path).read_text()
    ]
    assert not missing


def test_every_line_of_the_checklist_names_a_test() -> None:
    lines = [line for line in (ROOT / "docs/security.md").read_text().splitlines() if line.startswith("| ")]
    rows = [line for line in lines if not line.startswith(("| what |", "| --- |"))]
    assert rows and not [line for line in rows if "::test_" not in line]
