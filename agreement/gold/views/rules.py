"""Pages of rules: choose one, see what it would decide, create gold."""

from __future__ import annotations

import json
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from agreement.adjudication.base import RULES
from agreement.adjudication.reasons import Reason
from agreement.adjudication.registry import proposed_rule
from agreement.blind import Redactor
from agreement.data.side_by_side import answers_by_person, side_by_side_of
from agreement.gold.answer_counts import answer_counts
from agreement.gold.forms import AdjudicationRuleForm
from agreement.gold.reasons import reason_text, rule_title
from agreement.gold.rule_comparison import decisions_by_rule, label_distributions
from agreement.gold.rule_previews import PreviewNotReady, rule_preview
from agreement.gold.services.exclusions import pair_exclude, pair_include
from agreement.gold.services.jobs import gold_request
from agreement.gold.views.base import REFRESH_SECONDS, render_page
from agreement.gold.views.jobs import redirect_to_result
from agreement.models import GoldJob
from agreement.report.query_params import number_of, scope_of
from agreement.selectors import (
    exclusions,
    gold_annotations,
    gold_job_unfinished,
    gold_newest,
    gold_version_get,
    gold_versions,
    manual_decisions,
)
from annotation.errors import Conflict, DomainError, Invalid
from annotation.forms.settings import settings_with_titles
from annotation.models import Pair
from annotation.permissions import Access, adjudicator_access, lead_access
from annotation.person_names import NAMING
from annotation.scheme_words import scheme_in_words
from annotation.selectors.pairs import pair_get
from annotation.selectors.workers import CPU, workers_alive
from annotation.views.base import AuthenticatedRequest, person_page

PER_PAGE = 100


def rule_form(access: Access, data: QueryDict, *, sent: bool) -> AdjudicationRuleForm:
    """The form of the requested rule, filled in if it was sent; by default, of the one proposed for the scheme."""
    scheme = access.project.labels
    chosen = RULES.get(data.get("rule", "")) or proposed_rule(scheme)
    return AdjudicationRuleForm(chosen, data if sent else None, scheme=scheme, blind=access.blind)


@person_page
@require_safe
def adjudication(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The adjudication page: the rules, and the gold versions so far."""
    access = adjudicator_access(request.user, slug)
    newest = gold_newest(access.project)
    excluded = exclusions(access.project)
    decided = manual_decisions(access.project)
    names = dict(Pair.objects.filter(pk__in=[*excluded, *decided]).values_list("pk", "external_id"))
    redact = Redactor(access.project, hidden=access.blind, viewer=request.user)
    return render_page(
        request,
        "_rule_form" if request.htmx else "adjudication",
        access,
        form=rule_form(access, request.GET, sent=False),
        versions=[(each, rule_title(each.rule)) for each in gold_versions(access.project)],
        job=gold_job_unfinished(access.project),
        newest=newest,
        excluded=[(pk, names[pk], redact(reason)) for pk, reason in excluded.items()],
        decided=[(pk, names[pk], decision) for pk, decision in decided.items()],
        people=[] if access.blind else label_distributions(access.project),
    )


@person_page
@require_POST
def dry_run(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """A dry run of a rule: nothing is written. While a worker computes it the status is 202."""
    access = adjudicator_access(request.user, slug)
    form = rule_form(access, request.POST, sent=True)
    # Trying all rules takes longer than trying one, so the page requests it after showing the result.
    comparing, same_request = "compare" in request.POST, _same_request(request.POST)
    try:
        preview, others = rule_preview(
            **_request_values(access, form), others=comparing or not request.htmx, retry="waiting" not in request.POST
        )
    except PreviewNotReady:
        context = {"same_request": same_request, "comparing": comparing, "unattended": not workers_alive(CPU)}
        response = render_page(request, "_rule_waiting", access, **context)
        response.status_code = 202
        response["Retry-After"] = str(REFRESH_SECONDS)
        if "waiting" in request.POST:
            response["HX-Reswap"] = "none"  # what is there says so already, and need not be read out again
        return response
    except DomainError as error:
        return render_page(request, "_rule_preview", access, form=form, problem=str(error))
    redact = Redactor(access.project, hidden=access.blind, viewer=request.user)
    reasons = {name: reason_text(why, redact) for name, why in preview.excluded.items()}
    context = {
        "form": form,
        "body": preview.counts | {"reasons": reasons},
        "preview": preview,
        "answer_counts": answer_counts(scheme_in_words(access.project.labels), preview.counts),
        "changes": preview.changes,
        "others": None if others is None else [(row, row.why(redact)) for row in others],
        "same_request": same_request,
    }
    return render_page(request, "_rule_comparison" if comparing else "_rule_preview", access, **context)


def _same_request(data: QueryDict) -> str:
    """What a page sends to ask for the same dry run once more, though the form may show another rule by then."""
    own = ("csrfmiddlewaretoken", "compare", "waiting")
    return json.dumps({key: value for key, value in data.items() if key not in own})


@person_page
@require_POST
def create(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Create the next gold version, or have a worker do it."""
    access = lead_access(request.user, slug)
    form = rule_form(access, request.POST, sent=True)
    try:
        result = gold_request(**_request_values(access, form), by=request.user)
    except DomainError as error:
        messages.error(request, str(error))
        return redirect("adjudication", slug)
    return redirect_to_result(request, access, GoldJob.CREATE, result)


def _request_values(access: Access, form: AdjudicationRuleForm) -> dict[str, Any]:
    """What the form asks of a service. Raises Invalid, with what is wrong in the form."""
    if not form.is_valid():
        raise Invalid(form.problem, code="rule")
    phase = form.cleaned_data["phase"]
    return {"project": access.project, "rule": form.chosen.name, "phase": phase, "settings": form.settings}


@person_page
@require_safe
def rules(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """What each rule would decide for a pair: all of them over both texts, differences first."""
    access, scope = adjudicator_access(request.user, slug), scope_of(request)
    pair = pair_get(access.project, pk)
    pair.project = access.project
    redact = Redactor(access.project, hidden=access.blind, viewer=request.user)
    people, problems = decisions_by_rule(access.project, pair, scope.phase, redact)
    side_by_side = side_by_side_of(access.project, pair, people)
    scheme = scheme_in_words(access.project.labels)
    context = {
        "pair": pair,
        "side_by_side": side_by_side,
        "problems": problems,
        "scope": scope,
        "answered": answers_by_person(scheme, people),
    }
    return render_page(request, "rules", access, scheme=scheme, **context)


@person_page
@require_POST
def exclude(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Exclude a pair from the gold with a reason, or include it again."""
    access = adjudicator_access(request.user, slug)
    pair = pair_get(access.project, pk)
    if request.POST.get("action") == "include":
        pair_include(pair=pair)
        messages.success(request, _("The pair is included again."))
        return redirect("adjudication", slug)
    try:
        pair_exclude(pair=pair, reason=request.POST.get("reason", ""), by=request.user)
    except Conflict as error:  # the pair's page shows the reason
        messages.error(request, f"{error.message} {error.hint}")
    else:
        messages.success(request, _("The pair is excluded from the next gold version."))
    return redirect("agreement-pair", slug, pk)


@person_page
@require_safe
def version(request: AuthenticatedRequest, slug: str, number: int) -> HttpResponse:
    """What a gold version contains, and where it comes from."""
    access = adjudicator_access(request.user, slug)
    gold_version = gold_version_get(access.project, number)
    redact = Redactor(access.project, hidden=access.blind, viewer=request.user)
    rows = gold_annotations(access.project, number).values_list("pair_id", "pair__external_id", "span_count")
    page = Paginator(rows.order_by("pair__position", "pair_id"), PER_PAGE).get_page(number_of(request, "page", 1))
    rule = RULES.get(gold_version.rule)
    settings = {
        name: value for name, value in gold_version.parameters.items() if not access.blind or name not in NAMING
    }
    before = [each.number for each in gold_versions(access.project) if each.number < number]
    return render_page(
        request,
        "gold_version",
        access,
        version=gold_version,
        rule=rule_title(gold_version.rule),
        excluded=sorted(
            (name, reason_text(Reason.from_json(why), redact)) for name, why in gold_version.excluded.items()
        ),
        settings=settings_with_titles(rule.settings if rule else None, settings),
        answer_counts=answer_counts(scheme_in_words(access.project.labels), gold_version.counts),
        page=page,
        before=before[0] if before else None,
    )
