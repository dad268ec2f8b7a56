"""The registry of adjudication rules."""

from __future__ import annotations

import pytest

from agreement.adjudication.base import RULES
from tests.documentation import rows_of, section


@pytest.mark.parametrize("name", RULES)
def test_the_documentation_has_a_row_with_every_rule(name: str) -> None:
    assert any(f"`{name}`" in row[0] for row in rows_of("docs/agreement.md", "The rules"))


def test_the_documentation_names_the_rules_that_decide_answers() -> None:
    below = section("docs/agreement.md", "The rules").partition("Answers to questions are decided by")[2]
    sentence = below.partition(". Of tied")[0]
    assert {name for name in RULES if f"`{name}`" in sentence} == {n for n, rule in RULES.items() if rule.answer}
