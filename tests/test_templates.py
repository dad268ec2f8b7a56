"""Templates: formatted by djLint, no line over 120 characters, includes in use."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.paths import ROOT
from tests.test_architecture import run, tool

TEMPLATES = ROOT / "templates"
LINE = 120


def templates() -> list[Path]:
    return sorted(TEMPLATES.rglob("*.html"))


def test_templates_are_formatted() -> None:
    run(tool("djlint"), "--check", "--quiet", "templates")


def test_a_template_that_is_not_formatted_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<div>\n<p>{% if a %}b{% endif %}</p>\n</div>\n")
    command = (tool("djlint"), "--check", "--quiet", "--configuration", str(ROOT / "pyproject.toml"), str(tmp_path))
    assert subprocess.run(command, capture_output=True).returncode == 1


def test_no_line_is_longer_than_a_screen() -> None:
    """djLint never breaks text."""
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in templates()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LINE
    ]
    assert long == []


def test_a_figure_keeps_its_role() -> None:
    """Another one is not allowed on it; a `div` can have one."""
    assert [path.name for path in templates() if re.search(r"<fig[^>]*\brole=", path.read_text(encoding="utf-8"))] == []


def test_every_include_is_used() -> None:
    apps = (ROOT / app for app in ("annotation", "assist", "agreement", "operation", "config"))
    code = "".join(path.read_text(encoding="utf-8") for app in apps for path in app.rglob("*.py"))
    pages = "".join(path.read_text(encoding="utf-8") for path in templates())
    unused = [
        path.name
        for path in templates()
        if path.name.startswith("_")
        if f'"{path.relative_to(TEMPLATES).as_posix()}"' not in code + pages and f'"{path.stem}"' not in code
    ]
    assert unused == []
