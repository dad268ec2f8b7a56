"""An NLI model: its labels, its logits, and attributions that add up."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from assist.methods.base import MethodError
from assist.methods.entailment.model import Entailment, Row, entailment_index, load
from tests.assist.methods.tiny_nli import PLANTED, WORDS, relabelled, untrained


@pytest.fixture(scope="module")
def model(tiny_nli: Callable[[], str]) -> Entailment:
    return load(tiny_nli(), None, "cpu")


def ids(model: Entailment, text: str) -> Any:
    return np.array(model.tokenizer(text, add_special_tokens=False)["input_ids"], np.int64)


def texts(count: int = 12) -> list[tuple[str, str]]:
    """Premises and hypotheses of several lengths; every second hypothesis has the planted word."""
    dice = random.Random(5)
    found = []
    for number in range(count):
        premise = dice.choices(WORDS, k=dice.randint(2, 14))
        hypothesis = dice.choices(WORDS, k=dice.randint(2, 8))
        if number % 2:
            hypothesis[dice.randrange(len(hypothesis))] = PLANTED
        found.append((" ".join(premise), " ".join(hypothesis)))
    return found


def rows(model: Entailment, count: int = 12) -> list[Row]:
    """The same as subwords."""
    return [(ids(model, premise), ids(model, hypothesis)) for premise, hypothesis in texts(count)]


def whole(model: Entailment, premise: str, hypothesis: str) -> Any:
    """The model's output for two texts, by its own tokenizer's way to join them."""
    with torch.no_grad():
        return model.model(**model.tokenizer(premise, hypothesis, return_tensors="pt"), output_hidden_states=True)


def plain(model: Entailment, text: list[int], types: list[int]) -> float:
    """The logit of 'not entailed' of an input that is given whole."""
    with torch.no_grad():
        given = {"input_ids": torch.tensor([text]), "token_type_ids": torch.tensor([types])}
        found = model.model(**given, attention_mask=torch.ones(1, len(text), dtype=torch.long)).logits[0]
    return float(np.log(np.exp(found[0].item()) + np.exp(found[2].item())))


@pytest.mark.parametrize(
    ("labels", "wanted"),
    [
        ({0: "contradiction", 1: "entailment", 2: "neutral"}, 1),
        ({0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}, 2),
        ({0: "entailment", 1: "not_entailment"}, 0),
        ({0: "non-entailment", 1: " Entailed "}, 1),
    ],
)
def test_the_label_entailment_is_read_from_the_configuration(labels: dict[int, str], wanted: int) -> None:
    assert entailment_index(labels, "m") == wanted


@pytest.mark.parametrize(
    "labels",
    [
        {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"},
        {0: "contradiction", 1: "not entailment"},
        {0: "entailment"},
        {0: "entailment", 1: "ENTAILMENT"},
        {},
    ],
)
def test_labels_without_exactly_one_entailment_are_refused(labels: dict[int, str]) -> None:
    with pytest.raises(MethodError, match=r"NLI model 'm' has the labels .*: exactly one .* called 'entailment'"):
        entailment_index(labels, "/models/m")


def test_a_model_without_the_label_is_refused(tiny_nli: Callable[[], str], tmp_path: Path) -> None:
    folder = relabelled(tiny_nli(), tmp_path / "plain", {0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2"})
    with pytest.raises(MethodError, match="'plain' has the labels LABEL_0, LABEL_1, LABEL_2"):
        load(folder, None, "cpu")


def test_what_is_no_nli_model_is_refused(tiny: Callable[[str], str], tmp_path: Path) -> None:
    with pytest.raises(MethodError, match="'bert' is not an NLI model that can be used"):
        load(tiny("bert"), None, "cpu")
    # An encoder whose configuration names the labels has no classifier either.
    named = Path(relabelled(tiny("bert"), tmp_path / "named", {0: "entailment", 1: "neutral"}))
    with pytest.raises(MethodError, match="'named' is not an NLI model"):
        load(str(named), None, "cpu")
    torch.save({}, named / "pytorch_model.bin")
    (named / "model.safetensors").unlink()
    with pytest.raises(MethodError, match="NLI model 'named' is not loaded: none of its weights are safetensors"):
        load(str(named), None, "cpu")
    with pytest.raises(MethodError, match="NLI model 'nowhere' is not on this machine"):
        load(str(tmp_path / "nowhere"), None, "cpu")


def test_a_model_without_its_classifier_is_refused(tiny_nli: Callable[[], str], tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = shutil.copytree(tiny_nli(), tmp_path / "half")
    weights = load_file(folder / "model.safetensors")
    save_file(
        {name: each for name, each in weights.items() if not name.startswith("classifier")},
        folder / "model.safetensors",
        {"format": "pt"},
    )
    with pytest.raises(MethodError, match="its files lack some of the model's weights"):
        Entailment(str(folder), None, "cpu")


def test_a_model_that_takes_no_embeddings_is_refused(
    tiny_nli: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(self: Any, *given: Any) -> Any:
        raise NotImplementedError

    monkeypatch.setattr(Entailment, "_non_entailed_of", refused)
    with pytest.raises(MethodError, match="is not an NLI model that can be used"):
        Entailment(tiny_nli(), None, "cpu")


def test_margins_are_the_log_odds_of_not_entailed(model: Entailment) -> None:
    given = rows(model)
    told: list[int] = []
    found = model.margins(given, told.append)
    for (premise, hypothesis), margin in zip(texts(), found.tolist(), strict=True):
        share = torch.softmax(whole(model, premise, hypothesis).logits[0].double(), dim=0)[1].item()
        assert margin == pytest.approx(np.log((1 - share) / share), abs=1e-3)
    assert sum(told) == len(given)
    assert [margin > 0 for margin in found.tolist()] == [bool(number % 2) for number in range(len(given))]


@pytest.mark.parametrize("baseline", ["texts", "hypothesis"])
def test_attributions_add_up_to_the_logit_less_that_of_the_baseline(model: Entailment, baseline: Any) -> None:
    given = rows(model)
    pad, (first,), (between,), (after,) = 0, *(getattr(model.template, name) for name in ("before", "between", "after"))
    for (premise, hypothesis), (of_premise, of_hypothesis) in zip(
        given, model.attributions(given, 300, baseline), strict=True
    ):
        assert (len(of_premise), len(of_hypothesis)) == (len(premise), len(hypothesis))
        types = [0] * (len(premise) + 2) + [1] * (len(hypothesis) + 1)
        text = [first, *premise.tolist(), between, *hypothesis.tolist(), after]
        kept = premise.tolist() if baseline == "hypothesis" else [pad] * len(premise)
        blank = [first, *kept, between, *[pad] * len(hypothesis), after]
        gap = plain(model, text, types) - plain(model, blank, types)
        assert of_premise.sum() + of_hypothesis.sum() == pytest.approx(gap, abs=0.02)
        if baseline == "hypothesis":
            assert np.abs(of_premise).max() == 0.0


@pytest.mark.parametrize("kind", ["xlmr", "modern", "deberta"])
@pytest.mark.long
def test_other_architectures_add_up_too(kind: str, tmp_path: Path) -> None:
    model = Entailment(untrained(tmp_path, kind), None, "cpu")
    given = [(ids(model, premise), ids(model, hypothesis)) for premise, hypothesis in texts(6)]
    given = [(premise[:14], hypothesis[:10]) for premise, hypothesis in given]
    embedding = model.model.get_input_embeddings()
    for (premise, hypothesis), found, margin in zip(
        given, model.attributions(given, 300, "texts"), model.margins(given).tolist(), strict=True
    ):
        inputs, (at,) = model._inputs([(premise, hypothesis)])
        text, rest = inputs.pop("input_ids"), list(inputs.values())
        blank = text.clone()
        first = len(model.template.before)
        blank[0, first : first + len(premise)] = blank[0, at : at + len(hypothesis)] = model.template.pad
        with torch.no_grad():
            logit, before = (float(model._non_entailed_of(embedding(each), *rest)[0]) for each in (text, blank))
            entailed = float(model.model(text, *rest[:1]).logits[0, 1])
        assert margin == pytest.approx(logit - entailed, abs=1e-3)
        assert found[0].sum() + found[1].sum() == pytest.approx(logit - before, abs=0.02)


def test_the_planted_word_gets_the_highest_attribution(model: Entailment) -> None:
    planted = ids(model, PLANTED)[0]
    given = rows(model, 40)
    for baseline in ("texts", "hypothesis"):
        for (_, hypothesis), (_, found) in zip(given, model.attributions(given, 50, baseline), strict=True):
            if planted in hypothesis:
                assert hypothesis[int(np.argmax(found))] == planted
                assert found.max() > 0


def test_a_word_that_the_premise_supports_gets_none_if_the_hypothesis_alone_is_replaced(model: Entailment) -> None:
    planted = ids(model, PLANTED)[0]
    supported = [
        (np.append(premise[:10], planted), hypothesis)
        for premise, hypothesis in rows(model, 40)
        if planted in hypothesis
    ]
    for (_, hypothesis), (_, found) in zip(supported, model.attributions(supported, 50, "hypothesis"), strict=True):
        assert abs(found[hypothesis == planted].max()) < 0.2
    both = [
        found[hypothesis == planted].max()
        for (_, hypothesis), (_, found) in zip(supported, model.attributions(supported, 50, "texts"), strict=True)
    ]
    assert max(both) > 2


def test_batches_of_any_size_give_the_same(model: Entailment, monkeypatch: pytest.MonkeyPatch) -> None:
    given = rows(model)
    margins, found = model.margins(given), model.attributions(given, 20, "texts")
    monkeypatch.setattr(model, "budget", 1)
    assert model.margins(given) == pytest.approx(margins, abs=1e-4)
    for (a, b), (c, d) in zip(found, model.attributions(given, 20, "texts"), strict=True):
        assert a == pytest.approx(c, abs=1e-4) and b == pytest.approx(d, abs=1e-4)


def test_batches_that_do_not_fit_into_memory_are_halved(model: Entailment, monkeypatch: pytest.MonkeyPatch) -> None:
    given, whole = rows(model), model.margins(rows(model))
    inputs = Entailment._inputs
    monkeypatch.setattr(model, "budget", 1000)

    def short(self: Entailment, some: Any, limit: int = 60) -> Any:
        made = inputs(self, some)
        if made[0]["input_ids"].numel() > limit:
            raise torch.OutOfMemoryError
        return made

    monkeypatch.setattr(Entailment, "_inputs", short)
    assert model.margins(given) == pytest.approx(whole, abs=1e-4)
    monkeypatch.setattr(Entailment, "_inputs", lambda self, some: short(self, some, 5))
    with pytest.raises(MethodError, match=r"inputs of \d+ subwords do not fit into the memory of cpu"):
        model.margins(given)


def test_states_are_those_of_the_hypothesis(model: Entailment) -> None:
    given, margins = rows(model), model.margins(rows(model))
    seen = set()
    for index, margin, hidden in model.states(given):
        premise, hypothesis = given[index]
        wanted = whole(model, *texts()[index]).hidden_states[-1][0, len(premise) + 2 : -1]
        assert hidden.shape == (len(hypothesis), 32)
        assert hidden == pytest.approx(wanted.numpy(), abs=1e-4)
        assert margin == pytest.approx(margins[index], abs=1e-4)
        seen.add(index)
    assert seen == set(range(len(given)))
