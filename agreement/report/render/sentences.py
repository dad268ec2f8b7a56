"""What the figures say, in the reader's language: `compute` says it by names, codes and numbers."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.report.compute.disputes import Cause, LikelyCause
from agreement.report.compute.effect import Highlights
from agreement.report.compute.summary_rows import SummaryRow
from agreement.report.display_names import OUTCOMES, person_name, quote_label

DRIFT_ASSUMPTION = gettext_lazy(
    "Kendall's τ-b between a document's position in the annotator's own order and its figure. It "
    "assumes independent documents in an order unrelated to their difficulty. The interval is a "
    "bootstrap over the annotator's documents."
)
CAUSES = {
    Cause.SAME_LABELS: gettext_lazy("same labels"),
    Cause.DIFFERENT_ANSWERS: gettext_lazy("same labels, different answers"),
    Cause.NOTHING_MARKED: gettext_lazy("%(name)s marked nothing"),
    Cause.NOTHING_MARKED_LATE: gettext_lazy("%(name)s marked nothing in the second half"),
    Cause.DIFFERENT_WORDS: gettext_lazy("different words marked"),
    Cause.LONGER_SPANS: gettext_lazy("same regions, longer spans by %(name)s"),
    Cause.DIFFERENT_LABELS: gettext_lazy("labels %(one)s and %(other)s on the same words"),
    Cause.ONE_SIDED_SPANS: gettext_lazy("one-sided spans: %(n)s by %(one)s, %(m)s by %(other)s"),
    Cause.DIFFERENT_BOUNDARIES: gettext_lazy("same regions, different boundaries"),
}
"""Why two annotators agree little. `name` is a person; `one` and `other` are two labels, or two people."""


def cause_text(found: LikelyCause, label_names: Mapping[str, str]) -> str:
    """The likely cause of low agreement in a few words. `label_names`: names of labels by key, where they differ."""
    people = [person_name(name) for name in found.people]
    labels = [quote_label(label_names.get(key, key)) for key in found.labels]
    values: dict[str, object] = {}
    if len(people) == 1:
        values["name"] = people[0]
    if both := labels or (people if len(people) == 2 else []):
        values["one"], values["other"] = both
    if found.counts:
        values["n"], values["m"] = found.counts
    return str(CAUSES[found.cause]) % values


def conclusion(highlights: Highlights) -> str:
    """What may be concluded about pre-labels from the intervals of the differences."""
    if highlights.differing:
        finding = _("With pre-labels, these outcomes differ by more than chance would explain: %(outcomes)s.") % {
            "outcomes": ", ".join(str(OUTCOMES.get(name, name)) for name in highlights.differing)
        }
    else:
        finding = _(
            "No outcome differs by more than chance would explain; this does not prove that pre-labels have no effect."
        )
    rests = _(
        "Pre-labels were shown on randomly selected assignments, so differences can be attributed to "
        "them. That does not show which labels are better: people who agree more may have followed the "
        "same suggestion."
    )
    return f"{finding} {rests}"


def row_name(row: SummaryRow) -> str:
    """What a row of a breakdown is about, as data and tables name it."""
    if row.people:
        one, other = row.people
        return _("%(one)s and %(other)s") % {"one": one, "other": other}
    return row.name or _("none")
