"""What a format says of itself, in its own file: names, files, options, and what is allowed from the web."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotation.formats.record import PairRecord, ParsedSource
from annotation.text.schemes import Scheme


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a format. `web`: whether a browser may set it. An option that names a path never is."""

    describes: str
    web: bool = True


@dataclass(frozen=True, slots=True)
class Format:
    """One format. `read(paths, options)` raises FormatError; `write(records, scheme, out)` returns what it wrote.

    `extensions` are the file endings by which the format is recognised. `web`: whether it may be imported by a browser.
    """

    name: str
    describes: str
    read: Callable[[Sequence[Path], Mapping[str, str]], ParsedSource]
    write: Callable[[Iterable[PairRecord], Scheme, Path], list[Path]]
    options: Mapping[str, Option] = field(default_factory=dict)
    extensions: tuple[str, ...] = ()
    web: bool = True

    @property
    def web_options(self) -> dict[str, Option]:
        """The options that a browser may set."""
        return {name: option for name, option in self.options.items() if option.web}
