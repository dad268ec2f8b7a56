"""Pairs that share a text, or most of one, belong together."""

from __future__ import annotations

import itertools
import random
import re
import time
from collections.abc import Callable

import pytest

from annotation.formats.record import TextRecord
from annotation.text.related_texts import link_pairs, sharing_texts, similar_texts


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
    groups = link_pairs([(words(PAGE), words("Eine Seite.")), (words(text), words("Etwas anderes."))])
    assert (groups[0] == groups[1]) is same


def test_half_of_a_short_text_makes_no_version() -> None:
    texts = ["The house in Bern is small. A dog sleeps.", "The house in Bern is small. Cats see birds."]
    assert similar_texts([words(text) for text in texts]) == []
    longer = [
        "The old house in the middle of Bern is much too small.",
        "The old house in the middle of Bern is too small.",
    ]
    assert similar_texts([words(text) for text in longer]) == [(0, 1)]


FOOT = "To the top of the page. All rights reserved by the town council. Imprint and legal notice of the town."


def test_a_short_text_is_most_of_a_version_if_the_rest_is_little() -> None:
    texts = [words(f"Page {n} says {n}. {FOOT}") for n in range(25)]
    assert similar_texts(texts) == [(0, n) for n in range(1, 25)]
    assert len(similar_texts(texts[:2])) == 1


def test_what_many_pages_share_ties_none_together() -> None:
    """The foot is most of the last two, but found on many pages, of which it is a small part."""
    texts = [words(f"{page('p', n, 40)} {FOOT}") for n in range(25)]
    assert similar_texts(texts) == []
    short = [words(f"{page('s', n, 16)} {FOOT}") for n in range(2)]
    assert similar_texts([*texts, *short]) == []
    assert similar_texts(short) == []


def page(name: str, number: int, length: int) -> str:
    return " ".join(f"{name}{number}x{index}" for index in range(length))


def versions(count: int, length: int, share: int, where: str) -> list[str]:
    """Versions of a page with a share of its words, in percent; others are their own, at the end or spread."""
    draw = random.Random(f"{count} {length} {share} {where}")
    own = length * (100 - share) // 100
    texts = []
    for version in range(count):
        found = page("base", 0, length).split()
        if where == "added":
            found += page("own", version, own).split()
        start = draw.randrange(length - own + 1)
        at = {"end": range(length - own, length), "block": range(start, start + own), "added": ()}
        for at_word in at.get(where, draw.sample(range(length), own)):
            found[at_word] = f"own{version}x{at_word}"
        texts.append(" ".join(found))
    return texts


def brute(texts: list[str], enough: Callable[[int], float]) -> list[int]:
    """The first text that each hangs together with, where two share enough of the longer one's runs."""
    runs = [{tuple(split[index : index + 3]) for index in range(len(split) - 2)} for split in map(str.split, texts)]
    first = list(range(len(texts)))
    for one, other in itertools.combinations(range(len(texts)), 2):
        if len(runs[one] & runs[other]) >= enough(max(len(runs[one]), len(runs[other]))) - 1e-9:
            first = [first[one] if each == first[other] else each for each in first]
    return [first.index(each) for each in first]


def groups_of(texts: list[str]) -> list[int]:
    return link_pairs([(words(text), words(f"Seite {number}.")) for number, text in enumerate(texts)])


@pytest.mark.parametrize("where", ["end", "block", "added", "spread"])
@pytest.mark.parametrize("share", [60, 75, 90, 95])
@pytest.mark.parametrize(
    ("count", "length"), [(2, 30), (2, 300), (18, 45), (18, 300), (24, 30), (24, 45), (40, 30), (40, 300), (100, 45)]
)
@pytest.mark.long
def test_texts_that_share_enough_runs_are_together_however_many(
    count: int, length: int, share: int, where: str
) -> None:
    texts = [
        text for both in zip(versions(count, length, share, where), pages(count, length), strict=True) for text in both
    ]
    expected = brute(texts, lambda size: (0.5 if size >= 50 else 0.8) * size)
    found = groups_of(texts)
    assert len(set(zip(expected, found, strict=True))) == len(set(expected)), "texts that hang together are apart"
    assert len(set(found[1::2])) == count and not set(found[::2]) & set(found[1::2])
    if (length == 300 and (where in ("end", "added") or share == 95)) or (where == "end" and share >= 90):
        assert len(set(found)) == 1 + count


def pages(count: int, length: int) -> list[str]:
    return [page("other", number, length) for number in range(count)]


@pytest.mark.parametrize("share", [20, 30, 40])
@pytest.mark.parametrize("length", [45, 300])
@pytest.mark.parametrize("count", [2, 24, 100])
def test_a_common_header_or_footer_joins_no_pages(count: int, length: int, share: int) -> None:
    frame = page("frame", 0, length * share // 100).split()
    middle = len(frame) // 2
    texts = [" ".join([*frame[:middle], *text.split()[len(frame) :], *frame[middle:]]) for text in pages(count, length)]
    assert groups_of(texts) == list(range(count))


def test_versions_of_pages_with_a_common_header_are_together() -> None:
    """Half of what is left without the header, which many pages have, is in both."""
    head = page("head", 0, 100)
    texts = [f"{head} {page('p', n, 200)}" for n in range(30)]
    new = [f"{head} {page('p', n, 110)} {page('new', n, 90)}" for n in range(30)]
    assert groups_of([*texts, *new]) == [*range(30)] * 2


def test_a_few_runs_of_their_own_do_not_make_pages_of_one_site_versions() -> None:
    """Twelve words beside what many pages have; the sites' own frames differ."""
    frames = [page("frame", site, 100) for site in range(2)]
    texts = [f"{frames[site]} {page('p', 100 * site + n, 120)}" for site in range(2) for n in range(25)]
    few = [f"{frame} {page('few', 0, 12)}" for frame in frames]
    assert groups_of([*texts, *few]) == list(range(52))


def test_an_excerpt_is_with_its_page_and_the_order_does_not_matter() -> None:
    whole = page("base", 0, 400).split()
    texts = [" ".join(whole[start : start + 60]) for start in range(0, 340, 40)] + [" ".join(whole), *pages(5, 60)]
    found = groups_of(texts)
    assert found == [0] * 10 + [10, 11, 12, 13, 14]
    assert len(set(groups_of(texts[::-1])[5:])) == 1


def test_texts_are_compared_once_however_many_versions_a_page_has() -> None:
    texts = [words(text) for text in versions(3000, 60, 95, "end")]
    before = time.process_time()
    assert len(similar_texts(texts)) == 2999
    assert time.process_time() - before < 15


def test_many_versions_of_a_page_belong_together() -> None:
    texts = [words(f"{page} Version {page[0]}{n} of {page[0]}{n * 3}.") for page in (PAGE, OTHER) for n in range(30)]
    groups = link_pairs([(text, words(f"Seite {number}.")) for number, text in enumerate(texts)])
    assert groups == [0] * 30 + [30] * 30


@pytest.mark.parametrize("changed", [1, 2, 4])
@pytest.mark.parametrize("versions", [20, 25, 40])
def test_versions_with_words_of_their_own_belong_together(versions: int, changed: int) -> None:
    page = [f"word{index}" for index in range(90)]
    texts = []
    for n in range(versions):
        own = list(page)
        for index in range(changed):
            own[(n * 7 + index * 23) % 90] = f"own{n}x{index}"
        texts.append(words(" ".join(own)))
    assert len(set(link_pairs([(text, words(f"Seite {n}.")) for n, text in enumerate(texts)]))) == 1


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
    assert link_pairs(pairs) == [0, 1, 2, 3, 4]
    assert link_pairs(pairs, by_sentence=True) == [0, 0, 0, 3, 4]


def test_a_sentence_that_many_texts_have_links_none() -> None:
    common = [words(f"This page was printed today. Page {n}.") for n in range(21)]
    assert sharing_texts(common) == []
    assert len(sharing_texts(common[:20])) == 19


def test_there_may_be_no_text() -> None:
    assert link_pairs([]) == [] and link_pairs([(words(""), words(""))]) == [0]
