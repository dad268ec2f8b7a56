"""What the learned method reaches on the published gold, by folds: half the documents and a third of the trees."""

import pytest

from assist.methods.base import create
from tests.assist.methods.test_quality import graded
from tests.paths import published

pytestmark = [pytest.mark.data, pytest.mark.long]


def test_learned_is_ahead_of_the_default_on_pages_it_has_not_seen() -> None:
    pairs = graded(published("swissgov", "gold_labels", "gold_admin_de.jsonl"), ("en", "de"))[::2]
    learned = create("learned", {"folds": 3, "trees": 40, "seeds": 1})
    report = learned.report(learned.fit(pairs))
    assert report["documents"] == 112 and report["weight"] == 1.0
    assert 100 * report["learned"] >= 24.3
    assert report["learned"] >= report["default"] + 0.025
