"""Writes of texts: immutable, and each kept once, however many pairs it stands in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence

from django.db import transaction

from annotation.errors import Invalid
from annotation.formats.record import TextRecord
from annotation.models import Text
from annotation.text.segments import paragraphs, sentences
from annotation.text.tokens import TOKENIZER, Range, tokenize

GIVEN = "given"
BATCH = 400


def text_digest(language: str, content: str, tokens: Sequence[Range]) -> str:
    """SHA-256 over what a text is: language, content, and where its tokens lie."""
    data = json.dumps([language, content, [list(token) for token in tokens]], ensure_ascii=False)
    return hashlib.sha256(data.encode()).hexdigest()


def text_create(*, language: str, content: str, tokens: Sequence[Range] | None = None) -> Text:
    """The text with this content and these tokens (None: the tokenizer's), made unless it is there already.

    Raises Invalid where tokens are not ascending, apart and inside the text.
    """
    return texts_create(records=[TextRecord(language, content, None if tokens is None else list(tokens))])[0]


@transaction.atomic
def texts_create(*, records: Sequence[TextRecord]) -> list[Text]:
    """The text of each record, in order; those that are not there yet are made. Raises Invalid, and then makes none."""
    wanted: list[tuple[str, TextRecord, list[Range]]] = []
    for record in records:
        tokens = tokenize(record.text, record.language) if record.tokens is None else record.tokens
        _check(record, tokens)
        wanted.append((text_digest(record.language, record.text, tokens), record, tokens))
    there = _by_digest({digest for digest, _, _ in wanted})
    new: dict[str, Text] = {}
    for digest, record, tokens in wanted:
        if digest not in there and digest not in new:
            new[digest] = _text(digest, record, tokens)
    for text in Text.objects.bulk_create(new.values(), batch_size=BATCH):
        there[text.digest] = text
    return [there[digest] for digest, _, _ in wanted]


def _check(record: TextRecord, tokens: Sequence[Range]) -> None:
    last = 0
    for start, end in tokens:
        if not last <= start < end <= len(record.text):
            raise Invalid(
                f"the token [{start}, {end}) is empty, overlaps the one before it or lies outside its text",
                where=f"text '{record.text[:40]}'",
                hint="Give tokens in order, as half-open ranges of code points.",
            )
        last = end


def _text(digest: str, record: TextRecord, tokens: list[Range]) -> Text:
    return Text(
        language=record.language,
        content=record.text,
        tokens=[list(token) for token in tokens],
        sentences=[list(item) for item in sentences(record.text, record.language)],
        paragraphs=[list(item) for item in paragraphs(record.text)],
        tokenizer=TOKENIZER if record.tokens is None else GIVEN,
        digest=digest,
    )


def _by_digest(digests: Iterable[str]) -> dict[str, Text]:
    found: dict[str, Text] = {}
    ordered = sorted(digests)
    for at in range(0, len(ordered), BATCH):
        for text in Text.objects.filter(digest__in=ordered[at : at + BATCH]):
            found.setdefault(text.digest, text)
    return found
