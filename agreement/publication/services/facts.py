"""Writes of what people state for a project's card."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from django.db import transaction
from django.utils.translation import gettext as _

from agreement.publication.facts import CREATORS, KEY, LABELS, LINE, LONGEST, NAMES, CardFacts, facts_missing, facts_of
from annotation.errors import Conflict, Invalid, sentences
from annotation.models import Project

_DATASET = re.compile(r"[\w.-]{1,96}(/[\w.-]{1,96})?")


def facts_checked(values: Mapping[str, str]) -> CardFacts:
    """The facts in `values`, trimmed; what is absent is not stated. Raises Invalid naming the field."""
    if unknown := sorted(set(values) - set(NAMES)):
        reason = _("There is no such field. Available: %(fields)s.") % {"fields": ", ".join(NAMES)}
        raise Invalid(reason, where=unknown[0])
    given = {name: values.get(name, "").replace("\r\n", "\n").strip() for name in NAMES}
    for name, value in given.items():
        most = LONGEST.get(name, LINE)
        if len(value) > most:
            raise Invalid(_("At most %(most)s characters are possible.") % {"most": most}, where=name)
        if name not in LONGEST and "\n" in value:
            raise Invalid(_("This has to be one line."), where=name)
    facts = CardFacts(**given)
    if facts.creators and facts.creators not in CREATORS:
        raise Invalid(_("Choose one of: %(names)s.") % {"names": ", ".join(CREATORS)}, where="creators")
    for name in facts.datasets:
        if not _DATASET.fullmatch(name):
            raise Invalid(
                _("“%(name)s” is not the name of a dataset on a hub.") % {"name": name},
                where="source_datasets",
                hint=_("Write names such as owner/dataset, separated by commas."),
            )
    for name, url in (("homepage", facts.homepage), ("paper", facts.paper)):
        if url and not _is_page(url):
            raise Invalid(_("An address that starts with https:// is expected."), where=name)
    return facts


def _is_page(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not re.search(r"[\s<>\"]", url)


@transaction.atomic
def facts_save(*, project: Project, values: Mapping[str, str], base: int) -> int:
    """Save what people state for a card on top of revision `base`; returns the new revision.

    Unchanged facts make no revision. The history of the project keeps every one. Raises Invalid naming the field,
    Conflict if someone else saved a revision in the meantime.
    """
    facts = facts_checked(values)
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


def check_publishable(project: Project, *, facts: CardFacts, licence: str) -> None:
    """Raises Invalid, naming every field, if something is missing that a dataset's card has to state."""
    missing = facts_missing(project, facts, licence)
    if missing:
        named = ", ".join(str(LABELS[name]) for name in missing)
        raise Invalid(
            sentences(_("The card can't be published yet. Missing: %(fields)s.") % {"fields": named}),
            code="card-incomplete",
            where=missing[0],
            payload={"missing": missing},
        )
