"""Pairs that share a text, or most of one, belong together."""

from __future__ import annotations

import re

import pytest

from annotation.formats.record import TextRecord
from annotation.text.related_texts import linked, sharing_texts, similar_texts


def words(text: str) -> TextRecord:
    return TextRecord("en", text, [match.span() for match in re.finditer(r"\w+|[^\w\s]", text)])


PAGE = " ".join(f"Sentence {n} tells of matter {n * 7} in town {n * 3}." for n in range(12))
OTHER = " ".join(f"Clause {n} rules on item {n * 5} by date {n * 2}." for n in range(12))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (PAGE, True),
        (PAGE.replace("town 9", "the town 9"), True),  # one word added
        (PAGE.upper(), True),
        (PAGE[: len(PAGE) * 2 // 3] + OTHER, True),  # shares more than half of the shorter
        (PAGE[: len(PAGE) // 3] + OTHER, False),
        (OTHER, False),
    ],
)
def test_versions_of_a_page_belong_together(text: str, same: bool) -> None:
    groups = linked([(words(PAGE), words("Eine Seite.")), (words(text), words("Etwas anderes."))])
    assert (groups[0] == groups[1]) is same


def test_half_of_a_short_text_makes_no_version() -> None:
    texts = ["The house in Bern is small. A dog sleeps.", "The house in Bern is small. Cats see birds."]
    assert similar_texts([words(text) for text in texts]) == []
    longer = [
        "The old house in the middle of Bern is much too small.",
        "The old house in the middle of Bern is too small.",
    ]
    assert similar_texts([words(text) for text in longer]) == [(0, 1)]


def test_what_most_texts_share_ties_none_together() -> None:
    foot = "To the top of the page. All rights reserved by the town council. Imprint and legal notice of the town."
    texts = [words(f"Page {n} says {n}. {foot}") for n in range(25)]
    assert similar_texts(texts) == []
    assert len(similar_texts(texts[:2])) == 1


def test_many_versions_of_a_page_belong_together() -> None:
    texts = [words(f"{page} Version {page[0]}{n} of {page[0]}{n * 3}.") for page in (PAGE, OTHER) for n in range(30)]
    groups = linked([(text, words(f"Seite {number}.")) for number, text in enumerate(texts)])
    assert groups == [0] * 30 + [30] * 30


@pytest.mark.parametrize("changed", [1, 2, 4])
@pytest.mark.parametrize("versions", [20, 25, 40])
def test_versions_with_words_of_their_own_belong_together(versions: int, changed: int) -> None:
    page = [f"word{at}" for at in range(90)]
    texts = []
    for n in range(versions):
        own = list(page)
        for at in range(changed):
            own[(n * 7 + at * 23) % 90] = f"own{n}x{at}"
        texts.append(words(" ".join(own)))
    assert len(set(linked([(text, words(f"Seite {n}.")) for n, text in enumerate(texts)]))) == 1


def test_texts_that_share_a_sentence_are_linked_on_request() -> None:
    texts = [
        "A dog sleeps in the garden. Number 12 is old.",
        "The Rhine is cold! a DOG sleeps in the garden . More here",
        "Number 12 is old. Something else is said here.",
        "In the garden a dog sleeps.",
        "",
    ]
    sides = [words(text) for text in texts]
    assert sharing_texts(sides) == [(0, 1), (0, 2)]
    pairs = [(side, words("")) for side in sides]
    assert linked(pairs) == [0, 1, 2, 3, 4]
    assert linked(pairs, by_sentence=True) == [0, 0, 0, 3, 4]


def test_a_sentence_that_many_texts_have_links_none() -> None:
    common = [words(f"This page was printed today. Page {n}.") for n in range(21)]
    assert sharing_texts(common) == []
    assert len(sharing_texts(common[:20])) == 19


def test_there_may_be_no_text() -> None:
    assert linked([]) == [] and linked([(words(""), words(""))]) == [0]
