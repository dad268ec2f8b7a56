"""Where counterparts are found, and that large and unknown texts are borne."""

import tracemalloc

import numpy as np
import pytest
from scipy import sparse

from assist.methods.base import PairInput, TextSide, create
from assist.methods.wordmodel import corpus
from assist.methods.wordmodel.corpus import vocabulary
from assist.methods.wordmodel.document import PairArrays, counterparts, document, expected
from assist.methods.wordmodel.training import SHARD, shards
from tests.assist.methods.texts import pair, parallel, side


def read(given: PairInput) -> PairArrays:
    return document(given, vocabulary([given.a]), vocabulary([given.b]), 0.4)


def test_the_nearest_of_several_is_taken_and_distance_costs() -> None:
    doc = read(pair("x dog y", "dog a b c d dog", languages=("en", "en")))
    similar = sparse.csr_matrix(np.array([[0, 0, 0, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 0]], dtype=np.float32))
    found = counterparts(doc.a, doc.b, similar, [0.0, 4.0, 0.0], 2.0)
    assert found.counterpart.tolist() == [-1, 5, -1]
    assert found.similarity.tolist() == pytest.approx([0, (1 + 1 / 20) ** -2, 0])


def test_a_counterpart_is_expected_at_the_same_place_of_its_bead() -> None:
    doc = read(pair("A b. C d. E f.", "A b c d e f. G h.", languages=("en", "en")))
    doc.beads = [(0, len(doc.a.units), 0, len(doc.b.units))]
    where, back = expected(doc)
    assert where.aligned.all() and back.aligned.all()
    size, other = len(doc.a), len(doc.b)
    assert where.at == pytest.approx((np.arange(size) + 0.5) / size * other - 0.5)


def test_what_has_no_bead_is_not_aligned() -> None:
    doc = read(pair("A dog sleeps.", "Ein Hund."))
    doc.beads = [(0, 1, 0, 0), (1, 1, 0, 1)]
    where, back = expected(doc)
    assert not where.aligned.any() and not back.aligned.any()


def test_a_date_and_an_abbreviation_end_no_sentence() -> None:
    words = ["Am", "31", ".", "12", ".", "2024", "kam", "Anna", ".", "Sie", "z", ".", "B", ".", "blieb", "dort", "."]
    text = " ".join(words)
    starts = [sum(len(word) + 1 for word in words[:index]) for index in range(len(words))]
    tokens = [(start, start + len(word)) for start, word in zip(starts, words, strict=True)]
    cut = TextSide("de", text, tokens, [(0, starts[3]), (starts[3], starts[5]), (starts[5], len(text))])
    assert corpus.sentences(cut) == [(0, 9), (9, 17)]


def test_shards_are_alike_and_keep_the_order() -> None:
    pairs = parallel(10)
    assert shards(pairs) == [pairs]
    words = SHARD // 4
    big = [
        PairInput(str(index), TextSide("en", "", [(0, 0)] * words), TextSide("de", "", [(0, 0)] * words))
        for index in range(5)
    ]
    parts = [[each.id for each in part] for part in shards(big)]
    assert [len(part) for part in parts] == [1, 2, 2]
    assert [each for part in parts for each in part] == ["0", "1", "2", "3", "4"]


@pytest.mark.long
def test_a_document_of_twenty_thousand_tokens() -> None:
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list("abcdefghijklmnop"), rng.integers(3, 9))) for _ in range(3000)]
    lines = [" ".join(rng.choice(words, 14)).capitalize() + "." for _ in range(650)]
    given = PairInput("long", side("\n".join(lines), "en"), side("\n".join(lines[:300] + lines[320:]), "de"))
    assert len(given.a.tokens) + len(given.b.tokens) > 19_000
    chosen = create("default")
    tracemalloc.start()
    (result,) = chosen.predict(chosen.fit([given]), [given])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_500_000_000
    lost = range(300 * 15, 320 * 15)
    kept = [score for at, score in enumerate(result.scores_a) if at not in lost]
    assert np.mean([result.scores_a[at] for at in lost]) > 0.7 > 0.1 > np.mean(kept)
