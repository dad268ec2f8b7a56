"""Several methods combined into one."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import rankdata, spearmanr

from annotation.settings_model import SettingError, check_web
from assist.methods.base import MethodError, PairInput, Result, create
from assist.methods.fusion import Fusion, FusionSettings, combinable
from tests.assist.methods.texts import labelled, parallel

MARKED = ["Rhine", "cold", "Rhein", "kalt"]


def fusion(tiny: Callable[[str], str], **settings: Any) -> Fusion:
    made = create("fusion", {"model": tiny("bert"), **settings})
    assert isinstance(made, Fusion)
    return made


def known(count: int = 24) -> list[PairInput]:
    return [labelled(each, MARKED) for each in parallel(count, lost=[3, 5])]


def alone(name: str, pairs: list[PairInput], **settings: Any) -> list[Result]:
    part = create(name, settings)
    return part.predict(part.fit(pairs), pairs)


def flat(results: list[Result]) -> list[float]:
    return [score for each in results for score in (*each.scores_a, *each.scores_b)]


def test_a_score_is_the_mean_of_the_parts_ranks(tiny: Callable[[str], str]) -> None:
    pairs, chosen = known(), fusion(tiny, methods="diffalign simalign-argmax")
    results = chosen.predict(chosen.fit(pairs), pairs)
    parts = [flat(alone(name, pairs, model=tiny("bert"))) for name in ("diffalign", "simalign-argmax")]
    # The share of all scores below each, ties at their first: to a thousandth, as ranks are kept by quantiles.
    wanted = np.mean([(rankdata(part, "min") - 1) / (len(part) - 1) for part in parts], axis=0)
    assert flat(results) == pytest.approx(wanted.tolist(), abs=0.01)


def test_the_parts_figures_stand_beside_that_of_all(tiny: Callable[[str], str]) -> None:
    pairs, chosen = known(), fusion(tiny)
    model = chosen.fit(pairs)
    report = chosen.report(model)
    gold = [value for pair in pairs for value in (*(pair.gold_a or ()), *(pair.gold_b or ()))]
    assert report["documents"] == 24 and report["metric"] == "spearman"
    assert [each["method"].split(".")[0] for each in report["parts"]] == ["default", "diffalign"]
    for each, name in zip(report["parts"], ("default", "diffalign"), strict=True):
        own = alone(name, pairs, **({"model": tiny("bert")} if name == "diffalign" else {}))
        assert each["score"] == pytest.approx(spearmanr(gold, flat(own)).statistic, abs=0.005)
    found = flat(chosen.predict(model, pairs))
    assert report["fusion"] == pytest.approx(spearmanr(gold, found).statistic, abs=1e-9)


def test_without_labels_there_are_no_figures(tiny: Callable[[str], str]) -> None:
    chosen = fusion(tiny)
    report = chosen.report(chosen.fit(parallel(12)))
    assert report["documents"] == 0 and "fusion" not in report
    assert all(set(each) == {"method"} for each in report["parts"])


@pytest.mark.long
@pytest.mark.takes(28)
@pytest.mark.parametrize("target", ["graded", "new"])
def test_trees_learn_from_the_parts_scores(tiny: Callable[[str], str], target: str) -> None:
    pairs = known(24)
    # A part that knows the answer: the trees follow it.
    chosen = fusion(tiny, methods="diffalign", combine="trees", target=target)
    model = chosen.fit(pairs)
    assert model.trees is not None
    rows = chosen.trees.ranks[pairs[0].id]
    assert rows.shape == (len(pairs[0].a.tokens) + len(pairs[0].b.tokens), 1)
    report = chosen.report(model)
    assert 0 <= report["fusion"] <= 1 and report["metric"] == ("spearman" if target == "graded" else "f1")
    results = chosen.predict(model, pairs)
    plain = alone("learned", pairs, target=target)
    assert flat(results) != flat(plain)


def test_edges_and_reasons_are_those_of_the_first_part_that_has_any(tiny: Callable[[str], str]) -> None:
    pairs, chosen = known(), fusion(tiny, methods="default diffalign")
    results = chosen.predict(chosen.fit(pairs), pairs)
    default = alone("default", pairs)
    assert [each.edges for each in results] == [each.edges for each in default]
    assert any(each.edges for each in results)


def test_the_parts_get_the_settings_that_they_have(tiny: Callable[[str], str]) -> None:
    chosen = fusion(tiny, methods="default learned diffalign", target="new")
    assert [part.settings.model_dump().get("target") for part in chosen.parts] == ["new", "new", None]
    assert [part.settings.model_dump().get("model") for part in chosen.parts] == [None, None, tiny("bert")]
    # An NLI model is no encoder.
    judging = fusion(tiny, methods="diffalign nli")
    assert [part.settings.model_dump()["model"] for part in judging.parts] == [tiny("bert"), None]


@pytest.mark.parametrize(
    ("methods", "combine"),
    [
        ("default", "ranks"),
        ("", "trees"),
        ("default default", "ranks"),
        ("default nothing", "ranks"),
        ("default fusion", "ranks"),
        ("default translate", "ranks"),
        ("learned", "trees"),
        ("default.v5 diffalign", "ranks"),
    ],
)
def test_what_cannot_be_combined_is_refused_with_what_can(methods: str, combine: str) -> None:
    with pytest.raises(SettingError, match=r"at least two.*diffalign"):
        FusionSettings.read({"methods": methods, "combine": combine})
    with pytest.raises(MethodError, match="“methods”"):
        create("fusion", {"methods": methods, "combine": combine})


def test_what_can_be_combined() -> None:
    assert {"default", "learned", "diffalign", "simalign-argmax", "finetuned"} <= set(combinable("ranks"))
    assert not {"fusion", "translate", "llm"} & set(combinable("ranks"))
    assert not {"default", "learned"} & set(combinable("trees"))


def test_an_nli_model_and_a_trained_encoder_are_named_for_the_parts_that_use_one() -> None:
    given = {"nli_model": "ours", "nli_languages": "en de", "trained": "saved", "model": "encoder"}
    made = create("fusion", {"methods": "nli finetuned diffalign", **given})
    assert isinstance(made, Fusion)
    nli, finetuned, diffalign = (part.settings.model_dump() for part in made.parts)
    assert (nli["model"], nli["languages"]) == ("ours", "en de")
    assert (finetuned["model"], finetuned["trained"]) == ("encoder", "saved")
    assert diffalign["model"] == "encoder"
    with pytest.raises(MethodError, match="must be codes of languages"):
        create("fusion", {"nli_languages": ""})
    for name in ("nli_model", "trained"):
        with pytest.raises(SettingError, match=f"“{name}” must be a name"):
            check_web(Fusion.Settings.read({name: "/etc"}))


def test_over_the_web_the_parts_encoder_is_a_name() -> None:
    with pytest.raises(SettingError, match="path"):
        check_web(FusionSettings.read({"model": "/etc/passwd"}))
