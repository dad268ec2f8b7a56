# SPDX-License-Identifier: GPL-3.0-or-later
"""What a wheel takes from the checkout in addition to the code: the pinned requirements and compiled translations."""

from __future__ import annotations

import subprocess
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


def requirements(path: Path) -> list[str]:
    """The packages pinned in a requirements file and those it includes."""
    lines: list[str] = []
    for line in path.read_text().splitlines():
        entry = line.partition("#")[0].strip()
        if entry.startswith("-r "):
            lines += requirements(path.parent / entry.removeprefix("-r ").strip())
        elif entry:
            lines.append(entry)
    return lines


class PinnedRequirements(MetadataHookInterface):
    """`dependencies` are the lines of requirements.txt."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        metadata["dependencies"] = requirements(Path(self.root) / "requirements.txt")


class CompiledTranslations(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles catalogues and bundles scripts for the wheel: `.mo` files and bundles are not in the repository."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        subprocess.run([str(Path(self.root) / "script" / "bundle")], check=True)
        target = Path(mkdtemp())
        for catalogue in sorted((Path(self.root) / "locale").glob("*/LC_MESSAGES/*.po")):
            relative = catalogue.relative_to(self.root).with_suffix(".mo")
            compiled = target / f"{relative.parts[1]}-{relative.name}"
            with catalogue.open("rb") as text, compiled.open("wb") as binary:
                write_mo(binary, read_po(text))
            build_data["force_include"][str(compiled)] = str(Path("config/resources") / relative)
