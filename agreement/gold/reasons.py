"""Why a rule was unsure or a pair is excluded, in the reader's language, without names hidden from them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from agreement.adjudication.reasons import Code, Reason
from agreement.blind import Redactor


def reason_text(reason: Reason, redact: Redactor) -> str:
    values = dict(reason.values)
    if reason.code is Code.OTHER:
        return redact(str(values["text"]))
    if reason.code is Code.PICKED_ABSENT and redact.hidden:
        return _("the picked annotator submitted no annotation")
    return _(reason.code.form) % values
