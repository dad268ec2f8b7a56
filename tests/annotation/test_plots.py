"""Plots of pages: how wide they must be drawn for their labels to be read."""

from __future__ import annotations

import re

from django.template.loader import render_to_string

from annotation.plots import Plot, chart_of, min_width, svg


def test_a_plot_says_how_wide_it_must_be_and_all_its_labels_have_one_size() -> None:
    rows = [{"n": n, "of": "all", "name": "x"} for n in range(3)]
    base = chart_of(rows).encode(x="n:Q", text="name:N")
    chart = (base.mark_point() + base.mark_text()).properties(width=600).facet("of:N")
    picture = svg(chart)
    assert set(re.findall(r'font-size="(\w+)"', picture)) == {"12px"}
    wide = min_width(picture)
    assert 550 < wide < 650
    shown = render_to_string("annotation/_plot.html", {"plot": Plot("n", "Title", "", "words", picture)})
    assert f'style="min-width:{wide}px"' in shown and 'class="scroll" tabindex="0"' in shown


def test_a_picture_without_a_width_of_its_own_may_be_as_narrow_as_the_page() -> None:
    assert min_width("<svg></svg>") == 0
