"""The types of the browser side are those of the OpenAPI document."""

from __future__ import annotations

from typing import Any

import pytest

from config.openapi import OneAtATime
from script.api_types import TYPES, generated, with_tuples, workspace_document
from tests.paths import ROOT


@pytest.mark.node
def test_the_types_are_up_to_date() -> None:
    assert TYPES.read_text("utf-8") == generated(), f"{TYPES.relative_to(ROOT)} is out of date; run script/types"


def schemas() -> dict[str, Any]:
    document = OneAtATime().get_schema(request=None, public=True)
    found: dict[str, Any] = workspace_document(document)["components"]["schemas"]
    return found


def test_they_are_those_that_the_workspace_reads_and_sends() -> None:
    assert {"Assignment", "AdjudicationPair", "Save", "Conflict", "Fragment", "Reason", "Preferences"} <= set(schemas())
    assert not {"Run", "Request", "RunDetail"} & set(schemas())


def untyped(schema: Any, where: str) -> list[str]:
    """The parts of a schema whose contents the document does not describe."""
    if "$ref" in schema:
        return []
    inner = dict(schema.get("properties", {}))
    for key in ("items", "additionalProperties"):
        if key in schema:
            inner[key] = schema[key]
    for key in ("prefixItems", "anyOf", "oneOf", "allOf"):
        inner |= {f"{key}[{n}]": each for n, each in enumerate(schema.get(key, ()))}
    if not inner and not {"type", "enum"} & set(schema):
        return [where]
    if schema.get("type") == "object" and not inner:
        return [where]
    return [found for name, each in inner.items() for found in untyped(each, f"{where}.{name}")]


def test_nothing_has_an_unknown_shape_but_the_metadata_of_a_pair() -> None:
    found = [part for name, schema in schemas().items() for part in untyped(schema, name)]
    assert found == ["Pair.metadata.additionalProperties"]


def test_lists_of_a_fixed_length_are_tuples() -> None:
    numbers = {"type": "array", "items": {"type": "integer"}}
    pair = {**numbers, "minItems": 2, "maxItems": 2}
    several = {**numbers, "minItems": 1, "maxItems": 2}
    made = with_tuples({"type": "object", "properties": {"pairs": {"type": "array", "items": pair}, "some": several}})
    assert made["properties"]["pairs"]["items"]["prefixItems"] == [{"type": "integer"}] * 2
    assert made["properties"]["some"] == several
    beads = schemas()["Assignment"]["properties"]["paragraph_alignment"]["items"]
    assert [side["items"]["type"] for side in beads["prefixItems"]] == ["integer", "integer"]
