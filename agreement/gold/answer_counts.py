"""How often each answer is gold, in the words of the scheme, for pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from annotation.text.schemes import Scheme


def answer_counts(scheme: Scheme, counts: Mapping[str, Any]) -> list[tuple[str, list[tuple[str, int]]]]:
    """Every question with the pairs of each answer, and those without one if there are any.

    `counts` is what `Outcome.to_json` has; its questions and answers that the scheme no longer has keep their keys.
    """
    questions = {question.key: question for question in scheme.rated}
    result = []
    for key, counted in counts.get("answers", {}).items():
        question = questions.get(key)
        rows = [(question.name_of(answer) or answer if question else answer, n) for answer, n in counted.items()]
        missing = counts["pairs"] - sum(counted.values())
        result.append((question.title if question else key, [*rows, *([(_("no answer"), missing)] if missing else [])]))
    return result
