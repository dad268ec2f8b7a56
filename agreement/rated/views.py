"""The page of rated items: averages and agreement by operator, the box plot, and the validated items as a file."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from agreement.rated.compute import RATERS, RatedItems, project_items, rated_items
from agreement.rated.group_names import group_name
from agreement.rated.layouts import Layout, layout
from agreement.rated.plots import box_plot
from agreement.report.render.tables import number, whole, with_interval
from annotation.errors import Invalid
from annotation.figure_tables import Table, table_json
from annotation.forms.base import WholeNumberField
from annotation.permissions import lead_access
from annotation.views.base import AuthenticatedRequest, person_page

RESAMPLES = 300
MAX_RATERS = 20


class ValidationForm(forms.Form):
    """When an item is validated."""

    raters = WholeNumberField(label=gettext_lazy("Ratings required per item"), min_value=1, max_value=MAX_RATERS)
    least = forms.FloatField(
        label=gettext_lazy("Mean that must be exceeded"),
        required=False,
        min_value=0,
        max_value=100,
        help_text=gettext_lazy("If empty: 2.5 on the scale from 0 to 4, or yes for more than half of the answers."),
        widget=forms.NumberInput(attrs={"step": "any"}),
    )
    distractors = WholeNumberField(
        label=gettext_lazy("Distractors per row"),
        required=False,
        min_value=1,
        max_value=MAX_RATERS,
        help_text=gettext_lazy("If empty: as many as in the row with the most; rows with fewer are excluded."),
    )


def _form(request: AuthenticatedRequest) -> ValidationForm:
    return ValidationForm(request.GET or {"raters": RATERS})


def _validated_items(rated: RatedItems, form: ValidationForm) -> tuple[int, Layout]:
    """How many items are validated, and their file."""
    chosen = form.cleaned_data
    validated = rated.validated(chosen["least"], chosen["raters"])
    return len(validated), layout(rated.task, validated, chosen["distractors"])


@person_page
@require_safe
def items(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """All ratings by group, and how many items are validated under the bounds of the address."""
    access = lead_access(request.user, slug)
    rated, form = rated_items(access.project, resamples=RESAMPLES), _form(request)
    if rated.task != "clsd":
        del form.fields["distractors"]
    plot = box_plot(rated)
    context: dict[str, Any] = {
        "access": access,
        "project": access.project,
        "section": "agreement",
        "rated_items": rated,
        "rated": sum(item.raters > 0 for item in rated.items),
        "plot": asdict(plot) if plot else None,
        "table": table_json(_table(rated)),
        "form": form,
        "query": request.GET.urlencode(),
    }
    if form.is_valid():
        form.cleaned_data.setdefault("distractors", None)
        context["validated"], context["file"] = _validated_items(rated, form)
    return render(request, "agreement/items.html", context, status=200 if form.is_valid() else 422)


def _table(rated: RatedItems) -> Table:
    rows = tuple(
        (
            group_name(group.name),
            whole(group.items),
            whole(group.ratings),
            number(group.mean, 2),
            *(number(value, 2) for value in group.quartiles),
            with_interval(group.alpha),
        )
        for group in rated.groups
    )
    columns = (
        *("", _("items"), _("ratings"), _("mean")),
        *(_("minimum"), _("lower quartile"), _("median"), _("upper quartile"), _("maximum")),
        _("alpha, ordinal"),
    )
    note = _("Averages are taken per item, over its raters; alpha covers the items that two people rated.")
    return Table(_("Ratings of items"), columns, rows, note)


@person_page
@require_safe
def file(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """The validated items under the bounds of the address, in the columns that `evaluate_encoder` reads."""
    access = lead_access(request.user, slug)
    form = _form(request)
    if not form.is_valid():
        raise Invalid(_("These bounds can't be used. Go back and correct them."), where=access.project.name)
    rated = project_items(access.project)
    _count, items = _validated_items(rated, form)
    name = f"{access.project.slug}-{rated.task or 'items'}.csv"
    return HttpResponse(
        items.text.encode(),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
