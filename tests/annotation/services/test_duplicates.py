"""A copy of a project: its scheme, settings, guidelines and glossary, and nothing of its texts, people and work."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.errors import Conflict
from annotation.models import Annotator, Guideline, Pair, Project, Role
from annotation.models.glossary import GlossaryEntry
from annotation.models.lifecycle import ProjectEvent, ProjectEventType
from annotation.selectors.projects import options_of
from annotation.services.duplicates import duplicate_names, project_duplicate
from annotation.services.glossary import glossary_entry_save
from annotation.services.guidelines import guideline_write
from annotation.text.schemes import PRESETS
from tests.annotation.work import House, house

pytestmark = pytest.mark.django_db


def filled() -> House:
    home = house(slug="towns", name="Towns", scheme=PRESETS["xparade"].to_json())
    home.project.settings = {
        "highlights_run": "some-run",
        "highlights_share": 50,
        "closed_phases": ["trial"],
        "card": {"contact": "Ben"},
        "prelabel": {"automatic": True},
    }
    home.project.save()
    for version, text in enumerate(("Old.", "New."), 0):
        guideline_write(project=home.project, text=text, base=version)
    glossary_entry_save(
        project=home.project, term_language="en", translation_language="de", term="town", translations=["Stadt"]
    )
    return home


def test_it_has_what_the_work_is_set_up_with_and_nothing_of_the_work() -> None:
    home = filled()
    lead = home.project.annotators.get(role="lead").user
    made = project_duplicate(project=home.project, name="Villages", slug="villages", glossary=True, lead=lead)
    assert (made.slug, made.name, made.scheme) == ("villages", "Villages", home.project.scheme)
    options = options_of(made)
    assert (options.highlights_share, options.highlights_run, options.closed_phases) == (50, "latest", ())
    assert made.settings["prelabel"] == {"automatic": True} and "card" not in made.settings
    assert list(Guideline.objects.filter(project=made).values_list("version", "text")) == [(1, "New.")]
    assert [(row.term, row.translations) for row in GlossaryEntry.objects.filter(project=made)] == [("town", ["Stadt"])]
    assert [(row.user, row.role) for row in Annotator.objects.filter(project=made)] == [(lead, Role.LEAD)]
    assert not Pair.objects.filter(project=made).exists()
    event = ProjectEvent.objects.get(project=made)
    assert (event.what, event.made_by) == (ProjectEventType.DUPLICATED, lead)
    assert event.details == {"of": "towns", "glossary": 1}
    assert GlossaryEntry.objects.filter(project=home.project).count() == 1, "the old one stays as it is"


def test_without_the_glossary_it_has_none() -> None:
    made = project_duplicate(project=filled().project, name="Villages")
    assert (made.slug, made.glossary.count(), made.annotators.count()) == ("villages", 0, 0)


def test_names_are_proposed_that_are_free() -> None:
    home = filled()
    assert duplicate_names(home.project) == ("Towns (2)", "towns-2")
    project_duplicate(project=home.project, name="Other", slug="towns-2")
    assert duplicate_names(home.project) == ("Towns (3)", "towns-3")
    home.project.name, home.project.slug = "N" * 200, "s" * 80
    name, slug = duplicate_names(home.project)
    assert (len(name), len(slug), name[-4:], slug[-2:]) == (200, 80, " (2)", "-2")


def test_a_slug_that_is_taken_is_refused_and_nothing_is_made() -> None:
    home = filled()
    with pytest.raises(Conflict, match="already exists"):
        project_duplicate(project=home.project, name="Towns")
    assert Project.objects.count() == 1


def test_the_page_proposes_a_name_and_opens_the_copy() -> None:
    home = filled()
    address = f"/projects/{home.project.slug}/duplicate/"
    page = home.lead.get(address).content.decode()
    assert 'value="Towns (2)"' in page and 'value="towns-2"' in page and "The glossary with 1 entry" in page
    taken = home.lead.post(address, {"name": "Towns", "slug": "towns"})
    assert taken.status_code == 422 and "already exists" in taken.content.decode()
    done = home.lead.post(address, {"name": "Villages", "slug": "villages", "glossary": "on"})
    assert done.status_code == 302 and done["Location"] == "/projects/villages/"
    assert Project.objects.get(slug="villages").glossary.count() == 1


def test_the_command_does_the_same() -> None:
    home = filled()
    lead = home.project.annotators.get(role="lead").user
    assert lead is not None
    said = StringIO()
    call_command("duplicate_project", "towns", stdout=said)
    call_command("duplicate_project", "towns", "--name", "Villages", "--glossary", "--lead", lead.username, stdout=said)
    assert said.getvalue() == "towns-2: Towns (2)\nvillages: Villages\n"
    assert Project.objects.get(slug="villages").annotators.get().user == lead
    with pytest.raises(CommandError, match="no account nobody"):
        call_command("duplicate_project", "towns", "--lead", "nobody", stdout=said)
