"""A Hugging Face dataset folder: Parquet in configurations, a card with valid metadata, and our scheme.

`gold`: the pairs that have gold, its spans, and the label of every token. `annotations`: every pair with the
annotations of every annotator. `tokens`, for graded schemes: the gold as SwissGov-RSD releases it.
`datasets.load_dataset(folder, "gold")` opens it without a network.
"""

from __future__ import annotations

from annotation.formats.base import FORMATS, Dataset, Format, Option
from annotation.formats.hub.card import front_matter
from annotation.formats.hub.layout import ENDING, FILES, METADATA_FILE
from annotation.formats.hub.reader import read
from annotation.formats.hub.writer import write, write_folder

__all__ = ["FORMAT", "read", "write", "write_folder"]

OPTIONS = {
    "language_a": Option("language of side A, if the dataset was not exported by Diptych and has no such column"),
    "language_b": Option("language of side B, if there is no such column"),
    "split": Option("the only split to read of a dataset not exported by Diptych"),
}

FORMAT = FORMATS.register(
    Format(
        "hub",
        "a Hugging Face dataset folder, or Parquet files",
        read,
        write,
        OPTIONS,
        extensions=(ENDING,),
        exports="Hugging Face dataset: gold and annotations, with a card",
        marker=METADATA_FILE,
        files=FILES,
        dataset=Dataset(write_folder, front_matter),
    )
)
