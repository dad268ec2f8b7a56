"""Who changed what: each kind of change in words, with its author, by a number of queries that does not grow."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotation.models import Annotator, Project, Role
from annotation.models.imports import Import
from annotation.planning.plans import PlanSettings
from annotation.selectors.audit import AuditedChange, AuditTrail, Topic, ValueChange
from annotation.selectors.audit_sources import IMPORT_COUNTS
from annotation.services.import_report import ImportReport
from annotation.services.plans import plan_apply, plan_preview
from tests.access.site import Filled, filled
from tests.assist.conftest import fakes, notified, own_data  # noqa: F401
from tests.factories import AnnotatorFactory, PairFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified", "own_data")]


def trail(at: Filled, **wanted: Any) -> list[AuditedChange]:
    return AuditTrail(at.project, **wanted)[0:500]


def named(at: Filled) -> str:
    lead = Annotator.objects.get(project=at.project, role=Role.LEAD).user
    assert lead is not None
    return lead.username


def post(at: Filled, name: str, data: dict[str, Any], **more: Any) -> None:
    response = at.clients["lead"].post(reverse(name, args=(at.project.slug, *more.values())), data)
    assert response.status_code == 302, response.content


def test_settings_are_told_with_what_they_were() -> None:
    at = filled()
    at.project.refresh_from_db()
    data = {"name": "Towns", "highlights_share": 50, "highlights_run": "latest", "closed_phases": ["main", "trial"]}
    post(at, "project-settings", {**data, "verdicts": ["flagged"], "reading_level": "B2", "currency": "CHF"})
    change = trail(at, kind="settings")[0]
    assert (change.what, change.by, change.kind) == ("Settings changed", named(at), Topic.SETTINGS)
    values = {value.name: (value.before, value.after) for value in change.values}
    assert values["Name"] == ("library", "Towns")
    assert values["Share of assignments that show pre-labels (%)"] == ("100", "50")
    assert values["Closed phases"] == ("main", "main, trial")
    assert values["Currency of hourly rates"] == ("EUR", "CHF")
    assert values["Annotators can see how the gold differs from their own work"] == ("yes", "no")


def test_a_scheme_is_told_by_its_labels() -> None:
    at = filled()
    project = Project.objects.get(pk=at.project.pk)
    project.scheme["labels"][0]["name"] = "Tiny"
    project.save()
    (value,) = trail(at, kind="settings")[0].values
    assert value.name == "Labels" and "Tiny" in value.after and "Tiny" not in value.before


def test_an_import_is_told_by_its_counts() -> None:
    at = filled()
    report = ImportReport("library", pairs_new=3, annotations_known=2, overlaps=1, dry_run=True)
    Import.objects.create(project=at.project, format="jsonl", names=["a.jsonl"], status="done", report=report.to_json())
    change = trail(at, kind="imports")[0]
    assert (change.what, change.about) == ("Pairs imported", "a.jsonl")
    assert [(value.name, value.after) for value in change.values] == [
        ("New pairs", "3"),
        ("Annotations already in the project", "2"),
        ("Tokens under more than one span", "1"),
    ]


def test_every_count_of_an_import_has_a_name_and_what_is_no_number_is_not_shown() -> None:
    report = ImportReport("library").to_json()
    assert list(IMPORT_COUNTS) == [name for name, value in report.items() if type(value) is int]
    at = filled()
    Import.objects.create(
        project=at.project, status="done", report={"pairs_new": ["<b>"], "spans": "9", "broken": True}
    )
    assert trail(at, kind="imports")[0].values == ()


def test_people_are_told_with_their_roles() -> None:
    at = filled()
    person = AnnotatorFactory(project=at.project, alias="Dora", role=Role.ANNOTATOR)
    response = at.clients["lead"].put(
        reverse("api-person", args=(at.project.slug, person.pk)),
        {"alias": "Dorothea", "role": "adjudicator", "languages": []},
        content_type="application/json",
    )
    assert response.status_code == 200
    changes = [change for change in trail(at, kind="people") if change.about in ("Dora", "Dorothea")]
    assert changes[-1].what == "Person added" and changes[-1].values == (ValueChange("Role", "", "annotator"),)
    told = {value for change in changes[:-1] for value in change.values}
    assert told == {ValueChange("Name", "Dora", "Dorothea"), ValueChange("Role", "annotator", "adjudicator")}
    assert {change.by for change in changes[:-1]} == {named(at)} and changes[-1].by == ""
    assert "Access ended" in {change.what for change in trail(at, kind="people")}


def test_the_rest_is_told_by_its_own_tables_and_events() -> None:
    at = filled()
    post(at, "guidelines-edit", {"text": "New.", "base": 1})
    post(at, "project-archive", {"archived": "1"})
    post(at, "project-archive", {"archived": "0"})
    found = {(change.kind.value, change.what, change.by) for change in trail(at)}
    lead = named(at)
    assert {
        ("guidelines", "Guidelines written: version 2", lead),
        ("guidelines", "Guidelines written: version 1", ""),
        ("project", "Project archived", lead),
        ("project", "Project unarchived", lead),
        ("glossary", "Glossary entry added", ""),
        ("gold", "Gold version 1 created", lead),
        ("gold", "Draft opened", lead),
        ("publications", "Publication 1 requested", lead),
        ("settings", "Project created", ""),
    } <= found


def test_plans_reassignments_and_exports_leave_events(tmp_path: Any) -> None:
    at = filled()
    newcomer = AnnotatorFactory(project=at.project, role=Role.ANNOTATOR)
    response = at.clients["lead"].post(
        reverse("api-person-replace", args=(at.project.slug, at.person.pk)),
        {"newcomer": newcomer.pk},
        content_type="application/json",
    )
    assert response.status_code == 200, response.content
    call_command("export", "--project", at.project.slug, "--to", "jsonl", str(tmp_path / "out.jsonl"))
    (moved,) = trail(at, kind="plan")
    assert (moved.what, moved.about, moved.by) == ("Pairs reassigned", at.person.alias, named(at))
    assert moved.values == (ValueChange("Pairs", "", "1"),)
    assert ("Exported by a command", "jsonl", "") in {
        (change.what, change.about, change.by) for change in trail(at, kind="publications")
    }


def test_a_plan_is_told_by_phase() -> None:
    at = filled()
    PairFactory(project=at.project)
    settings = PlanSettings(trial=0, overlap=0, seed=1)
    people = [at.person]
    plan = plan_preview(project=at.project, annotators=people, settings=settings)
    plan_apply(project=at.project, annotators=people, settings=settings, digest=plan.digest)
    (change,) = trail(at, kind="plan")
    assert change.what == "1 pair assigned" and change.values == (ValueChange("main", "", "1"),)


def test_pages_filters_and_people() -> None:
    at = filled()
    every = trail(at)
    assert len(AuditTrail(at.project)) == len(every) > 10
    assert [change.at for change in every] == sorted((change.at for change in every), reverse=True)
    assert every[3:6] == AuditTrail(at.project)[3:6]
    address = reverse("project-changes", args=(at.project.slug,))
    lead = Annotator.objects.get(project=at.project, role=Role.LEAD).user
    assert lead is not None
    page = at.clients["lead"].get(address, {"kind": "gold", "person": str(lead.pk)}).content.decode()
    assert "Gold version 1 created" in page and "Person added" not in page and lead.username in page
    assert "Choose others." in at.clients["lead"].get(address, {"kind": "imports"}).content.decode()
    wrong = at.clients["lead"].get(address, {"kind": "weather"})
    assert wrong.status_code == 422 and "Person added" in wrong.content.decode()


def test_the_same_as_csv_and_by_the_api() -> None:
    at = filled()
    text = at.clients["lead"].get(reverse("project-changes-csv", args=(at.project.slug,))).content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {"when", "who", "kind", "what", "about", "value", "before", "after"} == set(rows[0])
    assert any(row["what"] == "Person added" and row["after"] == "lead" for row in rows)
    address = reverse("api-project-changes", args=(at.project.slug,))
    answer = at.clients["lead"].get(address, {"kind": "people", "size": "2"}).json()
    assert (len(answer["changes"]), answer["page"]) == (2, 1) and answer["count"] >= 5
    assert at.clients["lead"].get(address, {"person": "nobody"}).json()["count"] == 0
    assert at.clients["lead"].get(address, {"person": named(at)}).json()["count"] > 0


def test_a_long_history_takes_no_more_queries(django_assert_max_num_queries: Any) -> None:
    at = filled()
    for n in range(60):
        person = AnnotatorFactory(project=at.project, alias=f"P{n}")
        person.alias = f"Q{n}"
        person.save()
    with django_assert_max_num_queries(20):
        found = AuditTrail(at.project)
        assert len(found) > 120 and len(found[0:50]) == 50


def test_another_projects_changes_are_not_among_them() -> None:
    at, other = filled(), filled("museum")
    everything = trail(at)
    other.project.name = "Museums"
    other.project.save()
    assert trail(at) == everything
