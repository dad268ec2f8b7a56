"""The message catalogues: extract from the sources, merge into `locale/*/LC_MESSAGES/django.po`, compile.

`script/messages` updates the catalogues; `script/setup` compiles them (`--compile`). It needs no gettext tools.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polib

from annotation.settings_model import Settings, described

ROOT = Path(__file__).resolve().parents[1]
LOCALE = ROOT / "locale"
LANGUAGES = ("de", "fr", "it", "es")
SOURCES = ("agreement", "annotation", "assist", "config")
PLURALS = {
    "de": "nplurals=2; plural=(n != 1);",
    "fr": "nplurals=2; plural=(n > 1);",
    "it": "nplurals=2; plural=(n != 1);",
    "es": "nplurals=2; plural=(n != 1);",
}
# How many leading arguments of each function are words, after how many that are a context.
FUNCTIONS = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop", "Phrase"), (0, 1)),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (0, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), (1, 1)),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), (1, 2)),
}
_TEXT = r"""u?(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")"""
_CALL = re.compile(rf"\b(n?p?gettext|_)(\((?:\s*{_TEXT}\s*,?)+)")


@dataclass(frozen=True, order=True, slots=True)
class Words:
    """What is to be translated: the words, their plural ('' where there is none) and a context ('' for none)."""

    singular: str
    plural: str = ""
    context: str = ""


def _words(function: str, texts: list[str]) -> Words | None:
    contexts, count = FUNCTIONS[function]
    if len(texts) < contexts + count or not texts[contexts]:
        return None
    return Words(texts[contexts], texts[contexts + 1] if count == 2 else "", texts[0] if contexts else "")


def of_python(source: str) -> Iterator[Words]:
    """The words in calls of gettext's functions."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in FUNCTIONS:
            texts = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            if found := _words(name, texts):
                yield found


def of_template(source: str) -> Iterator[Words]:
    """The words in `translate`, `blocktranslate` and `_("…")`, as Django reads them."""
    from django.utils.translation.template import templatize

    for call in _CALL.finditer(templatize(source)):
        texts = [ast.literal_eval(text) for text in re.findall(_TEXT, call[2])]
        if found := _words(call[1], texts):
            yield found


def of_registries() -> Iterator[tuple[str, Words]]:
    """What rules, formats and methods say of themselves: they are pure and know no gettext; pages translate it."""
    from agreement.adjudication.reasons import Code
    from agreement.adjudication.registry import RULES
    from annotation.formats import FORMATS
    from assist.forms import newest_methods

    for rule in RULES.values():
        for text in (rule.title, rule.summary, rule.unsure):
            yield "agreement/adjudication/", Words(text)
        yield from (("agreement/adjudication/", words) for words in of_settings(rule.settings))
    for code in Code:
        if code is not Code.OTHER:
            yield "agreement/adjudication/", Words(code.form)
    for each in FORMATS.values():
        for text in (each.describes, *(option.describes for option in each.options.values())):
            yield "annotation/formats/", Words(text)
    for method in newest_methods():
        yield "assist/methods/", Words((method.__doc__ or "").strip().partition("\n")[0].removesuffix("."))
        yield from (("assist/methods/", words) for words in of_settings(method.Settings))


def of_settings(cls: type[Settings]) -> Iterator[Words]:
    """What a model of settings says of each."""
    for each in described(cls).values():
        yield from map(Words, (each.title, each.help, *each.choices))


def tracked(*patterns: str) -> list[Path]:
    """The sources: files that Git has or would take, never what lies about ignored."""
    names = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    return [ROOT / name for name in sorted(set(names)) if (ROOT / name).exists()]


def extracted() -> dict[Words, set[str]]:
    """Everything the interface says, and the files that say it."""
    found: dict[Words, set[str]] = {}
    for path in tracked(*(f"{folder}/**.py" for folder in SOURCES)):
        if "/migrations/" not in str(path):
            for words in of_python(path.read_text()):
                found.setdefault(words, set()).add(str(path.relative_to(ROOT)))
    for path in tracked("templates/**.html"):
        for words in of_template(path.read_text()):
            found.setdefault(words, set()).add(str(path.relative_to(ROOT)))
    for where, words in of_registries():
        if words.singular:
            found.setdefault(words, set()).add(where)
    return _with_plurals(found)


def _with_plurals(found: dict[Words, set[str]]) -> dict[Words, set[str]]:
    """Words that stand alone in one place and with a plural in another are one entry: gettext keeps them as one."""
    plural = {(words.singular, words.context): words for words in found if words.plural}
    merged: dict[Words, set[str]] = {}
    for words, files in found.items():
        merged.setdefault(plural.get((words.singular, words.context), words), set()).update(files)
    return merged


def catalogue_path(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / "django.po"


def read(language: str) -> polib.POFile:
    return polib.pofile(str(catalogue_path(language)), wrapwidth=0)


def words_of(entry: polib.POEntry) -> Words:
    return Words(entry.msgid, entry.msgid_plural or "", entry.msgctxt or "")


def merged(language: str) -> polib.POFile:
    """The catalogue as the sources want it: new words untranslated, those of no source gone, in a fixed order."""
    path = catalogue_path(language)
    known = {words_of(entry): entry for entry in read(language)} if path.exists() else {}
    catalogue = polib.POFile(wrapwidth=0)
    catalogue.metadata = {
        "Project-Id-Version": "Diptych",
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": PLURALS[language],
    }
    for words, files in sorted(extracted().items()):
        old = known.get(words)
        entry = polib.POEntry(
            msgid=words.singular,
            msgctxt=words.context or None,
            msgid_plural=words.plural,
            msgstr="" if words.plural else (old.msgstr if old else ""),
            occurrences=[(name, "") for name in sorted(files)],
            flags=["python-format"] if re.search(r"%\(\w+\)s", words.singular + words.plural) else [],
        )
        if words.plural:
            entry.msgstr_plural = old.msgstr_plural if old else {0: "", 1: ""}
        catalogue.append(entry)
    return catalogue


def compile_catalogues() -> None:
    """Write the `.mo` file beside every catalogue. A message without a translation is left out: English is shown."""
    for language in LANGUAGES:
        path = catalogue_path(language)
        path.with_suffix(".mo").write_bytes(read(language).to_binary())


def update() -> dict[str, list[str]]:
    """Merge the sources into every catalogue and compile it.

    Returns the messages that each language lacks; they are shown in English until somebody translates them.
    """
    missing = {}
    for language in LANGUAGES:
        path = catalogue_path(language)
        path.parent.mkdir(parents=True, exist_ok=True)
        catalogue = merged(language)
        catalogue.save(str(path))
        missing[language] = [entry.msgid for entry in catalogue.untranslated_entries()]
    compile_catalogues()
    return missing


def main() -> None:
    if "--compile" in sys.argv[1:]:
        compile_catalogues()
        return
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    for language, missing in update().items():
        print(f"{catalogue_path(language).relative_to(ROOT)}: {len(missing)} to translate")
        for message in missing:
            print(f"  {message!r}")


if __name__ == "__main__":
    main()
