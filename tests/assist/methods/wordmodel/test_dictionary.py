"""Word lists as similarities of stems: by hand on a small list."""

from pathlib import Path

import numpy as np
import pytest

from assist.methods.base import MethodError, PairInput, WordLists, create
from assist.methods.lexicon.entries import TermEntry
from assist.methods.shared import strings
from assist.methods.wordmodel import corpus, dictionary
from assist.methods.wordmodel.document import document
from tests.assist.methods.lexicon import dictionaries
from tests.assist.methods.texts import side


def test_words_count_more_than_words_of_phrases_and_inflections_are_found_by_stem() -> None:
    made = dictionary.dictionary(
        [TermEntry("house", ("Haus", "Häuser")), TermEntry("begin", ("in Gang setzen", "beginnen"))], ("en", "de")
    )
    found = made.similar(["houses", "begins", "."], ["hauses", "beginne", "gang", "."]).toarray()
    assert found == pytest.approx(np.array([[0.8, 0, 0, 0], [0, 0.8, 0.4, 0], [0, 0, 0, 0]]))


def test_a_word_of_many_phrases_says_nothing_of_any() -> None:
    many = [TermEntry(f"w{n}", (f"{letter} karna",)) for n, letter in enumerate("abcdefghijklmnopqrstu")]
    assert dictionary.dictionary(many, ("en", "xx")).similar(["w0"], ["a", "karna"]).toarray() == pytest.approx(
        np.array([[0.4, 0]])
    )
    assert dictionary.dictionary(many[1:], ("en", "xx")).similar(["w1"], ["b", "karna"]).toarray() == pytest.approx(
        np.array([[0.4, 0.4]])
    )


def test_a_document_holds_them_unless_told_not_to() -> None:
    pair = PairInput("1", side("The schools are open .", "en"), side("स्कूल खुला है ।", "hi"))
    known = [corpus.vocabulary([each]) for each in (pair.a, pair.b)]
    with_lists = document(pair, known[0], known[1], 0.4)
    without = document(pair, known[0], known[1], 0.4, lexicon=False)
    school, hindi = with_lists.a.forms.index("schools"), with_lists.b.forms.index("स्कूल")
    assert with_lists.similar[school, hindi] == pytest.approx(0.8)
    assert without.similar[school, hindi] < 0.8 and not without.listed.nnz


def test_one_pair_is_enough_to_find_counterparts_in_another_script() -> None:
    """Nothing can be learned from one pair; the word lists know what 'water' and 'school' are."""
    pair = PairInput(
        "1",
        side("The school has clean water . The president visited the factory .", "en"),
        side("स्कूल में साफ पानी है ।", "hi"),
    )
    words_a, words_b = pair.a.words(), pair.b.words()
    linked = {}
    for lexicon in (True, False):
        method = create("default", {"target": "new", "lexicon": lexicon})
        result = method.predict(method.fit([pair]), [pair])[0]
        linked[lexicon] = {(words_a[i], words_b[j]) for i, j in result.edges}
    named = {("school", "स्कूल"), ("clean", "साफ"), ("water", "पानी")}
    assert named <= linked[True]
    assert not named & linked[False]


GLOSSARY = WordLists(
    {("en", "de"): (TermEntry("power of attorney", ("Vollmacht",)), TermEntry("library", ("Bücherei", "Werk")))}
)


def stems(*words: str) -> list[str]:
    return [strings.stem(word, "en") for word in words]


def test_a_glossary_is_surer_than_other_lists_and_its_function_words_say_nothing() -> None:
    german = [strings.stem(each, "de") for each in ("Vollmacht", "Bücherei")]
    vocabulary = stems("power", "of", "attorney", "libraries"), german
    made = dictionary.run_word_lists(("en", "de"), vocabulary, GLOSSARY)
    found = made.similar(["libraries", "power", "of"], ["büchereien", "vollmachten", "werk"]).toarray()
    assert found == pytest.approx(np.array([[0.95, 0, 0], [0, 0.6, 0], [0, 0, 0]]))
    back = dictionary.run_word_lists(("de", "en"), vocabulary[::-1], GLOSSARY)
    assert back.similar(["bücherei"], ["library"]).toarray() == pytest.approx(np.array([[0.95]]))
    assert dictionary.run_word_lists(("en", "fr"), vocabulary, GLOSSARY).stems == {}


def test_installed_dictionaries_count_less_and_only_those_that_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIPTYCH_DICTIONARIES", str(tmp_path))
    dictionaries.write(tmp_path)
    vocabulary = stems("houses"), [strings.stem("Haus", "de")]
    lists = WordLists(dictionaries=("freedict-eng-deu",))
    for languages, words in ((("en", "de"), vocabulary), (("de", "en"), vocabulary[::-1])):
        made = dictionary.run_word_lists(languages, words, lists)
        assert made.similar(*(["houses"], ["haus"])[:: 1 if languages[0] == "en" else -1]).toarray() == pytest.approx(
            np.array([[dictionary.INSTALLED_SIMILARITY]])
        )
    assert dictionary.INSTALLED_SIMILARITY < dictionary.WORD < dictionary.AGREED
    assert dictionary.run_word_lists(("en", "de"), vocabulary, WordLists()).stems == {}
    (tmp_path / "freedict-eng-deu.index").write_text("broken\n")
    with pytest.raises(MethodError, match=r"freedict-eng-deu\.index:1"):
        dictionary.run_word_lists(("en", "de"), vocabulary, lists)


def test_methods_find_what_the_glossary_says() -> None:
    """'Wuhr' is in no list and looks like nothing."""
    pair = PairInput("1", side("The weir has clean water .", "en"), side("Das Wuhr hat sauberes Wasser .", "de"))
    scores = {}
    for name in ("default", "learned"):
        for glossary in (True, False):
            method = create(name, {"target": "new"})
            method.lists = WordLists({("en", "de"): (TermEntry("weir", ("Wuhr",)),)} if glossary else {}, "3fa2c1")
            model = method.fit([pair])
            scores[glossary] = method.predict(model, [pair])[0].scores_a[1]
            assert method.report(model).get("glossary") == ("1 entries (revision 3fa2c1)" if glossary else None)
        assert scores[True] < scores[False]
