"""Other annotation tools for `benchmarks.load`, started from an environment of their own and used as by their pages."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import time
from pathlib import Path
from typing import Protocol
from urllib.parse import urlencode

from benchmarks.serving import free_port, memory_of, spans_of

CONFIG = """
annotation_task_name: load
task_dir: .
output_annotation_dir: out
output_annotation_format: jsonl
data_files: [pairs.jsonl]
item_properties: {id_key: id, text_key: text}
user_config: {allow_all_users: true, users: []}
require_password: false
authentication: {method: in_memory}
assignment_strategy: fixed_order
alert_time_each_instance: 10000000
annotation_schemes:
  - {annotation_type: span, name: difference, description: Differences, labels: ["1", "2", "3"]}
site_dir: default
"""


class Client(Protocol):
    """One annotator at work. Each action returns how many seconds it took."""

    def save(self) -> float: ...
    def open(self) -> list[float]:
        """The seconds of each request that opening a pair takes."""


class Site(Protocol):
    """A tool with its data."""

    name: str

    def fill(self, pairs: Path) -> float:
        """Import the pairs; returns the seconds of that."""

    def start(self) -> float:
        """Start the tool; returns the seconds until its first page."""

    def stop(self) -> None: ...
    def clients(self, number: int) -> list[Client]: ...
    def export(self) -> float | None: ...
    def grow(self, saves: int) -> bool:
        """Add the rows of that many saves; returns whether the tool can."""

    def memory(self) -> list[int]:
        """MB of each process that serves pages."""


class PotatoAnnotator:
    """An annotator of Potato, who works on the first text."""

    def __init__(self, port: int, name: str, text: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self.text, self.number, self.cookies = text, 0, ""
        form = urlencode({"email": name, "pass": "x", "action": "login"}).encode()
        headers = self._request("POST", "/auth", form, "application/x-www-form-urlencoded", 302)[1]
        self.cookies = "; ".join(each.partition(";")[0] for each in headers.get_all("Set-Cookie", []))
        self.open()

    def _request(
        self, method: str, path: str, body: bytes | None = None, kind: str = "", expected: int = 200
    ) -> tuple[float, http.client.HTTPMessage]:
        began = time.perf_counter()
        headers = {"Cookie": self.cookies, **({"Content-Type": kind} if kind else {})}
        self.connection.request(method, path, body, headers)
        response = self.connection.getresponse()
        answer = response.read()
        assert response.status == expected, (response.status, answer[:500])
        return time.perf_counter() - began, response.headers

    def save(self) -> float:
        self.number += 1
        words = len(self.text.split())
        spans = [
            {
                "schema": "difference",
                "name": span["label"],
                "title": span["label"],
                "start": index,
                "end": index + 3 + self.number % 3,
            }
            for index, span in enumerate(spans_of({side: [[0, 1]] * words for side in "ab"}, ""))
        ]
        work = {"instance_id": "p0", "annotations": {}, "span_annotations": spans}
        return self._request("POST", "/updateinstance", json.dumps(work).encode(), "application/json")[0]

    def open(self) -> list[float]:
        return [self._request("GET", "/annotate")[0]]


class Potato:
    """Potato, with both texts of a pair as one. It reads its data when it starts, and exports at each save."""

    name = "Potato"

    def __init__(self, folder: Path, environment: Path) -> None:
        self.folder, self.program, self.port = folder, environment / "bin" / "potato", free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def fill(self, pairs: Path) -> float:
        self.folder.mkdir()
        (self.folder / "config.yaml").write_text(CONFIG)
        rows = [json.loads(line) for line in pairs.read_text().splitlines()]
        texts = [{"id": row["id"], "text": f"{row['a']['text']}\n{row['b']['text']}"} for row in rows]
        (self.folder / "pairs.jsonl").write_text("".join(json.dumps(each) + "\n" for each in texts))
        self.text = texts[0]["text"]
        began = time.perf_counter()
        self.start()
        seconds = time.perf_counter() - began
        self.stop()
        return seconds

    def start(self) -> float:
        began = time.perf_counter()
        command = [str(self.program), "start", "config.yaml", "-p", str(self.port)]
        with (self.folder / "log").open("a") as log:
            self.process = subprocess.Popen(command, cwd=self.folder, stdout=log, stderr=subprocess.STDOUT)
        while True:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
                connection.request("GET", "/")
                assert connection.getresponse().status == 200
                return time.perf_counter() - began
            except OSError as error:
                if self.process.poll() is not None or time.perf_counter() - began > 120:
                    raise TimeoutError(f"Potato does not answer; see {self.folder / 'log'}") from error
                time.sleep(0.05)

    def stop(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def clients(self, number: int) -> list[Client]:
        return [PotatoAnnotator(self.port, f"annotator{n}", self.text) for n in range(number)]

    def export(self) -> float | None:
        return None

    def grow(self, _saves: int) -> bool:
        return False

    def memory(self) -> list[int]:
        assert self.process is not None
        return memory_of(self.process.pid)
