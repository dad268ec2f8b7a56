"""Why a rule was unsure, in the reader's language and without names, whatever it is kept as."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from agreement.adjudication.reasons import Code, Reason, Value, make_reason
from agreement.blind import Redactor
from agreement.data.adjudication_inputs import cases_of
from agreement.gold.reasons import reason_text
from agreement.gold.rule_comparison import compare_rules
from agreement.gold.services.exclusions import pair_exclude
from agreement.gold.services.versions import gold_create
from annotation.models import Annotator, Project
from tests.agreement.work import pair, submit
from tests.agreement.work import project as whole_project
from tests.factories import AnnotatorFactory

pytestmark = pytest.mark.django_db
EVERY_VALUE: dict[str, Value] = {"text": "a menu", "n": 3, "of": 4, "p": 0.5, "share": 92.5, "name": "Zobrist"}


def project() -> Project:
    person: Annotator = AnnotatorFactory(alias="Zobrist")
    return person.project


@pytest.mark.parametrize("code", Code)
def test_it_is_kept_as_a_code_and_said_in_every_language(code: Code) -> None:
    reason = make_reason(code, **{name: value for name, value in EVERY_VALUE.items() if f"({name})" in code.form})
    assert Reason.from_json(reason.to_json()) == reason
    redact = Redactor(project(), hidden=False)
    assert reason_text(reason, redact) == str(reason)
    with override("de"):
        assert (reason_text(reason, redact) == str(reason)) is (code is Code.OTHER)


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (make_reason(Code.PICKED_ABSENT, name="Zobrist"), "the picked annotator submitted no annotation"),
        (make_reason(Code.OTHER, text="Zobrist left"), "… left"),
        (make_reason(Code.IMPROBABLE, p=0.5), "the label's probability is only 0.50"),
        (make_reason(Code.NEARLY_ALL_NEW, n=2, share=95.0), "2 annotators marked more than 95% of its tokens new"),
    ],
)
def test_who_may_know_no_names_reads_none(reason: Reason, words: str) -> None:
    assert reason_text(reason, Redactor(project(), hidden=True)) == words


def test_what_a_lead_wrote_names_nobody_where_rules_are_compared() -> None:
    made, (one, two) = whole_project()
    on = pair(made)
    for person in (one, two):
        submit(on, person, [("1", [0], [])])
    pair_exclude(pair=on, reason=f"{one.alias} left", by=None)
    outcome = gold_create(project=made, rule="union", phase="main", dry_run=True)
    cases = cases_of(made, "main")
    for hidden, words in ((True, "… left"), (False, f"{one.alias} left")):
        redact, rows = Redactor(made, hidden=hidden), compare_rules(made, outcome, cases)
        assert {row.why(redact) for row in rows if row.title == "Union"} == {words}


def test_a_code_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(KeyError):
        Reason.from_json({"code": "guessed"})
