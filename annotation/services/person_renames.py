"""A new name of a person in a project, wherever the old one is stored."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from annotation.errors import Conflict, Invalid
from annotation.hooks import ON_RENAMING
from annotation.models import Annotation, Annotator, Project
from annotation.security_events import security_event
from annotation.selectors.export_records import assign_published_names, reason_renamed, reasons_of_reassigned
from annotation.services.archive_check import changes_project
from annotation.services.name_checks import name_check

MAX_ALIAS_LENGTH = 80


@changes_project("annotator.project_id")
@transaction.atomic
def person_rename(*, annotator: Annotator, alias: str) -> Annotator:
    """Give a person another name in the project. Their work, and the name it is published under, stay as they are.

    Raises Invalid for an invalid name, Conflict for one that someone else in the project has or once had, or that
    would change under which names people are published: an alias that is a number is published as it is.
    """
    Project.objects.select_for_update().get(pk=annotator.project_id)
    locked = Annotator.objects.select_for_update().get(pk=annotator.pk)
    alias, old = alias.strip(), locked.alias
    if not alias or len(alias) > MAX_ALIAS_LENGTH:
        raise Invalid(_("A name must have 1 to %(n)s characters.") % {"n": MAX_ALIAS_LENGTH}, where="alias")
    name_check(alias, "alias")
    if alias == old:
        return locked
    check_alias_free(locked.project, alias, except_for=locked.pk)
    people = list(
        Annotator.objects.filter(project=locked.project_id).order_by("pk").values_list("pk", "alias", "published_as")
    )
    renamed = [(pk, alias if pk == locked.pk else each, before) for pk, each, before in people]
    if assign_published_names(people) != assign_published_names(renamed):
        raise Conflict(
            _("With this name, people would be published under different names than before."),
            where="alias",
            code="published",
            hint=_(
                "Numeric names such as “1” or “annotator1” are published unchanged, so a name can't be changed to or "
                "from one."
            ),
        )
    locked.alias = alias
    locked.save()
    _reasons_rename(locked.project, old, alias)
    for rename in ON_RENAMING:
        rename(locked.project, old, alias)
    security_event("person renamed", account=locked.user_id, annotator=locked.pk, project=locked.project_id)
    return locked


def check_alias_free(project: Project, alias: str, *, except_for: int = 0) -> None:
    """Raises Conflict if someone else in the project has this name, or once had it: two people would be confused."""
    same = {"project": project.pk, "alias": alias}
    if Annotator.objects.filter(**same).exclude(pk=except_for).exists():
        raise Conflict(
            _("Someone else in this project is already called “%(alias)s”.") % {"alias": alias},
            where="alias",
            code="taken",
        )
    if Annotator.history.filter(**same).exclude(id=except_for).exists():
        raise Conflict(
            _("Someone else in this project was once called “%(alias)s”.") % {"alias": alias},
            where="alias",
            code="taken",
            hint=_("Choose a name that nobody has had."),
        )


def _reasons_rename(project: Project, old: str, new: str) -> None:
    """Work that was reassigned says to whom: 'Reassigned to Anna'."""
    for pk, reason in reasons_of_reassigned(project).filter(reason__contains=old).values_list("pk", "reason"):
        Annotation.objects.filter(pk=pk).update(reason=reason_renamed(reason, {old: new}))
