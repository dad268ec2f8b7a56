"""A method's report on its fitted model for display: rows of text, and the curve of a tuned threshold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assist.phrases.run_phrases import NO, NONE, YES, translated, translated_name

CURVE = "curve"
SOURCES = "sources"
"""By pair, the pairs that its labels come from, each with the side that both share."""
HIDDEN = (CURVE, SOURCES)
WIDTH, HEIGHT = 420, 160
LARGE, SMALL = 100, 0.001
"""Figures from here on have no decimals, and those below as many as they need."""


@dataclass(frozen=True, slots=True)
class Curve:
    """F1 by threshold. `line` holds the points of a polyline in a box of `WIDTH` by `HEIGHT`; `chosen_x` and `chosen_y`
    are the position of the chosen threshold in it, or of the nearest one on the curve."""

    rows: list[Mapping[str, float]]
    line: str
    chosen: Mapping[str, float]
    chosen_x: float
    chosen_y: float


def report_rows(report: Mapping[str, Any], translate: Callable[[str], str] = str) -> list[tuple[str, str]]:
    """Everything in a report but its curve and sources, as name and text in words; figures with three decimals,
    small ones with as many as they need."""
    return [
        (translated_name(key, translate), _text(value, translate)) for key, value in report.items() if key not in HIDDEN
    ]


def _text(value: Any, translate: Callable[[str], str]) -> str:
    if isinstance(value, bool):
        return (YES if value else NO).text(translate)
    if isinstance(value, float):
        return f"{value:g}" if 0 < abs(value) < SMALL else f"{value:.3f}" if abs(value) < LARGE else f"{value:.0f}"
    if isinstance(value, Mapping):
        parts = [f"{translated_name(key, translate)} {_text(each, translate)}" for key, each in value.items()]
        return ", ".join(parts) or NONE.text(translate)
    if isinstance(value, list | tuple):
        return "; ".join(_text(each, translate) for each in value) or NONE.text(translate)
    return NONE.text(translate) if value is None else translated(str(value), translate)


def report_curve(report: Mapping[str, Any]) -> Curve | None:
    """The curve of the threshold that a method tuned, or None if it tuned none."""
    rows = report.get(CURVE) or []
    if len(rows) < 2:
        return None
    low, high = min(row["threshold"] for row in rows), max(row["threshold"] for row in rows)
    top = max(row["f1"] for row in rows) or 1.0

    def point(row: Mapping[str, float]) -> tuple[float, float]:
        across = (row["threshold"] - low) / ((high - low) or 1.0)
        return round(WIDTH * across, 1), round(HEIGHT * (1 - row["f1"] / top), 1)

    taken = report.get("null_threshold", report.get("threshold", rows[-1]["threshold"]))
    chosen = min(rows, key=lambda row: abs(row["threshold"] - taken))
    line = " ".join(f"{x},{y}" for x, y in map(point, rows))
    return Curve(rows, line, chosen, *point(chosen))
