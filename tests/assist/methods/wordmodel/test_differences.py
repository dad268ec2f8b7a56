"""Suggestions that rest on the alignment of sentences: what differs by rule, and sentences in each other's place."""

import numpy as np

from assist.methods.base import PairInput, ProposalReason, create
from assist.methods.default import LIKELY, LOST, unaligned_scores
from assist.methods.wordmodel.corpus import vocabulary
from assist.methods.wordmodel.differences import propose_differences, unaligned_sentences
from assist.methods.wordmodel.document import PairArrays, document
from tests.assist.methods.texts import pair, parallel


def read(given: PairInput) -> PairArrays:
    return document(given, vocabulary([given.a]), vocabulary([given.b]), 0.4)


def test_a_number_that_differs_is_proposed_on_both_sides() -> None:
    given = pair("A dog sleeps. It is 5 years old.", "Ein Hund schläft. Er ist 6 Jahre alt.")
    doc = read(given)
    doc.beads = [(0, 1, 0, 1), (1, 2, 1, 2)]
    [found] = propose_differences(given, doc)
    assert found.reason == ProposalReason("number", "5 years", "6 Jahre")
    assert (found.a, found.b, found.level) == (((6, 8),), ((6, 8),), 3)


def test_sentences_of_no_aligned_passage_are_not_compared() -> None:
    given = pair("It is 5 years old.", "Er ist 6 Jahre alt.")
    doc = read(given)
    doc.beads = [(0, 1, 0, 0), (1, 1, 0, 1)]
    assert propose_differences(given, doc) == []


def test_twins_are_sentences_left_alone_at_the_same_place() -> None:
    given = pair(
        "All bells ring. Cold days come. Every fish swims. Good hats last.",
        "All bells ring. Old yaks run. Every fish swims. Zebras walk fast. Vans use fuel.",
        languages=("en", "en"),
    )
    doc = read(given)
    doc.beads = [(0, 1, 0, 1), (1, 2, 1, 1), (2, 2, 1, 2), (2, 3, 2, 3), (3, 4, 3, 3), (4, 4, 3, 5)]
    assert unaligned_sentences(doc) == [((4, 8), (4, 8))]  # at the end one sentence of A corresponds to two of B


def test_long_sentences_are_twins_only_if_they_share_something() -> None:
    left = "The office in Bern opens at eight on every working day."
    for right, wanted in (
        ("Whoever leaves litter behind must pay what cleaning up costs us.", []),
        ("Since May the office of Bern has had longer hours than before.", [((0, 12), (0, 13))]),
    ):
        doc = read(pair(left, right, languages=("en", "en")))
        doc.beads = [(0, 1, 0, 0), (1, 1, 0, 1)]
        assert unaligned_sentences(doc) == wanted


def test_a_sentence_without_a_counterpart_has_one_score_the_higher_the_less_is_said_elsewhere() -> None:
    given = pair("One. A dog sleeps here. " + "Word " * 30 + ".", "")
    text = read(given).a
    weights = text.words.astype(float)
    plain = unaligned_scores(np.full(len(text), 0.5), weights, text)
    heading, sentence, long = (set(plain[start:end]) for start, end in text.units)
    assert [len(each) for each in (heading, sentence, long)] == [1, 1, 1]
    assert heading == long and heading.pop() > LOST
    assert LIKELY < sentence.pop() < unaligned_scores(np.ones(len(text)), weights, text)[3] <= 1


def test_the_default_suggests_a_lost_sentence_as_a_whole_and_a_number_with_its_reason() -> None:
    pairs = parallel(40, lost=range(0, 40, 5))
    odd = pair("The house in Bern is small. Number 12 is old.", "Das Haus in Bern ist klein. Nummer 15 ist alt.", "odd")
    method = create("default", {"share": 0.05})
    results = method.predict(method.fit([*pairs, odd]), [*pairs, odd])
    [number] = [each for each in results[-1].proposals if each.reason]
    assert number.reason == ProposalReason("number", "12", "15")
    lost = results[5].proposals
    words = pairs[5].a.words()
    start, end = pairs[5].a.sentences[1]
    assert [words[low:high] for each in lost for low, high in each.a] == [
        [word for word, (low, _) in zip(words, pairs[5].a.tokens, strict=True) if start <= low < end][:-1]
    ]
