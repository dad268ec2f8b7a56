"""What is kept of the qualification elsewhere: in the list of changes, in copies, archives, and after a removal."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotation.models import Annotator, Assignment, Project, Role
from annotation.models.qualification import QualificationStep
from annotation.qualification.rule import KEY, rule_revision
from annotation.selectors.audit import AuditTrail
from annotation.selectors.qualification import project_rule, qualification_of, qualifications
from annotation.services import qualification
from annotation.services.duplicates import project_duplicate
from operation.privacy.delete import person_delete
from tests.annotation.qualified import REFERENCE, candidate, ruled, submit_all, with_gold, words_save
from tests.annotation.work import LIBRARY, client_of, span
from tests.factories import AnnotatorFactory, ProjectFactory

pytestmark = pytest.mark.django_db


def retried() -> tuple[Project, Annotator]:
    """Someone who was told to retry, and has words."""
    project = ruled(least_pairs=1)
    person = candidate(project, [with_gold(project)])
    with_gold(project)
    submit_all(person)
    lead: Any = AnnotatorFactory(project=project, role=Role.LEAD)
    words_save(annotator=person, words="Once more.", by=lead.user)
    qualification.person_retry(annotator=person, pairs=1, by=lead.user)
    return project, person


def test_changes_tell_rules_and_decisions_with_their_authors() -> None:
    project, person = retried()
    rule = project_rule(project)
    qualification.rule_save(project=project, rule={"least": 0.5}, base=rule_revision(rule))
    step = QualificationStep.objects.get(step="retry")
    qualification.decision_undo(annotator=person, step=step.pk, by=step.made_by)
    changes = AuditTrail(project)[0:50]
    told = {change.what: change for change in changes}
    assert step.made_by is not None
    by = step.made_by.username
    for what in ("Qualification with other pairs", "Qualification with other pairs undone"):
        assert (told[what].about, told[what].by) == (person.alias, by)
        assert [(value.name, value.after) for value in told[what].values] == [
            ("Agreement", "0.00"),
            ("Compared pairs", "1"),
            ("Pairs assigned", "1"),
        ]
    message = told["Message about the qualification"]
    assert (message.about, message.by, message.values) == (person.alias, by, ())
    assert not any("Once more." in str(change) for change in changes)
    values = next(change for change in changes if change.what == "Settings changed").values
    assert [(value.name, value.before, value.after) for value in values] == [
        ("Pass rule: Minimum agreement", "0.70", "0.50"),
        ("Pass rule: Minimum number of pairs", "1", "5"),
    ]


def test_changes_name_rules_and_values_as_their_pages_do() -> None:
    project = ProjectFactory()
    rule = {"least": 0.9, "parts": {"3": 0.5}, "release": "at-once", "automatic": True, "least_pairs": 1}
    qualification.rule_save(project=project, rule=rule, base="")
    person = candidate(project, [with_gold(project)])
    submit_all(person, span(LIBRARY, label="3"))
    words_save(annotator=person, words="Hm.", by=None)
    words_save(annotator=person, words="", by=None)
    qualification.person_advance(annotator=person, by=None)
    qualification.rule_save(project=project, rule=None, base=rule_revision(project_rule(project)))
    changes = AuditTrail(project)[0:50]
    told = {change.what: {value.name: value.after for value in change.values} for change in changes}
    assert told["Advanced after the qualification"]["Agreement"] == "0.66"  # as on all pages, not 0.6667
    assert told["Message about the qualification withdrawn"] == {}
    saved = [change.values for change in changes if change.what == "Settings changed"]
    assert [[value.before or value.after for value in values] for values in saved] == 2 * [
        [
            *("Marked words with the same label (F1)", "0.90", "“3” 0.50", "1"),
            *("no", "as soon as they have submitted all their pairs", "yes"),
        ]
    ]
    assert [[bool(value.after) for value in values] for values in saved] == [7 * [False], 7 * [True]]


def test_a_copy_of_a_project_has_its_rule_and_no_decisions() -> None:
    project, _person = retried()
    made = project_duplicate(project=project, name="Again")
    assert made.settings[KEY] == project.settings[KEY]
    assert not QualificationStep.objects.filter(annotator__project=made).exists()


def test_an_archive_brings_rule_decisions_and_result_back(tmp_path: Path) -> None:
    project, person = retried()
    submit_all(person, *REFERENCE)
    path = str(tmp_path / "project.zip")
    call_command("export", "--project", project.slug, "--to", "archive", path, stdout=StringIO(), stderr=StringIO())
    call_command("import_pairs", path, "--project", "again", "--format", "archive", stdout=StringIO())
    made = Project.objects.get(slug="again")
    (before,) = (each for each in qualifications(project) if each.annotator == person)
    (after,) = qualifications(made)
    assert (after.rule, after.status, after.result.value) == (before.rule, before.status, before.result.value)
    assert [(each.step, each.words, each.details) for each in after.steps] == [
        (each.step, each.words, each.details) for each in before.steps
    ]
    assert (after.status, after.result.assigned) == ("passed", 1)
    # which pairs a retry assigned, too
    own = Assignment.objects.filter(annotator=after.annotator).values_list("pair__external_id", "retry__step")
    assert [retry for _pair, retry in own.order_by("order")] == [None, "retry"]


@pytest.mark.parametrize("change", [{"details": {"since": "x"}}, {"details": [1]}, {"words": "x" * 10_001}])
def test_an_archive_with_forged_decisions_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    project, _person = retried()
    QualificationStep.objects.update(**change)
    path = str(tmp_path / "project.zip")
    call_command("export", "--project", project.slug, "--to", "archive", path, stdout=StringIO(), stderr=StringIO())
    with pytest.raises(CommandError, match=r"the expected form|another kind"):
        call_command("import_pairs", path, "--project", "again", "--format", "archive", stdout=StringIO())
    assert not Project.objects.filter(slug="again").exists()


def test_an_archive_with_a_pair_that_another_decision_assigned_is_refused(tmp_path: Path) -> None:
    project, _person = retried()
    Assignment.objects.update(retry=QualificationStep.objects.get(step="words"))
    path = str(tmp_path / "project.zip")
    call_command("export", "--project", project.slug, "--to", "archive", path, stdout=StringIO(), stderr=StringIO())
    with pytest.raises(CommandError, match="the expected form"):
        call_command("import_pairs", path, "--project", "again", "--format", "archive", stdout=StringIO())


@pytest.mark.parametrize("details", [[], "x", {"since": "x", "value": [1], "pairs": None}, {"since": True}])
def test_a_forged_decision_breaks_no_page(details: Any) -> None:
    project, person = retried()
    QualificationStep.objects.update(details=details)
    lead = Annotator.objects.get(project=project, role=Role.LEAD).user
    for name, more in (("qualification", ()), ("qualification-person", (person.pk,)), ("project-changes", ())):
        assert lead and client_of(lead).get(reverse(name, args=(project.slug, *more))).status_code == 200


def test_a_finished_retry_is_judged_alike_wherever_it_is_read() -> None:
    project, person = retried()
    submit_all(person, *REFERENCE)
    qualification = qualification_of(Annotator.objects.select_related("project").get(pk=person.pk))
    assert qualification is not None and (qualification.status, qualification.result.assigned) == ("passed", 1)
    assert project_rule(Project.objects.get(pk=project.pk)) == qualification.rule


def test_words_that_were_deleted_with_an_account_do_not_look_taken_back() -> None:
    project, person = retried()
    assert person.user is not None
    person_delete(user=person.user)
    lead = Annotator.objects.get(project=project, role=Role.LEAD).user
    assert lead is not None
    for name, more in (("qualification-person", (person.pk,)), ("project-changes", ())):
        shown = client_of(lead).get(reverse(name, args=(project.slug, *more))).content.decode()
        assert "deleted with the account" in shown and "withdrawn" not in shown.split("Messages and decisions")[-1]
