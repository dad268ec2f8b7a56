"""`manage.py adjudicate`."""

import json
import sys
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from agreement.models import GoldVersion
from annotation.models import Project
from tests.agreement.work import pair, project, submit

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Project:
    study, (one, two) = project("xparade")
    on = pair(study)
    submit(on, one, [("new", [], [0, 1])])
    submit(on, two, [("inferable", [], [1])])
    return study


def command_output(*arguments: str) -> str:
    out = StringIO()
    call_command("adjudicate", *arguments, stdout=out)
    return out.getvalue()


def test_json(study: Project) -> None:
    body = json.loads(command_output("--project", study.slug, "--rule", "xparade", "--format", "json"))
    assert (body["pairs"], body["excluded"], body["version"]) == (1, 0, 1)
    assert body["tokens"]["new"] == body["tokens"]["inferable"] == 1
    assert body["spans"] == {"same": 1, "new": 1, "inferable": 1}


def test_a_dry_run_in_text(study: Project) -> None:
    text = command_output("--project", study.slug, "--rule", "majority", "--set", "ties=lower", "--dry-run")
    assert text.startswith("Dry run: no changes made.\n1 pairs, 0 excluded.\n")
    assert "new: 1 tokens, 1 spans" in text
    assert not GoldVersion.objects.exists()


def test_what_is_left_out_is_named(study: Project) -> None:
    assert "Excluded, pair-" in command_output("--project", study.slug, "--rule", "pick", "--dry-run")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rule", "best"], "there is no rule 'best'"),
        (["--rule", "union", "--set", "ties"], "must be KEY=VALUE"),
        (["--rule", "union", "--set", "tie=1"], "There is no setting “tie”"),
        (["--rule", "union", "--phase", "trial"], "Nothing has been submitted in the trial phase"),
    ],
)
def test_refusals(study: Project, arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        command_output("--project", study.slug, *arguments)


def test_a_missing_extra_is_named_with_what_to_install(study: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "crowdkit", None)
    monkeypatch.setitem(sys.modules, "crowdkit.aggregation", None)
    with pytest.raises(CommandError, match=r"needs crowd-kit, which is not installed; .* pip install crowd-kit=="):
        command_output("--project", study.slug, "--rule", "mace")
