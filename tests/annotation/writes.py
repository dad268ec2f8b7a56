"""Single-row versions of services that write many rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from annotation.formats.record import TextRecord
from annotation.models import Annotation, Pair, Text
from annotation.services.gold import Gold, gold_write_many
from annotation.services.texts import texts_prepare, texts_write
from annotation.text.spans import Span
from annotation.text.tokens import Range


def gold_write(*, pair: Pair, version: int, spans: Sequence[Span], provenance: Mapping[str, Any]) -> Annotation:
    """Write one pair's gold of a version, replacing it if it exists."""
    return gold_write_many(version=version, items=[Gold(pair, spans, provenance)])[0]


def text_create(*, language: str, content: str, tokens: Sequence[Range] | None = None) -> Text:
    """The text with this content and these tokens (None: the tokenizer's)."""
    texts = texts_prepare(records=[TextRecord(language, content, None if tokens is None else list(tokens))])
    with transaction.atomic():
        texts_write(texts=texts)
    return texts[0]
