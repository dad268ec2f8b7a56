"""Pages of rules: choose one, see what it would decide, create gold."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from agreement.adjudication.base import RULES
from agreement.adjudication.reasons import Reason
from agreement.blind import Redactor
from agreement.data.adjudication_inputs import cases_of
from agreement.data.side_by_side import answered, side_by_side_of
from agreement.gold.forms import NAMING, RuleForm
from agreement.gold.reasons import reason_words
from agreement.gold.rule_comparison import by_each_rule, changes, compare_rules, label_distributions
from agreement.gold.services.exclusions import pair_exclude, pair_include
from agreement.gold.services.versions import Cases, Outcome, gold_create
from agreement.report.query_params import number_of, view_of
from agreement.selectors import (
    exclusions,
    gold_annotations,
    gold_newest,
    gold_version_get,
    gold_versions,
    manual_decisions,
)
from annotation.errors import DomainError
from annotation.forms.settings import titled
from annotation.models import Pair
from annotation.permissions import Access, adjudicator_access, lead_access
from annotation.selectors.pairs import pair_get
from annotation.views.base import AuthenticatedRequest, person_page

QUEUE = 200
PER_PAGE = 100


def shown(request: AuthenticatedRequest, template: str, access: Access, **context: Any) -> HttpResponse:
    common = {"access": access, "project": access.project, "section": "adjudication"}
    return render(request, f"agreement/{template}.html", {**common, **context})


def form_of(access: Access, data: QueryDict, *, sent: bool) -> RuleForm:
    """The form of the requested rule, filled in if it was sent; by default, of the rule that fits the scheme."""
    scheme = access.project.labels
    fitting = "xparade" if {"new", "inferable"} <= set(scheme.keys) else "majority"
    chosen = RULES.get(data.get("rule", ""), RULES[fitting])
    return RuleForm(chosen, data if sent else None, scheme=scheme, blind=access.blind)


@person_page
@require_safe
def adjudication(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The adjudication page: the rules, and the gold versions so far."""
    access = adjudicator_access(request.user, slug)
    newest = gold_newest(access.project)
    left_out = exclusions(access.project)
    decided = manual_decisions(access.project)
    names = dict(Pair.objects.filter(pk__in=[*left_out, *decided]).values_list("pk", "external_id"))
    redact = Redactor(access.project, hidden=access.blind, viewer=request.user)
    return shown(
        request,
        "_rule_form" if request.htmx else "adjudication",
        access,
        form=form_of(access, request.GET, sent=False),
        versions=gold_versions(access.project),
        newest=newest,
        left_out=[(pk, names[pk], redact(reason)) for pk, reason in left_out.items()],
        decided=[(pk, names[pk], decision) for pk, decision in decided.items()],
        people=[] if access.blind else label_distributions(access.project),
    )


@person_page
@require_POST
def attempt(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """A dry run of a rule: nothing is written."""
    access = adjudicator_access(request.user, slug)
    form = form_of(access, request.POST, sent=True)
    cases = cases_of(access.project, form.cleaned_data["phase"]) if form.is_valid() else {}
    outcome, problem = _outcome(access, form, dry_run=True, cases=cases)
    context: dict[str, Any] = {"form": form, "problem": problem}
    if outcome is not None:
        unsure = [item for item in outcome.kept if item.unsure and not item.by]
        body = outcome.to_json()
        redact = Redactor(access.project, hidden=access.blind, viewer=request.user)
        body["reasons"] = {name: reason_words(why, redact) for name, why in outcome.excluded.items()}
        # Trying all rules takes longer than trying one, so the page requests it after showing the result.
        comparing = not request.htmx or "compare" in request.POST
        context |= {
            "outcome": outcome,
            "body": body,
            "unsure": unsure[:QUEUE],
            "unsure_count": len(unsure),
            "changes": changes(access.project, outcome),
            "others": compare_rules(access.project, outcome, cases, redact) if comparing else None,
        }
    return shown(request, "_rule_comparison" if "compare" in request.POST else "_rule_preview", access, **context)


@person_page
@require_POST
def make(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Create the next gold version."""
    access = lead_access(request.user, slug)
    form = form_of(access, request.POST, sent=True)
    outcome, problem = _outcome(access, form, dry_run=False, by=request.user)
    if outcome is None or outcome.version is None:
        messages.error(request, problem)
        return redirect("adjudication", slug)
    messages.success(request, _("Gold version %(number)s was created.") % {"number": outcome.version.number})
    return redirect(reverse("gold-version", args=[slug, outcome.version.number]))


def _outcome(
    access: Access, form: RuleForm, *, dry_run: bool, by: Any = None, cases: Cases | None = None
) -> tuple[Outcome | None, str]:
    if not form.is_valid():
        return None, form.problem
    try:
        outcome = gold_create(
            project=access.project,
            rule=form.chosen.name,
            phase=form.cleaned_data["phase"],
            settings=form.settings,
            by=by,
            dry_run=dry_run,
            cases=cases,
        )
    except DomainError as error:
        return None, str(error)
    return outcome, ""


@person_page
@require_safe
def rules(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """What each rule would decide for a pair: all of them over both texts, differences first."""
    access, view = adjudicator_access(request.user, slug), view_of(request)
    found = pair_get(access.project, pk)
    found.project = access.project
    redact = Redactor(access.project, hidden=access.blind, viewer=request.user)
    people, problems = by_each_rule(access.project, found, view.phase, redact)
    side_by_side = side_by_side_of(access.project, found, people)
    scheme = access.project.labels
    context = {
        "pair": found,
        "side_by_side": side_by_side,
        "problems": problems,
        "view": view,
        "answered": answered(scheme, people),
    }
    return shown(request, "rules", access, scheme=scheme, **context)


@person_page
@require_POST
def exclude(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """Exclude a pair from the gold with a reason, or include it again."""
    access = adjudicator_access(request.user, slug)
    found = pair_get(access.project, pk)
    if request.POST.get("action") == "include":
        pair_include(pair=found)
        messages.success(request, _("The pair is included again."))
        return redirect("adjudication", slug)
    pair_exclude(pair=found, reason=request.POST.get("reason", ""), by=request.user)
    messages.success(request, _("The pair is excluded from the next gold version."))
    return redirect("agreement-pair", slug, pk)


@person_page
@require_safe
def version(request: AuthenticatedRequest, slug: str, number: int) -> HttpResponse:
    """What a gold version contains, and where it comes from."""
    access = adjudicator_access(request.user, slug)
    found = gold_version_get(access.project, number)
    redact = Redactor(access.project, hidden=access.blind, viewer=request.user)
    rows = gold_annotations(access.project, number).values_list("pair_id", "pair__external_id", "span_count")
    page = Paginator(rows.order_by("pair__position", "pair_id"), PER_PAGE).get_page(number_of(request, "page", 1))
    rule = RULES.get(found.rule)
    settings = {name: value for name, value in found.parameters.items() if not access.blind or name not in NAMING}
    before = [each.number for each in gold_versions(access.project) if each.number < number]
    return shown(
        request,
        "version",
        access,
        version=found,
        rule=rule.title if rule else found.rule,
        excluded=sorted((name, reason_words(Reason.from_json(why), redact)) for name, why in found.excluded.items()),
        settings=titled(rule.settings if rule else None, settings),
        page=page,
        before=before[0] if before else None,
    )
