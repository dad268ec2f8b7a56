"""Gold as prompts and answers."""

import json
from dataclasses import replace

import pytest

from assist.methods.base import PairInput
from assist.methods.language_models.answers import read_grades, read_spans
from assist.methods.language_models.prompt import KINDS, PromptOptions, requests
from assist.methods.language_models.training import examples
from tests.assist.methods.texts import pair

NAN = float("nan")
GRADED = PromptOptions("graded", "1")


def answer(example: dict[str, list[dict[str, str]]]) -> dict[str, list[object]]:
    assert example["messages"][-1]["role"] == "assistant"
    found: dict[str, list[object]] = json.loads(example["messages"][-1]["content"])
    return found


def graded() -> PairInput:
    given = pair("Three dogs sleep.", "Zwei Hunde schlafen.")
    return replace(given, gold_a=[1.0, 0.0, 0.5, NAN], gold_b=[0.4, 0.1, NAN, NAN])


def test_a_difference_is_turned_into_a_similarity_and_punctuation_follows_the_word_before() -> None:
    (example,) = examples(graded(), GRADED)
    assert answer(example) == {
        "A": [
            {"word": "Three", "similarity": 0},
            {"word": "dogs", "similarity": 5},
            {"word": "sleep", "similarity": 2},
            {"word": ".", "similarity": 2},
        ],
        "B": [
            {"word": "Zwei", "similarity": 3},
            {"word": "Hunde", "similarity": 4},
            {"word": "schlafen", "similarity": 4},
            {"word": ".", "similarity": 4},
        ],
    }


def test_the_request_is_the_one_that_would_be_sent() -> None:
    (example,) = examples(graded(), GRADED)
    (request,) = requests(graded(), GRADED)
    assert [(each["role"], each["content"]) for each in example["messages"][:-1]] == list(request.messages)


@pytest.mark.parametrize("unit", ["document", "sentence"])
def test_the_answer_is_read_back_as_the_gold(unit: str) -> None:
    given = pair("Three dogs sleep. A cat runs.", "Zwei Hunde schlafen. Eine Katze rennt.")
    golds = [[round(index % 6 / 5, 1) for index in range(len(side.tokens))] for side in (given.a, given.b)]
    given = replace(given, gold_a=golds[0], gold_b=golds[1])
    how = PromptOptions("graded", "1", unit=unit)  # type: ignore[arg-type]
    found: dict[str, list[float]] = {"a": [], "b": []}
    for example, request in zip(examples(given, how), requests(given, how), strict=True):
        read = read_grades(example["messages"][-1]["content"], {"a": given.a, "b": given.b}, request.parts)
        assert read.counts.repaired == read.counts.padded == 0
        for part in request.parts:
            found[part.side] += read.differences[part.side]
    assert found == {"a": pytest.approx(golds[0]), "b": pytest.approx(golds[1])}


def test_spans_are_quoted_as_they_are_in_the_text() -> None:
    given = pair("Ana painted.", "Ana, a fisherman's daughter,  painted in Spain.", languages=("es", "en"))
    words = given.b.words()
    labels = [
        "new" if 2 <= index <= words.index("daughter") else "inferable" if word in ("in", "Spain") else ""
        for index, word in enumerate(words)
    ]
    given = replace(given, gold_b=[float(bool(label)) for label in labels], labels_b=labels)
    both = PromptOptions("new-inferable", "1")
    (example,) = examples(given, both)
    assert answer(example) == {"new": ["a fisherman's daughter"], "inferable": ["in Spain"]}
    (request,) = requests(given, both)
    found, counts = read_spans(example["messages"][-1]["content"], given.b, request.parts[0], KINDS["new-inferable"])
    read = {index: each.kind for each in found for index in range(*each.tokens)}
    assert read == {index: label for index, label in enumerate(labels) if label}
    assert counts.unmatched == counts.repaired == 0
    assert answer(examples(given, PromptOptions("new", "1"))[0]) == {"new": ["a fisherman's daughter"]}


def test_only_labelled_sides_are_asked_about() -> None:
    given = replace(graded(), gold_a=None)
    (example,) = examples(given, GRADED)
    assert set(answer(example)) == {"B"}
    assert examples(replace(given, gold_b=None), GRADED) == []
    assert examples(replace(graded(), gold_b=None), PromptOptions("new", "1")) == []
