"""Tables of figures: what pages keep of a cell, and how its link becomes a URL."""

from __future__ import annotations

import json

from django.template.loader import render_to_string

from annotation.figure_tables import Table, cell, table_json, table_linked

TABLE = Table(
    "Words",
    ("run", "tokens", "rho"),
    (("one", cell("12", drilldown="pairs?of=1"), cell("–", why="nothing to count")), ("two", "3", "4")),
    "By run.",
    "words",
)


def test_a_table_is_kept_as_json_with_what_its_cells_open_and_why_they_are_empty() -> None:
    kept = json.loads(json.dumps(table_json(TABLE)))
    assert kept["rows"] == [
        [{"text": "one"}, {"text": "12", "drilldown": "pairs?of=1"}, {"text": "–", "why": "nothing to count"}],
        [{"text": "two"}, {"text": "3"}, {"text": "4"}],
    ]
    assert (kept["key"], kept["columns"]) == ("words", ["run", "tokens", "rho"])
    assert (kept["note"], kept["remarks"]) == ("By run.", ["Nothing to count (one: rho)."])
    assert TABLE.below == "By run. Nothing to count (one: rho)."


def test_each_reason_is_said_once_with_its_figures_or_if_they_are_many_with_their_number() -> None:
    rough, few = (cell("0.5", why=f"only {n} documents: the interval is rough") for n in (3, 2))
    rows = (("1–2", rough, rough), ("3–4", rough, rough), ("5–6", rough, few), ("556–5,232", few, few))
    table = Table("Correlation", ("tokens", "Spearman's ρ", "Kendall's τ-b"), rows)
    assert table.remarks == [
        "Only 3 documents: the interval is rough (5 figures).",
        "Only 2 documents: the interval is rough (5–6: Kendall's τ-b; 556–5,232: Spearman's ρ, Kendall's τ-b).",
    ]
    alone = Table("Majority", ("annotator", "F1"), (("anna", few), ("bruno", few)))
    assert alone.remarks == ["Only 2 documents: the interval is rough (anna; bruno)."]


def test_a_page_shows_links_reasons_and_notes() -> None:
    shown = table_linked(table_json(TABLE), lambda link: f"/list/{link}&page=1")
    text = " ".join(render_to_string("annotation/_figures_table.html", {"table": shown}).split())
    assert '<a href="/list/pairs?of=1&amp;page=1">12</a>' in text
    assert '<th scope="row">two</th>' in text and 'title="nothing to count"' in text
    assert "<h3>Words</h3>" in text and '<p class="quiet">By run.</p>' in text
    assert "<li>Nothing to count (one: rho).</li>" in text
