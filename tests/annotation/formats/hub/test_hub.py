"""Dataset folders: what is written loads offline, and is read back the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest
from huggingface_hub import DatasetCard

from annotation.formats import hub, jsonl
from annotation.formats.hub.columns import arrow_schema, features
from annotation.formats.record import FormatError, PairRecord, StoredRanges
from annotation.text.schemes import PRESETS
from annotation.text.spans import Span
from tests.annotation.formats.samples import lines, pair, span

TOKENS = {"a": [[0, 4], [5, 7], [8, 15], [15, 16]], "b": [[0, 8], [9, 14], [14, 15]]}


def records(tmp_path: Path) -> list[PairRecord]:
    a = {"language": "en", "text": "Open on Sundays.", "tokens": TOKENS["a"]}
    b = {"language": "de-CH", "text": "Sonntags offen.", "tokens": TOKENS["b"]}
    linked = span("4", ("a", 0, 7), ("b", 0, 8), ("b", 9, 14), comment="🧾", origin="edited")
    done = {"annotator": "annotator1", "guideline": 2, "status": "done", "spans": [linked], "active_seconds": 61}
    flagged = {"annotator": "annotator2", "phase": "trial", "verdict": "flagged", "reason": "cut off", "round": 1}
    path = lines(
        tmp_path / "pairs.jsonl",
        pair(a=a, b=b, split="test", annotations=[done, flagged | {"answers": {"q": "yes"}}], gold={"spans": [linked]}),
        pair(id="p2", a=a, b=b, split="dev-1", mirror="p1", metadata={"n": [1, "x"]}, gold={"spans": []})
        | {"translations_b": ["On Sundays open.", "Sundays: open."]},
        pair(id="p3", a=a, b=b, annotations=[done | {"verdict": "", "annotator": "annotator2"}]),
    )
    return jsonl.read([path], {}).records


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    made = records(tmp_path)
    hub.write_folder(made, PRESETS["graded"], tmp_path / "set", guidelines={1: "# Mark", 2: "# Mark well"})
    parsed = hub.read([tmp_path / "set"], {})
    made[2].annotations.clear()  # unsubmitted work is not exported
    for record in [*made, *parsed.records]:
        record.where = ""
        for annotation in record.annotations:
            annotation.status = ""
    assert parsed.records == made
    assert parsed.scheme == PRESETS["graded"]
    assert parsed.guidelines == {1: "# Mark", 2: "# Mark well"}


@pytest.mark.parametrize("scheme", ["graded", "xparade"])
def test_the_columns_are_those_that_the_library_would_write(scheme: str) -> None:
    from datasets import Features

    for columns in features(PRESETS[scheme]).values():
        theirs = Features.from_dict(columns).arrow_schema
        assert arrow_schema(columns).equals(theirs, check_metadata=True)


@pytest.mark.parametrize("stored", ["[[0, 4], [5, 7]]", "[]"])
def test_stored_tokens_fill_the_same_columns_as_parsed_ones(tmp_path: Path, stored: str) -> None:
    made = [records(tmp_path)[0], records(tmp_path)[2]]
    tokens = [(start, end) for start, end in json.loads(stored)]
    for name, ranges in (("parsed", tokens), ("stored", StoredRanges(stored))):
        given = [replace(one, gold=None, a=replace(one.a, tokens=ranges)) for one in made]
        hub.write(given, PRESETS["graded"], tmp_path / name)
    one, other = (parquet.read_table(tmp_path / name / "annotations") for name in ("parsed", "stored"))
    assert one.equals(other)
    assert one["tokens_a"][0].as_py() == [{"start": start, "end": end} for start, end in tokens]


def test_it_loads_offline_with_typed_features(tmp_path: Path) -> None:
    import datasets

    hub.write(records(tmp_path), PRESETS["graded"], tmp_path / "set")
    gold = datasets.load_dataset(str(tmp_path / "set"), cache_dir=str(tmp_path / "cache"))  # gold, by default
    assert {split: rows.num_rows for split, rows in gold.items()} == {"test": 1, "dev_1": 1}
    row, features = gold["test"][0], gold["test"].features
    assert features["spans"].feature["label"].int2str(row["spans"][0]["label"]) == "4"
    assert row["spans"][0]["fragments"][1] == {"side": 1, "start": 0, "end": 8}
    names = features["labels_a"].feature.names
    assert [names[label] for label in row["labels_a"]] == ["4", "4", "0", "0"]
    work = datasets.load_dataset(str(tmp_path / "set"), "annotations", cache_dir=str(tmp_path / "cache"))
    assert [item["annotator"] for item in work["test"][0]["annotations"]] == ["annotator1", "annotator2"]
    assert work["train"][0]["annotations"] == []


def test_pairs_of_a_split_named_all_can_be_loaded_and_are_read_back(tmp_path: Path) -> None:
    import datasets

    made = [
        replace(one, id=f"p{index}", mirror="", split=split)
        for index, split in enumerate(("all", "ALL", "all_", "dev"))
        for one in records(tmp_path)[:1]
    ]
    hub.write(made, PRESETS["graded"], tmp_path / "set")
    found = datasets.load_dataset(str(tmp_path / "set"), "annotations", cache_dir=str(tmp_path / "cache"))
    assert {split: rows["pair_split"][:] for split, rows in found.items()} == {
        "all_": ["all", "ALL", "all_"],
        "dev": ["dev"],
    }
    assert [one.split for one in hub.read([tmp_path / "set"], {}).records] == ["all", "ALL", "all_", "dev"]


def test_of_several_spans_on_a_token_the_highest_counts(tmp_path: Path) -> None:
    import datasets

    (record, *_) = records(tmp_path)
    record.gold = [*(record.gold or []), *jsonl_spans(tmp_path)]
    hub.write([record], PRESETS["graded"], tmp_path / "set")
    row = datasets.load_dataset(str(tmp_path / "set"), "gold", cache_dir=str(tmp_path / "cache"))["test"][0]
    assert row["labels_a"] == [5, 4, 0, 0]


def jsonl_spans(tmp_path: Path) -> list[Span]:
    spans = [span("5", ("a", 0, 4), id="x"), span("1", ("a", 5, 7), id="y")]
    path = lines(tmp_path / "more.jsonl", pair(gold={"spans": spans}))
    return jsonl.read([path], {}).records[0].gold or []


def test_the_cards_metadata_is_valid_and_names_every_file(tmp_path: Path) -> None:
    hub.write(records(tmp_path), PRESETS["graded"], tmp_path / "set")
    data = DatasetCard.load(tmp_path / "set" / "README.md").data
    assert (data.language, data.license, data.size_categories) == (["de", "en"], "unknown", ["n<1K"])
    paths = {item["path"] for config in data.configs for item in config["data_files"]}
    there = {
        f"{path.parent.name}/{path.name.replace('00000-of-00001', '*')}"
        for path in (tmp_path / "set").rglob("*.parquet")
    }
    assert paths == there


@pytest.mark.parametrize("about", ["{}", '{"scheme": {"name": "x"}, "guidelines": []}'])
def test_a_folder_whose_description_is_broken_is_refused(tmp_path: Path, about: str) -> None:
    (tmp_path / "diptych.json").write_text(about)
    with pytest.raises(FormatError, match=r"diptych\.json"):
        hub.read([tmp_path], {})


def rewritten(path: Path, change: Callable[[list[dict[str, Any]]], object], **kept: bytes) -> None:
    """Change the rows of a Parquet file, and of its metadata what is `kept`."""
    import pyarrow

    table = parquet.read_table(path)
    rows = table.to_pylist()
    change(rows)
    schema = table.schema.with_metadata(
        {**table.schema.metadata, **{name.encode(): value for name, value in kept.items()}}
    )
    parquet.write_table(pyarrow.Table.from_pylist(rows, schema=schema), path)


@pytest.mark.parametrize("side", ["a", "b"])
def test_a_text_that_its_hash_does_not_fit_is_refused(tmp_path: Path, side: str) -> None:
    hub.write(records(tmp_path), PRESETS["graded"], tmp_path / "set")
    path = tmp_path / "set" / "annotations" / "test-00000-of-00001.parquet"
    rewritten(path, lambda rows: rows[0].update({f"text_{side}": rows[0][f"text_{side}"].upper()}))
    said = rf"annotations/{path.name}: row 1: text_{side} of pair 'p1' does not match its sha256_{side}"
    with pytest.raises(FormatError, match=said):
        hub.read([tmp_path / "set"], {})


def test_a_data_set_without_hashes_is_read(tmp_path: Path) -> None:
    hub.write(records(tmp_path), PRESETS["graded"], tmp_path / "set")
    for path in (tmp_path / "set").rglob("*.parquet"):
        table = parquet.read_table(path)
        parquet.write_table(
            table.drop_columns([name for name in table.column_names if name.startswith("sha256")]), path
        )
    assert len(hub.read([tmp_path / "set"], {}).records) == 3


def relabelled(folder: Path, change: Callable[[list[dict[str, Any]]], object]) -> None:
    """Change the labels of the scheme in diptych.json."""
    about = json.loads((folder / "diptych.json").read_text())
    change(about["scheme"]["labels"])
    (folder / "diptych.json").write_text(json.dumps(about))


def test_labels_are_read_by_the_names_in_their_own_file(tmp_path: Path) -> None:
    hub.write(records(tmp_path), PRESETS["graded"], tmp_path / "set")
    relabelled(tmp_path / "set", lambda labels: labels.reverse())
    first = hub.read([tmp_path / "set"], {}).records[0]
    assert [span.label for span in first.gold or ()] == ["4"]
    assert [span.label for work in first.annotations for span in work.spans] == ["4"]


def test_a_label_that_the_scheme_lacks_is_refused(tmp_path: Path) -> None:
    hub.write(records(tmp_path), PRESETS["graded"], tmp_path / "set")
    relabelled(tmp_path / "set", lambda labels: labels.pop())
    with pytest.raises(
        FormatError, match=r"gold/\w+-.*parquet: the file refers to the label '5', but .* has only 1, 2, 3, 4"
    ):
        hub.read([tmp_path / "set"], {})


def test_column_types_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    hub.write(records(tmp_path), PRESETS["graded"], tmp_path / "set")
    rewritten(tmp_path / "set" / "gold" / "test-00000-of-00001.parquet", list, huggingface=b"{")
    with pytest.raises(FormatError, match=r"its column types .* can't be read"):
        hub.read([tmp_path / "set"], {})


def foreign(tmp_path: Path, name: str, rows: list[dict[str, object]]) -> Path:
    import pyarrow
    import pyarrow.parquet as parquet

    (tmp_path / "data").mkdir(exist_ok=True)
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "data" / name)
    return tmp_path


def test_a_data_set_of_others_is_read_as_a_table_or_as_token_labels(tmp_path: Path) -> None:
    foreign(tmp_path, "train-0.parquet", [{"id": 7, "text_a": "one", "text_b": "eins", "topic": "n"}])
    labels: dict[str, object] = {
        "id": "admin_de_1",
        "text_a": "a b",
        "text_b": "c",
        "labels_a": [0.0, 0.4],
        "labels_b": [1.0],
    }
    foreign(tmp_path, "test-0.parquet", [labels])
    parsed = hub.read([tmp_path], {"language_a": "en", "language_b": "de"})
    test, train = parsed.records
    assert (test.id, test.split, [item.label for item in test.gold or []]) == ("admin_de_1", "test", ["2", "5"])
    assert (train.id, train.split, train.metadata) == ("7", "train", {"topic": "n"})
    assert [record.id for record in hub.read([tmp_path], {"split": "test"}).records] == ["admin_de_1"]


def test_what_is_no_data_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="holds no Parquet file"):
        hub.read([tmp_path], {})
    with pytest.raises(FormatError, match="one dataset folder"):
        hub.read([tmp_path / "none"], {})
    foreign(tmp_path, "train-0.parquet", [{"id": "1", "text_a": "one", "language_a": "en"}])
    with pytest.raises(FormatError, match=r"train-0\.parquet: row 1: language_b: missing"):
        hub.read([tmp_path], {})


def test_parquet_files_are_read_without_a_folder(tmp_path: Path) -> None:
    row = {"text_a": "one", "text_b": "eins", "language_a": "en", "language_b": "de"}
    foreign(tmp_path, "train.PARQUET", [{"id": "1", **row}])
    foreign(tmp_path, "test-0.parquet", [{"id": "2", **row}])
    paths = [tmp_path / "data" / "train.PARQUET", tmp_path / "data" / "test-0.parquet"]
    assert [(each.id, each.split) for each in hub.read(paths, {}).records] == [("1", "train"), ("2", "test")]
    with pytest.raises(FormatError, match=r"train\.PARQUET: holds no Parquet file of the split 'dev'"):
        hub.read(paths[:1], {"split": "dev"})


def test_endings_in_capitals_are_recognised(tmp_path: Path) -> None:
    hub.write_folder(records(tmp_path), PRESETS["graded"], tmp_path / "set", guidelines={})
    for path in (tmp_path / "set").rglob("*.parquet"):
        path.rename(path.with_suffix(".PARQUET"))
    assert [record.id for record in hub.read([tmp_path / "set"], {}).records] == ["p1", "p2", "p3"]
    import pyarrow
    import pyarrow.parquet

    (tmp_path / "other").mkdir()
    table = pyarrow.table({"id": ["p9"], "text_a": ["Open."], "text_b": ["Offen."]})
    pyarrow.parquet.write_table(table, tmp_path / "other" / "TRAIN.Parquet")
    options = {"language_a": "en", "language_b": "de"}
    assert [(each.id, each.split) for each in hub.read([tmp_path / "other"], options).records] == [("p9", "train")]


def test_guidelines_with_a_control_character_are_refused(tmp_path: Path) -> None:
    hub.write_folder(records(tmp_path), PRESETS["graded"], tmp_path / "set", guidelines={1: "# Mark", 2: "Ring\x07"})
    with pytest.raises(FormatError, match=r"guidelines\[1\]\.text: contains an invisible character .U.0007"):
        hub.read([tmp_path / "set"], {})
