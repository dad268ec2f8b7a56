"""Translations of a project's texts into the language of their pair's other side, made by a model.

They aren't shown to annotators: ``default`` and ``learned`` read them as a bridge between the two texts
(``docs/prelabeling.md``, *Translations*). A text is translated sentence by sentence and keeps its paragraphs.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from annotation.phrases import Phrase, join_phrases
from annotation.progress import OnProgress
from annotation.settings_model import Settings, device_setting, setting
from annotation.text.tokens import UNSPACED, base_language
from assist.methods.base import Method, PairInput, Result, TextSide, register
from assist.methods.encoder import pretrained
from assist.methods.translation import seq2seq

MARIAN = "Helsinki-NLP/opus-mt-{source}-{target}"
"""Small models, one for each pair of languages."""

Route = tuple[str, str]
"""The language of a text, and that of its translation."""


class TranslateSettings(Settings):
    """Settings of the translation of texts."""

    model: str = setting(
        MARIAN,
        "Model",
        "Hugging Face name of a sequence-to-sequence model, or name of a folder that the server administrator "
        "provides; {source} and {target} stand for the languages' codes",
        name_parts=2,
    )
    revision: str | None = setting(None, "Revision", "commit, branch or tag of a model from a hub", name_parts=3)
    sides: Literal["both", "a", "b"] = setting(
        "both", "Sides translated", "which texts of a pair are translated into the language of the other"
    )
    beams: int = setting(4, "Beams", "beams of the search: more beams are slower and somewhat better", low=1, high=16)
    device: str = device_setting()
    precision: Literal["auto", "float32", "float16", "bfloat16"] = setting(
        "auto", "Precision", "numeric precision of the model"
    )
    batch_tokens: int | None = setting(
        None, "Batch size", "subwords in a batch, padding included; if empty: by device", low=1
    )


@dataclass(frozen=True, slots=True)
class TranslateModel:
    """The models of a project's pairs: by language and target, name and commit."""

    models: dict[Route, tuple[str, str]]


@register
class Translate(Method[TranslateSettings, TranslateModel]):
    """Translations of each text into the other side's language, for the methods that use them."""

    name = "translate"
    version = "1"
    Settings: ClassVar[type[Settings]] = TranslateSettings
    gives = "translations"
    gpu = True
    packages = ("torch", "transformers", "sentencepiece")

    def trains(self, labelled: bool) -> bool:
        """The model is not trained."""
        return False

    def unavailable(self, languages: Iterable[Route]) -> Phrase | None:
        revision, names = self.settings.revision, self._names(languages)
        return join_phrases(pretrained.unavailable(name, revision, seq2seq.KIND) for name in names)

    def downloads(self, languages: Iterable[Route]) -> list[str]:
        revision = self.settings.revision
        return [name for name in self._names(languages) if not pretrained.on_this_machine(name, revision)]

    def fit(self, pairs: Sequence[PairInput], on_progress: OnProgress | None = None) -> TranslateModel:
        """Name the models that the pairs need, and their commits. MethodError if one can't be loaded."""
        needed = routes(((pair.a.language, pair.b.language) for pair in pairs), self.settings.sides)
        return TranslateModel({route: (self._load(route).name, self._load(route).commit) for route in needed})

    def predict(
        self, model: TranslateModel, pairs: Sequence[PairInput], on_progress: OnProgress | None = None
    ) -> list[Result]:
        """The translations of the sides to translate that have none and aren't empty."""
        translated: dict[tuple[int, str], str] = {}
        seconds = dict.fromkeys(range(len(pairs)), 0.0)
        for route, members in self._by_route(pairs).items():
            started = time.perf_counter()
            texts = [getattr(pairs[index], side) for index, side in members]
            translations = self._translated(route, texts, on_progress)
            each_character = (time.perf_counter() - started) / max(1, sum(len(text.text) for text in texts))
            for (index, side), text, translation in zip(members, texts, translations, strict=True):
                translated[index, side] = translation
                seconds[index] += each_character * len(text.text)
        return [
            Result(
                pair.id,
                [],
                [],
                translations={side: translated[index, side] for side in ("a", "b") if (index, side) in translated},
                seconds=seconds[index],
            )
            for index, pair in enumerate(pairs)
        ]

    def report(self, model: TranslateModel) -> dict[str, Any]:
        """The model of each language, with its commit."""
        return {
            "models": [
                {"from": source, "into": target, "model": pretrained.display_name(name), "revision": commit}
                for (source, target), (name, commit) in sorted(model.models.items())
            ]
        }

    def translator(self, model: TranslateModel, route: Route) -> str:
        """Identifies the translator: the model, its commit and the settings that affect its output."""
        name, commit = model.models.get(route) or (self._load(route).name, self._load(route).commit)
        return f"{pretrained.display_name(name)}@{commit[:12]} {self.slug()} beams={self.settings.beams}"

    def _by_route(self, pairs: Sequence[PairInput]) -> dict[Route, list[tuple[int, str]]]:
        """What is to be translated, as pair and side, by route."""
        by_route: dict[Route, list[tuple[int, str]]] = {}
        for index, pair in enumerate(pairs):
            for side, route in pair_routes(pair.a.language, pair.b.language, self.settings.sides).items():
                text, translations = (pair.a, pair.translations_a) if side == "a" else (pair.b, pair.translations_b)
                if text.text.strip() and not translations:
                    by_route.setdefault(route, []).append((index, side))
        return by_route

    def _translated(self, route: Route, texts: Sequence[TextSide], on_progress: OnProgress | None) -> list[str]:
        source, target = route
        translator = self._load(route)
        cut = [pieces(text) for text in texts]
        sentences = [piece for each in cut for piece, spoken in each if spoken]
        translations = iter(
            translator.translate(
                sentences,
                source,
                target,
                beams=self.settings.beams,
                batch_tokens=self.settings.batch_tokens,
                on_progress=(lambda done, total: on_progress(done, total, "translating")) if on_progress else None,
            )
        )
        return [
            join_pieces([(next(translations) if spoken else piece, spoken) for piece, spoken in each], target)
            for each in cut
        ]

    def _load(self, route: Route) -> seq2seq.Translator:
        settings = self.settings
        return seq2seq.load(model_name(settings.model, route), settings.revision, settings.device, settings.precision)

    def _names(self, languages: Iterable[Route]) -> list[str]:
        return sorted({model_name(self.settings.model, route) for route in routes(languages, self.settings.sides)})


def model_name(pattern: str, route: Route) -> str:
    """The name of the model for a route."""
    source, target = (base_language(language) for language in route)
    return pattern.replace("{source}", source).replace("{target}", target)


def pair_routes(a: str, b: str, sides: str) -> dict[Literal["a", "b"], Route]:
    """The routes of the sides to be translated, of a pair of these languages; none within one language."""
    if base_language(a) == base_language(b):
        return {}
    both: dict[Literal["a", "b"], Route] = {"a": (a, b), "b": (b, a)}
    return {side: route for side, route in both.items() if sides in ("both", side)}


def routes(languages: Iterable[Route], sides: str) -> list[Route]:
    """Every route that pairs of these languages need, once."""
    return sorted({route for a, b in languages for route in pair_routes(a, b, sides).values()})


def pieces(text: TextSide) -> list[tuple[str, bool]]:
    """The text cut into sentences and the parts between them, in order, with whether to translate each piece.

    A sentence without a letter is not translated.
    """
    parts: list[tuple[str, bool]] = []
    position = 0
    for start, end in text.sentences or [(0, len(text.text))]:
        between, sentence = text.text[position:start], text.text[start:end]
        inner = sentence.strip()
        lead = len(sentence) - len(sentence.lstrip())
        parts.append((between + sentence[:lead], False))
        parts.append((inner, any(character.isalpha() for character in inner)))
        parts.append((sentence[lead + len(inner) :], False))
        position = end
    parts.append((text.text[position:], False))
    return [(piece, spoken) for piece, spoken in parts if piece]


def join_pieces(pieces: Sequence[tuple[str, bool]], target: str) -> str:
    """The text of translated pieces.

    White space between sentences is that of the original, unless only one of the languages uses it.
    """
    spaced = base_language(target) not in UNSPACED
    text = ""
    after_sentence = False
    for piece, spoken in pieces:
        if spoken:
            text += f" {piece}" if after_sentence and spaced else piece
        elif spaced or "\n" in piece or not piece.isspace():
            text += piece
        else:
            continue
        after_sentence = spoken
    return text
