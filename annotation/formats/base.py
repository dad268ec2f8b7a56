"""How a format describes itself: what it reads and writes, and everything that pages and commands know about it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotation.formats.record import PairRecord, ParsedSource
from annotation.formats.source import refusal
from annotation.phrases import Phrase
from annotation.registry import Registry
from annotation.text.schemes import Scheme

Read = Callable[[Sequence[Path], Mapping[str, str]], ParsedSource]
"""`read(paths, options)` raises FormatError with everything that is wrong."""
Write = Callable[[Iterable[PairRecord], Scheme, Path], list[Path]]
"""`write(records, scheme, out)` returns the paths it wrote; FormatError for what the format can't hold."""


Sample = Callable[[Sequence[PairRecord], Path], object]
"""`sample(records, path)` writes a sample to the file `path`, or into this folder if it becomes a zip archive."""


Omitted = Callable[[PairRecord, Scheme], Counter[str]]
"""`omitted(record, scheme)` counts what a format can't hold, by the sentences of `omissions`."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a format. `web`: whether a browser may set it; never true for options that name a path.

    `names_person`: its value is someone's name, which no archive of a project has.
    """

    describes: str
    web: bool = True
    names_person: bool = False


@dataclass(frozen=True, slots=True)
class Dataset:
    """How a format becomes a dataset to publish: with the guidelines by version, and with a card, `README.md`.

    `front_matter(out, name, licence, more)` is the card's metadata, from the files in `out` and the fields in `more`.
    """

    write: Callable[[Iterable[PairRecord], Scheme, Path, Mapping[int, str]], list[Path]]
    front_matter: Callable[[Path, str, str, Mapping[str, Any]], str]


@dataclass(frozen=True, slots=True)
class Format:
    """One format. `reader` is None if it can't be imported, `writer` if it can't be exported.

    `describes` says what is imported, `exports` what an export holds. `extensions` are the file extensions by which the
    format is recognised; `ending` is the extension of an exported file, '' if the export is a folder; a folder is
    recognised as an earlier export by its file `marker`, and `files` matches the names (`folder/file`) of what an
    export writes into it, which the next one replaces. `recognises(path)` says whether a file's content is of this
    format: it decides between formats with the same extension, and for files without a known one; `recognises_folder`
    is for a folder that other programs write, whose files are deeper down. `web`: whether a browser may import it.
    `complete`: an export contains everything, including work in progress, with the project's own
    names. `omitted` counts what of a record is not in an export, and `scheme_problem` says why a project of a scheme
    can't be exported at all. `scheme` is that of the dataset whose format it is, if it can hold no other labels.
    `documents`: whether what it reads is documents in several languages, which it makes into pairs. `samples` are files
    to look at and to fill in, by name, if the format can't be exported; of others a small export is a sample.
    `project`: an archive of a whole project, which is neither read into records nor written from them
    (`annotation.services.project_archive`).
    """

    name: str
    describes: str
    reader: Read | None
    writer: Write | None
    options: Mapping[str, Option] = field(default_factory=dict)
    extensions: tuple[str, ...] = ()
    web: bool = True
    exports: str = ""
    ending: str = ""
    marker: str = ""
    files: re.Pattern[str] | None = None
    recognises: Callable[[Path], bool] | None = None
    recognises_folder: Callable[[Path], bool] | None = None
    complete: bool = False
    dataset: Dataset | None = None
    omitted: Omitted | None = None
    scheme_problem: Callable[[Scheme], Phrase | None] | None = None
    scheme: Scheme | None = None
    documents: bool = False
    samples: Mapping[str, Sample] = field(default_factory=dict)
    project: bool = False

    @property
    def web_options(self) -> dict[str, Option]:
        """The options that a browser may set."""
        return {name: option for name, option in self.options.items() if option.web}

    def read(self, paths: Sequence[Path], options: Mapping[str, str]) -> ParsedSource:
        """What `reader` reads. Raises FormatError."""
        if self.reader is None:
            raise refusal(f"format {self.name}", Phrase("this format can't be imported"))
        return self.reader(paths, options)

    def check_scheme(self, scheme: Scheme) -> None:
        """Raises FormatError for a scheme whose labels an export can't hold."""
        if self.scheme_problem is not None and (why := self.scheme_problem(scheme)):
            raise refusal(f"scheme '{scheme.name}'", why)

    def write(self, records: Iterable[PairRecord], scheme: Scheme, out: Path) -> list[Path]:
        """What `writer` writes to `out`; returns the files. Raises FormatError."""
        if self.writer is None:
            raise refusal(f"format {self.name}", Phrase("this format can't be exported"))
        self.check_scheme(scheme)
        return self.writer(records, scheme, out)


FORMATS: Registry[Format] = Registry("annotation.formats")
"""Every format. A module of this package registers its own: `FORMAT = FORMATS.register(Format(…))`."""


def import_formats(*, web: bool = False) -> dict[str, Format]:
    """The formats that can be imported; `web`: from a browser."""
    return {name: each for name, each in FORMATS.items() if (each.reader or each.project) and (each.web or not web)}


def export_formats() -> dict[str, Format]:
    """The formats that can be exported."""
    return {name: each for name, each in FORMATS.items() if each.writer or each.project}


def dataset_formats() -> dict[str, Format]:
    """The formats that become datasets to publish."""
    return {name: each for name, each in FORMATS.items() if each.dataset is not None}


def options_naming_people() -> set[str]:
    """The options of formats whose values are people's names."""
    return {name for each in FORMATS.values() for name, option in each.options.items() if option.names_person}
