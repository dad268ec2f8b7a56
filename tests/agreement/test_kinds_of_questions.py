"""Questions with several answers and free-text questions, from the workspace to agreement, gold, exports and back."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotation.models import Annotation, Project, Source
from annotation.text.scheme_parsing import parse_scheme
from tests.agreement.work import pair, project, submit
from tests.annotation.work import client_of
from tests.factories import AnnotatorFactory, AssignmentFactory

pytestmark = pytest.mark.django_db
QUESTIONS: list[dict[str, Any]] = [
    {
        "key": "what",
        "text": "What differs?",
        "type": "several",
        "options": [{"key": "dates", "name": "Dates"}, {"key": "names", "name": "Names"}],
    },
    {"key": "why", "text": "Why?", "type": "text"},
]


@pytest.fixture
def study() -> Project:
    scheme = parse_scheme({"name": "kinds", "links": False, "questions": QUESTIONS})
    return project(scheme.to_json(), "A1", "A2", "A3")[0]


def answers(dates: str, names: str, why: str = "") -> dict[str, str]:
    given = {"what.dates": dates, "what.names": names}
    return given | {"why": why} if why else given


def test_own_words_may_be_left_out_and_every_other_answer_may_not(study: Project) -> None:
    owner = AnnotatorFactory(project=study)
    assignment = AssignmentFactory(pair=pair(study), annotator=owner)
    client = client_of(owner.user)

    def saved(revision: int, given: dict[str, str]) -> Any:
        body = {"revision": revision, "spans": {"v": 1, "spans": []}, "answers": given, "comment": "", "read": {}}
        put = reverse("api-annotation", args=[assignment.pk])
        return client.put(put, body, content_type="application/json")

    def save(revision: int, given: dict[str, str]) -> int:
        return saved(revision, given).status_code  # type: ignore[no-any-return]

    def submitted(revision: int) -> int:
        body = {"revision": revision, "verdict": "submitted"}
        to = reverse("api-submit", args=[assignment.pk])
        return client.post(to, body, content_type="application/json").status_code

    assert save(0, {"what.dates": "maybe"}) == 422
    refused = saved(0, {"why": "x" * 10_001})
    assert refused.status_code == 422
    assert refused.json()["error"]["message"] == "An answer can have at most 10000 characters."
    assert save(0, {"what.dates": "yes"}) == 200
    assert submitted(1) == 422
    assert save(1, answers("yes", "no")) == 200
    assert submitted(2) == 200


def test_agreement_and_gold_are_about_each_answer_and_leave_own_words_out(study: Project, tmp_path: Path) -> None:
    people = list(study.annotators.order_by("pk"))
    for given in (
        (answers("yes", "no", "As A1 said."), answers("yes", "yes"), answers("no", "no")),
        (answers("no", "no"), answers("no", "no"), answers("no", "no")),
    ):
        on = pair(study)
        for person, own in zip(people, given, strict=True):
            submit(on, person, answers=own)
    out = StringIO()
    call_command("agreement", "--project", study.slug, "--format", "json", stdout=out)
    ratings = json.loads(out.getvalue())["ratings"]
    assert ratings.keys() == {"what.dates", "what.names"}
    assert ratings["what.dates"]["answers"] == {"no": 4, "yes": 2}
    # Coincidences by hand, units of three: (yes yes no), (no no no). o(yes,no) = 2 of 6 values; expected 2*4*2/5 = 3.2
    # for both orders of 2 yes and 4 no among 6.
    assert ratings["what.dates"]["alpha"]["nominal"] == pytest.approx(1 - 2 / 3.2)
    out = StringIO()
    call_command("adjudicate", "--project", study.slug, "--rule", "majority", stdout=out)
    lines = out.getvalue().splitlines()
    assert {"What differs? – Dates: Yes 1, No 1", "What differs? – Names: Yes 0, No 2"} <= set(lines)
    gold = Annotation.objects.filter(source=Source.GOLD).order_by("pair__pk")
    assert [each.answers for each in gold] == [answers("yes", "no"), answers("no", "no")]
    for target in ("jsonl", "hub"):
        path = tmp_path / ("kinds.jsonl" if target == "jsonl" else "hub")
        call_command("export", str(path), "--project", study.slug, "--to", target, stdout=StringIO())
    call_command("import_pairs", str(tmp_path / "kinds.jsonl"), "--project", "again", stdout=StringIO())
    study.refresh_from_db()
    again = Project.objects.get(slug="again")
    assert again.scheme == study.scheme
    works = Annotation.objects.filter(pair__project=again, source=Source.HUMAN)
    assert {"why": "As A1 said."}.items() <= works.get(answers__why="As A1 said.").answers.items()


def test_leads_read_answers_in_the_words_of_the_scheme(study: Project) -> None:
    on = pair(study)
    person = study.annotators.first()
    assert person is not None
    submit(on, person, answers=answers("yes", "no", "The dates."))
    lead = AnnotatorFactory(project=study, role="lead")
    html = client_of(lead.user).get(reverse("pair", args=[study.slug, on.pk])).content.decode()
    for words in ("What differs? – Dates: <b>Yes</b>", "What differs? – Names: <b>No</b>", "Why?: <b>The dates.</b>"):
        assert words in " ".join(html.split())
