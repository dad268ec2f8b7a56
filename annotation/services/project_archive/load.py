"""Importing an archive: its rows are staged in an invisible project, checked there, and shown in one short transaction.

Whatever is wrong is found before it takes effect; then nothing is left. An archive becomes a new project, or fills one
that is still empty. The same archive imported again under another name is a copy; into a project with pairs it is
refused.
"""

from __future__ import annotations

import uuid
from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, connection, transaction
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from annotation.errors import Conflict
from annotation.formats.field_types import FieldError
from annotation.formats.fields import token_ranges
from annotation.formats.source import refusal
from annotation.hooks import ON_ROW_OF_ARCHIVE
from annotation.models import Annotation, Annotator, Guideline, Pair, Project, Role, Source, Text, User
from annotation.models.imports import Import, ImportStage
from annotation.phrases import Phrase
from annotation.progress import OnProgress
from annotation.services.archive_check import check_not_archived
from annotation.services.import_report import ImportReport
from annotation.services.project_archive.check import Columns, read_manifest, read_rows, read_scheme
from annotation.services.project_archive.content import check_content, check_name
from annotation.services.project_archive.manifest import ACCOUNTS
from annotation.services.project_archive.tables import (
    ANNOTATIONS,
    PAIRS,
    TABLES,
    TEXTS,
    ArchivedTable,
    reference,
    remap_value,
)
from annotation.services.projects import check_slug_free, validate_project
from annotation.services.texts import GIVEN, text_digest
from annotation.text.languages import language_problem
from annotation.text.paragraphs import paragraphs
from annotation.text.sentences import SPLITTER, sentences
from annotation.text.tokens import TOKENIZER

BATCH = 200
MAX_USERNAME_LENGTH = 150


class Archive:
    """One archive on its way into a staged project."""

    def __init__(self, folder: Path, row: Import, people: Mapping[str, str], on_progress: OnProgress) -> None:
        self.folder, self.row, self.on_progress = folder, row, on_progress
        self.manifest = read_manifest(folder)
        self.scheme = read_scheme(self.manifest)
        self.name = check_name(self.manifest.project.get("name"))
        self.accounts = _accounts(people)
        self.rows = {label: entry.rows for label, entry in self.manifest.tables.items()}
        self.total = sum(self.rows.values())
        self.done = 0
        self.keys: dict[str, array[int]] = {label: array("q") for label in self.rows}
        self.usernames: dict[str, str] = {}
        self.staged = Project(
            slug=f"~import-{uuid.uuid4().hex}",
            name=self.name,
            scheme=self.scheme.to_json(),
            settings=self.manifest.project["settings"],
            staged=True,
        )

    def new_slug(self) -> str:
        """The short name of the new project. Raises Invalid if it can't be one, Conflict if another has it."""
        slug = validate_project(name=self.name, slug=self.row.slug, scheme=self.staged.scheme).slug
        check_slug_free(slug)
        return slug

    def stage(self) -> None:
        """Write every row into the staged project. Raises FormatError for what is wrong with one."""
        with transaction.atomic():
            Project.with_staged.bulk_create([self.staged])
            Import.objects.filter(pk=self.row.pk).update(staging=self.staged)
        self._stage_accounts()
        for table in (each for each in TABLES if each.label in self.rows):
            mirrors: list[tuple[int, int]] = []
            lines = read_rows(self.folder, table.label)
            where, names = next(lines)
            columns = Columns(table, names, self.rows, where)
            while batch := list(islice(lines, BATCH)):
                rows = [columns.checked(values, where) for where, values in batch]
                if table.label == PAIRS:
                    first = len(self.keys[PAIRS]) + 1
                    mirrors += [(first + index, row.pop("mirror_id", None)) for index, row in enumerate(rows)]
                self._stage(table, columns.fields, rows, batch)
            self._link(mirrors)
            if table.label == ANNOTATIONS:
                self._link_provenance()

    def _stage(
        self,
        table: ArchivedTable,
        fields: Sequence[Any],
        rows: list[dict[str, Any]],
        batch: list[tuple[str, list[Any]]],
    ) -> None:
        model: Any = table.model
        if table.label == TEXTS:
            for (where, _values), row in zip(batch, rows, strict=True):
                _check_text(row, where)
        for (where, _values), row in zip(batch, rows, strict=True):
            try:
                row.update(self._resolved(table, fields, row))
            except (TypeError, ValueError, AttributeError, KeyError) as error:
                raise refusal(where, Phrase("a stored value does not have the expected form")) from error
        project_column = table.project_column
        created, changes = [], list(ON_ROW_OF_ARCHIVE)
        for row in rows:
            each = model(**row)
            if project_column:
                setattr(each, project_column, self.staged.pk)
            if table.label == "annotation.historicalproject":
                each.id, each.slug = self.staged.pk, self.staged.slug
            if table.label == "annotation.import":
                each.slug = self.row.slug
            for change in changes:
                change(each)
            created.append(each)
        try:
            with transaction.atomic():
                keys = _texts_insert(created) if table.label == TEXTS else rows_insert(model, created)
        except IntegrityError as error:
            raise refusal(batch[0][0], Phrase("two rows contradict each other, here or in the next lines")) from error
        self.keys[table.label].extend(keys)
        self.done += len(rows)
        self.on_progress(self.rows[PAIRS] * self.done // self.total, self.rows[PAIRS], ImportStage.STAGING)

    def _resolved(self, table: ArchivedTable, fields: Sequence[Any], row: Mapping[str, Any]) -> dict[str, Any]:
        """The keys and names that the archive's numbers and names have here."""
        values: dict[str, Any] = {}
        for field in fields:
            value = row.get(field.attname)
            if value is None:
                continue
            target = ACCOUNTS if field.related_model is User else reference(field, table)
            if target:
                if value > len(self.keys[target]):
                    raise ValueError(f"{field.attname} refers to a later row")
                values[field.attname] = self.keys[target][value - 1] if value > 0 else value
            elif (table.label, field.name) == (ANNOTATIONS, "provenance"):
                # Its keys are known later; whether it is one, and of gold, now.
                remap_value(table.label, field.attname, value, lambda kind, name: name)
                if value and row["source"] != Source.GOLD:
                    raise ValueError("a person's annotation has no provenance")
            else:
                values[field.attname] = remap_value(table.label, field.attname, value, self._remap)
        return values

    def _remap(self, kind: str, value: Any) -> Any:
        if kind in ("alias", "source", "log"):
            return value
        if kind == "username":
            return self.usernames.get(value, value)
        keys = self.keys[kind]
        return keys[value - 1] if type(value) is int and 1 <= value <= len(keys) else None

    def _link(self, mirrors: list[tuple[int, Any]]) -> None:
        keys = self.keys[PAIRS]
        linked = [Pair(pk=keys[one - 1], mirror_id=keys[other - 1]) for one, other in mirrors if other is not None]
        for start in range(0, len(linked), BATCH):
            try:
                Pair.objects.bulk_update(linked[start : start + BATCH], ["mirror"])
            except IntegrityError as error:
                raise refusal(PAIRS, Phrase("a pair is the mirror of two others")) from error

    def _link_provenance(self) -> None:
        """Gold names annotations that may come after it, so that their keys are known only now."""
        rows = (
            Annotation.objects.filter(pair__project=self.staged, source=Source.GOLD).order_by("pk").only("provenance")
        )
        last = 0
        while batch := list(rows.filter(pk__gt=last)[:BATCH]):
            last = batch[-1].pk
            for row in batch:
                try:
                    row.provenance = remap_value(ANNOTATIONS, "provenance", row.provenance, self._remap)
                except (TypeError, ValueError, AttributeError, KeyError) as error:
                    raise refusal(ANNOTATIONS, Phrase("a stored value does not have the expected form")) from error
            Annotation.objects.bulk_update([row for row in batch if row.provenance], ["provenance"])

    def _stage_accounts(self) -> None:
        """An account for each person of the archive: one that was named for it, or a new one that nobody can use."""
        lines = read_rows(self.folder, ACCOUNTS)
        where, names = next(lines)
        if names != ["username", "first_name", "last_name"]:
            raise refusal(where, Phrase("a value of another kind is expected"))
        for where, values in lines:
            if len(values) != 3 or not all(isinstance(value, str) and len(value) <= 150 for value in values):
                raise refusal(where, Phrase("a value of another kind is expected"))
            username, first, last = values
            if username in self.usernames or not username.isprintable() or not username:
                raise refusal(where, Phrase("a username is empty or appears twice"))
            account = self.accounts.get(username)
            if account is None:
                proposed = username if self.manifest.names else f"{self.row.slug}-{username}"
                # Until the import takes effect, so that it goes with the staged project.
                account = User.objects.create(
                    username=_free_username(proposed),
                    first_name=first,
                    last_name=last,
                    password=make_password(None),
                    is_active=False,
                    made_in=self.staged,
                )
            self.usernames[username] = account.username
            self.keys[ACCOUNTS].append(account.pk)

    def check(self) -> None:
        """Check the staged project as every import is checked. Raises ImportRefused or FormatError."""
        pairs = self.rows[PAIRS]
        check_content(self.staged, self.scheme, lambda done: self.on_progress(done, pairs, ImportStage.CHECKING))

    def report(self, *, is_new: bool, dry_run: bool) -> ImportReport:
        annotations = Annotation.objects.filter(pair__project=self.staged)
        people = Annotator.objects.filter(project=self.staged).exclude(user__is_active=True)
        leads = people.filter(role=Role.LEAD)
        human, gold = annotations.filter(source=Source.HUMAN), annotations.filter(source=Source.GOLD)
        spans = {
            each: sum(rows.values_list("span_count", flat=True)) for each, rows in (("human", human), ("gold", gold))
        }
        return ImportReport(
            self.row.slug,
            is_new,
            dry_run,
            pairs_new=self.rows[PAIRS],
            annotators_new=list(people.exclude(role=Role.LEAD).values_list("alias", flat=True)),
            leads_new=list(leads.values_list("alias", flat=True)),
            annotations_new=human.count(),
            gold_new=gold.count(),
            spans=spans["human"],
            gold_spans=spans["gold"],
        )

    def activate(self, target: Project | None, lead: User | None) -> Project:
        """Show the staged project: as a new one, or in place of the empty `target`. Call it in a transaction."""
        User.objects.filter(made_in=self.staged, is_active=False).update(made_in=None)
        created = parse_datetime(str(self.manifest.project.get("created"))) or self.staged.created
        if target is None:
            Project.with_staged.filter(pk=self.staged.pk).update(slug=self.new_slug(), staged=False, created=created)
            project = Project.objects.get(pk=self.staged.pk)
            if lead is not None and not Annotator.objects.filter(project=project, user=lead).exists():
                Annotator.objects.create(project=project, user=lead, alias=_free_alias(project, lead), role=Role.LEAD)
        else:
            project = Project.objects.select_for_update().get(pk=target.pk)
            check_empty(project)
            self._check_people(project)
            Project.objects.filter(pk=project.pk).update(
                scheme=self.staged.scheme, settings=self.staged.settings, created=created
            )
            for table in TABLES:
                if column := table.project_column:
                    table.model._base_manager.filter(**{column: self.staged.pk}).update(**{column: project.pk})
            project.refresh_from_db()
        history: Any = Project.history.model
        history.objects.filter(id=self.staged.pk).update(id=project.pk, slug=project.slug)
        return project

    def _check_people(self, project: Project) -> None:
        aliases = set(Annotator.objects.filter(project=self.staged).values_list("alias", flat=True))
        if taken := aliases & set(Annotator.objects.filter(project=project).values_list("alias", flat=True)):
            raise Conflict(
                _("Someone in this project already has the alias “%(alias)s”.") % {"alias": sorted(taken)[0]},
                where=project.slug,
                hint=_("Change the alias on the People page, or import into a new project."),
            )


def check_empty(project: Project) -> None:
    """Raises Conflict unless the project has neither pairs nor guidelines: an archive is never mixed with others.

    Also if the project is itself archived.
    """
    check_not_archived(project.pk)
    if Pair.objects.filter(project=project).exists() or Guideline.objects.filter(project=project).exists():
        raise Conflict(
            _(
                "An archive can only be imported into a new or empty project; "
                "“%(slug)s” already has pairs or guidelines."
            )
            % {"slug": project.slug},
            where=project.slug,
            hint=_("Import the archive into a new project: it becomes a copy."),
        )


def _accounts(people: Mapping[str, str]) -> dict[str, User]:
    accounts = {}
    for name, username in people.items():
        account = User.objects.filter(username=username).first()
        if account is None:
            raise refusal("option people", Phrase("there is no account '%(username)s'", {"username": username}))
        accounts[name] = account
    if len(set(accounts.values())) < len(accounts):
        raise refusal("option people", Phrase("an account is named twice"))
    return accounts


def _free_username(proposed: str) -> str:
    name, number = proposed[:MAX_USERNAME_LENGTH], 1
    while User.objects.filter(username__iexact=name).exists():
        number += 1
        name = f"{proposed[: MAX_USERNAME_LENGTH - 8]}-{number}"
    return name


def _free_alias(project: Project, lead: User) -> str:
    alias, number = lead.get_username()[:80], 1
    while Annotator.objects.filter(project=project, alias=alias).exists():
        number += 1
        alias = f"{lead.get_username()[:72]}-{number}"
    return alias


def _check_text(row: dict[str, Any], where: str) -> None:
    """Raises FormatError unless all ranges lie in the text, and those that are made here are what is made here."""
    content = row["content"]
    if problem := language_problem(row["language"]):
        raise refusal(where, problem)
    try:
        tokens = token_ranges(row["tokens"], content, "tokens")
        for name in ("sentences", "paragraphs"):
            token_ranges(row[name], content, name)
    except FieldError as error:
        raise refusal(where, error.phrase) from error
    derived = row["paragraphs"] == [list(item) for item in paragraphs(content)]
    if row["splitter"] == SPLITTER:
        derived = derived and row["sentences"] == [list(item) for item in sentences(content, row["language"])]
    if not derived or (row["tokenizer"] not in (TOKENIZER, GIVEN) and not row["tokenizer"].isprintable()):
        raise refusal(where, Phrase("its sentences or paragraphs are not those of the text"))
    row["digest"] = text_digest(row["language"], content, tokens)


def _texts_insert(rows: list[Text]) -> Iterator[int]:
    """The keys of the texts: those of equal ones that are there, or of new rows."""
    same = ("language", "content", "tokens", "sentences", "paragraphs", "tokenizer", "splitter")
    texts: dict[str, Text] = {}
    stored = Text.objects.filter(digest__in={row.digest for row in rows}).order_by("pk").select_for_update(no_key=True)
    for text in stored:
        texts.setdefault(text.digest, text)
    keys: dict[int, int] = {}
    new: list[tuple[int, Text]] = []
    for at, row in enumerate(rows):
        equal = texts.get(row.digest)
        if equal is not None and all(getattr(equal, name) == getattr(row, name) for name in same):
            keys[at] = equal.pk
        else:
            new.append((at, row))
    inserted = rows_insert(Text, [row for _, row in new])
    keys.update({at: key for (at, _), key in zip(new, inserted, strict=True)})
    return iter([keys[at] for at in range(len(rows))])


def rows_insert(model: Any, rows: Sequence[Any]) -> list[int]:
    """Insert rows as they are, without times of their own and without a history; returns their keys."""
    if not rows:
        return []
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    size = max(1, connection.ops.bulk_batch_size(fields, list(rows)))
    keys: list[int] = []
    with transaction.atomic():
        for start in range(0, len(rows), size):
            inserted = model._base_manager.all()._insert(
                rows[start : start + size],
                fields=fields,
                using=connection.alias,
                returning_fields=[model._meta.pk],
                raw=True,
            )
            keys.extend(row[0] for row in inserted)
    return keys
