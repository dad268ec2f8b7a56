"""A language model's cost and rates as rows of a table, in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _

from annotation.display_names import format_count
from annotation.templatetags.diptych import amount, percentage
from assist.runs.llm_costs import AnswerTotals

_ROUNDING = 1e-6


def answer_rows(answers: AnswerTotals) -> list[tuple[str, str, str]]:
    """A run's cost and rates for its page: title, figure, and what it is counted from ('' for nothing)."""
    counts, reserved = answers.counts, answers.reserved > _ROUNDING
    rows = [
        (_("Spent"), amount(answers.spent), ""),
        *([(_("Reserved for requests without an answer"), amount(answers.reserved), "")] if reserved else []),
        (_("Requests"), format_count(answers.requests), ""),
        (_("Requests refused or lost"), format_count(answers.repeated), ""),
        (_("Tokens sent"), format_count(answers.prompt), ""),
        (_("Tokens received"), format_count(answers.answer), ""),
    ]
    shares = [
        (_("Answers that needed a repair"), answers.repaired, "repaired", "answers"),
        (_("Answers that could not be parsed"), answers.unusable, "unusable", "answers"),
        (_("Tokens without a label in the answer"), answers.padded, "padded", "tokens"),
        (_("Tokens with a label outside the scale"), answers.outside, "outside", "tokens"),
        (_("Quotations that are not in the text"), answers.unmatched, "unmatched", "spans"),
        (_("Quotations that match the text only approximately"), answers.near, "near", "spans"),
    ]
    for title, share, count, of in shares:
        if share is not None:
            counted = _("%(n)s of %(of)s") % {"n": format_count(counts[count]), "of": format_count(counts[of])}
            rows.append((title, percentage(share), counted))
    return rows
