"""The metadata of a dataset's card, as hubs and `datasets.load_dataset` read it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

CONFIGS = ("gold", "annotations", "tokens")
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_CODE = re.compile(r"[a-z]{2,3}")


def front_matter(out: Path, name: str, licence: str = "unknown", more: Mapping[str, Any] | None = None) -> str:
    """The card's metadata (YAML between dashes), from the files in `out` and `more`, which takes precedence."""
    import pyarrow.parquet as parquet
    from huggingface_hub import DatasetCardData

    configs: list[dict[str, Any]] = []
    languages: set[str] = set()
    pairs = 0
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
                pairs += table.num_rows
    metadata: dict[str, Any] = {
        "pretty_name": name,
        # Hubs know languages by codes of ISO 639 alone.
        "language": sorted({code for each in languages if _CODE.fullmatch(code := each.split("-")[0].lower())}) or None,
        "license": licence,
        "size_categories": [next((size for bound, size in SIZES if pairs < bound), "n>1M")],
        "task_categories": ["token-classification"],
        "tags": ["semantic-differences", "diptych"],
        "configs": configs,
    }
    card = DatasetCardData(**{**metadata, **(more or {})})
    return f"---\n{card.to_yaml()}\n---\n"
