"""The pages of a project's life, and what an archived project shows."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from django.urls import reverse

from agreement.models import Publication
from annotation.formats.project_archive import FORMAT as ARCHIVE
from annotation.models import JobStatus, Project
from annotation.services.archiving import project_archive
from annotation.services.time import rate_set
from tests.annotation.work import House, house

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def archived() -> House:
    home = house(name="Towns")
    project_archive(project=home.project, by=None)
    return home


def test_it_is_archived_and_taken_out_by_a_button() -> None:
    home = house()
    address = reverse("project-archive", args=(home.project.slug,))
    assert "Archive this project" in home.lead.get(address).content.decode()
    done = home.lead.post(address, {"archived": "1"}, follow=True).content.decode()
    assert "The project is archived." in done and "Unarchive" in done
    again = home.lead.post(address, {"archived": "1"})
    assert again.status_code == 422 and "archived already" in again.content.decode()
    assert home.lead.post(address, {"archived": "0"}).status_code == 302
    assert Project.objects.get(pk=home.project.pk).archived is None
    assert home.lead.post(address, {"archived": "perhaps"}).status_code == 422


def test_every_page_says_so() -> None:
    home = archived()
    for client, name in ((home.lead, "project"), (home.lead, "people"), (home.annotator, "project")):
        page = client.get(reverse(name, args=(home.project.slug,))).content.decode()
        assert "This project is archived: it can be read, not changed." in page


def test_the_workspace_is_read_only_and_says_why() -> None:
    home = archived()
    page = home.annotator.get(reverse("work", args=(home.project.slug, home.assignment.pk))).content.decode()
    assert "The project is archived. This pair can be read, not changed." in page
    data = home.annotator.get(reverse("api-assignment", args=(home.assignment.pk,))).json()
    assert (data["archived"], data["editable"], data["reopen"]) == (True, False, False)
    after = home.annotator.get(reverse("work-next", args=(home.project.slug,)))
    assert after["Location"] == reverse("project", args=(home.project.slug,))


def test_the_start_page_lists_it_apart() -> None:
    home = archived()
    for client in (home.lead, home.annotator, home.adjudicator, home.superuser):
        page = client.get(reverse("home")).content.decode()
        assert "Towns" not in page.split('id="archived"')[0] and "Towns" in page.split('id="archived"')[1]
    assert "You are not in any project yet." not in home.annotator.get(reverse("home")).content.decode()
    assert "archived" not in home.stranger.get(reverse("home")).content.decode()


def test_the_tab_of_settings_is_marked_on_these_pages_alone() -> None:
    home = house()
    marked = {}
    for name in ("project", "project-settings", "project-scheme", "project-changes", "project-delete", "plan"):
        page = home.lead.get(reverse(name, args=(home.project.slug,))).content.decode()
        tabs = page.split('aria-label="Work"')[1].split("</nav>")[0]
        marked[name] = "aria-current" in tabs.split(reverse("project-settings", args=(home.project.slug,)))[1]
    assert [name for name, found in marked.items() if found] == [
        "project-settings",
        "project-changes",
        "project-delete",
    ]


def test_before_a_deletion_the_newest_archive_is_offered() -> None:
    home = house()
    project, address = home.project, reverse("project-delete", args=(home.project.slug,))
    Publication.objects.create(project=project, number=1, format=ARCHIVE.name, status=JobStatus.FAILED)
    Publication.objects.create(project=project, number=2, format="json", status=JobStatus.DONE)
    assert "There is no archive of this project yet." in home.lead.get(address).content.decode()
    for number in (3, 4):
        Publication.objects.create(project=project, number=number, format=ARCHIVE.name, status=JobStatus.DONE)
    page = home.lead.get(address).content.decode()
    assert "The newest archive of the project is from" in page
    assert (
        reverse("publication", args=(project.slug, 4)) in page
        and reverse("publication", args=(project.slug, 3)) not in page
    )


def test_before_a_deletion_the_timesheet_is_offered_for_the_rates_that_no_archive_has() -> None:
    home = house()
    address, sheet = (reverse(name, args=(home.project.slug,)) for name in ("project-delete", "timesheet"))
    assert sheet not in home.lead.get(address).content.decode(), "no rates, nothing to keep"
    rate_set(annotator=home.assignment.annotator, amount=Decimal("21.50"), since=date(2026, 1, 1))
    page = home.lead.get(address).content.decode()
    assert "hourly rates and corrections of their time are not in it" in page and f"{sheet}?by=month" in page
