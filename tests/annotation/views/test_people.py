"""The people page and one person's page: adding, assigning, reassigning, ending access."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Annotator, Assignment, Role
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save
from tests.annotation.work import House, doc, house
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
HTMX = {"HX-Request": "true"}


def messages_in(response: Any) -> str:
    found = re.search(r'<ul class="messages">(.*?)</ul>', response.content.decode(), re.S)
    return " ".join(re.sub("<.*?>", " ", found[1]).split()) if found else ""


def page_of(home: House, person: Annotator) -> str:
    return reverse("person", args=(home.project.slug, person.pk))


def test_a_new_person_gets_a_password_that_is_shown_once_and_opens() -> None:
    home = house()
    address = reverse("people", args=(home.project.slug,))
    page = home.lead.post(address, {"username": "dora", "alias": "D", "role": "annotator"}).content.decode()
    password = re.search(r'class="secret">([^<]+)<', page)
    assert password
    body = {"username": "dora", "password": password.group(1)}
    assert Client().post(reverse("login"), body).status_code == 302
    assert password.group(1) not in home.lead.get(address).content.decode()


def test_a_name_that_is_taken_is_said() -> None:
    home = house()
    user = home.assignment.annotator.user
    assert user
    response = home.lead.post(
        reverse("people", args=(home.project.slug,)), {"username": user.username, "role": "annotator"}
    )
    assert response.status_code == 422 and "already" in response.content.decode()


def test_a_role_is_changed() -> None:
    home = house()
    person = home.assignment.annotator
    home.lead.post(page_of(home, person), {"action": "role", "role": "adjudicator"})
    person.refresh_from_db()
    assert person.role == Role.ADJUDICATOR


def test_the_last_lead_cannot_step_down() -> None:
    home = house()
    lead = Annotator.objects.get(project=home.project, role=Role.LEAD)
    for body in ({"action": "role", "role": "annotator"}, {"action": "end-access", "confirmed": "on"}):
        assert home.lead.post(page_of(home, lead), body).status_code == 422
    lead.refresh_from_db()
    assert lead.role == Role.LEAD and lead.user is not None


def test_a_person_who_joins_mid_way_is_assigned_pairs() -> None:
    home = house()
    for _ in range(3):
        AssignmentFactory(pair=PairFactory(project=home.project), annotator=home.assignment.annotator)
    newcomer = AnnotatorFactory(project=home.project)
    assert (
        "All shared pairs (0), and enough pairs of the main phase"
        in home.lead.get(page_of(home, newcomer)).content.decode()
    )
    home.lead.post(page_of(home, newcomer), {"action": "assign-share", "seed": 1})
    assert Assignment.objects.filter(annotator=newcomer).count() == 2


def dialog_of(page: str) -> dict[str, str]:
    dialog = page.split('role="alertdialog"')[1].split("</form>")[0]
    sent = dict(re.findall(r'name="(\w+)"\s+value="([^"]+)"', dialog))
    assert sent.pop("csrfmiddlewaretoken", "")
    assert sent.pop("filled_in_by", "")
    return sent


def test_without_anything_to_share_the_page_leads_to_the_plan() -> None:
    home = house()
    person = AnnotatorFactory(project=home.project)
    PairFactory(project=home.project)
    shown = home.lead.get(page_of(home, person)).content.decode()
    assert "1 pair is assigned to nobody yet." in shown and "There is nothing to assign" not in shown
    assert f'href="{reverse("plan", args=(home.project.slug,))}">Plan assignments' in shown


def test_pairs_are_reassigned_and_the_leavers_access_ends() -> None:
    home = house()
    newcomer = AnnotatorFactory(project=home.project)
    leaver, address = home.assignment.annotator, page_of(home, home.assignment.annotator)
    body = {"action": "replace", "newcomer": newcomer.pk, "end_access": "on"}
    response = home.lead.post(address, body)
    page = response.content.decode()
    assert response.status_code == 200 and f"Reassign pairs from {leaver.alias} to {newcomer.alias}?" in page
    assert f"1 pair will be reassigned from {leaver.alias} to {newcomer.alias} (main 1)." in page
    assert f"will lose access to this project. All work is kept under the name {leaver.alias}." in page
    assert home.annotator.get(reverse("project", args=(home.project.slug,))).status_code == 200, "nothing is done yet"
    assert Assignment.objects.get(pk=home.assignment.pk).annotator == leaver
    sent = dialog_of(page)
    assert sent == {**{name: str(value) for name, value in body.items()}, "confirmed": "on"}
    done = home.lead.post(address, sent, follow=True).content.decode()
    assert f"1 pair was reassigned from {leaver.alias} to {newcomer.alias}." in done
    home.assignment.refresh_from_db()
    assert home.assignment.annotator == newcomer
    assert home.annotator.get(reverse("project", args=(home.project.slug,))).status_code == 404


def test_what_stays_is_said_before_and_after_and_access_need_not_end() -> None:
    home = house()
    leaver, newcomer = home.assignment.annotator, AnnotatorFactory(project=home.project)
    for phase in ("trial", "main"):
        started = AssignmentFactory(pair=PairFactory(project=home.project), annotator=leaver, phase=phase)
        annotation_save(assignment=started, by=None, base=0, sent=AnnotationInput(spans=doc()))
    held = AssignmentFactory(pair=started.pair, annotator=newcomer)
    body = {"action": "replace", "newcomer": newcomer.pk}
    page = unescape(home.lead.post(page_of(home, leaver), body).content.decode())
    stays = f"1 pair stays with {leaver.alias} because it has already been assigned to {newcomer.alias}: "
    stays += f"{started.pair.external_id}."
    assert f"2 pairs will be reassigned from {leaver.alias} to {newcomer.alias} (trial 1, main 1)." in page
    assert f"It can't be reassigned to {leaver.alias} again later." in page
    assert "1 of them is in progress" in page and stays in page and "will lose access" not in page
    done = unescape(home.lead.post(page_of(home, leaver), dialog_of(page), follow=True).content.decode())
    assert f"2 pairs were reassigned from {leaver.alias} to {newcomer.alias}. {stays}" in done
    assert Assignment.objects.filter(annotator=newcomer).exclude(pk=held.pk).count() == 2
    started.refresh_from_db()
    assert (started.annotator, started.status) == (leaver, "started")
    assert "<b>0 of 1</b> pairs are done; 1 remaining" in home.lead.get(page_of(home, leaver)).content.decode()
    own = home.annotator.get(reverse("project", args=(home.project.slug,))).content.decode()
    assert "reassigned" in own
    again = home.lead.post(page_of(home, leaver), body)
    assert again.status_code == 422 and "None of" in again.content.decode(), "nothing is left to reassign"


def test_only_annotators_are_offered_and_accepted() -> None:
    home = house()
    address = page_of(home, home.assignment.annotator)
    offered = home.lead.get(address).content.decode().split('name="newcomer"')[1].split("</select>")[0]
    for person in Annotator.objects.filter(project=home.project).exclude(pk=home.assignment.annotator_id):
        assert (f'value="{person.pk}"' in offered) == (person.role == Role.ANNOTATOR)
        if person.role != Role.ANNOTATOR:
            body = {"action": "replace", "newcomer": person.pk, "confirmed": "on"}
            assert home.lead.post(address, body).status_code == 422
    home.assignment.refresh_from_db()
    assert home.assignment.annotator.project == home.project and home.assignment.status == "open"


def test_without_another_annotator_the_page_says_so() -> None:
    home = house()
    Annotator.objects.filter(project=home.project, role=Role.ANNOTATOR).exclude(
        pk=home.assignment.annotator_id
    ).delete()
    page = home.lead.get(page_of(home, home.assignment.annotator)).content.decode()
    assert "There is no other annotator with access" in page and 'name="newcomer"' not in page


def test_the_last_lead_cannot_reassign_their_pairs_and_leave() -> None:
    home = house()
    lead = Annotator.objects.get(project=home.project, role=Role.LEAD)
    body = {"action": "replace", "newcomer": home.assignment.annotator_id, "end_access": "on", "confirmed": "on"}
    refused = home.lead.post(page_of(home, lead), body)
    assert refused.status_code == 422


def test_no_one_of_another_project_takes_over() -> None:
    home = house()
    outsider = AnnotatorFactory()
    response = home.lead.post(page_of(home, home.assignment.annotator), {"action": "replace", "newcomer": outsider.pk})
    assert response.status_code == 422


def test_access_ends_only_after_a_confirmation_and_the_work_stays() -> None:
    home = house()
    page, project = page_of(home, home.assignment.annotator), reverse("project", args=(home.project.slug,))
    response = home.lead.post(page, {"action": "end-access"})
    assert response.status_code == 200 and "s access?" in response.content.decode()
    assert home.annotator.get(project).status_code == 200, "nothing is done yet"
    assert home.lead.post(page, {"action": "end-access", "confirmed": "on"}).status_code == 302
    assert home.annotator.get(project).status_code == 404
    assert Assignment.objects.filter(pk=home.assignment.pk, annotator=home.assignment.annotator).exists()


def test_ended_access_is_undone_with_one_button() -> None:
    home = house()
    person = home.assignment.annotator
    page = page_of(home, person)
    after = home.lead.post(page, {"action": "end-access", "confirmed": "on"}, follow=True)
    assert 'value="restore-access"' in after.content.decode(), "the way back is on the page one lands on"
    assert home.lead.post(page, {"action": "restore-access"}).status_code == 302
    assert home.annotator.get(reverse("work", args=(home.project.slug, home.assignment.pk))).status_code == 200
    late = home.lead.post(page, {"action": "restore-access"})
    assert late.status_code == 422 and "has access" in messages_in(late), "there is nothing to undo any more"
    for body in ({"action": "end-access", "confirmed": "on"}, {"action": "end-access"}):
        home.lead.post(page, {"action": "end-access", "confirmed": "on"})
        late = home.lead.post(page, body)
        assert "access" in messages_in(late), "someone else was faster"


def test_ended_access_is_restored_from_the_list_too() -> None:
    home = house()
    page, listed = page_of(home, home.assignment.annotator), reverse("people", args=(home.project.slug,))
    assert "Restore access" not in home.lead.get(listed).content.decode()
    home.lead.post(page, {"action": "end-access", "confirmed": "on"})
    html = home.lead.get(listed).content.decode()
    assert html.count("Restore access") == 1
    row = html.split('value="restore-access"')[0].rsplit("<form", 1)[1]
    assert f'action="{page}"' in row
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', row))
    after = home.lead.post(page, {**fields, "action": "restore-access"}, follow=True)
    assert after.redirect_chain[-1][0] == listed and "has access to this project again" in after.content.decode()
    assert home.annotator.get(reverse("work", args=(home.project.slug, home.assignment.pk))).status_code == 200


def test_a_person_who_is_added_again_has_their_old_membership() -> None:
    home = house()
    person = home.assignment.annotator
    assert person.user
    home.lead.post(page_of(home, person), {"action": "end-access", "confirmed": "on"})
    body = {"username": person.user.username, "alias": "", "role": "annotator"}
    said = home.lead.post(reverse("people", args=(home.project.slug,)), body).content.decode()
    assert "their name and work have been restored" in said
    assert Annotator.objects.filter(project=home.project, user=person.user).get().pk == person.pk
    assert home.annotator.get(reverse("work", args=(home.project.slug, home.assignment.pk))).status_code == 200


@pytest.mark.parametrize(("role", "offered"), [("annotator", True), ("adjudicator", False), ("lead", False)])
def test_only_annotators_are_offered_pairs(role: str, offered: bool) -> None:
    home = house()
    person = home.assignment.annotator
    assert person.user
    home.lead.post(page_of(home, person), {"action": "end-access", "confirmed": "on"})
    address = reverse("people", args=(home.project.slug,))
    for body in ({"username": person.user.username, "role": role}, {"username": "dora", "role": role}):
        assert ("Assign pairs" in home.lead.post(address, body).content.decode()) == offered


def test_access_that_has_ended_is_not_ended_again() -> None:
    home = house()
    leaver, newcomer = home.assignment.annotator, AnnotatorFactory(project=home.project)
    assert 'name="end_access"' in home.lead.get(page_of(home, leaver)).content.decode()
    home.lead.post(page_of(home, leaver), {"action": "end-access", "confirmed": "on"})
    assert 'name="end_access"' not in home.lead.get(page_of(home, leaver)).content.decode()
    body = {"action": "replace", "newcomer": newcomer.pk, "end_access": "on"}
    page = home.lead.post(page_of(home, leaver), body).content.decode()
    assert "and end access" not in page and "end_access" not in dialog_of(page)
    home.lead.post(page_of(home, leaver), dialog_of(page))
    home.assignment.refresh_from_db()
    assert home.assignment.annotator == newcomer


def test_what_is_done_is_told_to_the_page_that_was_asked_not_to_one_that_updates_itself() -> None:
    home = house()
    newcomer, leaver = AnnotatorFactory(project=home.project), home.assignment.annotator
    body = {"action": "replace", "newcomer": newcomer.pk, "confirmed": "on"}
    response = home.lead.post(page_of(home, leaver), body)
    said = f"1 pair was reassigned from {leaver.alias} to {newcomer.alias}."
    assert said not in home.lead.get(reverse("people", args=(home.project.slug,)), headers=HTMX).content.decode()
    assert said in home.lead.get(response["Location"]).content.decode()


@pytest.mark.parametrize("confirmed", ["", "false", "0"])
def test_what_is_not_confirmed_is_asked_again(confirmed: str) -> None:
    home = house()
    address = page_of(home, home.assignment.annotator)
    sent = {"action": "end-access", "confirmed": confirmed}
    assert 'role="alertdialog"' in home.lead.post(address, sent).content.decode()
    assert Annotator.objects.get(pk=home.assignment.annotator_id).user is not None
    other = AnnotatorFactory(project=home.project)
    sent = {"action": "replace", "newcomer": str(other.pk), "confirmed": confirmed}
    assert 'role="alertdialog"' in home.lead.post(address, sent).content.decode()
    assert not Assignment.objects.filter(annotator=other).exists()


def test_a_refusal_is_said_even_if_the_page_no_longer_has_the_form() -> None:
    home = house()
    address, other = page_of(home, home.assignment.annotator), AnnotatorFactory(project=home.project)
    Assignment.objects.filter(annotator=home.assignment.annotator).delete()
    refused = home.lead.post(address, {"action": "replace", "newcomer": str(other.pk), "confirmed": "on"})
    assert refused.status_code == 422 and messages_in(refused)
    Annotator.objects.filter(pk=home.assignment.annotator_id).update(
        user=None, former_user=home.assignment.annotator.user
    )
    refused = home.lead.post(address, {"action": "assign-share", "seed": "1"})
    assert refused.status_code == 422 and "be assigned pairs" in messages_in(refused)
    told = home.lead.post(address, {"action": "password-link"})
    assert "no longer has access to this project" in messages_in(told)
