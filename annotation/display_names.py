"""The names of roles, phases, verdicts and statuses in the user's language."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from annotation.vocabulary import Phase, Role, Status, Verdict

ROLES = [
    (Role.ANNOTATOR.value, gettext_lazy("annotator")),
    (Role.ADJUDICATOR.value, gettext_lazy("adjudicator")),
    (Role.LEAD.value, gettext_lazy("lead")),
]
PHASE_NAMES = {
    Phase.QUALIFICATION.value: gettext_lazy("qualification"),
    Phase.TRIAL.value: gettext_lazy("trial"),
    Phase.MAIN.value: gettext_lazy("main"),
}
VERDICT_NAMES = {
    Verdict.SUBMITTED.value: gettext_lazy("submit"),
    Verdict.REJECTED.value: gettext_lazy("not comparable"),
    Verdict.FLAGGED.value: gettext_lazy("flag"),
    Verdict.SKIPPED.value: gettext_lazy("skip"),
}


OUTCOMES = {
    Status.OPEN.value: gettext_lazy("not started"),
    Status.STARTED.value: gettext_lazy("in progress"),
    Status.DONE.value: gettext_lazy("done"),
    Status.REASSIGNED.value: gettext_lazy("reassigned"),
    Verdict.SUBMITTED.value: gettext_lazy("submitted"),
    Verdict.REJECTED.value: gettext_lazy("not comparable"),
    Verdict.FLAGGED.value: gettext_lazy("flagged"),
    Verdict.SKIPPED.value: gettext_lazy("skipped"),
}
