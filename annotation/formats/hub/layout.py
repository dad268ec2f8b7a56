"""What is in a dataset folder: which files, and splits by which names."""

from __future__ import annotations

import re

from annotation.formats.hub.card import CONFIGS

METADATA_FILE = "diptych.json"
ENDING = ".parquet"
FILES = re.compile(rf"(?:{'|'.join(CONFIGS)})/[^/]+\.parquet|(?:diptych|agreement)\.json|README\.md|recompute\.py")
"""What is in the folder of a published dataset, including what publishing adds. Imports read any Parquet file there."""
DEFAULT_SPLIT = "train"
ALL_SPLITS = "all"
"""Stands for all splits together, so `datasets` refuses to load a split of this name, however it is capitalised."""


def split_name(split: str) -> str:
    """A split's name as datasets allow it; pairs without one are 'train', the loader's own default."""
    name = re.sub(r"\W+", "_", split)[:60] or DEFAULT_SPLIT
    return f"{name}_" if name.lower() == ALL_SPLITS else name
