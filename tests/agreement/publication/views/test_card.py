"""The pages of a card: what is stated, the preview, and the card of a publication."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from agreement.models import Publication
from agreement.publication.facts import facts_of
from agreement.publication.services import publications as service
from annotation.models import JobStatus, Project
from tests.agreement.access import member, statuses
from tests.agreement.card_facts import CARD_FACTS, state_card_facts
from tests.factories import PairFactory, ProjectFactory

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
LEADS = {"stranger": 404, "annotator": 403, "adjudicator": 403, "lead": 200, "nobody": 302}
ASKED = {"format": "hub", "licence": "cc-by-4.0", "description": "Two towns."}


@pytest.fixture
def project(settings: Any, tmp_path: Path) -> Project:
    settings.DATA_DIR = tmp_path
    made: Project = ProjectFactory(slug="towns", name="Towns # <b>")
    PairFactory(project=made)
    return made


def at(name: str, project: Project, *rest: object) -> str:
    return reverse(name, args=[project.slug, *rest])


def test_access(project: Project) -> None:
    assert statuses(project, at("card-facts", project)) == LEADS
    posts = {**LEADS, "nobody": 401}
    assert statuses(project, at("card-facts", project), "post") == posts
    assert statuses(project, at("card-preview", project), "post") == {**posts, "lead": 422}
    assert statuses(project, at("publication-card", project, 0)) == {**LEADS, "lead": 404}


def test_publishing_asks_for_what_is_missing_and_each_name_leads_to_its_field(project: Project) -> None:
    client = member(project, "lead")
    refused = client.post(at("publish", project), {**ASKED, "licence": "unknown"})
    page = refused.content.decode()
    assert refused.status_code == 422 and "Missing: Licence, Contact" in page and not Publication.objects.exists()
    assert f'href="{at("card-facts", project)}#id_contact"' in page
    assert 'id="id_contact"' in client.get(at("card-facts", project)).content.decode()
    assert client.post(at("card-facts", project), {"revision": 0, **CARD_FACTS}).status_code == 302
    project.refresh_from_db()
    assert facts_of(project)[1] == 1
    page = client.get(at("publish", project)).content.decode()
    assert "#id_contact" not in page and "revision 1" in page
    assert client.post(at("publish", project), ASKED).status_code == 302
    assert client.post(at("publish", project), {**ASKED, "format": "jsonl", "licence": "unknown"}).status_code == 302


def test_the_list_of_what_is_missing_has_the_licence_before_the_button_is_pressed(project: Project) -> None:
    client, listed = member(project, "lead"), f'href="{at("publish", project)}#id_licence"'
    state_card_facts(project)
    assert listed in client.get(at("publish", project)).content.decode()
    client.post(at("card-preview", project), {**ASKED, "licence": "unknown"})
    assert listed in client.get(at("publish", project)).content.decode(), (
        "the preview's licence, which is none, is chosen"
    )
    assert client.post(at("publish", project), ASKED).status_code == 302
    page = client.get(at("publish", project)).content.decode()
    assert listed not in page and "Missing:" not in page, "the last publication's licence is chosen in the form"
    refused = client.post(at("publish", project), {**ASKED, "licence": "unknown"})
    assert refused.status_code == 422 and listed in refused.content.decode()
    refused = client.post(at("publish", project), {**ASKED, "splits": "nonsense"})
    assert refused.status_code == 422 and listed not in refused.content.decode()


def test_what_was_previewed_is_what_is_published_next(project: Project) -> None:
    client = member(project, "lead")
    state_card_facts(project)
    client.post(at("publish", project), {**ASKED, "licence": "cc0-1.0", "description": "Old."})
    client.post(at("card-preview", project), ASKED)
    form = client.get(at("publish", project)).context["form"]
    assert (form["licence"].value(), form["description"].value()) == ("cc-by-4.0", "Two towns.")


def test_a_licence_that_the_description_names_needs_one(project: Project) -> None:
    client = member(project, "lead")
    state_card_facts(project)
    refused = client.post(at("publish", project), {**ASKED, "licence": "other", "description": ""})
    page = refused.content.decode()
    assert refused.status_code == 422 and "Missing: Description" in page and "#id_description" in page
    assert client.post(at("publish", project), {**ASKED, "licence": "other"}).status_code == 302


def test_an_old_form_overwrites_nothing(project: Project) -> None:
    client = member(project, "lead")
    client.post(at("card-facts", project), {"revision": 0, **CARD_FACTS})
    late = client.post(at("card-facts", project), {"revision": 0, **CARD_FACTS, "pay": "not paid"})
    assert late.status_code == 422 and "Someone else saved revision 1" in late.content.decode()
    assert "not paid" in late.content.decode(), "what was typed is still there"
    project.refresh_from_db()
    assert facts_of(project)[0].pay == CARD_FACTS["pay"]


def test_the_preview_is_the_card_and_publishes_nothing(project: Project) -> None:
    client = member(project, "lead")
    answer = client.post(at("card-preview", project), {**ASKED, "licence": "unknown"})
    assert answer.status_code == 302 and answer["Location"] == at("publication-card", project, 0)
    page = client.get(answer["Location"]).content.decode()
    assert "Towns # &lt;b&gt;</h1>" in page and "Nothing has been published" in page and "Not stated." in page
    assert "<dt>license</dt>" in page and "#id_licence" in page
    assert "publications" in client.get(at("publish", project)).context and Publication.objects.get().number == 0
    assert not client.get(at("publish", project)).context["publications"]
    assert client.get(reverse("publication", args=[project.slug, 0])).status_code == 409
    state_card_facts(project)
    client.post(at("card-preview", project), ASKED)
    shown = Publication.objects.get().card
    client.post(at("publish", project), ASKED)
    published = Publication.objects.get(number=1).card
    cut = "## Where the figures come from"
    assert published.split(cut)[0] == shown.split(cut)[0], "what was seen is what is published"
    assert published in client.get(at("publication-card", project, 1)).content.decode() or "cc-by-4.0" in published


def test_a_large_ones_preview_is_awaited(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_SYNC_PAIRS", 0)
    client = member(project, "lead")
    client.post(at("card-preview", project), ASKED)
    page = client.get(at("publication-card", project, 0)).content.decode()
    assert "0 of 1 pairs" in page and 'hx-trigger="every 2s"' in page and "No worker is running" in page
    service.publications_run()
    part = client.get(at("publication-card", project, 0), headers={"HX-Request": "true"}).content.decode()
    assert part.lstrip().startswith('<div id="card"') and "hx-trigger" not in part and "Two towns." in part
    Publication.objects.update(status=JobStatus.FAILED, problem="The disk was full.", card="")
    assert "The disk was full." in client.get(at("publication-card", project, 0)).content.decode()


def test_only_a_dataset_has_a_card(project: Project) -> None:
    client = member(project, "lead")
    refused = client.post(at("card-preview", project), {**ASKED, "format": "csv"})
    assert refused.status_code == 422 and "Only a dataset has a card." in refused.content.decode()
    client.post(at("publish", project), {**ASKED, "format": "csv"})
    assert "This publication has no card." in client.get(at("publication-card", project, 1)).content.decode()
