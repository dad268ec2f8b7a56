"""Manual adjudication: drafts opened, saved under revisions, decided, excluded, reset and closed."""

from __future__ import annotations

from unittest.mock import ANY

import pytest

from agreement.adjudication.reasons import Code, make_reason
from agreement.data.adjudication_inputs import cases_of
from agreement.gold.services.drafts import (
    draft_close,
    draft_decide,
    draft_exclude,
    draft_open,
    draft_reopen,
    draft_save,
)
from agreement.gold.services.exclusions import pair_exclude
from agreement.gold.services.versions import gold_create
from agreement.gold.status import draft_progress, next_pair_to_decide
from agreement.models import Exclusion, GoldVersion
from agreement.selectors import gold_annotations, gold_draft, gold_newest
from annotation.errors import Conflict, Invalid, NotFound
from annotation.models import Annotation, Assignment, Revision, Source, Status
from annotation.selectors.annotations import annotations_of_pair, gold_of
from annotation.services.annotation_checks import AnnotationInput
from annotation.text.spans import spans_document
from tests.agreement.gold.home import home, labels
from tests.agreement.work import pair, project, submit
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("scheme", ["graded", "xparade"])
def test_what_is_agreed_is_taken_and_the_rest_waits(scheme: str) -> None:
    at = home(scheme)
    status = at.status(at.open())
    assert [region.state for region in status.regions] == ["disputed", "agreed"]
    assert labels(status.spans) == ["1" if scheme == "graded" else "new"]
    assert (status.state, status.undecided_count, status.needs_decision) == ("open", 1, True)
    assert not Annotation.objects.filter(source=Source.GOLD).exists(), "nothing is written before someone works"


def test_a_rule_that_is_sure_goes_before() -> None:
    at = home()
    third = at.people[0].project.annotators.create(alias="A3")
    submit(at.pair, third, [("2", [0, 1], [0])])
    status = at.status(at.open("majority"))
    assert [region.state for region in status.regions] == ["ruled", "ruled"], (
        "what one of three did not mark is not doubtful"
    )
    assert not status.needs_decision


def test_reassigned_work_is_no_vote_and_opens_no_pair() -> None:
    at = home()
    other = submit(pair(at.project, external_id="p2", position=2), at.people[0], verdict="skipped")
    third = submit(at.pair, at.project.annotators.create(alias="A3"), verdict="skipped")
    Assignment.objects.filter(annotation__in=(other, third)).update(status=Status.REASSIGNED)
    draft = at.open()
    assert draft_progress(draft).pairs == 1
    assert sorted(vote.annotator for vote in at.status(draft).case.votes) == ["A1", "A2"]
    assert [vote.annotator for _, case in cases_of(at.project, "main").values() for vote in case.votes] == ["A1", "A2"]


def test_a_project_has_one_draft_that_goes_on_under_another_rule() -> None:
    at = home()
    draft = at.open()
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0, 1], [0]), ("1", [3], [])]))
    again = at.open("union")
    assert again.pk == draft.pk and again.rule == "union"
    assert labels(at.status(again).spans) == ["3", "1"], "work in progress is kept"
    assert GoldVersion.objects.count() == 1


def test_an_open_draft_is_no_gold() -> None:
    at = home()
    draft = at.open()
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0], [])]))
    assert gold_newest(at.project) is None
    assert gold_of(at.pair) is None
    assert not annotations_of_pair(at.pair, source=Source.GOLD).exists()
    assert not gold_annotations(at.project, draft.number).exists()


def test_saves_stand_upon_revisions_and_keep_every_one() -> None:
    at = home()
    draft = at.open()
    first = draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0], [])]))
    assert first.revision == 1
    with pytest.raises(Conflict) as refused:
        draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("5", [0], [])]))
    assert refused.value.payload["annotation"]["revision"] == 1
    second = draft_save(draft=draft, pair=at.pair, by=at.by, base=1, sent=at.work([("5", [0], [])]))
    assert second.revision == 2
    assert [row.spans["spans"][0]["label"] for row in Revision.objects.filter(annotation=second)] == ["3", "5"]
    with pytest.raises(Invalid, match="not one of the scheme's labels"):
        draft_save(draft=draft, pair=at.pair, by=at.by, base=2, sent=at.work([("9", [0], [])]))


def test_each_span_says_where_it_is_from() -> None:
    at = home()
    draft = at.open()
    work = at.work([("4", [0, 1], [0]), ("1", [3], []), ("5", [], [4])])
    found = draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=work).provenance
    assert found == {
        "s1": {"annotations": [at.first.pk], "rule": "hand", "how": "taken", "by": "mia"},
        "s2": {"annotations": ANY, "rule": "agreed"},
        "s3": {"annotations": [], "rule": "hand", "how": "anew", "by": "mia"},
    }
    assert set(found["s2"]["annotations"]) == {at.first.pk, at.second.pk}


def test_a_decision_needs_every_disputed_region() -> None:
    at = home()
    draft = at.open()
    seen = at.status(draft).fingerprint
    with pytest.raises(Invalid, match="1 disputed region is"):
        draft_decide(draft=draft, pair=at.pair, by=at.by, base=0, seen=seen)
    region = at.status(draft).regions[0]
    work = at.work([("1", [3], [])], unmarked=[region.key])
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=work)
    decision = draft_decide(draft=draft, pair=at.pair, by=at.by, base=1, seen=seen)
    assert decision.decided_by == at.by and decision.unmarked == [region.key] and decision.dismissed == []
    assert decision.provenance == {"s1": {"annotations": ANY, "rule": "agreed", "by": "mia"}}
    assert at.status(draft).state == "decided"
    assert draft_decide(draft=draft, pair=at.pair, by=at.by, base=1, seen=seen) == decision, "twice is once"
    with pytest.raises(Conflict, match="is decided"):
        draft_save(draft=draft, pair=at.pair, by=at.by, base=2, sent=work)


def test_a_region_left_unmarked_is_content_that_nobody_overwrites_unseen() -> None:
    at = home()
    draft = at.open()
    key = at.status(draft).regions[0].key
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("1", [3], [])]))
    saved = draft_save(draft=draft, pair=at.pair, by=at.by, base=1, sent=at.work([("1", [3], [])], unmarked=[key]))
    assert (saved.revision, saved.unmarked) == (2, [key])
    again = draft_save(draft=draft, pair=at.pair, by=at.by, base=1, sent=at.work([("1", [3], [])], unmarked=[key]))
    assert again.revision == 2, "a save whose response was lost"
    for work in (at.work([("1", [3], [])]), at.work([("4", [0, 1], [0]), ("1", [3], [])])):
        with pytest.raises(Conflict):
            draft_save(draft=draft, pair=at.pair, by=at.by, base=1, sent=work)


def test_a_region_with_a_span_is_not_left_unmarked_nor_one_that_does_not_exist() -> None:
    at = home()
    draft = at.open()
    disputed, agreed = (region.key for region in at.status(draft).regions)
    work = at.work([("4", [0, 1], [0])], unmarked=["no region", disputed, agreed])
    assert draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=work).unmarked == [agreed]


def test_what_all_agree_on_is_decided_unsaved() -> None:
    made, (one, two) = project()
    on = pair(made)
    for person in (one, two):
        submit(on, person, [("2", [0], [])])
    at = home()
    draft = draft_open(project=made, rule="agreed", phase="main", by=at.by)
    at.pair = on
    seen = at.status(draft).fingerprint
    decision = draft_decide(draft=draft, pair=on, by=at.by, base=0, seen=seen)
    assert [span["label"] for span in decision.spans["spans"]] == ["2"]
    assert Annotation.objects.get(source=Source.GOLD, pair=on).revision == 2


def test_nobody_decides_over_work_they_have_not_seen() -> None:
    at = home()
    draft = at.open()
    seen = at.status(draft).fingerprint
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0, 1], [0])]))
    third = at.people[0].project.annotators.create(alias="A3")
    submit(at.pair, third, [])
    with pytest.raises(Conflict, match="have changed since you opened it"):
        draft_decide(draft=draft, pair=at.pair, by=at.by, base=1, seen=seen)
    with pytest.raises(Conflict, match="A newer version was saved"):
        draft_decide(draft=draft, pair=at.pair, by=at.by, base=7, seen=at.status(draft).fingerprint)
    with pytest.raises(Invalid, match="disputed region is not decided"):  # not the staleness, which nobody asked about
        draft_decide(draft=draft, pair=at.pair, by=at.by, base=1, seen=None)


def test_a_decision_is_taken_back_and_nothing_is_lost() -> None:
    at = home()
    draft = at.open()
    with pytest.raises(Conflict, match="not decided"):
        draft_reopen(draft=draft, pair=at.pair, by=at.by)
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0, 1], [0])]))
    draft_decide(draft=draft, pair=at.pair, by=at.by, base=1, seen=at.status(draft).fingerprint)
    draft_reopen(draft=draft, pair=at.pair, by=at.by)
    status = at.status(draft)
    assert status.state == "in-progress" and labels(status.spans) == ["3"]
    verdicts = Revision.objects.filter(annotation=status.annotation).values_list("verdict", flat=True)
    assert list(verdicts) == ["", "submitted"], "who decided it, and when, stays on record"


def test_left_out_with_a_reason_and_taken_in_again() -> None:
    at = home()
    draft = at.open()
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0], [])]))
    with pytest.raises(Invalid, match="Give a reason"):
        draft_exclude(draft=draft, pair=at.pair, by=at.by, base=1, seen=None, reason=" ")
    draft_exclude(draft=draft, pair=at.pair, by=at.by, base=1, seen=None, reason="a menu")
    assert Exclusion.objects.get().made_by == at.by
    assert at.status(draft).state == "excluded" and next_pair_to_decide(draft) is None
    draft_reopen(draft=draft, pair=at.pair, by=at.by)
    assert labels(at.status(draft).spans) == ["3"]


def test_a_draft_with_started_pairs_is_not_closed() -> None:
    at = home()
    draft = at.open()
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0], [])]))
    with pytest.raises(Conflict, match=f"1 pair is in progress and not decided yet: {at.pair.external_id}"):
        draft_close(draft=draft, by=at.by)
    assert gold_draft(at.project) == draft


def test_closed_it_is_a_version_of_decisions_and_the_rule() -> None:
    at = home()
    other = pair(at.project)
    for person in at.people:
        submit(other, person, [("5", [2], [])])
    draft = at.open()
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0, 1], [0])]))
    draft_decide(draft=draft, pair=at.pair, by=at.by, base=1, seen=at.status(draft).fingerprint)
    outcome = draft_close(draft=draft, by=at.by)
    assert outcome.version is not None and (outcome.version.number, outcome.version.open) == (1, False)
    assert outcome.to_json()["by_hand"] == 1
    gold = {row.pair_id: row for row in gold_annotations(at.project, 1)}
    assert labels(gold[at.pair.pk].parsed_spans) == ["3"] and labels(gold[other.pk].parsed_spans) == ["5"]
    origin = gold[at.pair.pk].provenance["s1"]
    assert (origin["rule"], origin["how"], origin["by"]) == ("hand", "changed", "mia")
    assert gold[other.pk].provenance["g1"]["rule"] == "agreed"
    assert gold_draft(at.project) is None and gold_newest(at.project) == 1
    with pytest.raises(Conflict, match="closed"):
        draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=AnnotationInput(spans=spans_document([])))


def test_a_rule_made_a_version_meanwhile() -> None:
    at = home()
    draft = at.open()
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0, 1], [0])]))
    draft_decide(draft=draft, pair=at.pair, by=at.by, base=1, seen=at.status(draft).fingerprint)
    between = gold_create(project=at.project, rule="union", phase="main").version
    assert between is not None and between.number == 2, "the draft keeps its number to itself"
    closed = draft_close(draft=draft, by=at.by).version
    assert closed is not None and closed.number == 3 and gold_newest(at.project) == 3
    assert gold_annotations(at.project, 3).get().revision > 1, "the same row, with its revisions"


def test_a_pairs_gold_is_one_row_from_its_draft_on() -> None:
    at = home()
    draft = at.open()
    work = at.work([("3", [0, 1], [0])], comment="between us")
    saved = draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=work)
    decided = draft_decide(draft=draft, pair=at.pair, by=at.by, base=1, seen=at.status(draft).fingerprint)
    draft_close(draft=draft, by=at.by)
    (gold,) = Annotation.objects.filter(source=Source.GOLD)
    assert gold.pk == decided.pk == saved.pk and gold.decided == decided.decided and gold.verdict == "submitted"
    assert (gold.comment, gold.feedback) == ("between us", ""), "annotators read what a lead writes for them only"
    again = gold_create(project=at.project, rule="agreed", phase="main").version
    assert again is not None and again.number == 1, "nothing has changed"


def test_a_decision_taken_back_stands_in_no_version_made_since() -> None:
    at = home()
    draft = at.open()
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0, 1], [0])]))
    draft_decide(draft=draft, pair=at.pair, by=at.by, base=1, seen=at.status(draft).fingerprint)
    assert gold_create(project=at.project, rule="union", phase="main").to_json()["by_hand"] == 1
    draft_reopen(draft=draft, pair=at.pair, by=at.by)
    assert gold_create(project=at.project, rule="union", phase="main").to_json()["by_hand"] == 0
    numbers = Annotation.objects.filter(source=Source.GOLD).values_list("gold_version", "verdict").order_by("pk")
    assert list(numbers) == [(1, ""), (2, "submitted"), (3, "submitted")]


def test_whoever_decides_confirms_what_the_rule_was_sure_of() -> None:
    at = home()
    draft = at.open()
    zoe = UserFactory(username="zoe")
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0, 1], [0]), ("1", [3], [])]))
    seen = at.status(draft).fingerprint
    first = draft_decide(draft=draft, pair=at.pair, by=at.by, base=1, seen=seen)
    assert {key: origin["by"] for key, origin in first.provenance.items()} == {"s1": "mia", "s2": "mia"}
    draft_reopen(draft=draft, pair=at.pair, by=zoe)
    second = draft_decide(draft=draft, pair=at.pair, by=zoe, base=2, seen=seen)
    assert {key: origin["by"] for key, origin in second.provenance.items()} == {"s1": "mia", "s2": "zoe"}


def test_a_decided_pair_that_was_left_out_is_decided_when_it_is_taken_in_again() -> None:
    at = home()
    other = pair(at.project)
    for person in at.people:
        submit(other, person, [("5", [2], [])])
    draft = at.open()
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0, 1], [0])]))
    decided = draft_decide(draft=draft, pair=at.pair, by=at.by, base=1, seen=at.status(draft).fingerprint)
    pair_exclude(pair=at.pair, reason="a menu", by=at.by)
    draft_close(draft=draft, by=at.by)
    assert [row.pair_id for row in gold_annotations(at.project, 1)] == [other.pk]
    following = at.open()
    assert draft_reopen(draft=following, pair=at.pair, by=at.by) is None, "nothing was saved in this draft"
    status = at.status(following)
    assert status.state == "decided" and status.annotation == decided


def test_the_next_draft_goes_on_from_the_decisions() -> None:
    at = home()
    draft = at.open()
    draft_save(draft=draft, pair=at.pair, by=at.by, base=0, sent=at.work([("3", [0, 1], [0])]))
    draft_decide(draft=draft, pair=at.pair, by=at.by, base=1, seen=at.status(draft).fingerprint)
    draft_close(draft=draft, by=at.by)
    following = at.open()
    assert at.status(following).state == "decided" and draft_progress(following).decided == 1
    draft_reopen(draft=following, pair=at.pair, by=at.by)
    status = at.status(following)
    assert labels(status.spans) == ["3"] and status.state == "in-progress"
    assert status.annotation is not None and status.annotation.provenance["s1"]["by"] == "mia"
    assert not Annotation.objects.filter(decided__isnull=False).exists()
    assert labels(gold_annotations(at.project, 1).get().parsed_spans) == ["3"], "the closed version stays"


def test_the_queue_goes_round_and_skips_what_needs_nobody() -> None:
    at = home()
    agreed, third, empty = pair(at.project), pair(at.project), pair(at.project)
    for person in at.people:
        submit(agreed, person, [("5", [2], [])])
    submit(third, at.people[0], [("5", [2], [])])
    submit(third, at.people[1], [])
    draft = at.open()
    assert next_pair_to_decide(draft) == at.pair
    assert next_pair_to_decide(draft, at.pair) == third
    assert next_pair_to_decide(draft, third) == at.pair
    with pytest.raises(NotFound):
        draft_save(draft=draft, pair=empty, by=at.by, base=0, sent=AnnotationInput(spans=spans_document([])))


def test_rejected_by_all_waits_for_a_word_and_may_be_decided_all_the_same() -> None:
    made, people = project()
    on = pair(made)
    for person in people:
        submit(on, person, verdict="rejected", reason="two subjects")
    at = home()
    at.pair = on
    draft = draft_open(project=made, rule="agreed", phase="main", by=at.by)
    status = at.status(draft)
    assert status.decision.excluded == make_reason(Code.REJECTED, n=2) and status.needs_decision
    draft_save(draft=draft, pair=on, by=at.by, base=0, sent=at.work([("3", [0], [])]))
    draft_decide(draft=draft, pair=on, by=at.by, base=1, seen=status.fingerprint)
    assert labels(gold_annotations(made, draft_close(draft=draft, by=at.by).version.number).get().parsed_spans) == ["3"]  # type: ignore[union-attr]


def test_the_order_of_people_is_the_pairs_own() -> None:
    at = home()
    draft = at.open()
    orders = set()
    for _ in range(12):
        on = pair(at.project)
        for person in at.people:
            submit(on, person, [("1", [0], [])])
        at.pair = on
        orders.add(tuple(vote.annotator for vote in at.status(draft).case.votes))
        assert at.status(draft).case.votes == at.status(draft).case.votes
    assert orders == {("A1", "A2"), ("A2", "A1")}


def test_refusals_of_opening() -> None:
    made, _ = project()
    with pytest.raises(Invalid, match="Nothing has been submitted"):
        draft_open(project=made, rule="agreed", phase="main", by=None)
    at = home()
    with pytest.raises(Invalid, match="no rule"):
        at.open("best")


def test_a_rule_that_learns_from_all_pairs_opens_no_draft() -> None:
    at = home()
    with pytest.raises(Invalid, match="one at a time"):
        at.open("dawid-skene")
    assert not GoldVersion.objects.exists()
