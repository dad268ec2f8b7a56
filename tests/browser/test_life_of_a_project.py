"""What docs/leads.md tells a lead to do at the end: duplicate the demo, archive it, take it out, delete it by name."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from annotation.models import Annotator, Assignment, JobStatus, Project, Role, Status, User
from annotation.models.lifecycle import ProjectDeletion
from annotation.services.archiving import project_archive
from annotation.services.demo import demo_load
from annotation.services.projects import project_create
from annotation.text.schemes import PRESETS
from tests.annotation.work import client_of
from tests.browser.waits import clean, fits, follow, wait_until
from tests.factories import UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.long]
LogIn = Callable[[BrowserContext, User], None]


def account(project: Project, role: str) -> User:
    member = Annotator.objects.filter(project=project, role=role, user__isnull=False).order_by("pk").first()
    assert member is not None and member.user is not None
    return member.user


@pytest.mark.takes(12)
def test_a_lead_duplicates_archives_and_deletes_the_demo(
    page: Page, browser: Browser, live_server: LiveServer, log_in: LogIn, settings: Settings, tmp_path: object
) -> None:
    settings.DATA_DIR = tmp_path
    project = demo_load().projects[0]
    started = Assignment.objects.filter(
        annotator__project=project, annotator__user__isnull=False, status__in=(Status.OPEN, Status.STARTED)
    ).first()
    assert started is not None and started.annotator.user is not None
    log_in(page.context, account(project, Role.LEAD))
    page.goto(live_server.url + reverse("project-settings", args=(project.slug,)))
    follow(page.get_by_role("link", name="Duplicate", exact=True))
    expect(page.get_by_label("Name", exact=True)).to_have_value(f"{project.name} (2)")
    page.get_by_label("Name", exact=True).fill("A second round")
    page.get_by_label("Short name").fill("second-round")
    page.get_by_label("Copy the glossary").check()
    follow(page.get_by_role("button", name="Create project"))
    expect(page.get_by_role("heading", name="Before annotation can start")).to_be_visible()
    wait_until(Project.objects.filter(slug="second-round").count, equals=1)

    # An annotator has a pair open when the lead archives the project.
    other = browser.new_context()
    # With a session of its own: `log_in` ends the one before.
    cookie = client_of(started.annotator.user).cookies["sessionid"].value
    other.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    work = other.new_page()
    work.goto(live_server.url + reverse("work", args=(project.slug, started.pk)))
    expect(work.locator("#state")).to_have_text("Saved")
    page.goto(live_server.url + reverse("project-archive", args=(project.slug,)))
    follow(page.get_by_role("button", name="Archive this project"))
    expect(page.get_by_text("The project is archived.")).to_be_visible()
    work.keyboard.press("m")
    work.keyboard.type("unsure")
    expect(work.locator("#state")).to_have_text("Project archived, 1 change kept here")
    expect(work.locator("#state-detail")).to_contain_text("1 change is kept in this browser.")
    follow(page.get_by_role("button", name="Unarchive"))
    expect(page.get_by_text("The project is no longer archived.")).to_be_visible()
    work.reload()
    expect(work.locator("#state")).to_have_text("Saved")

    page.goto(live_server.url + reverse("project-changes", args=(project.slug,)))
    expect(page.get_by_role("cell", name="Project unarchived")).to_be_visible()
    follow(page.get_by_role("link", name="Delete", exact=True))
    page.get_by_label("The project's name, to confirm").fill("something else")
    follow(page.get_by_role("button", name="Delete this project"))
    expect(page.get_by_text("This is not the project's name.")).to_be_visible()
    page.get_by_label("The project's name, to confirm").fill(project.name)
    follow(page.get_by_role("button", name="Delete this project"))
    expect(page.get_by_text(f"“{project.name}” is deleted.")).to_be_visible()
    wait_until(ProjectDeletion.objects.filter(status=JobStatus.DONE).count, equals=1)
    work.keyboard.press("m")
    work.keyboard.type(" or not")
    expect(work.locator("#state")).to_contain_text("Not available")
    expect(work.locator("#state-detail")).to_contain_text("was deleted, perhaps with its project")
    page.goto(live_server.url + reverse("project", args=(project.slug,)))
    expect(page.get_by_role("heading", name="Not found")).to_be_visible()
    other.close()


@pytest.mark.parametrize(("theme", "width"), [("light", 1440), ("dark", 390)])
def test_axe_finds_nothing_on_these_pages_and_they_fit(
    page: Page, live_server: LiveServer, log_in: LogIn, theme: str, width: int
) -> None:
    lead = UserFactory()
    project = project_create(name="Town pages", scheme=PRESETS["graded"].to_json(), lead=lead)
    page.emulate_media(color_scheme="light" if theme == "light" else "dark")
    page.set_viewport_size({"width": width, "height": 900})
    log_in(page.context, lead)
    for _archived in range(2):
        for name in ("project", "project-changes", "project-duplicate", "project-archive", "project-delete"):
            page.goto(live_server.url + reverse(name, args=(project.slug,)))
            clean(page)
            fits(page, name)
        page.goto(live_server.url + reverse("home"))
        clean(page)
        fits(page, "home")
        if not _archived:
            project_archive(project=project, by=lead)
