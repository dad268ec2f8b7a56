"""Agreement of answers."""

import pytest

from agreement.report.project_report import agreement_report
from annotation.models import Project
from tests.agreement.work import pair, project, submit

pytestmark = pytest.mark.django_db


def rated(scheme: str, question: str, *rows: str) -> Project:
    """A project in which each row is an item, each digit someone's answer, '-' none."""
    made, people = project(scheme, "A1", "A2", "A3")
    for row in rows:
        on = pair(made)
        for person, answer in zip(people, row, strict=True):
            if answer != "-":
                submit(on, person, answers={question: {"y": "yes", "n": "no"}.get(answer, answer)})
    return made


def test_graded_answers() -> None:
    report = agreement_report(rated("likert", "agree", "001", "44-", "33-", "224", "0--"))
    (rating,) = report.ratings
    assert rating.items == 4
    assert rating.same.value == pytest.approx((1 + 2 + 2 + 1) / 10)
    assert rating.alpha["nominal"].value is not None
    assert rating.alpha["ordinal"].value is not None and rating.alpha["ordinal"].value > rating.alpha["nominal"].value
    assert rating.answers == {"0": 3, "1": 1, "2": 2, "3": 2, "4": 3}
    body = report.to_json()["ratings"]["agree"]
    assert body["alpha"]["interval"] is not None and body["same_ci"] is not None
    assert "Agreement on “How far do you agree with the statement?” is " in report.headline
    assert report.tables[0].title == "Agreement of answers"


def test_yes_and_no() -> None:
    (rating,) = agreement_report(rated("yes-no", "close", "yy-", "nn-", "yn-")).ratings
    assert rating.same.value == pytest.approx(2 / 3)
    assert rating.question.choices == ("no", "yes"), "in the order of their numbers"


def test_one_answer_only_and_none() -> None:
    assert "everyone gave the same answer" in agreement_report(rated("yes-no", "close", "yy-", "yy-")).headline
    assert "can't be computed yet" in agreement_report(rated("yes-no", "close", "y--")).headline


def test_a_scheme_without_questions_has_none() -> None:
    made, _ = project()
    assert agreement_report(made).ratings == []
    assert agreement_report(made).to_json()["ratings"] == {}
