# SPDX-License-Identifier: GPL-3.0-or-later
"""The types of the workspace's JSON for the browser side, generated from the OpenAPI document by openapi-typescript.

`script/types` writes them to `static/js/api-types.d.ts`. They include only what the workspace reads and sends, so that
a new pre-labelling method, whose settings are also in the document, does not change them.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TYPES = ROOT / "static/js/api-types.d.ts"
TOOL = ROOT / "node_modules/.bin/openapi-typescript"
OPTIONS = ("--root-types", "--root-types-no-schema-prefix")
"""Each schema is exported under its own name."""
TAGS = {"workspace", "adjudication", "messages"}
"""The tags of the operations that the workspace uses."""


def referenced(part: Any) -> Iterator[str]:
    """The names of the schemas that a part of the document refers to."""
    return (name for name in re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(part)))


def closure(names: Iterable[str], schemas: dict[str, Any]) -> set[str]:
    """Schemas and all schemas that they refer to."""
    result: set[str] = set()
    ahead = set(names)
    while ahead:
        result |= ahead
        ahead = {each for name in ahead for each in referenced(schemas[name])} - result
    return result


def with_tuples(part: Any) -> Any:
    """The document with lists of a fixed length as tuples.

    The tool's own option, `--array-length`, gets lists of lists wrong: it adds a dimension to them.
    """
    if isinstance(part, list):
        return [with_tuples(each) for each in part]
    if not isinstance(part, dict):
        return part
    whole = {key: with_tuples(value) for key, value in part.items()}
    length = whole.get("maxItems")
    if whole.get("type") == "array" and length is not None and length == whole.get("minItems"):
        return {**whole, "prefixItems": [whole["items"]] * length}
    return whole


def workspace_document(document: dict[str, Any]) -> dict[str, Any]:
    """The OpenAPI document with only the schemas of the workspace."""
    used = [
        operation
        for path in document["paths"].values()
        for operation in path.values()
        if TAGS & set(operation.get("tags", ()))
    ]
    schemas = document["components"]["schemas"]
    names = closure(referenced(used), schemas)
    return {
        "openapi": document["openapi"],
        "info": document["info"],
        "paths": {},
        "components": {"schemas": {name: with_tuples(schemas[name]) for name in schemas if name in names}},
    }


def generated() -> str:
    """The file's contents. Needs Django set up, and what `npm ci` installs."""
    from django.core.management import call_command

    out = io.StringIO()
    call_command("spectacular", "--format", "openapi-json", "--fail-on-warn", stdout=out)
    document = workspace_document(json.loads(out.getvalue()))
    done = subprocess.run([TOOL, *OPTIONS], input=json.dumps(document), capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise RuntimeError(f"openapi-typescript failed: {done.stderr.strip()}")
    return done.stdout


def main() -> None:
    if not TOOL.exists():
        sys.exit("types: openapi-typescript is not installed; run npm ci")
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    TYPES.write_text(generated(), "utf-8")


if __name__ == "__main__":
    main()
