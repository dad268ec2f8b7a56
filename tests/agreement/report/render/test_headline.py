"""The answer in a sentence."""

import pytest

from agreement.report.compute.figures import figures
from agreement.report.render.headline import headline, word
from tests.agreement.made import collection, document, work


@pytest.mark.parametrize(
    ("value", "said"), [(0.9, "very good"), (0.7, "good"), (0.5, "moderate"), (0.3, "low"), (-0.1, "very low")]
)
def test_words(value: float, said: str) -> None:
    assert word(value) == said


def test_nothing_shared() -> None:
    assert headline(figures(collection(document(1, work(0, ("4", "")))))).startswith("Agreement can't be computed yet")


def test_nobody_marked_anything() -> None:
    made = collection(document(1, work(0, ("00", "0")), work(1, ("00", "0"))))
    assert headline(figures(made)).startswith("Nothing is marked")


def test_too_few_matched_spans_say_nothing_about_how_much() -> None:
    documents = [document(n, work(0, (f"{n}0", "0")), work(1, (f"{n}0", "0"))) for n in (1, 2, 3)]
    said = headline(figures(collection(*documents)))
    assert "only 3 spans match" in said
    assert said.endswith("Based on 3 documents.")
