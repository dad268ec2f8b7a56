"""What items are made of."""

from __future__ import annotations

from pathlib import Path

import pytest

from assist.encoder_choice.tables import TableError
from assist.making.sources import Parallel, Triple, read_parallel, read_triples


def file(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_parallel_sentences_come_from_two_columns(tmp_path: Path) -> None:
    path = file(tmp_path, "news.tsv", "Target\tid\tSource\nThe mill.\t7\tDie Mühle.\n\nA bus.\t8\tEin Bus.\n")
    assert read_parallel(path) == [
        Parallel("news:2", "Die Mühle.", "The mill."),
        Parallel("news:4", "Ein Bus.", "A bus."),
    ]
    with pytest.raises(TableError, match="no column 'Source'"):
        read_parallel(file(tmp_path, "bad.csv", "source,target\na,b\n"))


def test_triples_come_from_three_columns_or_a_text(tmp_path: Path) -> None:
    assert read_triples(file(tmp_path, "t.csv", "P,C,N\nOne.,Two.,Three.\n"), "en") == [
        Triple("t:2", "One.", "Two.", "Three.")
    ]
    text = "One is here. Two is there. Three is gone. Four is left. Five is new.\n\nSix is old. Seven is odd. It ends."
    assert read_triples(file(tmp_path, "t.txt", text), "en") == [
        Triple("t:1-1", "One is here.", "Two is there.", "Three is gone."),
        Triple("t:2-1", "Six is old.", "Seven is odd.", "It ends."),
    ]


def test_no_triple_crosses_a_paragraph_and_no_sentence_is_used_twice(tmp_path: Path) -> None:
    text = " ".join(f"Sentence {number} is here." for number in range(7)) + "\nAlone it stands.\n"
    found = read_triples(file(tmp_path, "t.txt", text), "en")
    used = [text for each in found for text in (each.before, each.middle, each.after)]
    assert used == [f"Sentence {number} is here." for number in range(6)]
