"""Projects are created with a scheme and changed in name and settings."""

import pytest
from django.urls import get_resolver

from annotation.errors import Conflict, Invalid
from annotation.models import Assignment, Project, Role, Status
from annotation.project_options import ProjectOptions
from annotation.selectors.projects import options_of
from annotation.services.projects import RESERVED, options_from, preset, project_change, project_create
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory, UserFactory

pytestmark = pytest.mark.django_db


def test_a_project_is_led_by_its_creator() -> None:
    user = UserFactory(username="lena")
    project = project_create(name="Town Pages", scheme=preset("graded"), lead=user)
    assert (project.slug, project.labels.name) == ("town-pages", "graded")
    assert list(project.annotators.values_list("user", "alias", "role")) == [(user.pk, "lena", Role.LEAD)]


@pytest.mark.parametrize(
    ("name", "scheme", "kind", "where"),
    [
        ("", preset("graded"), Invalid, "name"),
        ("¡!", preset("graded"), Invalid, "name"),
        ("Fine", {"name": "empty"}, Invalid, "scheme"),
        ("Taken", preset("graded"), Conflict, "slug"),
        ("New", preset("graded"), Invalid, "slug"),
    ],
)
def test_an_invalid_project_is_not_created(
    name: str, scheme: dict[str, object], kind: type[Invalid], where: str
) -> None:
    ProjectFactory(slug="taken")
    with pytest.raises(kind) as refusal:
        project_create(name=name, scheme=scheme)
    assert refusal.value.where == where
    assert Project.objects.count() == 1


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(Invalid, match="no scheme"):
        preset("splendid")


def test_settings_are_saved_with_history_and_unknown_keys_are_kept() -> None:
    project = ProjectFactory(settings={"from_elsewhere": 1})
    project_change(project=project, name="New name", options=ProjectOptions(skip_percent=5))
    project.refresh_from_db()
    assert (project.name, options_of(project).skip_percent, project.settings["from_elsewhere"]) == ("New name", 5, 1)
    assert project.history.count() == 2


def test_a_changed_share_of_highlights_affects_only_open_assignments() -> None:
    project = ProjectFactory()
    person = AnnotatorFactory(project=project)
    pairs = PairFactory.create_batch(3, project=project)
    started = AssignmentFactory(pair=pairs[0], annotator=person, status=Status.STARTED)
    for pair in pairs[1:]:
        AssignmentFactory(pair=pair, annotator=person)
    project_change(project=project, name=project.name, options=ProjectOptions(highlights_share=0))
    assert list(Assignment.objects.filter(highlights_shown=True)) == [started]


@pytest.mark.parametrize(
    "values",
    [
        {"highlights_share": 101},
        {"skip_percent": -1},
        {"verdicts": ("rejected",)},
        {"verdicts": ("submitted", "praised")},
        {"closed_phases": ("last",)},
    ],
)
def test_invalid_settings_are_refused(values: dict[str, object]) -> None:
    with pytest.raises(Invalid, match=next(iter(values))):
        options_from(**values)


def test_no_project_has_a_short_name_that_stands_in_an_address_already() -> None:
    """`projects/new/` would be one project's page and the form for another."""
    literal = {
        str(each.pattern).split("/")[1]
        for each in get_resolver().url_patterns[0:]
        for each in getattr(each, "url_patterns", [each])
        if str(each.pattern).startswith("projects/") and not str(each.pattern).startswith("projects/<")
    }
    assert literal == RESERVED
