"""The answer in a sentence."""

from dataclasses import replace

import pytest

from agreement.metrics.documents import RatingQuestion
from agreement.report.compute.figures import figures
from agreement.report.compute.ratings import RatingAnswers, ratings_of
from agreement.report.project_report import agreement_report
from agreement.report.render.headline import agreement_word, headline, report_headline
from annotation.text.schemes import PRESETS
from tests.agreement.metric_documents import collection, document, work
from tests.agreement.work import pair, project, submit


@pytest.mark.parametrize(
    ("value", "said"), [(0.9, "very good"), (0.7, "good"), (0.5, "moderate"), (0.3, "low"), (-0.1, "very low")]
)
def test_words(value: float, said: str) -> None:
    assert agreement_word(value) == said


def test_nothing_shared() -> None:
    assert headline(figures(collection(document(1, work(0, ("4", "")))))).startswith("Agreement can't be computed yet")


def test_nobody_marked_anything() -> None:
    made = collection(document(1, work(0, ("00", "0")), work(1, ("00", "0"))))
    assert headline(figures(made)).startswith("Nothing is marked")


def test_too_few_matched_spans_say_nothing_about_how_much() -> None:
    documents = [document(n, work(0, (f"{n}0", "0")), work(1, (f"{n}0", "0"))) for n in (1, 2, 3)]
    said = headline(figures(collection(*documents)))
    assert "only 3 spans match" in said
    assert said.endswith("Based on 3 documents.")


def test_what_is_marked_comes_before_the_questions() -> None:
    made = collection(*[document(n, work(0, ("40", "0")), work(1, ("40", "0"))) for n in range(12)])
    question = RatingQuestion("form", "Close in form?", ("yes", "no"), (1.0, 0.0))
    given, units = [{"form": "yes"}, {"form": "no"}], (((0, 10, 4),), ())
    answered = replace(
        made,
        questions=(question,),
        documents=tuple(
            replace(each, annotations=tuple(replace(by, answers=given[n % 2], units=units) for by in each.annotations))
            for n, each in enumerate(made.documents)
        ),
    )
    answers = RatingAnswers(answered)
    answers.add(answered)
    ratings = ratings_of(answers, 20)
    said = report_headline(figures(answered, 20), ratings, marks=True, excluded=0)
    assert said.index("both marked 100%") < said.index("Agreement on “Close in form?” is very good")
    assert report_headline(figures(answered, 20), ratings, marks=False, excluded=0).startswith("Agreement on “Close")


def test_documents_in_which_someone_marked_nothing_are_not_said_to_be_missing() -> None:
    nothing = figures(collection(document(1, work(0, ("4", "")))))
    assert "in each of the 3 documents that several annotators submitted" in headline(nothing, 3)
    assert "in the 1 document that several annotators submitted" in headline(nothing, 1)


@pytest.mark.django_db
def test_the_report_of_a_scheme_with_labels_and_a_question_begins_with_the_labels() -> None:
    asked = PRESETS["yes-no"].to_json()["questions"]
    made, people = project({**PRESETS["graded"].to_json(), "questions": [{**asked[0], "key": "form"}]})
    on = pair(made)
    for person in people:
        submit(on, person, answers={"form": "yes"})
    said = agreement_report(made, resamples=10).headline
    assert said.startswith("Agreement on what is marked can't be computed: in the 1 document")
    assert f"On “{asked[0]['text']}”, everyone gave the same answer" in said
