"""The list of pairs behind a figure of the analyses, in words: its heading, its sentence, its columns and cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agreement.prelabel_eval.analyses_lists import (
    FAILED,
    PROCESSED,
    RANKED,
    WITHOUT,
    AnalysedRow,
    FigurePart,
    PairList,
)
from agreement.report.display_names import quote_label
from agreement.report.render.tables import minutes, number, percent, share_of, whole
from annotation.display_names import OUTCOMES, phase_name
from annotation.scheme_words import label_name
from annotation.text.schemes import Scheme

RowTarget = Literal["texts", "gold", "work"]


@dataclass(frozen=True, slots=True)
class ListPage:
    """A list as its page shows it. `leads_to`: what a row opens, the texts with people's labels, these with the gold,
    or the page of the pair with everyone's work on it.
    """

    heading: str
    answer: str
    columns: tuple[str, ...]
    cells: Callable[[AnalysedRow], tuple[str, ...]]
    leads_to: RowTarget


def list_page(part: FigurePart, pairs: PairList, scheme: Scheme) -> ListPage:
    """The page of a list. `scheme`: the project's, whose names labels have."""
    if part.kind == "labels":
        return _labels(part, pairs, label_name(scheme, part.of))
    makers = {"times": _times, "failures": _failures, "verdicts": _verdicts}
    return (_ranked if part.kind in RANKED else makers[part.kind])(part, pairs)


def _pairs(pairs: PairList) -> str:
    n = len({row.annotated.pair for row in pairs.rows})
    return ngettext("%(n)s pair", "%(n)s pairs", n) % {"n": whole(n)}


def _ranked(part: FigurePart, pairs: PairList) -> ListPage:
    tokens, rho = pairs.totals
    of = {
        "position": _("tenth %(n)s") % {"n": part.of},
        "length": _("quarter %(n)s from short to long") % {"n": part.of},
        "languages": part.of,
        "annotators": _("labels of %(person)s") % {"person": part.of},
    }[part.kind]
    text = _(
        "%(pairs)s, %(tokens)s tokens: Spearman's ρ × 100 is %(rho)s over all of them. Pairs in which scores order "
        "labels worst come first."
    )
    columns = (
        _("tokens"),
        _("with a label other than the default"),
        _("mean score of these"),
        _("mean score of the others"),
        _("ρ within the pair (× 100)"),
    )
    return ListPage(
        _("Correlation: %(run)s, %(part)s") % {"run": part.run, "part": of},
        text % {"pairs": _pairs(pairs), "tokens": whole(_count(tokens)), "rho": percent(_float(rho))},
        columns,
        lambda row: (
            *map(_whole_number, row.values[:2]),
            *(number(_float(value)) for value in row.values[2:4]),
            percent(_float(row.values[4])),
        ),
        "gold" if pairs.gold else "texts",
    )


def _labels(part: FigurePart, pairs: PairList, label: str) -> ListPage:
    tokens, labelled = map(_count, pairs.totals)
    params = {"pairs": _pairs(pairs), "tokens": whole(tokens), "n": whole(labelled)}
    share = share_of(labelled, tokens)
    if part.of:
        answer = _("%(pairs)s: %(n)s of %(tokens)s tokens have this label, %(share)s%%.") % {**params, "share": share}
    else:
        answer = _("%(pairs)s, %(tokens)s tokens.") % params
    what = _("label %(label)s") % {"label": quote_label(label)} if part.of else _("all tokens")
    where = f"{part.languages}, {part.language} ({part.side.upper()})"
    who = () if pairs.gold else (_("annotator"),)
    return ListPage(
        _("Labels: %(languages)s, %(what)s") % {"languages": where, "what": what},
        answer,
        (*who, _("tokens"), *((_("with this label"), _("share (× 100)")) if part.of else ())),
        lambda row: (
            *(() if pairs.gold else (row.annotated.annotator,)),
            *map(_whole_number, row.values[: 2 if part.of else 1]),
            *((share_of(_count(row.values[1]), _count(row.values[0])),) if part.of else ()),
        ),
        "gold" if pairs.gold else "texts",
    )


def _times(part: FigurePart, pairs: PairList) -> ListPage:
    seconds = _count(pairs.totals[1])
    n = len(pairs.rows)
    text = ngettext(
        "%(n)s submission, %(minutes)s minutes on average, longest first.",
        "%(n)s submissions, %(minutes)s minutes on average, longest first.",
        n,
    )
    kind = _("long pairs") if part.of == "long" else _("short pairs")
    return ListPage(
        _("Active time: %(languages)s, %(pairs)s") % {"languages": part.languages, "pairs": kind},
        text % {"n": whole(n), "minutes": minutes(seconds / n if n else None)},
        (_("annotator"), _("phase"), _("tokens"), _("minutes"), _("seconds per 100 tokens")),
        lambda row: (
            *_annotator_cells(row),
            _whole_number(row.values[0]),
            minutes(_float(row.values[1])),
            number(100 * _count(row.values[1]) / _count(row.values[0]) if row.values[0] else None, 1),
        ),
        "work",
    )


def _failures(part: FigurePart, pairs: PairList) -> ListPage:
    some, of = map(_count, pairs.totals)
    names = {
        PROCESSED: _("pairs processed"),
        FAILED: _("failed"),
        WITHOUT: _("without pre-labels"),
        "repaired": _("answers repaired"),
        "unusable": _("answers unusable"),
        "padded": _("words without a label of their own"),
    }
    heading = f"{part.run}: {names[part.of]}"
    params = {"n": whole(some), "of": whole(of), "share": share_of(some, of)}
    if part.of in (PROCESSED, FAILED, WITHOUT):
        outcomes = {PROCESSED: _("processed"), FAILED: _("failed"), WITHOUT: _("without pre-labels")}
        answer = _("%(n)s of %(of)s pairs, %(share)s%%.") % params
        columns = (_("outcome"), _("reason"))
        return ListPage(
            heading, answer, columns, lambda row: (outcomes[str(row.values[0])], str(row.values[1])), "work"
        )
    answer = _("%(n)s of %(of)s, %(share)s%%; pairs without any are not listed.") % params
    all_of = _("words") if part.of == "padded" else _("answers")
    return ListPage(
        heading,
        answer,
        (names[part.of], all_of, _("share (× 100)")),
        lambda row: (*map(_whole_number, row.values), share_of(_count(row.values[0]), _count(row.values[1]))),
        "work",
    )


def _verdicts(part: FigurePart, pairs: PairList) -> ListPage:
    n = len(pairs.rows)
    return ListPage(
        _("Verdict: %(verdict)s") % {"verdict": OUTCOMES[part.of]},
        ngettext("%(n)s time.", "%(n)s times.", n) % {"n": whole(n)},
        (_("annotator"), _("phase")),
        _annotator_cells,
        "work",
    )


def _annotator_cells(row: AnalysedRow) -> tuple[str, str]:
    return row.annotated.annotator, phase_name(row.annotated.phase)


def _count(value: Any) -> int:
    return int(value)


def _float(value: Any) -> float | None:
    return None if value is None else float(value)


def _whole_number(value: Any) -> str:
    return whole(int(value))
