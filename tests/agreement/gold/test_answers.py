"""Gold of answers: made by a rule, decided manually where it was open, compared, shown, exported and read again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from agreement.adjudication.reasons import Code, make_reason
from agreement.gold.services.drafts import draft_close, draft_decide, draft_open, draft_reopen, draft_save
from agreement.gold.services.versions import gold_create
from agreement.gold.status import next_pair_to_decide, pair_status
from agreement.models import GoldVersion
from agreement.publication.export import export
from annotation.errors import Invalid
from annotation.models import Annotation, Assignment, Pair, Project, Source, User
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.imports import import_files
from annotation.text.scheme_parsing import parse_scheme
from annotation.text.spans import spans_document
from tests.agreement.access import logged_in, member
from tests.agreement.work import pair, project, submit
from tests.factories import TextFactory, UserFactory

pytestmark = pytest.mark.django_db
NOTHING = spans_document([])


@pytest.fixture
def study() -> Project:
    """Two items of one mind, one on which the two of its annotators differ."""
    study, people = project("likert", "A1", "A2")
    for index, answers in enumerate(("33", "44", "04")):
        on = pair(study, external_id=f"i{index}", statement=TextFactory(content="Both say the same."))
        for person, answer in zip(people, answers, strict=True):
            submit(on, person, answers={"agree": answer})
    return study


@pytest.fixture
def mia() -> User:
    return UserFactory(username="mia")


def gold(of: Project, number: int) -> dict[str, str]:
    rows = Annotation.objects.filter(source=Source.GOLD, pair__project=of, gold_version=number)
    return {row.pair.external_id: row.answers.get("agree", "") for row in rows}


def draft_of(study: Project, by: User) -> tuple[GoldVersion, Pair]:
    draft = draft_open(project=study, rule="majority", phase="main", by=by)
    return draft, Pair.objects.get(project=study, external_id="i2")


def decide(draft: GoldVersion, on: Pair, by: User, answer: str) -> None:
    status = pair_status(draft, on)
    assert status is not None
    revision = status.annotation.revision if status.annotation else 0
    kept = draft_save(
        draft=draft,
        pair=on,
        by=by,
        base=revision,
        sent=AnnotationInput(spans=spans_document([]), answers={"agree": answer}),
    )
    draft_decide(draft=draft, pair=on, by=by, base=kept.revision, seen=status.fingerprint)


def test_a_rule_makes_gold_and_is_unsure_of_ties(study: Project) -> None:
    outcome = gold_create(project=study, rule="majority", phase="main")
    assert gold(study, 1) == {"i0": "3", "i1": "4", "i2": "4"}
    assert outcome.excluded == {}
    assert outcome.to_json()["answers"] == {"agree": {"0": 0, "1": 0, "2": 0, "3": 1, "4": 2}}
    assert outcome.to_json()["unsure"] == 1
    gold_create(project=study, rule="majority", phase="main", settings={"ties": "lower"})
    assert gold(study, 2) == {"i0": "3", "i1": "4", "i2": "0"}
    tied = Annotation.objects.get(pair__external_id="i2", source=Source.GOLD, gold_version=2)
    assert tied.provenance["answer:agree"]["unsure"] == make_reason(Code.ANSWERS_TIED).to_json()
    first = Annotation.objects.get(pair__external_id="i0", source=Source.GOLD, gold_version=1)
    votes = Annotation.objects.filter(pair__external_id="i0", source=Source.HUMAN).values_list("pk", flat=True)
    assert first.provenance == {"answer:agree": {"annotations": list(votes), "rule": "majority"}}


def test_what_the_rule_left_is_decided_by_hand_and_stands_in_every_gold(study: Project, mia: User) -> None:
    draft, on = draft_of(study, mia)
    assert next_pair_to_decide(draft) == on, "only the tie needs a person"
    status = pair_status(draft, on)
    assert status is not None and (status.undecided_count, status.answers) == (1, {})
    with pytest.raises(Invalid, match="has no answer yet"):
        draft_decide(draft=draft, pair=on, by=mia, base=0, seen=status.fingerprint)
    decide(draft, on, mia, "4")
    assert next_pair_to_decide(draft) is None
    draft_close(draft=draft, by=mia)
    assert gold(study, 1) == {"i0": "3", "i1": "4", "i2": "4"}
    voted = Annotation.objects.get(pair=on, assignment__annotator__alias="A2").pk
    kept = Annotation.objects.get(pair=on, source=Source.GOLD, gold_version=1).provenance["answer:agree"]
    assert kept == {"annotations": [voted], "rule": "hand", "by": "mia"}
    gold_create(project=study, rule="median", phase="main")
    assert gold(study, 2) == gold(study, 1)


def test_a_decision_is_taken_back_and_changed(study: Project, mia: User) -> None:
    draft, on = draft_of(study, mia)
    decide(draft, on, mia, "4")
    again = draft_reopen(draft=draft, pair=on, by=mia)
    assert again is not None and again.answers == {"agree": "4"} and again.decided is None
    decide(draft, on, mia, "2")
    assert Annotation.objects.get(decided__isnull=False).answers == {"agree": "2"}
    draft_close(draft=draft, by=mia)
    draft = draft_open(project=study, rule="majority", phase="main", by=mia)
    reopened = draft_reopen(draft=draft, pair=on, by=mia)
    assert reopened is not None and reopened.answers == {"agree": "2"}, "the next draft goes on from the decision"


def test_what_the_rule_decided_is_confirmed_unsaved(study: Project, mia: User) -> None:
    draft, _ = draft_of(study, mia)
    on = Pair.objects.get(external_id="i0")
    status = pair_status(draft, on)
    assert status is not None and status.answers == {"agree": "3"}
    draft_decide(draft=draft, pair=on, by=mia, base=0, seen=status.fingerprint)
    assert Annotation.objects.get(decided__isnull=False).answers == {"agree": "3"}


def test_pages_show_answers(study: Project, mia: User) -> None:
    client = member(study, "lead")

    def page(name: str, *more: int, **query: str) -> str:
        return client.get(reverse(name, args=[study.slug, *more]), query).content.decode()

    body = {"rule": "majority", "phase": "main"}
    tried = client.post(reverse("adjudication-try", args=[study.slug]), body).content.decode()
    assert "3 pairs, 0 excluded" in tried and "The rule was unsure in 1 pair" in tried
    assert "<caption>How far do you agree with the statement?" in tried
    assert "strongly disagree" in tried and "no answer" not in tried
    assert "Ties" in page("adjudication")
    assert "Other answers" in tried and "Union" not in tried and "Median label" in tried
    gold_create(project=study, rule="majority", phase="main")
    draft, on = draft_of(study, mia)
    assert '"answers": {}' in page("manual-adjudication-pair", on.pk) and "strongly disagree" in page(
        "manual-adjudication-pair", on.pk
    )
    decide(draft, on, mia, "1")
    compared = page("gold-compare")
    assert "2 (open draft)" in compared and "another answer" in compared
    draft_close(draft=draft, by=mia)
    assert "<caption>How far do you agree with the statement?" in page("gold-version", 2)
    assert "newly marked" not in page("gold-history", on.pk) and "by mia" in page("gold-history", on.pk)
    assert "another answer" in page("gold-compare", one="1", other="2")
    other = draft_open(project=study, rule="majority", phase="main", by=mia)
    draft_reopen(draft=other, pair=on, by=mia)
    decide(other, on, mia, "0")
    assert "another answer" in page("gold-compare"), "the draft against the version before"
    rules = page("adjudication-rules", on.pk)
    assert "strongly agree" in rules and "not everyone gave the same answer" in rules
    assert "<h2>Labels by annotator" not in page("adjudication")
    assert page("gold-version", 2).count("<td") > 4


@pytest.mark.parametrize("form", ["jsonl", "csv", "hub"])
def test_answers_go_out_and_come_in_again(study: Project, mia: User, form: str, tmp_path: Path) -> None:
    draft, on = draft_of(study, mia)
    decide(draft, on, mia, "1")
    draft_close(draft=draft, by=mia)
    out = tmp_path / ("out" if form == "hub" else f"out.{form}")
    export(project=study, to=form, out=out)
    import_files(slug="again", paths=[out], format=form, scheme=None if form == "hub" else study.scheme)
    assert gold(Project.objects.get(slug="again"), 0) == {"i0": "3", "i1": "4", "i2": "1"}


@pytest.fixture
def mixed() -> Project:
    """A pair with words that both mark alike, a question they agree on and one that they don't."""
    scheme = parse_scheme(
        {
            "name": "mixed",
            "labels": [{"key": "new", "name": "New"}],
            "links": False,
            "questions": [
                {"key": "same", "text": "Same topic?", "type": "yes-no"},
                {
                    "key": "kind",
                    "text": "Which kind?",
                    "choices": [{"key": "x", "name": "Kind X"}, {"key": "y", "name": "Kind Y"}],
                },
            ],
        }
    )
    study, people = project(scheme.to_json(), "A1", "A2")
    on = pair(study, external_id="m0")
    for person, kind in zip(people, "xy", strict=True):
        submit(on, person, [("new", [], [0])], answers={"same": "yes", "kind": kind})
    return study


def test_an_undecided_question_is_decided_like_a_region_and_drops_nothing_else(mixed: Project, mia: User) -> None:
    gold_create(project=mixed, rule="agreed", phase="main")
    [row] = Annotation.objects.filter(source=Source.GOLD)
    assert (row.span_count, row.answers) == (1, {"same": "yes"}), "the rest of the pair stays in the gold"
    draft, on = draft_open(project=mixed, rule="majority", phase="main", by=mia), Pair.objects.get()
    status = pair_status(draft, on)
    assert status is not None and status.needs_decision
    assert (status.disputed, status.undecided_count, status.answers) == (1, 1, {"same": "yes"})
    assert len(status.spans) == 1, "what the rule is sure of is accepted"
    shown = member(mixed, "lead").get(reverse("api-manual-adjudication", args=[mixed.slug, on.pk])).json()
    same, kind = shown["adjudication"]["questions"]
    assert (same["state"], same["why"], same["proposed"]) == ("agreed", "", "yes")
    assert [(each["answer"], sorted(each["people"])) for each in same["versions"]] == [("yes", ["A1", "A2"])]
    assert (kind["state"], kind["why"], kind["proposed"]) == ("disputed", "two answers are tied", "y")
    assert {each["answer"]: each["people"] for each in kind["versions"]} == {"x": ["A1"], "y": ["A2"]}
    with pytest.raises(Invalid, match="“Which kind\\?” has no answer yet"):
        draft_decide(draft=draft, pair=on, by=mia, base=0, seen=status.fingerprint)
    work = AnnotationInput(spans=spans_document(status.spans), answers={"same": "yes", "kind": "x"})
    kept = draft_save(draft=draft, pair=on, by=mia, base=0, sent=work)
    draft_decide(draft=draft, pair=on, by=mia, base=kept.revision, seen=status.fingerprint)
    draft_close(draft=draft, by=mia)
    row = Annotation.objects.get(source=Source.GOLD, gold_version=2)
    assert (row.span_count, row.answers) == (1, {"same": "yes", "kind": "x"})


def test_pages_name_the_question_and_what_has_no_answer(mixed: Project) -> None:
    client = member(mixed, "lead")
    gold_create(project=mixed, rule="agreed", phase="main")
    version = " ".join(client.get(reverse("gold-version", args=[mixed.slug, 1])).content.decode().split())
    assert "<caption>Which kind?</caption>" in version and "Kind X" in version
    assert '<th scope="row">no answer</th> <td class="end">1</td>' in version
    history = client.get(reverse("gold-history", args=[mixed.slug, Pair.objects.get().pk])).content.decode()
    assert "Which kind?" in history and "no answer" in history and "rule “Unanimous”" in history
    draft_open(project=mixed, rule="agreed", phase="main", by=None)
    assert "needs a decision" in client.get(reverse("manual-adjudication", args=[mixed.slug])).content.decode()


def test_the_queue_counts_questions_with_regions_and_says_so(mixed: Project, study: Project) -> None:
    heading = re.compile(r'<th scope="col" class="end">\s*([^<]+?)\s*</th>')
    for of, first, counts in ((mixed, "Regions and questions", (3, 1, 1)), (study, "Questions", (1, 0, 0))):
        draft_open(project=of, rule="majority", phase="main", by=None)
        page = member(of, "lead").get(reverse("manual-adjudication", args=[of.slug]))
        assert heading.findall(page.content.decode()) == ["Annotators", first, "Disputed", "Undecided"]
        (row, *_reasons), *_rows = page.context["rows"]
        assert (row.total, row.disputed, row.undecided_count) == counts


def test_the_queue_counts_a_question_with_several_answers_once() -> None:
    options = [{"key": key, "name": key} for key in ("names", "dates")]
    kinds = {"key": "kind", "text": "Which?", "type": "several", "options": options}
    scheme = parse_scheme({"name": "kinds", "links": False, "questions": [kinds]})
    study, people = project(scheme.to_json(), "A1", "A2")
    on = pair(study)
    for person, answer in zip(people, ("yes", "no"), strict=True):
        submit(on, person, [], answers={"kind.names": answer, "kind.dates": answer})
    status = pair_status(draft_open(project=study, rule="agreed", phase="main", by=None), on)
    assert status is not None and (status.total, status.disputed, status.undecided_count) == (1, 1, 1)


def test_the_person_sees_how_the_gold_differs(study: Project) -> None:
    person = study.annotators.get(alias="A1")
    person.user = UserFactory()
    person.save()
    gold_create(project=study, rule="pick", phase="main", settings={"annotator": "A2"})
    study.settings = {"gold_shown": True, "closed_phases": ["main"]}
    study.save()
    client = logged_in(person.user)
    listed = client.get(reverse("adjudicated", args=[study.slug])).context
    assert [count for _, count in listed["rows"]] == [0, 0, 1]
    differing = listed["rows"][2][0]
    assert "another answer" in client.get(reverse("adjudicated-pair", args=[study.slug, differing.pk])).content.decode()
    with CaptureQueriesContext(connection) as three:
        client.get(reverse("adjudicated", args=[study.slug]))
    for assignment in Assignment.objects.filter(annotator=person)[:2]:
        assignment.delete()
    with CaptureQueriesContext(connection) as one:
        assert len(client.get(reverse("adjudicated", args=[study.slug])).context["rows"]) == 1
    assert len(one) == len(three)
