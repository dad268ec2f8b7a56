"""Drill-down lists for numbers that are not about spans: text lengths, answers, the effect of highlights."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_safe

from agreement.report.compute.drift import own_documents, share_of, trend_figures
from agreement.report.compute.effect import FIGURES, PAIR_IOU, outcome_values
from agreement.report.compute.ratings import items_of
from agreement.report.display_names import OUTCOMES
from agreement.report.figure_urls import pair_url
from agreement.report.query_params import number_of, scope_of
from agreement.report.render.secondary_tables import share_title
from agreement.report.render.tables import number, whole
from agreement.report.scope import Scope
from agreement.report.services.reports import disputes_of_scope
from agreement.report.views import needs_report, render_page
from annotation.errors import NotFound
from annotation.figure_tables import NONE
from annotation.permissions import Access, lead_access
from annotation.scheme_words import question_text
from annotation.views.base import AuthenticatedRequest, person_page

PER_PAGE = 100
Rows = Sequence[tuple[int, str, tuple[str, ...]]]
"""A pair, its name, and the other cells of its row."""


def render_list(
    request: AuthenticatedRequest,
    access: Access,
    scope: Scope,
    heading: str,
    answer: str,
    columns: Sequence[str],
    rows: Rows,
) -> HttpResponse:
    """A page of rows, each leading to its pair."""
    page = Paginator(rows, PER_PAGE).get_page(number_of(request, "page", 1))
    own = {name: request.GET[name] for name in request.GET if name not in ("page", *VIEW)}
    context: dict[str, Any] = {
        "heading": heading,
        "answer": answer,
        "columns": columns,
        "page": page,
        "rows": [(pair_url(access.project, pk, scope), name, cells) for pk, name, cells in page],
        "filters": f"&{urlencode(own)}" if own else "",
    }
    return render_page(request, "drilldown_list", access, scope, **context)


VIEW = ("phase", "languages", "annotators", "split", "again")


@person_page
@require_safe
@needs_report
def texts(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The texts of one side and language, longest or shortest first."""
    access, scope = lead_access(request.user, slug), scope_of(request)
    side = 1 if request.GET.get("side") == "b" else 0
    language = request.GET.get("language", "")
    documents = [
        document
        for document in disputes_of_scope(access.project, scope)[0].documents
        if not language or document.languages[side].upper() == language.upper()
    ]
    documents.sort(key=lambda document: document.tokens[side], reverse=request.GET.get("order") != "shortest")
    total = sum(document.tokens[side] for document in documents)
    text = ngettext(
        "%(n)s text, %(tokens)s tokens in total.", "%(n)s texts, %(tokens)s tokens in total.", len(documents)
    )
    rows = [(document.pair, document.name, (whole(document.tokens[side]),)) for document in documents]
    answer = text % {"n": whole(len(documents)), "tokens": whole(total)}
    return render_list(request, access, scope, _("Text lengths"), answer, (_("tokens"),), rows)


@person_page
@require_safe
@needs_report
def trends(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """A figure's value for each of one annotator's documents, in the order of their work."""
    access, scope = lead_access(request.user, slug), scope_of(request)
    collection = disputes_of_scope(access.project, scope)[0].shared()
    person, key = request.GET.get("person", ""), request.GET.get("figure", "")
    figure = trend_figures(collection).get(key)
    if figure is None or person not in collection.annotators:
        raise NotFound(_("There is no such trend."), where=access.project.name)
    own = own_documents(collection, collection.annotators.index(person))
    values = [(order, document, figure(annotation, document)) for order, (annotation, document) in enumerate(own, 1)]
    defined = [each for each in values if not isnan(each[2])]
    text = ngettext(
        "%(n)s document of %(person)s with this figure; %(without)s without it are excluded.",
        "%(n)s documents of %(person)s with this figure; %(without)s without it are excluded.",
        len(defined),
    )
    answer = text % {"n": whole(len(defined)), "person": person, "without": whole(len(values) - len(defined))}
    names = {"agreement": _("IoU with the others"), "marked": _("share marked"), "label": str(OUTCOMES["mean label"])}
    name = names.get(key) or share_title(key.removeprefix(share_of("")))
    rows = [(document.pair, document.name, (whole(order), number(value))) for order, document, value in defined]
    heading = _("Change over time: %(person)s, %(figure)s") % {"person": person, "figure": name}
    return render_list(request, access, scope, heading, answer, (_("order of annotation"), name), rows)


@person_page
@require_safe
@needs_report
def answers(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Every item's answers, those on which answers differ first."""
    access, scope = lead_access(request.user, slug), scope_of(request)
    collection = disputes_of_scope(access.project, scope)[0]
    question = next((one for one in collection.questions if one.key == request.GET.get("question")), None)
    if question is None:
        raise NotFound(_("There is no such question."), where=access.project.name)
    person, answer = request.GET.get("person", ""), request.GET.get("answer", "")
    items = [
        item
        for item in items_of(collection, question)
        if len(item.answers) > 1 or not request.GET.get("counted")
        if not answer or any(own == answer and person in ("", name) for name, own in item.answers)
    ]
    people = [name for name in collection.annotators if any(name in dict(item.answers) for item in items)]
    rows = [(item.pair, item.name, tuple(dict(item.answers).get(name, NONE) for name in people)) for item in items]
    counted = sum(
        (not answer or own == answer) and person in ("", name) for item in items for name, own in item.answers
    )
    text = ngettext(
        "%(n)s item; answers differ on %(differ)s.",
        "%(n)s items; answers differ on %(differ)s.",
        len(items),
    )
    if answer:
        text = ngettext(
            "“%(answer)s” was given %(counted)s time.", "“%(answer)s” was given %(counted)s times.", counted
        )
    differ = sum(item.differs for item in items)
    values = {"n": whole(len(items)), "differ": whole(differ), "answer": answer, "counted": whole(counted)}
    return render_list(request, access, scope, question_text(question.key, question.text), text % values, people, rows)


@person_page
@require_safe
@needs_report
def outcomes(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Every value behind an outcome's means, with and without highlights."""
    access, scope = lead_access(request.user, slug), scope_of(request)
    collection = disputes_of_scope(access.project, scope)[0]
    outcome, shown = request.GET.get("outcome", ""), request.GET.get("highlights", "")
    if outcome not in (*FIGURES, PAIR_IOU):
        raise NotFound(_("There is no such outcome."), where=access.project.name)
    pieces = [
        piece for piece in outcome_values(collection, outcome) if shown == "" or piece.highlights == (shown == "yes")
    ]
    pieces.sort(key=lambda piece: -piece.value)
    shown_names = {True: pgettext("highlights", "with"), False: _("without")}
    rows = [
        (
            piece.pair,
            piece.name,
            (
                ", ".join(collection.annotators[one] for one in piece.who),
                str(shown_names[piece.highlights]),
                number(piece.value),
            ),
        )
        for piece in pieces
    ]
    mean = number(sum(piece.value for piece in pieces) / len(pieces)) if pieces else NONE
    text = ngettext("%(n)s value, %(mean)s on average.", "%(n)s values, %(mean)s on average.", len(pieces))
    name = str(OUTCOMES[outcome])
    columns = (_("annotator"), _("highlights"), name)
    heading = _("Effect of pre-labels: %(outcome)s") % {"outcome": name[:1].upper() + name[1:]}
    return render_list(request, access, scope, heading, text % {"n": whole(len(pieces)), "mean": mean}, columns, rows)
