"""The page of rated items: leads alone; the figures, the bounds, the file."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from annotation.models import Project
from assist.encoder_choice.tables import parse_clsd
from tests.agreement.access import member, statuses
from tests.agreement.rated.test_rated import FOREIGN, agree, judged, rated, rows, triples  # noqa: F401
from tests.factories import ProjectFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
LEADS = {"stranger": 404, "annotator": 403, "adjudicator": 403, "lead": 200, "nobody": 302}


def page(project: Project, name: str = "agreement-items", **query: Any) -> Any:
    return member(project, "lead").get(reverse(name, args=[project.slug]), query)


@pytest.mark.parametrize("name", ["agreement-items", "agreement-items-csv"])
def test_access(rows: Project, name: str) -> None:  # noqa: F811
    assert statuses(rows, reverse(name, args=[rows.slug])) == LEADS


def test_the_page_has_the_box_plot_and_its_table(triples: Project) -> None:  # noqa: F811
    rated(triples, {"t:1:1": agree(4, 3), "t:2:1": agree(1, 2), "t:1:2": agree(4, 4)})
    text = page(triples).content.decode()
    assert "<b>18 items</b>, 3 of them rated." in text and "2 items validated." in text
    assert text.count("<svg") == 1 and "overlap: median 2.50" in text
    for cell in ("overlap", "difference", "2.50", "1.50"):
        assert f">{cell}<" in text.replace("\n", "").replace("  ", ""), cell
    assert "Distractors per row" not in text


def test_bounds_change_what_is_validated_and_the_file(rows: Project) -> None:  # noqa: F811
    answers = {"r:1:1": ["yy", "yy"], "r:1:2": ["yy"], "r:2:1": ["yy", "yy"]}
    rated(rows, {name: judged(*given) for name, given in answers.items()})
    text = page(rows, raters=1).content.decode()
    assert "3 items validated." in text and "The file has 1 row." in text
    assert "1 row with too few distractors is excluded." in text and "items.csv?raters=1" in text
    response = page(rows, "agreement-items-csv", raters=1, distractors=1)
    assert response["Content-Disposition"] == 'attachment; filename="rows-clsd.csv"'
    assert [row.direct.distractors for row in parse_clsd(response.content.decode(), "rows.csv")] == [
        ("Distractor 1a.",),
        ("Distractor 2a.",),
    ]


def test_bounds_that_cannot_be_used_are_refused(rows: Project) -> None:  # noqa: F811
    assert page(rows, raters=0).status_code == 422
    assert page(rows, "agreement-items-csv", raters="x").status_code == 422


@pytest.mark.parametrize("item", FOREIGN)
def test_a_project_of_foreign_items_has_no_items(rows: Project, item: object) -> None:  # noqa: F811
    rows.pairs.update(metadata={"item": item})
    rated(rows, {name: judged("yy", "yy") for name in ("r:1:1", "r:1:2")})
    assert "has no items" in page(rows).content.decode()
    response = page(rows, "agreement-items-csv")
    assert response.status_code == 200 and 'filename="rows-items.csv"' in response["Content-Disposition"]


def test_a_project_without_items_is_told_so(rows: Project) -> None:  # noqa: F811
    assert "has no items" in page(ProjectFactory(slug="plain")).content.decode()
    report = member(rows, "lead").get(reverse("agreement", args=[rows.slug])).content.decode()
    assert reverse("agreement-items", args=[rows.slug]) in report
