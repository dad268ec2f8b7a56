"""The command: asks for a run, or does it here and now."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Highlight, JobStatus, Project
from assist.models import Run
from tests.factories import PairFactory, TextFactory

pytestmark = pytest.mark.usefixtures("fakes", "notified")


def prelabel(*arguments: str) -> str:
    out = StringIO()
    call_command("prelabel", "--project", "library", *arguments, stdout=out, stderr=out)
    return out.getvalue()


def test_with_wait_the_work_is_done_here(project: Project) -> None:
    said = prelabel("--method", "fake", "--set", "seconds=0.001", "--wait")
    assert "is done: 5 of 5 pairs, 0 failed" in said
    assert Highlight.objects.count() == 5
    assert Run.objects.get().settings["seconds"] == 0.001


def test_without_wait_it_is_only_asked_for(project: Project) -> None:
    assert "fake-v1 (fake.v1) is waiting for a worker: 0 of 5 pairs" in prelabel("--method", "fake")
    assert not Highlight.objects.exists()


def test_a_second_time_nothing_is_done(project: Project) -> None:
    prelabel("--method", "fake", "--wait")
    made = list(Highlight.objects.values_list("pk", "made"))
    prelabel("--method", "fake", "--wait")
    assert list(Highlight.objects.values_list("pk", "made")) == made


def test_pairs_that_fail_are_named_and_the_command_fails(project: Project) -> None:
    PairFactory(project=project, a=TextFactory(content="BROKEN"), external_id="broken", position=9)
    out = StringIO()
    with pytest.raises(CommandError, match="1 pairs failed"):
        call_command("prelabel", "--project", "library", "--method", "fake", "--wait", stdout=out, stderr=out)
    assert "broken: The method failed on this pair." in out.getvalue()
    assert Highlight.objects.count() == 5


def test_a_run_that_fails_fails_the_command(project: Project) -> None:
    with pytest.raises(CommandError, match="nothing to learn from"):
        prelabel("--method", "fake", "--set", "refuse=yes", "--wait")
    assert Run.objects.get().status == JobStatus.FAILED


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--method", "none"), "there is no method 'none'"),
        (("--method", "fake", "--set", "seconds"), "must be KEY=VALUE"),
        (("--method", "fake", "--set", "depth=3"), "There is no setting “depth”"),
        (("--project", "nowhere", "--method", "fake"), "nowhere"),
    ],
)
def test_what_cannot_be_is_said(project: Project, arguments: tuple[str, ...], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        prelabel(*arguments)
