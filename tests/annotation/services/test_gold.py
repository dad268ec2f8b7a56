"""Gold is one annotation per pair and version, counted when it is written."""

from __future__ import annotations

import pytest

from annotation.errors import Invalid
from annotation.models import Annotation, Source
from annotation.text.spans import Fragment, Span
from tests.annotation.writes import gold_write
from tests.factories import PairFactory

pytestmark = pytest.mark.django_db
SPAN = Span("s1", "4", (Fragment("a", 0, 11), Fragment("b", 0, 14)))


def test_gold_is_written_and_written_over() -> None:
    pair = PairFactory()
    gold_write(pair=pair, version=1, spans=[], provenance={})
    gold_write(pair=pair, version=1, spans=[SPAN], provenance={"s1": {"rule": "pick-one"}})
    gold_write(pair=pair, version=2, spans=[], provenance={})
    first, second = Annotation.objects.filter(source=Source.GOLD, pair=pair).order_by("gold_version")
    assert (first.span_count, first.token_count, first.label_counts) == (1, 4, {"4": 1})
    assert first.provenance == {"s1": {"rule": "pick-one"}} and first.revision == 2
    assert (second.gold_version, second.span_count) == (2, 0)


def test_a_span_outside_scheme_or_text_is_refused() -> None:
    pair = PairFactory()
    for span in (Span("s1", "new", SPAN.fragments), Span("s1", "4", (Fragment("a", 0, 999),))):
        with pytest.raises(Invalid, match="gold of"):
            gold_write(pair=pair, version=1, spans=[span], provenance={})
    assert not Annotation.objects.exists()
