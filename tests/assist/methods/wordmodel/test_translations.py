"""Translations that come with pairs: what they teach, the way across that they open, and leaving them alone."""

import string
from dataclasses import replace

import numpy as np
import pytest

from assist.methods.base import PairInput, Result, create
from assist.methods.wordmodel.translations import translated_sides, with_translated_sides
from tests.assist.methods.texts import ENGLISH, pair, parallel, side

LETTERS = string.ascii_letters + string.digits


def coded(text: str) -> str:
    """The text in a language that nobody knows and in which nothing looks alike."""
    return text.replace(".", " .").translate({ord(each): 0x1401 + ord(each) * 7 % 97 for each in LETTERS})


def strange(of: str = "b") -> list[PairInput]:
    """Three English sentences beside four in code, the last of which is new; what is in code comes translated."""
    pairs = []
    for number in range(8):
        said = [ENGLISH[(number + step * 3) % 8] for step in range(4)]
        short, long = " ".join(said[:3]), " ".join(said)
        texts = (short, coded(long)) if of == "b" else (coded(long), short)
        made = pair(*texts, str(number), ("en", "iu") if of == "b" else ("iu", "en"))
        said_by = (side(long, "en"),)
        pairs.append(replace(made, translations_b=said_by) if of == "b" else replace(made, translations_a=said_by))
    return pairs


def scored(pairs: list[PairInput], **settings: object) -> list[Result]:
    chosen = create("default", settings)
    return chosen.predict(chosen.fit(pairs), pairs)


def margins(pairs: list[PairInput], of: str, **settings: object) -> list[float]:
    """By how much the words of the new sentence are more different than those of the others, on the mean."""
    found = []
    for each, result in zip(pairs, scored(pairs, **settings), strict=True):
        scores = np.array(result.scores_a if of == "a" else result.scores_b)
        words = (each.a if of == "a" else each.b).words()
        last = [index for index, word in enumerate(words) if word == "."][2] + 1
        found.append(float(scores[last:].mean() - scores[:last].mean()))
    return found


def test_a_translation_makes_a_literal_pair_and_one_within_a_language() -> None:
    given = replace(pair("one", "eins"), translations_a=(side("Eins", "de"),), translations_b=(side("a one", "en"),))
    first, second = translated_sides(given)
    assert (first.literal.a, first.literal.b.text, first.same.a.text, first.same.b) == (
        *(given.a, "Eins", "Eins"),
        given.b,
    )
    assert (second.literal.a.text, second.literal.b, second.same.a.text, second.same.b) == (
        *("a one", given.b, "a one"),
        given.a,
    )
    made = with_translated_sides([given, pair("two", "zwei", "2")])
    assert len({each.id for each in made}) == len(made) == 6


@pytest.mark.parametrize("of", ["a", "b"])
@pytest.mark.parametrize("target", ["new", "graded"])
def test_what_a_translation_says_more_is_found_in_the_text_that_it_translates(of: str, target: str) -> None:
    pairs = strange(of)
    found = margins(pairs, of, target=target)
    assert min(found) > 0.1
    assert np.mean(found) > np.mean(margins(pairs, of, target=target, translations=False)) + 0.1


@pytest.mark.parametrize("of", ["a", "b"])
def test_counterparts_lead_through_the_translation(of: str) -> None:
    pairs = strange(of)
    for each, result in zip(pairs, scored(pairs), strict=True):
        first = each.a.words().index(".")
        assert {(index, index) for index in range(first)} <= set(result.edges)
        assert all(0 <= one < len(each.a.tokens) and 0 <= other < len(each.b.tokens) for one, other in result.edges)


def test_without_translations_nothing_changes_and_they_can_be_left_alone() -> None:
    pairs = parallel(8, lost=[3])
    helped = [replace(each, translations_a=(each.b,)) for each in pairs]
    chosen, plain = create("default"), create("default", {"translations": "no"})
    usual = chosen.predict(chosen.fit(pairs), pairs)

    def said(results: list[Result]) -> list[object]:
        return [(each.scores_a, each.scores_b, each.edges) for each in results]

    assert said(plain.predict(plain.fit(helped), helped)) == said(usual)
    assert said(chosen.predict(chosen.fit(helped), helped)) != said(usual)


def test_a_model_that_knew_no_translation_reads_a_pair_without_and_one_that_did_with() -> None:
    pairs = parallel(4)
    late = replace(pairs[0], translations_a=(pairs[0].b,))
    chosen = create("default")
    assert chosen.predict(chosen.fit(pairs), [late])[0].scores_b == chosen.predict(chosen.fit(pairs), pairs)[0].scores_b
    model = chosen.fit([*pairs[1:], late])
    unseen = replace(pair("Anna.", "Anna.", "new", ("fr", "it")), translations_a=(side("Anna.", "it"),))
    assert len(chosen.predict(model, [unseen])[0].scores_a) == 2


@pytest.mark.parametrize("text", ["", " ", "."])
def test_an_empty_translation_or_text_is_borne(text: str) -> None:
    given = replace(strange("b")[0], translations_b=(side(text, "en"),))
    assert len(scored([given])[0].scores_b) == len(given.b.tokens)
    empty = replace(strange("b")[0], a=side("", "en"))
    assert len(scored([empty])[0].scores_b) == len(empty.b.tokens)
