"""What is refused in a manifest is said in the site's own words, which are translated."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.utils.translation import gettext, override

from annotation.formats.record import FormatError
from annotation.services.project_archive.manifest import VERSION, parse_manifest

GOOD = {
    "format": "diptych-project",
    "version": VERSION,
    "made": "now",
    "diptych": "1",
    "names": False,
    "project": {},
    "tables": {},
}
WITHOUT_VERSION = {name: value for name, value in GOOD.items() if name != "version"}


def changed(**fields: Any) -> bytes:
    return json.dumps(GOOD | fields).encode()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"{", "this is not the manifest of an archive; export the project as an archive again"),
        (b"[]", "this is not the manifest of an archive; export the project as an archive again"),
        (b"{}", "'format' is missing; export the project as an archive again"),
        (json.dumps(WITHOUT_VERSION).encode(), "'version' is missing; export the project as an archive again"),
        (changed(odd=1), "'odd' is unknown here; update Diptych"),
        (
            changed(names="yes"),
            "'names' is not valid in an archive's manifest; export the project as an archive again",
        ),
        (
            changed(tables={"annotation.pair": {"bytes": -1}}),
            "'tables.annotation.pair.bytes' is not valid in an archive's manifest; "
            "export the project as an archive again",
        ),
    ],
)
def test_a_manifest_that_is_refused(data: bytes, reason: str) -> None:
    assert parse_manifest(changed()).made == "now"
    with pytest.raises(FormatError) as caught:
        parse_manifest(data)
    (rejection,) = caught.value.rejections
    assert (rejection.where, str(rejection.phrase)) == ("diptych-project.json", reason)
    for language in ("de", "fr", "it", "es"):
        with override(language):
            assert rejection.phrase.text(gettext) != reason
