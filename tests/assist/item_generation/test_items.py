"""Items from answers: samples as the paper has them, the filter, and what people are told."""

from __future__ import annotations

from collections import Counter

import pytest

from assist.item_generation.items import (
    GUIDELINES,
    INTRODUCTIONS,
    distractor_items,
    items_source,
    jaccard,
    sample_items,
    samples,
    triple_items,
)
from assist.item_generation.settings import GenerationSettings
from assist.item_generation.sources import Parallel, Triple

TRIPLE = Triple("t:1-1", "P", "C", "N")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("The mill closed.", "the mill closed", 1.0),
        ("the mill closed", "the mill opened", 2 / 4),
        ("a b c d", "a b c e", 3 / 5),
        ("a", "b", 0.0),
        ("…", "!", 1.0),
    ],
)
def test_words_in_common_over_all_words(one: str, other: str, expected: float) -> None:
    assert jaccard(one, other) == pytest.approx(expected)


def test_samples_are_those_of_the_definitions() -> None:
    found = samples(TRIPLE, "PC", "CN")
    assert {(a, b, target) for name, a, b, target in found if name == "overlap"} == {("PC", "CN", "C")}
    assert {(a, b, target) for name, a, b, target in found if name == "difference"} == {
        ("PC", "P", "C"),
        ("PC", "C", "P"),
        ("PC", "CN", "P"),
        ("CN", "N", "C"),
        ("CN", "C", "N"),
        ("CN", "PC", "N"),
    }
    assert {(a, b, target) for name, a, b, target in found if name == "union"} == {("P", "C", "PC"), ("C", "N", "CN")}


def test_differences_need_neighbours_that_no_encoder_finds_similar() -> None:
    settings = GenerationSettings(language="de-CH")
    apart = triple_items(TRIPLE, "PC", "CN", {"one": [0.2, 0.249], "two": [0.1, -0.3]}, settings, "m")
    assert len(apart) == 9 and apart[1].statement is not None
    assert (
        apart[1].statement.text == f"{INTRODUCTIONS['de']['difference']} C" and apart[1].statement.language == "de-CH"
    )
    assert (apart[1].a.text, apart[1].b.text, apart[1].id) == ("PC", "P", "t:1-1:2")
    made = apart[1].metadata["item"]
    assert (made["operator"], made["target"], made["cosines"]["two"]) == ("difference", "C", [0.1, -0.3])
    alike = triple_items(TRIPLE, "PC", "CN", {"one": [0.2, 0.1], "two": [0.1, 0.25]}, settings, "m")
    assert [record.metadata["item"]["operator"] for record in alike] == ["overlap", "union", "union"]
    assert [record.id for record in alike] == ["t:1-1:1", "t:1-1:8", "t:1-1:9"], "ids don't depend on the filter"


def test_each_distractor_is_a_pair_with_its_translation() -> None:
    settings = GenerationSettings(language="fr", source_language="de")
    row = Parallel("news:2", "Die alte Mühle.", "Le vieux moulin.")
    first, second = distractor_items(row, ["Le vieux chien.", "Un chat."], settings, "m")
    assert (first.id, first.a.text, first.b.text, first.b.language) == ("news:2:1", row.target, "Le vieux chien.", "fr")
    made = first.metadata["item"]
    assert (made["source"], made["source_language"], made["number"], made["jaccard"]) == (
        "Die alte Mühle.",
        "de",
        1,
        0.5,
    )
    assert second.metadata["item"]["jaccard"] == 0.0


def test_a_sample_has_as_many_of_each_operator_and_is_the_same_each_time() -> None:
    every = [
        record
        for number in range(10)
        for record in triple_items(Triple(f"t:{number}", "P", "C", "N"), "PC", "CN", {}, GenerationSettings(), "m")
    ]
    kept = sample_items(every, 7, 1)
    assert Counter(record.metadata["item"]["operator"] for record in kept) == dict.fromkeys(
        ("overlap", "difference", "union"), 7
    )
    assert [record.id for record in kept] == [record.id for record in sample_items(every, 7, 1)]
    assert [record.id for record in kept] != [record.id for record in sample_items(every, 7, 2)]
    assert sample_items(every, None, 1) == every and len(sample_items(every, 1000, 1)) == 90


@pytest.mark.parametrize("task", sorted(GUIDELINES))
def test_a_project_gets_a_scheme_and_guidelines(task: str) -> None:
    source = items_source(task, [])
    assert source.guidelines == {1: GUIDELINES[task]} and source.scheme.questions and not source.scheme.labels
    assert source.scheme.statement is (task == "compositionality")
