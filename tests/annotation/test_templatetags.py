"""Display of numbers in templates."""

from __future__ import annotations

import pytest
from django.template import Context, Template
from django.utils.translation import override

from annotation.templatetags.diptych import amount, grouped, percentage


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "12,345"), ("de", "12.345"), ("it", "12.345"), ("es", "12.345"), ("fr", "12\u202f345")],
)
def test_large_counts_have_their_thousands_set_apart_as_the_reader_is_used_to(language: str, words: str) -> None:
    with override(language):
        said = grouped(12_345)
        assert said.replace("\xa0", "\u202f") in (words, words.replace(".", "\u202f"))
        assert (grouped(9_999), grouped(0), grouped(None)) == ("9999", "0", "")
        block = "{% load i18n diptych %}{% blocktranslate count n=1 with words=words|grouped %}{{ words }}, {{ n }}"
        template = Template(block + "{% plural %}{{ words }}, {{ n }}{% endblocktranslate %}")
        assert template.render(Context({"words": 12_345})) == f"{said}, 1"


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
