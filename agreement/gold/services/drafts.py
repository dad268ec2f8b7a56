"""Manual adjudication: a draft of the next gold version is opened, its pairs are decided, and a lead closes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agreement.adjudication.answers import PROVENANCE, answers_given
from agreement.adjudication.base import Rule
from agreement.adjudication.origins import MANUAL, origins
from agreement.gold.services.exclusions import pair_exclude, pair_include
from agreement.gold.services.versions import (
    GoldPlan,
    GoldResult,
    OnWritten,
    gold_plan,
    gold_write,
    rule_with_settings,
)
from agreement.gold.status import PairState, PairStatus, pair_status, pairs_in_progress
from agreement.models import GoldVersion
from agreement.selectors import gold_draft, gold_next_number
from annotation.errors import Conflict, Invalid, NotFound
from annotation.models import Annotation, Pair, Project, User
from annotation.progress import OnCount
from annotation.scheme_words import scheme_in_words
from annotation.services.annotation_checks import AnnotationInput, validate_annotation
from annotation.services.annotations import newer_revision_conflict
from annotation.services.archive_check import changes_project
from annotation.services.gold_drafts import (
    gold_draft_at_revision,
    gold_draft_decide,
    gold_draft_delete,
    gold_draft_reopen,
    gold_draft_save,
    gold_drafts_move,
)
from annotation.text.spans import Span

PAIRS_NAMED = 5
"""How many pairs a refusal names."""


@changes_project()
def draft_open(
    *,
    project: Project,
    rule: str,
    phase: str,
    settings: Mapping[str, object] | None = None,
    by: User | None,
    on_progress: OnCount | None = None,
    written: OnWritten | None = None,
) -> GoldVersion:
    """Open a draft for manual adjudication: `rule` decides what it is sure of, people decide the rest.

    If a draft is already open, it continues under this rule; manual decisions and work in progress are kept.
    Raises what `gold_create` raises, and Invalid for a rule that is fitted to all pairs. `on_progress` and `written` as
    there.
    """
    # Before the transaction, during which on SQLite nobody else can save.
    plan = gold_plan(project=project, rule=rule, phase=phase, settings=settings, on_progress=on_progress)
    chosen = per_pair_rule(rule, settings or {})
    parameters = plan.settings.model_dump()
    with transaction.atomic():
        Project.objects.select_for_update().get(pk=project.pk)
        draft = gold_draft(project)
        if draft is not None:
            draft.rule, draft.phase, draft.parameters = chosen.name, phase, parameters
            draft.save(update_fields=["rule", "phase", "parameters"])
        else:
            draft = GoldVersion.objects.create(
                project=project,
                number=gold_next_number(project),
                rule=chosen.name,
                parameters=parameters,
                phase=phase,
                made_by=by,
                open=True,
            )
        if written is not None:
            written(draft)
    return draft


def per_pair_rule(rule: str, settings: Mapping[str, object]) -> Rule:
    """A rule that decides each pair by itself. Raises Invalid for another, or an unknown one or setting."""
    chosen, _complete = rule_with_settings(rule, settings)
    if chosen.fit is not None:
        raise Invalid(
            _("“%(rule)s” learns from all pairs at once, so it can't decide pairs one at a time.")
            % {"rule": _(chosen.title)},
            code="rule",
            where="rule",
            hint=_("Create gold with this rule, or choose another rule for the draft."),
        )
    return chosen


@changes_project("draft.project_id")
def draft_save(*, draft: GoldVersion, pair: Pair, by: User, base: int, sent: AnnotationInput) -> Annotation:
    """Save work on a pair of the draft. Raises as `annotation_save`; Conflict if the pair is decided or excluded.

    Of `sent.unmarked`, only the keys of those of the pair's regions are kept in which nothing is marked.
    """
    checked = validate_annotation(sent, pair)
    with transaction.atomic():
        status = _locked_status(draft, pair)
        _check_undecided(status)
        origins = _origins(status, by)
        marked = status.marked_regions(checked.spans)
        can_be_unmarked = {region.key for region in status.regions} - marked
        unmarked = [key for key in sent.unmarked if key in can_be_unmarked]
        checked = replace(checked, sent=replace(sent, unmarked=unmarked))
        return gold_draft_save(pair=pair, version=draft.number, by=by, base=base, checked=checked, origins=origins)


@changes_project("draft.project_id")
@transaction.atomic
def draft_decide(*, draft: GoldVersion, pair: Pair, by: User, base: int, seen: str | None) -> Annotation:
    """Decide a pair as it is in revision `base`; the decision holds in every gold version created from now on.

    Raises Conflict for a newer revision, if other work was submitted than was `seen` (None: not checked), or if the
    pair is excluded or someone else has decided it; Invalid while a region is undecided. Whoever has decided a pair
    changes nothing by deciding it again.
    """
    status = _locked_status(draft, pair)
    if status.state == PairState.DECIDED and status.annotation is not None and status.annotation.decided_by_id == by.pk:
        return status.annotation
    _check_undecided(status)
    _check_unchanged(status, seen)
    annotation = gold_draft_at_revision(
        pair=pair,
        version=draft.number,
        by=by,
        base=base,
        initial=status.spans,
        answers=status.answers,
        origins=_origins(status, by),
    )
    for question in scheme_in_words(status.case.scheme).rated:
        if question.key not in annotation.answers:
            raise Invalid(
                _("“%(question)s” has no answer yet.") % {"question": question.title},
                code="undecided",
                where=pair.external_id,
            )
    undecided = status.undecided(annotation.parsed_spans, annotation.unmarked)
    if undecided:
        raise Invalid(
            ngettext(
                "%(n)s disputed region is not decided yet.",
                "%(n)s disputed regions are not decided yet.",
                len(undecided),
            )
            % {"n": len(undecided)},
            code="undecided",
            where=pair.external_id,
            hint=_("Choose an option for each, or leave it unmarked."),
        )
    origins = {**annotation.provenance, **_answer_origins(status, annotation)}
    provenance = {key: _confirmed_origin(origin, by.get_username()) for key, origin in origins.items()}
    return gold_draft_decide(annotation=annotation, by=by, provenance=provenance)


def _confirmed_origin(origin: Mapping[str, Any], by: str) -> dict[str, Any]:
    """Deciding confirms what the rule was sure of; all other origins already name who made or confirmed them."""
    sure = origin["rule"] != MANUAL and "unsure" not in origin
    return {**origin, "by": by} if sure else {"by": by, **origin}


@changes_project("draft.project_id")
@transaction.atomic
def draft_exclude(*, draft: GoldVersion, pair: Pair, by: User, base: int, seen: str | None, reason: str) -> None:
    """Exclude a pair as it is in revision `base` from the gold; work in progress on it is kept.

    Raises Conflict as `draft_decide`, also for a decided pair, Invalid without a reason. Whoever has excluded a pair
    changes the reason by excluding it again.
    """
    status = _locked_status(draft, pair)
    if status.exclusion is None or status.exclusion.made_by_id != by.pk:
        _check_undecided(status)
        _check_unchanged(status, seen)
        saved = status.saved or Annotation(pair=pair)
        if base != saved.revision:
            raise newer_revision_conflict(saved)
    pair_exclude(pair=pair, reason=reason, by=by)


@changes_project("draft.project_id")
@transaction.atomic
def draft_reopen(*, draft: GoldVersion, pair: Pair, by: User) -> Annotation | None:
    """Reopen a decided pair, or include an excluded one again. Raises Conflict if it is neither."""
    status = _locked_status(draft, pair)
    if not status.closed:
        raise Conflict(_("This pair is not decided."), code="not-decided", hint=_("Continue working on it."))
    if pair_include(pair=pair):
        return status.saved
    assert status.annotation is not None, "a finished pair that is not excluded was decided"
    return gold_draft_reopen(annotation=status.annotation, version=draft.number, by=by)


@changes_project("draft.project_id")
@transaction.atomic
def draft_reset(*, draft: GoldVersion, pair: Pair) -> None:
    """Delete the work in progress on a pair: the rule's decision applies again. Raises Conflict if there is none."""
    status = _locked_status(draft, pair)
    if status.state != PairState.IN_PROGRESS or status.saved is None:
        raise Conflict(
            _("This pair is not in progress."),
            code="not-in-progress",
            where=pair.external_id,
            hint=_("Reload the page to see its status."),
        )
    gold_draft_delete(annotation=status.saved)


@changes_project("draft.project_id")
def draft_close(
    *, draft: GoldVersion, by: User | None, on_progress: OnCount | None = None, written: OnWritten | None = None
) -> GoldResult:
    """Make the draft a gold version: manual decisions, and the rule's decisions on all other pairs.

    Raises Conflict while a pair is in progress, so that the rule does not override anyone's work. `on_progress` and
    `written` as in `gold_create`.
    """
    check_can_close(draft)
    # Before the transaction, during which on SQLite nobody else can save.
    plan = _plan(draft, on_progress)
    with transaction.atomic():
        project = Project.objects.select_for_update().get(pk=draft.project_id)
        locked = check_can_close(draft)
        if plan.outdated or (locked.rule, locked.phase, locked.parameters) != (
            draft.rule,
            draft.phase,
            draft.parameters,
        ):
            plan = _plan(locked)
        number = locked.number
        drafts = Annotation.objects.filter(pair__project=project, gold_version=number).values_list("pair", flat=True)
        pairs = list(drafts)
        locked.delete()
        gold_drafts_move(pairs=pairs, version=number, to=gold_next_number(project))
        return gold_write(plan=plan, by=by, force=True, written=written)


def _plan(draft: GoldVersion, on_progress: OnCount | None = None) -> GoldPlan:
    own: dict[str, Any] = {"rule": draft.rule, "phase": draft.phase, "settings": draft.parameters}
    return gold_plan(project=draft.project, **own, on_progress=on_progress)


def check_can_close(draft: GoldVersion) -> GoldVersion:
    """The draft as it is now. Raises Conflict if it is closed, or a pair is in progress."""
    with transaction.atomic():
        locked = _locked_draft(draft)
    in_progress = [pair.external_id for pair in pairs_in_progress(locked)]
    if not in_progress:
        return locked
    names = ", ".join(in_progress[:PAIRS_NAMED]) + (", …" if len(in_progress) > PAIRS_NAMED else "")
    raise Conflict(
        ngettext(
            "%(n)s pair is in progress and not decided yet: %(names)s.",
            "%(n)s pairs are in progress and not decided yet: %(names)s.",
            len(in_progress),
        )
        % {"n": len(in_progress), "names": names},
        code="in-progress",
        where=str(locked.project),
        hint=_("Decide, exclude or reset each of them, then close the draft."),
    )


def _locked_status(draft: GoldVersion, pair: Pair) -> PairStatus:
    """The pair's current status; draft and pair stay locked until the transaction ends. Raises NotFound, Conflict."""
    locked_draft = _locked_draft(draft)
    locked_pair = Pair.objects.select_for_update(of=("self",)).select_related("a", "b", "project").get(pk=pair.pk)
    status = pair_status(locked_draft, locked_pair)
    if status is None:
        raise NotFound(_("Nobody has submitted this pair."), where=pair.external_id)
    return status


def _locked_draft(draft: GoldVersion) -> GoldVersion:
    rows = GoldVersion.objects.select_for_update(of=("self",)).select_related("project").filter(pk=draft.pk, open=True)
    locked = rows.first()
    if locked is None:
        raise Conflict(_("This draft is closed."), code="closed", hint=_("Ask a lead to open the next one."))
    return locked


def _check_undecided(status: PairStatus) -> None:
    if status.closed:
        raise Conflict(
            _("This pair is decided.") if status.state == PairState.DECIDED else _("This pair is excluded."),
            code="decided",
            where=status.pair.external_id,
            hint=_("Reopen it to change it."),
        )


def _check_unchanged(status: PairStatus, seen: str | None) -> None:
    if seen not in (None, status.fingerprint):
        raise Conflict(
            _("The submissions for this pair have changed since you opened it."),
            code="stale",
            hint=_("Reload the page to see the changes."),
        )


def _answer_origins(status: PairStatus, annotation: Annotation) -> dict[str, Any]:
    """Which annotators gave the answers that were chosen."""
    return {
        f"{PROVENANCE}{question.key}": {
            "annotations": [
                vote.annotation
                for vote, answer in answers_given(status.case.submitted, question)
                if answer == annotation.answers[question.key]
            ],
            "rule": MANUAL,
        }
        for question in status.case.scheme.rated
    }


def _origins(status: PairStatus, by: User) -> Callable[[Sequence[Span], Annotation], Mapping[str, Any]]:
    def named(spans: Sequence[Span], annotation: Annotation) -> Mapping[str, Any]:
        old = {span.id: (span, annotation.provenance.get(span.id, {})) for span in annotation.parsed_spans}
        return origins(
            status.case,
            spans,
            by=by.get_username(),
            rule=status.draft.rule,
            proposed=status.decision.spans or status.provisional,
            before=old,
        )

    return named
