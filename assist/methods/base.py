"""What a pre-labelling method is: its input, its output, and how it is found by name.

A method is a class, registered under a name and a version. It lives in a module of its own in this package, in which
`create` finds it::

    chosen = create("default", {"target": "new"})
    model = chosen.fit(pairs)
    results = chosen.predict(model, pairs)

Everything here is pure: no database, no framework. What is heavy (an encoder) is imported inside ``fit`` and
``predict``, never when a module is.
"""

import importlib.util
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Literal, TypeVar

from annotation.glossaries.entries import TermEntry, reverse_entries
from annotation.phrases import Phrase, PhraseError, field_problem
from annotation.progress import OnProgress
from annotation.registry import modules_import
from annotation.settings_model import SettingError, Settings

Range = tuple[int, int]
"""A half-open range: of code points for text, of token indices in a :class:`Proposal`."""


class MethodError(PhraseError):
    """A method, a setting or an input that cannot be used; the phrase says which, why and what would do.

    A method of one's own may give a text instead, which is shown as it is.
    """

    def __init__(self, phrase: Phrase | str) -> None:
        super().__init__(phrase if isinstance(phrase, Phrase) else Phrase(phrase))


class RunEnds(MethodError):
    """What ends a run and not only a pair: a limit is reached, or a server refuses everything. It can be retried."""


@dataclass(frozen=True, slots=True)
class TextSide:
    """One text of a pair. All ranges are half-open code-point ranges of ``text``, ascending and disjoint."""

    language: str
    text: str
    tokens: Sequence[Range]
    sentences: Sequence[Range] = ()
    paragraphs: Sequence[Range] = ()

    def words(self) -> list[str]:
        """The tokens' strings, in order."""
        return [self.text[start:end] for start, end in self.tokens]


@dataclass(frozen=True, slots=True)
class MarkedSpan:
    """A span that someone marked: its label, and half-open ranges of token indices on each side."""

    label: str
    a: tuple[Range, ...] = ()
    b: tuple[Range, ...] = ()


@dataclass(frozen=True, slots=True)
class PairInput:
    """A pair as a method sees it.

    ``gold_a`` and ``gold_b`` hold one value in [0, 1] per token of their side (NaN: unknown) or are None if nobody
    marked that side; only methods with ``learns`` or a threshold to choose look at them. ``translations_a`` has one or
    more translations of A into the language of B; ``translations_b`` likewise. ``labels_a`` and ``labels_b`` hold the
    label that people gave each token ('' for none), in addition to its gold value; None if unknown. ``spans`` are the
    spans behind them, of all annotations that count. ``document`` is the name of the parallel document that the texts
    are of, in two of its languages; '' if unknown.
    """

    id: str
    a: TextSide
    b: TextSide
    gold_a: Sequence[float] | None = None
    gold_b: Sequence[float] | None = None
    split: str = ""
    translations_a: Sequence[TextSide] = ()
    translations_b: Sequence[TextSide] = ()
    labels_a: Sequence[str] | None = None
    labels_b: Sequence[str] | None = None
    spans: Sequence[MarkedSpan] = ()
    document: str = ""


def held_out(pair: PairInput) -> bool:
    """Whether a pair is kept for testing: nothing is learned from its labels, however its split is written."""
    return pair.split.strip().casefold() == "test"


@dataclass(frozen=True, slots=True)
class ProposalReason:
    """What differs ('number', 'date' …; see ``mismatch.aligned.Kind``), and the words of A and of B that differ."""

    kind: str
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A span proposed: half-open ranges of token indices on each side, and how sure (in [0, 1]).

    ``level``, from 1 to 3, is how heavily it is drawn: its confidence relative to the run's other proposals. ``reason``
    says what differs, if that is known; None if it is based on scores alone. ``label`` is the label predicted for it,
    one of those that people gave; '' if the method predicts none.
    """

    a: tuple[Range, ...]
    b: tuple[Range, ...]
    score: float
    level: int = 1
    reason: ProposalReason | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """What a method says about one pair.

    ``scores_a`` and ``scores_b`` hold a difference score in [0, 1] for every token; ``edges`` are (token of A, token of
    B); ``labels`` holds, for methods that predict labels, one per token under "a" and "b" ('' for unmarked; a side
    without known labels is omitted); ``seconds`` is the time that predicting this pair took. A method that ``gives``
    translations leaves the scores empty: ``translations`` holds the text of side "a", "b" or both in the language of
    the other. ``counts`` says how often the method had a problem with its input or answers, by name. ``empty``: the
    method has nothing to say about the pair, which gets no highlight; the report of its model says why.
    """

    id: str
    scores_a: list[float]
    scores_b: list[float]
    edges: list[tuple[int, int]] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    labels: dict[str, list[str]] = field(default_factory=dict)
    translations: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    counts: Mapping[str, int] = field(default_factory=dict)
    empty: bool = False


@dataclass(frozen=True)
class WordLists:
    """Word lists in addition to those that come with Diptych.

    ``glossary`` holds a project's agreed translations by the languages of words and translations (base codes), and
    ``revision`` identifies them; ``dictionaries`` are the names of installed ones.
    """

    glossary: Mapping[tuple[str, str], Sequence[TermEntry]] = field(default_factory=dict)
    revision: str = ""
    dictionaries: tuple[str, ...] = ()

    def between(self, source: str, target: str) -> list[TermEntry]:
        """The glossary's entries from one language to another, written in either direction."""
        back = self.glossary.get((target, source), ()) if source != target else ()
        return [*self.glossary.get((source, target), ()), *reverse_entries(back)]


NO_LISTS = WordLists()


@dataclass(frozen=True)
class Labelling:
    """How a project labels: how great a difference each label means, in [0, 1], and the sides that are labelled."""

    weights: Mapping[str, float] = field(default_factory=dict)
    sides: Sequence[str] = ("a", "b")


S = TypeVar("S", bound=Settings)
M = TypeVar("M")


class Method(ABC, Generic[S, M]):
    """A way to score the tokens of pairs; ``S`` are its settings, ``M`` what ``fit`` returns (it must pickle)."""

    name: ClassVar[str]
    version: ClassVar[str]
    Settings: ClassVar[type[Settings]]
    gives: ClassVar[Literal["highlights", "translations"]] = "highlights"
    """What results hold: scores and suggestions, or translations of the texts, which other methods use.

    A method that gives translations is a `translate.Translate`."""
    advice: ClassVar[str] = ""
    """When to choose it, in a sentence without its full stop, for the page where a method is chosen."""
    scores_differences: ClassVar[bool] = True
    """Whether ordinary words score higher if they differ; False for a baseline, or what marks only numbers, say."""
    combines: ClassVar[bool] = True
    """Whether ``fusion`` may combine its scores with those of others."""
    learns: ClassVar[bool] = False
    """Whether ``fit`` needs gold values to be useful."""
    gpu: ClassVar[bool] = False
    """Whether a GPU makes it faster."""
    packages: ClassVar[tuple[str, ...]] = ()
    """The packages it needs besides NumPy, SciPy and scikit-learn: a run records their versions, and is refused where
    they are not installed. A core install lacks those of requirements.txt."""

    word_lists: ClassVar[bool] = False
    """Whether ``fit`` looks words up in word lists."""
    lists: WordLists = NO_LISTS
    """The run's word lists; set before ``fit``, whose model has what ``predict`` needs of them."""
    sends_texts: ClassVar[bool] = False
    """Whether texts are sent to another server, which may charge for it: only on a person's request."""
    labelling: Labelling = Labelling()
    """How the project labels; set before ``fit`` and ``predict``."""

    def __init__(self, settings: S | None = None) -> None:
        if settings is not None and not isinstance(settings, self.Settings):
            raise MethodError(f"{self.slug()} takes {self.Settings.__qualname__}, not {type(settings).__qualname__}")
        self.settings: S = settings if settings is not None else self.Settings()  # type: ignore[assignment]

    @classmethod
    def site_defaults(cls) -> dict[str, Any]:
        """Settings that differ from their defaults on this site; a run stores them."""
        return {}

    def trains(self, labelled: bool) -> bool:
        """Whether ``fit`` learns anything from a project's pairs (``labelled``: some are), now and when repeated."""
        return True

    def unavailable(self, languages: Iterable[tuple[str, str]]) -> Phrase | None:
        """Why pairs of these languages (of A, of B) can't be processed here, in a sentence; None if they can."""
        return None

    def server_problem(self) -> Phrase | None:
        """Why the server that the settings name can't be asked, from whatever machine; None if it can, or none is."""
        return None

    def downloads(self, languages: Iterable[tuple[str, str]]) -> list[str]:
        """The models for pairs of these languages that are not on this machine and would be downloaded first."""
        return []

    @classmethod
    def missing_packages(cls) -> list[str]:
        """Those of ``packages`` that are not installed on this machine; nothing is imported to find out."""
        return [name for name in cls.packages if importlib.util.find_spec(name) is None]

    @classmethod
    def slug(cls) -> str:
        """Name and version: 'default.v1'."""
        return f"{cls.name}.v{cls.version}"

    @abstractmethod
    def fit(self, pairs: Sequence[PairInput], on_progress: OnProgress | None = None) -> M:
        """What ``predict`` needs to know about the project, from all its pairs of all languages and splits."""

    @abstractmethod
    def predict(self, model: M, pairs: Sequence[PairInput], on_progress: OnProgress | None = None) -> list[Result]:
        """One result per pair, in order; a pair that ``fit`` has not seen is scored too.

        ``on_progress`` is called after each pair: a run is cancelled by what it raises.
        """

    def report(self, model: M) -> dict[str, Any]:
        """What a lead should know about a fitted model, as JSON can hold it (for instance a cross-validated score)."""
        return {}


_REGISTRY: dict[str, type[Method[Any, Any]]] = {}
T = TypeVar("T", bound=type[Method[Any, Any]])


def register(cls: T) -> T:
    """Class decorator: makes a method findable under its name and version."""
    if not re.fullmatch(r"[a-z][a-z0-9-]*", cls.name) or not re.fullmatch(r"[1-9][0-9]*", cls.version):
        raise MethodError(f"{cls.__qualname__}: a name is of a-z, 0-9 and '-', a version a whole number from 1")
    if _REGISTRY.setdefault(cls.slug(), cls) is not cls:
        raise MethodError(f"{cls.slug()} is registered twice: raise the version of one")
    return cls


def methods() -> list[type[Method[Any, Any]]]:
    """Every registered method and version, sorted by name and version."""
    modules_import(__package__)
    return sorted(_REGISTRY.values(), key=lambda cls: (cls.name, int(cls.version)))


def method(name: str) -> type[Method[Any, Any]]:
    """The method with a name: 'default' is the newest version, 'default.v1' exactly that; MethodError if unknown."""
    available = methods()
    matches = [cls for cls in available if name in (cls.name, cls.slug())]
    if not matches:
        raise MethodError(f"there is no method '{name}'; there are: {', '.join(cls.slug() for cls in available)}")
    return matches[-1]


def create(name: str, settings: Mapping[str, Any] | None = None) -> Method[Any, Any]:
    """The named method with settings from strings (``key=value``) or JSON values; MethodError if invalid."""
    cls = method(name)
    try:
        return cls(cls.Settings.read(settings or {}))
    except SettingError as error:
        raise MethodError(field_problem(cls.slug(), error.phrase)) from error
