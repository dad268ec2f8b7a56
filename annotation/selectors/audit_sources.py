"""What this app's histories and tables say of changes, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotation.display_names import PHASE_NAMES, RELEASES, ROLES, VERDICT_NAMES, format_agreement, signed_minutes
from annotation.models import Annotator, Guideline, JobStatus, Project
from annotation.models.glossary import GlossaryEntry
from annotation.models.imports import Import
from annotation.models.lifecycle import ProjectEvent, ProjectEventType
from annotation.models.qualification import QualificationStep, StepKind
from annotation.models.time import TimeCorrection
from annotation.project_options import ProjectOptions
from annotation.qualification.rule import KEY, PassRule, rule_of
from annotation.selectors.audit import AuditEntry, AuditSource, Topic, ValueChange, changed_values, with_before
from annotation.settings_model import settings_by_name
from annotation.text.schemes import Scheme

MAX_TEXT_LENGTH = 200
RuleOf = PassRule | None
SETTING_NAMES = {
    "highlights_run": gettext_lazy("Pre-labels shown"),
    "highlights_share": gettext_lazy("Share of assignments that show pre-labels (%)"),
    "metadata_shown": gettext_lazy("Annotators can see where a pair comes from (its metadata)"),
    "verdicts": gettext_lazy("Verdicts"),
    "skip_percent": gettext_lazy("Maximum share of pairs an annotator may skip (%)"),
    "closed_phases": gettext_lazy("Closed phases"),
    "adjudication_blind": gettext_lazy("Adjudicators see letters instead of annotators' names"),
    "gold_shown": gettext_lazy("Annotators can see how the gold differs from their own work"),
    "reading_level": gettext_lazy("Minimum reading level for annotating a language"),
    "currency": gettext_lazy("Currency of hourly rates"),
    "prelabel": gettext_lazy("Automatic pre-labelling"),
    "card": gettext_lazy("Card details"),
}
IMPORT_COUNTS = {
    "pairs_new": gettext_lazy("New pairs"),
    "pairs_known": gettext_lazy("Pairs already in the project"),
    "annotations_new": gettext_lazy("New annotations"),
    "annotations_known": gettext_lazy("Annotations already in the project"),
    "gold_new": gettext_lazy("New gold"),
    "gold_known": gettext_lazy("Gold already in the project"),
    "spans": gettext_lazy("Spans"),
    "gold_spans": gettext_lazy("Spans of the gold"),
    "broken": gettext_lazy("Spans without a token"),
    "overlaps": gettext_lazy("Tokens under more than one span"),
}
"""The counts of an import's report that are shown, by their names in it."""


def display_value(value: object) -> str:
    """A stored value as a reader sees it; long ones are cut."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list | tuple):
        return ", ".join(display_value(each) for each in value)
    if isinstance(value, dict):
        return _cut("; ".join(f"{key}: {display_value(each)}" for key, each in value.items()))
    text = str(value)
    return _cut(str(PHASE_NAMES.get(text) or VERDICT_NAMES.get(text) or text))


def _cut(text: str) -> str:
    return text if len(text) <= MAX_TEXT_LENGTH else text[: MAX_TEXT_LENGTH - 1] + "…"


def _project_rows(project: Project) -> Any:
    return Project.history.filter(id=project.pk)


def _settings(keys: Sequence[int]) -> dict[int, AuditEntry]:
    entries = {}
    for key, (row, before) in with_before(Project.history, keys).items():
        if before is None:
            entries[key] = AuditEntry(_("Project created"), row.name)
            continue
        if row.scheme != before.scheme:
            entries[key] = AuditEntry(_("Scheme changed"), values=_scheme_differences(before.scheme, row.scheme))
            continue
        rules = _rule_differences(*(rule_of(each.settings, Scheme.from_json(each.scheme)) for each in (before, row)))
        options = _options(before.settings, row.settings)
        values = changed_values([ValueChange(_("Name"), before.name, row.name), *options, *rules])
        entries[key] = AuditEntry(
            _("Settings changed") if values else _("Settings saved without a change"), values=values
        )
    return entries


def _options(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[ValueChange]:
    defaults = ProjectOptions().to_json()
    old, new = {**defaults, **before}, {**defaults, **after}
    return [
        ValueChange(str(SETTING_NAMES.get(name, name)), display_value(old.get(name)), display_value(new.get(name)))
        for name in {**old, **new}
        if name != KEY and old.get(name) != new.get(name)
    ]


def _rule_differences(before: RuleOf, after: RuleOf) -> list[ValueChange]:
    """What a change to the pass rule changed, each setting as its form calls it."""
    differences = []
    for name, each in settings_by_name(PassRule).items():
        title = _("Pass rule: %(setting)s") % {"setting": _(each.title)}
        differences.append(ValueChange(title, _rule_value(before, name), _rule_value(after, name)))
    return differences


def _rule_value(rule: RuleOf, name: str) -> str:
    if rule is None:
        return ""
    value = getattr(rule, name)
    match name:
        case "measure":
            return _(rule.chosen_measure.title)
        case "least":
            return format_agreement(value)
        case "parts":
            return "; ".join(f"“{key}” {format_agreement(least)}" for key, least in value.items())
        case "release":
            return str(RELEASES[value])
    return display_value(value)


def _scheme_differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[ValueChange, ...]:
    old, new = Scheme.from_json(dict(before)), Scheme.from_json(dict(after))
    listed = (
        (_("Name"), old.name, new.name),
        (_("Labels"), *(", ".join(label.name for label in each.labels) for each in (old, new))),
        (_("Questions"), *(", ".join(question.title for question in each.questions) for each in (old, new))),
    )
    values = changed_values(ValueChange(name, _cut(was), _cut(now)) for name, was, now in listed)
    return values or (ValueChange(_("Details of labels, questions or spans")),)


def _people(keys: Sequence[int]) -> dict[int, AuditEntry]:
    roles = dict(ROLES)
    entries = {}
    for key, (row, before) in with_before(Annotator.history, keys).items():
        role = ValueChange(_("Role"), str(roles.get(before.role, "")) if before else "", str(roles.get(row.role, "")))
        if before is None:
            entries[key] = AuditEntry(_("Person added"), row.alias, (role,))
        elif row.user_id is None and before.user_id is not None:
            entries[key] = AuditEntry(_("Access ended"), row.alias)
        elif row.user_id is not None and before.user_id is None:
            entries[key] = AuditEntry(_("Access granted"), row.alias)
        else:
            values = changed_values([ValueChange(_("Name"), before.alias, row.alias), role])
            entries[key] = AuditEntry(_("Person changed"), row.alias, values)
    return entries


def _glossary(keys: Sequence[int]) -> dict[int, AuditEntry]:
    actions = {"+": _("Glossary entry added"), "~": _("Glossary entry changed"), "-": _("Glossary entry deleted")}
    entries = {}
    for key, (row, before) in with_before(GlossaryEntry.history, keys).items():
        now = row if row.history_type != "-" else None
        values = changed_values(
            [
                ValueChange(
                    _("Translations"), *(display_value(each.translations) if each else "" for each in (before, now))
                ),
                ValueChange(_("Note"), *(each.note if each else "" for each in (before, now))),
            ]
        )
        about = f"{row.term} ({row.term_language} → {row.translation_language})"
        entries[key] = AuditEntry(actions.get(row.history_type, ""), about, values)
    return entries


def _imports(keys: Sequence[int]) -> dict[int, AuditEntry]:
    entries = {}
    for row in Import.objects.filter(pk__in=keys).only("names", "format", "report", "slug"):
        report = row.report if isinstance(row.report, dict) else {}
        counts = ((str(title), report.get(name)) for name, title in IMPORT_COUNTS.items())
        # An imported archive may have anything in a report.
        values = tuple(ValueChange(title, "", str(n)) for title, n in counts if type(n) is int and n)
        entries[row.pk] = AuditEntry(_("Pairs imported"), ", ".join(row.names) or row.format, values)
    return entries


def _guidelines(keys: Sequence[int]) -> dict[int, AuditEntry]:
    rows = Guideline.objects.filter(pk__in=keys).values_list("pk", "version")
    return {
        key: AuditEntry(_("Guidelines written: version %(version)s") % {"version": version}) for key, version in rows
    }


WEBHOOK_ACTIONS = {
    "added": gettext_lazy("Webhook added"),
    "changed": gettext_lazy("Webhook changed"),
    "rotated": gettext_lazy("Webhook given a new secret"),
    "enabled": gettext_lazy("Webhook enabled"),
    "disabled": gettext_lazy("Webhook disabled"),
    "broken": gettext_lazy("Webhook disabled because deliveries failed"),
    "removed": gettext_lazy("Webhook deleted"),
}
EVENT_KINDS = {
    ProjectEventType.DUPLICATED: Topic.PROJECT,
    ProjectEventType.ARCHIVED: Topic.PROJECT,
    ProjectEventType.UNARCHIVED: Topic.PROJECT,
    ProjectEventType.PLANNED: Topic.PLAN,
    ProjectEventType.REPLANNED: Topic.PLAN,
    ProjectEventType.SHARED: Topic.PLAN,
    ProjectEventType.REASSIGNED: Topic.PLAN,
    ProjectEventType.RETESTS: Topic.PLAN,
    ProjectEventType.REOPENED: Topic.GUIDELINES,
    ProjectEventType.EXPORTED: Topic.PUBLICATIONS,
    ProjectEventType.WEBHOOK: Topic.SETTINGS,
    ProjectEventType.EXCLUDED: Topic.GOLD,
    ProjectEventType.INCLUDED: Topic.GOLD,
}


def _event(row: ProjectEvent) -> AuditEntry:
    about = row.person.alias if row.person else ""
    details: dict[str, Any] = row.details
    n = int(details.get("assignments", 0))
    assigned = ngettext("%(n)s pair assigned", "%(n)s pairs assigned", n) % {"n": n}
    match row.what:
        case ProjectEventType.DUPLICATED:
            return AuditEntry(_("Duplicated from another project"), str(details.get("of", "")))
        case ProjectEventType.ARCHIVED:
            jobs = details.get("cancelled")
            cancelled = (ValueChange(_("Jobs cancelled"), "", str(jobs)),) if jobs else ()
            return AuditEntry(_("Project archived"), "", cancelled)
        case ProjectEventType.UNARCHIVED:
            return AuditEntry(_("Project unarchived"))
        case ProjectEventType.PLANNED:
            phases = [
                ValueChange(display_value(phase), "", str(count)) for phase, count in details.get("phases", {}).items()
            ]
            return AuditEntry(assigned, "", tuple(phases))
        case ProjectEventType.REPLANNED:
            phases = [
                ValueChange(display_value(phase), "", str(count)) for phase, count in details.get("phases", {}).items()
            ]
            gone = ValueChange(_("Withdrawn"), "", str(details.get("withdrawn", 0)))
            return AuditEntry(_("Plan changed"), assigned, (*phases, gone))
        case ProjectEventType.SHARED:
            return AuditEntry(_("Share assigned to a newcomer"), about, (ValueChange(_("Pairs"), "", str(n)),))
        case ProjectEventType.REASSIGNED:
            return AuditEntry(_("Pairs reassigned"), about, (ValueChange(_("Pairs"), "", str(n)),))
        case ProjectEventType.RETESTS:
            return AuditEntry(_("Re-tests assigned"), "", (ValueChange(_("Pairs"), "", str(n)),))
        case ProjectEventType.REOPENED:
            return AuditEntry(_("Outdated work reopened"), "", (ValueChange(_("Pairs"), "", str(n)),))
        case ProjectEventType.WEBHOOK:
            return AuditEntry(str(WEBHOOK_ACTIONS.get(str(details.get("action")), "")), str(details.get("host", "")))
        case ProjectEventType.EXCLUDED | ProjectEventType.INCLUDED:
            excluded = row.what == ProjectEventType.EXCLUDED
            if "pair" in details:
                what = _("Pair excluded from the gold") if excluded else _("Pair included in the gold again")
                return AuditEntry(what, str(details["pair"]))
            what = _("Documents excluded from the gold") if excluded else _("Documents included in the gold again")
            names = ", ".join(map(str, details.get("names", ())))
            values = (
                ValueChange(_("Documents"), "", str(details.get("documents", 0))),
                ValueChange(_("Pairs"), "", str(details.get("pairs", 0))),
            )
            return AuditEntry(what, names, values)
        case _:
            return AuditEntry(_("Exported by a command"), str(details.get("format", "")))


def _events(keys: Sequence[int]) -> dict[int, AuditEntry]:
    return {row.pk: _event(row) for row in ProjectEvent.objects.filter(pk__in=keys).select_related("person")}


def _qualification(keys: Sequence[int]) -> dict[int, AuditEntry]:
    what = {
        "words": _("Message about the qualification"),
        "words-back": _("Message about the qualification withdrawn"),
        "words-deleted": _("Message about the qualification, deleted with the account"),
        StepKind.RELEASE.value: _("Result of the qualification released"),
        StepKind.ADVANCE.value: _("Advanced after the qualification"),
        StepKind.RETRY.value: _("Qualification with other pairs"),
    }
    return {row.pk: _step(row, what[row.what]) for row in _steps(keys)}


def _undone_steps(keys: Sequence[int]) -> dict[int, AuditEntry]:
    what = {
        StepKind.WORDS.value: _("Message about the qualification withdrawn"),
        StepKind.ADVANCE.value: _("Advancement undone"),
        StepKind.RETRY.value: _("Qualification with other pairs undone"),
    }
    return {row.pk: _step(row, what.get(row.step, row.step)) for row in _steps(keys)}


def _steps(keys: Sequence[int]) -> Any:
    return QualificationStep.objects.filter(pk__in=keys).select_related("annotator")


def _step(row: QualificationStep, what: str) -> AuditEntry:
    agreement = None if row.value is None else format_agreement(row.value)
    numbers = ((_("Agreement"), agreement), (_("Compared pairs"), row.counted), (_("Pairs assigned"), row.pairs))
    values = [ValueChange(name, "", display_value(number)) for name, number in numbers if number is not None]
    if row.automatic:
        values.append(ValueChange(_("By the pass rule"), "", display_value(True)))
    return AuditEntry(what, row.annotator.alias, tuple(values))


def _corrections(keys: Sequence[int]) -> dict[int, AuditEntry]:
    rows = TimeCorrection.objects.filter(pk__in=keys).select_related("annotator")
    return {
        row.pk: AuditEntry(
            _("Time corrected"),
            row.annotator.alias,
            (
                ValueChange(_("Day"), "", date_format(row.day, "SHORT_DATE_FORMAT")),
                ValueChange(_("Minutes"), "", signed_minutes(row.seconds)),
                ValueChange(_("Reason"), "", _cut(row.reason)),
            ),
        )
        for row in rows
    }


def _events_source(kind: Topic) -> AuditSource:
    named = [what for what, each in EVENT_KINDS.items() if each == kind]
    return AuditSource(
        f"events-{kind}",
        kind,
        lambda project: ProjectEvent.objects.filter(project=project, what__in=named),
        "made",
        "made_by",
        _events,
    )


SOURCES = (
    AuditSource("settings", Topic.SETTINGS, _project_rows, "history_date", "history_user", _settings),
    AuditSource(
        "people",
        Topic.PEOPLE,
        lambda project: Annotator.history.filter(project=project.pk),
        "history_date",
        "history_user",
        _people,
    ),
    AuditSource(
        "time-corrections",
        Topic.PEOPLE,
        lambda project: TimeCorrection.objects.filter(annotator__project=project),
        "made",
        "made_by",
        _corrections,
    ),
    AuditSource(
        "glossary",
        Topic.GLOSSARY,
        lambda project: GlossaryEntry.history.filter(project=project.pk),
        "history_date",
        "history_user",
        _glossary,
    ),
    AuditSource(
        "guidelines",
        Topic.GUIDELINES,
        lambda project: Guideline.objects.filter(project=project),
        "made",
        "made_by",
        _guidelines,
    ),
    AuditSource(
        "imports",
        Topic.IMPORTS,
        lambda project: Import.objects.filter(project=project, status=JobStatus.DONE, dry_run=False),
        "finished",
        "made_by",
        _imports,
    ),
    AuditSource(
        "qualification",
        Topic.PEOPLE,
        lambda project: QualificationStep.objects.filter(annotator__project=project),
        "made",
        "made_by",
        _qualification,
    ),
    AuditSource(
        "qualification-undone",
        Topic.PEOPLE,
        lambda project: QualificationStep.objects.filter(annotator__project=project, undone__isnull=False),
        "undone",
        "undone_by",
        _undone_steps,
    ),
    *(
        _events_source(kind)
        for kind in (Topic.PROJECT, Topic.PLAN, Topic.GUIDELINES, Topic.GOLD, Topic.PUBLICATIONS, Topic.SETTINGS)
    ),
)
