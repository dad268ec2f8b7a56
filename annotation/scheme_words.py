"""The labels and questions of built-in schemes in the reader's language; what a lead wrote stays as it is."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import get_language, pgettext_lazy

from annotation.text.schemes import PRESETS, Label, Question, Scheme

LABELS = {
    "Minimal": pgettext_lazy("label", "Minimal"),
    "A minimal, unimportant detail differs.": pgettext_lazy("label", "A minimal, unimportant detail differs."),
    "Small": pgettext_lazy("label", "Small"),
    "A small difference; the message stays.": pgettext_lazy("label", "A small difference; the message stays."),
    "Moderate": pgettext_lazy("label", "Moderate"),
    "A clear difference in part of the message.": pgettext_lazy("label", "A clear difference in part of the message."),
    "Large": pgettext_lazy("label", "Large"),
    "A large difference; little is shared.": pgettext_lazy("label", "A large difference; little is shared."),
    "Unrelated": pgettext_lazy("label", "Unrelated"),
    "No relation in meaning at all.": pgettext_lazy("label", "No relation in meaning at all."),
    "New": pgettext_lazy("label", "New"),
    "Cannot be inferred from the other text.": pgettext_lazy("label", "Cannot be inferred from the other text."),
    "Inferable": pgettext_lazy("label", "Inferable"),
    "Not said in the other text, but follows from it by reasoning or common knowledge.": pgettext_lazy(
        "label", "Not said in the other text, but follows from it by reasoning or common knowledge."
    ),
    "Connotation": pgettext_lazy("label", "Connotation"),
    "Says the same with another attitude.": pgettext_lazy("label", "Says the same with another attitude."),
    "Reference": pgettext_lazy("label", "Reference"),
    "A citation that interrupts the text.": pgettext_lazy("label", "A citation that interrupts the text."),
}
QUESTIONS = {
    "How far do you agree with the statement?": pgettext_lazy("question", "How far do you agree with the statement?"),
    "strongly disagree": pgettext_lazy("question", "strongly disagree"),
    "disagree": pgettext_lazy("question", "disagree"),
    "neutral": pgettext_lazy("question", "neutral"),
    "agree": pgettext_lazy("question", "agree"),
    "strongly agree": pgettext_lazy("question", "strongly agree"),
    "Is text B close to text A in form?": pgettext_lazy("question", "Is text B close to text A in form?"),
    "Is text B different from text A in meaning?": pgettext_lazy(
        "question", "Is text B different from text A in meaning?"
    ),
    "Is this distractor close in form and different in meaning?": pgettext_lazy(
        "question", "Is this distractor close in form and different in meaning?"
    ),
    "Yes": pgettext_lazy("question", "Yes"),
    "No": pgettext_lazy("question", "No"),
}
_LABELS = {(label.key, label.name, label.description) for scheme in PRESETS.values() for label in scheme.labels}
_LABEL_NAMES = {(key, name) for key, name, _ in _LABELS}
_QUESTIONS = {
    (question.key, question.text): {(choice.key, choice.name) for choice in question.choices}
    for scheme in PRESETS.values()
    for question in scheme.questions
}
"""The built-in questions, with their choices."""


def label_name(scheme: Scheme, key: str) -> str:
    """A label in a table. If all labels of the scheme have the names of built-in ones, each is called by its key, as in
    the papers; if a lead named one, all are called by their names, as in the workspace. One that the scheme does not
    have is called by its key.
    """
    label = next((each for each in scheme.labels if each.key == key), None)
    if label is None or all((each.key, each.name) in _LABEL_NAMES for each in scheme.labels):
        return key
    return label_in_words(label).name


def scheme_in_words(scheme: Scheme) -> Scheme:
    """A scheme as a page shows it; the keys stay."""
    if get_language() == "en":
        return scheme
    return replace(
        scheme,
        labels=tuple(label_in_words(label) for label in scheme.labels),
        questions=tuple(_question_in_words(question) for question in scheme.questions),
    )


def label_in_words(label: Label) -> Label:
    """A label as a page shows it."""
    if (label.key, label.name, label.description) not in _LABELS:
        return label
    return replace(label, name=str(LABELS[label.name]), description=str(LABELS[label.description]))


def _question_in_words(question: Question) -> Question:
    built_in = _QUESTIONS.get((question.key, question.text))
    if built_in is None:
        return question
    choices = tuple(
        replace(each, name=str(QUESTIONS.get(each.name, each.name))) if (each.key, each.name) in built_in else each
        for each in question.choices
    )
    return replace(question, text=question_text(question.key, question.text), choices=choices)


def question_text(key: str, text: str) -> str:
    """A question's text as a page shows it."""
    return str(QUESTIONS[text]) if (key, text) in _QUESTIONS else text
