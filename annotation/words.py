"""What roles, phases, verdicts and states are called, in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

ROLES = [
    ("annotator", gettext_lazy("annotator")),
    ("adjudicator", gettext_lazy("adjudicator")),
    ("lead", gettext_lazy("lead")),
]
PHASE_NAMES = {
    "qualification": gettext_lazy("qualification"),
    "trial": gettext_lazy("trial"),
    "main": gettext_lazy("main"),
}
VERDICT_NAMES = {
    "submitted": gettext_lazy("submit"),
    "rejected": gettext_lazy("not comparable"),
    "flagged": gettext_lazy("flag"),
    "skipped": gettext_lazy("skip"),
}


OUTCOMES = {
    "open": gettext_lazy("not begun"),
    "started": gettext_lazy("begun"),
    "done": gettext_lazy("done"),
    "submitted": gettext_lazy("submitted"),
    "rejected": gettext_lazy("not comparable"),
    "flagged": gettext_lazy("flagged"),
    "skipped": gettext_lazy("skipped"),
}
