"""Training and scoring of joint inputs, with tiny encoders."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from assist.methods.base import TextSide
from assist.methods.encoder.subwords import Subwords, read
from assist.methods.joint.examples import Example, ExampleCounts, sentences
from assist.methods.joint.training import BUDGET, Joint, TrainingPlan, TrainingRow
from tests.assist.methods.tiny import nonsense, side

PLAIN = ExampleCounts(permutations=0, joined=1, negatives=0.0)


def silent(done: int, total: int, what: str) -> None:
    assert 0 <= done <= total and what


def texts(joint: Joint, pairs: list[tuple[TextSide, TextSide]]) -> list[tuple[Subwords, Subwords]]:
    found = read(joint.tokenizer, [side for pair in pairs for side in pair], "sentence", "text")
    return list(zip(found[::2], found[1::2], strict=True))


def planted(count: int, seed: int) -> tuple[list[tuple[TextSide, TextSide]], list[tuple[list[float], list[float]]]]:
    """Pairs in which exactly 'water' and 'city' differ, on either side."""
    pairs = [(side(a, per_sentence=3), side(b, per_sentence=3)) for a, b in nonsense(count, 8, seed)]
    golds = [tuple([float(word in ("water", "city")) for word in each.words()] for each in pair) for pair in pairs]
    return pairs, golds  # type: ignore[return-value]


def examples(joint: Joint, count: int, seed: int) -> list[Example]:
    pairs, golds = planted(count, seed)
    return [
        Example(sentences(a, of_a), sentences(b, of_b))
        for (a, b), (of_a, of_b) in zip(texts(joint, pairs), golds, strict=True)
    ]


@pytest.mark.parametrize(
    ("kind", "lora"),
    [
        ("untrained", None),
        *(pytest.param(*each, marks=pytest.mark.long) for each in (("untrained", 4), ("modern", None))),
    ],
)
def test_a_planted_pattern_is_learned(tiny: Callable[[str], str], kind: str, lora: int | None) -> None:
    joint = Joint(tiny(kind), None, "cpu", lora, embeddings=False)
    outcome = joint.train(examples(joint, 120, 1), examples(joint, 20, 2), TrainingPlan(12, 8, PLAIN, 0), 0.005, silent)
    joint.set_weights(outcome.weights)
    pairs, golds = planted(30, 3)
    found = np.concatenate([np.concatenate(each) for each in joint.scores(texts(joint, pairs), silent)])
    wanted = np.concatenate([np.concatenate(each) for each in golds])
    assert np.mean(found[wanted == 1]) > np.mean(found[wanted == 0]) + 0.5
    assert 1 <= outcome.epoch <= 12 and 0 < outcome.loss < 0.4


def test_the_loss_is_the_mean_over_known_subwords_with_either_text_first(
    tiny: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A processor with instructions for bfloat16 computes with three digits.
    monkeypatch.setattr("assist.methods.joint.training.cpu_precision", lambda **_: "float32")
    joint = Joint(tiny("bert"), None, "cpu", None, embeddings=True)
    joint.reset(0.3)
    with torch.no_grad():
        joint.head.weight.normal_(generator=torch.Generator().manual_seed(1))
    a, b = np.array([5, 6, 7]), np.array([8, 9])
    piece = TrainingRow(a, b, np.array([1.0, np.nan, 0.4]), np.array([0.0, np.nan]))
    other = TrainingRow(b, a, np.array([np.nan, 0.8]), np.array([np.nan] * 3))
    cls, sep = joint.template.before[0], joint.template.after[0]
    lost = []
    for first, second, values in (
        (a, b, [1.0, None, 0.4, None, 0.0, None]),
        (b, a, [0.0, None, None, 1.0, None, 0.4]),
        (b, a, [None, 0.8, None, None, None, None]),
        (a, b, [None, None, None, None, None, 0.8]),
    ):
        ids = torch.tensor([[cls, *first, sep, *second, sep]])
        types = torch.tensor([[0] * (len(first) + 2) + [1] * (len(second) + 1)])
        with torch.no_grad():
            hidden = joint.encoder(input_ids=ids, token_type_ids=types).last_hidden_state
            chance = torch.sigmoid(joint.head(hidden))[0, 1:-1, 0].detach().numpy()
        lost += [
            -(value * np.log(p) + (1 - value) * np.log(1 - p))
            for value, p in zip(values, chance, strict=True)
            if value is not None
        ]
    assert len(lost) == 8
    assert joint.loss([piece, other]) == pytest.approx(float(np.mean(lost)), abs=1e-5)


def test_a_score_is_the_mean_of_both_orders_and_of_a_words_subwords(tiny: Callable[[str], str]) -> None:
    joint = Joint(tiny("bert"), None, "cpu", None, embeddings=False)
    joint.reset(0.5)
    with torch.no_grad():
        joint.head.weight.normal_(generator=torch.Generator().manual_seed(2))
    given = [(side(["runs", "dogs", "\u200b"]), side(["cat"])), (side([]), side(["the"])), (side([]), side([]))]
    read_texts = texts(joint, given)
    found = joint.scores(read_texts, silent)
    assert [(len(a), len(b)) for a, b in found] == [(3, 1), (0, 1), (0, 0)]
    (a, b), *_ = read_texts
    with torch.inference_mode():
        by_hand = [next(joint._values([(a.ids, b.ids)], turned)) for turned in (False, True)]
    mean_a, mean_b = (by_hand[0][at] + by_hand[1][at] for at in (0, 1))
    pieces = [[int(unit) for unit, word in zip(a.owned, a.owner, strict=True) if word == each] for each in range(3)]
    assert found[0][0] == pytest.approx([mean_a[each].mean() / 2 if each else 0.0 for each in pieces], abs=1e-6)
    assert found[0][1] == pytest.approx(mean_b / 2, abs=1e-6)


@pytest.mark.long
def test_long_texts_are_scored_to_the_last_word(tiny: Callable[[str], str]) -> None:
    joint = Joint(tiny("untrained"), None, "cpu", None, embeddings=False)
    pairs, golds = planted(120, 5)
    learned = joint.train(examples(joint, 120, 1), [], TrainingPlan(12, 8, PLAIN, 0), 0.005, silent)
    joint.set_weights(learned.weights)
    assert learned.epoch == 12 and np.isnan(learned.loss)
    words = [word for pair in pairs for word in pair[0].words()]
    long = side(words, per_sentence=5)
    ((a, b),) = joint.scores(texts(joint, [(long, long)]), silent)
    wanted = np.array([gold for each in golds for gold in each[0]])
    assert len(a) == len(b) == len(words) > 10 * joint.template.limit
    for found in (a, b):
        assert found[wanted == 1].mean() > found[wanted == 0].mean() + 0.4
        assert found[-50:][wanted[-50:] == 1].mean() > found[-50:][wanted[-50:] == 0].mean() + 0.4


def test_training_is_repeatable_and_leaves_no_trace_in_torch(tiny: Callable[[str], str]) -> None:
    course = TrainingPlan(2, 4, ExampleCounts(1, 3, 0.2), 7)
    state = torch.random.get_rng_state()
    found = []
    for _ in range(2):
        joint = Joint(tiny("bert"), None, "cpu", None, embeddings=False)
        found.append(joint.train(examples(joint, 12, 1), examples(joint, 4, 2), course, 0.001, silent))
        # A joint encoder that was trained before starts from the same weights.
        again = joint.train(examples(joint, 12, 1), examples(joint, 4, 2), course, 0.001, silent)
        assert all((again.weights[key] == found[0].weights[key]).all() for key in again.weights)
    assert found[0].loss == found[1].loss
    assert (torch.random.get_rng_state() == state).all()


def test_what_is_trained(tiny: Callable[[str], str]) -> None:
    plain, whole, adapted = (
        set(Joint(tiny("bert"), None, "cpu", lora, embeddings).trained)
        for lora, embeddings in ((None, False), (None, True), (2, False))
    )
    assert whole - plain == {"encoder.embeddings.word_embeddings.weight"}
    assert all("lora_" in name or name.startswith("head") for name in adapted) and len(adapted) > 2


@pytest.mark.parametrize("patience", [1, 3])
def test_training_stops_after_epochs_that_are_no_better(tiny: Callable[[str], str], patience: int) -> None:
    joint = Joint(tiny("untrained"), None, "cpu", None, embeddings=False)
    # The validation documents say the opposite: the first epoch is the best.
    opposite = [
        Example(*(tuple((ids, 1 - values) for ids, values in each) for each in (example.a, example.b)))
        for example in examples(joint, 10, 2)
    ]
    steps: list[int] = []
    outcome = joint.train(
        examples(joint, 40, 1),
        opposite,
        TrainingPlan(20, 8, PLAIN, 0, patience),
        0.005,
        lambda done, total, what: steps.append(done),
    )
    assert outcome.epoch < 20 - patience and steps[-1] == 5 * (outcome.epoch + patience)


def test_a_cancelled_training_ends_within_a_step_and_within_validation(
    tiny: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step of many rows is computed in parts: a run that is cancelled is told after each."""
    monkeypatch.setitem(BUDGET, "cpu", 40)
    joint = Joint(tiny("untrained"), None, "cpu", None, embeddings=False)
    known, checked = examples(joint, 40, 1), examples(joint, 40, 2)

    class Cancelled(Exception):
        pass

    def until(calls: int) -> list[int]:
        said: list[int] = []

        def on_progress(done: int, total: int, what: str) -> None:
            said.append(done)
            if len(said) == calls:
                raise Cancelled

        with pytest.raises(Cancelled):
            joint.train(known, checked, TrainingPlan(1, 1024, PLAIN, 0), 0.001, on_progress)
        return said

    assert until(3) == [0, 0, 0], "within the only step"
    whole: list[int] = []
    joint.train(known, checked, TrainingPlan(1, 1024, PLAIN, 0), 0.001, lambda done, total, what: whole.append(done))
    after = whole.count(1)
    assert after > 3 and until(whole.count(0) + 3) == [0] * whole.count(0) + [1, 1, 1], "within validation"
