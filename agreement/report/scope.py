"""Which part of a phase's work a report covers, as it is named in URLs and forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from agreement.data.annotation_arrays import collection_blocks, collection_of
from agreement.metrics.documents import Collection
from agreement.report import name_lists
from agreement.report.compute.drift import first_annotations_and_retests
from annotation.models import Phase, Project, Source

PARTS = ("phase", "languages", "split", "again")


@dataclass(frozen=True, slots=True)
class Scope:
    """The part of a phase's work that a report covers: '' and () are everything.

    `languages` is a language pair ('EN-DE'), `annotators` are aliases, `split` is a split's name. `again` is the alias
    of one annotator whose first work on a pair is compared with their re-tests of it. Values that do not occur match
    nothing. `names` replace annotators' aliases in a published report, which excludes those who have none; `splits`,
    by a pair's id, replace the pairs' own. Neither is in URLs.
    """

    phase: str = Phase.MAIN
    languages: str = ""
    annotators: tuple[str, ...] = ()
    split: str = ""
    again: str = ""
    names: Mapping[str, str] = field(default_factory=dict, hash=False)
    splits: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        """As in URLs: 'phase=main&annotators=A1%2CA2'."""
        return urlencode(self.parameters)

    @property
    def parameters(self) -> list[tuple[str, str]]:
        """The names and values of its parts, without the empty ones, as URLs and forms send them."""
        values = {name: getattr(self, name) for name in PARTS} | {"annotators": name_lists.join_names(self.annotators)}
        return [(name, value) for name, value in values.items() if value]

    @classmethod
    def parse(cls, text: str) -> Scope:
        """The scope from the result of `str`."""
        values = dict(parse_qsl(text))
        parts: dict[str, Any] = {name: values[name] for name in PARTS if name in values}
        return cls(annotators=name_lists.split_names(values.get("annotators", "")), **parts)

    def of(self, project: Project, round: int | None = 0) -> Collection:
        """The human work in the scope; without re-tests, unless `round` is None or `again` is set."""
        return self._narrowed(
            collection_of(project, source=Source.HUMAN, phase=self.phase, round=None if self.again else round)
        )

    def blocks(self, project: Project) -> Iterator[Collection]:
        """As `of`, some documents at a time."""
        round = None if self.again else 0
        return map(self._narrowed, collection_blocks(project, source=Source.HUMAN, phase=self.phase, round=round))

    def _narrowed(self, collection: Collection) -> Collection:
        collection = self._chosen(collection)
        if self.splits:
            collection = collection.of(
                [replace(each, split=self.splits.get(each.name, each.split)) for each in collection.documents]
            )
        # The first work and the re-tests of one person have no names of their own.
        if not self.names or self.again:
            return collection
        people = [index for index, alias in enumerate(collection.annotators) if alias in self.names]
        if len(people) < len(collection.annotators):
            collection = collection.among(people).keep(lambda document: bool(document.annotations))
        return replace(collection, annotators=tuple(self.names.get(alias, "") for alias in collection.annotators))

    def _chosen(self, collection: Collection) -> Collection:
        if self.languages:
            collection = collection.keep(lambda document: document.language_pair == self.languages)
        if self.split:
            collection = collection.keep(lambda document: document.split == self.split)
        if self.again:
            indices = [index for index, name in enumerate(collection.annotators) if name == self.again]
            return first_annotations_and_retests(collection, indices[0]) if indices else collection.of([])
        if self.annotators:
            indices = [index for index, name in enumerate(collection.annotators) if name in self.annotators]
            collection = collection.among(indices).keep(lambda document: bool(document.annotations))
        return collection
