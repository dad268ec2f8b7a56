"""Why a rule was unsure or left a pair out, in the reader's language.

Rules are pure and say it in English, and so it is kept with the gold; a page finds the sentence again by its form.
"""

from __future__ import annotations

import re
from functools import cache

from django.utils.translation import gettext, gettext_noop

FORMS = (
    gettext_noop("a tie"),
    gettext_noop("all marked it, with different labels"),
    gettext_noop("its annotators are divided over the label"),
    gettext_noop("no label has more than half of the votes"),
    gettext_noop("nobody handed in an annotation"),
    gettext_noop("not all marked it alike"),
    gettext_noop("same, new and connotation have the same number of votes"),
    gettext_noop("the two middle labels differ"),
    gettext_noop("two answers were given equally often"),
    gettext_noop("no answer was given by more than half"),
    gettext_noop("the two middle answers differ"),
    gettext_noop("not all gave the same answer"),
    gettext_noop("nobody answered"),
    gettext_noop("rejected by %(n)s annotators"),
    gettext_noop("%(n)s annotations and none picked"),
    gettext_noop("%(n)s annotators marked more than %(share)s %% of its tokens new"),
    gettext_noop("%(name)s was picked and handed in no annotation of it"),
    gettext_noop("%(n)s of %(of)s marked it"),
    gettext_noop("%(n)s of %(of)s found it inferable"),
    gettext_noop("%(n)s of %(of)s found another connotation"),
    gettext_noop("%(n)s of %(of)s found it new"),
    gettext_noop("%(n)s of %(of)s found it the same"),
    gettext_noop("the label has a probability of %(p)s only"),
)


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    plain = ((form, re.escape(form.replace("%%", "%"))) for form in FORMS)
    return [(form, re.compile(re.sub(r"%\\\((\w+)\\\)s", r"(?P<\1>.+?)", pattern))) for form, pattern in plain]


def reason_said(reason: str) -> str:
    """`reason` in the language that is active; as it is where it is no rule's (a lead's own words)."""
    for form, pattern in _patterns():
        if found := pattern.fullmatch(reason):
            values = found.groupdict()
            return gettext(form) % values if values else gettext(form)
    return reason
