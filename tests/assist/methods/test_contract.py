"""What holds of every registered method, whatever it does inside."""

import json
import math
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from assist.methods.base import Method, MethodError, PairInput, Result, TextSide, create, methods
from tests.assist.methods.texts import ENGLISH, GERMAN, labelled, named, pair, parallel, side
from tests.llm_server import LlmServer

METHODS = [cls.slug() for cls in methods() if cls.__module__.startswith("assist.methods.")]

EMPTY = TextSide("de", "", [], [], [])
ODD = [
    PairInput("empty", EMPTY, EMPTY),
    PairInput("one side", side("Only here.", "en"), EMPTY),
    PairInput("other side", EMPTY, side("Nur hier.", "de")),
    pair("!", "…", "marks"),
    pair("dog", "Hund", "one word"),
    pair("The 🐕 sees\nthe dog.", "हिन्दी में एक वाक्य। और एक।", "scripts", ("en", "hi")),
    pair("A dog.", "一只狗。地球科學是一門學科。", "chinese", ("en", "zh")),
    pair("A dog.", "כלב גדול", "unknown", ("en", "xx-Hebr")),
    PairInput("no sentences", TextSide("en", "A dog sleeps.", [(0, 1), (2, 5), (6, 12)]), side("Ein Hund.", "de")),
    PairInput("no words", TextSide("en", "\u200b \u200b", [(0, 1), (2, 3)]), side("Ein Hund.", "de")),
]


LABELS = {"2", "5"}
WORDS = {"Rhine": ("5", 1.0), "Rhein": ("5", 1.0), "cold": ("2", 0.4), "kalt": ("2", 0.4)}


@pytest.fixture(params=METHODS)
def chosen(
    request: pytest.FixtureRequest,
    tiny: Callable[[str], str],
    tiny_marian: Callable[..., str],
    tiny_nli: Callable[[], str],
    language_model: LlmServer,
) -> Method[Any, Any]:
    """The method, with a tiny model where it takes one and little work where it can be told."""
    fields = create(request.param).settings.model_dump()
    if create(request.param).gives == "translations":
        model = tiny_marian()
    elif "languages" in fields:
        model = tiny_nli()
    else:
        model = tiny("bert") if "model" in fields else ""
    small = {"model": model, "languages": "any", "steps": 8, "trees": 10, "seeds": 1, "least": 5, "beams": 1}
    small |= {"rate": 0.001, "epochs": 1}
    return create(request.param, {key: value for key, value in small.items() if key in fields})


def work(chosen: Method[Any, Any], pairs: list[PairInput]) -> list[Result]:
    return chosen.predict(chosen.fit(pairs), pairs)


def gold() -> list[PairInput]:
    return [labelled(each, ["Rhine", "cold", "Rhein", "kalt"]) for each in parallel(12, lost=[3, 5])]


def check(given: PairInput, result: Result, chosen: Method[Any, Any]) -> None:
    assert result.id == given.id
    sizes = len(given.a.tokens), len(given.b.tokens)
    if chosen.gives == "translations":
        assert (result.scores_a, result.scores_b, result.edges, result.proposals) == ([], [], [], [])
        same = given.a.language == given.b.language
        wanted = {name for name, side in (("a", given.a), ("b", given.b)) if side.text.strip() and not same}
        assert set(result.translations) == wanted
    else:
        assert (len(result.scores_a), len(result.scores_b)) == sizes
        assert result.translations == {}
    assert all(type(score) is float and 0 <= score <= 1 for score in result.scores_a + result.scores_b)
    assert all(0 <= i < sizes[0] and 0 <= j < sizes[1] for i, j in result.edges)
    assert result.edges == sorted(set(result.edges))
    for proposal in result.proposals:
        assert 0 <= proposal.score <= 1 and (proposal.a or proposal.b)
        for ranges, size in ((proposal.a, sizes[0]), (proposal.b, sizes[1])):
            assert all(0 <= start < end <= size for start, end in ranges)
        assert proposal.label in {"", *LABELS}
    for name, labels in result.labels.items():
        assert len(labels) == sizes["ab".index(name)] and set(labels) <= {"", *LABELS}
    assert result.seconds >= 0
    json.dumps([result.scores_a, result.scores_b, result.edges, result.labels], allow_nan=False)


@pytest.mark.long
def test_every_token_of_every_pair_has_a_score(chosen: Method[Any, Any]) -> None:
    pairs = gold() + ODD
    results = work(chosen, pairs)
    assert len(results) == len(pairs)
    for given, result in zip(pairs, results, strict=True):
        check(given, result, chosen)


@pytest.mark.long
def test_a_method_names_no_labels_but_those_that_people_gave(chosen: Method[Any, Any]) -> None:
    pairs = [named(each, WORDS) for each in parallel(24, lost=[3, 5])] + ODD
    results = work(chosen, pairs)
    for given, result in zip(pairs, results, strict=True):
        check(given, result, chosen)
    # All or none: what is evaluated is what a method says of a whole project.
    assert len({tuple(result.labels) for result in results}) == 1


def test_one_pair_is_enough_and_none_is_nothing(chosen: Method[Any, Any]) -> None:
    for given in ODD:
        (result,) = work(chosen, [given])
        check(given, result, chosen)
    assert work(chosen, []) == []


@pytest.mark.long
def test_a_pair_that_was_not_fitted_is_scored(chosen: Method[Any, Any]) -> None:
    model = chosen.fit(gold())
    strangers = [pair("The cat is small.", "Die Katze ist klein.", "new"), *ODD]
    for given, result in zip(strangers, chosen.predict(model, strangers), strict=True):
        check(given, result, chosen)


@pytest.mark.long
def test_the_same_again_gives_the_same_and_a_model_survives_a_file(chosen: Method[Any, Any]) -> None:
    pairs = gold()
    model = chosen.fit(pairs)
    once = chosen.predict(model, pairs)
    again = chosen.predict(pickle.loads(pickle.dumps(model)), pairs)
    anew = work(create(chosen.slug(), chosen.settings.model_dump()), pairs)
    for one, other, third in zip(once, again, anew, strict=True):
        assert (one.scores_a, one.scores_b, one.edges) == (other.scores_a, other.scores_b, other.edges)
        assert (one.scores_a, one.scores_b, one.edges) == (third.scores_a, third.scores_b, third.edges)


@pytest.mark.long
def test_progress_is_told_and_may_end_the_work(chosen: Method[Any, Any]) -> None:
    pairs, told = gold(), []
    model = chosen.fit(pairs)
    chosen.predict(model, pairs, lambda done, total, what: told.append((done, total, what)))
    assert told and all(0 < done <= total and what for done, total, what in told)

    def stop(done: int, total: int, what: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        chosen.predict(model, pairs, stop)


@pytest.mark.long
def test_settings_go_through_json_and_a_report_does(chosen: Method[Any, Any]) -> None:
    values = json.loads(json.dumps(chosen.settings.model_dump()))
    assert chosen.Settings.read(values) == chosen.settings
    json.dumps(chosen.report(chosen.fit(gold())), allow_nan=False)


def test_an_unknown_setting_is_refused(chosen: Method[Any, Any]) -> None:
    with pytest.raises(MethodError, match="nonsense"):
        create(chosen.slug(), {"nonsense": "1"})


def test_what_is_unlike_scores_higher_than_what_is_the_same(chosen: Method[Any, Any]) -> None:
    if "model" in chosen.settings.model_dump() or not chosen.scores_differences:
        pytest.skip("a random model, or a baseline, knows no likeness")
    pairs = parallel(16)
    extra = pair(f"{ENGLISH[0]} Parliament rejected the agreement. {ENGLISH[3]}", f"{GERMAN[0]} {GERMAN[3]}", "extra")
    result = work(chosen, [*pairs, extra])[-1]
    words = extra.a.words()
    inside = range(words.index("Parliament"), words.index("agreement") + 1)
    new = [result.scores_a[at] for at in inside]
    old = [result.scores_a[words.index(word)] for word in ("house", "Bern", "garden", "sleeps")]
    assert min(new) > max(old)
    assert any(start <= inside[0] and inside[-1] < end for each in result.proposals for start, end in each.a)
    assert not math.isclose(min(new), max(old))
