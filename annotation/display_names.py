"""The names of roles, phases, verdicts and statuses in the user's language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from math import floor

from django.utils.formats import number_format
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy

from annotation.qualification.differences import DifferenceKind
from annotation.qualification.results import ADVANCED, RETRY, Missing, State
from annotation.vocabulary import Phase, ReadingLevel, Role, Status, Verdict

ROLES = [
    (Role.ANNOTATOR.value, gettext_lazy("annotator")),
    (Role.ADJUDICATOR.value, gettext_lazy("adjudicator")),
    (Role.LEAD.value, gettext_lazy("lead")),
]
READING_LEVELS = [
    *((level.value, level.value) for level in ReadingLevel if level != ReadingLevel.NATIVE),
    (ReadingLevel.NATIVE.value, gettext_lazy("native")),
]
PHASE_NAMES = {
    Phase.QUALIFICATION.value: gettext_lazy("qualification"),
    Phase.TRIAL.value: gettext_lazy("trial"),
    Phase.MAIN.value: gettext_lazy("main"),
}
"""The only place that names a phase: sentences about one take its name as a parameter, except those about how people
qualify."""
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

PRESET_NAMES = {
    "graded": gettext_lazy("Graded difference: labels 1 to 5 on both sides, linked spans (SwissGov-RSD)"),
    "xparade": gettext_lazy("New or inferable: side B is marked relative to side A (X-PARADE)"),
    "xparade-extended": gettext_lazy("New or inferable, with connotation and reference"),
    "likert": gettext_lazy("Rating: agreement with a statement, from 0 to 4"),
    "distractor": gettext_lazy("Rating: is text B close to text A in form, and different in meaning? (CLSD)"),
    "yes-no": gettext_lazy("Rating: yes or no"),
}
"""What each built-in scheme is for."""

COLOUR_NAMES = {
    "p1": gettext_lazy("blue"),
    "p2": gettext_lazy("orange"),
    "p3": gettext_lazy("green, dashed"),
    "p4": gettext_lazy("pink, dotted"),
    "p5": gettext_lazy("violet"),
    "p6": gettext_lazy("yellow, dashed"),
    "p7": gettext_lazy("turquoise"),
    "p8": gettext_lazy("brown, dotted"),
    "new": gettext_lazy("blue, as “new” in X-PARADE"),
    "inferable": gettext_lazy("green, as “inferable” in X-PARADE"),
    "connotation": gettext_lazy("purple, as “connotation” in X-PARADE"),
    "reference": gettext_lazy("grey, as “reference” in X-PARADE"),
    **{
        f"g{step}": format_lazy("{name} {step}", name=gettext_lazy("grade, light to dark:"), step=step)
        for step in range(1, 6)
    },
    **{
        f"r{step}": format_lazy("{name} {step}", name=gettext_lazy("fine grade, light to dark:"), step=step)
        for step in range(1, 10)
    },
}
"""The colours of labels in words."""

AUDIT_KINDS = {
    "project": gettext_lazy("project"),
    "settings": gettext_lazy("settings and scheme"),
    "people": gettext_lazy("people"),
    "plan": gettext_lazy("assignments"),
    "guidelines": gettext_lazy("guidelines"),
    "glossary": gettext_lazy("glossary"),
    "imports": gettext_lazy("imports"),
    "gold": gettext_lazy("gold"),
    "publications": gettext_lazy("publications and exports"),
}
"""What a change is about, on the audit page."""

QUALIFICATION_STATES = {
    State.UNASSIGNED.value: gettext_lazy("no pairs assigned"),
    State.NOT_STARTED.value: gettext_lazy("not started"),
    State.IN_PROGRESS.value: gettext_lazy("in progress"),
    State.TOO_FEW.value: gettext_lazy("too few pairs"),
    State.PASSED.value: gettext_lazy("passed by the rule"),
    State.NOT_PASSED.value: gettext_lazy("not passed"),
    ADVANCED: gettext_lazy("advanced"),
    RETRY: gettext_lazy("retry with other pairs"),
}
"""Someone's status in the qualification."""

NOT_COMPARED = {
    Missing.OPEN.value: gettext_lazy("not submitted yet"),
    Missing.REJECTED.value: gettext_lazy("rejected as not comparable"),
    Missing.FLAGGED.value: gettext_lazy("flagged"),
    Missing.SKIPPED.value: gettext_lazy("skipped"),
    Missing.NO_REFERENCE.value: gettext_lazy("no reference"),
}
"""Why a qualification pair is not compared with a reference."""

SPAN_DIFFERENCES = {
    DifferenceKind.MISSED.value: gettext_lazy("missed"),
    DifferenceKind.EXTRA.value: gettext_lazy("extra"),
    DifferenceKind.OTHER_LABEL.value: gettext_lazy("other label"),
    DifferenceKind.OTHER_WORDS.value: gettext_lazy("other words"),
}
"""How a span differs from the reference."""

QUALIFICATION_STEPS = {
    "words": gettext_lazy("Message"),
    "words-back": gettext_lazy("Message withdrawn"),
    "words-deleted": gettext_lazy("Message, deleted with the account"),
    "release": gettext_lazy("Result released"),
    "advance": gettext_lazy("Advanced"),
    "retry": gettext_lazy("Retry with other pairs"),
}
"""What a lead said or decided about someone's qualification."""

RELEASES = {
    "lead": gettext_lazy("when a lead releases it, or advances them"),
    "at-once": gettext_lazy("as soon as they have submitted all their pairs"),
}
"""When people see the result of their qualification."""

INELIGIBLE_FOR_RETRY = {
    "assigned": gettext_lazy("assigned to this person already, in some phase"),
    "known": gettext_lazy("this person has seen the reference"),
    "unread": gettext_lazy("in languages that this person does not read"),
    "alone": gettext_lazy("no mirror with a reference, which the pass rule counts"),
    "no-reference": gettext_lazy("no reference"),
}
"""Why someone can't be assigned a pair for a retry."""


EVENT_NAMES = {
    "pair.submitted": gettext_lazy("a pair was submitted"),
    "pair.flagged": gettext_lazy("a pair was flagged"),
    "run.finished": gettext_lazy("a pre-labelling run has finished"),
    "gold.made": gettext_lazy("gold was created"),
    "publication.ready": gettext_lazy("a publication is ready"),
}
"""What a webhook can be notified of."""

DELIVERY_PROBLEMS = {
    "status": gettext_lazy("refused by the receiver"),
    "redirect": gettext_lazy("redirected; redirects are not followed"),
    "address": gettext_lazy("inside a private network, which this server may not call"),
    "name": gettext_lazy("the host was not found"),
    "time": gettext_lazy("no response in time"),
    "tls": gettext_lazy("no secure connection; check the certificate"),
    "connection": gettext_lazy("no connection, or it was cut"),
    "answer": gettext_lazy("the response is not HTTP"),
    "worker": gettext_lazy("stopped by an internal error"),
}
"""Why a delivery has not been taken."""


def phase_name(phase: str) -> str:
    """A phase's name in the active language; anything else stays as it is."""
    return str(PHASE_NAMES.get(phase, phase))


def phase_counts(numbers: Mapping[str, int]) -> str:
    """Numbers by phase, in words: “trial 3, main 40”."""
    return ", ".join(f"{PHASE_NAMES[phase]} {number}" for phase, number in numbers.items())


def format_count(count: int | None) -> str:
    """A count in the user's language, with a thousands separator from 10,000 up; '' for None."""
    return "" if count is None else str(number_format(count, force_grouping=count > 9_999))


def signed_minutes(seconds: int) -> str:
    """Seconds as minutes with their sign, such as '+15' or '−7.5'."""
    minutes = (Decimal(abs(seconds)) / 60).quantize(Decimal("0.1"), rounding=ROUND_HALF_UP).normalize()
    return ("+" if seconds > 0 else "−") + str(number_format(f"{minutes:f}"))


def natural_sort_key(alias: str) -> list[tuple[int, str]]:
    """Sorts 'A2' before 'A10'."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", alias)]


def format_agreement(value: float | None) -> str:
    """An agreement from 0 to 1 with two decimals, truncated, so that a value below a minimum never looks as if it
    reached it; '–' for None.
    """
    return "–" if value is None else str(number_format(floor(value * 100 + 1e-7) / 100, 2))
