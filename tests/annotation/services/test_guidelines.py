"""Guidelines have versions; none is overwritten unseen."""

import pytest

from annotation.errors import Conflict, Invalid
from annotation.models import Guideline
from annotation.services.guidelines import guideline_write
from tests.factories import ProjectFactory

pytestmark = pytest.mark.django_db


def test_an_edit_is_the_next_version_and_the_old_one_stays() -> None:
    project = ProjectFactory()
    guideline_write(project=project, text="# One\r\n", base=0)
    guideline_write(project=project, text="# Two", base=1)
    assert list(Guideline.objects.values_list("version", "text")) == [(1, "# One"), (2, "# Two")]


def test_the_same_text_makes_no_version() -> None:
    project = ProjectFactory()
    guideline_write(project=project, text="# One", base=0)
    assert guideline_write(project=project, text="# One\n", base=0).version == 1
    assert Guideline.objects.count() == 1


def test_an_edit_of_an_older_version_is_refused() -> None:
    project = ProjectFactory()
    guideline_write(project=project, text="# One", base=0)
    with pytest.raises(Conflict):
        guideline_write(project=project, text="# Mine", base=0)
    assert Guideline.objects.get().text == "# One"


def test_empty_guidelines_are_refused() -> None:
    with pytest.raises(Invalid):
        guideline_write(project=ProjectFactory(), text=" \n", base=0)


@pytest.mark.parametrize("character", ["\x07", "\x9b", "\x00"])
def test_a_control_character_is_refused(character: str) -> None:
    project = ProjectFactory()
    with pytest.raises(Invalid, match=f"contains an invisible character .U.00{ord(character):02X}"):
        guideline_write(project=project, text=f"# One{character}", base=0)
    assert guideline_write(project=project, text="# One\n\tMark it.", base=0).version == 1
