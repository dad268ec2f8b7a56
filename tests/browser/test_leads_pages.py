"""The pages around the workspace in a real browser: accessible, and enhanced by scripts."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.invitees import Invitee
from annotation.models import Annotation, Assignment, Guideline, Project, Role, Source, User
from annotation.models.glossary import GlossaryEntry
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.services.invitations import invitations_create
from assist.models import Run
from tests.annotation.work import BIBLIOTHEK, LIBRARY, doc, span
from tests.browser.waits import clean, cut_words, fits, follow, wait_until
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory, UserFactory

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LogIn = Callable[[BrowserContext, User], None]
WHOLE = "frame => frame.scrollWidth <= frame.clientWidth"


@pytest.fixture
def project() -> Project:
    """A project with a lead, two annotators, flagged work, gold and unassigned pairs."""
    made: Project = ProjectFactory(name="Town pages")
    Guideline.objects.create(project=made, version=1, text="# Mark\n\n> what *differs*")
    AnnotatorFactory(project=made, role=Role.LEAD, alias="lead")
    people = [AnnotatorFactory(project=made, alias=alias) for alias in ("anna", "bruno")]
    for minutes, person in zip((9, 10), people, strict=True):
        assignment = AssignmentFactory(pair=PairFactory(project=made), annotator=person)
        work = AnnotationInput(spans=doc(span(LIBRARY, BIBLIOTHEK)), active_seconds=60 * minutes)
        annotation_save(assignment=assignment, by=None, base=0, sent=work)
        annotation_submit(assignment=assignment, by=None, base=1, verdict="flagged", reason="cut off")
    Annotation.objects.create(source=Source.GOLD, pair=assignment.pair, gold_version=0, spans=doc(span(LIBRARY)))
    PairFactory.create_batch(12, project=made)
    GlossaryEntry.objects.create(
        project=made, term_language="en", translation_language="de", term="library", translations=["Bibliothek"]
    )
    return made


def member(project: Project, alias: str) -> User:
    user = project.annotators.get(alias=alias).user
    assert user is not None
    return user


def ends_within(element: Locator, width: int) -> bool:
    box = element.bounding_box()
    assert box
    return box["x"] >= 0 and box["x"] + box["width"] <= width


def addresses(project: Project) -> list[str]:
    names = ("project", "people", "plan", "plan-change", "pairs", "import", "guidelines", "guidelines-edit")
    more = ("glossary", "project-settings", "guidelines-reopen", "invitations", "time", "monitor")
    pair = project.annotators.get(alias="bruno").assignments.get().pair_id
    return [
        *(reverse(name, args=(project.slug,)) for name in (*names, *more)),
        reverse("person", args=(project.slug, project.annotators.get(alias="anna").pk)),
        reverse("pair", args=(project.slug, pair)),
        reverse("glossary-entry", args=(project.slug, project.glossary.get().pk)),
        reverse("home"),
        reverse("account"),
        reverse("project-new"),
        "/nowhere/",
    ]


@pytest.mark.long
@pytest.mark.takes(10)
@pytest.mark.parametrize(("theme", "width"), [("light", 1440), ("dark", 390)])
def test_axe_finds_nothing_and_no_page_is_wider_than_its_window(
    page: Page, live_server: LiveServer, log_in: LogIn, project: Project, theme: str, width: int
) -> None:
    page.emulate_media(color_scheme="light" if theme == "light" else "dark")
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(live_server.url + reverse("login"))
    clean(page)
    log_in(page.context, member(project, "lead"))
    for address in addresses(project):
        page.goto(live_server.url + address)
        clean(page)
        fits(page, address)
    log_in(page.context, member(project, "anna"))
    for address in (reverse("home"), reverse("project", args=(project.slug,))):
        page.goto(live_server.url + address)
        clean(page)


@pytest.mark.long
@pytest.mark.parametrize("scripts", [True, False])
def test_the_list_of_people_is_no_wider_than_a_phone_without_anyone_and_without_scripts(
    browser: Browser, live_server: LiveServer, log_in: LogIn, project: Project, scripts: bool
) -> None:
    nobody = ProjectFactory(name="Nobody here yet")
    context = browser.new_context(viewport={"width": 390, "height": 844}, java_script_enabled=scripts)
    log_in(context, UserFactory(is_superuser=True))
    page = context.new_page()
    for each, tables in ((project, 1), (nobody, 0)):
        page.goto(live_server.url + reverse("people", args=(each.slug,)))
        expect(page.locator("table")).to_have_count(tables)
        fits(page, each.slug)
    context.close()


@pytest.mark.long
@pytest.mark.parametrize("name", ["monitor", "project-changes", "invitations"])
def test_no_word_is_cut_on_a_phone_and_rows_with_comments_are_read_without_scrolling_sideways(
    page: Page, live_server: LiveServer, log_in: LogIn, project: Project, name: str
) -> None:
    annotation = project.annotators.get(alias="bruno").assignments.get().annotation
    annotation.comment = "Kinderbibliothek: a photograph, a certificate or a document with an unmistakable address."
    annotation.save()
    invited = Invitee(name="Administrationsgehilfin", email="first.last@university.example.org")
    invitations_create(project=project, by=None, people=[invited])
    project.name = "Certificates, photographs and Administrationsbescheinigungen of towns"
    project.save()
    page.set_viewport_size({"width": 390, "height": 844})
    log_in(page.context, member(project, "lead"))
    page.goto(live_server.url + reverse(name, args=(project.slug,)))
    wait_until(cut_words, page, equals=[])
    fits(page)
    expect(page.locator("table.stacked").first).to_be_visible()
    for table in page.locator("table.stacked").all():
        wait_until(table.locator("..").evaluate, WHOLE)


@pytest.mark.long
@pytest.mark.parametrize("width", [1024, 390])
def test_a_long_detail_of_a_run_wraps(
    page: Page, live_server: LiveServer, log_in: LogIn, project: Project, width: int
) -> None:
    report = {"labels": "none predicted: 15 documents are labelled, 20 are needed before labels are learned"}
    Run.objects.create(project=project, slug="learned", method="learned.v6", status="done", report=report)
    page.set_viewport_size({"width": width, "height": 844})
    log_in(page.context, member(project, "lead"))
    page.goto(live_server.url + reverse("prelabels-run", args=(project.slug, "learned")))
    expect(page.get_by_text("none predicted")).to_be_visible()
    fits(page)


@pytest.mark.long
@pytest.mark.parametrize("width", [1024, 901, 900, 641, 390, 320])
def test_no_tab_and_no_log_out_is_cut_off(
    page: Page, live_server: LiveServer, log_in: LogIn, project: Project, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    Project.objects.update(name="A project about differences in meaning that has a long name")
    log_in(page.context, member(project, "lead"))
    for address in (reverse("project", args=(project.slug,)), reverse("home")):
        page.goto(live_server.url + address)
        for link in [*page.locator("header nav a").all(), page.get_by_role("button", name="Log out")]:
            wait_until(ends_within, link, width)
        wait_until(page.locator("header").evaluate, "e => e.scrollWidth <= e.clientWidth")


@pytest.mark.long
def test_the_tabs_are_on_one_line_of_a_small_laptop_and_runs_are_not_cut_on_a_phone(
    page: Page, live_server: LiveServer, log_in: LogIn, project: Project
) -> None:
    Run.objects.create(
        project=project, slug="a-run-of-a-long-name-v5-0123ab", method="default.v5", status="done", done=1
    )
    log_in(page.context, member(project, "lead"))
    page.context.add_cookies([{"name": "django_language", "value": "de", "url": live_server.url}])
    page.set_viewport_size({"width": 1024, "height": 844})
    page.goto(live_server.url + reverse("prelabels", args=(project.slug,)))
    wait_until(lambda: page.locator("header").evaluate("e => e.offsetHeight") < 60)
    wait_until(page.locator("header nav").evaluate, "e => e.scrollWidth <= e.clientWidth")  # no tab is out of sight
    page.set_viewport_size({"width": 390, "height": 844})
    for button in page.locator("#runs button").all():
        wait_until(ends_within, button, 390)


def test_an_unused_label_has_no_bar(page: Page, live_server: LiveServer, log_in: LogIn, project: Project) -> None:
    log_in(page.context, member(project, "lead"))
    page.goto(live_server.url + reverse("project", args=(project.slug,)))
    rows = page.locator(".label-bars li").all()
    drawn = {row.locator(".num").inner_text(): row.locator(".bar-track i").count() for row in rows}
    assert drawn["0"] == 0 and max(drawn.values()) == 1


def test_no_page_requests_anything_its_policy_forbids(
    page: Page, live_server: LiveServer, log_in: LogIn, project: Project
) -> None:
    said: list[str] = []
    requested: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
    page.on("request", lambda request: requested.append(request.url))
    log_in(page.context, member(project, "lead"))
    for address in [*addresses(project)[:-1], "/api/docs/"]:
        page.goto(live_server.url + address)
    expect(page.locator("#swagger-ui")).to_contain_text("/api/assignments/{id}/annotation/")
    assert said == []
    assert all(url.startswith((live_server.url, "data:")) for url in requested)


def test_a_table_sorts_by_number_filters_and_is_copied(
    page: Page, live_server: LiveServer, log_in: LogIn, project: Project
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    log_in(page.context, member(project, "lead"))
    page.goto(live_server.url + reverse("project", args=(project.slug,)))
    names = page.locator("table[data-table]").first.locator("tbody th")
    head = page.get_by_role("columnheader", name="Time on pairs", exact=True)
    head.get_by_role("button").click()
    wait_until(names.all_inner_texts, equals=["anna", "bruno"])
    head.get_by_role("button").click()
    wait_until(names.all_inner_texts, equals=["bruno", "anna"])
    expect(head).to_have_attribute("aria-sort", "descending")
    page.goto(live_server.url + reverse("pairs", args=(project.slug,)))
    rows = page.locator("table[data-table] tbody tr:visible")
    wait_until(rows.count, equals=14)
    wanted = project.pairs.last()
    assert wanted is not None
    wanted.external_id = '=HYPERLINK("x")'
    wanted.save()
    page.reload()
    page.get_by_placeholder("Filter").fill(wanted.external_id.upper())
    wait_until(rows.count, equals=1)
    page.get_by_role("button", name="Copy as CSV").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert len(copied) == 2
    assert ',"\'=HYPERLINK(""x"")",' in copied[1], "a spreadsheet would compute it"


@pytest.mark.long
@pytest.mark.parametrize("width", [1440, 1024, 390])
@pytest.mark.parametrize("people", [2, 12])
def test_the_tools_of_a_table_leave_its_heading_uncovered(
    page: Page, live_server: LiveServer, log_in: LogIn, project: Project, width: int, people: int
) -> None:
    for _ in range(people - 2):
        AssignmentFactory(pair=PairFactory(project=project), annotator=AnnotatorFactory(project=project))
    page.set_viewport_size({"width": width, "height": 844})
    log_in(page.context, member(project, "lead"))
    page.goto(live_server.url + reverse("project", args=(project.slug,)))
    tools = page.locator("h2 + .table-tools")
    expect(tools.locator("input")).to_have_count(people // 12, timeout=10_000)
    # The heading's words, and whatever stands on their lines.
    look = """(tools) => {
      const words = document.createRange(), heading = tools.previousElementSibling;
      heading.textContent += " and by language, phase and round".repeat(2);
      words.selectNodeContents(heading);
      const over = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom
        && other.top < one.bottom;
      return [...words.getClientRects()].some((line) =>
        [...tools.children].some((tool) => over(line, tool.getBoundingClientRect())));
    }"""
    assert not tools.evaluate(look)


def test_the_plan_is_previewed_as_the_form_changes_and_applied_as_previewed(
    page: Page, live_server: LiveServer, log_in: LogIn, project: Project
) -> None:
    before = Assignment.objects.count()
    log_in(page.context, member(project, "lead"))
    page.goto(live_server.url + reverse("plan", args=(project.slug,)))
    preview = page.locator("#preview")
    expect(preview).to_contain_text("18 assignments will be created")
    page.get_by_label("Overlap", exact=True).fill("9")
    expect(preview).to_contain_text("24 assignments will be created")
    page.get_by_label("Trial").fill("99")
    beside, trial = page.locator("#id_trial_beside"), page.get_by_label("Trial")
    expect(beside).to_contain_text("Pairs requested: 99. Remaining after qualification: 12.")
    page.get_by_label("Trial").fill("3")
    expect(preview).to_contain_text("24 assignments will be created")
    for invalid in ("", "-1"):
        page.get_by_label("Trial").fill(invalid)
        expect(preview.get_by_role("alert")).to_contain_text("see the errors beside the fields")
        expect(beside).not_to_be_empty()
        expect(trial).to_have_attribute("aria-invalid", "true")
        expect(page.get_by_role("button", name="Create these assignments")).to_have_count(0)
        page.get_by_label("Trial").fill("3")
        expect(preview).to_contain_text("24 assignments will be created")
        expect(beside).to_be_empty()
        expect(trial).not_to_have_attribute("aria-invalid", "true")
    create, bruno = page.get_by_role("button", name="Create these assignments"), page.get_by_label("bruno", exact=True)
    page.get_by_label("Overlap", exact=True).fill("0")
    expect(preview).to_contain_text("15 assignments will be created")
    for _ in range(2):
        # A box that is ticked again counts again.
        bruno.uncheck()
        expect(preview).to_contain_text("12 assignments will be created")
        bruno.check()
        expect(preview).to_contain_text("15 assignments will be created")
    page.get_by_label("Overlap", exact=True).fill("9")
    expect(preview).to_contain_text("24 assignments will be created")
    wait_until(Assignment.objects.count, equals=before)
    follow(create)
    expect(page.get_by_role("status").first).to_contain_text("24 assignments were created")
    wait_until(Assignment.objects.count, equals=before + 24)


def test_a_published_plan_is_one_click_and_a_running_plan_is_changed(
    page: Page, live_server: LiveServer, log_in: LogIn, project: Project
) -> None:
    log_in(page.context, member(project, "lead"))
    page.goto(live_server.url + reverse("plan", args=(project.slug,)))
    follow(page.get_by_role("link", name="SwissGov-RSD"))
    # Of the 25 that were published, those that there are.
    expect(page.get_by_label("Overlap", exact=True)).to_have_value("9")
    preview = page.locator("#preview")
    page.get_by_label("Overlap", exact=True).fill("4")
    expect(preview).to_contain_text("at the pace measured so far")
    expect(preview.locator(".workloads i.shared")).to_have_count(2)
    follow(page.get_by_role("button", name="Create these assignments"))
    expect(page.get_by_role("status").first).to_contain_text("assignments were created")
    before = Assignment.objects.count()
    page.goto(live_server.url + reverse("plan", args=(project.slug,)))
    follow(page.get_by_role("link", name="Change the plan"))
    expect(preview).to_contain_text("This is what is assigned now.")
    shared = page.get_by_label("Overlap", exact=True)
    shared.fill(str(int(shared.input_value()) + 2))
    expect(preview).to_contain_text("New assignments: 2. Withdrawn: 0.")
    follow(page.get_by_role("button", name="Change the plan"))
    expect(page.get_by_role("status").first).to_contain_text("The plan was changed. New assignments: 2. Withdrawn: 0.")
    wait_until(Assignment.objects.count, equals=before + 2)


def test_guidelines_are_previewed_while_they_are_written(
    page: Page, live_server: LiveServer, log_in: LogIn, project: Project
) -> None:
    log_in(page.context, member(project, "lead"))
    page.goto(live_server.url + reverse("guidelines-edit", args=(project.slug,)))
    page.get_by_label("Guidelines, in Markdown").fill("# Mark\n\nwhat **matters**")
    expect(page.locator("#preview strong")).to_have_text("matters")
    page.get_by_label("Guidelines, in Markdown").fill("")
    expect(page.locator("#preview")).to_have_text("")
    wait_until(Guideline.objects.count, equals=1)


def test_a_reassignment_is_confirmed_and_then_reported(
    page: Page, live_server: LiveServer, log_in: LogIn, project: Project
) -> None:
    anna = project.annotators.get(alias="anna")
    for pair in project.pairs.order_by("-pk")[:10]:
        AssignmentFactory(pair=pair, annotator=anna)
    log_in(page.context, member(project, "lead"))
    page.goto(live_server.url + reverse("person", args=(project.slug, anna.pk)))
    page.get_by_label("Reassign to").select_option("bruno")
    page.get_by_role("button", name="Reassign …").click()
    follow(page.get_by_role("alertdialog").get_by_role("button", name="Reassign"))
    expect(page.get_by_role("status").first).to_contain_text("10 pairs were reassigned from anna to bruno.")


def test_the_field_for_ones_own_scheme_appears_when_it_is_chosen(
    page: Page, live_server: LiveServer, log_in: LogIn, project: Project
) -> None:
    log_in(page.context, member(project, "lead"))
    page.goto(live_server.url + reverse("project-new"))
    field = page.get_by_label("Your own scheme, as JSON")
    expect(field).to_be_hidden()
    page.get_by_label("My own scheme").check()
    expect(field).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Fresh")
    field.fill("{")
    follow(page.get_by_role("button", name="Create project"))
    expect(page.get_by_text("line 1, column 2")).to_be_visible()
    page.get_by_label("Rating: yes or no").check()
    expect(field).to_be_hidden()
