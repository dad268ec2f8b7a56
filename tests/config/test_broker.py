"""The file-system broker: a message is complete when it can be seen, and a file that is none ends nobody."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kombu.connection import Connection
from kombu.entity import Exchange, Queue
from kombu.messaging import Producer

import config.celery  # noqa: F401  (chooses the broker's transport, and is loaded with the first message otherwise)
from config.broker import FolderChannel, Transport
from tests.paths import ROOT

pytestmark = pytest.mark.processes

BROKEN = {
    "empty": b"",
    "cut off": b'{"body": "W1tdLCB7',
    "no text": b"\xff\xfe\x00",
    "no object": b"[]",
    "no properties": b"{}",
    "a body in no encoding": b'{"body": 1, "properties": {"delivery_tag": "t", "body_encoding": "base64"}}',
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def data(folder: Path, migrated: Path) -> Path:
    """A worker's data folder."""
    shutil.copy(migrated, folder)
    return folder


@pytest.fixture
def channel(folder: Path) -> Iterator[Any]:
    options = {"data_folder_in": str(folder), "data_folder_out": str(folder), "control_folder": str(folder)}
    with Connection("filesystem://", transport_options=options) as connection:
        Transport.global_state.clear()  # which queues this process has written down
        opened = connection.channel()
        assert isinstance(opened, FolderChannel), "what the site's Celery uses"
        yield opened


def publish(channel: Any, body: str) -> None:
    queue = Queue("cpu", Exchange("cpu"), routing_key="cpu")
    Producer(channel).publish(body, exchange=queue.exchange, routing_key="cpu", declare=[queue])


def received(channel: Any) -> list[str]:
    found = []
    while message := channel.basic_get("cpu", no_ack=True):
        found.append(message.decode())
    return found


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_file_that_is_no_message_is_skipped(
    content: bytes, channel: Any, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "1_x.cpu.msg").write_bytes(content)
    publish(channel, "poll")
    assert received(channel) == ["poll"]
    assert "a message for cpu could not be read and is skipped" in caplog.text
    assert not list(folder.glob("*.msg"))


def test_a_message_is_seen_only_when_it_is_complete(
    channel: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bytes] = []
    rename = Path.rename

    def watched(path: Path, target: Path) -> Path:
        seen.extend(each.read_bytes() for each in folder.glob("*.msg"))
        moved = rename(path, target)
        seen.extend(each.read_bytes() for each in folder.glob("*.msg"))
        return moved

    monkeypatch.setattr(Path, "rename", watched)
    publish(channel, "poll")
    assert [json.loads(each)["content-type"] for each in seen] == ["text/plain"]
    assert {each.suffix for each in folder.iterdir()} == {".msg", ".exchange"}


def test_a_damaged_list_of_queues_is_written_again(channel: Any, folder: Path) -> None:
    (folder / "cpu.exchange").write_bytes(b"")
    assert channel.get_table("cpu") == []
    publish(channel, "poll")
    assert received(channel) == ["poll"]


WORKER = """
import sys
import django
django.setup()
from celery.__main__ import main
from config import broker
if "--broken" in sys.argv:
    def broken(*_):
        raise RuntimeError("the consumer is broken")
    broker.FolderChannel._get = broken
sys.argv = ["celery", "--app=config", "worker", "--pool=threads", "--concurrency=1", "--queues=cpu",
    "--without-mingle", "--without-gossip", "--loglevel=INFO"]
main()
"""


def worker(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """A worker with a database and a broker of its own."""
    own = {"DIPTYCH_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": ""}
    environment = {**os.environ, **own}
    del environment["DATABASE_URL"]
    with (folder / "log").open("wb") as log:
        return subprocess.Popen([sys.executable, "-c", WORKER, *arguments], cwd=ROOT, env=environment, stderr=log)


def wait_for(said: str, folder: Path, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 90
    while said not in (folder / "log").read_text():
        assert process.poll() is None and time.monotonic() < until, (folder / "log").read_text()
        time.sleep(0.2)


@pytest.mark.long
@pytest.mark.takes(10)
def test_a_worker_survives_messages_that_are_none(data: Path) -> None:
    folder = data
    process = worker(folder)
    try:
        wait_for("ready.", folder, process)
        for number, content in enumerate(BROKEN.values()):
            (folder / "broker" / f"{number}_x.cpu.msg").write_bytes(content)
        until = time.monotonic() + 90
        skipped = "could not be read and is skipped"
        while (folder / "log").read_text().count(skipped) < len(BROKEN) and time.monotonic() < until:
            time.sleep(0.2)
        assert not list((folder / "broker").glob("*.msg"))
        assert process.poll() is None
        said = (folder / "log").read_text()
        assert said.count(skipped) == len(BROKEN) and "CRITICAL" not in said
    finally:
        process.terminate()
        process.wait(timeout=120)


def test_a_worker_whose_consumer_failed_ends_at_once(data: Path) -> None:
    """A supervisor starts it again; it must not stay without doing anything."""
    process = worker(data, "--broken")
    try:
        wait_for("Unrecoverable error", data, process)
        assert process.wait(timeout=120) == 1
    finally:
        process.kill()
        process.wait()
