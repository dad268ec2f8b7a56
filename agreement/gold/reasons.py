"""What rules are called, why one was unsure and why a pair is excluded, without names hidden from the reader."""

from __future__ import annotations

from django.utils.translation import gettext as _

from agreement.adjudication.base import RULES
from agreement.adjudication.reasons import Code, Reason
from agreement.blind import Redactor


def reason_text(reason: Reason, redact: Redactor) -> str:
    values = dict(reason.values)
    if reason.code is Code.OTHER:
        return redact(str(values["text"]))
    if reason.code is Code.PICKED_ABSENT and redact.hidden:
        return _("the picked annotator submitted no annotation")
    return _(reason.code.form) % values


def rule_title(name: str) -> str:
    """What a rule is called on the pages; the name itself if this version of Diptych has no such rule."""
    return _(RULES[name].title) if name in RULES else name
