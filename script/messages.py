# SPDX-License-Identifier: GPL-3.0-or-later
"""The message catalogues: extract from the sources, merge into `locale/*/LC_MESSAGES/*.po`, compile, by Babel.

Each language has two: `django.po` for the server's messages, `djangojs.po` for those of scripts.
`script/messages` runs this to update the catalogues, `script/setup` to compile them (`--compile`). `--rename OLD NEW`
keeps the translations of a sentence whose English has changed. It needs no gettext tools.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from itertools import product, zip_longest
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from annotation.settings_model import Settings, settings_by_name

ROOT = Path(__file__).resolve().parents[1]
LOCALE = ROOT / "locale"
LANGUAGES = ("de", "fr", "it", "es")
DOMAINS = ("django", "djangojs")
SOURCES = ("agreement", "annotation", "assist", "config", "operation")
# Which arguments of each function are messages and which a context; Babel knows the functions without "lazy".
KEYWORDS = {
    **DEFAULT_KEYWORDS,
    **{f"{name}_lazy": DEFAULT_KEYWORDS[name] for name in ("gettext", "ngettext", "pgettext", "npgettext")},
    "gettext_noop": None,
    "Phrase": None,
}
KEPT = re.compile(r"%\(\w+\)[sd]|%%|\{\w*\}|</?\w+[^>]*>")
"""What a translation must keep: placeholders, tags with their attributes, and the doubled percent sign."""
UNWRAPPED = 10_000
# Babel's header has dates and names, which Git records better.
HEADER = r"""#
msgid ""
msgstr ""
"Project-Id-Version: Diptych\n"
"Language: {language}\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: {plurals}\n"

"""


def of_python(source: bytes) -> Iterator[Message]:
    """The messages in calls of gettext's functions."""
    for _, message, _, context in extract("python", BytesIO(source), KEYWORDS):
        yield Message(message, context=context)


def of_script(source: bytes) -> Iterator[Message]:
    """The messages in calls of the functions of `static/js/gettext.js`."""
    for _, message, _, context in extract(
        "javascript", BytesIO(source), DEFAULT_KEYWORDS, options={"parse_template_string": True}
    ):
        yield Message(message, context=context)


def of_template(source: str) -> Iterator[Message]:
    """The messages in `translate`, `blocktranslate` and `_("…")`, as Django reads them."""
    from django.utils.translation.template import templatize

    # Everything that is not a message has become X; its indentation is not Python's.
    return of_python("\n".join(map(str.strip, templatize(source).splitlines())).encode())


def of_registries() -> Iterator[tuple[str, str]]:
    """How what is registered, and what has settings, describes itself: pages translate it, it uses no gettext."""
    from agreement.adjudication.base import RULES
    from agreement.adjudication.reasons import Code
    from agreement.metrics.base import METRICS
    from annotation.formats import FORMATS
    from annotation.qualification.base import MEASURES
    from annotation.text.items.base import ITEM_TYPES
    from assist.encoder_choice.settings import ComparisonSettings
    from assist.item_generation.settings import GenerationSettings
    from assist.methods.base import methods
    from assist.mining.settings import MiningSettings

    for rule in RULES.values():
        for text in (
            rule.title,
            rule.summary,
            rule.unsure,
            rule.answer_summary,
            rule.answer_unsure,
            *of_settings(rule.settings),
        ):
            yield "agreement/adjudication/", text
    for metric in METRICS.values():
        yield "agreement/metrics/registered/", metric.title
    for code in Code:
        if code is not Code.OTHER:
            yield "agreement/adjudication/", code.form
    for each in FORMATS.values():
        for text in (each.describes, each.exports, *(option.describes for option in each.options.values())):
            yield "annotation/formats/", text
    for item in ITEM_TYPES.values():
        for text in (item.title, item.describes, item.note, *(field.title for field in item.fields)):
            if text:
                yield "annotation/text/items/", text
    for measure in MEASURES.values():
        for text in (measure.title, measure.meaning):
            yield "annotation/qualification/", text
    for text in of_settings(MiningSettings):
        yield "assist/mining/", text
    for text in of_settings(ComparisonSettings):
        yield "assist/encoder_choice/", text
    for text in of_settings(GenerationSettings):
        yield "assist/item_generation/", text
    for method in methods():
        for text in (
            (method.__doc__ or "").strip().partition("\n")[0].removesuffix("."),
            *([method.advice] if method.advice else []),
            *of_settings(method.Settings),
        ):
            yield "assist/methods/", text


def of_settings(cls: type[Settings]) -> Iterator[str]:
    """The titles and help texts in a settings model."""
    for each in settings_by_name(cls).values():
        yield from (each.title, each.help, *each.choices)


def tracked(*patterns: str) -> list[Path]:
    """The sources: files that Git tracks or would add, but no ignored ones."""
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    return [ROOT / name for name in sorted(set(names)) if (ROOT / name).exists()]


def extracted(domain: str) -> Catalog:
    """All messages in a domain's sources, with their files."""
    catalogue = Catalog()
    for where, messages in of_server() if domain == "django" else of_browser():
        for each in messages:
            if each.id:
                catalogue.add(each.id, locations=[(where, 0)], context=each.context)
    return catalogue


def of_server() -> Iterator[tuple[str, Iterable[Message]]]:
    for path in tracked(*(f"{folder}/**.py" for folder in SOURCES)):
        if "/migrations/" not in str(path):
            yield str(path.relative_to(ROOT)), of_python(path.read_bytes())
    for path in tracked("templates/**.html", "templates/**.txt"):
        yield str(path.relative_to(ROOT)), of_template(path.read_text())
    for where, text in of_registries():
        yield where, [Message(text)]


def of_browser() -> Iterator[tuple[str, Iterable[Message]]]:
    for path in tracked("static/js/**.js"):
        yield str(path.relative_to(ROOT)), of_script(path.read_bytes())


def catalogue_path(language: str, domain: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / f"{domain}.po"


def read(language: str, domain: str) -> Catalog:
    """A catalogue; if there is none, an empty one with the language's plural rule."""
    path = catalogue_path(language, domain)
    if not path.exists():
        return Catalog(language)
    with path.open("rb") as file:
        return read_po(file, language, abort_invalid=True)


def forms(message: Message) -> list[tuple[str, str]]:
    """The English forms of a message, each with its translation ('' if missing)."""
    english, translated = (
        [each] if isinstance(each, str) else list(each or ()) for each in (message.id, message.string)
    )
    return list(zip_longest(english, translated, fillvalue=""))


def missing(catalogue: Catalog) -> list[str]:
    """The messages without a complete translation."""
    return sorted(forms(each)[0][0] for each in catalogue if each.id and not all(text for _, text in forms(each)))


def compile_catalogues() -> None:
    """Write the `.mo` file next to every catalogue. Messages without a translation are omitted: English is shown."""
    for language, domain in product(LANGUAGES, DOMAINS):
        with catalogue_path(language, domain).with_suffix(".mo").open("wb") as file:
            write_mo(file, read(language, domain))


def altered(catalogue: Catalog) -> list[tuple[str, str]]:
    """English and translation where placeholders, tags, or white space at the ends differ."""
    found = []
    for message in catalogue:
        for english, text in forms(message) if message.id else ():
            one, other = (Counter(KEPT.findall(form)) for form in (english, text))
            # "one pair" may be said without its number; everything else is kept.
            fewer = message.pluralizable and english == message.id[0] and not other - one
            if text and ((one != other and not fewer) or _ends(english) != _ends(text)):
                found.append((english, text))
    return found


def _ends(text: str) -> tuple[bool, bool]:
    return text[:1].isspace(), text[-1:].isspace()


def rename(catalogue: Catalog, renamed: Mapping[str, str]) -> None:
    """Replace the English of messages, and keep their translations; each form of a plural is renamed separately."""
    for message in list(catalogue):
        english = tuple(renamed.get(form, form) for form, _ in forms(message))
        new = english if message.pluralizable else english[0]
        if new != message.id:
            catalogue.delete(message.id, message.context)
            existing = catalogue.get(new, message.context)
            if existing is None or not all(text for _, text in forms(existing)):
                catalogue.delete(new, message.context)
                catalogue.add(new, message.string, context=message.context)


def update(renamed: Mapping[str, str] | None = None) -> dict[Path, list[str]]:
    """Merge the sources into every catalogue and compile it; `renamed` has new English by the old.

    Returns the messages that each catalogue lacks, which are shown in English until someone translates them. Raises
    ValueError if translations would be lost: no source says the new English, one still says the old, or no catalogue
    has it.
    """
    lacking = {}
    sources = {domain: extracted(domain) for domain in DOMAINS}
    messages_in_sources = {form for source in sources.values() for message in source for form, _ in forms(message)}
    if unknown := sorted(set((renamed or {}).values()) - messages_in_sources):
        raise ValueError(f"no source says {unknown}: change it there first")
    if kept := sorted(set(renamed or ()) & messages_in_sources):
        raise ValueError(f"a source still says {kept}: change it there too")
    known = {
        form
        for language, domain in product(LANGUAGES, DOMAINS)
        for message in read(language, domain)
        for form, _ in forms(message)
    }
    if unknown := sorted(set(renamed or ()) - known):
        raise ValueError(f"no catalogue has {unknown}: was it spelled otherwise?")
    for language, domain in product(LANGUAGES, DOMAINS):
        catalogue = read(language, domain)
        rename(catalogue, renamed or {})
        catalogue.update(sources[domain], no_fuzzy_matching=True)
        path = catalogue_path(language, domain)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            file.write(HEADER.format(language=language, plurals=catalogue.plural_forms).encode())
            write_po(
                file,
                catalogue,
                width=UNWRAPPED,
                omit_header=True,
                sort_output=True,
                ignore_obsolete=True,
                include_lineno=False,
            )
        lacking[path] = missing(catalogue)
    compile_catalogues()
    return lacking


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/messages", description="Update the message catalogues.")
    parser.add_argument("--compile", action="store_true", help="only compile them")
    parser.add_argument(
        "--rename", nargs=2, action="append", default=[], metavar=("OLD", "NEW"),
        help="keep the translations of a sentence whose English was OLD and is NEW in the sources",
    )  # fmt: skip
    given = parser.parse_args()
    if given.compile:
        compile_catalogues()
        return
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    try:
        lacking = update(dict(given.rename))
    except ValueError as error:
        parser.error(str(error))
    for path, messages in lacking.items():
        print(f"{path.relative_to(ROOT)}: {len(messages)} to translate")
        for message in messages:
            print(f"  {message!r}")
    wrong = [(name, *each) for name in product(LANGUAGES, DOMAINS) for each in altered(read(*name))]
    for name, english, text in wrong:
        where = catalogue_path(*name).relative_to(ROOT)
        print(f"{where}: placeholders, tags or white space of {english!r} differ in {text!r}", file=sys.stderr)
    if wrong:
        sys.exit(1)


if __name__ == "__main__":
    main()
