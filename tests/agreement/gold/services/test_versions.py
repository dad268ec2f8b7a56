"""Making gold: versions, dry runs, exclusions, manual decisions, and where every span comes from."""

import pytest
from django.utils import timezone

from agreement.gold.services.exclusions import pair_exclude, pair_include
from agreement.gold.services.versions import gold_create
from agreement.models import GoldVersion
from agreement.selectors import gold_annotations, gold_newest, gold_version_get
from annotation.errors import Invalid, NotFound
from annotation.models import Annotation, Source
from tests.agreement.work import decide_manually, pair, project, submit
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def test_a_version_of_the_gold() -> None:
    made, (one, two) = project()
    on = pair(made)
    first = submit(on, one, [("4", [0, 1], [0]), ("2", [3], [])])
    second = submit(on, two, [("3", [0, 1], [0])])
    by = UserFactory()
    outcome = gold_create(project=made, rule="majority", phase="main", settings={"ties": "lower"}, by=by)
    assert outcome.version is not None
    version = gold_version_get(made, 1)
    assert (version.rule, version.phase, version.made_by) == ("majority", "main", by)
    assert version.parameters == {"rejections": 2, "similar": 50, "ties": "lower"}
    assert version.counts["pairs"] == 1
    (gold,) = gold_annotations(made, 1)
    assert gold.source == Source.GOLD
    assert [span.label for span in gold.parsed_spans] == ["3"]
    (origin,) = gold.provenance.values()
    assert origin["annotations"] == [first.pk, second.pk]
    assert origin["rule"] == "majority"
    assert origin["unsure"] == {"code": "label-disputed"}
    again = gold_create(project=made, rule="union", phase="main")
    assert again.version is not None and again.version.number == 2
    assert gold_newest(made) == 2
    assert gold_annotations(made, 1).count() == 1, "the last version stays"


def test_a_dry_run_writes_nothing() -> None:
    made, (one, _) = project()
    submit(pair(made), one, [("4", [0], [])])
    outcome = gold_create(project=made, rule="union", phase="main", dry_run=True)
    assert outcome.to_json() == {
        "pairs": 1,
        "excluded": 0,
        "tokens": outcome.tokens,
        "spans": {"1": 0, "2": 0, "3": 0, "4": 1, "5": 0},
        "unsure": 0,
        "by_hand": 0,
        "reasons": {},
        "version": None,
    }
    assert outcome.tokens["4"] == 1
    assert not GoldVersion.objects.exists()
    assert not Annotation.objects.filter(source=Source.GOLD).exists()


def test_left_out_with_reason_and_taken_in_again() -> None:
    made, (one, two) = project()
    rejected, excluded, kept = pair(made), pair(made), pair(made)
    for person in (one, two):
        submit(rejected, person, verdict="rejected")
        submit(excluded, person, [("1", [0], [])])
        submit(kept, person, [("1", [0], [])])
    with pytest.raises(Invalid, match="Give a reason"):
        pair_exclude(pair=excluded, reason=" ", by=None)
    pair_exclude(pair=excluded, reason="a list of links", by=None)
    outcome = gold_create(project=made, rule="union", phase="main")
    assert outcome.to_json()["reasons"] == {
        rejected.external_id: "found not comparable by 2 annotators",
        excluded.external_id: "a list of links",
    }
    assert outcome.version is not None
    assert outcome.version.excluded == {
        rejected.external_id: {"code": "rejected", "n": 2},
        excluded.external_id: {"code": "other", "text": "a list of links"},
    }
    assert [gold.pair for gold in gold_annotations(made, 1)] == [kept]
    assert pair_include(pair=excluded)
    assert not pair_include(pair=excluded)
    assert len(gold_create(project=made, rule="union", phase="main").included) == 2


def test_a_decision_by_hand_stands_in_the_place_of_the_rules() -> None:
    made, (one, two) = project()
    on = pair(made)
    submit(on, one, [("4", [0], [])])
    submit(on, two, [("1", [0], [])])
    by = UserFactory(username="lea")
    spans = decide_manually(on, by, [("2", [0, 1], [0])]).parsed_spans
    outcome = gold_create(project=made, rule="union", phase="main")
    assert outcome.to_json()["by_hand"] == 1
    (gold,) = gold_annotations(made, 1)
    assert gold.parsed_spans == spans
    assert gold.provenance == {"s1": {"annotations": [7], "rule": "hand", "by": "lea"}}


def test_refusals() -> None:
    made, (one, _) = project()
    with pytest.raises(Invalid, match="Nothing has been submitted"):
        gold_create(project=made, rule="union", phase="main")
    submit(pair(made), one)
    with pytest.raises(Invalid, match="there is no rule 'best'"):
        gold_create(project=made, rule="best", phase="main")
    with pytest.raises(Invalid, match="needs the labels 'new' and 'inferable'"):
        gold_create(project=made, rule="xparade", phase="main")
    with pytest.raises(Invalid, match="There is no setting “x”"):
        gold_create(project=made, rule="union", phase="main", settings={"x": 1})
    with pytest.raises(NotFound):
        gold_version_get(made, 1)
    assert gold_newest(made) is None


def test_a_scheme_of_tokens_counts_runs_the_unmarked_among_them() -> None:
    made, (one, _) = project("xparade")
    on = pair(made)
    submit(on, one, [("new", [], [0, 1]), ("inferable", [], [3])])
    outcome = gold_create(project=made, rule="xparade", phase="main")
    assert outcome.spans == {"same": 2, "new": 1, "inferable": 1}
    assert outcome.tokens == {"same": len(on.b.tokens) - 3, "new": 2, "inferable": 1}


def test_made_again_from_the_same_it_is_the_same_version() -> None:
    made, (one, two) = project()
    on = pair(made)
    submit(on, one, [("3", [0, 1], [0])])
    work = submit(on, two, [("3", [0, 1], [0])])

    def number(rule: str) -> int:
        version = gold_create(project=made, rule=rule, phase="main").version
        assert version is not None
        return version.number

    assert [number("majority"), number("majority")] == [1, 1]
    assert [number("union"), number("majority")] == [2, 3]
    Annotation.objects.filter(pk=work.pk).update(revision=2)
    assert number("majority") == 4
    decision = decide_manually(on, UserFactory())
    assert [number("majority"), number("majority")] == [5, 5]
    Annotation.objects.filter(pk=decision.pk).update(decided=timezone.now())
    assert number("majority") == 6
    pair_exclude(pair=on, reason="a table", by=UserFactory())
    assert number("majority") == 7
