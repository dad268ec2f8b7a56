"""The registry of adjudication rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agreement.adjudication.base import RULES
from agreement.adjudication.registry import proposed_rule
from annotation.text.schemes import PRESETS, Scheme
from tests.documentation import rows_of, section


@pytest.mark.parametrize("name", RULES)
def test_the_documentation_has_a_row_with_every_rule(name: str) -> None:
    assert any(f"`{name}`" in row[0] for row in rows_of("docs/agreement.md", "The rules"))


def test_the_documentation_names_the_rules_that_decide_answers() -> None:
    below = section("docs/agreement.md", "The rules").partition("Answers to questions are decided by")[2]
    sentence = below.partition(". Of tied")[0]
    assert {name for name in RULES if f"`{name}`" in sentence} == {n for n, rule in RULES.items() if rule.answer}


@pytest.mark.parametrize(
    ("scheme", "proposed"),
    [
        (PRESETS["xparade"], "xparade"),
        (PRESETS["xparade-extended"], "xparade"),
        (PRESETS["graded"], "majority"),
        (PRESETS["likert"], "majority"),
        (replace(PRESETS["xparade"], questions=PRESETS["likert"].questions), "majority"),
        (replace(PRESETS["xparade"], labels=PRESETS["xparade"].labels[:1]), "majority"),
        (replace(PRESETS["xparade"], default="equal"), "majority"),
    ],
)
def test_the_rule_that_was_made_for_a_scheme_is_proposed(scheme: Scheme, proposed: str) -> None:
    assert proposed_rule(scheme).name == proposed


def test_a_rule_of_another_module_can_be_made_for_a_scheme(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = replace(RULES["union"], name="mine", made_for=lambda scheme: scheme.graded)
    monkeypatch.setitem(RULES, "mine", mine)
    assert proposed_rule(PRESETS["graded"]) is mine
    assert proposed_rule(PRESETS["likert"]).name == "majority"
