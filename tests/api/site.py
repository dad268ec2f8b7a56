"""A project with something for every endpoint of the API to read and to change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from agreement.gold.services.drafts import draft_open
from agreement.models import Publication
from annotation.invitees import Invitee
from annotation.models import JobStatus
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.services.glossary import glossary_entry_save
from annotation.services.guidelines import guideline_write
from annotation.services.import_jobs import import_request
from annotation.services.invitations import invitations_create
from annotation.services.threads import thread_answer, thread_open
from annotation.text.schemes import PRESETS
from assist.runs import services
from tests.annotation.work import LIBRARY, NOTHING, House, doc, house, span
from tests.api import adjudicating, encoders, item_jobs, mining, qualification, webhooks
from tests.api.document import operations
from tests.api.glossary import ENTRY
from tests.api.publishing import addresses
from tests.assist.conftest import fakes, notified  # noqa: F401
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory

SAVE = {"revision": 0, "spans": doc()}
CSV = "id,language_a,text_a,language_b,text_b\np1,en,Open on Sundays.,de,Sonntags offen.\n"
GRADED = PRESETS["graded"].to_json()
SUBMIT = {"revision": 0, "verdict": "submitted"}


@dataclass
class Site:
    """A house with a pair that two people submitted differently, its gold in an open draft, a run and a glossary."""

    home: House
    adjudicated: int
    entry: int
    previewed: int
    person: int
    invitation: int
    said: int
    thread: int
    hooked: tuple[int, int]
    job: int
    search: int
    comparison: int
    items: int
    publication: int = 1

    def address(self, operation: str) -> str:
        slug, assignment = self.home.project.slug, self.home.assignment.pk
        return {
            "assignment": reverse("api-assignment", args=(assignment,)),
            "annotation_save": reverse("api-annotation", args=(assignment,)),
            "assignment_submit": reverse("api-submit", args=(assignment,)),
            "assignment_reopen": reverse("api-reopen", args=(assignment,)),
            "checklist": reverse("api-checklist", args=(slug,)),
            "changes": reverse("api-project-changes", args=(slug,)),
            "deletion": reverse("api-project-delete", args=(slug,)),
            "project_delete": reverse("api-project-delete", args=(slug,)),
            "project_archived": reverse("api-project-archived", args=(slug,)),
            "project_duplicate": reverse("api-project-duplicate", args=(slug,)),
            "assignment_next": reverse("api-next", args=(slug,)),
            "preferences": reverse("api-preferences"),
            "glossary": reverse("api-glossary", args=(slug,)),
            "glossary_add": reverse("api-glossary", args=(slug,)),
            "glossary_change": reverse("api-glossary-entry", args=(slug, self.entry)),
            "glossary_delete": reverse("api-glossary-entry", args=(slug, self.entry)),
            "glossary_upload": reverse("api-glossary-upload", args=(slug,)),
            "glossary_restore": reverse("api-glossary-restore", args=(slug,)),
            "settings": reverse("api-project-settings", args=(slug,)),
            "settings_change": reverse("api-project-settings", args=(slug,)),
            "person_password_link": reverse("api-person-password-link", args=(slug, self.person)),
            "example_add": reverse("api-pair-example", args=(slug, self.adjudicated)),
            "automatic": reverse("api-automatic", args=(slug,)),
            "automatic_set": reverse("api-automatic", args=(slug,)),
            "run_quality": reverse("api-run-quality", args=(slug, "fake-v1")),
            "projects": reverse("api-projects"),
            "project_create": reverse("api-projects"),
            "project": reverse("api-project", args=(slug,)),
            "pairs": reverse("api-pairs", args=(slug,)),
            "pair": reverse("api-pair", args=(slug, self.adjudicated)),
            "plan_now": reverse("api-plan", args=(slug,)),
            "plan": reverse("api-plan", args=(slug,)),
            "plan_change": reverse("api-plan-change", args=(slug,)),
            "people": reverse("api-people", args=(slug,)),
            "person_add": reverse("api-people", args=(slug,)),
            "person_share": reverse("api-person-share", args=(slug, self.person)),
            "retests": reverse("api-plan-again", args=(slug,)),
            "imports": reverse("api-imports", args=(slug,)),
            "invitation_renew": reverse("api-invitation-renew", args=(slug, self.invitation)),
            "person_change": reverse("api-person", args=(slug, self.person)),
            "person_access": reverse("api-person-access", args=(slug, self.person)),
            "person_replace": reverse("api-person-replace", args=(slug, self.person)),
            "person_rate": reverse("api-person-rate", args=(slug, self.person)),
            "time": reverse("api-time", args=(slug,)),
            "person_time_correct": reverse("api-person-time", args=(slug, self.person)),
            "monitor": reverse("api-monitor", args=(slug,)),
            "monitor_review": reverse("api-monitor-review", args=(slug, self.said)),
            "threads": reverse("api-threads", args=(slug,)),
            "thread_open": reverse("api-threads", args=(slug,)),
            "thread": reverse("api-thread", args=(slug, self.thread)),
            "thread_answer": reverse("api-thread", args=(slug, self.thread)),
            "thread_resolve": reverse("api-thread-resolved", args=(slug, self.thread)),
            "thread_read": reverse("api-thread-read", args=(slug, self.thread)),
            "invitations": reverse("api-invitations", args=(slug,)),
            "invitations_create": reverse("api-invitations", args=(slug,)),
            "invitation_revoke": reverse("api-invitation", args=(slug, self.invitation)),
            "scheme": reverse("api-scheme", args=(slug,)),
            "scheme_change": reverse("api-scheme", args=(slug,)),
            "guidelines": reverse("api-guidelines", args=(slug,)),
            "guidelines_write": reverse("api-guidelines", args=(slug,)),
            "guidelines_reopen": reverse("api-guidelines-reopen", args=(slug,)),
            "import_request": reverse("api-imports", args=(slug,)),
            "import": reverse("api-import", args=(slug, self.previewed)),
            "import_start": reverse("api-import-start", args=(slug, self.previewed)),
            "import_cancel": reverse("api-import-cancel", args=(slug, self.previewed)),
            "manual_adjudication_pair": reverse("api-manual-adjudication", args=(slug, self.adjudicated)),
            "manual_adjudication_save": reverse("api-manual-adjudication-annotation", args=(slug, self.adjudicated)),
            "manual_adjudication_submit": reverse("api-manual-adjudication-submit", args=(slug, self.adjudicated)),
            "manual_adjudication_reopen": reverse("api-manual-adjudication-reopen", args=(slug, self.adjudicated)),
            **addresses(slug, self.publication, self.home.assignment.annotator_id),
            **qualification.addresses(slug, self.person),
            **webhooks.addresses(slug, self.hooked),
            **adjudicating.addresses(slug, self.job, self.adjudicated),
            **mining.addresses(slug, self.search),
            **encoders.addresses(slug, self.comparison),
            **item_jobs.addresses(slug, self.items),
            "runs": reverse("api-runs", args=(slug,)),
            "run_request": reverse("api-runs", args=(slug,)),
            "run": reverse("api-run", args=(slug, "fake-v1")),
            "run_act": reverse("api-run-act", args=(slug, "fake-v1", "pause")),
        }[operation]

    def ask(self, operation: str, who: str = "lead", body: Any = None, **more: Any) -> Any:
        """The answer of an operation; `address` asks for something else in its form."""
        client: Client = getattr(self.home, who)
        if operation == "thread_open" and isinstance(body, dict):
            body = {**body, "assignment": self.home.assignment.pk}
        address = more.pop("address", None) or self.address(operation)
        method = operations()[operation][0]
        more = {"content_type": "application/json", **more} if method != "get" else more
        return getattr(client, method)(address, body or {}, **more)


def site(**settings: Any) -> Site:
    home = house(slug="library", settings=settings)
    guideline_write(project=home.project, text="Mark *differences*.", base=0)
    pair = PairFactory(project=home.project)
    for marks in ([span(LIBRARY)], [span(LIBRARY, label="5"), span(NOTHING, id="s2")]):
        assignment = AssignmentFactory(pair=pair, annotator=AnnotatorFactory(project=home.project))
        annotation_save(assignment=assignment, by=None, base=0, sent=AnnotationInput(spans=doc(*marks), comment="hm"))
        annotation_submit(assignment=assignment, by=None, base=1, verdict="submitted")
    draft_open(project=home.project, rule="agreed", phase="main", by=None)
    services.run_request(project=home.project, method="fake")
    entry = glossary_entry_save(project=home.project, **{**ENTRY, "term": "library"})
    text = SimpleUploadedFile("p.csv", CSV.encode())
    lead = home.project.annotators.get(role="lead").user
    assert lead
    previewed = import_request(project=home.project, files=[text], dry_run=True, by=lead)
    Publication.objects.create(project=home.project, number=1, format="jsonl", status=JobStatus.FAILED)
    # A number as a name is published as it is, so it can't be changed.
    home.project.annotators.filter(pk=home.assignment.annotator_id).update(alias="Ada")
    (invited,) = invitations_create(project=home.project, people=[Invitee("Dora", "")], by=lead)
    asking = home.assignment.annotator.user
    thread = thread_open(assignment=home.assignment, by=asking, text="One or two?", words=[LIBRARY])
    thread_answer(thread=thread, by=lead, text="One.")
    qualification.rule_made(home.project, home.assignment.annotator)
    return Site(
        home,
        pair.pk,
        entry.pk,
        previewed.pk,
        home.assignment.annotator_id,
        invited.invitation.pk,
        assignment.annotation.pk,
        thread.pk,
        webhooks.hooked(home.project),
        adjudicating.job_made(home.project),
        mining.searched(home.project, lead),
        encoders.requested(home.project, lead),
        item_jobs.requested(home.project, lead),
    )
