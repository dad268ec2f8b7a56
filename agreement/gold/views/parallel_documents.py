"""Parallel documents: pages in several languages, whose pairs are excluded together, and their statistics."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from agreement.blind import Redactor
from agreement.gold.parallel_documents import parallel_document_rows, parallel_documents_matching
from agreement.gold.services.document_exclusions import parallel_documents_exclude, parallel_documents_include
from agreement.report.query_params import number_of
from annotation.errors import Invalid
from annotation.permissions import Access, lead_access
from annotation.selectors.parallel_documents import parallel_document_count, text_sizes
from annotation.views.base import AuthenticatedRequest, person_page

PAGE = 100
FILTERS = ("q", "only", "page")


@person_page
@require_safe
def documents(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The list of documents with their pairs, and how long their texts are."""
    access = lead_access(request.user, slug)
    return _list(request, access, request.GET, number_of(request, "page", 1))


def _list(
    request: AuthenticatedRequest, access: Access, params: QueryDict, number: int | str, problem: str = ""
) -> HttpResponse:
    """The page; with a problem what was chosen and typed stays."""
    project = access.project
    text, only = params.get("q", "").strip(), params.get("only", "")
    names = parallel_documents_matching(project, text=text, only=only)
    page = Paginator(names, PAGE).get_page(number)
    redact = Redactor(project, hidden=access.blind, viewer=request.user)
    rows = [(row, [redact(reason) for reason in row.reasons]) for row in parallel_document_rows(project, list(page))]
    context = {
        "access": access,
        "project": project,
        "page": page,
        "rows": rows,
        "total": parallel_document_count(project),
        "sizes": [row.to_json() for row in text_sizes(project)],
        "q": text,
        "only": only,
        "query": urlencode({"q": text, "only": only}),
        "problem": problem,
        "chosen": params.getlist("document") if problem else (),
        "reason": params.get("reason", "") if problem else "",
    }
    return render(request, "agreement/parallel_documents.html", context, status=422 if problem else 200)


@person_page
@require_POST
def exclude(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Exclude the selected documents with a reason, or include them again."""
    access = lead_access(request.user, slug)
    chosen = request.POST.getlist("document")
    try:
        if request.POST.get("action") == "include":
            result = parallel_documents_include(project=access.project, documents=chosen, by=request.user)
            say = ngettext("%(n)s pair is included again.", "%(n)s pairs are included again.", result.pairs)
        else:
            reason = request.POST.get("reason", "")
            result = parallel_documents_exclude(
                project=access.project, documents=chosen, reason=reason, by=request.user
            )
            say = ngettext(
                "%(n)s pair is excluded from the next gold version.",
                "%(n)s pairs are excluded from the next gold version.",
                result.pairs,
            )
    except Invalid as error:
        return _list(request, access, request.POST, request.POST.get("page", ""), error.message)
    messages.success(request, say % {"n": result.pairs})
    back = {name: request.POST[name] for name in FILTERS if request.POST.get(name)}
    return redirect(f"{reverse('documents', args=(slug,))}?{urlencode(back)}")
