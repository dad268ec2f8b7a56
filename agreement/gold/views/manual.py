"""The pages of manual adjudication."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from agreement.adjudication.agreed import RULE as AGREED
from agreement.adjudication.base import RULES
from agreement.blind import Redactor
from agreement.data.side_by_side import Person, side_by_side_of
from agreement.gold.adjudication_payload import adjudication_workspace, suggested_reason
from agreement.gold.forms import AdjudicationRuleForm, hidden_settings, settings_for_fields
from agreement.gold.reasons import rule_title
from agreement.gold.rule_previews import PreviewNotReady, draft_as_gold
from agreement.gold.services.drafts import draft_reset
from agreement.gold.services.jobs import draft_close_request, draft_open_request
from agreement.gold.status import (
    PairState,
    PairStatus,
    draft_progress,
    next_pair_to_decide,
    pair_status,
    pair_statuses,
    pairs_in_progress,
    submitted_pairs,
    usable_rule,
)
from agreement.gold.version_diff import gold_history, rows_of, same_content, version_diff, visible_credits
from agreement.gold.views.base import REFRESH_SECONDS, render_page
from agreement.gold.views.jobs import redirect_to_result
from agreement.models import GoldJob, GoldVersion
from agreement.report.query_params import number_of
from agreement.selectors import (
    exclusions,
    gold_annotations,
    gold_draft,
    gold_job_unfinished,
    gold_newest,
    gold_versions,
)
from annotation.display_names import format_count
from annotation.errors import DomainError, NotFound
from annotation.models import Annotation, Assignment, Pair, Project
from annotation.permissions import Access, adjudicator_access, assignment_to_read, lead_access, member_access
from annotation.selectors.annotations import IMPORTED
from annotation.selectors.assignments import assignments_of, no_assignment
from annotation.selectors.pairs import pair_get, pair_list
from annotation.selectors.parallel_documents import ParallelDocumentPair, pairs_of_parallel_documents
from annotation.selectors.projects import options_of
from annotation.selectors.references import pairs_to_finish
from annotation.selectors.workers import CPU, workers_alive
from annotation.services.references import reference_record, references_record
from annotation.text.schemes import Scheme
from annotation.views.base import AuthenticatedRequest, person_page
from annotation.vocabulary import FINISHED

PAGE = 50


@person_page
@require_safe
def queue(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The queue of manual adjudication: the draft's pairs with their status."""
    access = adjudicator_access(request.user, slug)
    draft = gold_draft(access.project)
    context: dict[str, Any] = {
        "draft": draft,
        "form": rule_form(draft, access.project.labels, blind=access.blind),
        "options": options_of(access.project),
        "job": gold_job_unfinished(access.project),
    }
    if draft is not None:
        draft.project = access.project
        page = Paginator(submitted_pairs(draft), PAGE).get_page(request.GET.get("page"))
        whole = {pair.pk: pair for pair in pair_list(access.project).filter(pk__in=[pair.pk for pair in page])}
        rule = usable_rule(draft)
        # Without its rule, a draft has no decisions to show; the form below gives it another one.
        rows = pair_statuses(draft, [whole[pair.pk] for pair in page]) if rule else []
        redact = Redactor(access.project, hidden=access.blind, viewer=request.user)
        others = pairs_of_parallel_documents(access.project, [row.pair.pk for row in rows])
        context |= {
            "rule": rule,
            "installed": draft.rule in RULES,
            "rule_title": rule_title(draft.rule),
            "page": page,
            "rows": [
                (row, _exclusion_reason(row, redact), _reason_to_exclude(row, others.get(row.pair.pk, ()), redact))
                for row in rows
            ],
            "PairState": PairState,
            "progress": draft_progress(draft),
            "in_progress": pairs_in_progress(draft)[:PAGE],
        }
    return render_page(request, "gold_queue", access, **context)


def _exclusion_reason(row: PairStatus, redact: Redactor) -> str:
    return redact(row.exclusion.reason) if row.exclusion else ""


def _reason_to_exclude(row: PairStatus, others: Sequence[ParallelDocumentPair], redact: Redactor) -> str:
    """What was said of the pair, and in which other languages its document was flagged."""
    flagged = ", ".join("–".join(each.languages) for each in others if each.flags)
    elsewhere = _("flagged in %(pairs)s") % {"pairs": flagged} if flagged else ""
    return "; ".join(filter(None, (suggested_reason(row, redact), elsewhere)))


def rule_form(draft: GoldVersion | None, scheme: Scheme, *, blind: bool) -> AdjudicationRuleForm:
    """The form of the draft's rule or, without a draft or a usable rule, of the rule that leaves the most to people."""
    rule = usable_rule(draft) if draft else None
    if draft is None or rule is None:
        initial = {"phase": draft.phase} if draft else {}
        return AdjudicationRuleForm(AGREED, initial=initial, scheme=scheme, blind=blind)
    initial = {"phase": draft.phase, **settings_for_fields(draft.parameters)}
    return AdjudicationRuleForm(rule, initial=initial, scheme=scheme, blind=blind)


@person_page
@require_POST
def open_draft(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Open a draft, or continue the open one under another rule; or have a worker do it."""
    access = adjudicator_access(request.user, slug)
    chosen = RULES.get(request.POST.get("rule", ""), AGREED)
    form = AdjudicationRuleForm(chosen, request.POST, scheme=access.project.labels, blind=access.blind)
    if not form.is_valid():
        messages.error(request, form.problem)
        return redirect("manual-adjudication", slug)
    try:
        result = draft_open_request(
            project=access.project,
            rule=form.chosen.name,
            phase=form.cleaned_data["phase"],
            settings={**hidden_settings(gold_draft(access.project), form.chosen.name, access), **form.settings},
            by=request.user,
        )
    except DomainError as error:
        messages.error(request, str(error))
        return redirect("manual-adjudication", slug)
    return redirect_to_result(request, access, GoldJob.OPEN, result)


@person_page
@require_POST
def close_draft(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Close the draft: make it a gold version, or have a worker do it."""
    access = lead_access(request.user, slug)
    draft = gold_draft(access.project)
    if draft is None:
        messages.error(request, _("No draft is open."))
        return redirect("manual-adjudication", slug)
    try:
        result = draft_close_request(draft=draft, by=request.user)
    except DomainError as error:
        messages.error(request, str(error))
        return redirect("manual-adjudication", slug)
    return redirect_to_result(request, access, GoldJob.CLOSE, result)


@person_page
@require_POST
def reset(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Delete the work in progress on a pair, so that the rule decides it."""
    access = adjudicator_access(request.user, slug)
    pair = pair_get(access.project, pk)
    draft = gold_draft(access.project)
    if draft is None:
        messages.error(request, _("No draft is open."))
        return redirect("manual-adjudication", slug)
    try:
        draft_reset(draft=draft, pair=pair)
    except DomainError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("%(pair)s is decided by the rule again.") % {"pair": pair.external_id})
    return redirect(f"{reverse('manual-adjudication', args=[slug])}#{PairState.IN_PROGRESS}")


@person_page
@require_safe
def old_address(request: AuthenticatedRequest, slug: str, rest: str = "") -> HttpResponse:
    """Redirect from `hand/…`, where these pages were before."""
    adjudicator_access(request.user, slug)
    address = reverse("manual-adjudication", args=[slug]) + rest
    query = request.META["QUERY_STRING"]
    return HttpResponsePermanentRedirect(f"{address}?{query}" if query else address)


@person_page
@require_safe
@never_cache
@ensure_csrf_cookie
def pair(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """One pair in the workspace, with all annotators' spans; its data is in the page."""
    access = adjudicator_access(request.user, slug)
    submitted_pair = pair_get(access.project, pk)
    draft = gold_draft(access.project)
    if draft is None:
        messages.info(request, _("Open a draft first; it sets the phase and the automatic rule."))
        return redirect("manual-adjudication", slug)
    status = pair_status(draft, submitted_pair)
    if status is None:
        raise NotFound(_("Nobody has submitted this pair."), where=submitted_pair.external_id)
    references_record(project=access.project, pairs=[pk], by=request.user)
    context = {"assignment": adjudication_workspace(status, access), "preferences": request.user.preferences}
    return render_page(request, "gold_pair", access, PairState=PairState, **context)


@person_page
@require_safe
@never_cache
def next_pair(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Redirect to the next pair that needs a decision; if there is none, to the queue with a message."""
    access = adjudicator_access(request.user, slug)
    draft = gold_draft(access.project)
    if draft is None:
        return redirect("manual-adjudication", slug)
    draft.project = access.project
    after = number_of(request, "after", 0)
    previous = pair_list(access.project).filter(pk=after).first() if after else None
    following = next_pair_to_decide(draft, previous)
    if following is None:
        messages.info(request, _nothing_to_decide(draft, previous))
        return redirect("manual-adjudication", slug)
    return redirect("manual-adjudication-pair", slug, following.pk)


def _nothing_to_decide(draft: GoldVersion, previous: Pair | None) -> str:
    """Why no pair follows `previous`: the queue counts pairs as remaining that the rule is sure of."""
    if previous is not None and next_pair_to_decide(draft) is not None:
        return _("No other pairs need a decision.")
    remaining = draft_progress(draft).remaining
    if not remaining:
        return _("No pairs need a decision.")
    return ngettext(
        "No pairs need a decision: the rule is sure of the %(n)s pair that remains.",
        "No pairs need a decision: the rule is sure of the %(n)s pairs that remain.",
        remaining,
    ) % {"n": format_count(remaining)}


@person_page
@require_safe
def compare(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """What changed between two gold versions, or what the open draft would change."""
    access = adjudicator_access(request.user, slug)
    draft = gold_draft(access.project)
    numbers = [version.number for version in gold_versions(access.project)]
    if gold_annotations(access.project, IMPORTED).exists():
        numbers.append(IMPORTED)
    if draft is not None:
        draft.project = access.project
        numbers.insert(0, draft.number)
    latest = [*numbers, IMPORTED, IMPORTED]
    other = number_of(request, "other", latest[0])
    one = number_of(request, "one", latest[1])
    pair_rows = []
    if len(numbers) > 1:
        try:
            before, after = (
                draft_as_gold(draft)
                if draft is not None and number == draft.number
                else {row.pair_id: row for row in gold_annotations(access.project, number).select_related(None)}
                for number in (one, other)
            )
        except PreviewNotReady:
            return _computing(request, access)
        pair_rows = version_diff(access.project, before, after, visible_credits(access))
    page = Paginator(pair_rows, PAGE).get_page(request.GET.get("page"))
    references_record(project=access.project, pairs=[row.pair.pk for row in page], by=request.user)
    return render_page(
        request,
        "gold_compare",
        access,
        numbers=numbers,
        draft=draft,
        one=one,
        other=other,
        query=f"one={one}&other={other}",
        page=page,
        changed=sum(row.kind == "changed" for row in pair_rows),
        added=sum(row.kind == "added" for row in pair_rows),
        removed=sum(row.kind == "removed" for row in pair_rows),
        spans=sum(len(row.rows) for row in pair_rows),
    )


def _computing(request: AuthenticatedRequest, access: Access) -> HttpResponse:
    """What is shown, with status 202, until a worker has decided what the open draft leaves to its rule."""
    context = {"unattended": not workers_alive(CPU), "seconds": REFRESH_SECONDS}
    response = render_page(request, "gold_computing", access, **context)
    response.status_code = 202
    response["Retry-After"] = str(REFRESH_SECONDS)
    return response


@person_page
@require_safe
def history(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """A pair's gold in every version, and where each span comes from."""
    access = adjudicator_access(request.user, slug)
    pair = pair_get(access.project, pk)
    references_record(project=access.project, pairs=[pk], by=request.user)
    redact = Redactor(access.project, hidden=access.blind, viewer=request.user)
    rows = gold_history(pair, visible_credits(access), redact)
    excluded = redact(exclusions(access.project).get(pk, ""))
    return render_page(request, "gold_history", access, pair=pair, made=rows, excluded=excluded)


def assignments_with_gold(project: Project, assignments: Iterable[Assignment]) -> list[Assignment]:
    """Those of a person's assignments for which they may see the gold: the lead shows it, and the phase is closed.

    Not while they still have to annotate the same texts in another phase.
    """
    options = options_of(project)
    if not options.gold_shown:
        return []
    finished = [each for each in assignments if each.phase in options.closed_phases and each.status in FINISHED]
    waiting = pairs_to_finish(finished[0].annotator) if finished else set()
    return [each for each in finished if each.pair_id not in waiting]


@person_page
@require_safe
def own_list(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Where the gold differs from the annotator's own work."""
    access = member_access(request.user, slug)
    project, number = access.project, gold_newest(access.project)
    assignments = assignments_of(access.membership) if access.membership else Assignment.objects.none()
    # With their spans, to compare them with the gold.
    compared = assignments_with_gold(project, assignments.defer(None).defer("pair__metadata", "pair__translations"))
    gold: dict[int, Annotation] = {}
    if number is not None and compared:
        annotations = gold_annotations(project, number).select_related(None).filter(pair__in=assignments.values("pair"))
        gold = {row.pair_id: row for row in annotations}
    own = [each for each in compared if each.pair_id in gold]
    scheme = project.labels
    same = {each.pk for each in own if same_content(scheme, each.annotation, gold[each.pair_id])}
    page = Paginator(own, PAGE).get_page(request.GET.get("page"))
    # The texts, and what exactly differs, are read for one page alone.
    pairs = pair_list(project).select_related("a", "b").in_bulk([each.pair_id for each in page if each.pk not in same])
    rows = [
        (each, 0 if each.pk in same else _differences(project, pairs[each.pair_id], each, gold[each.pair_id]))
        for each in page
    ]
    return render_page(request, "gold_own_list", access, rows=rows, page=page, total=len(own), same=len(same))


def _differences(project: Project, pair: Pair, assignment: Assignment, gold: Annotation) -> int:
    pair.project = project
    return len(rows_of(pair, assignment.annotation, gold, None))


@person_page
@require_safe
def own_pair(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """A pair as the annotator marked it and as it was adjudicated, read-only."""
    access = member_access(request.user, slug)
    assignment = assignment_to_read(request.user, pk)
    number = gold_newest(access.project)
    if assignment.annotator.project_id != access.project.pk or number is None:
        raise no_assignment(pk)
    if not assignments_with_gold(access.project, [assignment]):
        raise NotFound(_("The gold for this pair is not shown."), where=assignment.pair.external_id)
    gold = gold_annotations(access.project, number).filter(pair=assignment.pair).first()
    if gold is None:
        raise NotFound(_("This pair is excluded from the gold."), where=assignment.pair.external_id)
    reference_record(assignment=assignment, by=request.user)
    annotation = assignment.annotation
    pair = assignment.pair
    pair.project = access.project
    people = (Person(0, _("You"), annotation), Person(1, _("Gold"), gold))
    return render_page(
        request,
        "gold_own",
        access,
        pair=pair,
        assignment=assignment,
        rows=rows_of(pair, annotation, gold, None),
        side_by_side=side_by_side_of(access.project, pair, people),
        scheme=access.project.labels,
        back=reverse("adjudicated", args=[slug]),
    )
