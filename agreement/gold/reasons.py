"""Why a rule was unsure or left a pair out, in the reader's language.

Rules are pure and say it in English, and so it is kept with the gold; a page finds the sentence again by its form.
"""

from __future__ import annotations

import re
from functools import cache

from django.utils.translation import gettext, gettext_noop

FORMS = (
    gettext_noop("a tie"),
    gettext_noop("everyone marked it, with different labels"),
    gettext_noop("annotators disagree on the label"),
    gettext_noop("no label has a majority"),
    gettext_noop("no annotation was submitted"),
    gettext_noop("not everyone marked it the same way"),
    gettext_noop("same, new and connotation have the same number of votes"),
    gettext_noop("the two middle labels differ"),
    gettext_noop("two answers are tied"),
    gettext_noop("no answer has a majority"),
    gettext_noop("the two middle answers differ"),
    gettext_noop("not everyone gave the same answer"),
    gettext_noop("nobody answered"),
    gettext_noop("rejected by %(n)s annotators"),
    gettext_noop("%(n)s annotations, none picked"),
    gettext_noop("%(n)s annotators marked more than %(share)s %% of its tokens new"),
    gettext_noop("%(name)s was picked but submitted no annotation"),
    gettext_noop("%(n)s of %(of)s marked it"),
    gettext_noop("%(n)s of %(of)s marked it inferable"),
    gettext_noop("%(n)s of %(of)s marked a connotation"),
    gettext_noop("%(n)s of %(of)s marked it new"),
    gettext_noop("%(n)s of %(of)s considered it the same"),
    gettext_noop("the label's probability is only %(p)s"),
)
# What rules used to say, kept with the gold of that time: the form that says the same today.
EARLIER = {
    "all marked it, with different labels": "everyone marked it, with different labels",
    "its annotators are divided over the label": "annotators disagree on the label",
    "no label has more than half of the votes": "no label has a majority",
    "nobody handed in an annotation": "no annotation was submitted",
    "not all marked it alike": "not everyone marked it the same way",
    "two answers were given equally often": "two answers are tied",
    "no answer was given by more than half": "no answer has a majority",
    "not all gave the same answer": "not everyone gave the same answer",
    "%(n)s annotations and none picked": "%(n)s annotations, none picked",
    "%(name)s was picked and handed in no annotation of it": "%(name)s was picked but submitted no annotation",
    "%(n)s of %(of)s found it inferable": "%(n)s of %(of)s marked it inferable",
    "%(n)s of %(of)s found another connotation": "%(n)s of %(of)s marked a connotation",
    "%(n)s of %(of)s found it new": "%(n)s of %(of)s marked it new",
    "%(n)s of %(of)s found it the same": "%(n)s of %(of)s considered it the same",
    "the label has a probability of %(p)s only": "the label's probability is only %(p)s",
}


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    forms = [*((form, form) for form in FORMS), *((today, earlier) for earlier, today in EARLIER.items())]
    plain = ((today, re.escape(form.replace("%%", "%"))) for today, form in forms)
    return [(form, re.compile(re.sub(r"%\\\((\w+)\\\)s", r"(?P<\1>.+?)", pattern))) for form, pattern in plain]


def reason_said(reason: str) -> str:
    """`reason` in the language that is active; as it is where it is no rule's (a lead's own words)."""
    for form, pattern in _patterns():
        if found := pattern.fullmatch(reason):
            values = found.groupdict()
            return gettext(form) % values if values else gettext(form)
    return reason
