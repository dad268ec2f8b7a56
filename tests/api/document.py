"""Compares API responses with the OpenAPI document. `tests/conftest.py` checks the responses in all tests."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from config.openapi import OneAtATime

UNCHECKED = ("/api/schema/", "/api/docs/")
ANYWHERE = (405, 413, 422)
"""Of every endpoint, as errors in one shape: another method than the document has, a body larger than any
upload, a query that cannot be read."""


@cache
def document() -> dict[str, Any]:
    """The document in strict form: objects have exactly the documented properties."""
    found: dict[str, Any] = OneAtATime().get_schema(request=None, public=True)
    for schema in found["components"]["schemas"].values():
        _close(schema)
    return found


def _close(schema: Any) -> None:
    if isinstance(schema, list):
        for each in schema:
            _close(each)
    elif isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            schema.setdefault("additionalProperties", False)
        for each in schema.values():
            _close(each)


@cache
def operations() -> dict[str, tuple[str, re.Pattern[str], dict[str, Any]]]:
    """By operation id: its method, its path, and its documentation."""
    return {
        operation["operationId"]: (method, re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path))), operation)
        for path, methods in document()["paths"].items()
        for method, operation in methods.items()
    }


def documented() -> set[tuple[str, int]]:
    """(operation, status): everything that the document says an endpoint may respond."""
    return {(name, int(status)) for name, (_, _, found) in operations().items() for status in found["responses"]}


def operation_of(method: str, path: str) -> str | None:
    """The operation at a URL, or None."""
    found = [name for name, (own, form, _) in operations().items() if own == method.lower() and form.fullmatch(path)]
    # An address that is written out comes before one with an argument in that place.
    return min(found, key=lambda name: operations()[name][1].pattern.count("[^/]+"), default=None)


@cache
def _validator(schema: str) -> Draft202012Validator:
    """The validator of a schema of the document, given as JSON; it finds the references once."""
    return Draft202012Validator({**json.loads(schema), "components": document()["components"]})


def check(method: str, path: str, status: int, body: Any) -> None:
    """Raises AssertionError if a response does not agree with the document."""
    name = operation_of(method, path)
    responses = operations()[name][2]["responses"] if name else {}
    refused_unasked = not name and status >= 400  # of a method that the address does not have
    if refused_unasked or (status in ANYWHERE and str(status) not in responses):
        schema: dict[str, Any] = {"$ref": "#/components/schemas/Error"}
    else:
        assert name, f"{method} {path} is not in the API's document"
        assert str(status) in responses, f"{method} {path}: the document has no answer {status}: {body}"
        schema = responses[str(status)]["content"]["application/json"]["schema"]
    problems = sorted(_validator(json.dumps(schema)).iter_errors(body), key=lambda problem: problem.json_path)
    said = [f"{problem.json_path}: {problem.message[:300]}" for problem in problems[:5]]
    assert not said, f"{method} {path}, {status}, is not as documented: {said}"
