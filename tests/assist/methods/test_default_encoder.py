"""The default method with an encoder: one more way to find a token's counterpart, taken by itself within English."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr

from annotation.text.sentences import sentences
from assist.methods import default
from assist.methods.base import Method, PairInput, Result, TextSide, create
from assist.methods.diffalign import DiffAlign
from assist.methods.encoder.pretrained import PACKAGED
from assist.methods.wordmodel.document import Counterparts, _with_encoder, aligned_tokens, counterparts_of_both
from tests.assist.methods.texts import pair
from tests.assist.methods.tiny import side
from tests.paths import published

MIN_SCORES = {"ists": 69.5, "ists_negatives": 65.5, "ists_documents": 59, "ists_permutations": 58}

ENGLISH = pair("The dog sleeps in the garden. Rain fell.", "It poured. The hound rests outdoors.", "1", ("en", "en-GB"))
MIXED = pair("The dog sleeps.", "Der Hund schläft.", "2")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str | None, list[str]]]:
    """Which encoder was given which pairs; it finds every token at 0.8, at the mirrored position of the other side."""
    found: list[tuple[str | None, list[str]]] = []

    def predict(self: DiffAlign, model: Any, pairs: Sequence[PairInput], on_progress: Any = None) -> list[Result]:
        found.append((self.settings.model, [each.id for each in pairs]))
        results = []
        for each in pairs:
            n, m = len(each.a.tokens), len(each.b.tokens)
            edges = [(index, m - 1 - index) for index in range(min(n, m))]
            results.append(Result(each.id, [0.2] * n, [0.2] * m, edges, seconds=3.0))
        return results

    monkeypatch.setattr(DiffAlign, "predict", predict)
    monkeypatch.setattr(DiffAlign, "fit", lambda self, pairs, on_progress=None: None)
    monkeypatch.setattr(DiffAlign, "encoder_revisions", lambda self, pairs: ((self.settings.model, "r", 6),))
    return found


def results(chosen: Method[Any, Any], pairs: list[PairInput]) -> list[Result]:
    return chosen.predict(chosen.fit(pairs), pairs)


def test_within_english_the_packaged_encoder_reads_too(read: list[tuple[str | None, list[str]]]) -> None:
    chosen = create("default")
    model = chosen.fit([ENGLISH, MIXED])
    english, mixed = chosen.predict(model, [ENGLISH, MIXED])
    assert {name for name, _ in read} == {PACKAGED} and {tuple(ids) for _, ids in read} == {("1",)}
    assert chosen.report(model)["encoders"] == [{"model": PACKAGED, "revision": "r", "layer": 6}]
    assert english.seconds > 3 > mixed.seconds
    bare, same = results(create("default", {"encoder": "none"}), [ENGLISH, MIXED])
    assert max(english.scores_a) < max(bare.scores_a) and mixed.scores_a == same.scores_a
    assert english.edges != bare.edges


def test_without_the_packages_of_a_full_install_it_reads_without(
    read: list[tuple[str | None, list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DiffAlign, "missing_packages", classmethod(lambda cls: ["torch"]))
    with_auto = results(create("default"), [ENGLISH])
    assert (
        read == [] and with_auto[0].scores_a == results(create("default", {"encoder": "none"}), [ENGLISH])[0].scores_a
    )
    named = create("default", {"encoder": "some/encoder"})
    assert str(named.unavailable([("en", "de")])).startswith("encoders need packages that are not installed")
    assert create("default").unavailable([("en", "en")]) is None


def test_an_encoder_that_is_named_reads_every_pair(tiny: Callable[[str], str]) -> None:
    chosen = create("default", {"encoder": tiny("bert")})
    assert chosen.unavailable([("en", "de")]) is None and chosen.downloads([("en", "de")]) == []
    model = chosen.fit([ENGLISH, MIXED])
    assert [each["model"] for each in chosen.report(model)["encoders"]] == [tiny("bert")]
    found = chosen.predict(model, [ENGLISH, MIXED])
    bare = results(create("default", {"encoder": "none"}), [ENGLISH, MIXED])
    assert all(one.scores_b != other.scores_b for one, other in zip(found, bare, strict=True))
    absent = create("default", {"encoder": "nobody/has-this"})
    assert "'nobody/has-this' is not on this machine" in str(absent.unavailable([("en", "de")]))
    assert absent.downloads([("en", "de")]) == ["nobody/has-this"]


def test_learned_reads_with_it_too(read: list[tuple[str | None, list[str]]]) -> None:
    results(create("learned", {"trees": 10, "seeds": 1}), [ENGLISH])
    assert {name for name, _ in read} == {PACKAGED}


def test_the_similarity_is_the_mean_of_the_encoders_and_of_the_best() -> None:
    words = Counterparts(np.array([1.0, 0.2, 0.0]), np.array([4, 5, -1]))
    seen = Counterparts(np.array([0.6, 0.8, 0.0]), np.array([7, 8, -1]))
    found = _with_encoder(words, seen)
    assert found.similarity.tolist() == [0.8, 0.8, 0.0]
    assert found.counterpart.tolist() == [4, 8, -1]


def test_a_sentence_that_an_encoder_finds_elsewhere_has_a_counterpart() -> None:
    chosen = create("default")
    assert isinstance(chosen, default.Default)
    doc = chosen.fit([MIXED]).trained.read(pair("One thing.\nAnother matter.", "", "3", ("en", "en")))
    assert not aligned_tokens(doc)[0].any()
    n = len(doc.a)
    sims = np.where(doc.a.unit == 0, 0.7, 0.3)
    doc.encoder_counterparts = (Counterparts(sims, np.full(n, -1)), Counterparts(np.zeros(0), np.zeros(0, np.int64)))
    assert aligned_tokens(doc)[0].tolist() == (doc.a.unit == 0).tolist()
    assert counterparts_of_both(doc, 1.5)[0].similarity.tolist() == pytest.approx(sims.tolist())


@pytest.mark.data
@pytest.mark.long
@pytest.mark.takes(25)
def test_the_english_sets_are_scored_as_well_as_promised() -> None:
    truth: dict[str, list[tuple[PairInput, list[float]]]] = defaultdict(list)
    for line in published("ists", "gold_en.jsonl").read_text().splitlines():
        row = json.loads(line)
        a, b = (_split(row[f"text_{each}"]) for each in "ab")
        truth[row["subset"]].append((PairInput(row["id"], a, b), row["labels_a"] + row["labels_b"]))
    for subset, least in MIN_SCORES.items():
        half = truth[subset][::2]
        found = np.concatenate(
            [each.scores_a + each.scores_b for each in results(create("default"), [each for each, _ in half])]
        )
        gold = np.concatenate([labels for _, labels in half])
        assert 100 * spearmanr(found[gold >= 0], gold[gold >= 0]).statistic >= least, subset


def _split(text: str) -> TextSide:
    words = side(text.split())
    return TextSide("en", text, words.tokens, sentences(text, "en"))
