"""`manage.py plan`: shown and written as on the pages, with refusals in a sentence."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.models import Annotation, Assignment, Source
from annotation.qualification.rule import KEY, PassRule
from tests.annotation.services.test_plans import project_of
from tests.factories import AnnotatorFactory

pytestmark = pytest.mark.django_db


def plan(*arguments: str) -> list[str]:
    said = StringIO()
    call_command("plan", "--project", "towns", *arguments, stdout=said)
    return said.getvalue().splitlines()


def test_a_plan_is_shown_then_applied_then_changed() -> None:
    project, people = project_of(6, 2, slug="towns")
    shown = plan("--trial", "1", "--overlap", "1", "--dry-run")
    assert shown[0].split("\t")[:4] == ["annotator", "withdrawn", "new", "qualification"]
    assert shown[1].split("\t") == [people[0].alias, "0", "4", "0", "1", "3", "1", "0", ""]
    assert shown[-1] == "Nothing was assigned." and not Assignment.objects.exists()
    assert plan("--trial", "1", "--overlap", "1")[-1] == "New assignments: 8. Withdrawn: 0."
    assert Assignment.objects.count() == 8
    third = AnnotatorFactory(project=project)
    names = ",".join((people[0].alias, third.alias))
    assert plan("--change", "--trial", "1", "--people", names)[-1] == "New assignments: 3. Withdrawn: 4."
    assert not Assignment.objects.filter(annotator=people[1]).exists()


def test_a_published_plan_with_expected_hours() -> None:
    _project, people = project_of(40, 2, slug="towns")
    shown = plan("--preset", "swissgov", "--minutes", "30", "--dry-run")
    # 3 for the trial; of the other 37, 25 are shared and 12 are split.
    assert shown[1].split("\t") == [people[0].alias, "0", "34", "0", "3", "31", "25", "0", "17.00"]
    fewer = plan("--preset", "swissgov", "--overlap", "5", "--dry-run")[1].split("\t")
    assert fewer[4:7] == ["3", "21", "5"] and fewer[-1] == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--trial", "9"), "Pairs requested: 9. Remaining after qualification: 6."),
        (("--trial", "-1"), "expected a whole number from 0"),
        (("--people", "nobody"), "No annotator with access is named nobody. There are: "),
        (("--change", "--qualification", "2"), "--change leaves qualification pairs as they are"),
        (("--change", "--preset", "xparade"), "--change leaves qualification pairs as they are"),
        (("--minutes", "0"), "at most 1440 minutes"),
        (("--minutes", "soon"), "expected a number of minutes"),
        (("--project", "other"), "other"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_assigned(arguments: tuple[str, ...], said: str) -> None:
    project_of(6, 2, slug="towns")
    with pytest.raises(CommandError) as refused:
        plan(*arguments)
    assert said in str(refused.value) and not Assignment.objects.exists()


def test_a_plan_by_which_nobody_can_pass_says_so() -> None:
    project, _people = project_of(6, 2, slug="towns")
    for pair in project.pairs.all():
        Annotation.objects.create(source=Source.GOLD, verdict="submitted", pair=pair, gold_version=0)
    project.settings = {**project.settings, KEY: PassRule(least_pairs=3).to_json()}
    project.save()
    said = StringIO()
    call_command("plan", "--project", "towns", "--qualification", "2", "--dry-run", stdout=StringIO(), stderr=said)
    assert said.getvalue() == "Nobody can pass: the pass rule needs more qualification pairs than 2.\n"
