"""Why a rule was unsure, in the reader's language, whenever its gold was made."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from agreement.gold.reasons import EARLIER, FORMS, reason_said


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("3 annotations, none picked", "3 annotations, none picked"),
        ("3 annotations, none picked", "3 annotations, none picked"),
        ("1 of 2 marked it new", "1 of 2 marked it new"),
        ("two answers are tied", "two answers are tied"),
        ("A1 was picked but submitted no annotation", "A1 was picked but submitted no annotation"),
        ("a broken page", "a broken page"),
    ],
)
def test_a_reason_is_said_as_rules_say_it_today(kept: str, said: str) -> None:
    assert reason_said(kept) == said


def test_what_rules_said_earlier_is_translated_too() -> None:
    assert set(EARLIER.values()) <= set(FORMS)
    with override("de"):
        assert reason_said("two answers are tied") == reason_said("two answers are tied")
        assert reason_said("two answers are tied") != "two answers are tied"
