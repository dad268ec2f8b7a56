"""Pushing a folder to a hub: one commit and a tag, or nothing; and the token is nowhere."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from agreement.publication import hub_push
from agreement.publication.hub_push import PushTarget, push
from annotation.errors import Conflict, DomainError, Invalid
from tests.agreement.card_facts import state_card_facts
from tests.agreement.publication.hub_server import TOKEN, LocalHub
from tests.factories import PairFactory

TARGET = PushTarget("town/hours", "v1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "set"
    for name, content in {
        "diptych.json": "{}",
        "README.md": "---\nlicense: mit\n---\n# Towns\n",
        "gold/train-00000.parquet": "gold",
        "annotations/train-00000.parquet": "work",
    }.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text(content)
    return made


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_version_is_one_commit_and_a_tag(hub: LocalHub, folder: Path) -> None:
    assert push(folder=folder, target=TARGET, token=f" {TOKEN}\n") == f"{hub.url}/datasets/town/hours/tree/v1"
    made = hub.repositories["town/hours"]
    assert made.private and made.files == contents(folder)
    assert len(made.commits) == 1 and made.tags == {"v1": made.commits[0]}
    assert hub.asked.count("upload") == 2, "data by LFS"


def test_only_the_dataset_is_pushed(hub: LocalHub, folder: Path) -> None:
    before = contents(folder)
    for name in (".git/config", "notes.txt"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("mine")
    (folder / "link").symlink_to("notes.txt")
    push(folder=folder, target=TARGET, token=TOKEN)
    assert hub.repositories["town/hours"].files == before


def test_the_next_version_replaces_the_files_of_the_last(hub: LocalHub, folder: Path) -> None:
    push(folder=folder, target=TARGET, token=TOKEN)
    hub.repositories["town/hours"].files["figures.png"] = b"theirs"
    (folder / "gold" / "train-00000.parquet").rename(folder / "gold" / "dev-00000.parquet")
    push(folder=folder, target=PushTarget("town/hours", "v2", private=False), token=TOKEN)
    made = hub.repositories["town/hours"]
    assert made.files == {**contents(folder), "figures.png": b"theirs"}
    assert len(made.commits) == 2 and made.tags["v2"] == made.commits[1] != made.tags["v1"]


def test_a_version_that_exists_stays(hub: LocalHub, folder: Path) -> None:
    push(folder=folder, target=TARGET, token=TOKEN)
    before = dict(hub.repositories["town/hours"].files)
    (folder / "README.md").write_text("# Other\n")
    with pytest.raises(Conflict, match="already has a version v1"):
        push(folder=folder, target=TARGET, token=TOKEN)
    assert hub.repositories["town/hours"].files == before and len(hub.repositories["town/hours"].commits) == 1


FAULTS = [
    ("make", 401, "does not accept this token"),
    ("make", 403, "may not write"),
    ("make", 500, r"error \(500\)"),
    ("validate", 500, r"error \(500\)"),
    ("preupload", 403, "may not write"),
    ("batch", 401, "does not accept this token"),
    ("upload", 403, "may not write"),
    ("commit", 409, "changed by someone else"),
    ("commit", 413, r"error \(413\)"),
    ("commit", 500, r"error \(500\)"),
]


@pytest.mark.parametrize(("step", "status", "said"), FAULTS)
def test_a_fault_leaves_nothing_and_the_push_can_be_repeated(
    hub: LocalHub, folder: Path, step: str, status: int, said: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    hub.faults[step] = status
    with pytest.raises(DomainError, match=said) as refused:
        push(folder=folder, target=TARGET, token=TOKEN)
    assert hub.repositories == {}, "the repository that it made is gone"
    assert TOKEN not in f"{refused.value!r} {refused.value} {refused.value.payload}" and TOKEN not in caplog.text
    assert refused.value.__cause__ is None
    push(folder=folder, target=TARGET, token=TOKEN)
    assert hub.repositories["town/hours"].files == contents(folder)


@pytest.mark.parametrize("step", ["refs", "info", "tree", "preupload", "commit"])
def test_a_fault_leaves_an_earlier_version_as_it_is(hub: LocalHub, folder: Path, step: str) -> None:
    push(folder=folder, target=TARGET, token=TOKEN)
    before = contents(folder)
    (folder / "gold" / "train-00000.parquet").write_text("other")
    hub.faults[step] = 403
    with pytest.raises(Invalid):
        push(folder=folder, target=PushTarget("town/hours", "v2"), token=TOKEN)
    made = hub.repositories["town/hours"]
    assert made.files == before and list(made.tags) == ["v1"] and "remove" not in hub.asked
    push(folder=folder, target=PushTarget("town/hours", "v2"), token=TOKEN)
    assert made.files == contents(folder) and list(made.tags) == ["v1", "v2"]


def test_a_tag_that_failed_is_set_by_the_next_push(hub: LocalHub, folder: Path) -> None:
    hub.faults["tag"] = 500
    with pytest.raises(Invalid, match="retrying is safe"):
        push(folder=folder, target=TARGET, token=TOKEN)
    made = hub.repositories["town/hours"]
    assert made.files == contents(folder) and not made.tags, "what is committed stays"
    push(folder=folder, target=TARGET, token=TOKEN)
    assert made.tags == {"v1": made.commits[0]} and made.files == contents(folder)
    assert len(made.commits) == 1, "what is committed is not committed again"


@pytest.mark.parametrize("name", ["README.md", "gold/train-00000.parquet", ""])
def test_after_a_tag_that_failed_other_files_are_committed(hub: LocalHub, folder: Path, name: str) -> None:
    hub.faults["tag"] = 500
    with pytest.raises(Invalid):
        push(folder=folder, target=TARGET, token=TOKEN)
    made = hub.repositories["town/hours"]
    if name:
        (folder / name).write_text((folder / name).read_text().upper())
    else:
        made.files["gold/dev-00000.parquet"] = b"of another version"
    push(folder=folder, target=TARGET, token=TOKEN)
    assert made.tags == {"v1": made.commits[1]} and made.files == contents(folder)


def test_wrong_tokens_and_other_owners_are_refused(hub: LocalHub, folder: Path) -> None:
    with pytest.raises(Invalid, match="does not accept") as refused:
        push(folder=folder, target=TARGET, token="hf_other")
    assert refused.value.where == "token"
    with pytest.raises(Invalid, match="may not write to city/hours"):
        push(folder=folder, target=PushTarget("city/hours", "v1"), token=TOKEN)
    assert hub.repositories == {}


@pytest.mark.parametrize(
    ("target", "where"),
    [
        (PushTarget("hours", "v1"), "repository"),
        (PushTarget("town/../x", "v1"), "repository"),
        (PushTarget("http://evil/x", "v1"), "repository"),
        (PushTarget("town/hours?x", "v1"), "repository"),
        (PushTarget("town/hours", ""), "tag"),
        (PushTarget("town/hours", "a b"), "tag"),
        (PushTarget("town/hours", "main"), "tag"),
        (PushTarget("town/hours", "Head"), "tag"),
        (PushTarget("town/hours", "../main"), "tag"),
    ],
)
def test_a_target_is_a_repository_of_the_hub_and_no_address(
    hub: LocalHub, folder: Path, target: PushTarget, where: str
) -> None:
    with pytest.raises(Invalid) as refused:
        push(folder=folder, target=target, token=TOKEN)
    assert refused.value.where == where and not hub.asked


def test_only_a_dataset_and_only_with_a_token(hub: LocalHub, folder: Path, tmp_path: Path) -> None:
    for place, token in ((tmp_path, TOKEN), (folder, " ")):
        with pytest.raises(Invalid):
            push(folder=place, target=TARGET, token=token)
    assert not hub.asked


def test_a_silent_hub_is_given_up(hub: LocalHub, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub_push._prepare_client.cache_clear()
    monkeypatch.setattr(hub_push, "WAIT_SECONDS", 0.5)
    hub.slow["make"] = 1.0
    with pytest.raises(Invalid, match="could not be reached") as refused:
        push(folder=folder, target=TARGET, token=TOKEN)
    assert TOKEN not in str(refused.value)
    hub_push._prepare_client.cache_clear()


def test_no_hub_at_all(hub: LocalHub, settings: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.HUB = "http://127.0.0.1:9"
    with pytest.raises(Invalid, match="could not be reached"):
        push(folder=folder, target=TARGET, token=TOKEN)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(Invalid, match="switched off"):
        push(folder=folder, target=TARGET, token=TOKEN)


@pytest.mark.django_db
def test_the_command_pushes(
    hub: LocalHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = state_card_facts(PairFactory().project)
    command = ["export", "--project", project.slug, "--to", "hub", str(tmp_path / "out"), "--licence", "cc0-1.0"]
    with pytest.raises(CommandError, match="token"):
        call_command(*command, "--push", "town/hours")
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    call_command(*command, "--push", "town/hours", "--tag", "1.0", "--public")
    made = hub.repositories["town/hours"]
    assert not made.private and list(made.tags) == ["1.0"] and made.files == contents(tmp_path / "out")
    out = capsys.readouterr()
    assert f"{hub.url}/datasets/town/hours/tree/1.0" in out.out and TOKEN not in out.out + out.err
