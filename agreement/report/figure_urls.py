"""Links of a report's figures: the report names the data behind each, and the page turns that into URLs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.urls import reverse

from agreement.report.render.plots import with_hrefs
from agreement.report.scope import Scope
from annotation.figure_tables import table_linked
from annotation.models import Project


def pair_url(project: Project, pair: int, scope: Scope) -> str:
    return f"{reverse('agreement-pair', args=[project.slug, pair])}?{scope}"


def url_of(project: Project, scope: Scope, link: str) -> str:
    """The URL of a link (in tables 'spans?label=new'), within the scope unless the link names another."""
    page, _, query = link.partition("?")
    filters = dict(parse_qsl(query))
    if page == "pair":
        return pair_url(project, int(filters["pk"]), scope)
    return (
        f"{reverse(f'agreement-{page}', args=[project.slug])}?{urlencode({**dict(parse_qsl(str(scope))), **filters})}"
    )


def with_url(project: Project, scope: Scope, item: Mapping[str, Any]) -> dict[str, Any]:
    """A figure, or a line of the list of documents, with its URL if it has a link."""
    return {**item, "href": url_of(project, scope, item["drilldown"])} if "drilldown" in item else dict(item)


def body_with_urls(project: Project, scope: Scope, body: Mapping[str, Any]) -> dict[str, Any]:
    """A stored report as shown on its page, with the links of all figures in tables and plots."""
    tables = [table_linked(table, lambda link: url_of(project, scope, link)) for table in body["tables"]]
    plots = [
        {**plot, "svg": with_hrefs(plot["svg"], lambda link: url_of(project, scope, link))} for plot in body["plots"]
    ]
    recommended = with_url(project, scope, body["recommended"]) if body["recommended"] else None
    steps = [{**step, "href": _step_url(project, scope, step["link"])} for step in body["steps"]]
    return {**body, "tables": tables, "plots": plots, "recommended": recommended, "steps": steps}


def _step_url(project: Project, scope: Scope, link: str) -> str:
    """The URL of a next step: a page of the project, or a list of the agreement pages."""
    return url_of(project, scope, link) if "?" in link else reverse(link, args=[project.slug])
