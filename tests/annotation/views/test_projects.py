"""The progress of a project, one's own assignments in it, its settings, and creating one."""

import html
import json
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.models import Phase, Project, Role, Status
from annotation.selectors.projects import options_of
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.text.schemes import PRESETS
from tests.annotation.work import BIBLIOTHEK, LIBRARY, NOTHING, doc, house, span
from tests.annotation.writes import gold_write
from tests.factories import AssignmentFactory, PairFactory, ProjectFactory

pytestmark = pytest.mark.django_db
SETTINGS = {"name": "Town pages", "highlights_run": "", "highlights_share": 50, "verdicts": ["flagged"]}


def test_the_progress_page_counts_work_and_names_what_needs_attention() -> None:
    home = house()
    work = AnnotationInput(spans=doc(span(LIBRARY, label="5")), comment="hm", active_seconds=600)
    annotation_save(assignment=home.assignment, by=None, base=0, sent=work)
    annotation_submit(assignment=home.assignment, by=None, base=1, verdict="flagged", reason="cut off")
    AssignmentFactory(pair=PairFactory(project=home.project), annotator=home.assignment.annotator)
    page = home.lead.get(reverse("project", args=(home.project.slug,))).content.decode()
    assert "<b>1 of 2</b> assignments submitted (50%)" in page
    assert "To answer: 1 flagged, 0 not comparable, 0 skipped, 0 with comments." in page and "10 min" in page
    queue = reverse("monitor", args=(home.project.slug,))
    assert f"{queue}#queue" in page
    listed = home.lead.get(queue).content.decode()
    assert "cut off" in listed and "hm" in listed
    assert reverse("pair", args=(home.project.slug, home.assignment.pair_id)) in listed
    assert home.assignment.annotator.alias in page


def test_bars_have_a_length_in_languages_with_a_decimal_comma() -> None:
    home = house()
    spans = doc(span(LIBRARY, label="5"), span(NOTHING, label="5", id="s2"), span(BIBLIOTHEK, label="4", id="s3"))
    annotation_save(assignment=home.assignment, by=None, base=0, sent=AnnotationInput(spans=spans))
    address = reverse("project", args=(home.project.slug,))
    page = home.lead.get(address, HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert "Spannen, alle" in page and re.findall(r'class="c-\S+" style="width:([^"]*)"', page) == ["50.0%", "100.0%"]


@pytest.mark.parametrize(("pairs", "words"), [(0, "There are no pairs yet"), (2, "Plan assignments")])
def test_an_empty_project_says_what_to_do(pairs: int, words: str) -> None:
    home = house()
    home.assignment.pair.delete()
    PairFactory.create_batch(pairs, project=home.project)
    assert words in home.lead.get(reverse("project", args=(home.project.slug,))).content.decode()


def test_the_progress_page_makes_as_many_queries_for_three_people_as_for_thirty() -> None:
    counts = []
    for people in (3, 30):
        home = house()
        for _ in range(people):
            AssignmentFactory(pair=PairFactory(project=home.project))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            home.lead.get(reverse("project", args=(home.project.slug,)))
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_an_annotator_sees_their_own_list_and_no_one_elses() -> None:
    home = house()
    other = AssignmentFactory(pair=PairFactory(project=home.project, external_id="somebody-elses"))
    page = home.annotator.get(reverse("project", args=(home.project.slug,))).content.decode()
    assert home.assignment.pair.external_id in page
    assert "somebody-elses" not in page and other.annotator.alias not in page


@pytest.mark.parametrize(("closed", "words"), [([], "view or reopen"), (["main"], ">view<")])
def test_submitted_work_is_reopened_from_the_list(closed: list[str], words: str) -> None:
    home = house(settings={"closed_phases": closed})
    home.assignment.status = Status.DONE
    home.assignment.save()
    assert words in home.annotator.get(reverse("project", args=(home.project.slug,))).content.decode()


def test_a_submission_that_is_final_is_offered_for_viewing_only() -> None:
    home = house()
    home.assignment.phase, home.assignment.status = Phase.QUALIFICATION, Status.DONE
    home.assignment.save()
    gold_write(pair=home.assignment.pair, spans=[], version=0, provenance={})
    page = home.annotator.get(reverse("project", args=(home.project.slug,))).content.decode()
    assert ">view<" in page and "view or reopen" not in page


def test_pairs_of_closed_phases_are_not_offered_to_continue() -> None:
    home = house(settings={"closed_phases": ["main"]})
    for address in (reverse("project", args=(home.project.slug,)), reverse("home")):
        page = home.annotator.get(address).content.decode()
        assert "The remaining pairs are in phases that the lead has closed." in page
        assert "data-next" not in page


def test_settings_are_saved() -> None:
    home = house()
    response = home.lead.post(reverse("project-settings", args=(home.project.slug,)), SETTINGS)
    project = Project.objects.get(pk=home.project.pk)
    options = options_of(project)
    assert (response.status_code, project.name) == (302, "Town pages")
    assert (options.highlights_run, options.highlights_share, options.metadata_shown) == ("", 50, False)
    assert (options.verdicts, options.skip_percent) == (("submitted", "flagged"), None)


def shown_in(page: str) -> str:
    found = re.search(r'name="shown" value="([^"]*)"', page)
    assert found
    return html.unescape(found[1])


def test_what_another_lead_saved_meanwhile_stays() -> None:
    home = house()
    address = reverse("project-settings", args=(home.project.slug,))
    shown = shown_in(home.lead.get(address).content.decode())
    theirs = {**SETTINGS, "shown": shown, "currency": "CHF", "adjudication_blind": "on", "verdicts": ["skipped"]}
    assert home.superuser.post(address, theirs).status_code == 302
    name = json.loads(shown)["name"]
    mine = {
        "shown": shown, "name": name, "highlights_run": "latest", "highlights_share": 100, "skip_percent": 5,
        "verdicts": ["flagged", "rejected", "skipped"], "currency": "EUR",
    }  # fmt: skip
    assert home.lead.post(address, mine).status_code == 302
    home.project.refresh_from_db()
    options = options_of(home.project)
    assert (options.currency, options.adjudication_blind, options.skip_percent) == ("CHF", True, 5)
    assert (home.project.name, options.highlights_share, set(options.verdicts)) == (
        "Town pages", 50, {"submitted", "skipped"}
    )  # fmt: skip
    response = home.lead.post(address, {**mine, "currency": "USD", "metadata_shown": "on"})
    page = response.content.decode()
    assert response.status_code == 422 and "Saved in the meantime: CHF. Save again to replace it." in page
    assert 'name="adjudication_blind" id="id_adjudication_blind" checked' in " ".join(page.split()), "as it is saved"
    again = {**mine, "shown": shown_in(page), "currency": "USD", "adjudication_blind": "on", "verdicts": ["skipped"]}
    again |= {"name": "Town pages", "highlights_share": 50, "highlights_run": ""}
    assert home.lead.post(address, again).status_code == 302
    home.project.refresh_from_db()
    assert (options_of(home.project).currency, options_of(home.project).adjudication_blind) == ("USD", True)


@pytest.mark.parametrize("change", [{"highlights_share": 200}, {"name": ""}, {"highlights_run": "unknown"}])
def test_invalid_settings_are_shown_again(change: dict[str, object]) -> None:
    home = house(name="As it was")
    response = home.lead.post(reverse("project-settings", args=(home.project.slug,)), {**SETTINGS, **change})
    assert response.status_code == 422
    assert Project.objects.get(pk=home.project.pk).name == "As it was"


@pytest.mark.parametrize("scheme", list(PRESETS))
def test_a_project_is_created_with_a_preset(scheme: str) -> None:
    home = house()
    response = home.lead.post(reverse("project-new"), {"name": "Fresh one", "scheme": scheme})
    project = Project.objects.get(slug="fresh-one")
    assert (response["Location"], project.labels) == (reverse("import", args=("fresh-one",)), PRESETS[scheme])
    assert project.annotators.get().role == Role.LEAD


def test_a_project_is_created_with_a_custom_scheme() -> None:
    scheme = {"name": "mine", "labels": [{"key": "x", "name": "Different"}], "sides": ["b"], "links": False}
    body = {"name": "Fresh one", "scheme": "own", "own_scheme": json.dumps(scheme)}
    assert house().lead.post(reverse("project-new"), body).status_code == 302
    assert Project.objects.get(slug="fresh-one").labels.keys == ["x"]


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ("{", "line 1, column 2"),
        ("[]", "an object"),
        ('{"name": "x"}', "no labels and no questions"),
        ('{"name": "x", "labels": [{"key": "1", "name": "a"}, {"key": "1", "name": "b"}]}', "scheme.labels[1].key"),
        ("[" * 100_000, "nested too deeply"),
        ('{"name": "x", "labels": [{"key": "' + "9" * 5000 + '"}]}', "scheme.labels[0].key"),
        ('{"name": "x", "labels": [{"key": "x", "name": "X", "value": ' + "9" * 5000 + "}]}", "labels[0].value"),
        ('{"name": "x", "labels": [{"key": "x", "name": "\\ud800"}]}', "half a surrogate"),
    ],
)
def test_an_invalid_scheme_is_refused_with_the_location(own: str, words: str) -> None:
    response = house().lead.post(reverse("project-new"), {"name": "Fresh", "scheme": "own", "own_scheme": own})
    assert response.status_code == 422 and words in response.content.decode()
    assert not Project.objects.filter(slug="fresh").exists()


def test_all_that_is_wrong_with_a_scheme_is_said_at_once() -> None:
    own = {"name": "x", "labels": [{"key": "1", "name": ""}, {"key": "2", "name": "b", "hotkey": "g"}], "links": "no"}
    body = {"name": "Fresh", "scheme": "own", "own_scheme": json.dumps(own)}
    page = html.unescape(house().lead.post(reverse("project-new"), body).content.decode())
    wrong = (
        "scheme.labels[0].name: empty.",
        "scheme.labels[1].hotkey: 'g' is a shortcut",
        "scheme.links: true or false",
    )
    assert all(words in page for words in wrong)


def test_a_name_that_is_taken_is_said_at_its_field() -> None:
    ProjectFactory(slug="fresh")
    response = house().lead.post(reverse("project-new"), {"name": "Fresh", "scheme": "graded"})
    assert response.status_code == 422 and "already" in response.content.decode()
