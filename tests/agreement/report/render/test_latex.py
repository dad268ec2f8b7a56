"""Tables and the methods paragraph in LaTeX: what can be read off them, and, where there is LaTeX, compiled."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from agreement.management.commands.agreement import render_report
from agreement.report.project_report import agreement_report
from agreement.report.render.latex import PREAMBLE, TEXT_WIDTH, as_latex, latex, transposed, width
from annotation.figure_tables import Table
from tests.agreement.work import pair, project, submit

ODD = '\\ & % $ # _ { } ~ ^ < > | " “q” ± × ≥ ≤ κ α ρ τ … – é ß ñ'
TABLE = Table("Title_1", ("", "a & b"), (("x|y", "1.0"), ("[1] long name", "–")), "50 % of it.")


def document(*parts: str) -> str:
    packages = re.findall(r"\\usepackage\{[^}]+\}", PREAMBLE)
    return "\n".join([r"\documentclass{article}", *packages, r"\begin{document}", *parts, r"\end{document}"])


def compiled(text: str, folder: Path) -> str:
    """What pdflatex says of a document. Skips where there is none, or it lacks the packages."""
    if not shutil.which("pdflatex"):
        pytest.skip("no pdflatex found; install it (Debian: apt install texlive-latex-recommended)")
    (folder / "report.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    if "booktabs.sty' not found" in done.stdout:
        pytest.skip("pdflatex has no booktabs; install it (Debian: apt install texlive-latex-recommended)")
    assert done.returncode == 0, done.stdout[-2000:]
    assert (folder / "report.pdf").stat().st_size
    return done.stdout


def test_what_latex_would_read_as_its_own_is_escaped() -> None:
    said = as_latex(TABLE)
    assert r" & a \& b \\" in said and r"\caption{Title\_1. 50 \% of it.}" in said
    assert r"x\textbar{}y & 1.0 \\" in said and r"{[1] long name} & -- \\" in said
    assert "resizebox" not in said
    bare = re.sub(r"\\text\w+\{\}|\\ldots\{\}|\$\\\w+\$|\\[&%$#_{}]", "", latex(ODD))
    assert not set(bare) & set('\\&%$#_{}~^<>|"')
    assert bare.isascii() or set(bare) <= set("éßñ -`'q")


def test_a_table_too_wide_is_turned_and_one_still_too_wide_made_smaller() -> None:
    wide = Table("", ("", *(f"column number {n}" for n in range(9))), (("row", *"123456789"),))
    assert width(wide) > TEXT_WIDTH > width(transposed(wide))
    assert transposed(transposed(wide)) == wide
    assert "column number 3 & 4" in as_latex(wide) and "resizebox" not in as_latex(wide)
    square = Table("", wide.columns, tuple((f"row {n}", *"123456789") for n in range(9)))
    assert as_latex(square).count(r"\resizebox{\textwidth}{!}{%") == 1
    for table in (wide, square):
        said = as_latex(table)
        assert said.count("{") == said.count("}")


def test_odd_names_compile(tmp_path: Path) -> None:
    table = Table(ODD, ("", ODD[:9], ODD[9:]), ((ODD, ODD, ODD), ("[", "*", "]")), ODD)
    compiled(document(latex(ODD), as_latex(table)), tmp_path)


@pytest.mark.django_db
@pytest.mark.parametrize("scheme", ["graded", "xparade"])
def test_a_whole_report_compiles_within_its_lines(scheme: str, tmp_path: Path) -> None:
    made, people = project(scheme, "A_1", "A&2", "A3", "A4")
    for number in range(9):
        on = pair(made, split=("dev", "test", "")[number % 3])
        for place, person in enumerate(people):
            label = ("1", "3") if scheme == "graded" else ("new", "inferable")
            submit(on, person, [(label[(number + place) % 2], [0] if scheme == "graded" else [], [0, 1 + place % 2])])
    said = compiled(document(render_report(agreement_report(made), "latex")), tmp_path)
    assert "Overfull" not in said and "Missing character" not in said
