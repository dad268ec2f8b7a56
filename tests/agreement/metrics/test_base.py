"""The registry of metrics that are one number."""

from __future__ import annotations

import pytest

from agreement.metrics.base import METRICS
from tests.documentation import rows_of


@pytest.mark.parametrize("name", METRICS)
def test_the_documentation_has_a_row_with_every_metric(name: str) -> None:
    assert any(METRICS[name].title in row[0] for row in rows_of("docs/agreement.md", "The figures"))
