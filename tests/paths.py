"""Paths of data that is not part of the project: the published annotations beside the checkout."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("DIPTYCH_TEST_DATA", ROOT.parent / "shared" / "data"))


def published(*parts: str) -> Path:
    """The path of a published file or folder; skips the test, with the reason, if it is missing (in CI: fails)."""
    path = DATA.joinpath(*parts)
    if not path.exists():
        reason = f"the published annotations are not at {path}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path
