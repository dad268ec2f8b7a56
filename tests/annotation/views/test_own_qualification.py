"""What annotators see of their qualification on their own pages: where they stand, what was reached, who decides."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from annotation.models import Phase, Role
from annotation.services.qualification import person_advance, result_release
from tests.annotation.qualified import REFERENCE, assign, candidate, own, page, ruled, submit_all, with_gold, words_save
from tests.annotation.work import LIBRARY, span
from tests.factories import AnnotatorFactory, PairFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_an_annotator_sees_where_they_stand_and_nothing_before_it_is_released() -> None:
    project = ruled(parts={"3": 0.5})
    person = candidate(project, [with_gold(project), with_gold(project)])
    main = assign(person, PairFactory(project=project), Phase.MAIN)
    client = own(person)
    shown = page(client, "project", project=project)
    assert "0 of 2 pairs submitted." in shown and "Your other pairs open once you are advanced." in shown
    assert "after the qualification" in shown
    refused = client.get(reverse("work", args=(project.slug, main.pk)))
    assert refused.status_code == 403 and "on hold until a lead advances you" in refused.content.decode()
    submit_all(person, *REFERENCE)
    shown = page(client, "project", project=project)
    assert "You see the result once a lead releases it. A lead decides next." in shown and "Your agreement" not in shown
    assert "closed" not in shown
    result_release(annotator=person, by=None)
    words_save(annotator=person, words="Look at <b>numbers</b>\ntoo.", by=None)
    for name in ("project", "home"):
        shown = page(client, "project", project=project) if name == "project" else client.get("/").content.decode()
        assert "Your agreement with the reference is <b>1.00</b>; 0.70 or more is required." in " ".join(shown.split())
        assert "Look at &lt;b&gt;numbers&lt;/b&gt;<br>too." in shown
    person_advance(annotator=person, by=None)
    assert "you have been advanced" in page(client, "project", project=project)
    assert client.get(reverse("work-next", args=(project.slug,)))["Location"].endswith(f"/{main.pk}/")


@pytest.mark.parametrize(
    ("rule", "spans", "told"),
    [
        ({}, REFERENCE, "You have met the requirement. A lead decides next."),
        ({}, (), "0.70 or more is required. You have not met it. A lead decides next."),
        (
            {"least": 0.5, "parts": {"5": 0.5}},
            (span(LIBRARY, label="3"),),
            "met it overall, but not for each label or question: Unrelated 0.00 (0.50). A lead decides next.",
        ),
        ({"least_pairs": 3}, REFERENCE, "is required. 2 pairs count, and 3 are required. A lead decides next."),
    ],
)
def test_an_annotator_is_told_what_was_reached_and_who_decides(rule: Any, spans: Any, told: str) -> None:
    project = ruled(release="at-once", **rule)
    person = candidate(project, [with_gold(project), with_gold(project)])
    submit_all(person, *spans)
    for name in ("project", "home"):
        address = reverse(name, args=(project.slug,) if name == "project" else ())
        assert told in " ".join(own(person).get(address).content.decode().split())


def test_pairs_that_wait_are_not_counted_as_remaining() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project)])
    for _each in range(2):
        assign(person, PairFactory(project=project), Phase.MAIN)
    client = own(person)
    shown = page(client, "project", project=project)
    assert "<b>1 pair</b> remaining; 0 submitted. 2 pairs are on hold until you are advanced." in shown
    assert "<b>1 pair</b> remaining. 2 pairs are on hold until you are advanced." in " ".join(
        client.get("/").content.decode().split()
    )
    submit_all(person)
    shown = page(client, "project", project=project)
    assert "There is nothing to do now; <b>1 pair</b> submitted. 2 pairs are on hold until you are advanced." in shown
    assert "closed" not in shown
    shown = " ".join(client.get("/").content.decode().split())
    assert "There is nothing to do now. 2 pairs are on hold" in shown and "closed" not in shown


def test_a_result_that_is_not_complete_again_is_not_shown() -> None:
    project = ruled()
    person = candidate(project, [with_gold(project), with_gold(project)])
    submit_all(person, *REFERENCE)
    result_release(annotator=person, by=None)
    assert "Your agreement" in page(own(person), "project", project=project)
    assign(person, with_gold(project))
    assert "Your agreement" not in page(own(person), "project", project=project)


def test_leads_and_adjudicators_see_nothing_of_a_qualification_on_their_work() -> None:
    project = ruled()
    adjudicator: Any = AnnotatorFactory(project=project, role=Role.ADJUDICATOR)
    assert "Qualification" not in page(own(adjudicator), "project", project=project)
