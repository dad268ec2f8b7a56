"""A project in which names are hidden and occur wherever a name can occur."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.test import Client
from django.utils import timezone

from agreement.gold.services.drafts import draft_open, draft_save
from agreement.gold.services.exclusions import pair_exclude
from agreement.gold.services.versions import gold_create
from agreement.models import GoldJob, GoldVersion, Publication
from annotation.models import Annotation, Annotator, Assignment, JobStatus, Pair, Project, Role, Source, Status, User
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.threads import thread_answer, thread_open
from annotation.text.schemes import PRESETS
from annotation.text.spans import spans_document
from tests.agreement.work import decide_manually, spans_of
from tests.annotation.work import client_of
from tests.factories import AnnotatorFactory, PairFactory, ProjectFactory, UserFactory

ALIASES = ("Quillfeather", "Zobrist", "Okonkwo")
LOGINS = ("quill.login", "zob.login", "oko.login")
FIRST_NAMES = ("Ottoline", "Brunhilde", "Chidiebere")
NAMES = (*ALIASES, *LOGINS, *FIRST_NAMES, "example.net", "magda")
FIRST_ID = {Annotator: 8_100_001, Assignment: 8_200_001, Annotation: 8_300_001}
"""Ids so high that they occur in no answer by chance."""


@dataclass
class Site:
    project: Project
    people: list[Annotator]
    pairs: list[Pair]
    adjudicator: Client
    lead: Client
    ids: list[int] = field(default_factory=list)


def site(rule: str = "agreed") -> Site:
    """A project in which names are hidden and occur wherever a name can occur; it has gold and an open draft."""
    project = ProjectFactory(slug="blind", scheme=PRESETS["graded"].to_json())
    people: list[Annotator] = []
    for n, (alias, login, first) in enumerate(zip(ALIASES, LOGINS, FIRST_NAMES, strict=True)):
        user = UserFactory(username=login, first_name=first, email=f"{login}@example.net", id=8_000_001 + n)
        people.append(AnnotatorFactory(project=project, user=user, alias=alias, id=FIRST_ID[Annotator] + n))
    pairs: list[Pair] = [
        PairFactory(project=project, id=5000 + n, external_id=f"text-{n}", position=n) for n in range(4)
    ]
    made = Site(project, people, pairs, _member(project, Role.ADJUDICATOR), _member(project, Role.LEAD))
    for pair in pairs:
        for n, person in enumerate(people):
            _submit(made, pair, person, [(str(n + 1), [0, 1], [0]), ("1", [3], [])])
    _submit(made, pairs[0], people[0], [("2", [0, 1], [0])], round=1)
    _say(made, 1, people[0], "flagged", "Zobrist told me that it is broken")
    _say(made, 1, people[1], "rejected", "as quill.login said")
    _say(made, 2, people[2], "skipped", "Reassigned to Quillfeather")
    asked = Assignment.objects.get(pk=made.ids[0])
    thread_answer(
        thread=thread_open(assignment=asked, by=people[0].user, text="Quillfeather asks"),
        by=UserFactory(is_superuser=True),
        text="Zobrist knows",
    )
    magda = AnnotatorFactory(project=project, user=UserFactory(username="magda"), alias="magda", role=Role.ADJUDICATOR)
    decide_manually(pairs[3], magda.user, [("2", [0, 1], [0])], comment="Zobrist is right")
    pair_exclude(pair=pairs[1], reason="Okonkwo and Zobrist rejected it", by=magda.user)
    for settings in ({"annotator": ALIASES[0]}, {"annotator": ALIASES[1]}):
        gold_create(project=project, rule="pick", phase="main", settings=settings, by=magda.user)
    gold_create(project=project, rule="dawid-skene", phase="main", by=magda.user)
    Annotation.objects.filter(source=Source.GOLD).update(feedback="after Ottoline's remark")
    parameters = {"annotator": ALIASES[0]} if rule == "pick" else {}
    assert magda.user
    draft = draft_open(project=project, rule=rule, phase="main", settings=parameters, by=magda.user)
    _begin(draft, pairs[2], magda.user)
    said = f"the setting 'annotator' is {ALIASES[1]}"
    for action in (GoldJob.CREATE, GoldJob.OPEN):
        GoldJob.objects.create(
            project=project,
            action=action,
            rule="pick",
            parameters=parameters,
            status=JobStatus.FAILED,
            problem=said,
            requested=timezone.now(),
            made_by=magda.user,
        )
    Publication.objects.create(project=project, number=1, format="jsonl", made_by=magda.user)
    project.settings = {"adjudication_blind": True, "gold_shown": True, "closed_phases": ["trial"]}
    project.save()
    return made


def _member(project: Project, role: str) -> Client:
    user = AnnotatorFactory(project=project, role=role, alias=f"own-{role}").user
    assert user is not None
    return client_of(user)


def _submit(made: Site, pair: Pair, person: Annotator, marks: Any, round: int = 0) -> None:
    number = len(made.ids)
    assignment = Assignment.objects.create(
        id=FIRST_ID[Assignment] + number, pair=pair, annotator=person, order=number, status=Status.DONE, round=round
    )
    spans = spans_document(spans_of(pair, marks))
    for span in spans["spans"]:
        span |= {"id": f"{person.alias}-{span['id']}", "comment": f"{person.alias} is unsure"}
    Annotation.objects.create(
        id=FIRST_ID[Annotation] + number,
        source=Source.HUMAN,
        pair=pair,
        assignment=assignment,
        spans=spans,
        verdict="submitted",
        revision=1,
        label_counts={"1": 1},
    )
    made.ids.append(assignment.pk)


def _begin(draft: GoldVersion, pair: Pair, by: User) -> None:
    """A pair of the draft that was saved and not decided, with names in its comments."""
    spans = spans_document(spans_of(pair, [("2", [0, 1], [0])]))
    spans["spans"][0]["comment"] = "as Zobrist says"
    work = AnnotationInput(spans=spans, comment="Okonkwo and quill.login differ")
    draft_save(draft=draft, pair=pair, by=by, base=0, sent=work)


def _say(made: Site, at: int, person: Annotator, verdict: str, reason: str) -> None:
    Annotation.objects.filter(pair=made.pairs[at], assignment__annotator=person, assignment__round=0).update(
        verdict=verdict, reason=reason, comment=f"{reason}!"
    )


def site_draft(at: Site) -> GoldVersion:
    return GoldVersion.objects.get(project=at.project, open=True)
