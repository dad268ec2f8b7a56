"""Several encoders on rows and samples together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest

from annotation.phrases import Phrase
from assist.encoder_choice import evaluation
from assist.encoder_choice.clsd import Floats
from assist.encoder_choice.embedding import EmbeddingResult
from assist.encoder_choice.evaluation import ResourceUse, compare
from assist.encoder_choice.tables import ClsdRow, Ranked, Sample
from assist.methods.base import MethodError

ROWS = [
    ClsdRow(2, Ranked("s", "t", ("d", "e")), Ranked("s", "d", ("t", "e")), ("", "")),
    ClsdRow(3, Ranked("s", "t", ("d", "e")), Ranked("s", "t", ("d", "e")), ("", "")),
    ClsdRow(5, Ranked("s", "d", ("e", "t")), Ranked("s", "t", ("d", "e")), ("", "")),
    ClsdRow(6, Ranked("s", "t", ("d",)), Ranked("s", "t", ("e",)), ("",)),
]
SAMPLES = [Sample("s", "t", "d", "overlap")]
VECTORS: Mapping[str, Floats] = {
    text: np.array([np.cos(angle), np.sin(angle)]) for text, angle in (("s", 0.0), ("t", 0.1), ("d", 0.5), ("e", 1.0))
}


@pytest.fixture(autouse=True)
def embedded(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[str, ...]]]:
    """Embeddings without an encoder, by any name but 'missing'; what was asked for."""
    asked: list[tuple[str, tuple[str, ...]]] = []

    def embed(
        name: str, sentences: Sequence[str], device: str, on_progress: Callable[[int, int], None]
    ) -> EmbeddingResult:
        if name == "missing":
            raise MethodError(Phrase("encoder 'missing' is not on this machine"))
        asked.append((name, tuple(sentences)))
        on_progress(2, len(sentences))
        return EmbeddingResult({text: VECTORS[text] for text in sentences}, 2.0, 1000, 1, 5_000_000)

    monkeypatch.setattr(evaluation, "embed", embed)
    return asked


def test_each_encoder_embeds_each_sentence_once_for_both_tasks(embedded: list[tuple[str, tuple[str, ...]]]) -> None:
    told: list[tuple[int, int, str]] = []
    found = compare(["one", "two"], ROWS, SAMPLES, on_progress=lambda *each: told.append(each))
    asked = [(name, sorted(texts)) for name, texts in embedded]
    assert asked == [(name, ["d", "e", "s", "t"]) for name in ("one", "two")]
    assert told == [(0, 8, "one"), (2, 8, "one"), (4, 8, "two"), (6, 8, "two")]
    assert found.clsd is not None and found.compositionality is not None and found.problems == {}
    effort = found.clsd.to_json()["models"][1]["effort"]
    assert effort == {
        "parameters": 1000,
        "sentences": 4,
        "sentences_per_second": 2.0,
        "memory_mb": 5.0,
        "truncated": 1,
    }
    assert found.compositionality.to_json()["models"][0]["effort"] == effort


def test_rows_that_one_way_gets_right_come_with_their_sentences() -> None:
    found = compare(["one"], ROWS).clsd
    assert found is not None
    first, second = found.differing()
    assert (first["line"], first["nearest"]) == (2, {"one": [0, 1]}) and first["pivot"]["distractors"] == ["t", "e"]
    assert (second["line"], second["nearest"]) == (5, {"one": [2, 0]}) and second["direct"]["target"] == "d"


def test_an_encoder_that_cannot_be_used_is_told_or_skipped() -> None:
    with pytest.raises(MethodError, match="not on this machine"):
        compare(["missing", "one"], ROWS)
    found = compare(["missing", "one"], ROWS, SAMPLES, skip_problems=True)
    assert found.problems == {"missing": Phrase("encoder 'missing' is not on this machine")}
    assert found.clsd is not None and [each.model for each in found.clsd.models] == ["one"]
    assert found.compositionality is not None and [each.model for each in found.compositionality.models] == ["one"]
    none = compare(["missing"], ROWS, SAMPLES, skip_problems=True)
    assert none.clsd is not None and none.compositionality is not None and not none.compositionality.models


def test_a_task_without_rows_is_not_there_and_speed_needs_time() -> None:
    assert compare(["one"], ROWS).compositionality is None and compare(["one"], samples=SAMPLES).clsd is None
    assert ResourceUse(1, 10, 0.0, 0).speed is None
