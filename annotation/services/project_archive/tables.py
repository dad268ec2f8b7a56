"""Which tables an archive holds, in the order in which they are read, and how their rows refer to each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import models

from annotation.formats.base import options_naming_people
from annotation.formats.project_archive import FORMAT as ARCHIVE
from annotation.formats.xparade.names import rename_in_metadata
from annotation.models import JobStatus, Project, User
from annotation.person_names import (
    Rename,
    rename_in_exclusions,
    rename_in_gold_counts,
    rename_in_import_report,
    rename_in_options,
    rename_in_rule_settings,
)

Remap = Callable[[str, Any], Any]
"""`remap(kind, value)`: the key or name on the other side; None for one that it does not know. The kinds are the
labels of tables (a key), 'username', 'alias', 'source' (how a source names an annotator) and 'log' (which may have
usernames)."""


@dataclass(frozen=True, slots=True)
class ArchivedTable:
    """A table. `project` is the lookup of the project from a row; `excluded_columns` get their defaults.

    `where` and `exclude` narrow the rows. `history_of` is the table whose history this is: its column `id` is a key of
    that one.
    """

    label: str
    project: str
    excluded_columns: tuple[str, ...] = ()
    where: tuple[tuple[str, Any], ...] = ()
    exclude: tuple[tuple[str, Any], ...] = ()
    history_of: str = ""

    @property
    def model(self) -> type[models.Model]:
        return apps.get_model(self.label)

    def rows(self, project: Project) -> models.QuerySet[Any]:
        """The project's rows in the order of their keys."""
        own: models.QuerySet[Any] = self.model._base_manager.filter(**{self.project: project.pk}, **dict(self.where))
        return (own.exclude(**dict(self.exclude)) if self.exclude else own).order_by("pk")

    @property
    def project_column(self) -> str:
        """The column that names the project; '' if rows belong to it through others."""
        fields = (field for field in self.model._meta.concrete_fields if field.related_model is Project)
        return next((field.attname for field in fields), "")

    @property
    def fields(self) -> list[Any]:
        """The columns of a row, without its key and its project."""
        fields = []
        for field in self.model._meta.concrete_fields:
            if field.primary_key or field.name in self.excluded_columns or field.related_model is Project:
                continue
            fields.append(field)
        return fields


_JOB = ("claimed_by", "claimed", "heartbeat", "attempts")

TEXTS = "annotation.text"
PAIRS = "annotation.pair"
ANNOTATORS = "annotation.annotator"
ANNOTATIONS = "annotation.annotation"

TABLES = (
    ArchivedTable("annotation.guideline", "project"),
    ArchivedTable(ANNOTATORS, "project"),
    ArchivedTable(TEXTS, "", ("digest",)),
    ArchivedTable(PAIRS, "project"),
    ArchivedTable("annotation.qualificationstep", "annotator__project"),
    ArchivedTable("annotation.assignment", "pair__project"),
    ArchivedTable(ANNOTATIONS, "pair__project"),
    ArchivedTable("annotation.referenceview", "pair__project"),
    ArchivedTable("annotation.revision", "annotation__pair__project"),
    ArchivedTable("annotation.highlight", "pair__project"),
    ArchivedTable("annotation.dismissal", "annotation__pair__project"),
    ArchivedTable("annotation.review", "annotation__pair__project"),
    ArchivedTable("annotation.thread", "assignment__pair__project", ("mailed",)),
    ArchivedTable("annotation.message", "thread__assignment__pair__project"),
    ArchivedTable("annotation.readingskill", "annotator__project"),
    ArchivedTable("annotation.workday", "annotator__project"),
    ArchivedTable("annotation.glossaryentry", "project"),
    ArchivedTable("annotation.historicalproject", "id", ("id", "slug"), history_of=""),
    ArchivedTable("annotation.historicalannotator", "project", history_of=ANNOTATORS),
    ArchivedTable("annotation.historicalglossaryentry", "project", history_of="annotation.glossaryentry"),
    ArchivedTable(
        "annotation.import",
        "project",
        (*_JOB, "staging", "slug", "foreground", "preview"),
        (("status", JobStatus.DONE), ("dry_run", False)),
        (("format", ARCHIVE.name),),
    ),
    ArchivedTable("assist.run", "project"),
    ArchivedTable("agreement.goldversion", "project"),
    ArchivedTable("agreement.exclusion", "pair__project"),
    ArchivedTable("agreement.withdrawal", "annotator__project"),
)
"""Every table with rows of a project; those that it refers to come first. Texts are found through pairs."""

ADDED_LATER = {"annotation.thread", "annotation.message", "annotation.qualificationstep"}
"""Tables that archives of earlier versions lack, which have no rows of them then."""

LEFT_OUT = {
    "annotation.invitation": "links of this site",
    "annotation.apitoken": "secrets of this site",
    "annotation.identity": "how accounts of this site are entered",
    "annotation.webhook": "addresses that this site notifies, with what signs for it",
    "annotation.webhookdelivery": "what was sent from this site",
    "annotation.threadreading": "what this site's leads have read, and when they were told by e-mail",
    "annotation.hourlyrate": "what people are paid concerns this site's leads alone",
    "annotation.timecorrection": "what people are paid for concerns this site's leads alone",
    "annotation.importfile": "uploaded files",
    "annotation.importfilepart": "uploaded files",
    "annotation.stagedlink": "imports that are running",
    "annotation.projectevent": "what was done on this site, where its own history is",
    "annotation.projectdeletion": "a project that is being deleted is in no archive",
    "assist.lot": "how a run was divided among workers",
    "assist.translatedtext": "a cache; pairs have their translations",
    "assist.llmanswer": "what language models answered this site; highlights have what it says",
    "assist.llmaccount": "what this site spent",
    "assist.llmoutcome": "how good the answers were, beside what they cost",
    "assist.wordlistcoverage": "counted again",
    "assist.mining": "articles that were uploaded; pairs keep where they come from",
    "assist.miningarticle": "articles that were uploaded",
    "assist.encodercomparison": "encoders that this site had",
    "assist.itemmaking": "sentences that were uploaded; the items are pairs of a rating project",
    "agreement.cachedreport": "computed again",
    "agreement.dryrun": "computed again",
    "agreement.goldjob": "what it made is a version",
    "agreement.reportdata": "computed again",
    "agreement.publication": "files that were published; they are kept where they are",
    "agreement.publicationpart": "files that were published",
    "agreement.push": "where they were pushed",
}
"""Tables with rows of a project that no archive holds, and why."""


def remap_value(label: str, column: str, value: Any, remap: Remap) -> Any:
    """A value with the keys and names in it changed; values without any are returned as they are."""
    handler = _REMAP_JSON.get((label, column))
    return value if handler is None or value is None else handler(value, remap)


def _provenance(value: Any, remap: Remap) -> Any:
    return {key: _origin(origin, remap) for key, origin in value.items()}


def _origin(origin: Mapping[str, Any], remap: Remap) -> dict[str, Any]:
    result = dict(origin)
    if isinstance(keys := result.get("annotations"), list):
        result["annotations"] = [new for key in keys if (new := remap(ANNOTATIONS, key)) is not None]
    if isinstance(result.get("by"), str) and result["by"]:
        result["by"] = remap("username", result["by"])
    return result


def _training(value: Any, remap: Remap) -> Any:
    result = dict(value)
    if isinstance(pairs := result.get("pairs"), list):
        result["pairs"] = [new for key in pairs if (new := remap(PAIRS, key)) is not None]
    if isinstance(rows := result.get("annotations"), list):
        annotations = [(remap(ANNOTATIONS, key), revision) for key, revision in rows]
        result["annotations"] = [[new, revision] for new, revision in annotations if new is not None]
    return result


def _remap_names(rename_in: Callable[[Any, Rename], Any]) -> Callable[[Any, Remap], Any]:
    """JSON with the names that `rename_in` finds changed."""
    return lambda value, remap: rename_in(value, lambda name: remap("alias", name))


def _options(value: Any, called: Rename) -> Any:
    return rename_in_options(value, options_naming_people(), called)


def _metadata(value: Any, remap: Remap) -> Any:
    return rename_in_metadata(value, lambda name: remap("source", name))


_REMAP_JSON: dict[tuple[str, str], Callable[[Any, Remap], Any]] = {
    (ANNOTATIONS, "provenance"): _provenance,
    (PAIRS, "metadata"): _metadata,
    ("assist.run", "training"): _training,
    ("assist.run", "log"): lambda value, remap: remap("log", value),
    ("agreement.goldversion", "parameters"): _remap_names(rename_in_rule_settings),
    ("agreement.goldversion", "counts"): _remap_names(rename_in_gold_counts),
    ("agreement.goldversion", "excluded"): _remap_names(rename_in_exclusions),
    ("annotation.import", "report"): _remap_names(rename_in_import_report),
    ("annotation.import", "options"): _remap_names(_options),
}


def is_account(field: Any) -> bool:
    return field.related_model is User


def reference(field: Any, table: ArchivedTable) -> str:
    """The label of the table that a column refers to; '' for none, and for accounts."""
    if field.name == "id" and table.history_of:
        return table.history_of
    if field.related_model is None or is_account(field):
        return ""
    return str(field.related_model._meta.label_lower)
