"""Display of numbers in templates."""

from __future__ import annotations

import pytest
from django.template import Context, Template
from django.template.loader import render_to_string
from django.utils.translation import override

from annotation.display_names import format_count
from annotation.models import Project
from annotation.models.imports import Import
from annotation.services.import_report import ImportReport
from annotation.templatetags.diptych import amount, percentage


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "12,345"), ("de", "12.345"), ("it", "12.345"), ("es", "12.345"), ("fr", "12\u202f345")],
)
def test_large_counts_have_their_thousands_set_apart_as_the_reader_is_used_to(language: str, words: str) -> None:
    with override(language):
        said = format_count(12_345)
        assert said.replace("\xa0", "\u202f") in (words, words.replace(".", "\u202f"))
        assert (format_count(9_999), format_count(0), format_count(None)) == ("9999", "0", "")
        block = "{% load i18n diptych %}{% blocktranslate count n=1 with words=words|grouped %}{{ words }}, {{ n }}"
        template = Template(block + "{% plural %}{{ words }}, {{ n }}{% endblocktranslate %}")
        assert template.render(Context({"words": 12_345})) == f"{said}, 1"


@pytest.mark.parametrize(("language", "separator"), [("en", ","), ("de", "."), ("fr", "\u202f")])
def test_the_sentences_of_an_imports_page_set_thousands_apart_as_its_headings_do(language: str, separator: str) -> None:
    row = Import(status="done", dry_run=True, pk=1, report={"pairs_new": 20_000, "pairs_known": 0, "gold_new": 12_345})
    preview = {"records": 20_000, "pairs": [{"id": "a", "sides": []}] * 5, "languages": []}
    context = {"row": row, "project": Project(slug="town"), "preview": preview, "can_start": False}
    with override(language):
        page = render_to_string("annotation/_import_result.html", context).replace("\xa0", "\u202f")
    assert page.count(f"20{separator}000") == 2 and f"12{separator}345" in page and "20000" not in page
    with override(language):
        status = render_to_string("annotation/_import_status.html", context).replace("\xa0", "\u202f")
        lines = "\n".join(ImportReport(project="town", pairs_new=20_000).lines()).replace("\xa0", "\u202f")
    assert f"20{separator}000" in status and f"20{separator}000" in lines


@pytest.mark.parametrize(
    ("cost", "shown"),
    [
        (0, "0"),
        (0.00006, "0.0001"),
        (0.57, "0.5700"),
        (0.00285, "0.0029"),
        (34.6792, "34.68"),
        (12345.678, "12,345.68"),
    ],
)
def test_a_computed_cost_is_rounded_not_cut_off(cost: float, shown: str) -> None:
    assert amount(cost) == shown


@pytest.mark.parametrize(("share", "shown"), [(0.0, "0%"), (0.29, "29%"), (0.996, "100%"), (1.0, "100%")])
def test_a_share_is_rounded_not_cut_off(share: float, shown: str) -> None:
    assert percentage(share) == shown
