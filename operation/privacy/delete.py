"""The removal of a person: their account and everything that identifies them; their work stays under a pseudonym."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from agreement.models import CachedReport, DryRun, GoldJob, GoldVersion, Publication
from annotation.errors import Conflict
from annotation.formats import export_formats
from annotation.formats.base import options_naming_people
from annotation.formats.xparade.names import EMPTY_COMMENTS, rename_in_metadata
from annotation.models import Annotation, Annotator, Assignment, Pair, Role, Source, User
from annotation.models.imports import Import, ImportFile
from annotation.models.people import Invitation
from annotation.models.qualification import QualificationStep
from annotation.models.time import TimeCorrection
from annotation.person_names import (
    rename_in_exclusions,
    rename_in_gold_counts,
    rename_in_options,
    rename_in_rule_settings,
)
from annotation.security_events import security_event
from annotation.selectors.export_records import published_names, reason_renamed, reasons_of_reassigned
from annotation.selectors.sessions import sessions_of
from annotation.services.time import MAX_REASON_LENGTH
from assist.models import EncoderComparison, ItemMaking, Mining, MiningArticle, Run
from operation.privacy.links import matches_person, memberships_of

DELETED_ACCOUNT = "deleted account"


@dataclass
class Removal:
    """What a removal changes. `renamed` maps memberships, as 'project: alias', to their pseudonyms.

    `kept` are files that can't be changed: publications with the project's own names. `leaderless` are projects whose
    only lead this person is; superusers still lead them.
    """

    username: str
    renamed: dict[str, str] = field(default_factory=dict)
    assignments: int = 0
    sessions: int = 0
    attempts: int = 0
    kept: list[str] = field(default_factory=list)
    leaderless: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """For people, in English."""
        lines = [f"The account {self.username} is deleted, with its e-mail address, preferences and password."]
        lines += [f"Membership {old}: becomes {new}." for old, new in self.renamed.items()]
        lines.append(f"{self.assignments} assignments, with all work on them, stay under these names.")
        lines.append(f"{self.sessions} sessions end; {self.attempts} records of log-ins are deleted.")
        lines += [f"Project {slug} loses its only lead." for slug in self.leaderless]
        lines += [f"{name} still contains people's names and is not changed; publish it again." for name in self.kept]
        return lines


def person_delete_preview(*, user: User) -> Removal:
    """What `person_delete` would change. Writes nothing. Raises Conflict for the only superuser."""
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    if user.is_superuser and not others.exists():
        raise Conflict(
            _("The only superuser can't be deleted."), where=user.get_username(), hint=_("Create another one first.")
        )
    memberships = memberships_of(user)
    leads = Annotator.objects.filter(role=Role.LEAD, user__is_active=True).exclude(user=user)
    whole = [name for name, form in export_formats().items() if form.complete]
    projects = [each.project for each in memberships]
    return Removal(
        user.get_username(),
        {f"{each.project.slug}: {each.alias}": _pseudonym(each) for each in memberships},
        Assignment.objects.filter(annotator__in=memberships).count(),
        len(sessions_of(user)),
        sum(model.objects.filter(matches_person("username", user)).count() for model in _ATTEMPTS),
        [str(each) for each in Publication.objects.filter(project__in=projects, format__in=whole)],
        [
            each.project.slug
            for each in memberships
            if each.user_id and each.role == Role.LEAD and not leads.filter(project=each.project_id).exists()
        ],
    )


@transaction.atomic
def person_delete(*, user: User) -> Removal:
    """Remove a person; see `docs/privacy.md`. Raises Conflict for the only superuser."""
    locked = User.objects.select_for_update().get(pk=user.pk)
    removal = person_delete_preview(user=locked)
    key, username = locked.pk, locked.get_username()
    pseudonyms: dict[int, str] = {}
    for membership in memberships_of(locked):
        pseudonyms[membership.project_id] = _pseudonym(membership)
        _rename(membership, pseudonyms[membership.project_id])
    _forget_deciders(locked, pseudonyms)
    _forget_files(locked)
    messages = QualificationStep.objects.filter(annotator__in=memberships_of(locked)).exclude(words="")
    messages.update(words="", details={"deleted": 1})
    TimeCorrection.objects.filter(annotator__in=memberships_of(locked)).update(reason="")
    for run in Run.objects.filter(requested_by=locked):
        run.log = _replace_word(username, DELETED_ACCOUNT)(run.log)
        run.save(update_fields=["log"])
    history: Any = Annotator.history
    for name in ("user", "former_user"):
        history.filter(**{name: key}).update(**{name: None})
    for session in sessions_of(locked):
        session.delete()
    if locked.email:
        Invitation.objects.filter(email__iexact=locked.email).delete()
    for model in _ATTEMPTS:
        model.objects.filter(matches_person("username", locked)).delete()
    locked.delete()
    security_event("person deleted", account=key)
    return removal


_ATTEMPTS: tuple[Any, ...] = (AccessAttempt, AccessLog, AccessFailureLog)


def _pseudonym(membership: Annotator) -> str:
    """The name under which the membership's work is published: everyone's published names stay as they are."""
    return published_names(membership.project)[membership.pk]


def _rename(membership: Annotator, pseudonym: str) -> None:
    """Give a membership its pseudonym wherever its alias is stored, in what people did not write."""
    alias, project = membership.alias, membership.project
    history: Any = Annotator.history
    called = {alias, *history.filter(id=membership.pk).values_list("alias", flat=True)}
    history.filter(id=membership.pk).update(alias=pseudonym, user=None, former_user=None)
    if alias == pseudonym:
        return
    # Without a row of its history, which would have the person.
    Annotator.objects.filter(pk=membership.pk).update(alias=pseudonym)
    exactly, within = _replace_exact(alias, pseudonym), _replace_word(alias, pseudonym)
    for version in GoldVersion.objects.filter(project=project):
        version.parameters = rename_in_rule_settings(version.parameters, exactly)
        version.counts = rename_in_gold_counts(version.counts, exactly)
        version.excluded = rename_in_exclusions(version.excluded, exactly)
        version.save(update_fields=["parameters", "counts", "excluded"])
    for pk, reason in reasons_of_reassigned(project).filter(reason__contains=alias).values_list("pk", "reason"):
        Annotation.objects.filter(pk=pk).update(reason=reason_renamed(reason, {alias: pseudonym}))
    for correction in TimeCorrection.objects.filter(annotator__project=project):
        reason = correction.reason
        for name in sorted(called, key=len, reverse=True):
            reason = _replace_word(name, pseudonym)(reason)[:MAX_REASON_LENGTH]
        if reason != correction.reason:
            correction.reason = reason
            correction.save(update_fields=["reason"])
    for pair in Pair.objects.filter(project=project, metadata__has_key=EMPTY_COMMENTS).only("metadata"):
        metadata = rename_in_metadata(pair.metadata, lambda name: pseudonym if name in called else str(name))
        Pair.objects.filter(pk=pair.pk).update(metadata=metadata)
    for each in Import.objects.filter(Q(project=project) | Q(slug=project.slug)):
        each.options = rename_in_options(each.options, options_naming_people(), exactly)
        for name in ("report", "warnings", "rejections"):
            setattr(each, name, _mapped(getattr(each, name), within))
        each.save(update_fields=["options", "report", "warnings", "rejections"])
    sent: Any
    for sent in (Mining, EncoderComparison, ItemMaking):
        for row in sent.objects.filter(project=project).only("file_names", "problem"):
            row.file_names, row.problem = _mapped(row.file_names, within), within(row.problem)
            row.save(update_fields=["file_names", "problem"])
    for computed in (CachedReport, DryRun, GoldJob):
        computed.objects.filter(project=project).delete()


def _forget_deciders(user: User, pseudonyms: dict[int, str]) -> None:
    """Replace the username in the origins of gold spans: by the project's pseudonym, if the person was a member."""
    gold = Annotation.objects.filter(Q(decided_by=user) | Q(pair__project__in=pseudonyms), source=Source.GOLD)
    for row in gold.select_related("pair").only("pk", "provenance", "pair__project_id").iterator(chunk_size=200):
        exactly = _replace_exact(user.get_username(), pseudonyms.get(row.pair.project_id, DELETED_ACCOUNT))
        changed = {
            key: {**origin, "by": exactly(origin["by"])} for key, origin in row.provenance.items() if "by" in origin
        }
        if changed:
            Annotation.objects.filter(pk=row.pk).update(provenance={**row.provenance, **changed})


def _forget_files(user: User) -> None:
    """Number the files that the person sent: what people call their files may name them. Their endings stay."""
    for sent in Import.objects.filter(made_by=user):
        numbered = _numbered(sent.names)
        for old, new in zip(sent.names, numbered, strict=True):
            unnamed = _file(old, new)
            for name in ("preview", "report", "rejections"):
                setattr(sent, name, _mapped(getattr(sent, name), unnamed))
            sent.problem = unnamed(sent.problem)
        sent.names = numbered
        sent.save(update_fields=["names", "preview", "report", "rejections", "problem"])
        # Those of a preview are still there, and are read again under these names.
        for file, new in zip(sent.files.order_by("pk"), numbered, strict=False):
            ImportFile.objects.filter(pk=file.pk).update(name=new)
    sent_by: Any
    for sent_by in (EncoderComparison, ItemMaking):
        for row in sent_by.objects.filter(requested_by=user).only("file_names"):
            sent_by.objects.filter(pk=row.pk).update(file_names=_numbered(row.file_names))
    for mining in Mining.objects.filter(requested_by=user).only("file_names", "result"):
        result = mining.result
        if result is not None:
            sources = {
                name: [{**version, "where": ""} for version in versions] for name, versions in result["sources"].items()
            }
            result = {**result, "sources": sources}
        Mining.objects.filter(pk=mining.pk).update(file_names=_numbered(mining.file_names), result=result)
    MiningArticle.objects.filter(mining__requested_by=user).update(where="")


def _numbered(names: list[str]) -> list[str]:
    return [f"file {number}{''.join(PurePath(name).suffixes[-1:])}" for number, name in enumerate(names, 1)]


def _file(old: str, new: str) -> Callable[[str], str]:
    """Replaces a file's name where a line of it is named (`name:line`), and the name of a file inside an archive."""
    pattern = re.compile(rf"(?<![\w.-]){re.escape(old)}(?:/[^:]*)?(?=:|$)")
    return lambda text: pattern.sub(lambda _: new, text)


def _replace_exact(old: str, new: str) -> Callable[[str], str]:
    return lambda text: new if text == old else text


def _replace_word(old: str, new: str) -> Callable[[str], str]:
    """Replaces a name where it is a word of its own."""
    pattern = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)")
    return lambda text: pattern.sub(lambda _: new, text)


def _mapped(value: Any, replace: Callable[[str], str]) -> Any:
    """JSON with all its strings, keys too, replaced."""
    if isinstance(value, str):
        return replace(value)
    if isinstance(value, dict):
        return {replace(key): _mapped(each, replace) for key, each in value.items()}
    if isinstance(value, list):
        return [_mapped(each, replace) for each in value]
    return value
