"""The lead's page of what differs between two publications."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from agreement.models import Publication
from agreement.publication.difference import KINDS, TERMS, changed_rows, datasets_of, difference, terms_changed
from agreement.selectors import publication_get, publication_list, withdrawals
from annotation.display_names import natural_sort_key
from annotation.formats import dataset_formats
from annotation.models import Annotator, JobStatus, Pair, Project
from annotation.permissions import lead_access
from annotation.views.base import AuthenticatedRequest, person_page
from annotation.views.query_params import number_param

ROWS = 25


@person_page
@require_safe
def compare(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """What differs between the publications `?one=` and `?other=`; `?kind=` lists the rows of one kind."""
    access = lead_access(request.user, slug)
    project = access.project
    ready = publication_list(project).filter(format__in=dataset_formats(), status=JobStatus.DONE)
    numbers = list(ready.values_list("number", flat=True))
    context: dict[str, Any] = {"access": access, "project": project, "section": "publish", "numbers": numbers}
    if len(numbers) < 2:
        return render(request, "agreement/publication_compare.html", context)
    requested = (number_param(request.GET, name) for name in ("one", "other"))
    one, other = (numbers[index] if n is None else n for n, index in zip(requested, (1, 0), strict=True))
    kind = request.GET.get("kind", "")
    first, second = publication_get(project, one), publication_get(project, other)
    with datasets_of(first, second) as (before, after):
        changes = difference(before, after)
        page = Paginator(changes.by_kind.get(kind, ()), ROWS).get_page(request.GET.get("page"))
        rows = changed_rows(before, after, kind, list(page)) if page.object_list else []
    terms = [(TERMS[each.name], each.before, each.after) for each in terms_changed(first, second)]
    context |= {
        "one": one,
        "other": other,
        "kind": kind if kind in KINDS else "",
        "title": KINDS.get(kind, ""),
        "counts": [(name, title, len(changes.by_kind[name])) for name, title in KINDS.items()],
        "terms": terms,
        "total": sum(map(len, changes.by_kind.values())) + len(terms),
        "labels": [each for each in changes.labels if each[2] or each[3]],
        "withdrawn": _withdrawn(project, first, second),
        "page": page,
        "filters": f"one={one}&other={other}&kind={kind}" if kind in KINDS else "",
        "rows": rows,
        "keys": dict(_keys(project, [row.pair for row in rows])),
    }
    return render(request, "agreement/publication_compare.html", context)


def _withdrawn(project: Project, one: Publication, other: Publication) -> list[str]:
    """Who withdrew their consent between two publications, whom the later one excludes."""
    between = sorted((one.made, other.made))
    people = [pk for pk, when in withdrawals(project).items() if between[0] <= when <= between[1]]
    return sorted(Annotator.objects.filter(pk__in=people).values_list("alias", flat=True), key=natural_sort_key)


def _keys(project: Project, names: list[str]) -> Iterable[tuple[str, int]]:
    return Pair.objects.filter(project=project, external_id__in=names).values_list("external_id", "pk")
