"""What is stored about a person is known table by table, can be taken along, and can be removed."""

from __future__ import annotations

import io
import json
import zipfile
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from agreement.gold.services.exclusions import pair_exclude
from agreement.gold.services.versions import gold_create
from agreement.models import CachedReport, DryRun, GoldJob, GoldVersion, Push
from agreement.publication.card import Terms
from agreement.publication.services.consent import consent_withdraw
from agreement.publication.services.publications import publication_request
from agreement.report.page import body_of
from agreement.report.scope import Scope
from agreement.report.services.reports import report_request
from annotation.invitees import Invitee
from annotation.models import Annotation, Annotator, Assignment, Guideline, Pair, Project, Role, User
from annotation.models.imports import Import, ImportFile
from annotation.models.lifecycle import ProjectDeletion, ProjectEvent, ProjectEventType
from annotation.models.people import Invitation
from annotation.models.time import TimeCorrection
from annotation.models.webhooks import Webhook
from annotation.selectors.export_records import published_names
from annotation.services.annotation_checks import AnnotationInput
from annotation.services.annotations import annotation_save, annotation_submit
from annotation.services.identities import Claims, identity_link
from annotation.services.import_jobs import IMPORTS, import_request
from annotation.services.invitations import invitations_create
from annotation.services.jobs import jobs_run
from annotation.services.people import person_add, person_end_access, person_replace
from annotation.services.person_renames import person_rename
from annotation.services.reading_languages import reading_skills_set
from annotation.services.reviews import review_set
from annotation.services.thread_read_marks import thread_read
from annotation.services.threads import thread_answer, thread_open, thread_resolve
from annotation.services.time import rate_set, time_correct, worktime_add
from annotation.services.tokens import token_create
from annotation.services.webhooks import EVENTS, webhook_create, webhook_secrets
from assist.encoder_comparisons.jobs import comparison_cancel, comparison_request
from assist.methods.encoder.pretrained import PACKAGED
from assist.mining_requests.jobs import MINING_JOBS, mining_cancel, mining_request
from assist.models import ItemMaking, Mining
from assist.runs import services
from operation.privacy.delete import person_delete, person_delete_preview
from operation.privacy.export import OTHER_PERSON, person_export
from operation.privacy.links import LINKS, UNUSED
from tests.agreement.work import decide_manually
from tests.annotation.work import LIBRARY, client_of, doc, span
from tests.assist.conftest import fakes, notified, own_data  # noqa: F401
from tests.factories import AnnotatorFactory, AssignmentFactory, PairFactory, ProjectFactory, UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fakes", "notified")]
PASSWORD = "correct horse battery"
CANARIES = ("quill.login", "Quillfeather", "Ottoline", "Featherstone", "otti@example.org")
PERSONAL = {"username", "email", "ip_address", "user_agent", "alias", "first_name", "last_name"}


def test_every_table_that_leads_to_a_person_is_covered() -> None:
    known = {(link.label, path.split("__")[0]) for link in LINKS for path in (*link.accounts, *link.memberships)}
    labels = {link.label for link in LINKS}
    for model in apps.get_models(include_auto_created=True):
        label = model._meta.label_lower
        for field in model._meta.concrete_fields:
            if field.related_model in (User, Annotator) and label not in UNUSED:
                assert (label, field.name) in known, f"{label}.{field.name} is not in operation/privacy/links.py"
            if field.name in PERSONAL and label != "annotation.user":
                assert label in labels, f"{label}.{field.name} is not in operation/privacy/links.py"
    for label, name in known:
        assert name == "pk" or apps.get_model(label)._meta.get_field(name)
    assert not any(apps.get_model(label)._base_manager.exists() for label in UNUSED)


def everything(user: str = "quill.login", alias: str = "Quillfeather", role: str = Role.LEAD) -> User:
    """A person who has left traces in every table that can have some, and another who works with them."""
    project = ProjectFactory(slug="library")
    annotator = person_add(project=project, username=user, alias=alias, password=PASSWORD).annotator
    assert annotator.user is not None
    person: User = annotator.user
    person.first_name, person.last_name, person.email = "Ottoline", "Featherstone", "otti@example.org"
    person.preferences = {"theme": "dark"}
    person.save()
    identity_link(user=person, claims=Claims("https://id.example.org", f"subject of {user}"))
    other = person_add(project=project, username="zob.login", alias="Zobrist", password=PASSWORD).annotator
    pairs = [PairFactory(project=project, position=n) for n in range(3)]
    for who, label in ((annotator, "3"), (other, "5")):
        work = AssignmentFactory(pair=pairs[0], annotator=who)
        annotation_save(
            assignment=work, by=who.user, base=0, sent=AnnotationInput(spans=doc(span(LIBRARY, label=label)))
        )
        annotation_submit(assignment=work, by=who.user, base=1, verdict="submitted")
    annotator.references_seen.create(pair=pairs[0])
    started = AssignmentFactory(pair=pairs[1], annotator=other)
    annotation_save(assignment=started, by=other.user, base=0, sent=AnnotationInput(spans=doc(span(LIBRARY))))
    person_replace(leaver=other, newcomer=annotator, by=person, end_access=False)
    Annotation.objects.filter(assignment__annotator=annotator)[0].dismissals.create(
        project=project, proposal="p" * 64, phrase="q" * 64
    )
    about = Annotation.objects.filter(assignment__annotator=annotator)[0].assignment
    assert about is not None
    thread = thread_open(assignment=about, by=person, text="One or two?")
    thread_answer(thread=thread, by=other.user, text="One.")
    thread_resolve(thread=thread, by=person)
    theirs = thread_open(assignment=started, by=other.user, text="And here?")
    thread_read(thread=theirs, by=person, last=theirs.messages.get().pk)
    pair_exclude(pair=pairs[2], reason="a duplicate", by=person)
    for settings in ({"annotator": alias}, {"choices": {pairs[0].external_id: alias}}):
        gold_create(project=project, rule="pick", phase="main", settings=settings, by=person)
    decide_manually(pairs[1], person, [("2", [0, 1], [0])])
    report_request(project=project, scope=Scope(), body_of=body_of)
    CachedReport.objects.filter(project=project).update(body={"annotators": [alias]})
    DryRun.objects.create(project=project, rule="pick", parameters={"annotator": alias}, requested=timezone.now())
    for what in ({"made_by": person}, {"person": annotator}):
        ProjectEvent.objects.create(project=project, what=ProjectEventType.REASSIGNED, **what)
    Guideline.objects.create(project=project, version=1, text="Mark.", made_by=person)
    ProjectDeletion.objects.create(slug="gone", name="Gone", made_by=person)
    GoldJob.objects.create(
        project=project, rule="pick", parameters={"annotator": alias}, requested=timezone.now(), made_by=person
    )
    made = publication_request(project=project, to="jsonl", terms=Terms(), by=person)
    Push.objects.create(publication=made, repository="town/hours", tag="v1", made_by=person)
    services.run_request(project=project, method="fake", by=person)
    row = {"id": "new", "a": {"language": "en", "text": "One."}, "b": {"language": "de", "text": "Eins."}}
    file = SimpleUploadedFile(
        "new.jsonl", json.dumps({**row, "annotations": [{"annotator": alias, "spans": []}]}).encode()
    )
    import_request(project=project, files=[file], format="jsonl", options={}, dry_run=False, by=person)
    jobs_run(IMPORTS, lambda: False)
    compared = mine(project, f"{alias}_articles.jsonl", person)
    jobs_run(MINING_JOBS, lambda: False)
    compared.refresh_from_db()
    assert alias in json.dumps(compared.result)
    mine(project, f"{alias}_articles.jsonl", person)  # no worker has done it
    table = SimpleUploadedFile(f"{alias}.csv", b"Source,Target,TargetAdv1\na,b,c\n")
    chosen = {"compositionality": False, "gold": False}
    assert other.user
    for sender in (person, other.user):
        ItemMaking.objects.create(
            project=project, requested_by=sender, task="clsd", into="rated", file_names=["rows.csv"]
        )
        comparison_cancel(
            row=comparison_request(
                project=project, encoders=[PACKAGED], files={"clsd": table}, settings=chosen, by=sender
            )
        )
    mining_cancel(row=mine(project, f"{alias}.jsonl", other.user))
    Import.objects.update(rejections=[["new.jsonl", f"annotations of '{alias}'"]])
    client = client_of(person)
    glossary = {"term_language": "en", "translation_language": "de", "term": "canton", "translations": "Kanton"}
    Annotator.objects.filter(pk=annotator.pk).update(role=Role.LEAD)
    sent = {f"entry-{key}": value for key, value in glossary.items()}
    assert client.post(reverse("glossary", args=("library",)), sent).status_code == 302
    project._history_user = person
    project.save()
    Client().post(reverse("login"), {"username": user, "password": "wrong"})
    Client().post(reverse("login"), {"username": user, "password": PASSWORD})
    Client().post(reverse("login"), {"username": user, "password": "wrong again"})
    consent_withdraw(annotator=annotator, by=person)
    reading_skills_set(annotator=annotator, skills={"de": "native"})
    assert annotator.user
    token_create(user=annotator.user, name="Quillfeather's export", access="read", days=1)
    review_set(annotation=Annotation.objects.filter(assignment__annotator=annotator)[0], revision=2, by=person)
    worktime_add(annotator=annotator.pk, phase="main", seconds=60)
    for kind, by in (("words", None), ("advance", person)):
        said = f"Dear {user}," if kind == "words" else ""
        annotator.qualification_steps.create(step=kind, words=said, made_by=by, undone_by=by)
    longest = f"{alias} " + "x" * (499 - len(alias))
    for who, reason in ((annotator, f"A meeting with {alias}"), (other, f"{alias} was ill"), (other, longest)):
        time_correct(annotator=who, day=timezone.localdate(), seconds=60, reason=reason, by=person)
    rate_set(annotator=annotator, amount=Decimal("20"), since=timezone.localdate())
    invitations_create(project=project, people=[Invitee("New", "otti@example.org")], by=person)
    webhook_create(project=project, url="https://hooks.example.org/key-of-the-receiver", events=EVENTS, by=person)
    Invitation.objects.create(
        project=project, nonce="n", expires=timezone.now(), accepted=timezone.now(), accepted_as=annotator
    )
    gone = person_add(project=ProjectFactory(slug="museum"), username=user, alias=alias).annotator
    person_end_access(annotator=gone)
    return person


def mine(project: Project, name: str, by: User | None) -> Mining:
    assert by is not None
    rows = [{"id": "town", "language": language, "text": "One."} for language in ("en", "de")]
    file = SimpleUploadedFile(name, "\n".join(map(json.dumps, rows)).encode())
    return mining_request(project=project, files=[file], settings={}, by=by)


def table_rows() -> dict[str, list[str]]:
    """Every row of every table but sessions, as text."""
    return {
        model._meta.label_lower: [
            json.dumps([getattr(row, each.attname) for each in model._meta.concrete_fields], default=str)
            for row in model._base_manager.order_by("pk")
        ]
        for model in apps.get_models(include_auto_created=True)
        if model is not Session
    }


def found_in(rows: dict[str, list[str]]) -> dict[str, set[str]]:
    return {
        label: {name for name in CANARIES if any(name in row for row in each)}
        for label, each in rows.items()
        if any(name in row for name in CANARIES for row in each)
    }


def test_a_removed_person_is_named_nowhere_and_their_work_stays() -> None:
    user = everything()
    GoldVersion.objects.filter(project__slug="library").update(counts={"reliability": {"Quillfeather": 0.5}})
    Import.objects.filter(project__slug="library").update(options={"annotator": "Quillfeather"})
    before = table_rows()
    assert {"annotation.user", "annotation.annotator", "annotation.historicalannotator", "agreement.goldversion",
            "annotation.annotation", "agreement.cachedreport", "agreement.dryrun", "assist.run", "annotation.import",
            "assist.mining", "assist.miningarticle", "assist.encodercomparison",
            "axes.accessattempt"} <= set(found_in(before))  # fmt: skip
    project = Project.objects.get(slug="library")
    published = published_names(project)
    key, memberships = user.pk, [each.pk for each in Annotator.objects.filter(user=user)]
    removal = person_delete(user=user)
    after = table_rows()
    assert found_in(after) == {}
    assert not User.objects.filter(pk=key).exists() and not Session.objects.exists()
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.concrete_fields:
            if field.related_model is User:
                assert not model._base_manager.filter(**{field.attname: key}).exists(), (model, field)
    for label in ("annotation.assignment", "annotation.annotation", "annotation.revision", "annotation.annotator"):
        assert len(after[label]) == len(before[label])
    assert removal.renamed["library: Quillfeather"] == Annotator.objects.get(pk__in=memberships).alias == "annotator1"
    assert GoldVersion.objects.filter(project=project)[0].parameters["annotator"] == "annotator1"
    assert all(
        row.counts == {"reliability": {"annotator1": 0.5}} for row in GoldVersion.objects.filter(project=project)
    )
    assert [row.options for row in Import.objects.filter(project=project)] == [{"annotator": "annotator1"}]
    assert [row.file_names for row in Mining.objects.order_by("pk")] == [
        ["file 1.jsonl"],
        ["file 1.jsonl"],
        ["annotator1.jsonl"],
    ]
    found = Mining.objects.earliest("pk").result
    assert found and found["matches"], "what was found stays"
    # What has been published under a name stays under that name.
    assert published_names(project) == published


def test_a_preview_says_what_changes_and_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    user = everything()
    before = table_rows()
    call_command("person_delete", "quill.login", "--dry-run")
    said = capsys.readouterr().out
    for text in ("account quill.login", "library: Quillfeather: becomes annotator1", "museum: Quillfeather",
                 "3 assignments", "2 sessions end", "Project library loses its only lead",
                 "publication 1 of library", "Dry run: no changes made"):  # fmt: skip
        assert text in said, text
    assert table_rows() == before
    assert person_delete_preview(user=user).attempts > 0


@pytest.mark.parametrize(("typed", "deleted"), [("quill.login", True), ("yes", False), ("", False)])
def test_the_command_asks_first(typed: str, deleted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    UserFactory(username="quill.login")

    def answer(_prompt: str) -> str:
        if not typed:
            raise EOFError
        return typed

    monkeypatch.setattr("builtins.input", answer)
    if deleted:
        call_command("person_delete", "quill.login")
    else:
        with pytest.raises(CommandError, match="no changes made"):
            call_command("person_delete", "quill.login")
    assert User.objects.filter(username="quill.login").exists() is not deleted


def test_the_only_superuser_stays() -> None:
    owner = UserFactory(username="owner", is_superuser=True)
    with pytest.raises(CommandError, match="only superuser"):
        call_command("person_delete", "owner", "--yes")
    UserFactory(username="second", is_superuser=True)
    call_command("person_delete", "owner", "--yes")
    assert not User.objects.filter(pk=owner.pk).exists()
    for command in (("person_delete", "nobody"), ("person_export", "nobody", "x")):
        with pytest.raises(CommandError, match="no account nobody"):
            call_command(*command)


def test_an_export_has_all_of_a_person_and_nothing_of_others(tmp_path: Path) -> None:
    user = everything()
    call_command("person_export", "quill.login", str(tmp_path / "out.zip"))
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        files: dict[str, Any] = {name: json.loads(archive.read(name)) for name in archive.namelist()}
    assert set(files) == {f"{link.file}.json" for link in LINKS} | {"sessions.json"}
    empty = {name for name, rows in files.items() if not rows}
    assert empty <= {"memberships-changed.json", "failed-log-ins.json", "log-ins.json"}, empty
    text = json.dumps(files, ensure_ascii=False)
    hook = Webhook.objects.get()
    secrets = (user.password, hook.nonce, webhook_secrets(hook, timezone.now())[0], "key-of-the-receiver")
    sessions = Session.objects.values_list("session_key", flat=True)
    for secret in (*secrets, *sessions, "zob.login", "Zobrist"):
        assert secret not in text, secret
    assert files["account.json"][0]["email"] == "otti@example.org"
    assert {row["alias"] for row in files["memberships.json"]} == {"Quillfeather"}
    assert len(files["annotations.json"]) == Annotation.objects.filter(assignment__annotator__user=user).count()
    assert files["assignments.json"][0]["pair"] == Pair.objects.first().external_id  # type: ignore[union-attr]
    assert len(files["assignments.json"]) == Assignment.objects.filter(annotator__user=user).count()
    with pytest.raises(CommandError, match="already exists"):
        call_command("person_export", "quill.login", str(tmp_path / "out.zip"))
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("person_export", "quill.login", str(tmp_path / "no folder" / "out.zip"))


def test_others_in_ones_rows_are_someone_else() -> None:
    user = everything()
    other = User.objects.get(username="zob.login")
    Annotation.objects.filter(decided_by=user).first().revisions.create(number=9, spans={}, made_by=other)  # type: ignore[union-attr]
    mine = Annotation.objects.filter(assignment__annotator__user=user).first()
    assert mine is not None
    mine.revisions.create(number=9, spans={}, made_by=other)
    out = io.BytesIO()
    person_export(user=user, out=out)
    with zipfile.ZipFile(out) as archive:
        revisions = json.loads(archive.read("revisions.json"))
    assert [row["made_by"] for row in revisions if row["number"] == 9] == [OTHER_PERSON]


def test_reasons_of_corrections_name_nobody_afterwards_and_still_fit() -> None:
    project = ProjectFactory(slug="hours")
    gone = person_add(project=project, username="gone", alias="A1", password=PASSWORD).annotator
    other = person_add(project=project, username="other", alias="B2", password=PASSWORD).annotator
    person_rename(annotator=gone, alias="A9")
    for reason in ("A1 and A9 met", "A9 " + "x" * 497):
        time_correct(annotator=other, day=timezone.localdate(), seconds=60, reason=reason, by=other.user)
    assert gone.user
    person_delete(user=gone.user)
    first, second = TimeCorrection.objects.order_by("pk").values_list("reason", flat=True)
    assert first == "annotator1 and annotator1 met" and second == "annotator1 " + "x" * 489


def test_names_of_sent_files_and_names_typed_at_a_log_in_go_with_the_person(tmp_path: Path) -> None:
    user: User = UserFactory(username="quill.login", email="quill@example.org")
    AnnotatorFactory(project=ProjectFactory(slug="library"), user=user, role=Role.LEAD)
    for typed in ("quill.login", "QUILL.Login", "Quill@Example.org", "somebody.else"):
        AccessAttempt.objects.create(username=typed, ip_address=f"10.0.0.{len(typed)}", failures_since_start=1)
    names = ["quill-private.jsonl", "quill.zip", "my-quill.zip"]
    line, inner, other = (f"{name}:1" for name in ("quill-private.jsonl", "quill.zip/by-quill.csv", "my-quill.zip"))
    sent = Import.objects.create(
        slug="library",
        made_by=user,
        status="refused",
        foreground=False,
        names=names,
        preview={"pairs": [{"where": line}, {"where": inner}, {"where": other}], "format": "jsonl"},
        rejections=[{"where": line, "reason": "not JSON"}],
        problem="quill-private.jsonl: not JSON",
    )
    for name in names:
        ImportFile.objects.create(to_import=sent, name=name, size=1)
    with (tmp_path / "quill.zip").open("wb") as out:
        assert person_export(user=user, out=out)["log-in-attempts"] == 3
    person_delete(user=user)
    assert list(sent.files.values_list("name", flat=True)) == ["file 1.jsonl", "file 2.zip", "file 3.zip"]
    sent.refresh_from_db()
    assert sent.preview == {
        "pairs": [{"where": "file 1.jsonl:1"}, {"where": "file 2.zip:1"}, {"where": "file 3.zip:1"}],
        "format": "jsonl",
    }
    assert sent.rejections == [{"where": "file 1.jsonl:1", "reason": "not JSON"}]
    assert sent.problem == "file 1.jsonl: not JSON"
    assert not any("quill" in row for row in table_rows()["annotation.import"])
    assert list(AccessAttempt.objects.values_list("username", flat=True)) == ["somebody.else"]
