"""What migrations make of the gold of an older database."""

from __future__ import annotations

import importlib

import pytest
from django.apps import apps

from agreement.adjudication.reasons import Code, Value, because
from agreement.models import GoldVersion
from annotation.models import Annotation, Source
from tests.agreement.work import hand_in, pair, project

codes = importlib.import_module("agreement.migrations.0006_codes_of_reasons")
VALUES: dict[str, Value] = {"n": 3, "of": 4, "p": 0.25, "share": 92.5, "name": "Anna of Bern"}


@pytest.mark.parametrize("code", [code for code in Code if code is not Code.OTHER])
def test_every_sentence_of_a_rule_becomes_its_code(code: Code) -> None:
    """Those of today, and those of the first release where they were others."""
    reason = because(code, **{name: value for name, value in VALUES.items() if f"({name})" in code.form})
    sentences = [sentence.format(**VALUES) for sentence in codes.SENTENCES[code.value]]
    assert sentences[-1] == str(reason)
    assert [codes.coded(sentence) for sentence in sentences] == [reason.to_json()] * len(sentences)


@pytest.mark.parametrize("words", ["a menu", "some of them marked it", "a tie between friends"])
def test_what_somebody_wrote_stays(words: str) -> None:
    assert codes.coded(words) == {"code": "other", "text": words}


@pytest.mark.django_db
def test_sentences_kept_with_gold_become_codes() -> None:
    made, (person, _) = project()
    on = pair(made)
    sure = {"annotations": [1], "rule": "union"}
    origins = {"g1": sure | {"unsure": "1 of 2 found it new"}, "g2": sure, "g3": sure | {"unsure": "a tie"}}
    gold = Annotation.objects.create(source=Source.GOLD, pair=on, gold_version=1, provenance=origins)
    other = hand_in(on, person, [])
    version = GoldVersion.objects.create(
        project=made, number=1, rule="union", phase="main", excluded={"p2": "rejected by 2 annotators", "p3": "a menu"}
    )
    codes.to_codes(apps, None)
    gold.refresh_from_db()
    version.refresh_from_db()
    assert gold.provenance == {
        "g1": sure | {"unsure": {"code": "new-by", "n": 1, "of": 2}},
        "g2": sure,
        "g3": sure | {"unsure": {"code": "tie"}},
    }
    assert version.excluded == {"p2": {"code": "rejected", "n": 2}, "p3": {"code": "other", "text": "a menu"}}
    assert Annotation.objects.get(pk=other.pk).changed == other.changed
