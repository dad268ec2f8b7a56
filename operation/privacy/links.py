"""Where people are in the database: every table that leads to an account or a membership.

A test compares this with all models: one that is added, with a link to either, fails it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db.models import Q, QuerySet

from annotation.models import Annotator, User


@dataclass(frozen=True, slots=True)
class PersonalTable:
    """A table with rows about a person, and the file of an export that they are in.

    `accounts` and `memberships` are lookups of the person's account and memberships, `names` those of the username,
    as it was typed at a log-in.
    `columns` are the only ones exported (none: all), `left_out` those that are not: they are about others, or secrets.
    """

    file: str
    label: str
    accounts: tuple[str, ...] = ()
    memberships: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


LINKS = (
    PersonalTable("account", "annotation.user", accounts=("pk",), left_out=("password",)),
    PersonalTable("api-tokens", "annotation.apitoken", accounts=("user",), left_out=("digest",)),
    PersonalTable("identities", "annotation.identity", accounts=("user",)),
    PersonalTable("memberships", "annotation.annotator", accounts=("user", "former_user")),
    PersonalTable(
        "memberships-history",
        "annotation.historicalannotator",
        accounts=("user", "former_user"),
        memberships=("id",),
        left_out=("history_user",),
    ),
    PersonalTable(
        "memberships-changed",
        "annotation.historicalannotator",
        accounts=("history_user",),
        columns=("project", "history_date", "history_type"),
    ),
    PersonalTable("assignments", "annotation.assignment", memberships=("annotator",)),
    PersonalTable(
        "annotations",
        "annotation.annotation",
        memberships=("assignment__annotator",),
        left_out=("provenance", "decided_by", "feedback"),
    ),
    PersonalTable("revisions", "annotation.revision", memberships=("annotation__assignment__annotator",)),
    PersonalTable(
        "dealt-with",
        "annotation.review",
        memberships=("annotation__assignment__annotator",),
        left_out=("made_by",),
    ),
    PersonalTable("dealt-with-by", "annotation.review", accounts=("made_by",), columns=("made",)),
    PersonalTable(
        "message-threads", "annotation.thread", memberships=("assignment__annotator",), left_out=("resolved_by",)
    ),
    PersonalTable("message-threads-resolved", "annotation.thread", accounts=("resolved_by",), columns=("resolved",)),
    PersonalTable(
        "messages", "annotation.message", memberships=("thread__assignment__annotator",), left_out=("author",)
    ),
    PersonalTable("messages-written", "annotation.message", accounts=("author",)),
    PersonalTable("messages-read", "annotation.threadreading", accounts=("reader",)),
    PersonalTable("revisions-of-gold", "annotation.revision", accounts=("made_by",)),
    PersonalTable(
        "gold-decisions", "annotation.annotation", accounts=("decided_by",), left_out=("provenance", "feedback")
    ),
    PersonalTable("dismissed-suggestions", "annotation.dismissal", memberships=("annotation__assignment__annotator",)),
    PersonalTable("references-seen", "annotation.referenceview", memberships=("annotator",)),
    PersonalTable(
        "qualification",
        "annotation.qualificationstep",
        memberships=("annotator",),
        left_out=("made_by", "undone_by"),
    ),
    PersonalTable(
        "qualification-decided",
        "annotation.qualificationstep",
        accounts=("made_by", "undone_by"),
        columns=("step", "made", "undone"),
    ),
    PersonalTable("hours", "annotation.workday", memberships=("annotator",)),
    PersonalTable("hours-corrected", "annotation.timecorrection", memberships=("annotator",), left_out=("made_by",)),
    PersonalTable(
        "hours-corrected-by", "annotation.timecorrection", accounts=("made_by",), columns=("day", "seconds", "made")
    ),
    PersonalTable("hourly-rates", "annotation.hourlyrate", memberships=("annotator",)),
    PersonalTable("languages-read", "annotation.readingskill", memberships=("annotator",)),
    PersonalTable(
        "invitations",
        "annotation.invitation",
        memberships=("membership", "accepted_as"),
        left_out=("nonce", "made_by"),
    ),
    PersonalTable(
        "invitations-made", "annotation.invitation", accounts=("made_by",), columns=("project", "made", "role")
    ),
    PersonalTable("projects-changed", "annotation.historicalproject", accounts=("history_user",)),
    PersonalTable("glossary-changed", "annotation.historicalglossaryentry", accounts=("history_user",)),
    PersonalTable("guidelines-written", "annotation.guideline", accounts=("made_by",)),
    PersonalTable("project-events", "annotation.projectevent", accounts=("made_by",), left_out=("person",)),
    PersonalTable("project-events-about", "annotation.projectevent", memberships=("person",), left_out=("made_by",)),
    PersonalTable("project-deletions", "annotation.projectdeletion", accounts=("made_by",)),
    PersonalTable("webhooks-added", "annotation.webhook", accounts=("made_by",), columns=("project", "made", "events")),
    PersonalTable("imports", "annotation.import", accounts=("made_by",), left_out=("report", "warnings", "rejections")),
    PersonalTable("runs", "assist.run", accounts=("requested_by",), left_out=("training", "log")),
    PersonalTable("minings", "assist.mining", accounts=("requested_by",), left_out=("result",)),
    PersonalTable("items-made", "assist.itemmaking", accounts=("requested_by",), left_out=("text", "result")),
    PersonalTable(
        "encoder-comparisons",
        "assist.encodercomparison",
        accounts=("requested_by",),
        left_out=("tables", "result", "rows"),
    ),
    PersonalTable("gold-versions", "agreement.goldversion", accounts=("made_by",), left_out=("parameters", "excluded")),
    PersonalTable("gold-requested", "agreement.goldjob", accounts=("made_by",), left_out=("parameters", "problem")),
    PersonalTable("exclusions", "agreement.exclusion", accounts=("made_by",)),
    PersonalTable("consent-withdrawn", "agreement.withdrawal", memberships=("annotator",), left_out=("made_by",)),
    PersonalTable("consent-recorded", "agreement.withdrawal", accounts=("made_by",), columns=("made",)),
    PersonalTable("publications", "agreement.publication", accounts=("made_by",)),
    PersonalTable("pushes", "agreement.push", accounts=("made_by",)),
    PersonalTable("log-in-attempts", "axes.accessattempt", names=("username",)),
    PersonalTable("log-ins", "axes.accesslog", names=("username",), left_out=("session_hash",)),
    PersonalTable("failed-log-ins", "axes.accessfailurelog", names=("username",)),
)

UNUSED = ("annotation.user_groups", "annotation.user_user_permissions")
"""Tables that Django brings and Diptych leaves empty, as it does django-allauth's; their rows go with the account."""


def memberships_of(user: User) -> list[Annotator]:
    """Every membership that is or was the person's."""
    return list(Annotator.objects.filter(Q(user=user) | Q(former_user=user)).select_related("project").order_by("pk"))


def matches_person(column: str, user: User) -> Q:
    """Rows in whose `column` the person's username was typed, in any case, or their e-mail address in its place."""
    condition = Q(**{f"{column}__iexact": user.get_username()})
    return condition | Q(**{f"{column}__iexact": user.email}) if user.email else condition


def rows_of(link: PersonalTable, user: User, memberships: list[Annotator]) -> QuerySet[Any]:
    """The rows of a table that are about a person."""
    about = Q(pk__in=[])
    for path in link.accounts:
        about |= Q(**{path: user.pk})
    for path in link.memberships:
        about |= Q(**{f"{path}__in": [each.pk for each in memberships]})
    for path in link.names:
        about |= matches_person(path, user)
    model: Any = apps.get_model(link.label)
    rows: QuerySet[Any] = model._base_manager.filter(about).order_by("pk")
    return rows
