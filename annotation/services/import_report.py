"""What an import did, or would do: counts and warnings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.display_names import format_count
from annotation.errors import Invalid
from annotation.formats.columns import ColumnMapping
from annotation.formats.record import PairRecord, Rejection
from annotation.formats.source_warnings import BROKEN_SPANS, OVERLAPS, warning_phrase
from annotation.phrases import Phrase

MAX_REJECTIONS_SHOWN = 200


def scheme_advice(better: str) -> str:
    """Advice that the preset `better` has the labels that the project's scheme lacks; '' for none."""
    if not better:
        return ""
    return _(
        "The scheme %(scheme)s has all the labels in these files. To keep them, import into a new "
        "project with that scheme (--scheme %(scheme)s)."
    ) % {"scheme": better}


_NUMBERED = re.compile(r"(.*?):(?: (?:row|pair))? ?(\d+)$", re.DOTALL)


def sort_rejections(rejections: Iterable[Rejection]) -> list[Rejection]:
    """By file, then by line, as people mend them: checks run one after the other, each over all lines.

    What concerns a whole file comes first; what concerns one line stays in the order of the checks.
    """

    def position(rejection: Rejection) -> tuple[str, int]:
        match = _NUMBERED.match(rejection.where)
        return (match[1], int(match[2])) if match else (rejection.where, 0)

    return sorted(rejections, key=position)


class ImportRefused(Invalid):
    """An import that was refused as a whole; `rejections` names everything that is wrong.

    `better_scheme`: the preset with the labels that it was refused for, '' for none. `records` and `table` are what
    could be read.
    """

    code = "import-refused"

    def __init__(
        self,
        rejections: Sequence[Rejection],
        better_scheme: str = "",
        *,
        records: Sequence[PairRecord] = (),
        table: ColumnMapping | None = None,
    ) -> None:
        self.rejections = sort_rejections(rejections)
        self.records, self.table = records, table
        self.better_scheme = better_scheme
        count = len(self.rejections)
        super().__init__(
            self.summary(count) % {"n": format_count(count)},
            where=self.rejections[0].where,
            hint=self.rejections[0].phrase.text(_),
            payload={"rejections": [item.to_json() for item in self.rejections]},
        )

    @staticmethod
    def summary(count: int) -> str:
        """What did not happen, with how many problems as the placeholder `n`."""
        return ngettext(
            "Nothing was imported: %(n)s problem found.", "Nothing was imported: %(n)s problems found.", count
        )


@dataclass(slots=True)
class ImportReport:
    """Counts of one import. `spans` and the fields after it count new human annotations.

    `annotators_new` and `leads_new`: aliases of the new people, whose accounts nobody can log in to.
    `broken`: spans without a token; `overlaps`: tokens under more than one span of the same annotation;
    `source_warnings`: how the imported data deviates from the source; `documents`: the `ParallelDocumentReport` as
    JSON, None for sources without parallel documents.
    """

    project: str
    project_is_new: bool = False
    dry_run: bool = False
    pairs_new: int = 0
    pairs_known: int = 0
    annotators_new: list[str] = field(default_factory=list)
    leads_new: list[str] = field(default_factory=list)
    annotations_new: int = 0
    annotations_known: int = 0
    gold_new: int = 0
    gold_known: int = 0
    spans: int = 0
    gold_spans: int = 0
    broken: int = 0
    overlaps: int = 0
    source_warnings: Counter[str] = field(default_factory=Counter)
    better_scheme: str = ""
    documents: dict[str, Any] | None = None

    @property
    def warnings(self) -> dict[str, int]:
        """All warnings and their counts."""
        counts = Counter(self.source_warnings)
        counts[BROKEN_SPANS.text()] = self.broken
        counts[OVERLAPS.text()] = self.overlaps
        return {name: count for name, count in sorted(counts.items()) if count}

    def stored_fields(self) -> dict[str, Any]:
        """The fields of an import's row that store this report."""
        return {"report": self.to_json(), "warnings": self.warnings, "better_scheme": self.better_scheme}

    def to_json(self) -> dict[str, Any]:
        """The report as it is stored, `source_warnings` under the key `oddities`."""
        data = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "source_warnings"}
        return data | {"oddities": dict(self.source_warnings)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ImportReport:
        """The report stored by `to_json`."""
        fields = {name: value for name, value in data.items() if name != "oddities"}
        return cls(**fields, source_warnings=Counter(data["oddities"]))

    def lines(self) -> list[str]:
        """The report as lines of text, in the reader's language."""
        if self.project_is_new:
            title = _("Would import into %(project)s (new):") if self.dry_run else _("Imported into %(project)s (new):")
        else:
            title = _("Would import into %(project)s:") if self.dry_run else _("Imported into %(project)s:")
        result = [
            title % {"project": self.project},
            _("  pairs: %(new)s new, %(known)s already there")
            % {"new": format_count(self.pairs_new), "known": format_count(self.pairs_known)},
            _("  annotations: %(new)s new, %(known)s already there")
            % {"new": format_count(self.annotations_new), "known": format_count(self.annotations_known)},
            _("  gold: %(new)s new, %(known)s already there")
            % {"new": format_count(self.gold_new), "known": format_count(self.gold_known)},
            _("  spans: %(spans)s by annotators, %(gold)s gold")
            % {"spans": format_count(self.spans), "gold": format_count(self.gold_spans)},
        ]
        if self.annotators_new:
            names = ", ".join(self.annotators_new)
            result.append(_("  new annotators, who can't log in yet: %(names)s") % {"names": names})
        if self.leads_new:
            names = ", ".join(self.leads_new)
            result.append(_("  new leads, who can't log in yet: %(names)s") % {"names": names})
        if self.documents:
            result += parallel_document_lines(self.documents)
        result.extend(
            _("  warning: %(n)s × %(what)s") % {"n": format_count(count), "what": warning_phrase(name).text(_)}
            for name, count in self.warnings.items()
        )
        return result


def parallel_document_lines(documents: Mapping[str, Any]) -> list[str]:
    """What became of documents in several languages, as lines of text in the reader's language."""
    lines = [
        _("  documents: %(kept)s kept, %(dropped)s dropped")
        % {"kept": format_count(documents["kept"]), "dropped": format_count(documents["dropped_documents"])}
    ]
    for each in documents["dropped"]:
        name = " ".join(filter(None, (each["document"], each["language"])))
        lines.append(f"    {name}: {Phrase.from_json(each['phrase']).text(_)}")
    if documents["dropped_more"]:
        lines.append(_("    and %(n)s more") % {"n": format_count(documents["dropped_more"])})
    for row in documents["statistics"]:
        size = _("%(documents)s documents, %(tokens)s tokens (%(min)s to %(max)s, mean %(mean)s)") % row
        name = f"    {row['subdomain']}" if row["subdomain"] else f"  {row['languages']}, {row['language']}"
        lines.append(f"{name}: {size}")
    return lines
