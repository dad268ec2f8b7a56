"""Which page in which language a file is: by the folder it is in, by the end of its name, or by a list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from annotation.formats.delimited import table_rows
from annotation.formats.document_report import DroppedPage
from annotation.formats.pages.text import HTML, PLAIN
from annotation.formats.source import Refusals, display_name, name_inside, refusal
from annotation.phrases import Phrase
from annotation.strict_json import display_text
from annotation.text.language_names import language_of_name
from annotation.text.limits import MAX_FILES

ENDINGS = (*HTML, *PLAIN)
LIST = "diptych-pages.csv"
"""The table of which files are one page: the columns `document`, `subdomain`, and one per language with file names."""
_LISTED = (
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee "
    "el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is "
    "it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms "
    "mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk "
    "sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi "
    "yo za zh zu"
)
_CODES = frozenset(_LISTED.split())
_CODE = re.compile(r"([a-z]{2})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}))?", re.IGNORECASE | re.ASCII)
_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+", re.IGNORECASE | re.ASCII)
_NAMELESS = Phrase("neither its folder nor the end of its name (page.de.html) says its language")
_LEADS_OUT = Phrase("is a link that leads out of the folder; remove it")
_SUBDOMAINS = ("subdomain", "host", "domain")
_DOCUMENTS = ("document", "id", "page")


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file that is one language's page of a document; `subdomain` is '' unless a folder or the list says it."""

    path: Path
    document: str
    language: str
    subdomain: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    where: str = ""


def page_files(paths: Sequence[Path], refusals: Refusals) -> tuple[list[PageFile], list[DroppedPage]]:
    """The pages in these files and folders, and the files that belong to no language.

    Raises FormatError for a path that does not exist, and for too many files. A folder with a list (`LIST`) has the
    pages that it lists. Links that lead out of a folder are refused.
    """
    pages: list[PageFile] = []
    nameless: list[DroppedPage] = []
    for path in paths:
        if not path.exists():
            raise refusal(display_name(path), Phrase("there is no such file or folder"))
        if path.is_dir() and (path / LIST).is_file():
            if not _is_within(path / LIST, path):
                raise refusal(LIST, _LEADS_OUT)
            pages += _listed_pages(path, refusals)
            continue
        for file, inside in _files(path):
            if not _is_within(file, path):
                refusals.add(name_inside(file, inside), _LEADS_OUT)
                continue
            # What is given may itself be one language's folder: an archive's only one, or 'en de' on the command line.
            page = _page(file, inside) or (_page(file, path.name / inside) if path.is_dir() else None)
            if page is None:
                nameless.append(DroppedPage(inside.as_posix(), "", name_inside(file, inside), _NAMELESS))
            else:
                pages.append(page)
            if len(pages) + len(nameless) > MAX_FILES:
                raise refusal(display_name(path), Phrase("more than %(most)s pages", {"most": str(MAX_FILES)}))
    return pages, nameless


def has_pages(folder: Path) -> bool:
    """Whether a folder holds HTML, or texts in at least two languages, and no data of another format."""
    languages: set[str] = set()
    html = False
    for number, path in enumerate(folder.rglob("*")):
        ending = path.suffix.lower()
        if ending in (".jsonl", ".json", ".csv", ".tsv", ".xml", ".parquet", ".xlsx", ".ods") or number > 4 * MAX_FILES:
            return False
        html = html or ending in HTML
        if ending in ENDINGS and (page := _page(path, PurePosixPath(path.relative_to(folder).as_posix()))):
            languages.add(page.language)
    # HTML is of no other format: that it is all in one language is said as a refusal of pages.
    return html or len(languages) > 1


def is_page(path: Path) -> bool:
    """Whether a single file is a page: HTML, or plain text whose name says its language, but not JSON or WebAnno."""
    if path.suffix.lower() in HTML:
        return True
    page = _page(path, PurePosixPath(path.name)) if path.suffix.lower() in PLAIN else None
    try:
        return page is not None and path.read_bytes()[:1] not in (b"{", b"[", b"#")
    except OSError:
        return False


def language_named(part: str) -> str:
    """The language that a folder's name or the end of a file's name is: 'de', 'de-CH', 'zh-Hant', 'deutsch'; or ''."""
    match = _CODE.fullmatch(part)
    if match and match[1].lower() in _CODES:
        script, region = (match[2] or "").title(), (match[3] or "").upper()
        return "-".join(filter(None, (match[1].lower(), script, region)))
    return language_of_name(part) if len(part) > 3 and part.isalpha() else ""


def _files(path: Path) -> Iterator[tuple[Path, PurePosixPath]]:
    """The pages among these files, each with its path within what was given, sorted."""
    if path.is_file():
        yield path, PurePosixPath(path.name)
        return
    for file in sorted(path.rglob("*")):
        inside = PurePosixPath(file.relative_to(path).as_posix())
        hidden = any(part.startswith((".", "__MACOSX")) for part in inside.parts)
        if not hidden and file.suffix.lower() in ENDINGS and file.is_file():
            yield file, inside


def _is_within(file: Path, source: Path) -> bool:
    """Whether a file is in what was given: a link in a folder may lead to any file of this machine."""
    return file == source or file.resolve().is_relative_to(source.resolve())


def _page(path: Path, inside: PurePosixPath) -> PageFile | None:
    """The page that a file is by its path; None if that says no language."""
    folders, stem = list(inside.parts[:-1]), inside.stem
    at = next((number for number, part in enumerate(folders) if language_named(part)), None)
    start, dot, ending = stem.rpartition(".")
    language = language_named(ending) if dot and start else ""
    if language:
        stem = start
        if at is not None and language_named(folders[at]) == language:
            del folders[at]
    elif at is not None:
        language = language_named(folders.pop(at))
    else:
        return None
    before = folders[: at or 0]
    subdomain = next((part.lower() for part in before if _HOST.fullmatch(part)), "")
    return PageFile(path, "/".join((*folders, stem)), language, subdomain, where=name_inside(path, inside))


def _listed_pages(folder: Path, refusals: Refusals) -> list[PageFile]:
    """The pages that a folder's list names. A file that is missing or outside the folder is refused with its row."""
    pages: list[PageFile] = []
    root = folder.resolve()
    for where, row in table_rows(folder / LIST, refusals):
        names = {column: column.strip().lower() for column in row}
        document = _first(row, names, _DOCUMENTS)
        subdomain = _first(row, names, _SUBDOMAINS)
        other_columns = (*_DOCUMENTS, *_SUBDOMAINS)
        metadata = {
            key: value
            for key, value in row.items()
            if names[key] not in other_columns and not language_named(key.strip())
        }
        files = {
            language: row[key].strip()
            for key in row
            if names[key] not in other_columns and (language := language_named(key.strip()))
        }
        for language, name in files.items():
            if not name:
                continue
            path = folder / name
            if not name.isprintable() or not path.resolve().is_relative_to(root) or not path.is_file():
                refusals.add(where, Phrase("there is no file '%(name)s' in the folder", {"name": display_text(name)}))
            elif path.suffix.lower() not in ENDINGS:
                refusals.add(where, Phrase("'%(name)s' is neither HTML nor plain text", {"name": display_text(name)}))
            else:
                named = document or next(iter(filter(None, files.values()))).rpartition(".")[0]
                shown_as = name_inside(path, PurePosixPath(name))
                pages.append(PageFile(path, named, language, subdomain.lower(), metadata, shown_as))
    return pages


def _first(row: Mapping[str, str], names: Mapping[str, str], columns: Iterable[str]) -> str:
    return next((row[key].strip() for name in columns for key in row if names[key] == name and row[key].strip()), "")
