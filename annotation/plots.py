"""The plots of pages, as SVG in the page's own colours."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language

# Placeholder colours, replaced by custom properties so that a plot follows the theme without being redrawn.
COLOURS = {"#010101": "--ink", "#020202": "--quiet", "#030303": "--rule", "#040404": "--accent", "#050505": "--warn"}
INK, QUIET, RULE, ACCENT, WARN = COLOURS
FONT = "system-ui, sans-serif"
SIZE = 12
"""The size of all labels, in the picture's own units."""
MIN_FONT_PIXELS = 11
"""Pixels: a label that is smaller can't be read."""
_LIGHT = {"--ink": "#1c1b19", "--quiet": "#625e57", "--rule": "#e5e1d8", "--accent": "#0f5c5c", "--warn": "#a4502a"}
"""The colours of the light theme (`static/css/tokens.css`)."""
FORMATS: Mapping[str, Any] = {"de": "de-DE", "fr": "fr-FR", "it": "it-IT", "es": "es-ES"}
"""Number formats on axes, by the language of the interface."""


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot with its caption, a short note, and a text alternative."""

    name: str
    title: str
    remark: str
    alt: str
    svg: str


def svg(chart: Any, colours: Mapping[str, str] | None = None) -> str:
    """The picture of a chart; `colours` are placeholders of its own, with the custom properties that replace them."""
    import vl_convert

    spec = chart.configure(
        font=FONT,
        background="transparent",
        view={"stroke": None},
        axis={
            "domain": False,
            "ticks": False,
            "gridColor": RULE,
            "labelColor": QUIET,
            "titleColor": QUIET,
            "titleFontWeight": "normal",
            "labelFontSize": SIZE,
            "titleFontSize": SIZE,
            "labelLimit": 220,
        },
        header={"labelFontSize": SIZE, "titleFontSize": SIZE},
        text={"fontSize": SIZE},
    ).to_dict()
    picture = vl_convert.vegalite_to_svg(spec, format_locale=FORMATS.get(get_language() or "", "en-US"))
    for hexed, name in {**COLOURS, **(colours or {})}.items():
        picture = picture.replace(hexed, f"var({name})")
    # vl-convert puts its own address before every link.
    picture = re.sub(r'(?<=href=")[^"#]*(?=#)', "", picture)
    # A fixed size would not shrink with the page; the viewBox keeps the proportions.
    return re.sub(r'(<svg[^>]*?) width="[\d.]+" height="[\d.]+"', r"\1", picture, count=1)


def min_width(picture: str) -> int:
    """How many pixels wide a picture must be drawn for its labels to be read; 0 if it does not state its own width."""
    stated = re.search(r'<svg[^>]* viewBox="\S+ \S+ ([\d.]+) ', picture)
    return round(float(stated[1]) * MIN_FONT_PIXELS / SIZE) if stated else 0


def chart_of(rows: Sequence[Mapping[str, Any]]) -> Any:
    import altair as alt

    return alt.Chart({"values": list(rows)})


def standalone_svg(picture: str) -> str:
    """A picture as a file of its own, in the colours of the light theme: outside a page there are no properties."""
    for name, colour in _LIGHT.items():
        picture = picture.replace(f"var({name})", colour)
    return picture
