"""Models that must be downloaded and cannot be: a sentence at once, on the page, by the command, in a worker."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import huggingface_hub
import pytest
from django.core.management import CommandError, call_command
from django.utils.translation import override
from pytest_django.fixtures import Settings

from annotation.errors import Conflict, Invalid
from annotation.models import JobStatus, Project
from assist.methods.encoder import pretrained
from assist.methods.encoder.pretrained import on_this_machine, unavailable
from assist.models import Queue, Run
from assist.runs import processing, services
from assist.runs.method_choice import method_class, method_for, usual_settings
from assist.runs.selectors import run_trains
from tests.agreement.access import member
from tests.assist.finished_work import work_through
from tests.assist.methods.tiny import folder
from tests.factories import PairFactory, TextFactory

pytestmark = [pytest.mark.any_database, pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]
ABSENT = "nobody/has-this-encoder"


@pytest.fixture
def online(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Downloads are allowed and the hub is away; what it was asked for."""
    requested: list[str] = []

    def away(self: object, name: str, **options: Any) -> None:
        requested.append(name)
        assert options["timeout"] <= 5
        raise OSError("no route to host")

    monkeypatch.setattr(pretrained, "offline", lambda: False)
    monkeypatch.setattr(huggingface_hub.HfApi, "model_info", away)
    return requested


def test_why_an_encoder_cannot_be_had(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert on_this_machine(folder("bert", tmp_path), None) and unavailable(folder("bert", tmp_path), None) is None
    assert "no such folder" in str(unavailable(str(tmp_path / "nowhere"), None))
    assert "downloads are switched off" in str(unavailable(ABSENT, None))
    assert unavailable(pretrained.PACKAGED, None) is None


NAMES = {
    "long": "n" * 300,
    "long in bytes": "ü" * 200,
    "a long path": "/" + "folder/" * 1000,
    "a long name at an owner": f"{'o' * 300}/{'n' * 300}",
    "null": "nobody/\0",
    "parent": "..",
    "parents": "../../..",
    "root": "/",
    "a file": "/etc/passwd",
    "home": "~/encoder",
    "a line break": "two\nlines",
    "an address": "https://example.org/encoder",
    "blank": " ",
}


@pytest.mark.parametrize("field", ["model", "revision"])
@pytest.mark.parametrize("method", ["diffalign", "simalign"])
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
@pytest.mark.long
def test_an_odd_name_is_refused_by_a_sentence(project: Project, name: str, method: str, field: str) -> None:
    with pytest.raises(Invalid) as refused:
        services.run_request(project=project, method=method, settings={"model": ABSENT, field: name})
    assert len(str(refused.value)) < 400
    client = member(project, "lead")
    told = client.post("/projects/library/prelabels/", {"method": method, "set-model": ABSENT, f"set-{field}": name})
    assert told.status_code == 422
    assert client.get("/projects/library/prelabels/method/", {"method": method, f"set-{field}": name}).status_code < 500
    assert not Run.objects.exists()


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_an_odd_name_of_an_encoder_is_no_error_where_the_hub_is_asked(name: str, online: list[str]) -> None:
    assert not on_this_machine(name, None) and not on_this_machine(ABSENT, name)
    assert "is not on this machine" in str(unavailable(name, None))
    with pytest.raises(ValueError, match="is not on this machine"):
        pretrained.load_encoder(name, None)


PATHS = ["/tmp", "/nowhere", "./annotation", "../etc", "~/encoder", "annotation/text/..", "/", "..", "C:\\models"]


@pytest.mark.parametrize("key", ["model", "revision"])
@pytest.mark.parametrize("path", PATHS)
def test_no_path_is_taken_from_the_web_and_none_is_said_to_exist(project: Project, path: str, key: str) -> None:
    client = member(project, "lead")
    body = {"method": "diffalign", "settings": {"model": ABSENT, key: path}}
    told = client.post("/api/projects/library/runs/", body, content_type="application/json")
    usual = usual_settings(method_class("diffalign"), project.labels) | {"model": ABSENT, key: path}
    form = {f"set-{name}": "" if value is None else value for name, value in usual.items()}
    page = client.post("/projects/library/prelabels/", form | {"method": "diffalign"})
    said = f"Setting “{key}” must be a name, such as owner/name, not a path."
    assert (told.status_code, page.status_code) == (422, 422)
    assert told.json()["error"]["message"] == said
    assert said in page.content.decode()
    assert not Run.objects.exists()


def test_every_missing_model_is_named_in_the_language_of_the_reader(project: Project) -> None:
    PairFactory(project=project)
    with override("de"), pytest.raises(Invalid) as refused:
        services.run_request(project=project, method="translate")
    assert refused.value.message.count("ist nicht auf diesem Rechner") == 2
    assert "opus-mt-en-de" in refused.value.message and "opus-mt-de-en" in refused.value.message


def test_a_name_may_begin_with_the_language_it_stands_for(project: Project) -> None:
    settings = {"model": "{source}-{target}"}
    assert method_for("translate", settings, project.labels, from_web=True).settings.model == "{source}-{target}"


def test_a_model_of_three_parts_is_no_name_of_one(project: Project) -> None:
    with pytest.raises(Invalid, match="not a path"):
        services.run_request(project=project, method="diffalign", settings={"model": "a/b/c"}, from_web=True)


def test_a_name_is_never_a_folder_of_the_process(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, project: Project
) -> None:
    shutil.copytree(folder("bert", tmp_path), tmp_path / "nobody" / "encoder")
    monkeypatch.chdir(tmp_path)
    assert not on_this_machine("nobody/encoder", None)
    with pytest.raises(Invalid, match="'nobody/encoder' is not on this machine"):
        services.run_request(project=project, method="diffalign", settings={"model": "nobody/encoder"}, from_web=True)
    monkeypatch.setattr(pretrained, "unavailable", lambda *_: None)
    with pytest.raises(ValueError, match="a folder here has the same name"):
        pretrained.load_encoder("nobody/encoder", None)
    call_command("prelabel", project=project.slug, method="diffalign", given=["model=nobody/encoder"])
    assert Run.objects.get().settings["model"] == str(tmp_path / "nobody" / "encoder")


def test_a_folder_that_the_operator_provides_is_taken_by_its_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, project: Project
) -> None:
    shutil.copytree(folder("bert", tmp_path), tmp_path / "provided" / "ours")
    assert not on_this_machine("ours", None)
    monkeypatch.setenv("DIPTYCH_MODELS", str(tmp_path / "provided"))
    run = services.run_request(project=project, method="diffalign", settings={"model": "ours"}, from_web=True)
    assert run.settings["model"] == "ours"
    assert pretrained.load_encoder("ours", None)[1] is not None


def test_what_is_said_of_a_model_that_cannot_be_loaded_shows_no_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "provided" / "ours"
    broken.mkdir(parents=True)
    (broken / "config.json").write_text('{"model_type": "no such type"}')
    (broken / "model.safetensors").touch()
    monkeypatch.setenv("DIPTYCH_MODELS", str(tmp_path / "provided"))
    for name in ("ours", str(broken)):
        with pytest.raises(ValueError, match="encoder 'ours' cannot be loaded") as refused:
            pretrained.load_encoder(name, None)
        assert str(tmp_path) not in str(refused.value)
    assert str(tmp_path) not in str(unavailable(str(tmp_path / "nowhere"), None))

    def failed(*_: Any, **__: Any) -> None:
        raise OSError(f"no file {broken}/config.json, '{broken}' (see https://huggingface.co/docs/x)")

    monkeypatch.setattr("transformers.AutoTokenizer.from_pretrained", failed)
    with pytest.raises(ValueError) as refused:
        pretrained.load_encoder("ours", None)
    assert str(tmp_path) not in str(refused.value) and "https://huggingface.co/docs/x" in str(refused.value)


def test_a_hub_that_is_away_is_asked_once_and_briefly(online: list[str]) -> None:
    assert "cannot be downloaded, because the hub does not answer" in str(unavailable(ABSENT, None))
    with pytest.raises(ValueError, match="does not answer"):
        pretrained.load_encoder(ABSENT, None)
    assert online == [ABSENT, ABSENT]


def test_a_request_is_refused_at_once(project: Project, online: list[str], settings: Settings) -> None:
    with pytest.raises(Invalid, match=r"^library: diffalign cannot be run: encoder 'nobody/has-this-encoder' is not"):
        services.run_request(project=project, method="diffalign", settings={"model": ABSENT})
    assert not Run.objects.exists()
    with pytest.raises(CommandError, match="does not answer"):
        call_command("prelabel", "--project", "library", "--method", "diffalign", "--set", f"model={ABSENT}")
    settings.CELERY_BROKER_URL = "redis://elsewhere"
    assert services.run_request(project=project, method="diffalign", settings={"model": ABSENT}).status == "queued"


def test_a_worker_says_so_at_once_and_goes_on_to_the_next_run(
    project: Project, online: list[str], settings: Settings
) -> None:
    settings.CELERY_BROKER_URL = "redis://elsewhere"
    stuck = services.run_request(project=project, method="diffalign", settings={"model": ABSENT})
    other = services.run_request(project=project, method="fake")
    processing.lots_process(Queue.values)
    stuck.refresh_from_db()
    other.refresh_from_db()
    assert stuck.status == JobStatus.FAILED and "the hub does not answer" in stuck.error
    assert "Error" not in stuck.error
    assert other.status == JobStatus.DONE
    assert len(online) == 1
    settings.CELERY_BROKER_URL = "filesystem://"
    with pytest.raises(Invalid, match="does not answer"):
        services.run_resume(run=stuck)


def test_the_page_says_of_each_method_what_it_needs(project: Project) -> None:
    client = member(project, "lead")
    page = client.get("/projects/library/prelabels/").content.decode()
    assert "Needs no download." in page and "it needs no download" not in page
    german = TextFactory(content="Die Bibliothek ist offen.", language="de")
    PairFactory(project=project, b=german, external_id="other", position=9)
    told = client.get("/projects/library/prelabels/method/", {"method": "diffalign"}).content.decode()
    assert "Not on this machine yet; will be downloaded first: bert-base-multilingual-cased" in told
    assert (
        "Needs no download."
        in client.get("/projects/library/prelabels/method/", {"method": "learned"}).content.decode()
    )
    form = {"method": "diffalign", "set-model": ABSENT}
    refused = client.post("/projects/library/prelabels/", form)
    assert refused.status_code == 422


def test_train_again_is_offered_only_where_something_trains(project: Project, tmp_path: Path) -> None:
    tiny = folder("bert", tmp_path)
    trained = work_through(services.run_request(project=project, method="fake"))
    fixed = services.run_request(project=project, method="diffalign", settings={"model": tiny, "threshold": 0.5})
    Run.objects.filter(pk=fixed.pk).update(status=JobStatus.DONE, done=5)
    assert run_trains(trained, labelled=False)
    assert not run_trains(fixed, labelled=True)
    chosen = services.run_request(project=project, method="diffalign", settings={"model": tiny})
    assert run_trains(chosen, labelled=True) and run_trains(chosen, labelled=False)
    page = member(project, "lead").get("/projects/library/prelabels/").content.decode()
    assert f'id="retrain-{trained.slug}"' in page and f'id="retrain-{fixed.slug}"' not in page
    with pytest.raises(Conflict, match="so it can't be retrained"):
        services.run_retrain(run=fixed)
