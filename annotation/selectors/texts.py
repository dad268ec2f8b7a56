"""Texts as work on them is checked: texts never change, so a process remembers those that it read last."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from annotation.models import Pair, Text
from annotation.selectors.projects import deleted_error

MAX_TOKENS = 50_000
"""Tokens of the texts that a process remembers: about 150 bytes each."""
_remembered: OrderedDict[str, Text] = OrderedDict()
_lock = Lock()


def texts_to_check(pair: Pair) -> tuple[Text, Text]:
    """The texts of a pair with their content, tokens and paragraphs; only the digests in `pair` are read for those
    that are remembered. Raises NotFound if they were deleted since the pair was read."""
    with _lock:
        texts = {text.digest: _remembered[text.digest] for text in (pair.a, pair.b) if text.digest in _remembered}
    missing = [text.pk for text in (pair.a, pair.b) if text.digest not in texts]
    if missing:
        rows = Text.objects.filter(pk__in=missing).only("digest", "content", "tokens", "paragraphs").order_by()
        read = {text.digest: text for text in rows}
        if len(read) < len({text.digest for text in (pair.a, pair.b)} - texts.keys()):
            raise deleted_error()
        texts |= read
    with _lock:
        for digest, text in texts.items():
            _remembered[digest] = text
            _remembered.move_to_end(digest)
        size = sum(len(text.tokens) for text in _remembered.values())
        while size > MAX_TOKENS:
            size -= len(_remembered.popitem(last=False)[1].tokens)
    return texts[pair.a.digest], texts[pair.b.digest]
