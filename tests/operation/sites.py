"""Sites of their own, to back up and to restore into."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.environment import without_settings
from tests.paths import ROOT


@dataclass
class Site:
    """A site of its own: a data folder, and a database in it or elsewhere."""

    data: Path
    database: str = ""

    def run(self, *arguments: str, code: int = 0) -> str:
        environment = without_settings()
        environment |= {"DIPTYCH_DATA": str(self.data), "DJANGO_SETTINGS_MODULE": "config.settings"}
        if self.database:
            environment["DATABASE_URL"] = self.database
        done = subprocess.run([sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout if code == 0 else done.stderr

    def manage(self, *arguments: str, code: int = 0) -> str:
        return self.run("manage.py", *arguments, code=code)

    def rows(self) -> dict[str, list[str]]:
        return dict(json.loads(self.run("-m", "tests.operation.filled", "rows")))

    def insert(self) -> list[int]:
        return list(json.loads(self.run("-m", "tests.operation.filled", "insert")))

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted(self.data.glob("publications/*"))}


def rewritten(
    backup: Path,
    to: Path,
    *,
    entries: dict[str, bytes] | None = None,
    manifest: dict[str, Any] | None = None,
    hashed: bool = True,
) -> Path:
    """A copy of a backup with other entries; with `hashed` the manifest agrees with them."""
    with zipfile.ZipFile(backup) as source, zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as packed:
        described = json.loads(source.read("manifest.json"))
        for name in source.namelist():
            if name == "manifest.json":
                continue
            data = (entries or {}).get(name, source.read(name))
            packed.writestr(name, data)
            if hashed and name.startswith("tables/"):
                table = described["tables"][Path(name).stem]
                table |= {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), "rows": data.count(b"\n") - 1}
        packed.writestr("manifest.json", json.dumps(described | (manifest or {})))
    return to
