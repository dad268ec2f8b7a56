"""Writes of texts, which are immutable and stored once, however many pairs use them."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable, Sequence

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef

from annotation.errors import Invalid
from annotation.formats.record import TextRecord
from annotation.models import Pair, Text
from annotation.text.paragraphs import paragraphs
from annotation.text.sentences import SPLITTER, sentences
from annotation.text.tokens import TOKENIZER, Range, tokenize

logger = logging.getLogger(__name__)

GIVEN = "given"
BATCH = 400


def text_digest(language: str, content: str, tokens: Sequence[Range]) -> str:
    """SHA-256 of a text's identity: language, content and token ranges."""
    data = json.dumps([language, content, tokens], ensure_ascii=False)
    return hashlib.sha256(data.encode()).hexdigest()


def texts_prepare(*, records: Sequence[TextRecord], segmented: bool = True) -> list[Text]:
    """The text of each record, in order: the existing row, or an unsaved one. Writes nothing.

    All computation is done here, so that the transaction that writes the rows is short. Without `segmented`, new rows
    have no sentences and paragraphs, which checking spans doesn't need. Raises Invalid for invalid tokens.
    """
    prepared: list[tuple[str, TextRecord, Sequence[Range]]] = []
    for record in records:
        tokens = tokenize(record.text, record.language) if record.tokens is None else record.tokens
        _check(record, tokens)
        prepared.append((text_digest(record.language, record.text, tokens), record, tokens))
    texts = _by_digest({digest for digest, _, _ in prepared})
    for digest, record, tokens in prepared:
        if digest not in texts:
            texts[digest] = _text(digest, record, tokens, segmented)
    return [texts[digest] for digest, _, _ in prepared]


def texts_write(*, texts: Sequence[Text]) -> None:
    """Write the prepared texts that do not exist, and set each one's key. Call it in the transaction that uses them.

    Existing rows are locked, so that none is removed as unused before it is used.
    """
    digests = sorted({text.digest for text in texts})
    keys: dict[str, int] = {}
    for start in range(0, len(digests), BATCH):
        rows = Text.objects.filter(digest__in=digests[start : start + BATCH]).order_by("pk")
        for digest, pk in rows.select_for_update(no_key=True).values_list("digest", "pk"):
            keys.setdefault(digest, pk)
    new: dict[str, Text] = {}
    for text in texts:
        if text.digest not in keys and text.digest not in new:
            # A row that was removed since it was read is written again.
            text.pk, text._state.adding = None, True
            new[text.digest] = text
    keys |= {text.digest: text.pk for text in Text.objects.bulk_create(new.values(), batch_size=BATCH)}
    for text in texts:
        text.pk = keys[text.digest]


def texts_remove_unused(*, texts: Iterable[int]) -> None:
    """Remove the texts with these keys that no pair uses. A text that comes into use meanwhile stays."""
    uses = [Exists(Pair.objects.filter(**{side: OuterRef("pk")})) for side in ("a", "b", "statement")]
    keys = sorted(texts)
    for start in range(0, len(keys), BATCH):
        unused = (
            Text.objects.filter(pk__in=keys[start : start + BATCH]).exclude(uses[0]).exclude(uses[1]).exclude(uses[2])
        )
        try:
            with transaction.atomic():
                unused.delete()
        except IntegrityError:
            logger.info("a text that was to be removed as unused is used now; it stays")


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


def _text(digest: str, record: TextRecord, tokens: Sequence[Range], segmented: bool) -> Text:
    return Text(
        language=record.language,
        content=record.text,
        tokens=[list(token) for token in tokens],
        sentences=[list(item) for item in sentences(record.text, record.language)] if segmented else [],
        paragraphs=[list(item) for item in paragraphs(record.text)] if segmented else [],
        tokenizer=TOKENIZER if record.tokens is None else GIVEN,
        splitter=SPLITTER,
        digest=digest,
    )


def _by_digest(digests: Iterable[str]) -> dict[str, Text]:
    texts: dict[str, Text] = {}
    ordered = sorted(digests)
    for start in range(0, len(ordered), BATCH):
        for text in Text.objects.filter(digest__in=ordered[start : start + BATCH]):
            texts.setdefault(text.digest, text)
    return texts
