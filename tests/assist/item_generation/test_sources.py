"""What items are made of."""

from __future__ import annotations

import pytest

from assist.encoder_choice.tables import TableError
from assist.item_generation.sources import Parallel, Triple, parallel_rows, triples


def test_parallel_sentences_come_from_two_columns() -> None:
    text = "Target\tid\tSource\nThe mill.\t7\tDie Mühle.\n\nA bus.\t8\tEin Bus.\n"
    assert parallel_rows(text, "news.tsv") == [
        Parallel("news:2", "Die Mühle.", "The mill."),
        Parallel("news:4", "Ein Bus.", "A bus."),
    ]
    with pytest.raises(TableError, match="no column 'Source'"):
        parallel_rows("source,target\na,b\n", "bad.csv")


def test_triples_come_from_three_columns_or_a_text() -> None:
    assert triples("P,C,N\nOne.,Two.,Three.\n", "t.csv", "en") == [Triple("t:2", "One.", "Two.", "Three.")]
    text = "One is here. Two is there. Three is gone. Four is left. Five is new.\n\nSix is old. Seven is odd. It ends."
    assert triples(text, "t.txt", "en") == [
        Triple("t:1-1", "One is here.", "Two is there.", "Three is gone."),
        Triple("t:2-1", "Six is old.", "Seven is odd.", "It ends."),
    ]


def test_no_triple_crosses_a_paragraph_and_no_sentence_is_used_twice() -> None:
    text = " ".join(f"Sentence {number} is here." for number in range(7)) + "\nIt is alone here.\n"
    found = triples(text, "t.txt", "en")
    used = [text for each in found for text in (each.before, each.middle, each.after)]
    assert used == [f"Sentence {number} is here." for number in range(6)]
