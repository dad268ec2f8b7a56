"""The start page: an annotator's own work, a lead's projects, and a message if there is neither."""

import pytest
from django.urls import reverse

from annotation.models import Role, Status
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.services.people import person_end_access, person_restore_access
from tests.annotation.work import client_of, doc, house
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, UserFactory

pytestmark = pytest.mark.django_db


def test_an_annotator_sees_what_is_left_and_their_time() -> None:
    home = house(name="Town pages")
    AssignmentFactory(pair=PairFactory(project=home.project), annotator=home.assignment.annotator)
    work = AnnotationInput(spans=doc(), active_seconds=3900)
    annotation_save(assignment=home.assignment, by=None, base=0, sent=work)
    annotation_submit(assignment=home.assignment, by=None, base=1, verdict="submitted")
    page = home.annotator.get(reverse("home")).content.decode()
    assert "<b>1 pair</b> remaining." in page and "1 h 5 min" in page and "Town pages" in page
    assert reverse("work-next", args=(home.project.slug,)) in page


def test_nobody_sees_another_projects_name() -> None:
    home = house(name="Town pages")
    for client in (home.stranger, house().annotator, house().lead):
        assert "Town pages" not in client.get(reverse("home")).content.decode()


def test_a_lead_sees_their_projects_with_numbers() -> None:
    home = house(name="Town pages")
    home.assignment.status = Status.DONE
    home.assignment.save()
    page = home.lead.get(reverse("home")).content.decode()
    assert "You lead <b>1 project</b>" in page and "Town pages" in page
    assert "<h1>Projects</h1>" in page and "My work" not in page


def test_who_waits_for_work_is_told_so() -> None:
    membership = AnnotatorFactory(project__name="Town pages")
    page = client_of(membership.user).get(reverse("home")).content.decode()
    assert "No pairs yet" in page and "Town pages" in page


def test_who_is_in_no_project_is_told_what_to_do() -> None:
    user = UserFactory(username="dora")
    page = client_of(user).get(reverse("home")).content.decode()
    assert "You are not in any project yet" in page and "<b>dora</b>" in page


def test_who_had_access_is_told_that_it_ended() -> None:
    membership = AnnotatorFactory(project__name="Town <pages>")
    user = membership.user
    person_end_access(annotator=membership)
    page = client_of(user).get(reverse("home")).content.decode()
    assert "Your access to this project has ended: Town &lt;pages&gt;." in page and "in any project yet" not in page
    AnnotatorFactory(user=user, project__name="Menus")
    page = client_of(user).get(reverse("home")).content.decode()
    assert "Your access to this project has ended: Town &lt;pages&gt;." in page and "Menus" in page
    person_restore_access(annotator=membership)
    assert "has ended" not in client_of(user).get(reverse("home")).content.decode()


def test_an_adjudicator_finds_their_project() -> None:
    membership = AnnotatorFactory(project__name="Town pages", role=Role.ADJUDICATOR)
    assert "Projects you adjudicate" in client_of(membership.user).get(reverse("home")).content.decode()
