"""What only people know about a dataset: whom to ask, where the texts come from, how people were found and paid.

Kept with the project's settings, whose history has every revision. The card prints it; a dataset is published only when
nothing that has to be stated is missing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import urlsplit

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from agreement.publication.repository_names import is_repository_name
from annotation.errors import Invalid
from annotation.models import Assignment, Pair, Project
from annotation.phrases import Phrase
from annotation.strict_json import first_unprintable, has_visible_text, name_problem
from annotation.text.markdown import markdown_html

KEY = "card"
UNKNOWN = "unknown"
LICENCE = "licence"
DESCRIPTION = "description"
OTHER = "other"
"""A licence that the description names."""
LICENCES = (
    (UNKNOWN, _("not specified yet")),
    ("cc-by-4.0", "CC BY 4.0"),
    ("cc-by-sa-4.0", "CC BY-SA 4.0"),
    ("cc-by-nc-4.0", "CC BY-NC 4.0"),
    ("cc-by-nc-sa-4.0", "CC BY-NC-SA 4.0"),
    ("cc0-1.0", "CC0 1.0"),
    ("odc-by", "ODC-By"),
    (OTHER, _("other (named in the description)")),
)
"""The licences that can be chosen, as hubs name them."""
CREATORS = {
    "expert-generated": _("experts, such as linguists or translators"),
    "crowdsourced": _("crowd workers"),
    "found": _("the annotations came with the texts"),
    "other": _("others"),
}
"""Who annotated, in the hub's terms."""
LABELS: dict[str, Any] = {
    LICENCE: _("Licence"),
    DESCRIPTION: _("Description"),
    "contact": _("Contact"),
    "citation": _("Citation"),
    "sources": _("Source of the texts"),
    "source_datasets": _("Datasets the texts are from"),
    "texts_licence": _("Licence of the texts"),
    "creators": _("Annotators"),
    "recruitment": _("Recruitment"),
    "pay": _("Pay"),
    "limits": _("Known limitations"),
    "homepage": _("Homepage"),
    "paper": _("Paper"),
}
OPTIONAL = ("source_datasets", "homepage", "paper")
MAX_FACT_LENGTHS = {"citation": 5_000, "limits": 10_000, "sources": 2_000, "recruitment": 2_000, "pay": 1_000}
_TAG = re.compile(r"<[^>]*>")
MAX_REVISIONS = 2**31 - 1
"""The largest number of a revision that the form takes, and databases of both kinds hold."""
LINE = 300
"""Characters of a fact that MAX_FACT_LENGTHS doesn't name."""


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What people stated for a project's card; '' is not stated. `limits` and `recruitment` are Markdown.

    `source_datasets` are names on the hub, separated by commas; without any, the texts were new.
    """

    contact: str = ""
    citation: str = ""
    sources: str = ""
    source_datasets: str = ""
    texts_licence: str = ""
    creators: str = ""
    recruitment: str = ""
    pay: str = ""
    limits: str = ""
    homepage: str = ""
    paper: str = ""

    @property
    def datasets(self) -> list[str]:
        return [name.strip() for name in self.source_datasets.split(",") if name.strip()]

    def missing(self, annotated: bool = True) -> list[str]:
        """The names of facts that have to be stated and aren't; those about annotators only if there are any."""
        people = () if annotated else ("creators", "recruitment", "pay")
        return [
            each.name
            for each in fields(self)
            if each.name not in (*OPTIONAL, *people) and not has_visible_text(getattr(self, each.name))
        ]


NAMES = tuple(each.name for each in fields(CardFacts))


def facts_of(project: Project) -> tuple[CardFacts, int]:
    """What was stated for a project, and its revision (0: nothing yet).

    What nobody could have saved, such as a value from an archive made by others, counts as not stated.
    """
    raw = project.settings.get(KEY)
    stored: Mapping[str, Any] = raw if isinstance(raw, dict) else {}
    revision = stored.get("revision")
    facts = {name: value for name in NAMES if not _is_invalid(name, value := stored.get(name, ""))}
    return CardFacts(**facts), revision if type(revision) is int and 0 < revision < MAX_REVISIONS else 0


def _is_invalid(name: str, value: object) -> bool:
    return not isinstance(value, str) or fact_problem(name, value) is not None


def fact_problem(name: str, value: str) -> Invalid | None:
    """Why a fact can't have a value; None if it can."""
    most, problem, hint = MAX_FACT_LENGTHS.get(name, LINE), "", ""
    if len(value) > most:
        problem = gettext("At most %(most)s characters are allowed.") % {"most": most}
    elif name not in MAX_FACT_LENGTHS and len(value.splitlines()) > 1:
        problem = gettext("This has to be one line.")
    elif (name not in MAX_FACT_LENGTHS and (reason := name_problem(value))) or (reason := text_problem(value)):
        problem = reason.text(gettext)
    elif name == "creators" and value and value not in CREATORS:
        problem = gettext("Choose one of: %(names)s.") % {"names": ", ".join(CREATORS)}
    elif name in ("homepage", "paper") and value and not _is_page(value):
        problem = gettext("An address that starts with https:// is expected.")
    elif name == "source_datasets":
        for each in CardFacts(source_datasets=value).datasets:
            if not is_repository_name(each, needs_owner=False):
                problem = gettext("“%(name)s” is not the name of a dataset on a hub.") % {"name": each}
                hint = gettext("Enter names such as owner/dataset, separated by commas.")
    return Invalid(problem, where=name, hint=hint) if problem else None


def text_problem(text: str) -> Phrase | None:
    """Why a text of several lines can't be printed; None if it can."""
    character = next(filter(None, (first_unprintable(line.replace("\t", " ")) for line in text.split("\n"))), "")
    if character:
        return Phrase("contains an invisible character (%(character)s); remove it", {"character": character})
    return None


def check_description(description: str) -> None:
    """Raises Invalid for a description that can't be printed."""
    if reason := text_problem(description.replace("\r\n", "\n")):
        raise Invalid(reason.text(gettext), where=DESCRIPTION)


def _is_page(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not re.search(r"[\s<>\"]", url)


def facts_missing(project: Project, facts: CardFacts, licence: str, description: str = "") -> list[str]:
    """The names of everything that has to be stated before the project is published as a dataset."""
    annotated = Assignment.objects.filter(pair__project=project, annotation__isnull=False).exists()
    unlicensed = [LICENCE] if licence in ("", UNKNOWN) else []
    undescribed = (
        [DESCRIPTION] if licence == OTHER and not has_visible_text(_TAG.sub("", markdown_html(description))) else []
    )
    return [*unlicensed, *undescribed, *facts.missing(annotated)]


def check_licence(licence: str) -> None:
    """Raises Invalid for a licence that can't be chosen."""
    names = [name for name, _shown in LICENCES]
    if licence not in names:
        raise Invalid(
            gettext("“%(licence)s” is not a licence that can be chosen.") % {"licence": licence[:80]},
            where=LICENCE,
            hint=gettext("Choose one of: %(names)s.") % {"names": ", ".join(names)},
        )


def suggested_facts(project: Project) -> CardFacts:
    """What the data say already: the sites that the texts' addresses are on."""
    sites: Counter[str] = Counter()
    for metadata in Pair.objects.filter(project=project).values_list("metadata", flat=True).iterator():
        urls = (str(metadata.get(name, "")) for name in ("url_a", "url_b", "url"))
        sites.update({host for url in urls if (host := _host(url))})
    return CardFacts(sources=", ".join(name for name, _count in sites.most_common(10)))


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
