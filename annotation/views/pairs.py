"""The pairs of a project, and one pair with all its annotations."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.forms.base import PAIR_FILTERS
from annotation.forms.messages import MessageForm
from annotation.forms.texts import FeedbackForm
from annotation.models import Source
from annotation.permissions import lead_access
from annotation.scheme_words import scheme_in_words
from annotation.selectors.annotations import annotations_of_pair, gold_of
from annotation.selectors.assignments import assignments_of_pair
from annotation.selectors.highlights import has_highlights
from annotation.selectors.pairs import pair_get, pair_table, quoted_spans
from annotation.selectors.parallel_documents import ParallelDocumentPair, pairs_of_parallel_documents
from annotation.selectors.threads import ThreadStatus, lead_read_state, threads_listed, threads_of
from annotation.services.gold import gold_explain
from annotation.services.references import references_record
from annotation.services.thread_read_marks import threads_read
from annotation.views.base import AuthenticatedRequest, attempt, person_page, show

PAGE = 100


@person_page
@require_safe
def pairs(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The list of pairs with their progress."""
    access = lead_access(request.user, slug)
    query_text = request.GET.get("q", "").strip()
    only = request.GET.get("only", "")
    table = pair_table(access.project, source=Source.HUMAN, text=query_text, only=only)
    page = Paginator(table, PAGE).get_page(request.GET.get("page"))
    others = pairs_of_parallel_documents(access.project, [pair.pk for pair in page])
    flagged = {
        pk: languages
        for pk, rows in others.items()
        if (languages := [_language_list(each) for each in rows if each.flags])
    }
    query = urlencode({"q": query_text, "only": only})
    context = {"page": page, "q": query_text, "only": only, "query": query, "flagged": flagged}
    return show(request, "pairs", access, filters=PAIR_FILTERS, **context)


def _language_list(pair: ParallelDocumentPair) -> str:
    return "–".join(pair.languages)


@person_page
def pair(request: AuthenticatedRequest, slug: str, pk: int) -> HttpResponse:
    """One pair with its assignments, annotations and gold."""
    access = lead_access(request.user, slug)
    shown_pair = pair_get(access.project, pk)
    gold = gold_of(shown_pair)
    form = FeedbackForm(request.POST or None, initial={"comment": gold.feedback if gold else ""})
    if gold and form.is_valid():
        comment = form.cleaned_data["comment"]
        if attempt(form, lambda: gold_explain(annotation=gold, feedback=comment)):
            messages.success(request, _("Saved."))
            return redirect("pair", slug=slug, pk=pk)
    references_record(project=access.project, pairs=[pk], by=access.user)
    threads = list(
        threads_listed(threads_of(access.project, of=None).filter(assignment__pair=shown_pair), ThreadStatus.ALL)
    )
    read_states = [lead_read_state(each, access.user) for each in threads]
    threads_read(threads=threads, by=access.user)
    scheme = scheme_in_words(access.project.labels)
    annotations, versions = (
        [
            {
                "annotation": each,
                "spans": quoted_spans(each, shown_pair, scheme),
                "answers": [
                    (question.title, question.name_of(each.answers[question.key]) or each.answers[question.key])
                    for question in scheme.questions
                    if question.key in each.answers
                ],
            }
            for each in annotations_of_pair(shown_pair, source=source)
        ]
        for source in (Source.HUMAN, Source.GOLD)
    )
    return show(
        request,
        "pair",
        access,
        pair=shown_pair,
        made=[*annotations, *versions],
        annotations=len(annotations),
        gold_versions=len(versions),
        gold=gold,
        form=form,
        assignments=assignments_of_pair(shown_pair),
        prelabelled=has_highlights(shown_pair),
        others=pairs_of_parallel_documents(access.project, [pk]).get(pk, []),
        threads=[
            (thread, read_state, MessageForm(auto_id=f"answer-{thread.pk}-%s"))
            for thread, read_state in zip(threads, read_states, strict=True)
        ],
    )
