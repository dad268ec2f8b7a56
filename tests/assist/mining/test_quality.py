"""What mining finds among X-PARADE's own paragraphs, mixed with as many that have no counterpart."""

from __future__ import annotations

import pytest

from assist.mining.settings import MiningSettings
from benchmarks.mining import ALL, cost, published_pairs, quality
from tests.paths import published


@pytest.mark.long
@pytest.mark.data
@pytest.mark.parametrize(
    ("direction", "split", "found", "wrong"),
    [
        ("en-es", "test", 0.95, 0.06),
        ("es-en", "test", 0.95, 0.09),
        ("hi-en", "dev", 0.8, 0.09),
        ("zh-en", "dev", 0.88, 0.05),
    ],
)
def test_true_pairs_are_found_and_few_wrong_ones(direction: str, split: str, found: float, wrong: float) -> None:
    folder = published("xparade", f"complete_data_{direction.replace('en', '').strip('-')}")
    result = quality(published_pairs(folder, direction, [split]), direction, MiningSettings.read(ALL))
    assert result.found >= found and result.wrong <= wrong, result


@pytest.mark.long
def test_invented_counterparts_are_found_among_many() -> None:
    found, _seconds, _megabytes = cost(300, MiningSettings.read(ALL))
    assert len(found.kept_matches) > 290 and all(match.a == match.b for match in found.kept_matches)
