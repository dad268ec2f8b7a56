"""Built-in labels and questions in the reader's language; what leads write stays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.utils.translation import override

from annotation.scheme_words import LABELS, QUESTIONS, label_name, question_text, scheme_in_words
from annotation.text.schemes import PRESETS

GRADED = PRESETS["graded"]


def test_every_built_in_word_is_listed() -> None:
    schemes = PRESETS.values()
    labels = {words for scheme in schemes for label in scheme.labels for words in (label.name, label.description)}
    asked = [question for scheme in schemes for question in scheme.questions]
    said = {choice.name for question in asked for choice in question.choices if not choice.name.isdecimal()}
    assert labels == LABELS.keys() and said | {question.text for question in asked} == QUESTIONS.keys()
    assert all(str(shown) == words for words, shown in {**LABELS, **QUESTIONS}.items())


def test_labels_are_in_the_readers_language_and_keys_stay() -> None:
    assert scheme_in_words(GRADED) == GRADED
    with override("de"):
        shown = scheme_in_words(GRADED).labels
        likert = scheme_in_words(PRESETS["likert"]).questions[0]
    assert [label.name for label in shown] == ["Minimal", "Klein", "Mittel", "Groß", "Ohne Bezug"]
    assert [label.key for label in shown] == ["1", "2", "3", "4", "5"]
    assert likert.text.startswith("Wie sehr") and likert.choices[0].name == "stimme gar nicht zu"


@pytest.mark.parametrize("change", [{"name": "Tiny"}, {"description": "As we agreed."}, {"key": "x"}])
def test_what_a_lead_wrote_stays(change: dict[str, Any]) -> None:
    first, *rest = GRADED.labels
    own = replace(first, **change)
    with override("fr"):
        shown = scheme_in_words(replace(GRADED, labels=(own, *rest))).labels
    assert shown[0] == own and shown[1].name == "Petite"


def test_answers_that_a_lead_wrote_stay_beside_built_in_ones() -> None:
    likert = PRESETS["likert"]
    question = likert.questions[0]
    first, *rest = question.choices
    own = replace(question, choices=(replace(first, name="Yes"), *rest))
    with override("de"):
        shown = scheme_in_words(replace(likert, questions=(own,))).questions[0]
        assert question_text(question.key, question.text) == shown.text != question.text
    assert shown.choices[0].name == "Yes" and shown.choices[1].name != rest[0].name


def test_labels_with_built_in_names_are_called_by_their_keys_and_all_by_names_once_a_lead_named_one() -> None:
    first, *rest = GRADED.labels
    described = replace(GRADED, labels=(replace(first, description="As we agreed."), *rest))
    assert [label_name(described, key) for key in ("1", "2", "gone")] == ["1", "2", "gone"]
    for own in (replace(first, name="Tiny"), replace(first, key="x", name="Tiny")):
        named = replace(GRADED, labels=(own, *rest))
        assert [label_name(named, key) for key in (own.key, "2", "gone")] == ["Tiny", "Small", "gone"]
        with override("fr"):
            assert [label_name(named, key) for key in (own.key, "2", "gone")] == ["Tiny", "Petite", "gone"]
