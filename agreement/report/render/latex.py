"""A table of the report in LaTeX: it compiles in an `article` with booktabs and graphicx, within the text's lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from annotation.figure_tables import NONE, Table

PREAMBLE = (
    "% UTF-8; needs \\usepackage{booktabs,graphicx}. "
    "Names in scripts other than Latin need XeLaTeX or LuaLaTeX and a font that has them."
)
TEXT_WIDTH = 345.0
CHARACTER, COLUMN = 4.6, 12.0
"""In points, in a one-column article at 10 pt: text width, average character width, gap between columns."""

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "“": "``",
    "”": "''",
    "±": r"$\pm$",
    "×": r"$\times$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "κ": r"$\kappa$",
    "α": r"$\alpha$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "…": r"\ldots{}",
    NONE: "--",
}


def latex(text: str) -> str:
    """`text` with everything escaped that LaTeX would read as a command."""
    return "".join(_ESCAPES.get(character, character) for character in text)


def as_latex(table: Table) -> str:
    """A booktabs table with its title as caption; if too wide for the text, it is transposed or scaled down."""
    if width(table) > TEXT_WIDTH and len(table.rows) < len(table.columns) - 1:
        table = transposed(table)

    def line(row: Sequence[str]) -> str:
        # A bracket at the start of a row would be read as an argument of the preceding line break.
        first, *rest = map(latex, row)
        return " & ".join([f"{{{first}}}" if first.startswith("[") else first, *rest]) + r" \\"

    body = [
        rf"\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}",
        r"  \toprule",
        f"  {line(table.columns)}",
        r"  \midrule",
        *(f"  {line(row)}" for row in table.rows),
        r"  \bottomrule",
        r"\end{tabular}",
    ]
    if width(table) > TEXT_WIDTH:
        body = [r"\resizebox{\textwidth}{!}{%", *body[:-1], body[-1] + "}"]
    caption = latex(f"{table.title}. {table.below}" if table.below else table.title)
    inner = [r"\centering", *body, rf"\caption{{{caption}}}"]
    return "\n".join([r"\begin{table}", *(f"  {each}" for each in inner), r"\end{table}"])


def width(table: Table) -> float:
    """The approximate width of a table in points."""
    columns = zip(table.columns, *table.rows, strict=True)
    return sum(CHARACTER * max(map(len, cells)) + COLUMN for cells in columns)


def transposed(table: Table) -> Table:
    """Rows as columns and columns as rows."""
    heads, *rows = zip(table.columns, *table.rows, strict=True)
    return replace(table, columns=("", *heads[1:]), rows=tuple(rows))
