"""The four groups of the agreement page: which tables and plots belong to each, and the sentence that opens it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agreement.report.compute.figures import Figures
from agreement.report.display_names import person_name, quote_label
from agreement.report.render.tables import percent, whole
from annotation.figure_tables import NONE, Table

ANNOTATOR_TABLES = ("majority", "annotators", "answers", "annotator-pairs", "retests", "drift")
DISPUTE_TABLES = ("confusion",)
ANNOTATOR_PLOTS = ("labels",)
DISPUTE_PLOTS = ("documents", "confusion", "position")
OTHER_GROUP = "numbers"


def group_of_table(key: str) -> str:
    """'who', 'disputed' or 'numbers'."""
    return "who" if key in ANNOTATOR_TABLES else "disputed" if key in DISPUTE_TABLES else OTHER_GROUP


def group_of_plot(name: str) -> str:
    return "who" if name in ANNOTATOR_PLOTS else "disputed" if name in DISPUTE_PLOTS else OTHER_GROUP


def annotators_summary(figures: Figures) -> str:
    """Who differs from the others, in one or two sentences; '' if there is nothing to compare."""
    shares = sorted((estimate.value, name) for name, estimate in figures.majority.items() if estimate.value is not None)
    if len(shares) > 2:
        (lowest, name), others = shares[0], shares[1:]
        if percent(lowest, 1) == percent(others[-1][0], 1):
            same = _(
                "Nobody stands out: macro F1 (× 100) against the majority of the others is %(value)s for everyone."
            )
            return same % {"value": percent(lowest, 1)}
        say = _(
            "%(name)s differs most: macro F1 (× 100) against the majority of the others is %(lowest)s; everyone else's "
            "is %(low)s to %(high)s."
        )
        low, high = others[0][0], others[-1][0]
        return say % {
            "name": person_name(name),
            "lowest": percent(lowest, 1),
            "low": percent(low, 1),
            "high": percent(high, 1),
        }
    counts = [f"{person_name(name)}: {_spans(counted.spans)}" for name, counted in figures.annotators.items()]
    return _("Marked in the same documents: %(counts)s.") % {"counts": ", ".join(counts)} if counts else ""


def _spans(count: int) -> str:
    return ngettext("%(n)s span", "%(n)s spans", count) % {"n": whole(count)}


def disputes_summary(figures: Figures, disputes: int, label_names: Mapping[str, str]) -> str:
    """How much is disputed, and which two labels most often; '' if nothing is. `label_names` is by key."""
    if not disputes:
        return ""
    text = ngettext("%(n)s passage has different labels.", "%(n)s passages have different labels.", disputes)
    sentences = [text % {"n": whole(disputes)}]
    confused = dict(_confused_labels(figures))
    if confused and max(confused.values()):
        (one, other), count = max(confused.items(), key=lambda item: item[1])
        say = ngettext(
            "%(one)s and %(other)s are confused most often: %(n)s word.",
            "%(one)s and %(other)s are confused most often: %(n)s words.",
            count,
        )
        first, second = (quote_label(label_names.get(label, label)) for label in (one, other))
        sentences.append(say % {"one": first, "other": second, "n": whole(count)})
    return " ".join(sentences)


def _confused_labels(figures: Figures) -> Iterator[tuple[tuple[str, str], int]]:
    """Words by the two labels they were given, whoever gave which."""
    for i, one in enumerate(figures.labels):
        for j in range(i + 1, len(figures.labels)):
            yield (one, figures.labels[j]), figures.confusion[i][j] + figures.confusion[j][i]


def filled_columns(table: Table) -> list[int]:
    """The columns in which at least one row has something; the first, which names the rows, stays."""
    return [
        index
        for index in range(len(table.columns))
        if not index or any(row[index] not in ("", NONE) for row in table.rows)
    ]
