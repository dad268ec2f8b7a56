"""The manifest of an archive: what it holds. Reading it trusts nothing."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from annotation.formats.project_archive import MANIFEST
from annotation.formats.source import refusal
from annotation.phrases import Phrase
from annotation.strict_json import display_text

VERSION = 1
MAX_MANIFEST_BYTES = 4 * 1024 * 1024
ACCOUNTS = "accounts"
PrintableText = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f-\x9f]{0,300}$")]
"""A text that can be shown on a terminal: short, without control characters."""

_NO_MANIFEST = Phrase("this is not the manifest of an archive; export the project as an archive again")
_OTHER_VALUE = Phrase("'%(location)s' is not valid in an archive's manifest; export the project as an archive again")
_PROBLEMS = {
    "missing": Phrase("'%(location)s' is missing; export the project as an archive again"),
    "extra_forbidden": Phrase("'%(location)s' is unknown here; update Diptych"),
}
"""What is wrong by pydantic's type of the error."""


class TableFile(BaseModel):
    """What a table's file holds."""

    model_config = ConfigDict(extra="forbid", strict=True)

    bytes: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    rows: int = Field(ge=0, lt=2**40)


class ArchiveManifest(BaseModel):
    """`names`: people have their own names instead of numbers. `project` has name, scheme, settings and creation."""

    model_config = ConfigDict(extra="forbid", strict=True)

    format: Literal["diptych-project"]
    version: int
    made: PrintableText
    diptych: PrintableText
    names: bool
    project: dict[str, Any]
    tables: dict[PrintableText, TableFile]


def entry_name(label: str) -> str:
    return f"tables/{label}.jsonl"


def parse_manifest(data: bytes) -> ArchiveManifest:
    """Raises FormatError for anything but a manifest of a version known here."""
    try:
        manifest = ArchiveManifest.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        location = display_text(".".join(map(str, first["loc"])))
        reason = _PROBLEMS.get(first["type"], _OTHER_VALUE).with_params(location=location) if location else _NO_MANIFEST
        raise refusal(MANIFEST, reason) from error
    if manifest.version != VERSION:
        raise refusal(
            MANIFEST,
            Phrase(
                "archive version %(version)s is not supported (this Diptych reads version %(here)s)",
                {"version": str(manifest.version), "here": str(VERSION)},
            ),
        )
    return manifest
