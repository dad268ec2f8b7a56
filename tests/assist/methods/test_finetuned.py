"""The fine-tuned encoder as a method: folds, learning rates, what is used while labels are too few."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from assist.methods import finetuned
from assist.methods.base import MethodError, PairInput, create
from assist.methods.finetuned import RATES, Finetuned, FinetunedModel
from assist.methods.joint.saved import About, TrainedEncoder, save
from assist.methods.joint.training import Joint
from assist.methods.wordmodel import folds
from tests.assist.methods.tiny import PIECES, side

MARKED = ("water", "city")


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Threads cost more than they gain with tiny encoders."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def documents(count: int, seed: int = 1, **more: Any) -> list[PairInput]:
    """Pairs of five words and a number word each, in which exactly two words differ; no two share a sentence."""
    dice = random.Random(seed)
    words = [piece for piece in PIECES if piece.isalpha() and len(piece) > 2]
    pairs = []
    for number in range(count):
        a, b = ([*dice.choices(words, k=5), f"n{seed}x{number}{name}", "."] for name in "ab")
        golds = [[float(word in MARKED) for word in text] for text in (a, b)]
        pairs.append(PairInput(f"p{number}", side(a), side(b), golds[0], golds[1], **more))
    return pairs


def method(tiny: Callable[[str], str], **settings: Any) -> Finetuned:
    usual = {"model": tiny("untrained"), "least": 10, "folds": 3, "epochs": 8, "rate": 0.005, "batch": 8, "joined": 1}
    made = create("finetuned", usual | settings)
    assert isinstance(made, Finetuned)
    return made


def apart(pairs: list[PairInput], scores: list[tuple[list[float], list[float]]]) -> float:
    """How much higher marked words score than others."""
    found = np.concatenate([np.concatenate(each) for each in scores])
    gold = np.concatenate([np.array([word in MARKED for word in (*p.a.words(), *p.b.words())]) for p in pairs])
    return float(found[gold].mean() - found[~gold].mean())


def test_what_people_marked_is_learned_and_found_in_documents_that_were_not_seen(tiny: Callable[[str], str]) -> None:
    chosen, known, other = method(tiny), documents(60), documents(20, seed=2)
    other = [replace(pair, gold_a=None, gold_b=None) for pair in other]
    model = chosen.fit([*known, *other])
    results = chosen.predict(model, [*known, *other])
    assert apart(known, [(each.scores_a, each.scores_b) for each in results[:60]]) > 0.5
    assert apart(other, [(each.scores_a, each.scores_b) for each in results[60:]]) > 0.5
    words = [
        pair.a.words()[index]
        for pair, result in zip(known, results, strict=False)
        for proposal in result.proposals
        for low, high in proposal.a
        for index in range(low, high)
    ]
    assert len(words) > 10 and sum(word in MARKED for word in words) > 0.9 * len(words)
    report = chosen.report(model)
    assert report["documents"] == 60 and len(report["folds"]) == 3
    assert all(each["rate"] == 0.005 and 1 <= each["epochs"] <= 8 and each["loss"] > 0 for each in report["folds"])


def test_a_labelled_document_is_scored_by_the_fold_that_has_not_seen_it(
    tiny: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[set[int]] = []
    train = Joint.train

    def watched(self: Any, documents: Any, dev: Any, *rest: Any) -> Any:
        seen.append({int(ids[-2]) for each in (*documents, *dev) for ids, _ in (*each.a, *each.b)})
        return train(self, documents, dev, *rest)

    monkeypatch.setattr(Joint, "train", watched)
    chosen, known = method(tiny, epochs=1), documents(24)
    model = chosen.fit(known)
    joint = chosen._joint(model)
    texts = finetuned._read(joint, known)
    of_fold = [folds.own_fold(model.fold_of, pair) for pair in known]
    assert set(of_fold) == {0, 1, 2}
    for pair, text, fold, result in zip(known, texts, of_fold, chosen.predict(model, known), strict=True):
        assert fold is not None
        joint.set_weights(model.weights[fold])
        ((a, b),) = joint.scores([text], lambda *_: None)
        assert [*result.scores_a, *result.scores_b] == pytest.approx([*a.tolist(), *b.tolist()]), pair.id
    others = [replace(pair, gold_a=None, gold_b=None) for pair in documents(3, seed=5)]
    each = []
    for weights in model.weights:
        joint.set_weights(weights)
        each.append([a for a, _ in joint.scores(finetuned._read(joint, others), lambda *_: None)])
    for number, result in enumerate(chosen.predict(model, others)):
        assert result.scores_a == pytest.approx(np.mean([scores[number] for scores in each], axis=0).tolist())


def test_documents_that_share_a_sentence_share_a_fold(tiny: Callable[[str], str]) -> None:
    known = documents(24)
    copied = [
        replace(known[index + 12], a=side([*known[index].a.words(), *known[index + 12].a.words()]), gold_a=None)
        for index in range(12)
    ]
    model = method(tiny, epochs=1).fit([*known[:12], *copied])
    for one, other in zip(known[:12], copied, strict=True):
        assert folds.own_fold(model.fold_of, one) == folds.own_fold(model.fold_of, other) is not None


def test_nothing_is_learned_from_test_documents(tiny: Callable[[str], str]) -> None:
    known = documents(20)
    tests = [replace(pair, gold_a=[1.0] * 7, gold_b=[1.0] * 7) for pair in documents(20, seed=3, split="test")]
    chosen = method(tiny, epochs=2)
    alone, both = chosen.fit(known), chosen.fit([*known, *tests])
    assert both.documents == 20
    for one, other in zip(alone.weights, both.weights, strict=True):
        assert all((one[key] == other[key]).all() for key in one)


def test_while_labels_are_too_few_diffalign_is_used(tiny: Callable[[str], str]) -> None:
    chosen, plain = method(tiny), create("diffalign", {"model": tiny("untrained")})
    same = [replace(pair, gold_a=[0.0] * 7, gold_b=[0.0] * 7) for pair in documents(20)]
    one_group = [replace(pair, a=documents(1)[0].a, gold_a=None) for pair in documents(20)]
    for known in (documents(9), same, one_group):
        model = chosen.fit(known)
        assert isinstance(model, FinetunedModel) and not model.weights
        wanted = plain.predict(plain.fit(known), known)
        assert [each.scores_a for each in chosen.predict(model, known)] == [each.scores_a for each in wanted]
        assert chosen.report(model)["training"].startswith("not trained:")


def test_the_learning_rate_with_the_smallest_validation_loss_is_taken(tiny: Callable[[str], str]) -> None:
    chosen = method(tiny, rate=None, epochs=2, folds=2)
    known = documents(24)
    model = chosen.fit(known)
    assert set(model.rates) <= set(RATES)
    single = [method(tiny, rate=rate, epochs=2, folds=2).fit(known) for rate in RATES]
    for fold, loss in enumerate(model.losses):
        assert loss == min(each.losses[fold] for each in single)


def test_progress_rises_to_the_end_and_may_stop_the_work(tiny: Callable[[str], str]) -> None:
    told: list[float] = []
    method(tiny, epochs=2).fit(documents(24), lambda done, total, what: told.append(done / total))
    assert told == sorted(told) and told[-1] == 1

    def stop(done: int, total: int, what: str) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        method(tiny).fit(documents(24), stop)


def test_a_rate_that_breaks_the_encoder_is_named(tiny: Callable[[str], str]) -> None:
    with pytest.raises(MethodError, match="smaller learning rate"):
        broken = documents(24)
        finetuned._load_joint.cache_clear()
        joint = method(tiny)._load(tiny("untrained"), None, False)
        joint._first = {key: torch.full_like(each, float("nan")) for key, each in joint._first.items()}
        try:
            method(tiny).fit(broken)
        finally:
            finetuned._load_joint.cache_clear()


def saved_folder(model: FinetunedModel, folder: Path, **more: Any) -> str:
    about = About(
        encoder=Path(model.encoder).name,
        revision=model.revision,
        lora=model.lora,
        embeddings=model.embeddings,
        target="graded",
        documents=model.documents,
        folds=len(model.weights),
        fold_of=model.fold_of,
    )
    save(folder, TrainedEncoder(about.model_copy(update=more), model.weights), "")
    return str(folder)


@pytest.mark.parametrize("lora", (None, 2))
def test_what_was_trained_is_used_elsewhere_by_the_fold_that_has_not_seen_a_document(
    tiny: Callable[[str], str], tmp_path: Path, lora: int | None
) -> None:
    chosen, known = method(tiny, epochs=2, lora=lora), documents(24)
    others = [replace(pair, gold_a=None, gold_b=None) for pair in documents(4, seed=5)]
    model = chosen.fit(known)
    folder = saved_folder(model, tmp_path / "mine")
    again = create("finetuned", {"trained": folder, "model": tiny("untrained"), "threshold": "0.25"})
    read = again.fit(others)
    assert (read.documents, read.bars.threshold, read.losses) == (24, 0.25, ())
    for one, other in zip(
        chosen.predict(model, [*known, *others]), again.predict(read, [*known, *others]), strict=True
    ):
        assert one.scores_a == pytest.approx(other.scores_a) and one.scores_b == pytest.approx(other.scores_b)
    assert again.report(read)["trained"] == folder and again.report(read)["folds"] == []


def test_a_folder_that_does_not_fit_is_refused(
    tiny: Callable[[str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIPTYCH_MODELS", str(Path(tiny("bert")).parent))
    model = method(tiny, epochs=1).fit(documents(24))
    for name, more, why in (
        ("target", {"target": "new"}, "ranks the target 'new'"),
        ("version", {"revision": "other"}, "belongs to another version of encoder 'untrained'"),
        ("adapters", {"lora": 3}, "belongs to another version of encoder 'untrained'"),
        ("encoder", {"encoder": "bert"}, "belongs to another version of encoder 'bert'"),
    ):
        folder = saved_folder(model, tmp_path / name, **more)
        with pytest.raises(MethodError, match=why):
            create("finetuned", {"trained": folder}).fit(documents(4))
    gone = create("finetuned", {"trained": str(tmp_path / "gone")})
    reason = gone.unavailable([("en", "en")])
    assert reason and "trained encoder 'gone' is not on this machine" in reason.text()
    assert gone.downloads([("en", "en")]) == []
