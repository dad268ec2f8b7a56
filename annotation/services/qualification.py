"""Writes of the qualification: the pass rule, and what leads say and decide about people under it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.errors import Conflict, Invalid
from annotation.models import Annotator, Assignment, Project, Status, User
from annotation.models.messages import Thread
from annotation.models.qualification import QualificationStep, StepKind
from annotation.planning.plans import PlannedAssignment
from annotation.qualification.results import State
from annotation.qualification.rule import KEY, PassRule, rule_revision
from annotation.selectors.qualification import FINISHED, Qualification, project_rule, qualification_of, qualifications
from annotation.selectors.retries import retry_supply
from annotation.services.archive_check import changes_project
from annotation.services.assignments import assignments_create
from annotation.settings_model import SettingError
from annotation.strict_json import encoding_problem
from annotation.text.limits import MAX_COMMENT_LENGTH
from annotation.vocabulary import Phase

ACTIONS = ("words", "release", "advance", "retry", "undo")
"""What `person_decide` does: say words alone, or release, advance, retry or undo."""


def rule_check(*, project: Project, rule: Mapping[str, Any]) -> PassRule:
    """The rule that would be saved. Writes nothing. Raises Invalid for one that does not fit the scheme."""
    try:
        checked = PassRule.of(rule, project.labels)
        checked.check_decimals()
    except SettingError as error:
        raise Invalid(error.phrase.text(_), code="rule", where="rule") from error
    return checked


@changes_project()
@transaction.atomic
def rule_save(*, project: Project, rule: Mapping[str, Any] | None, base: str) -> PassRule | None:
    """Set a project's pass rule, or remove it (None), from the revision `base` that the lead saw ('' for no rule).

    From then on its annotators need to be advanced before they can begin trial and main pairs. If the rule advances
    whoever passes, those who pass already are advanced. Raises Invalid for a rule that does not fit the scheme,
    Conflict if it was changed since.
    """
    # Not against rows that refer to the project: a submission that is waited for below may write some.
    locked = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    new = None if rule is None else rule_check(project=locked, rule=rule)
    current = project_rule(locked)
    if rule_revision(current) != base:
        raise Conflict(
            _("Someone has changed the pass rule since you opened it."),
            code="rule-changed",
            where=locked.name,
            hint=_("Load it again and repeat your changes."),
        )
    if new == current:
        return new
    rest = {key: value for key, value in locked.settings.items() if key != KEY}
    locked.settings = rest if new is None else {**rest, KEY: new.to_json()}
    locked.save()
    project.settings = locked.settings
    if new is not None and new.automatic:
        # Qualification pairs are submitted under their annotator's lock: those that are waited for here count below,
        # and those that wait for this see the new rule (`advance_if_passed`).
        list(Annotator.objects.select_for_update().filter(project=locked).order_by("pk"))
        for qualification in qualifications(locked):
            if qualification.passes and not qualification.advanced:
                advance_if_passed(annotator=qualification.annotator)  # a lead may do so at the same moment
    return new


@changes_project("annotator.project_id")
@transaction.atomic
def person_decide(
    *,
    annotator: Annotator,
    action: str,
    revision: str,
    by: User | None,
    words: str | None = None,
    pairs: int = 0,
    step: int = 0,
) -> tuple[QualificationStep | None, QualificationStep | None]:
    """Do one of `ACTIONS` on top of the `revision` that the lead saw, and say `words` with it.

    Returns what was said and what was decided, each None if nothing was. Words that the lead has left as they were are
    not said again. Raises Conflict if another lead has decided since, or has said something else that these words would
    replace (code `words-changed`; the payload holds their `words` and the new `revision`); then nothing is changed.
    """
    qualification = _locked_qualification(annotator)
    if action in (
        StepKind.RELEASE,
        StepKind.ADVANCE,
        StepKind.RETRY,
    ) and not qualification.is_decision_unchanged(revision):
        raise _decided_since(qualification)
    message = None if words is None else _write_message(qualification, _checked_message(words), revision, by)
    with_it = message if action != StepKind.WORDS else None
    match action:
        case StepKind.RELEASE.value:
            return message, result_release(annotator=annotator, by=by)
        case StepKind.ADVANCE.value:
            return message, person_advance(annotator=annotator, by=by, message=with_it)
        case StepKind.RETRY.value:
            return message, person_retry(annotator=annotator, pairs=pairs, by=by, message=with_it)
        case "undo":
            return message, decision_undo(annotator=annotator, step=step, by=by)
    return message, None


def _checked_message(message: str) -> str:
    message = message.replace("\r\n", "\n").strip()
    if len(message) > MAX_COMMENT_LENGTH:
        raise Invalid(
            _("A message can have at most %(n)s characters.") % {"n": MAX_COMMENT_LENGTH}, code="words", where="words"
        )
    if encoding_problem(message):
        raise Invalid(_("The message contains characters that can't be stored."), code="words", where="words")
    return message


def _write_message(
    qualification: Qualification, message: str, revision: str, by: User | None
) -> QualificationStep | None:
    current, shown = qualification.visible_message, qualification.message_at(revision)
    if message in (current, shown):
        return None
    if not qualification.is_message_unchanged(revision):
        raise Conflict(
            _("Someone has sent %(alias)s another message in the meantime.") % {"alias": qualification.annotator.alias},
            code="words-changed",
            where="words",
            hint=_("Compare both, and save the one this person should see."),
            payload=_current_state(qualification),
        )
    return _step(qualification, StepKind.WORDS, by, message=message)


@changes_project("annotator.project_id")
@transaction.atomic
def result_release(*, annotator: Annotator, by: User | None) -> QualificationStep | None:
    """Show a person their result. Returns None if they see it already; Conflict while pairs remain."""
    qualification = _locked_qualification(annotator)
    if qualification.released:
        return None
    if qualification.result.state not in FINISHED:
        raise Conflict(
            _("%(alias)s has not submitted all qualification pairs yet.") % {"alias": annotator.alias},
            code="unfinished",
            where=annotator.alias,
            hint=_("Release the result when all are submitted."),
        )
    return _step(qualification, StepKind.RELEASE, by)


@changes_project("annotator.project_id")
@transaction.atomic
def person_advance(
    *, annotator: Annotator, by: User | None, message: QualificationStep | None = None
) -> QualificationStep:
    """Let a person begin trial and main pairs, whatever the rule recommends; they see their result too.

    `said`: the words said with it just before, which are taken back if this is undone.
    """
    qualification = _locked_qualification(annotator)
    _check_not_advanced(qualification)
    return _step(qualification, StepKind.ADVANCE, by, details=_message_details(message))


@changes_project("annotator.project_id")
@transaction.atomic
def person_retry(
    *, annotator: Annotator, pairs: int, by: User | None, message: QualificationStep | None = None
) -> QualificationStep:
    """Assign a person `pairs` other qualification pairs, each with its mirror, by which alone they are judged then.

    They have not seen any of them, and each has a reference. Raises Conflict if there are too few, if pairs remain to
    be submitted, or if the person is advanced; Invalid for a number below 1. `said`: as for `person_advance`.
    """
    qualification = _locked_qualification(annotator)
    _check_not_advanced(qualification, hint=_("Undo that first."))
    if qualification.result.state in (State.NOT_STARTED, State.IN_PROGRESS):
        raise Conflict(
            _("%(alias)s still has qualification pairs to submit.") % {"alias": annotator.alias},
            code="unfinished",
            where=annotator.alias,
            hint=_("Wait until all are submitted."),
        )
    if pairs < 1:
        raise Invalid(_("Assign at least 1 pair."), code="pairs", where="pairs")
    free = retry_supply(annotator, qualification.rule).units
    if len(free) < pairs:
        left = ngettext(
            "There is %(n)s other pair with a reference that this person has not seen.",
            "There are %(n)s other pairs with a reference that this person has not seen.",
            len(free),
        )
        raise Conflict(
            left % {"n": len(free)} if free else _("There is no other pair with a reference for this person."),
            code="too-few",
            where="pairs",
            hint=_("Assign fewer, or import or adjudicate more pairs."),
        )
    draw = random.Random(f"{annotator.project.slug}/{annotator.alias}/{len(qualification.steps)}")
    chosen = sorted(draw.sample(range(len(free)), pairs))
    keys = [key for index in chosen for key in free[index]]
    last = Assignment.objects.filter(annotator=annotator).aggregate(last=Max("order"))["last"]
    planned = [PlannedAssignment(key, annotator.pk, Phase.QUALIFICATION, order) for order, key in enumerate(keys)]
    since = 0 if last is None else last + 1
    step = _step(
        qualification,
        StepKind.RETRY,
        by,
        details={"pairs": len(planned), "since": since, **_message_details(message)},
    )
    assignments_create(project=annotator.project, planned=planned, retry=step)
    return step


@changes_project("annotator.project_id")
@transaction.atomic
def decision_undo(*, annotator: Annotator, step: int, by: User | None) -> QualificationStep:
    """Undo the last decision about a person, `step`, which the lead saw.

    Undoing an advance holds back what they have not started. Undoing a retry takes back the pairs that it assigned, and
    no others; not if one was started or has messages. Raises Conflict then, and if it is no longer the last decision.
    Words that were said with the decision are taken back with it: the person sees those from before, unless something
    else was said since.
    """
    qualification = _locked_qualification(annotator)
    decision = qualification.decision
    if decision is None or decision.pk != step:
        raise _decided_since(qualification)
    if decision.step == StepKind.RETRY:
        _take_back(annotator, decision)
    for each in (decision, qualification.message_with(decision)):
        if each is not None:
            each.undone, each.undone_by = timezone.now(), by
            each.save(update_fields=["undone", "undone_by"])
    return decision


def _decided_since(qualification: Qualification) -> Conflict:
    alias = qualification.annotator.alias
    return Conflict(
        _("Someone has made another decision about %(alias)s in the meantime.") % {"alias": alias},
        code="decided-since",
        where=alias,
        hint=_("Reload the page to see the current version."),
        payload=_current_state(qualification),
    )


def _current_state(qualification: Qualification) -> dict[str, str]:
    """What a client needs to go on after a conflict."""
    return {"words": qualification.visible_message, "revision": qualification.revision}


def _take_back(annotator: Annotator, retry: QualificationStep) -> None:
    """Delete the assignments of a retry that the person still has. Raises Conflict if something would be lost."""
    rows = list(Assignment.objects.select_for_update().filter(annotator=annotator, retry=retry))
    if any(row.status not in (Status.OPEN, Status.REASSIGNED) for row in rows):
        raise Conflict(
            _("%(alias)s has started the new pairs.") % {"alias": annotator.alias},
            code="in-progress",
            where=annotator.alias,
            hint=_("Advance them, or wait until they have submitted these pairs."),
        )
    waiting = [row.pk for row in rows if row.status == Status.OPEN]
    if Thread.objects.filter(assignment__in=waiting).exists():
        raise Conflict(
            _("There are messages about the new pairs, which would be deleted with them."),
            code="in-progress",
            where=annotator.alias,
            hint=_("Advance them, or wait until they have submitted these pairs."),
        )
    Assignment.objects.filter(pk__in=waiting).delete()


def advance_if_passed(*, annotator: Annotator) -> QualificationStep | None:
    """After a submission of a qualification pair: advance its annotator if they pass a rule that does so.

    In the caller's transaction, which holds the annotator's lock since before the submission. The rule is read now,
    whatever it was when the page was opened.
    """
    locked = _locked_membership(annotator)
    rule = project_rule(locked.project)
    if rule is None or not rule.automatic:
        return None
    qualification = qualification_of(locked)
    if qualification is None or qualification.advanced or not qualification.passes:
        return None
    return _step(qualification, StepKind.ADVANCE, None, automatic=True)


def _locked_membership(annotator: Annotator) -> Annotator:
    rows = Annotator.objects.select_for_update(of=("self",)).select_related("project")
    return rows.get(pk=annotator.pk)


def _locked_qualification(annotator: Annotator) -> Qualification:
    """The person's qualification by the rule as it is now, with their row locked, so that two decisions wait."""
    qualification = qualification_of(_locked_membership(annotator))
    if qualification is None:
        raise Conflict(
            _("This project has no pass rule for the qualification."),
            code="no-rule",
            where=annotator.project.name,
            hint=_("Set one first."),
        )
    return qualification


def _check_not_advanced(qualification: Qualification, hint: str = "") -> None:
    if qualification.advanced:
        alias = qualification.annotator.alias
        raise Conflict(
            _("%(alias)s has already been advanced.") % {"alias": alias}, code="advanced", where=alias, hint=hint
        )


def _message_details(message: QualificationStep | None) -> dict[str, int]:
    """What a decision's details say of words that came with it: they are the person's step before it."""
    return {"said": 1} if message else {}


def _step(
    qualification: Qualification,
    step: StepKind,
    by: User | None,
    *,
    message: str = "",
    automatic: bool = False,
    details: Mapping[str, int] | None = None,
) -> QualificationStep:
    result = qualification.result
    about: dict[str, Any] = {} if step == StepKind.WORDS else {"value": result.value, "counted": result.counted}
    return QualificationStep.objects.create(
        annotator=qualification.annotator,
        step=step,
        words=message,
        automatic=automatic,
        details={**about, **(details or {})},
        made_by=by,
    )
