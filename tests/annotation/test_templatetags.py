"""Display of numbers in templates."""

from __future__ import annotations

import pytest
from django.template import Context, Template
from django.utils.translation import override

from annotation.templatetags.diptych import grouped


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
