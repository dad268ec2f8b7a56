"""What runs say in their log, in their errors and in their method's report: in English, pages translate it.

The API, the command line, saved models and archives have the English text, so rows have it too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from annotation.phrases import Phrase, parse_phrase
from assist.phrases import llm_phrases, model_phrases

REQUESTED = Phrase("requested by %(who)s")
NO_PERSON = Phrase("the command line or the project itself")
WAITING = Phrase("waiting for a worker")
PAUSED = Phrase("paused")
CANCELLED = Phrase("cancelled")
ALL_AGAIN = Phrase("all %(n)s pairs to compute again")
TO_DO = Phrase("%(n)s pairs to do")
TRIED_AGAIN = Phrase("%(n)s pairs that failed are tried again")
FITTING = Phrase("fitting on %(n)s pairs (%(worker)s)")
FITTING_PART = Phrase("fitting: %(percent)s percent done after %(seconds)s s")
FITTED = Phrase("fitted in %(seconds)s s")
TAKEN_OVER = Phrase("lot %(lot)s: taken over, %(worker)s stopped responding")
SPLIT = Phrase("lot %(lot)s: %(n)s workers died on it; its pairs are tried one by one")
ABANDONED = Phrase("lot %(lot)s: abandoned, %(why)s")
DIED = Phrase("%(n)s workers died while they worked on it")
SOME_FAILED = Phrase("lot %(lot)s: %(n)s of %(of)s pairs failed")
DONE = Phrase("done: %(n)s pairs, %(failed)s failed")
FAILED = Phrase("failed: %(why)s")
METHOD_FAILED = Phrase("The method failed on this pair. Ask your server administrator to check the log.")
LEGACY_SENTENCES = (
    Phrase("lot %(lot)s: taken over, %(worker)s is silent"),
    Phrase("lot %(lot)s: given up, %(why)s"),
    Phrase("batch %(lot)s: taken over, %(worker)s stopped responding"),
    Phrase("batch %(lot)s: %(n)s workers died on it; its pairs are tried one by one"),
    Phrase("batch %(lot)s: abandoned, %(why)s"),
    Phrase("batch %(lot)s: %(n)s of %(of)s pairs failed"),
)
"""As older logs say it."""

NO_DICTIONARY = Phrase(
    "the dictionary %(name)s is not installed on this machine, or not in the version that this run was requested with; "
    "install it, set DIPTYCH_DICTIONARIES, or retrain the run"
)
BAD_DICTIONARY = Phrase("an installed dictionary can't be read: %(error)s")
FEW_LABELLED = Phrase("none predicted: %(n)s documents are labelled, %(needed)s are needed")
FEW_FOR_TRAINING = Phrase("not trained: %(n)s documents are labelled, %(needed)s are needed, with different labels")
FEW_SENTENCES = Phrase(
    "not trained: %(n)s sentences are labelled, %(needed)s are needed, with something new in some of them"
)
FEW_OF_EACH = Phrase("none predicted: the labelled documents have too few of each label")
UNINFORMED = Phrase("%(languages)s: too few pairs, and no word list")
CARRIED = Phrase("%(source)s to %(target)s: %(n)s pairs")
ENTRIES = Phrase("%(n)s entries (revision %(revision)s)")
YES, NO, NONE = Phrase("yes"), Phrase("no"), Phrase("none")

SENTENCES = (
    *(REQUESTED, NO_PERSON, WAITING, PAUSED, CANCELLED, ALL_AGAIN, TRIED_AGAIN, TO_DO, FITTING, FITTED, TAKEN_OVER),
    *LEGACY_SENTENCES,
    *(FITTING_PART, SPLIT, ABANDONED, SOME_FAILED, DIED, DONE, FAILED, METHOD_FAILED),
    *(NO_DICTIONARY, BAD_DICTIONARY),
    *(FEW_LABELLED, FEW_FOR_TRAINING, FEW_SENTENCES, FEW_OF_EACH, UNINFORMED, CARRIED, ENTRIES, YES, NO, NONE),
    *model_phrases.SENTENCES,
    *llm_phrases.SENTENCES,
)
NAMES = {
    "carried": Phrase("labels carried over"),
    "default": Phrase("score of the default method"),
    "dictionaries": Phrase("dictionaries"),
    "documents": Phrase("labelled documents"),
    "encoders": Phrase("encoders"),
    "epochs": Phrase("epochs"),
    "exact": Phrase("same label"),
    "folds": Phrase("folds"),
    "fusion": Phrase("score of all together"),
    "from": Phrase("from"),
    "glossary": Phrase("glossary"),
    "into": Phrase("into"),
    "labels": Phrase("predicted labels"),
    "layer": Phrase("layer"),
    "learned": Phrase("score of this run"),
    "loss": Phrase("validation loss"),
    "macro f1": Phrase("macro F1"),
    "method": Phrase("method"),
    "metric": Phrase("measure"),
    "model": Phrase("model"),
    "models": Phrase("models"),
    "no suggestions": Phrase("no suggestions for"),
    "null_threshold": Phrase("null threshold"),
    "parts": Phrase("methods"),
    "rate": Phrase("learning rate"),
    "revision": Phrase("revision"),
    "right": Phrase("share of sentences judged right"),
    "sentences": Phrase("labelled sentences"),
    "server": Phrase("server"),
    "score": Phrase("score"),
    "threshold": Phrase("threshold"),
    "training": Phrase("training"),
    "unblended": Phrase("score without the default's scores"),
    "without a source": Phrase("pairs without a source"),
    "weight": Phrase("weight of the learned scores"),
}
"""What the keys of reports mean; their values' own keys too."""
_STAMP = len("2026-01-31 12:00:00 ")


def read_phrase(stored: str | Mapping[str, Any]) -> Phrase:
    """A phrase as rows have it: as its JSON, or in English, as logs, reports and older rows have it."""
    return parse_phrase(stored, SENTENCES) if isinstance(stored, str) else Phrase.from_json(stored)


def translated(text: str, translate: Callable[[str], str] = str) -> str:
    """A sentence of a log, a report or a refusal as it is stored, translated; other text stays."""
    return read_phrase(text).text(translate)


def translated_name(key: str, translate: Callable[[str], str] = str) -> str:
    """What a key of a report means."""
    return NAMES[key].text(translate) if key in NAMES else key.replace("_", " ")


def translated_last_line(log: str, translate: Callable[[str], str] = str) -> str:
    """The last line of a run's log, translated, without its time."""
    return translated(log.rstrip("\n").rpartition("\n")[2][_STAMP:], translate)


def translated_log(log: str, translate: Callable[[str], str] = str) -> str:
    """A run's log with the sentences of its lines translated; their times stay."""
    return "\n".join(line[:_STAMP] + translated(line[_STAMP:], translate) for line in log.splitlines())
