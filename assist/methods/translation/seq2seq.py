"""Sequence-to-sequence models that translate sentences: Marian, M2M100, NLLB, mBART, MADLAD and the like.

A model for several languages has a token for each, in one of a few forms (``>>deu<<``, ``<2de>``, ``__de__``,
``deu_Latn``); which one it has is read off its vocabulary. ``torch`` and ``transformers`` are imported when a model is
loaded, never before.
"""

import logging
import re
import threading
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import langcodes

from annotation.progress import OnCount
from annotation.text.tokens import UNSPACED, base_language
from assist.methods.base import MethodError
from assist.methods.encoder.encode import BUDGET, chosen_device, out_of_memory
from assist.methods.encoder.pretrained import (
    Precision,
    display_name,
    gpu_precision,
    input_limit,
    load_model,
    model_commit,
)
from assist.phrases.model_phrases import LANGUAGE_UNKNOWN, SENTENCE_TOO_LARGE, TRANSLATION_MODEL

LOG = logging.getLogger(__name__)

KIND = TRANSLATION_MODEL.message
"""What messages call such a model."""

_BEFORE_TEXT = re.compile(r">>([a-z]{2,3}(?:_[A-Z][a-z]{3})?)<<|<2([a-z]{2,3}(?:_[A-Z][a-z]{3})?)>")
_FIRST_GENERATED = re.compile(r"__([a-z]{2,3})__|([a-z]{2,3}_[A-Z]{2}|[a-z]{3}_[A-Z][a-z]{3})")
_LONGER = (2, 16)
"""A translation has at most this many times as many subwords as its sentence, plus this many."""
_LOADING = threading.Lock()


def load(name: str, revision: str | None, device: str, precision: Precision) -> "Translator":
    """The translation model of a Hugging Face name or folder, loaded once and kept (the two used last).

    ``device`` and ``precision`` are as for encoders; "auto" is single precision on a CPU. MethodError if there is none.
    """
    with _LOADING:
        return _load(name, revision, chosen_device(device), precision)


@lru_cache(maxsize=2)
def _load(name: str, revision: str | None, device: str, precision: Precision) -> "Translator":
    return Translator(name, revision, device, precision)


def language_tokens(vocabulary: Iterable[str], added: Iterable[str]) -> tuple[dict[str, str], bool]:
    """A model's tokens for languages, by the code in them, and whether they are put before the text.

    Otherwise they are the first generated token, and are among those ``added`` to the vocabulary. Empty if the model
    has none.
    """
    before = _tokens_by_code(_BEFORE_TEXT, vocabulary)
    return (before, True) if before else (_tokens_by_code(_FIRST_GENERATED, added), False)


def _tokens_by_code(form: re.Pattern[str], tokens: Iterable[str]) -> dict[str, str]:
    matches = filter(None, map(form.fullmatch, tokens))
    return {match[1] or match[2]: match[0] for match in matches}


class Translator:
    """A loaded model.

    ``limit`` is the number of subwords that it reads at once (special tokens included), ``commit`` identifies its
    weights among others with its name.
    """

    def __init__(self, name: str, revision: str | None, device: str, precision: Precision) -> None:
        import torch

        self.name = name
        self.tokenizer, self.model = load_model(name, revision, KIND, "AutoModelForSeq2SeqLM")
        config = self.model.config
        self.commit = model_commit(name, revision, config)
        if precision == "auto":
            precision = gpu_precision(config) if device.startswith("cuda") else "float32"
        self.model.eval()
        try:
            self.model.to(device=device, dtype=getattr(torch, precision))
        except torch.OutOfMemoryError:
            LOG.warning("%s %s does not fit into the memory of %s: it runs on the CPU", KIND, name, device)
            device = "cpu"
            self.model.to(device=device, dtype=torch.float32)
        self.device = torch.device(device)
        self.limit = input_limit(self.model, self.tokenizer)
        self._codes: dict[str, str] = getattr(self.tokenizer, "lang_code_to_token", {})
        """M2M100's tokens for languages, which are not in a vocabulary, by its tokenizer's names of the languages."""
        added = [*self.tokenizer.get_added_vocab(), *self._codes.values()]
        self._tokens, self._before = language_tokens(self.tokenizer.get_vocab(), added)
        self._language_ids = set(self.tokenizer.convert_tokens_to_ids(list(self._tokens.values())))
        self._lock = threading.Lock()

    def translate(
        self,
        sentences: Sequence[str],
        source: str,
        target: str,
        *,
        beams: int,
        batch_tokens: int | None = None,
        on_progress: OnCount | None = None,
    ) -> list[str]:
        """Each sentence in the language ``target``; equal ones are translated once, the longest first.

        ``batch_tokens`` is how many subwords a batch has, padding included (default: by device, fewer with more
        ``beams``). One too long for the model is translated in parts. MethodError if the model lacks a language, or one
        sentence does not fit into memory.
        """
        with self._lock:
            start, options = self._languages(source, target)
            parts = {text: list(self._parts(text, start)) for text in dict.fromkeys(sentences)}
            translations = self._translated(
                sorted({part for each in parts.values() for part in each}),
                start,
                {**options, "num_beams": beams, "do_sample": False},
                batch_tokens or max(64, BUDGET[self.device.type] // beams),
                on_progress,
            )
        space = "" if base_language(target) in UNSPACED else " "
        return [space.join(translations[part] for part in parts[text]) for text in sentences]

    def _languages(self, source: str, target: str) -> tuple[str, dict[str, Any]]:
        """What is put before each sentence, and the options of generation, to translate between two languages."""
        if not self._tokens:
            # A model for one pair of languages.
            return "", {}
        token = self._token(target)
        if self._before:
            return f"{token} ", {}
        code_of_source = self._token(source)
        self.tokenizer.src_lang = next(
            (code for code, each in self._codes.items() if each == code_of_source), code_of_source
        )
        return "", {"forced_bos_token_id": self.tokenizer.convert_tokens_to_ids(token)}

    def _token(self, language: str) -> str:
        match = langcodes.closest_supported_match(language, list(self._tokens))
        if match is None:
            raise MethodError(LANGUAGE_UNKNOWN.with_params(name=display_name(self.name), language=language))
        return self._tokens[match]

    def _parts(self, text: str, start: str) -> Iterable[str]:
        """The text, in parts that the model can read whole: cut at the white space nearest to the middle."""
        if len(text) < 2 or len(self._ids(start + text)) <= self.limit:
            yield text
            return
        middle = len(text) // 2
        spaces = [match.start() for match in re.finditer(r"\s+\b", text.rstrip()) if match.start()]
        cut = min(spaces, key=lambda at: abs(at - middle), default=middle)
        for part in (text[:cut], text[cut:]):
            yield from self._parts(part.strip(), start)

    def _ids(self, text: str) -> list[int]:
        return list(self.tokenizer(text, verbose=False)["input_ids"])

    def _translated(
        self,
        texts: Sequence[str],
        start: str,
        options: dict[str, Any],
        budget: int,
        on_progress: OnCount | None,
    ) -> dict[str, str]:
        ids = {text: self._ids(start + text) for text in texts}
        waiting = sorted(texts, key=lambda text: -len(ids[text]))
        translations: dict[str, str] = {}
        while len(translations) < len(texts):
            rest = waiting[len(translations) :]
            batch = rest[: max(1, budget // len(ids[rest[0]]))]
            generated = self._generated([ids[text] for text in batch], options)
            if generated is None:
                budget = len(batch) // 2 * len(ids[batch[0]])
                LOG.warning("%s %s: batches shrink to %d subwords to fit into memory", KIND, self.name, budget)
                continue
            translations.update(zip(batch, generated, strict=True))
            if on_progress is not None:
                on_progress(len(translations), len(texts))
        return translations

    def _generated(self, ids: Sequence[list[int]], options: dict[str, Any]) -> list[str] | None:
        """The translations of a batch; None if it does not fit into memory and can be halved."""
        import torch

        times, more = _LONGER
        most = [min(self.limit - 1, times * len(each) + more) for each in ids]
        try:
            inputs = self.tokenizer.pad({"input_ids": list(ids)}, return_tensors="pt").to(self.device)
            with torch.inference_mode():
                generated = self.model.generate(
                    input_ids=inputs["input_ids"],
                    attention_mask=inputs["attention_mask"],
                    max_new_tokens=most[0],
                    max_length=None,
                    **options,
                )
        except (RuntimeError, MemoryError) as error:
            if not out_of_memory(error):
                raise
            if len(ids) == 1:
                params = {"n": str(len(ids[0])), "device": str(self.device)}
                raise MethodError(SENTENCE_TOO_LARGE.with_params(name=display_name(self.name), **params)) from error
            if self.device.type == "cuda":
                torch.cuda.empty_cache()
            return None
        # A translation is cut at the length it would have alone, so that other sentences in the batch change nothing.
        # The first token starts every row, the last that is possible ends it. Some tokenizers don't count the tokens
        # for languages as special ones.
        words = [
            [token for token in row[1:length] if token not in self._language_ids]
            for row, length in zip(generated.tolist(), most, strict=True)
        ]
        return [text.strip() for text in self.tokenizer.batch_decode(words, skip_special_tokens=True)]
