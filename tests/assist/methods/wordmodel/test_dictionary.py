"""Word lists as similarities of stems: by hand on a small list."""

import numpy as np
import pytest

from assist.methods.base import PairInput, create
from assist.methods.lexicon.entries import Entry
from assist.methods.wordmodel import corpus, dictionary
from assist.methods.wordmodel.document import document
from tests.assist.methods.texts import side


def test_words_count_more_than_words_of_phrases_and_inflections_are_found_by_stem() -> None:
    made = dictionary.dictionary(
        [Entry("house", ("Haus", "Häuser")), Entry("begin", ("in Gang setzen", "beginnen"))], ("en", "de")
    )
    found = made.similar(["houses", "begins", "."], ["hauses", "beginne", "gang", "."]).toarray()
    assert found == pytest.approx(np.array([[0.8, 0, 0, 0], [0, 0.8, 0.4, 0], [0, 0, 0, 0]]))


def test_a_word_of_many_phrases_says_nothing_of_any() -> None:
    many = [Entry(f"w{n}", (f"{letter} karna",)) for n, letter in enumerate("abcdefghijklmnopqrstu")]
    assert dictionary.dictionary(many, ("en", "xx")).similar(["w0"], ["a", "karna"]).toarray() == pytest.approx(
        np.array([[0.4, 0]])
    )
    assert dictionary.dictionary(many[1:], ("en", "xx")).similar(["w1"], ["b", "karna"]).toarray() == pytest.approx(
        np.array([[0.4, 0.4]])
    )


def test_a_document_holds_them_unless_told_not_to() -> None:
    pair = PairInput("1", side("The schools are open .", "en"), side("स्कूल खुला है ।", "hi"))
    known = [corpus.vocabulary([each]) for each in (pair.a, pair.b)]
    with_lists = document(pair, known[0], known[1], 0.4)
    without = document(pair, known[0], known[1], 0.4, lexicon=False)
    school, hindi = with_lists.a.forms.index("schools"), with_lists.b.forms.index("स्कूल")
    assert with_lists.similar[school, hindi] == pytest.approx(0.8)
    assert without.similar[school, hindi] < 0.8 and not without.listed.nnz


def test_one_pair_is_enough_to_find_counterparts_in_another_script() -> None:
    """Nothing can be learned from one pair; the word lists know what 'water' and 'school' are."""
    pair = PairInput(
        "1",
        side("The school has clean water . The president visited the factory .", "en"),
        side("स्कूल में साफ पानी है ।", "hi"),
    )
    words_a, words_b = pair.a.words(), pair.b.words()
    linked = {}
    for lexicon in (True, False):
        method = create("default", {"target": "new", "lexicon": lexicon})
        result = method.predict(method.fit([pair]), [pair])[0]
        linked[lexicon] = {(words_a[i], words_b[j]) for i, j in result.edges}
    named = {("school", "स्कूल"), ("clean", "साफ"), ("water", "पानी")}
    assert named <= linked[True]
    assert not named & linked[False]
