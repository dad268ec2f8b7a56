"""Parses request bodies as strict JSON. What can't be stored is refused, naming its location, before a view sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.parsers import JSONParser

from annotation import strict_json
from annotation.errors import Invalid
from annotation.strict_json import JSONError


class StrictJSONParser(JSONParser):
    """DRF's parser with `strict_json`: only numbers, depth and characters that a database can store."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """The value of the body. Raises Invalid, with status 400 for invalid JSON, otherwise with the location of the
        fault.
        """
        data = stream.read()
        try:
            return strict_json.loads(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise _refusal(_("The request body is not valid UTF-8."), f"byte {error.start}") from error
        except JSONError as error:
            where = error.path or (f"line {error.line}, column {error.column}" if error.line else "body")
            raise _refusal(error.reason.text(_), where) from error


def _refusal(reason: str, where: str) -> Invalid:
    refused = Invalid(reason, code="parse_error", where=where, hint="/api/docs/")
    refused.status = 400
    return refused
