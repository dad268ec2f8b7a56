"""A hub on this machine that speaks the real one's protocol, as far as a push of a dataset needs it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "hf_aSecretThatNobodyMaySee"
STEPS = (
    ("make", "POST", r"/api/repos/create"),
    ("remove", "DELETE", r"/api/repos/delete"),
    ("validate", "POST", r"/api/validate-yaml"),
    ("preupload", "POST", r"/api/datasets/[^/]+/[^/]+/preupload/main"),
    ("batch", "POST", r"/datasets/[^/]+/[^/]+\.git/info/lfs/objects/batch"),
    ("upload", "PUT", r"/lfs/[0-9a-f]{64}"),
    ("verify", "POST", r"/verify"),
    ("commit", "POST", r"/api/datasets/[^/]+/[^/]+/commit/main"),
    ("tree", "GET", r"/api/datasets/[^/]+/[^/]+/tree/[^/]+"),
    ("refs", "GET", r"/api/datasets/[^/]+/[^/]+/refs"),
    ("info", "GET", r"/api/datasets/[^/]+/[^/]+(/revision/main)?"),
    ("tag", "POST", r"/api/datasets/[^/]+/[^/]+/tag/[0-9a-f]+"),
)


@dataclass
class Repository:
    private: bool
    files: dict[str, bytes] = field(default_factory=dict)
    commits: list[str] = field(default_factory=list)
    tags: dict[str, str] = field(default_factory=dict)


@dataclass
class LocalHub:
    """Its repositories, the steps it was asked for in order, and what it is to answer to a step: a status, once."""

    url: str = ""
    repositories: dict[str, Repository] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    faults: dict[str, int] = field(default_factory=dict)
    slow: dict[str, float] = field(default_factory=dict)


def row_of(path: str, data: bytes) -> dict[str, Any]:
    """A file as the hub lists it: Parquet files are in its large storage, and Git has a pointer to them."""
    row: dict[str, Any] = {"type": "file", "path": path, "size": len(data)}
    if path.endswith(".parquet"):
        return {
            **row,
            "oid": "0" * 40,
            "lfs": {"size": len(data), "oid": hashlib.sha256(data).hexdigest(), "pointerSize": 130},
        }
    return {**row, "oid": hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()}


class Handler(BaseHTTPRequestHandler):
    hub: LocalHub
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def answer(self, status: int, body: Any = None) -> None:
        data = json.dumps(body if body is not None else {}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def handle_one(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0]
        step = next((name for name, method, at in STEPS if method == self.command and re.fullmatch(at, path)), "")
        self.hub.asked.append(step or f"{self.command} {path}")
        # Tests take the patience out of `time.sleep`.
        threading.Event().wait(self.hub.slow.pop(step, 0))
        if status := self.hub.faults.pop(step, 0):
            return self.answer(status, {"error": f"no: {self.headers.get('Authorization')}"})
        if step not in ("upload", "verify") and self.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self.answer(401, {"error": "Invalid username or password."})
        if not step:
            return self.answer(404)
        getattr(self, f"on_{step}")(path, body)
        return None

    do_GET = do_POST = do_PUT = do_DELETE = handle_one

    def repository(self, path: str) -> tuple[str, Repository | None]:
        name = "/".join(path.removeprefix("/api").split("/")[2:4]).removesuffix(".git")
        return name, self.hub.repositories.get(name)

    def on_make(self, path: str, body: bytes) -> None:
        asked = json.loads(body)
        name = f"{asked['organization']}/{asked['name']}"
        if asked["organization"] != "town":
            return self.answer(403, {"error": "You don't have the rights to create a dataset there"})
        if name in self.hub.repositories:
            return self.answer(409, {"error": "You already created this dataset repo"})
        self.hub.repositories[name] = Repository(asked.get("visibility") == "private" or bool(asked.get("private")))
        return self.answer(200, {"url": f"{self.hub.url}/datasets/{name}", "name": name})

    def on_remove(self, path: str, body: bytes) -> None:
        asked = json.loads(body)
        del self.hub.repositories[f"{asked['organization']}/{asked['name']}"]
        self.answer(200)

    def on_validate(self, path: str, body: bytes) -> None:
        self.answer(200, {"errors": [], "warnings": []})

    def on_preupload(self, path: str, body: bytes) -> None:
        files = [
            {
                "path": each["path"],
                "uploadMode": "lfs" if each["path"].endswith(".parquet") else "regular",
                "shouldIgnore": False,
            }
            for each in json.loads(body)["files"]
        ]
        self.answer(200, {"files": files})

    def on_batch(self, path: str, body: bytes) -> None:
        objects = []
        for each in json.loads(body)["objects"]:
            actions = {
                "upload": {"href": f"{self.hub.url}/lfs/{each['oid']}"},
                "verify": {"href": f"{self.hub.url}/verify"},
            }
            there = each["oid"] in self.hub.blobs
            objects.append({"oid": each["oid"], "size": each["size"], **({} if there else {"actions": actions})})
        self.answer(200, {"transfer": "basic", "objects": objects})

    def on_upload(self, path: str, body: bytes) -> None:
        oid = path.rpartition("/")[2]
        assert hashlib.sha256(body).hexdigest() == oid
        self.hub.blobs[oid] = body
        self.answer(200)

    def on_verify(self, path: str, body: bytes) -> None:
        self.answer(200)

    def on_commit(self, path: str, body: bytes) -> None:
        name, found = self.repository(path)
        if found is None:
            return self.answer(404)
        for line in map(json.loads, body.splitlines()):
            value = line["value"]
            if line["key"] == "file":
                found.files[value["path"]] = base64.b64decode(value["content"])
            elif line["key"] == "lfsFile":
                found.files[value["path"]] = self.hub.blobs[value["oid"]]
            elif line["key"] == "deletedFile":
                del found.files[value["path"]]
        oid = hashlib.sha1(body).hexdigest()
        found.commits.append(oid)
        url = f"{self.hub.url}/datasets/{name}/commit/{oid}"
        return self.answer(200, {"success": True, "commitOid": oid, "commitUrl": url, "hookOutput": ""})

    def on_tree(self, path: str, body: bytes) -> None:
        _name, found = self.repository(path)
        files = found.files if found else {}
        self.answer(200, [row_of(each, data) for each, data in files.items()])

    def on_refs(self, path: str, body: bytes) -> None:
        _name, found = self.repository(path)
        tags = found.tags if found else {}
        rows = [{"name": tag, "ref": f"refs/tags/{tag}", "targetCommit": oid} for tag, oid in tags.items()]
        self.answer(200, {"branches": [], "converts": [], "tags": rows})

    def on_info(self, path: str, body: bytes) -> None:
        name, found = self.repository(path)
        if found is None:
            return self.answer(404)
        return self.answer(200, {"id": name, "sha": found.commits[-1], "siblings": []})

    def on_tag(self, path: str, body: bytes) -> None:
        _name, found = self.repository(path)
        assert found is not None
        found.tags[json.loads(body)["tag"]] = path.rpartition("/")[2]
        self.answer(200)


@contextmanager
def local_hub() -> Iterator[LocalHub]:
    hub = LocalHub()
    handler = type("Bound", (Handler,), {"hub": hub})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    hub.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
