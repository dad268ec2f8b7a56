"""What the preview of the scheme editor says of a scheme that can't be shown: the form's row and field."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.annotation.work import house

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
SCALE = {"was": "", "kind": "scale", "name": "How close?", "low": "0", "high": "4"}
LISTED = {
    "was": "",
    "kind": "choices",
    "name": "Which?",
    "options-0-was": "",
    "options-1-was": "",
    "options-1-name": "B",
}
FORM = {
    "scheme-name": "asked",
    "scheme-default": "same",
    "scheme-marks": "ab",
    **{f"questions-0-{name}": value for name, value in SCALE.items()},
}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"questions-0-high": "100"}, "question 1, “To”: a number above the lowest"),
        ({"questions-0-low": "x"}, "question 1, “From”: a whole number is expected"),
        ({"questions-0-name": "", "questions-0-key": "how"}, "question 1, “Question”: empty"),
        ({"questions-0-kind": "best"}, "question 1, “Type”: "),
        ({f"questions-1-{name}": value for name, value in LISTED.items()}, "question 2, answer 1, “Answer”: empty"),
        ({"questions-0-kind": "choices"}, "question 1: at least two are needed"),
        ({"scheme-name": ""}, "“Name of the scheme”: empty"),
        ({"questions-0-kind": "text"}, ">only free-text questions"),
    ],
)
def test_the_row_and_the_field_are_named(changes: dict[str, str], said: str) -> None:
    home = house()
    response = home.lead.post(reverse("project-scheme-preview", args=(home.project.slug,)), FORM | changes)
    page = response.content.decode()
    assert response.status_code == 422 and said in page and "questions[" not in page
