"""The catalogues: every translation keeps its placeholders and plural forms; a missing one falls back to English."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from gettext import GNUTranslations
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from babel.messages import Catalog, Message
from django.conf import settings
from django.utils.translation import gettext, override

from agreement.adjudication.base import TieSettings
from agreement.metrics import alpha
from agreement.report.display_names import NOTES
from annotation.settings_model import Settings
from assist.item_generation.settings import GenerationSettings
from assist.methods.base import methods
from script import messages

each_catalogue = pytest.mark.parametrize(
    ("language", "domain"), list(product(messages.LANGUAGES, messages.DOMAINS)), ids="-".join
)


def test_there_is_a_catalogue_for_every_language_that_can_be_chosen() -> None:
    assert {"en", *messages.LANGUAGES} == {code for code, _ in settings.LANGUAGES}
    assert {path.name for path in messages.LOCALE.iterdir()} == set(messages.LANGUAGES)


@each_catalogue
def test_no_translation_is_a_guess_and_no_plural_is_half_done(language: str, domain: str) -> None:
    catalogue = messages.read(language, domain)
    assert len(catalogue) > {"django": 1000, "djangojs": 300}[domain]
    assert [message.id for message in catalogue if message.id and message.fuzzy] == []
    assert not catalogue.obsolete
    done = {message.id: {bool(text) for _, text in messages.forms(message)} for message in catalogue if message.id}
    assert [message for message, found in done.items() if len(found) > 1] == []


@each_catalogue
def test_gaps_tags_and_white_space_are_those_of_the_english(language: str, domain: str) -> None:
    assert messages.altered(messages.read(language, domain)) == []


@pytest.mark.parametrize(
    ("english", "text", "right"),
    [
        ("%(n)s of %(of)s", "%(n)s von %(of)s", True),
        ("%(n)s of %(of)s", "%(n)s von %(all)s", False),
        ("{n} read", "gelesen", False),
        ("<b>Now</b>", "<b>Jetzt</b>", True),
        ("<b>Now</b>", "Jetzt", False),
        ("50%% of ", "50%% von ", True),
        ("50%% of ", "50%% von", False),
        (("one of %(n)s", "%(n)s"), ("eins", "%(n)s"), True),
        (("%(n)s pair", "%(n)s pairs"), ("ein Paar", "Paare"), False),
    ],
)
def test_a_translation_that_altered_what_it_must_keep_is_found(english: Any, text: Any, right: bool) -> None:
    catalogue = Catalog("de")
    catalogue.add(english, text)
    assert (messages.altered(catalogue) == []) is right


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of the only catalogue; the file does not exist yet."""
    monkeypatch.setattr(messages, "LOCALE", tmp_path)
    monkeypatch.setattr(messages, "LANGUAGES", ("de",))
    monkeypatch.setattr(messages, "DOMAINS", ("djangojs",))
    path = messages.catalogue_path("de", "djangojs")
    path.parent.mkdir(parents=True)
    return path


def test_setup_compiles_what_is_translated_and_leaves_out_what_is_not(german: Path) -> None:
    german.write_text(
        """msgid "pair"
msgstr "Paar"

msgid "new sentence"
msgstr ""

msgid "%(n)s run"
msgid_plural "%(n)s runs"
msgstr[0] ""
msgstr[1] ""
"""
    )
    messages.compile_catalogues()
    with german.with_suffix(".mo").open("rb") as compiled:
        found = GNUTranslations(compiled)
    assert found.gettext("pair") == "Paar"
    assert found.gettext("new sentence") == "new sentence"
    assert [found.ngettext("%(n)s run", "%(n)s runs", n) for n in (1, 2)] == ["%(n)s run", "%(n)s runs"]


def test_an_update_keeps_translations_lists_what_lacks_one_and_drops_what_no_source_says(
    german: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = Catalog()
    for message, context in (("pair", None), ("open", "verb"), (("%(n)s run", "%(n)s runs"), None)):
        said.add(message, locations=[("a.py", 0)], context=context)
    monkeypatch.setattr(messages, "extracted", {"djangojs": said}.__getitem__)
    assert messages.update() == {german: ["%(n)s run", "open", "pair"]}
    before = german.read_text()
    assert '#: a.py\nmsgid "pair"\nmsgstr ""' in before
    assert '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"' in before
    german.write_text(before.replace('"pair"\nmsgstr ""', '"pair"\nmsgstr "Paar"') + '\nmsgid "old"\nmsgstr "alt"\n')
    assert messages.update() == {german: ["%(n)s run", "open"]}
    assert german.read_text() == before.replace('"pair"\nmsgstr ""', '"pair"\nmsgstr "Paar"')


def test_a_renamed_sentence_keeps_its_translations(german: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = Catalog()
    for message, context in (("test", "phase"), ("test", "verb"), (("%(n)s unit", "%(n)s units"), None)):
        said.add(message, locations=[("a.py", 0)], context=context)
    monkeypatch.setattr(messages, "extracted", {"djangojs": said}.__getitem__)
    german.write_text(
        """msgctxt "phase"
msgid "trial"
msgstr "Probe"

msgctxt "phase"
msgid "test"
msgstr ""

msgid "%(n)s part"
msgid_plural "%(n)s parts"
msgstr[0] "%(n)s Teil"
msgstr[1] "%(n)s Teile"
"""
    )
    before = german.read_text()
    with pytest.raises(ValueError, match=r"no source says \['exam'\]"):
        messages.update({"trial": "exam"})
    with pytest.raises(ValueError, match=r"no catalogue has \['trail'\]"):
        messages.update({"trail": "test"})
    with pytest.raises(ValueError, match=r"a source still says \['test'\]"):
        messages.update({"test": "%(n)s unit"})
    assert german.read_text() == before
    renamed = {"trial": "test", "%(n)s part": "%(n)s unit", "%(n)s parts": "%(n)s units"}
    assert messages.update(renamed) == {german: ["test"]}
    merged = messages.read("de", "djangojs")
    assert {(message.id, message.context): message.string for message in merged if message.id} == {
        ("test", "phase"): "Probe",
        ("test", "verb"): "",
        (("%(n)s unit", "%(n)s units"), None): ("%(n)s Teil", "%(n)s Teile"),
    }


def found(extracted: Iterable[Message]) -> set[tuple[object, str | None]]:
    return {(message.id, message.context) for message in extracted}


def test_words_are_found_in_python() -> None:
    source = """
_("a " "b"); gettext_lazy('c'); ngettext("%(n)s d", "%(n)s ds", n); pgettext("verb", "open")
npgettext("noun", "e", "es", n); _(name); self.gettext_noop("f"); Phrase("g", {"h": "i"}); print("no")
"""
    assert found(messages.of_python(source.encode())) == {
        ("a b", None),
        ("c", None),
        (("%(n)s d", "%(n)s ds"), None),
        ("open", "verb"),
        (("e", "es"), "noun"),
        ("f", None),
        ("g", None),
    }


@pytest.mark.long
@pytest.mark.takes(8)
def test_no_words_are_said_inside_an_f_string_where_they_are_not_found() -> None:
    wrong = []
    for path in messages.tracked(*(f"{folder}/**.py" for folder in messages.SOURCES)):
        strings = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.JoinedStr))
        calls = (node for string in strings for node in ast.walk(string) if isinstance(node, ast.Call))
        said = (call for call in calls if call.args and isinstance(call.args[0], ast.Constant))
        names = {getattr(call.func, "id", getattr(call.func, "attr", "")) for call in said}
        wrong += [path.name for name in names if name in messages.KEYWORDS]
    assert wrong == []


def test_words_are_found_in_templates() -> None:
    source = (
        '{% load i18n %}{% translate "a" %}{% translate \'it"s\' context "b" %}<i title="{{ _("c") }}">(no</i>'
        "  {% blocktranslate with x=y %}d {{ x }} 5%{% endblocktranslate %}\n   isn't\n"
        " {% blocktranslate count n=m %}{{ n }} e{% plural %}{{ n }} es{% endblocktranslate %}"
    )
    assert found(messages.of_template(source)) == {
        ("a", None),
        ('it"s', "b"),
        ("c", None),
        ("d %(x)s 5%%", None),
        (("%(n)s e", "%(n)s es"), None),
    }


def test_words_are_found_in_scripts() -> None:
    source = """
const text = gettext("a " + 'b'); say(format(ngettext("{n} c", "{n} cs", words.length / 2), { n }));
const rule = /"[(]'/; const shown = `${gettext("d")} (${format(gettext("e {x}"), { x })})`; // gettext("no")
const open = { "f": pgettext(
  "verb",
  "open",
) }; say(text, "no");
"""
    assert found(messages.of_script(source.encode())) == {
        ("a b", None),
        (("{n} c", "{n} cs"), None),
        ("d", None),
        ("e {x}", None),
        ("open", "verb"),
    }


def test_no_call_in_a_script_is_overlooked() -> None:
    """Such as one whose sentence is not written in it, or one that Babel doesn't see."""
    overlooked = {}
    for path in messages.tracked("static/js/**.js"):
        source = re.sub(r"^\s*(/\*\*|\*|//).*", "", path.read_text(), flags=re.MULTILINE)
        calls = len(re.findall(r"(?<!function )\bn?gettext\(", source))
        seen = len(list(messages.of_script(path.read_bytes())))
        if path.name != "gettext.js" and calls != seen:
            overlooked[path.name] = (calls, seen)
    assert overlooked == {}


@pytest.mark.long
@pytest.mark.takes(8)
def test_what_rules_formats_and_methods_say_of_themselves_is_translated_too() -> None:
    said = {text for _, text in messages.of_registries()}
    assert {messages.forms(message)[0][0] for message in messages.extracted("django")} >= said
    assert len(said) > 50


def test_what_the_metrics_say_of_a_number_is_translated_too() -> None:
    """They are pure and write English; tables look up the translation by that text."""
    sources = (messages.ROOT / "agreement" / "metrics").glob("*.py")
    notes = {note for path in sources for note in re.findall(r'note=(?:why or )?"([^"]+)"', path.read_text())}
    assert len(notes) > 3
    assert {alpha.UNDEFINED, *notes} == set(NOTES)


def with_subclasses(cls: type[Settings]) -> Iterable[type[Settings]]:
    for each in cls.__subclasses__():
        yield each
        yield from with_subclasses(each)


def test_every_setting_of_a_form_can_be_translated() -> None:
    listed = {text for _, text in messages.of_registries()}
    ours = [cls for cls in with_subclasses(Settings) if cls.__module__.partition(".")[0] in ("assist", "agreement")]
    assert {GenerationSettings, TieSettings} <= set(ours)
    assert {text for cls in ours for text in messages.of_settings(cls)} <= listed


@pytest.mark.parametrize(
    ("language", "start"),
    [("en", "Choose it"), ("de", "Geeignet"), ("fr", "À choisir"), ("it", "Da scegliere"), ("es", "Conviene")],
)
def test_advice_about_methods_begins_alike_throughout_the_list(language: str, start: str) -> None:
    with override(language):
        advice = [gettext(each.advice) for each in methods() if each.advice]
    assert advice and [each for each in advice if not each.startswith(start)] == []
