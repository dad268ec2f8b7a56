"""How a format describes itself: names, extensions, options, and what is allowed from the web."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from annotation.formats.record import PairRecord, ParsedSource
from annotation.text.schemes import Scheme


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a format. `web`: whether a browser may set it; never true for options that name a path."""

    describes: str
    web: bool = True


@dataclass(frozen=True, slots=True)
class Format:
    """One format. `read(paths, options)` raises FormatError; `write(records, scheme, out)` returns the paths it wrote.

    `extensions` are the file extensions by which the format is recognised. `web`: whether a browser may import it.
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
