"""An annotator's own assignments, a page at a time, beginning with the one that comes next."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from annotation.models import Annotator, Assignment, Phase, Status
from annotation.views import projects
from tests.annotation.work import client_of
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def someone(monkeypatch: pytest.MonkeyPatch) -> Annotator:
    """An annotator with seven assignments, of which the first four are submitted; three on a page."""
    monkeypatch.setattr(projects, "PAGE", 3)
    annotator: Annotator = AnnotatorFactory()
    for number in range(7):
        AssignmentFactory(
            pair=PairFactory(project=annotator.project, external_id=f"pair-{number}"),
            annotator=annotator,
            phase=Phase.MAIN,
            order=number,
            status=Status.DONE if number < 4 else Status.OPEN,
        )
    return annotator


def rows(annotator: Annotator, page: str = "") -> list[tuple[str, str]]:
    """Number and pair of each row that an annotator sees."""
    assert annotator.user
    address = reverse("project", args=(annotator.project.slug,))
    content = client_of(annotator.user).get(address, {"page": page} if page else {}).content.decode()
    return re.findall(r'<td class="end">(\d+)</td>.*?>(pair-\d)<', content, re.DOTALL)


def test_the_page_of_the_next_pair_is_shown(someone: Annotator) -> None:
    assert rows(someone) == [("4", "pair-3"), ("5", "pair-4"), ("6", "pair-5")]
    assert rows(someone, "1") == [("1", "pair-0"), ("2", "pair-1"), ("3", "pair-2")]
    assert rows(someone, "3") == rows(someone, "99") == [("7", "pair-6")]


def test_of_equal_orders_the_older_assignment_comes_first(someone: Annotator) -> None:
    Assignment.objects.filter(annotator=someone).update(order=0)
    assert rows(someone)[0] == ("4", "pair-3")


def test_when_everything_is_done_the_first_page_is_shown(someone: Annotator) -> None:
    Assignment.objects.filter(annotator=someone).update(status=Status.DONE)
    assert rows(someone)[0] == ("1", "pair-0")
