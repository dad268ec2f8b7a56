"""A project in which every address has something to show, and people in every relation to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.tokens import default_token_generator
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from agreement.gold.services.drafts import draft_open
from agreement.gold.services.versions import gold_create
from agreement.models import GoldJob
from agreement.publication.card import Terms
from agreement.publication.services.publications import publication_request
from annotation.invitees import Invitee
from annotation.models import Annotator, Assignment, JobStatus, Pair, Phase, Project, Role, Status
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.services.glossary import glossary_entry_save
from annotation.services.guidelines import guideline_write
from annotation.services.import_jobs import import_request
from annotation.services.invitations import NewInvitation, invitations_create
from annotation.services.people import person_end_access
from annotation.services.qualification import person_advance, rule_save
from annotation.services.threads import thread_open
from annotation.services.webhooks import webhook_create, webhook_test
from assist.encoder_comparisons.jobs import comparison_request
from assist.methods.encoder.pretrained import PACKAGED
from assist.mining_requests.jobs import mining_request
from assist.runs import services
from config.script_texts import catalogue
from tests.annotation.work import LIBRARY, client_of, doc, house, span
from tests.api.item_jobs import requested as generation_requested
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory

ROLES = (
    *("anonymous", "outsider", "elsewhere", "ended"),
    *("annotator", "colleague", "adjudicator", "lead", "superuser"),
)
"""Who asks, in the order of the table's columns."""

QUERIES = {
    "agreement-trends": "?person={person}&figure=marked",
    "agreement-outcomes": "?outcome=spans",
    "analyses-pairs": "?kind=verdicts&of=submitted",
}


@dataclass
class Filled:
    """A project and the rows that addresses name."""

    project: Project
    assignment: Assignment
    submitted: Assignment
    qualified: Assignment
    person: Annotator
    pair: Pair
    entry: int
    waiting: int
    invited: NewInvitation
    mining: int
    comparison: int
    items: int
    publication: int
    gold: int
    gold_job: int
    thread: int
    hook: int
    delivery: int
    clients: dict[str, Client]

    def arguments(self, name: str, converters: dict[str, Any]) -> dict[str, Any]:
        """The arguments of an address by the names in its pattern."""
        given = {
            "slug": self.project.slug,
            "number": self.gold if name in ("gold-version", "api-gold-pairs") else self.publication,
            "run": "fake-v1",
            "name": "pairs.xlsx",
            "action": "pause",
            "delivery": self.delivery,
            "ending": "json",
            "term_language": "en",
            "translation_language": "de",
            "pk": self._key(name),
            "rest": "next/",
        }
        if name == "javascript-catalog":
            given |= {"language": "de", "version": catalogue("de")[1]}
        if name == "password-reset-new":
            user = self.person.user
            assert user is not None
            made = default_token_generator.make_token(user)
            given |= {"uidb64": urlsafe_base64_encode(force_bytes(user.pk)), "token": made}
        if name == "join-link":
            given["token"] = self.invited.token
        return {key: given[key] for key in converters}

    def address(self, name: str, arguments: Any) -> str:
        return reverse(name, kwargs=self.arguments(name, arguments)) + self.query(name)

    def query(self, name: str) -> str:
        """The part of an address behind '?', for those that show nothing without."""
        return QUERIES.get(name, "").format(person=self.person.alias)

    def _key(self, name: str) -> int:
        if name == "adjudicated-pair":
            return self.submitted.pk
        if name == "qualification-pair":
            return self.qualified.pk
        if name == "work" or name in ("api-assignment", "api-annotation", "api-submit", "api-reopen"):
            return self.assignment.pk
        if name.startswith(("import", "api-import")):
            return self.waiting
        if name.startswith(("mining", "api-mining")):
            return self.mining
        if name.startswith(("encoders", "api-encoders")):
            return self.comparison
        if name.startswith(("items", "api-items")):
            return self.items
        if name in ("monitor-review", "api-monitor-review"):
            return self.submitted.annotation.pk
        if "invitation" in name:
            return self.invited.invitation.pk
        if name in ("gold-job", "api-gold-job"):
            return self.gold_job
        if name.startswith(("thread", "api-thread")):
            return self.thread
        if "webhook" in name:
            return self.hook
        if "glossary" in name:
            return self.entry
        if name.startswith("account-"):
            assert self.person.user_id is not None
            return self.person.user_id
        own = name.startswith(("person", "api-person", "qualification", "api-qualification")) or name == "api-consent"
        return self.person.pk if own else self.pair.pk


def filled(slug: str = "library") -> Filled:
    """A project with work of every kind; `fake` has to be registered as a method."""
    home = house(slug=slug)
    project, owner = home.project, home.assignment.annotator
    home.assignment.phase = Phase.TRIAL
    home.assignment.save()
    guideline_write(project=project, text="Mark *differences*.", base=0)
    lead = Annotator.objects.get(project=project, role=Role.LEAD).user
    colleague = Annotator.objects.filter(project=project, role=Role.ANNOTATOR).exclude(pk=owner.pk).get()
    pair = PairFactory(project=project)
    submitted = [AssignmentFactory(pair=pair, annotator=person) for person in (owner, colleague)]
    for work, label in zip(submitted, ("3", "5"), strict=True):
        annotation_save(assignment=work, by=None, base=0, sent=AnnotationInput(spans=doc(span(LIBRARY, label=label))))
        annotation_submit(assignment=work, by=None, base=1, verdict="submitted")
    project.settings = {"gold_shown": True, "closed_phases": [Phase.MAIN.value]}
    project.save()
    gold = gold_create(project=project, rule="agreed", phase="main", by=lead)
    draft_open(project=project, rule="agreed", phase="main", by=lead)
    failed = GoldJob.objects.create(
        project=project, action=GoldJob.CREATE, rule="union", status=JobStatus.FAILED, requested=timezone.now()
    )
    rule_save(project=project, rule={"least_pairs": 1}, base="")
    qualified = AssignmentFactory(pair=pair, annotator=owner, phase=Phase.QUALIFICATION)
    annotation_submit(assignment=qualified, by=None, base=0, verdict="submitted")
    for person in (owner, colleague):
        person_advance(annotator=person, by=lead)
    services.run_request(project=project, method="fake")
    entry = glossary_entry_save(
        project=project, term_language="en", translation_language="de", term="library", translations=["Bibliothek"]
    )
    publication = publication_request(project=project, to="jsonl", terms=Terms(), by=lead)
    file = SimpleUploadedFile("pairs.jsonl", b"{}\n")
    assert lead is not None
    waiting = import_request(project=project, files=[file], format="jsonl", options={}, dry_run=True, by=lead)
    articles = [SimpleUploadedFile(f"town.{language}.txt", b"One.\nTwo.") for language in ("en", "de")]
    mining = mining_request(project=project, files=articles, settings={}, by=lead)
    comparison = comparison_request(project=project, encoders=[PACKAGED], files={}, settings={}, by=lead)
    items = generation_requested(project, lead)
    (invited,) = invitations_create(project=project, people=[Invitee("Dora", "")], by=lead)
    thread = thread_open(assignment=home.assignment, by=owner.user, text="One or two?", words=[LIBRARY])
    hook = webhook_create(project=project, url="https://example.org/hook", events=["gold.made"], by=lead).webhook
    delivery = webhook_test(hook=hook)
    former = AnnotatorFactory(project=project)
    gone = former.user
    person_end_access(annotator=former)
    clients = {
        "anonymous": Client(),
        "outsider": home.stranger,
        "elsewhere": client_of(AnnotatorFactory(project=ProjectFactory(), role=Role.LEAD).user),
        "ended": client_of(gone),
        "annotator": home.annotator,
        "colleague": home.other,
        "adjudicator": home.adjudicator,
        "lead": home.lead,
        "superuser": home.superuser,
    }
    assert tuple(clients) == ROLES and home.assignment.status == Status.OPEN and gold.version is not None
    number = publication.number
    return Filled(
        project,
        home.assignment,
        submitted[0],
        qualified,
        owner,
        pair,
        entry.pk,
        waiting.pk,
        invited,
        mining.pk,
        comparison.pk,
        items,
        number,
        gold.version.number,
        failed.pk,
        thread.pk,
        hook.pk,
        delivery.pk,
        clients,
    )
