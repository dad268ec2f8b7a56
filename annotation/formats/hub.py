"""A Hugging Face data set folder: Parquet in two configurations, a card with valid metadata, our scheme beside it.

`gold`: the pairs that have gold, its spans, and the label of every token. `annotations`: every pair, with everything
that every annotator made of it. `datasets.load_dataset(folder, "gold")` opens it without a network.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotation.formats.fields import VERDICTS, FieldError, annotation_json, pair_record
from annotation.formats.hub_columns import answers, common, features, gold_row, label_names, span_row, token_labels
from annotation.formats.hub_foreign import read_foreign
from annotation.formats.record import AnnotationRecord, PairRecord, Reading
from annotation.formats.source import Refusals, check_options, read_json, refusal
from annotation.text.schemes import Scheme, SchemeError

OPTIONS = {
    "language_a": "language of side A, where a data set that was not made here has no such column",
    "language_b": "language of side B, likewise",
    "split": "read only this split of a data set that was not made here",
}
CONFIGS = ("gold", "annotations")
ABOUT = "diptych.json"
UNSPLIT = "train"
ROWS = 500
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))


def read(paths: Sequence[Path], options: Mapping[str, str]) -> Reading:
    """Read a folder: one that `write` wrote, else any whose Parquet files have the columns of our tables.

    Raises FormatError with every row that is refused.
    """
    check_options(options, OPTIONS)
    if len(paths) != 1 or not paths[0].is_dir():
        raise refusal(" ".join(map(str, paths)), "one data set folder is expected")
    if not (paths[0] / ABOUT).is_file():
        return read_foreign(paths[0], options)
    about = read_json(paths[0] / ABOUT)
    try:
        scheme = Scheme.from_json(about["scheme"])
        guidelines = {int(item["version"]): str(item["text"]) for item in about["guidelines"]}
    except (SchemeError, KeyError, TypeError, ValueError) as error:
        raise refusal(ABOUT, f"no description of a data set: {error}") from error
    gold = {row["id"]: row for _, row in _rows(paths[0], "gold")}
    refusals = Refusals()
    found: list[tuple[int, PairRecord]] = []
    for where, row in _rows(paths[0], "annotations"):
        try:
            found.append((row["position"], pair_record(_pair(row, gold.get(row["id"]), label_names(scheme)), where)))
        except FieldError as error:
            refusals.add(where, str(error))
    refusals.raise_any()
    found.sort(key=lambda item: item[0])
    return Reading([record for _, record in found], scheme, guidelines=guidelines)


def _rows(folder: Path, config: str) -> Iterable[tuple[str, dict[str, Any]]]:
    """('file: row', row) of a configuration's Parquet files."""
    import pyarrow.parquet as parquet

    for path in sorted((folder / config).glob("*.parquet")):
        number = 0
        for batch in parquet.ParquetFile(path).iter_batches(ROWS):
            for row in batch.to_pylist():
                number += 1
                yield f"{config}/{path.name}: row {number}", row


def _pair(row: Mapping[str, Any], gold: Any, labels: Sequence[str]) -> dict[str, Any]:
    """A row of `annotations`, and its pair's row of `gold`, as the `jsonl` object they came from."""
    pair: dict[str, Any] = {key: row[key] for key in ("id", "mirror")}
    pair["split"] = row["pair_split"]
    for side in ("a", "b"):
        tokens = [[token["start"], token["end"]] for token in row[f"tokens_{side}"]]
        pair[side] = {"language": row[f"language_{side}"], "text": row[f"text_{side}"], "tokens": tokens}
    if row["statement_language"]:
        pair["statement"] = {"language": row["statement_language"], "text": row["statement"]}
    pair["metadata"] = json.loads(row["metadata"])
    # Data sets written before there were translations, or answers of the gold, have no such columns.
    pair |= {name: row.get(name) for name in ("translations_a", "translations_b")}
    if gold is not None:
        pair["gold"] = {
            "spans": [_span(span, labels) for span in gold["spans"]],
            "answers": _answers(gold.get("answers") or ()),
        }
    pair["annotations"] = [
        {
            **{key: value for key, value in item.items() if key not in ("spans", "answers", "verdict")},
            "verdict": VERDICTS[item["verdict"] + 1],
            "answers": _answers(item["answers"]),
            "spans": [_span(span, labels) for span in item["spans"]],
        }
        for item in row["annotations"]
    ]
    return pair


def _answers(given: Iterable[Mapping[str, str]]) -> dict[str, str]:
    return {answer["question"]: answer["answer"] for answer in given}


def _span(span: Mapping[str, Any], labels: Sequence[str]) -> dict[str, Any]:
    fragments = [{**part, "side": "ab"[part["side"]]} for part in span["fragments"]]
    return {**span, "label": labels[span["label"]], "fragments": fragments}


def write(records: Iterable[PairRecord], scheme: Scheme, out: Path) -> list[Path]:
    """Write the folder `out`, row group by row group; work that was not handed in is left out.

    Returns the files written. The card is the shortest that loads; publishing writes a full one over it.
    """
    return write_folder(records, scheme, out)


def write_folder(
    records: Iterable[PairRecord], scheme: Scheme, out: Path, *, guidelines: Mapping[int, str] | None = None
) -> list[Path]:
    """As `write`, with the project's guidelines by version kept beside the scheme."""
    out.mkdir(parents=True, exist_ok=True)
    writer = _Writer(out, scheme)
    try:
        for position, record in enumerate(records):
            writer.add(position, record)
    finally:
        writer.close()
    about = out / ABOUT
    versions = [{"version": version, "text": text} for version, text in sorted((guidelines or {}).items())]
    content = {"format": "diptych.v1", "scheme": scheme.to_json(), "guidelines": versions}
    about.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    card = out / "README.md"
    card.write_text(front_matter(out, name=out.name) + f"\n# {out.name}\n", encoding="utf-8")
    return [*writer.paths, about, card]


class _Writer:
    """Open Parquet files, one a configuration and split; rows are held back until they make a group."""

    def __init__(self, out: Path, scheme: Scheme) -> None:
        self.out = out
        self.scheme = scheme
        self.columns = features(scheme)
        self.paths: list[Path] = []
        self.files: dict[tuple[str, str], Any] = {}
        self.held: dict[tuple[str, str], list[dict[str, Any]]] = {}

    def add(self, position: int, record: PairRecord) -> None:
        split = split_name(record.split)
        row = common(position, record)
        annotations = [_annotation(item, self.scheme) for item in record.annotations if item.verdict]
        self._row(("annotations", split), {**row, "annotations": annotations})
        if record.gold is not None:
            spans = [gold_row(span, record, self.scheme) for span in record.gold]
            decided = {"spans": spans, "answers": answers(record.gold_answers)}
            self._row(("gold", split), {**row, **decided, **token_labels(record, self.scheme)})

    def _row(self, place: tuple[str, str], row: dict[str, Any]) -> None:
        self.held.setdefault(place, []).append(row)
        if len(self.held[place]) >= ROWS:
            self._flush(place)

    def _flush(self, place: tuple[str, str]) -> None:
        import pyarrow
        import pyarrow.parquet as parquet

        config, split = place
        schema = self.columns[config].arrow_schema
        if place not in self.files:
            path = self.out / config / f"{split}-00000-of-00001.parquet"
            path.parent.mkdir(parents=True, exist_ok=True)
            self.files[place] = parquet.ParquetWriter(path, schema)
            self.paths.append(path)
        self.files[place].write_table(pyarrow.Table.from_pylist(self.held[place], schema=schema))
        self.held[place] = []

    def close(self) -> None:
        for place in list(self.held):
            if self.held[place]:
                self._flush(place)
        for file in self.files.values():
            file.close()


def _annotation(item: AnnotationRecord, scheme: Scheme) -> dict[str, Any]:
    given = annotation_json(item)
    return {
        "annotator": item.annotator,
        "phase": item.phase,
        "round": item.round,
        "guideline": item.guideline or 0,
        "verdict": VERDICTS.index(item.verdict) - 1,
        "reason": item.reason,
        "comment": item.comment,
        "active_seconds": item.active_seconds,
        "answers": answers(given.get("answers", {})),
        "spans": [span_row(span, scheme) for span in item.spans],
    }


def split_name(split: str) -> str:
    """A split's name as data sets may have it; pairs without one are 'train', the loader's own default."""
    return re.sub(r"\W+", "_", split) or UNSPLIT


def front_matter(out: Path, *, name: str, licence: str = "unknown", more: Mapping[str, Any] | None = None) -> str:
    """The card's metadata (YAML between dashes), from the files that are in `out`."""
    import pyarrow.parquet as parquet
    from huggingface_hub import DatasetCardData

    configs: list[dict[str, Any]] = []
    languages: set[str] = set()
    rows = 0
    for config in CONFIGS:
        files = sorted((out / config).glob("*.parquet"))
        if not files:
            continue
        splits = [path.name.split("-00000")[0] for path in files]
        data = [{"split": split, "path": f"{config}/{split}-*.parquet"} for split in splits]
        first = {"default": True} if not configs else {}
        configs.append({"config_name": config, **first, "data_files": data})
        if config == "annotations":
            for path in files:
                table = parquet.read_table(path, columns=["language_a", "language_b"])
                languages.update(value for column in table.columns for value in column.unique().to_pylist())
                rows += table.num_rows
    card = DatasetCardData(
        pretty_name=name,
        language=sorted(language.split("-")[0] for language in languages) or None,
        license=licence,
        size_categories=[next((size for bound, size in SIZES if rows < bound), "n>1M")],
        task_categories=["token-classification"],
        tags=["semantic-differences", "diptych"],
        configs=configs,
        **(more or {}),
    )
    return f"---\n{card.to_yaml()}\n---\n"
