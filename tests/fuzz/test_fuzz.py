"""Every reader, for some seconds: what is found here is found again with `python -m tests.fuzz --seed N --count 1`."""

from __future__ import annotations

import os

import pytest

from tests.fuzz.__main__ import fuzz
from tests.fuzz.seeds import NAMES

# A minute for all readers where tests may take long.
SECONDS = 8 if os.environ.get("CI") == "true" else 1


@pytest.mark.long
@pytest.mark.takes(10)
@pytest.mark.parametrize("name", NAMES)
def test_no_changed_source_is_a_fault(name: str) -> None:
    """Each refusal has location and reason; what is accepted goes out and comes in again."""
    done, _accepted, found = fuzz(name, count=100_000, seconds=SECONDS, first=1)
    assert not found, found
    assert done
