"""Which matches become pairs."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from assist.mining.filters import Match, copied_share, filtered
from assist.mining.settings import MiningSettings

EN_ES = ("en", "es")


def match(similarity: float = 0.3, article: str = "x", a: int = 0, copy: float = 0.0, **texts: str) -> Match:
    return Match(article, a, a, texts.get("text_a", "a" * 200), texts.get("text_b", "b" * 200), similarity, copy)


def reasons(matches: list[Match], languages: tuple[str, str] = EN_ES, **settings: Any) -> list[str]:
    found = filtered(matches, MiningSettings.read({"per_article": None, **settings}), languages)
    return [each.dropped for each in found]


@pytest.mark.parametrize(
    ("a", "b", "languages", "expected"),
    [
        (86, 120, ("en", "es"), ""),
        (85, 120, ("en", "es"), "short"),
        (86, 119, ("en-GB", "hi"), "short"),
        (1000, 1000, ("en", "hi"), ""),
        (1001, 1000, ("en", "hi"), "long"),
        (1000, 250, ("en", "zh"), ""),
        (1000, 251, ("en", "zh-Hant"), "long"),
        (86, 1, ("en", "zh"), ""),
    ],
)
def test_lengths_are_the_papers_unless_set(a: int, b: int, languages: tuple[str, str], expected: str) -> None:
    assert reasons([match(text_a="a" * a, text_b="b" * b)], languages) == [expected]


def test_lengths_that_are_set_are_those_of_both_sides() -> None:
    matches = [match(text_a="a" * 3), match(text_a="a" * 4), match(text_b="b" * 301)]
    assert reasons(matches, shortest=4, longest=300) == ["short", "", "long"]


def test_bounds_of_similarity_depend_on_the_comparison() -> None:
    matches = [match(0.05), match(0.3), match(0.64), match(0.96)]
    assert reasons(matches) == ["dissimilar", "", "", ""]
    assert reasons(matches, method="encoder") == ["dissimilar", "dissimilar", "", "similar"]
    assert reasons(matches, least_similar=0.3, most_similar=0.3) == ["dissimilar", "", "similar", "similar"]


def test_copies_are_left_out() -> None:
    assert reasons([match(copy=0.6), match(copy=0.61)]) == ["", "copy"]
    assert reasons([match(copy=0.61)], most_copied=0.7) == [""]
    assert copied_share("One, two: two!", "Two three") == pytest.approx(1 / 3)
    assert copied_share("", "…") == 0


def test_an_article_gives_as_many_pairs_as_are_set() -> None:
    matches = [match(article=name, a=a) for name in "xy" for a in range(3)]
    found = Counter(reasons(matches, per_article=2))
    assert found == {"": 4, "article": 2}


def test_pairs_of_articles_are_chosen_so_that_similarity_is_spread() -> None:
    matches = [match(0.15, "x"), match(0.15, "y"), match(0.85, "y", 1)]
    assert reasons(matches, per_article=1) == ["", "article", ""]


def test_a_sample_is_spread_over_similarity() -> None:
    matches = [match(0.15, a=a) for a in range(50)] + [match(0.55, a=50), match(0.95, a=51)]
    found = reasons(matches, sample=4)
    assert found[50:] == ["", ""] and Counter(found) == {"": 4, "sample": 48}


def test_the_seed_decides_between_equals() -> None:
    matches = [match(a=a) for a in range(20)]
    one, again, other = (reasons(matches, sample=5, seed=seed) for seed in (1, 1, 2))
    assert one == again != other
