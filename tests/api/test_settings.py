"""Settings, passwords, glossary files, automatic pre-labelling and examples, as programs use them."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from annotation.models import Guideline, Project
from annotation.project_options import ProjectOptions
from assist.runs.prelabel_options import PrelabelOptions
from tests.annotation.work import house
from tests.assist.conftest import fakes, notified  # noqa: F401
from tests.factories import AnnotatorFactory, ProjectFactory, UserFactory

pytestmark = [pytest.mark.any_database, pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]
FILE = {"name": "terms.tsv", "text": "library\tBibliothek\nnothing\n"}


def put(client: Client, address: str, data: Any) -> Any:
    return client.put(f"/api/projects/library/{address}/", data, "application/json")


def post(client: Client, address: str, data: Any) -> Any:
    return client.post(f"/api/projects/library/{address}/", data, "application/json")


def test_settings_that_are_not_named_stay_as_they_are() -> None:
    home = house(slug="library", settings={"gold_shown": True, "closed_phases": ["trial"]})
    given = {"name": "LedgerAccount", "verdicts": ["submitted", "flagged", "flagged"], "skip_percent": 5}
    changed = put(home.lead, "settings", given)
    assert changed.status_code == 200 and changed.json() == home.lead.get("/api/projects/library/settings/").json()
    project = Project.objects.get()
    options = ProjectOptions.from_json(project.settings)
    assert (project.name, options.verdicts, options.skip_percent) == ("LedgerAccount", ("submitted", "flagged"), 5)
    assert options.gold_shown and options.closed_phases == ("trial",)
    assert put(home.lead, "settings", {"skip_percent": None}).json()["skip_percent"] is None


@pytest.mark.parametrize(
    "wrong",
    (
        {"highlights_share": 101},
        {"highlights_run": "none-such"},
        {"verdicts": ["flagged"]},
        {"currency": "francs"},
        {"name": " "},
        {"closed_phases": ["last"]},
        {"scheme": {}},
    ),
)
def test_settings_that_cannot_be_change_nothing(wrong: dict[str, Any]) -> None:
    home = house(slug="library")
    before = home.lead.get("/api/projects/library/settings/").json()
    assert put(home.lead, "settings", {"gold_shown": True, **wrong}).status_code == 422
    assert home.lead.get("/api/projects/library/settings/").json() == before


def test_a_password_link_is_made_for_those_whose_account_one_may_open() -> None:
    home = house(slug="library")
    person = AnnotatorFactory(project=home.project, user=UserFactory(made_in=home.project))
    made = post(home.lead, f"people/{person.pk}/password-link", {})
    assert made.status_code == 200
    page = Client().get(made.json()["link"].removeprefix("http://testserver"), follow=True)
    assert 'name="new_password1"' in page.content.decode()
    AnnotatorFactory(project=ProjectFactory(), user=person.user)
    assert post(home.lead, f"people/{person.pk}/password-link", {}).status_code == 403
    without = AnnotatorFactory(project=home.project, user=None)
    assert post(home.lead, f"people/{without.pk}/password-link", {}).status_code == 409


def test_a_glossary_file_is_previewed_added_and_its_deletions_are_undone() -> None:
    home = house(slug="library")
    given = {"file": FILE, "term_language": "en", "translation_language": "de"}
    shown = post(home.lead, "glossary/upload", given).json()
    assert (shown["new"], shown["rejected"], shown["written"]) == (1, 1, False)
    assert (
        shown["rejections"][0]["line"] == 2 and home.lead.get("/api/projects/library/glossary/").json()["entries"] == []
    )
    assert post(home.lead, "glossary/upload", {**given, "preview": False}).json()["written"]
    other = {**given, "file": {"name": "b.tsv", "text": "house\tHaus\n"}, "preview": False, "replace": True}
    refused = post(home.lead, "glossary/upload", other).json()
    assert (refused["removed"], refused["written"]) == (["library"], False)
    assert post(home.lead, "glossary/upload", {**other, "deletes": 1}).json()["written"]
    restored = post(home.lead, "glossary/restore", {}).json()["restored"]
    assert [each["term"] for each in restored] == ["library"]
    terms = {each["term"] for each in home.lead.get("/api/projects/library/glossary/").json()["entries"]}
    assert terms == {"library", "house"}


def test_automatic_pre_labelling_takes_no_path_and_no_method_that_sends_texts_away() -> None:
    home = house(slug="library")
    usual = PrelabelOptions().to_json()
    assert home.lead.get("/api/projects/library/prelabelling/").json() == usual
    for method, settings in (("none", {}), ("diffalign", {"model": "/etc"}), ("llm", {}), ("learned", {"none": 1})):
        given = {"automatic": True, "method": method, "settings": settings}
        assert put(home.lead, "prelabelling", given).status_code == 422, method
    assert home.lead.get("/api/projects/library/prelabelling/").json() == usual
    chosen = {"automatic": True, "method": "default", "settings": {"target": "new"}, "retrain_after": 3}
    assert put(home.lead, "prelabelling", chosen).json() == chosen
    assert PrelabelOptions.of(Project.objects.get().settings) == PrelabelOptions(True, "default", {"target": "new"}, 3)


def test_an_example_quotes_the_tokens_that_characters_touch() -> None:
    home = house(slug="library")
    pair = home.assignment.pair
    start, end = pair.b.tokens[1]
    given = {"side": "b", "start": start + 1, "end": end, "label": "3", "remark": "A remark."}
    assert post(home.lead, f"pairs/{pair.pk}/example", given).json() == {"version": 1}
    text = Guideline.objects.order_by("-version")[0].text
    assert f"<mark>{pair.b.content[start:end]}</mark>" in text and "A remark." in text
    for wrong in ({"start": end, "end": end}, {"start": end, "end": start}, {"label": "none"}, {"side": "c"}):
        assert post(home.lead, f"pairs/{pair.pk}/example", {**given, **wrong}).status_code == 422
    assert Guideline.objects.count() == 1
