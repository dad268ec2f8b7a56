"""What differs between two publications of a project as datasets: pairs, texts, spans and labels, down to the rows.

Both are read from their files, a batch of rows at a time, so that the comparison is of what others have; labels are
named by the files too, because the project's scheme may have changed since. Compared are a pair's texts, languages,
split, mirror, metadata and translations, and of work and gold the verdict, reason, comment and answers, and each span's
words, label and comment. What a lead chose for each (licence, description, gold version, splits) is in its row.
"""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from agreement.adjudication.span_diff import span_differences
from agreement.models import Publication
from agreement.publication.services.publications import publication_file
from annotation.display_names import phase_name
from annotation.errors import Invalid
from annotation.formats import dataset_formats
from annotation.formats.parquet import BATCH
from annotation.temporary_folders import temporary_folder
from annotation.text.quotes import quote
from annotation.text.schemes import SIDES
from annotation.text.spans import Fragment, Grid, Span

TEMPORARY_PREFIX = "diptych-comparison-"
KINDS = {
    "pairs-added": gettext_lazy("pairs added"),
    "pairs-removed": gettext_lazy("pairs removed"),
    "texts": gettext_lazy("pairs whose texts changed"),
    "details": gettext_lazy("pairs whose split, mirror, metadata or translations changed"),
    "gold-added": gettext_lazy("pairs with gold added"),
    "gold-removed": gettext_lazy("pairs whose gold was removed"),
    "gold-changed": gettext_lazy("pairs whose gold changed"),
    "work-added": gettext_lazy("annotations added"),
    "work-removed": gettext_lazy("annotations removed"),
    "work-changed": gettext_lazy("annotations changed"),
}
TERMS = {
    "licence": gettext_lazy("Licence"),
    "description": gettext_lazy("Description"),
    "gold": gettext_lazy("Gold"),
    "splits": gettext_lazy("Splits"),
    "seed": gettext_lazy("Seed for the splits"),
}
"""What is chosen for a publication."""
Row = dict[str, Any]
Key = tuple[str, str]
"""A pair's id, and whose work: '' for the pair or its gold, 'annotator1, main, 0' for an annotation."""


@dataclass(slots=True)
class Digests:
    """What a dataset has, as numbers that differ where the content does."""

    texts: dict[str, int] = field(default_factory=dict)
    details: dict[str, int] = field(default_factory=dict)
    gold: dict[str, int] = field(default_factory=dict)
    annotations: dict[Key, int] = field(default_factory=dict)
    labels: Counter[Key] = field(default_factory=Counter)
    names: dict[str, None] = field(default_factory=dict)
    """The labels of the files, in their order."""


@dataclass(frozen=True, slots=True)
class DatasetDifference:
    """`by_kind` lists what differs; `labels` has (configuration, label, spans before, spans after)."""

    by_kind: Mapping[str, Sequence[Key]]
    labels: Sequence[tuple[str, str, int, int]]


@dataclass(frozen=True, slots=True)
class TermChange:
    """What was chosen differently for the second publication; '' if nothing was chosen."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class SpanChange:
    """A span before and after, quoted: '4: words … words'; '' if there was none."""

    kind: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ChangedRow:
    """`who`: whose work, with the phase by its name; '' for the pair or its gold."""

    pair: str
    who: str
    before: str
    after: str
    spans: Sequence[SpanChange]


def terms_changed(before: Publication, after: Publication) -> list[TermChange]:
    """What was chosen differently for two publications, in the order of TERMS."""
    old, new = _terms_of(before), _terms_of(after)
    return [TermChange(name, old[name], new[name]) for name in TERMS if old[name] != new[name]]


def _terms_of(publication: Publication) -> dict[str, str]:
    values = {name: getattr(publication, name) for name in TERMS}
    if not publication.splits:
        values["seed"] = None  # nothing was drawn
    return {name: "" if value is None else str(value) for name, value in values.items()}


@contextmanager
def datasets_of(*publications: Publication) -> Iterator[list[Path]]:
    """The publications' files in temporary folders. Raises Invalid for one that is no dataset."""
    for each in publications:
        if each.format not in dataset_formats():
            raise Invalid(
                _("Publication %(number)s is not a dataset.") % {"number": each.number},
                where=str(each.number),
                hint=_("Compare two Hugging Face datasets."),
            )
    with temporary_folder(TEMPORARY_PREFIX) as folder:
        folders = []
        for number, each in enumerate(publications):
            packed = folder / f"{number}.zip"
            with packed.open("wb") as file:
                file.writelines(publication_file(each))
            with zipfile.ZipFile(packed) as archive:
                archive.extractall(folder / str(number))
            folders.append(folder / str(number) / each.file.removesuffix(".zip"))
        yield folders


def difference(before: Path, after: Path) -> DatasetDifference:
    """What differs between two dataset folders."""
    old, new = digests(before), digests(after)
    changes = {
        "pairs-added": _pairs(new.texts.keys() - old.texts.keys()),
        "pairs-removed": _pairs(old.texts.keys() - new.texts.keys()),
        "texts": _pairs(_changed_keys(old.texts, new.texts)),
        "details": _pairs(_changed_keys(old.details, new.details)),
        "gold-added": _pairs(new.gold.keys() - old.gold.keys()),
        "gold-removed": _pairs(old.gold.keys() - new.gold.keys()),
        "gold-changed": _pairs(_changed_keys(old.gold, new.gold)),
        "work-added": sorted(new.annotations.keys() - old.annotations.keys()),
        "work-removed": sorted(old.annotations.keys() - new.annotations.keys()),
        "work-changed": sorted(_changed_keys(old.annotations, new.annotations)),
    }
    labels = [
        (config, label, old.labels[config, label], new.labels[config, label])
        for config in ("gold", "annotations")
        for label in {**new.names, **old.names}
    ]
    return DatasetDifference(changes, labels)


def _pairs(ids: Iterable[str]) -> list[Key]:
    return [(each, "") for each in sorted(ids)]


def _changed_keys(old: Mapping[Any, int], new: Mapping[Any, int]) -> Iterable[Any]:
    return (key for key, value in old.items() if key in new and new[key] != value)


def digests(folder: Path) -> Digests:
    """What a dataset folder has, as numbers."""
    digests = Digests()
    for row in _rows(folder, "annotations", names=digests.names):
        identity = row["id"]
        digests.texts[identity] = hash(
            tuple(row[f"{name}_{side}"] for name in ("sha256", "language") for side in SIDES)
        )
        digests.details[identity] = hash(_details(row))
        for annotation in row["annotations"]:
            digests.annotations[identity, _author(annotation)] = hash(
                (*(annotation[name] for name in _ANNOTATION_FIELDS), *_content(annotation))
            )
            digests.labels.update(("annotations", span["label"]) for span in annotation["spans"])
    for row in _rows(folder, "gold", names=digests.names):
        digests.gold[row["id"]] = hash(_content(row))
        digests.labels.update(("gold", span["label"]) for span in row["spans"])
    return digests


_ANNOTATION_FIELDS = ("verdict", "reason", "comment")
_DETAILS = {
    "pair_split": gettext_lazy("split"),
    "mirror": gettext_lazy("mirror"),
    "metadata": gettext_lazy("metadata"),
    "translations_a": gettext_lazy("translations of side A"),
    "translations_b": gettext_lazy("translations of side B"),
    "statement": gettext_lazy("statement"),
}


def _details(row: Row) -> str:
    return json.dumps([row[name] for name in _DETAILS])


def _author(annotation: Row) -> str:
    return f"{annotation['annotator']}, {annotation['phase']}, {annotation['round']}"


def _content(row: Row) -> tuple[Any, ...]:
    spans = sorted(
        (
            span["label"],
            span["comment"] or "",
            tuple(sorted((part["side"], part["start"], part["end"]) for part in span["fragments"])),
        )
        for span in row["spans"]
    )
    return tuple(spans), tuple(sorted((each["question"], each["answer"]) for each in row["answers"]))


def _rows(
    folder: Path, config: str, pairs: set[str] | None = None, names: dict[str, None] | None = None
) -> Iterator[Row]:
    """The rows of a configuration, or the wanted ones, with labels by name; `names` gets all labels."""
    # pyarrow, which only datasets need
    from pyarrow.parquet import ParquetFile

    for path in sorted((folder / config).glob("*.parquet")):
        with ParquetFile(path) as file:
            labels = _labels(file.schema_arrow.metadata, config)
            if names is not None:
                names.update(dict.fromkeys(labels))
            for batch in file.iter_batches(batch_size=BATCH):
                for row, identity in enumerate(batch.column("id").to_pylist()):
                    if pairs is None or identity in pairs:
                        yield _with_label_names(batch.slice(row, 1).to_pylist()[0], labels)


def _labels(metadata: Mapping[bytes, bytes], config: str) -> list[str]:
    """The names of the classes that spans have in a file."""
    columns = json.loads(metadata[b"huggingface"])["info"]["features"]
    features = columns["annotations"]["feature"] if config == "annotations" else columns
    names: list[str] = features["spans"]["feature"]["label"]["names"]
    return names


def _with_label_names(row: Row, labels: Sequence[str]) -> Row:
    for part in row.get("annotations", [row]):
        for span in part["spans"]:
            span["label"] = labels[span["label"]]
    return row


def changed_rows(before: Path, after: Path, kind: str, keys: Sequence[Key]) -> list[ChangedRow]:
    """What changed in these rows of a kind, in their order."""
    config = "gold" if kind.startswith("gold") else "annotations"
    pairs = {pair for pair, _who in keys}
    old, new = ({row["id"]: row for row in _rows(folder, config, pairs)} for folder in (before, after))
    return [_row(old.get(pair), new.get(pair), kind, pair, who) for pair, who in keys]


def _row(old: Row | None, new: Row | None, kind: str, pair: str, who: str) -> ChangedRow:
    if kind in ("texts", "pairs-added", "pairs-removed"):
        return ChangedRow(pair, "", _texts(old), _texts(new), ())
    if kind == "details" and old is not None and new is not None:
        names = [name for name in _DETAILS if old[name] != new[name]]
        return ChangedRow(pair, "", _annotation_details(old, names), _annotation_details(new, names), ())
    one, other = _part(old, who), _part(new, who)
    annotation = one or other
    if who and annotation:
        who = f"{annotation['annotator']}, {phase_name(annotation['phase'])}, {annotation['round']}"
    return ChangedRow(pair, who, _remarks(one), _remarks(other), _span_changes(old, new, one, other))


def _texts(row: Row | None) -> str:
    return " / ".join(row[f"text_{side}"][:200] for side in SIDES) if row else ""


def _annotation_details(row: Row, names: Sequence[str]) -> str:
    values = {name: ", ".join(row[name]) if isinstance(row[name], list) else row[name] or "–" for name in names}
    return "; ".join(f"{_DETAILS[name]}: {value[:200]}" for name, value in values.items())


def _part(row: Row | None, who: str) -> Row | None:
    if row is None or not who:
        return row
    return next((annotation for annotation in row["annotations"] if _author(annotation) == who), None)


def _remarks(part: Row | None) -> str:
    """Answers, comments, and why a pair was not annotated."""
    if part is None:
        return ""
    answers = [f"{each['question']}: {each['answer']}" for each in part["answers"]]
    comments = [f"{span['label']}: {span['comment']}" for span in part["spans"] if span["comment"]]
    return "; ".join(filter(None, [*answers, part.get("reason") or "", part.get("comment") or "", *comments]))


def _span_changes(old: Row | None, new: Row | None, one: Row | None, other: Row | None) -> list[SpanChange]:
    texts = new or old
    if texts is None:
        return []
    grids = {
        side: Grid(len(texts[f"text_{side}"]), [(token["start"], token["end"]) for token in texts[f"tokens_{side}"]])
        for side in SIDES
    }
    before, after = (_spans(part) for part in (one, other))

    def quoted(span: Span | None, row: Row | None) -> str:
        if span is None or row is None:
            return ""
        words = " / ".join(filter(None, (quote(span, side, row[f"text_{side}"]) for side in SIDES)))
        return f"{span.label}: {words}"

    differences = span_differences(before, after, grids["a"], grids["b"])
    return [SpanChange(each.kind, quoted(each.before, old), quoted(each.after, new)) for each in differences]


def _spans(part: Row | None) -> list[Span]:
    return [
        Span(
            span["id"],
            span["label"],
            tuple(Fragment(SIDES[each["side"]], each["start"], each["end"]) for each in span["fragments"]),
        )
        for span in (part["spans"] if part else ())
    ]
