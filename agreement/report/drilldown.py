"""Drill-down: the documents and spans behind a number, and the words on which people differ or agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from agreement.metrics.documents import Collection
from agreement.report.compute.disputes import Dispute, disputes
from agreement.report.compute.document_counts import LINKED, ONE_SIDED
from agreement.report.compute.matched_spans import (
    MatchedSpan,
    filter_disputes,
    marks,
    matches,
    passages,
    sentences_with,
)
from agreement.report.display_names import person_name
from agreement.report.figure_urls import pair_url, with_url
from agreement.report.name_lists import join_names, split_names
from agreement.report.page import body_of
from agreement.report.project_report import used_of
from agreement.report.query_params import number_of, scope_of
from agreement.report.scope import Scope
from agreement.report.services.reports import disputes_of_scope, report_request
from agreement.report.views import has_current_format, needs_report, render_page, waits_without_worker
from annotation.display_names import format_count
from annotation.models import Annotation, Pair, Text
from annotation.permissions import Access, lead_access
from annotation.scheme_words import scheme_in_words
from annotation.selectors.pairs import pair_list
from annotation.text.quotes import context_around
from annotation.text.schemes import Label
from annotation.views.base import AuthenticatedRequest, person_page
from annotation.views.query_params import number_param

PER_PAGE = 50
MAX_TEXT_LENGTH = 160
CONTEXT = 40


@person_page
@require_safe
def documents(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The documents behind a number, most disputed first or in the order of one person's work."""
    access, scope = lead_access(request.user, slug), scope_of(request)
    cached, fresh = report_request(project=access.project, scope=scope, body_of=body_of)
    body = cached.body if cached.body and has_current_format(cached.body) else None
    rows = list(body["rows"]) if body else []
    partition = not (access.project.labels.links or access.project.labels.overlap)
    if request.GET.get("counted") and not partition:
        rows = [row for row in rows if not row["empty"]]
    person, side = request.GET.get("person", ""), request.GET.get("side", "")
    if person:
        rows = [row for row in rows if person in row["order"]]
    if person and request.GET.get("order") == "work":
        rows.sort(key=lambda row: row["order"][person])
    elif side in ("a", "b"):
        # Documents that nobody marked on this side have no figure and come last.
        rows.sort(key=lambda row: (row["overlap"]["ab".index(side)] is None, row["overlap"]["ab".index(side)]))
    page = Paginator(rows, PER_PAGE).get_page(number_of(request, "page", 1))
    return render_page(
        request,
        "report_documents",
        access,
        scope,
        page=page,
        rows=[with_url(access.project, scope, row) for row in page],
        fresh=fresh,
        unattended=waits_without_worker(cached),
        body=body,
        marked_sides=body["marked_sides"] if body else [],
        filters=_filters(request, "counted", "person", "order", "side"),
        person=person,
    )


@person_page
@require_safe
@needs_report
def spans(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The spans behind a number: those of one person or label, or those that match between two people."""
    access, scope = lead_access(request.user, slug), scope_of(request)
    collection = disputes_of_scope(access.project, scope)[0]
    collection = used_of(collection) if request.GET.get("counted") else collection
    matched, kind = request.GET.get("matched", ""), request.GET.get("kind", "")
    annotator = _index_of(collection.annotators, request.GET.get("annotator", ""))
    label = _index_of(collection.labels, request.GET.get("label", ""))
    if request.GET.get("runs"):
        spans_shown = passages(collection, annotator=annotator, label=label)
    elif matched:
        spans_shown = matches(
            collection.shared(), None if matched == "exact" else number_of(request, "matched", 0), kind
        )
    else:
        spans_shown = marks(
            collection,
            annotator=annotator,
            label=label,
            kind=kind,
            broken=bool(request.GET.get("broken")),
        )
    if request.GET.get("suggested"):
        spans_shown = _accepted_suggestions(collection, spans_shown)
    page = Paginator(spans_shown, PER_PAGE).get_page(number_of(request, "page", 1))
    pairs = _pairs(access, (each.pair for each in page))
    labels = _labels(access, collection)
    rows = [_span(access, scope, pairs[each.pair], each, labels, collection.annotators) for each in page]
    names = ("counted", "matched", "kind", "annotator", "label", "broken", "suggested", "runs")
    wanted = {name: request.GET.get(name, "") for name in names}
    kinds = (LINKED, ONE_SIDED) if len(collection.sides) > 1 else ()
    context = {
        "wanted": wanted,
        "people": _with_spans(collection, wanted),
        "labels": collection.labels if wanted["runs"] else collection.labels[1:],
        "kinds": () if wanted["runs"] else kinds,
        "total": _words_in_total(sum(len(tokens) for mark in spans_shown for tokens in mark.tokens)),
        "sentences": sentences_with(collection, spans_shown) if wanted["runs"] else 0,
    }
    return render_page(
        request, "spans", access, scope, page=page, rows=rows, filters=_filters(request, *names), **context
    )


def _with_spans(collection: Collection, filters: Mapping[str, str]) -> list[str]:
    """The annotators to filter by: those with spans (or any work, if passages count), and the chosen one."""
    annotations = [annotation for document in collection.documents for annotation in document.annotations]
    shown = {annotation.annotator for annotation in annotations if filters["runs"] or annotation.spans}
    return [name for n, name in enumerate(collection.annotators) if n in shown or name == filters["annotator"]]


@person_page
@require_safe
@needs_report
def disagreements(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The passages on which people disagree, filtered, most costly first; or those with the same label from both."""
    access, scope = lead_access(request.user, slug), scope_of(request)
    collection, everything = disputes_of_scope(access.project, scope)
    names = ("labels", "label", "side", "annotator", "least", "linked", "kind", "ordered", "tenth", "counted")
    wanted = {name: request.GET.get(name, "") for name in names}
    chosen = tuple(collection.labels.index(key) for key in split_names(wanted["labels"]) if key in collection.labels)
    alike = len(chosen) == 2 and chosen[0] == chosen[1]
    used = frozenset(document.pair for document in used_of(collection).documents) if wanted["counted"] else None
    shown = filter_disputes(
        disputes(collection, alike=chosen[0]) if alike else everything,
        labels=(chosen[0], chosen[1]) if len(chosen) == 2 else None,
        ordered=bool(wanted["ordered"]),
        label=_index_of(collection.labels, wanted["label"]),
        side={"a": 0, "b": 1}.get(wanted["side"]),
        annotator=_index_of(collection.annotators, wanted["annotator"]),
        least=number_of(request, "least", 1),
        linked={"yes": True, "no": False, LINKED: True, ONE_SIDED: False}.get(wanted["linked"] or wanted["kind"]),
        tenth=number_param(request.GET, "tenth"),
        pairs=used,
    )
    page = Paginator(shown, PER_PAGE).get_page(number_of(request, "page", 1))
    pairs = _pairs(access, (each.pair for each in page))
    labels = _labels(access, collection)
    return render_page(
        request,
        "disagreements",
        access,
        scope,
        page=page,
        rows=[_passage(access, scope, pairs[each.pair], each, labels, collection.annotators) for each in page],
        total=_words_in_total(sum(each.tokens for each in shown)),
        alike=collection.labels[chosen[0]] if alike else "",
        filters=_filters(request, *names),
        wanted=wanted,
        label_pairs=[(join_names(two), " / ".join(two)) for two in combinations(collection.labels, 2)],
        scheme=access.project.labels,
        people=collection.annotators,
        sides=["ab"[side] for side in collection.sides],
    )


def _words_in_total(n: int) -> str:
    return ngettext("%(shown)s word in total", "%(shown)s words in total", n) % {"shown": format_count(n)}


def _filters(request: AuthenticatedRequest, *names: str) -> str:
    query = urlencode({name: request.GET[name] for name in names if request.GET.get(name)})
    return f"&{query}" if query else ""


def _index_of(names: Sequence[str], name: str) -> int | None:
    return names.index(name) if name in names else None


def _labels(access: Access, collection: Collection) -> list[Label | None]:
    labels = {label.key: label for label in scheme_in_words(access.project.labels).labels}
    return [labels.get(key) for key in collection.labels]


def _pairs(access: Access, keys: Any) -> dict[int, Pair]:
    return {item.pk: item for item in pair_list(access.project).filter(pk__in=set(keys))}


def _accepted_suggestions(collection: Collection, candidates: list[MatchedSpan]) -> list[MatchedSpan]:
    """The spans that began as a suggestion, in work for which highlights were shown."""
    annotations = [
        annotation
        for document in collection.documents
        for annotation in document.annotations
        if annotation.accepted and annotation.highlights
    ]
    rows = Annotation.objects.filter(pk__in=[annotation.annotation for annotation in annotations]).values_list(
        "pk", "spans"
    )
    accepted = {
        (pk, index)
        for pk, spans in rows
        for index, span in enumerate(spans["spans"])
        if span.get("origin", "manual") != "manual"
    }
    return [mark for mark in candidates if (mark.annotations[0], mark.indices[0]) in accepted]


def _words(text: Text, tokens: Sequence[int]) -> str:
    """The words of some tokens, with '…' between those that are not adjacent."""
    parts: list[str] = []
    start = last = -1
    for token in [*tokens, -2]:
        if token != last + 1 or start < 0:
            if start >= 0:
                parts.append(text.content[text.tokens[start][0] : text.tokens[last][1]])
            start = token
        last = token
    words = " … ".join(parts)
    return words if len(words) <= MAX_TEXT_LENGTH else f"{words[: MAX_TEXT_LENGTH - 1]}…"


def _labels_by_person(
    mark: MatchedSpan | Dispute, labels: list[Label | None], people: tuple[str, ...]
) -> list[tuple[str, Label | None]]:
    """Who gave which label."""
    labelled = zip(mark.annotators, mark.labels, strict=True)
    return [(person_name(people[person]), labels[code]) for person, code in labelled]


def _span(
    access: Access, scope: Scope, pair: Pair, mark: MatchedSpan, labels: list[Label | None], people: tuple[str, ...]
) -> dict[str, Any]:
    side = "a" if mark.tokens[0] else "b"
    anchor = f"#{side}{mark.tokens['ab'.index(side)][0]}" if any(mark.tokens) else ""
    return {
        "name": mark.name,
        "href": f"{pair_url(access.project, mark.pair, scope)}{anchor}",
        "sides": [
            {"language": text.language, "words": _words(text, tokens)}
            for text, tokens in zip((pair.a, pair.b), mark.tokens, strict=True)
            if tokens
        ],
        "who": _labels_by_person(mark, labels, people),
        "similarity": mark.similarity,
    }


def _passage(
    access: Access, scope: Scope, pair: Pair, dispute: Dispute, labels: list[Label | None], people: tuple[str, ...]
) -> dict[str, Any]:
    text = pair.b if dispute.side else pair.a
    start, end = text.tokens[dispute.first][0], text.tokens[dispute.last - 1][1]
    before, after = context_around(text.content, start, end, CONTEXT)
    return {
        "name": dispute.name,
        "pair": dispute.pair,
        "side": "ab"[dispute.side],
        "first": dispute.first,
        "last": dispute.last,
        "href": f"{pair_url(access.project, dispute.pair, scope)}#{'ab'[dispute.side]}{dispute.first}",
        "language": text.language,
        "before": before,
        "text": text.content[start : min(end, start + MAX_TEXT_LENGTH)],
        "after": after if end <= start + MAX_TEXT_LENGTH else "…",
        "label": next((labels[code] for code in dispute.labels if labels[code]), None),
        "who": _labels_by_person(dispute, labels, people),
        "tokens": dispute.tokens,
        "cost": round(dispute.cost, 1),
        "linked": dispute.linked,
    }
