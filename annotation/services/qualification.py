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
from annotation.message_models import Thread
from annotation.models import Annotator, Assignment, Project, Status, User
from annotation.planning import Planned
from annotation.qualification_models import QualificationStep, Step
from annotation.qualifying.rule import KEY, PassRule, rule_revision
from annotation.qualifying.standing import State
from annotation.selectors.qualification import FINISHED, Standing, project_rule, retry_units, standing_of, standings
from annotation.services.assignments import assignments_create
from annotation.services.unarchived import changes_project
from annotation.settings_model import SettingError
from annotation.strict_json import unstorable
from annotation.text.limits import LONGEST_COMMENT
from annotation.vocabulary import Phase


@changes_project()
@transaction.atomic
def rule_save(*, project: Project, rule: Mapping[str, Any] | None, base: str) -> PassRule | None:
    """Set a project's pass rule, or remove it (None), from the revision `base` that the lead saw ('' for no rule).

    From then on its annotators need to be advanced before they can begin trial and main pairs. If the rule advances
    whoever passes, those who pass already are advanced. Raises Invalid for a rule that does not fit the scheme,
    Conflict if it was changed since.
    """
    locked = Project.objects.select_for_update().get(pk=project.pk)
    try:
        new = None if rule is None else PassRule.of(rule, locked.labels)
    except SettingError as error:
        raise Invalid(error.phrase.text(_), code="rule", where="rule") from error
    current = project_rule(locked)
    if rule_revision(current) != base:
        raise Conflict(
            _("Someone has changed the pass rule since you opened it."),
            code="rule-changed",
            where=locked.name,
            hint=_("Load it again, and make your changes to it."),
        )
    if new == current:
        return new
    rest = {key: value for key, value in locked.settings.items() if key != KEY}
    locked.settings = rest if new is None else {**rest, KEY: new.to_json()}
    locked.save()
    project.settings = locked.settings
    if new is not None and new.automatic:
        for standing in standings(locked):
            _advance_if_passed(standing)
    return new


@changes_project("annotator.project_id")
@transaction.atomic
def words_save(*, annotator: Annotator, words: str, by: User | None) -> QualificationStep | None:
    """Say something to a person about their qualification, which they see at once; '' takes the last words back.

    Returns None if these are the words that they see already. Raises Invalid for words that can't be stored.
    """
    standing = _locked(annotator)
    words = words.replace("\r\n", "\n").strip()
    if len(words) > LONGEST_COMMENT:
        raise Invalid(
            _("A message has at most %(n)s characters.") % {"n": LONGEST_COMMENT}, code="words", where="words"
        )
    if unstorable(words):
        raise Invalid(_("It contains characters that can't be stored."), code="words", where="words")
    if words == (standing.words.words if standing.words else ""):
        return None
    return _step(standing, Step.WORDS, by, words=words)


@changes_project("annotator.project_id")
@transaction.atomic
def result_release(*, annotator: Annotator, by: User | None) -> QualificationStep | None:
    """Show a person their result. Returns None if they see it already; Conflict while pairs remain."""
    standing = _locked(annotator)
    if standing.released:
        return None
    if standing.result.state not in FINISHED:
        raise Conflict(
            _("%(alias)s has not submitted all qualification pairs yet.") % {"alias": annotator.alias},
            code="unfinished",
            where=annotator.alias,
            hint=_("Release the result when all are submitted."),
        )
    return _step(standing, Step.RELEASE, by)


@changes_project("annotator.project_id")
@transaction.atomic
def person_advance(*, annotator: Annotator, by: User | None) -> QualificationStep:
    """Let a person begin trial and main pairs, whatever the rule recommends; they see their result too."""
    standing = _locked(annotator)
    if standing.advanced:
        raise Conflict(
            _("%(alias)s is advanced already.") % {"alias": annotator.alias}, code="advanced", where=annotator.alias
        )
    return _step(standing, Step.ADVANCE, by)


@changes_project("annotator.project_id")
@transaction.atomic
def person_retry(*, annotator: Annotator, pairs: int, by: User | None) -> QualificationStep:
    """Assign a person `pairs` other qualification pairs, each with its mirror, by which alone they are judged then.

    They have not seen any of them, and each has a reference. Raises Conflict if there are too few, if pairs remain to
    be submitted, or if the person is advanced; Invalid for a number below 1.
    """
    standing = _locked(annotator)
    if standing.advanced:
        raise Conflict(
            _("%(alias)s is advanced already.") % {"alias": annotator.alias},
            code="advanced",
            where=annotator.alias,
            hint=_("Undo that first."),
        )
    if standing.result.state in (State.NOT_BEGUN, State.IN_PROGRESS):
        raise Conflict(
            _("%(alias)s still has qualification pairs to submit.") % {"alias": annotator.alias},
            code="unfinished",
            where=annotator.alias,
            hint=_("Wait until all are submitted."),
        )
    if pairs < 1:
        raise Invalid(_("Assign at least 1 pair."), code="pairs", where="pairs")
    free = retry_units(annotator, standing.rule)
    if len(free) < pairs:
        left = ngettext(
            "There is %(n)s other pair with a reference that this person has not seen.",
            "There are %(n)s other pairs with a reference that this person has not seen.",
            len(free),
        )
        raise Conflict(
            left % {"n": len(free)} if free else _("There is no other pair with a reference that they have not seen."),
            code="too-few",
            where="pairs",
            hint=_("Assign fewer, or import or adjudicate more pairs."),
        )
    draw = random.Random(f"{annotator.project.slug}/{annotator.alias}/{len(standing.steps)}")
    chosen = sorted(draw.sample(range(len(free)), pairs))
    keys = [key for index in chosen for key in free[index]]
    last = Assignment.objects.filter(annotator=annotator).aggregate(last=Max("order"))["last"]
    planned = [Planned(key, annotator.pk, Phase.QUALIFICATION, order) for order, key in enumerate(keys)]
    step = _step(standing, Step.RETRY, by, pairs=len(planned), since=0 if last is None else last + 1)
    assignments_create(project=annotator.project, planned=planned, retry=step)
    return step


@changes_project("annotator.project_id")
@transaction.atomic
def decision_undo(*, annotator: Annotator, step: int, by: User | None) -> QualificationStep:
    """Undo the last decision about a person, `step`, which the lead saw.

    Undoing an advance holds back what they have not begun. Undoing a retry takes back the pairs that it assigned, and
    no others; not if one was begun or has messages. Raises Conflict then, and if it is no longer the last decision.
    """
    standing = _locked(annotator)
    decision = standing.decision
    if decision is None or decision.pk != step:
        raise Conflict(
            _("This is no longer the last decision about %(alias)s.") % {"alias": annotator.alias},
            code="decided-since",
            where=annotator.alias,
            hint=_("Look at it again, as it is now."),
        )
    if decision.step == Step.RETRY:
        _take_back(annotator, decision)
    decision.undone, decision.undone_by = timezone.now(), by
    decision.save(update_fields=["undone", "undone_by"])
    return decision


def _take_back(annotator: Annotator, retry: QualificationStep) -> None:
    """Delete the assignments of a retry that the person still has. Raises Conflict if something would be lost."""
    rows = list(Assignment.objects.select_for_update().filter(annotator=annotator, retry=retry))
    if any(row.status not in (Status.OPEN, Status.REASSIGNED) for row in rows):
        raise Conflict(
            _("%(alias)s has begun the new pairs.") % {"alias": annotator.alias},
            code="begun",
            where=annotator.alias,
            hint=_("Advance them, or wait until they have submitted these pairs."),
        )
    waiting = [row.pk for row in rows if row.status == Status.OPEN]
    if Thread.objects.filter(assignment__in=waiting).exists():
        raise Conflict(
            _("There are messages about the new pairs, which would be deleted with them."),
            code="begun",
            where=annotator.alias,
            hint=_("Advance them, or wait until they have submitted these pairs."),
        )
    Assignment.objects.filter(pk__in=waiting).delete()


def may_advance(assignment: Assignment) -> bool:
    """Whether submitting this assignment can advance its annotator, whose project is loaded."""
    if assignment.phase != Phase.QUALIFICATION:
        return False
    rule = project_rule(assignment.annotator.project)
    return rule is not None and rule.automatic


def advance_if_passed(*, annotator: Annotator) -> QualificationStep | None:
    """After a submission that may advance: do so if the person has passed. In the caller's transaction."""
    return _advance_if_passed(_locked(annotator))


def _advance_if_passed(standing: Standing) -> QualificationStep | None:
    """Only with every pair compared: a rejected, flagged or skipped one is for a lead to look at."""
    if standing.advanced or standing.result.state != State.PASSED or standing.result.left_out:
        return None
    return _step(standing, Step.ADVANCE, None, automatic=True)


def _locked(annotator: Annotator) -> Standing:
    """The person's standing by the rule as it is now, with their row locked: two decisions about one person wait."""
    held = Annotator.objects.select_for_update(of=("self",)).select_related("project").get(pk=annotator.pk)
    standing = standing_of(held)
    if standing is None:
        raise Conflict(
            _("This project has no pass rule for the qualification."),
            code="no-rule",
            where=annotator.project.name,
            hint=_("Set one first."),
        )
    return standing


def _step(
    standing: Standing, step: Step, by: User | None, *, words: str = "", automatic: bool = False, **more: int
) -> QualificationStep:
    result = standing.result
    value = None if result.value is None else round(result.value, 4)
    about: dict[str, Any] = {} if step == Step.WORDS else {"value": value, "counted": result.counted}
    return QualificationStep.objects.create(
        annotator=standing.annotator,
        step=step,
        words=words,
        automatic=automatic,
        details={**about, **more},
        made_by=by,
    )
