"""Writes of what people state for a project's card."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction
from django.utils.translation import gettext as _

from agreement.publication.facts import KEY, LABELS, NAMES, CardFacts, fact_problem, facts_missing, facts_of
from annotation.errors import Conflict, Invalid, sentences
from annotation.models import Project


def validated_facts(values: Mapping[str, str]) -> CardFacts:
    """The facts in `values`, trimmed; what is absent is not stated. Raises Invalid naming the field."""
    if unknown := sorted(set(values) - set(NAMES)):
        reason = _("There is no such field. Available: %(fields)s.") % {"fields": ", ".join(NAMES)}
        raise Invalid(reason, where=unknown[0])
    facts = {name: values.get(name, "").replace("\r\n", "\n").strip() for name in NAMES}
    if problem := next(filter(None, (fact_problem(name, value) for name, value in facts.items())), None):
        raise problem
    return CardFacts(**facts)


@transaction.atomic
def facts_save(*, project: Project, values: Mapping[str, str], base: int) -> int:
    """Save what people state for a card on top of revision `base`; returns the new revision.

    Unchanged facts make no revision. The history of the project keeps every one. Raises Invalid naming the field,
    Conflict if someone else saved a revision in the meantime.
    """
    facts = validated_facts(values)
    locked = Project.objects.select_for_update().get(pk=project.pk)
    current, revision = facts_of(locked)
    if current == facts and revision:
        return revision
    if base != revision:
        raise Conflict(
            _("Someone else saved revision %(number)s in the meantime.") % {"number": revision},
            where=project.name,
            hint=_("Open the page again, and add your changes to theirs."),
        )
    locked.settings = {
        **locked.settings,
        KEY: {"revision": revision + 1, **{name: getattr(facts, name) for name in NAMES}},
    }
    locked.save()
    return revision + 1


def check_publishable(project: Project, *, facts: CardFacts, licence: str, description: str) -> None:
    """Raises Invalid, naming every field, if something is missing that a dataset's card has to state."""
    missing = facts_missing(project, facts, licence, description)
    if missing:
        named = ", ".join(str(LABELS[name]) for name in missing)
        raise Invalid(
            sentences(_("The card can't be published yet. Missing: %(fields)s.") % {"fields": named}),
            code="card-incomplete",
            where=missing[0],
            payload={"missing": missing},
        )
