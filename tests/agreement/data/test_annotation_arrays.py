"""Annotations to arrays."""

import pytest

from agreement.data.annotation_arrays import collection_of, label_codes, text_arrays
from agreement.metrics.documents import Collection
from agreement.report.compute.figures import figures
from annotation.display_names import natural_sort_key
from annotation.errors import Invalid
from annotation.models import Project, Source
from annotation.text.schemes import PRESETS
from tests.agreement.work import pair, project, spans_of, submit
from tests.annotation.writes import gold_write
from tests.factories import TextFactory

pytestmark = pytest.mark.django_db


def human(of: Project, phase: str | None = "main", round: int | None = 0) -> Collection:
    return collection_of(of, source=Source.HUMAN, phase=phase, round=round)


def test_spans_become_tokens_codes_and_passages() -> None:
    made, (one, _) = project()
    on = pair(made)
    submit(on, one, [("4", [0, 1], [2]), ("2", [1, 2], [])], active_seconds=90)
    (document,) = human(made).documents
    (work,) = document.annotations
    assert [(span.label, sorted(span.a), sorted(span.b)) for span in work.spans] == [(4, [0, 1], [2]), (2, [1, 2], [])]
    assert work.codes[0].tolist()[:4] == [4, 4, 2, 0], "where spans overlap, the highest label counts"
    assert work.codes[1].tolist()[:4] == [0, 0, 4, 0]
    assert work.units[0] == ((0, 11, 4), (4, 14, 2))
    assert document.tokens == (len(on.a.tokens), len(on.b.tokens))
    assert document.languages == ("en", "de")
    assert work.seconds == 90


def test_a_broken_span_counts_as_a_span() -> None:
    made, (one, _) = project()
    submit(pair(made), one, [("3", [], [])])
    (work,) = human(made).documents[0].annotations
    assert len(work.spans) == 1
    assert not work.empty
    assert not work.codes[0].any() and not work.codes[1].any()


def test_gold_never_enters_human_agreement() -> None:
    made, (one, _) = project()
    on = pair(made)
    submit(on, one, [("3", [0], [])])
    gold_write(pair=on, version=0, spans=spans_of(on, [("5", [1], [])]), provenance={})
    (document,) = human(made, phase=None, round=None).documents
    assert [work.annotator for work in document.annotations] == [0]
    with pytest.raises(TypeError):
        collection_of(made, phase="main")  # type: ignore[call-arg]


@pytest.mark.parametrize("verdict", ["rejected", "flagged", "skipped", ""])
def test_only_submitted_work_counts(verdict: str) -> None:
    made, (one, _) = project()
    submit(pair(made), one, [("3", [0], [])], verdict=verdict)
    assert human(made).documents == ()


def test_phases_and_retests_are_apart() -> None:
    made, (one, _) = project()
    on = pair(made)
    submit(on, one)
    submit(on, one, phase="trial")
    submit(on, one, round=1)
    assert len(human(made).documents[0].annotations) == 1
    assert len(human(made, phase=None).documents[0].annotations) == 2
    assert len(human(made, round=None).documents[0].annotations) == 2


def test_a_new_name_changes_no_figure() -> None:
    made, people = project("graded", "Zed", "Bo", "Anna")
    for labels in ("154", "233", "512"):
        on = pair(made)
        for person, label in zip(people, labels, strict=True):
            submit(on, person, [(label, [0, 1], [0])])
    before = human(made)
    assert before.annotators == ("Zed", "Bo", "Anna"), "as they joined"
    people[0].alias = "Abe"
    people[0].save()
    after = human(made)
    assert after.annotators == ("Abe", "Bo", "Anna")
    assert figures(after, resamples=20).spearman == figures(before, resamples=20).spearman is not None


def test_names_sort_as_one_counts() -> None:
    assert sorted(["x", "10", "9"], key=natural_sort_key) == ["9", "10", "x"]


def test_connotation_counts_as_inferable() -> None:
    labels, codes = label_codes(PRESETS["xparade-extended"])
    assert labels == ("same", "new", "inferable", "reference")
    assert codes["connotation"] == codes["inferable"]
    assert label_codes(PRESETS["xparade-extended"], merge=False)[0][3] == "connotation"


def test_sentences_of_tokens() -> None:
    text = TextFactory.build(language="en", content="One two. Three.")
    assert text_arrays(text).sentences.tolist() == [0, 0, 0, 1, 1]
    assert text_arrays(TextFactory.build(content="")).sentences.tolist() == []


def test_a_label_that_the_scheme_has_no_more_is_named() -> None:
    made, (one, _) = project()
    on = pair(made)
    submit(on, one, [("5", [0], [])])
    made.scheme["labels"] = made.scheme["labels"][:4]
    made.save()
    with pytest.raises(Invalid, match=f"{on.external_id}: The scheme no longer has the label “5”"):
        human(made)
