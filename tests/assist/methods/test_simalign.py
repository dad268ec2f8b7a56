"""SimAlign: edge for edge the package of that name on what it can handle, and scores for what it cannot."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from assist.methods.base import MethodError, Result, create
from tests.assist.methods.tiny import nonsense, pair

METHODS = {"inter": "simalign-argmax", "itermax": "simalign-itermax", "mwmf": "simalign-match"}
ENGLISH = [
    ("The large dog wading in the water and shaking .", "Three dark dogs swimming and one of them has a ball ."),
    ("Joshua Pim defeated Wilfred Baddeley , 6 -- 4 .", "In 1893 , Wilfred Baddeley lost to Joshua Pim ."),
    ("A man jumps off of one rooftop onto another .", "A young man leaps from one balcony to another ."),
    ("Yes", "No"),
    ("Applications are submitted electronically", "The unquestionably antidisestablishmentarian"),
]


def package(model: str, layer: int, token_type: str, distortion: float) -> Any:
    from simalign import SentenceAligner

    return SentenceAligner(model, token_type, distortion, "mai", "cpu", layer)


def run(method: str, pairs: list[Any], **settings: Any) -> list[Result]:
    chosen = create(method, settings)
    return chosen.predict(chosen.fit(pairs), pairs)


@pytest.mark.parametrize("kind", ["bert", "xlmr", "modern"])
@pytest.mark.parametrize("token_type", ["bpe", "word"])
@pytest.mark.parametrize(("layer", "distortion"), [(1, 0.0), (2, 0.5), (3, 0.0)])
@pytest.mark.long
def test_edges_are_the_packages(
    tiny: Callable[[str], str], kind: str, token_type: str, layer: int, distortion: float
) -> None:
    aligner = package(tiny(kind), layer, token_type, distortion)
    words = nonsense(25, 9, seed=layer)
    pairs = [pair(a, b, str(index)) for index, (a, b) in enumerate(words)]
    wanted = [aligner.get_word_aligns(a, b) for a, b in words]
    for theirs, ours in METHODS.items():
        results = run(ours, pairs, model=tiny(kind), token_type=token_type, layer=layer, distortion=distortion)
        assert [result.edges for result in results] == [each[theirs] for each in wanted]


def test_edges_are_the_packages_with_a_real_encoder() -> None:
    from assist.methods.encoder.pretrained import PACKAGED, model_location

    aligner = package(model_location(PACKAGED), 4, "bpe", 0.0)
    words = [(a.split(), b.split()) for a, b in ENGLISH]
    for theirs, ours in METHODS.items():
        results = run(ours, [pair(a, b) for a, b in words])
        assert [each.edges for each in results] == [aligner.get_word_aligns(a, b)[theirs] for a, b in words]


@pytest.mark.parametrize("method", METHODS.values())
def test_long_texts_empty_sides_and_words_without_subwords_are_scored(tiny: Callable[[str], str], method: str) -> None:
    long = nonsense(1, 400, seed=5)[0]
    given = [
        (long[0] * 3, long[1] * 3),
        ([], ["dog"]),
        (["dog", "cat"], []),
        ([], []),
        (["dog", "\u200b", "cat"], ["cat", "dog"]),
        (["\u200b"], ["dog", "cat"]),
    ]
    results = run(method, [pair(a, b, str(index)) for index, (a, b) in enumerate(given)], model=tiny("bert"))
    for (a, b), result in zip(given, results, strict=True):
        assert (len(result.scores_a), len(result.scores_b)) == (len(a), len(b))
        assert all(0.0 <= score <= 1.0 for score in result.scores_a + result.scores_b)
    assert len({row for row, _ in results[0].edges}) > 0.1 * len(given[0][0])
    assert max(row for row, _ in results[0].edges) > 0.9 * len(given[0][0])
    assert results[1].scores_b == [1.0]
    assert results[2].scores_a == [1.0, 1.0]
    assert results[4].scores_a[1] == 0.0
    assert (results[5].scores_a, results[5].scores_b) == ([0.0], [1.0, 1.0])


def test_a_token_without_an_edge_is_new_and_an_aligned_one_as_different_as_it_is_far(
    tiny: Callable[[str], str],
) -> None:
    words = [pair(["dog", "cat", "house", "new", "old"], ["dog", "cat", "house"])]
    (graded,) = run("simalign-argmax", words, model=tiny("bert"))
    (plain,) = run("simalign-argmax", words, model=tiny("bert"), graded=False)
    aligned = {row for row, _ in graded.edges}
    assert [score == 1.0 for score in graded.scores_a] == [token not in aligned for token in range(5)]
    assert all(0.0 < graded.scores_a[token] < 0.5 for token in aligned)
    assert plain.scores_a == [0.0 if token in aligned else 1.0 for token in range(5)]


def test_the_null_threshold_drops_edges_except_in_small_matrices(tiny: Callable[[str], str]) -> None:
    words = [pair(["dog", "cat", "house"], ["dog", "cat", "water"]), pair(["dog", "cat"], ["dog", "house", "old"])]
    every = run("simalign-argmax", words, model=tiny("bert"), null_threshold=1.0)
    none = run("simalign-argmax", words, model=tiny("bert"), null_threshold=0.0)
    assert every[0].edges
    assert none[0].edges == []
    assert none[0].scores_a == [1.0, 1.0, 1.0]
    assert none[1].edges == every[1].edges != []


def test_the_null_threshold_is_tuned_on_labelled_pairs_but_never_on_test(tiny: Callable[[str], str]) -> None:
    words = nonsense(30, 9, seed=9)
    free = create("simalign-argmax", {"model": tiny("bert"), "null_threshold": 0.9995})
    plain = [pair(a, b, str(index)) for index, (a, b) in enumerate(words)]
    said = free.predict(free.fit(plain), plain)
    truth = [[float(score == 1.0) for score in result.scores_b] for result in said]
    labelled = [pair(a, b, str(index), gold_b=truth[index], split="dev") for index, (a, b) in enumerate(words)]
    chosen = create("simalign-argmax", {"model": tiny("bert")})
    model = pickle.loads(pickle.dumps(chosen.fit(labelled)))
    report = chosen.report(model)
    assert max(point["f1"] for point in report["curve"]) == pytest.approx(1.0)
    new = [pair(a, b, "new") for a, b in words]
    assert [each.edges for each in chosen.predict(model, new)] == [each.edges for each in said]
    test = [pair(a, b, str(index), gold_b=truth[index], split="test") for index, (a, b) in enumerate(words)]
    assert chosen.report(chosen.fit(test))["null_threshold"] == 1.0


def test_results_do_not_depend_on_batches_or_on_the_order_of_pairs(tiny: Callable[[str], str]) -> None:
    pairs = [pair(a, b, str(index)) for index, (a, b) in enumerate(nonsense(20, 30, seed=2))]
    one = run("simalign-itermax", pairs, model=tiny("xlmr"), batch_tokens=1)
    other = run("simalign-itermax", pairs[::-1], model=tiny("xlmr"), batch_tokens=5000)[::-1]
    assert [each.edges for each in one] == [each.edges for each in other]
    for left, right in zip(one, other, strict=True):
        assert np.allclose(left.scores_a + left.scores_b, right.scores_a + right.scores_b, atol=1e-5)


def test_what_has_no_edge_is_proposed(tiny: Callable[[str], str]) -> None:
    (alone,) = run("simalign-match", [pair(["dog", "new", "cat"], [])], model=tiny("bert"))
    assert [(each.a, each.b, each.score) for each in alone.proposals] == [(((0, 3),), (), 1.0)]


def test_settings_that_the_encoder_has_not_are_refused(tiny: Callable[[str], str]) -> None:
    pairs = [pair(["dog"], ["cat"])]
    with pytest.raises(MethodError, match="layers 0 to 4: there is no layer 8"):
        run("simalign-argmax", pairs, model=tiny("bert"), layer=8)
    with pytest.raises(MethodError, match="reads 3 to 40 subwords at once, not 41"):
        run("simalign-argmax", pairs, model=tiny("bert"), window=41)
    with pytest.raises(MethodError, match=r"is not on this machine.*downloads are switched off"):
        run("simalign-argmax", pairs, model="someone/something")


def test_the_default_layer_is_two_thirds_of_the_way_up(tiny: Callable[[str], str]) -> None:
    chosen = create("simalign-argmax", {"model": tiny("bert")})
    report = chosen.report(chosen.fit([pair(["dog"], ["cat"])]))
    assert report["encoders"] == [{"model": tiny("bert"), "revision": "", "layer": 3}]
