"""A report as files to download: its numbers as JSON, its tables as Markdown, LaTeX or CSV."""

from __future__ import annotations

import json

from agreement.report.project_report import Report
from agreement.report.render.latex import PREAMBLE, as_latex, latex
from agreement.report.render.tables import as_csv, as_markdown

TYPES = {"json": "application/json", "md": "text/markdown", "tex": "application/x-tex", "csv": "text/csv"}
"""The media type of each file, by ending."""


def files_of(report: Report) -> dict[str, str]:
    """The text of every file, by ending, in the language that is active."""
    tables = report.tables
    return {
        "json": json.dumps(report.to_json(), ensure_ascii=False, allow_nan=False),
        "md": "\n\n".join([*map(as_markdown, tables), report.methods]),
        "tex": "\n\n".join([PREAMBLE, *map(as_latex, tables), latex(report.methods)]),
        "csv": "\n\n".join(map(as_csv, tables)),
    }
