"""NLI attribution as a method: planted words, translations, thresholds, what can't be read."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from assist.methods.base import Labelling, MethodError, PairInput, TextSide, create
from assist.methods.entailment.texts import carried_sum
from assist.methods.entailment.words import word_attributions
from assist.methods.nli import PUBLISHED, Nli, score
from tests.assist.methods.texts import side as of_text
from tests.assist.methods.tiny import side
from tests.assist.methods.tiny_nli import PLANTED, WORDS


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Threads cost more than they gain with tiny models."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def method(tiny_nli: Callable[[], str], tiny: Callable[[str], str]) -> Callable[..., Nli]:
    def make(**settings: Any) -> Nli:
        made = create("nli", {"model": tiny_nli(), "aligner": tiny("bert"), "steps": 20} | settings)
        assert isinstance(made, Nli)
        return made

    return make


def documents(count: int, seed: int = 1, **more: Any) -> list[PairInput]:
    """Pairs of one sentence each; B of every second has the planted word, which is new, and marked."""
    dice = random.Random(seed)
    pairs = []
    for number in range(count):
        a, b = dice.choices(WORDS, k=7), dice.choices(WORDS, k=7)
        if number % 2:
            b[dice.randrange(len(b))] = PLANTED
        gold = [float(word == PLANTED) for word in b]
        pairs.append(PairInput(f"p{number}", side(a), side(b), None, gold, **more))
    return pairs


@pytest.mark.parametrize("languages", ["", " , ", "en, 1", "English (UK)", "e" * 9])
def test_languages_without_a_code_are_refused(languages: str) -> None:
    with pytest.raises(MethodError, match="must be codes of languages with spaces between them"):
        create("nli", {"languages": languages})
    for allowed in ("en", "any", "en, de-CH pt_BR"):
        assert create("slr-nli", {"languages": allowed}).settings.languages == allowed


def test_the_planted_word_scores_highest_and_is_suggested(method: Callable[..., Nli]) -> None:
    chosen, pairs = method(), documents(40)
    model = chosen.fit(pairs)
    assert model.documents == 40 and model.bars.curve
    suggested = 0
    for pair, result in zip(pairs, chosen.predict(model, pairs), strict=True):
        words = pair.b.words()
        if PLANTED in words:
            assert words[int(np.argmax(result.scores_b))] == PLANTED
            assert max(result.scores_b) >= model.bars.threshold
            suggested += any(PLANTED in words[low:high] for each in result.proposals for low, high in each.b)
    # A single word is suggested only if it is among the more certain two thirds.
    assert suggested >= 13
    report = chosen.report(model)
    assert report["documents"] == 40 and report["threshold"] == model.bars.threshold
    assert report["models"][0]["model"] == "nli" and report["models"][0]["revision"]


def test_the_threshold_is_the_best_f1_on_labelled_pairs_that_are_not_for_testing(method: Callable[..., Nli]) -> None:
    chosen, pairs = method(), documents(40)
    tests = [replace(pair, id=f"t{pair.id}", gold_b=[1.0] * 7) for pair in documents(40, seed=2, split="Test")]
    model = chosen.fit([*pairs, *tests])
    results = chosen.predict(model, pairs)
    scores = np.concatenate([each.scores_b for each in results])
    gold = np.concatenate([np.array(pair.gold_b) for pair in pairs]) > 0.5

    def f1(threshold: float) -> float:
        said = scores >= threshold
        return float(2 * (said & gold).sum() / (said.sum() + gold.sum()))

    assert f1(model.bars.threshold) == max(f1(each) for each in scores[scores > 0]) > 0.8
    assert model.bars == chosen.fit(pairs).bars


def test_without_labels_it_is_the_published_threshold_and_one_that_is_set_is_kept(method: Callable[..., Nli]) -> None:
    plain = [replace(pair, gold_b=None) for pair in documents(4)]
    assert method().fit(plain).bars.threshold == PUBLISHED == 0.025
    assert method(threshold=0.4).fit(documents(40)).bars.threshold == 0.4
    same = [replace(pair, gold_b=[0.0] * 7) for pair in documents(40)]
    assert method().fit(same).bars.threshold == PUBLISHED
    assert method().trains(True) and not method().trains(False) and not method(threshold=0.4).trains(True)


def test_few_labelled_tokens_choose_no_threshold(method: Callable[..., Nli]) -> None:
    assert method().fit(documents(6)).bars.threshold == PUBLISHED


def test_nothing_is_suggested_that_has_no_positive_attribution(method: Callable[..., Nli]) -> None:
    # If nearly everything is new, F1 is best with everything; a score of 0 says that the model knows nothing of it.
    pairs = [replace(pair, gold_b=[1.0] * 6 + [0.0]) for pair in documents(40)]
    assert method().fit(pairs).bars.threshold > 0


def test_each_side_is_the_hypothesis_in_turn_or_only_the_one_that_is_labelled(method: Callable[..., Nli]) -> None:
    chosen, (_, pair) = method(), documents(2)
    turned = replace(pair, a=pair.b, b=pair.a, gold_b=None)
    model = chosen.fit([])
    one, other = chosen.predict(model, [pair, turned])
    assert one.scores_b == pytest.approx(other.scores_a, abs=1e-5)
    assert one.scores_a == pytest.approx(other.scores_b, abs=1e-5)
    chosen.labelling = Labelling(sides=("b",))
    (only,) = chosen.predict(model, [pair])
    assert only.scores_b == pytest.approx(one.scores_b, abs=1e-5) and only.scores_a == [0.0] * 7


def test_scores_are_attributions_where_small_and_keep_their_order() -> None:
    given = np.array([-2.0, 0.0, 0.02, 0.03, 1.0, 9.0])
    found = score(given)
    assert found.tolist() == pytest.approx([0.0, 0.0, 0.0198, 0.02955, 1 - math.exp(-1), 1 - math.exp(-9)], abs=1e-5)


def test_translated_words_are_summed_over_the_alignment(method: Callable[..., Nli], tiny: Callable[[str], str]) -> None:
    german = side(["der", "hund", "wasser", "neu"], "de")
    english = side(["a", "dog", "sees", PLANTED], "en")
    pair = PairInput("1", side(["the", "old", "dog", "runs"]), german, translations_b=[english])
    chosen = method()
    model = chosen.fit([])
    (result,) = chosen.predict(model, [pair])
    (read,) = chosen.predict(model, [replace(pair, b=english, translations_b=[])])
    work = chosen.sides_to_judge([pair], ["b"])
    edges = chosen.alignments(work, None)[0]
    aligned = create("simalign-itermax", {"model": tiny("bert"), "null_threshold": 1.0})
    (wanted,) = aligned.predict(aligned.fit([]), [PairInput("1", german, english)])
    assert edges == wanted.edges and edges
    (own,) = word_attributions(chosen.loaded(), *chosen.subwords(chosen.loaded(), work), 20, "hypothesis")
    assert score(own) == pytest.approx(np.array(read.scores_b), abs=1e-5)
    # Negative attributions count in the sums too.
    assert result.scores_b == pytest.approx(score(carried_sum(own, edges, 4)).tolist(), abs=1e-5)
    # The other side is judged against the translation.
    assert result.scores_a == pytest.approx(read.scores_a, abs=1e-5)


def test_an_alignment_by_hand(method: Callable[..., Nli], monkeypatch: pytest.MonkeyPatch) -> None:
    german = side(["wasser", "hund", "sieht"], "de")
    english = side(["a", "dog", "sees", PLANTED], "en")
    pair = PairInput("1", side(["the", "old", "dog", "runs"]), german, translations_b=[english])
    chosen = method()
    monkeypatch.setattr(Nli, "alignments", lambda self, work, progress: {1: [(0, 3), (1, 0), (1, 1)]})
    monkeypatch.setattr(
        "assist.methods.nli.word_attributions",
        lambda *given: [np.zeros(4), np.array([0.5, -0.25, 3.0, 0.75])],
    )
    (result,) = chosen.predict(chosen.fit([]), [pair])
    # 'wasser' has that of 'water'; 'hund' those of 'a' and 'dog'; 'sieht' is aligned to nothing.
    assert result.scores_b == pytest.approx([1 - math.exp(-0.75), 1 - math.exp(-0.25), 0.0])


def test_a_pair_that_cannot_be_read_fails_and_is_not_learned_from(method: Callable[..., Nli]) -> None:
    chosen = method()
    foreign = PairInput("f", of_text("Ein Hund.", "de"), of_text("A dog.", "en"), gold_b=[1.0, 0.0, 0.0])
    model = chosen.fit([*documents(40), foreign])
    assert model.documents == 40
    with pytest.raises(MethodError, match="text in de has no translation into a language that the NLI model reads"):
        chosen.predict(model, [foreign])
    assert chosen.predict(model, [replace(foreign, translations_a=[of_text("A dog.", "en")])])[0].scores_b
    assert method(languages="any").predict(model, [foreign])[0].scores_b


def test_languages_that_cannot_be_read_are_refused_before_a_run(method: Callable[..., Nli], tiny_nli: Any) -> None:
    chosen = method()
    assert chosen.unavailable([("en", "en"), ("de", "fr")]) is None
    assert "none of the pairs has a text in a language that the NLI model reads (en)" in str(
        chosen.unavailable([("de", "fr")])
    )
    assert method(languages="any").unavailable([("de", "fr")]) is None
    # The aligner is needed only for what is read in translation.
    absent = {"aligner": "nobody/has-this"}
    assert method(**absent).unavailable([("en", "en-GB")]) is None
    assert method(**absent, languages="any").unavailable([("en", "de")]) is None
    assert "'nobody/has-this' is not on this machine" in str(method(**absent).unavailable([("en", "de")]))
    assert method(**absent).downloads([("en", "de")]) == ["nobody/has-this"]
    assert method(**absent).downloads([("en", "en")]) == []
    plain = create("nli")
    assert "NLI model 'cross-encoder/nli-deberta-v3-base' is not on this machine" in str(
        plain.unavailable([("en", "en")])
    )


def test_beside_an_empty_text_everything_is_new_and_a_word_without_subwords_is_not(method: Callable[..., Nli]) -> None:
    empty = TextSide("en", "", [])
    pairs = [
        PairInput("one", side(["a", "dog"]), empty),
        PairInput("odd", side(["dog", "\u200b", PLANTED]), side(["a", "cat"])),
    ]
    chosen = method()
    one, odd = chosen.predict(chosen.fit([]), pairs)
    assert (one.scores_a, one.scores_b) == ([1.0, 1.0], [])
    assert odd.scores_a[1] == 0.0 and odd.scores_a[2] > 0.5


def test_texts_of_any_length_are_scored(method: Callable[..., Nli]) -> None:
    dice = random.Random(4)
    long = dice.choices(WORDS, k=300)
    long[200] = PLANTED
    pair = PairInput("long", side(dice.choices(WORDS, k=250), "en", 25), side(long, "en", 60))
    told: list[tuple[int, int, str]] = []
    chosen = method(steps=10)
    (result,) = chosen.predict(chosen.fit([]), [pair], lambda *given: told.append(given))
    assert (len(result.scores_a), len(result.scores_b)) == (250, 300)
    assert int(np.argmax(result.scores_b)) == 200
    assert told and all(what == "attributions" for _, _, what in told)
