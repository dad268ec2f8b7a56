"""The figure to judge agreement by: which one, how it compares, and what to do next."""

import pytest

from agreement.metrics.bootstrap import Estimate
from agreement.report.project_report import agreement_report
from agreement.report.render.recommended import next_steps
from annotation.text.schemes import PRESETS
from tests.agreement.work import pair, project, submit


def links(level: float | None, documents: int = 20, majority: dict[str, Estimate] | None = None) -> list[str]:
    return [step.link for step in next_steps(level, documents, majority or {})]


def test_the_next_steps_follow_the_level() -> None:
    assert links(0.3) == ["disagreements?counted=1", "plan"]
    assert links(0.7) == ["manual-adjudication"]
    assert links(0.8) == ["adjudication"]
    assert links(0.9, documents=9) == ["plan", "adjudication"]
    assert links(None, documents=0) == ["plan"]


def test_one_who_differs_from_all_others_is_named() -> None:
    scores = {"A1": Estimate(0.7), "A2": Estimate(0.5), "A3": Estimate(0.72)}
    assert "disagreements?counted=1&annotator=A2" in links(0.5, majority=scores)
    close = {**scores, "A2": Estimate(0.65)}
    assert not any("annotator" in link for link in links(0.5, majority=close))
    assert not any("annotator" in link for link in links(0.5, majority={"A1": Estimate(0.9), "A2": Estimate(0.1)}))


@pytest.mark.django_db
def test_the_figure_depends_on_the_scheme() -> None:
    made, (one, two) = project("xparade")
    assert agreement_report(made).recommended is None
    on = pair(made)
    submit(on, one, [("new", [], [0, 1])])
    submit(on, two, [("new", [], [0, 1])])
    found = agreement_report(made).recommended
    assert found is not None
    assert (found.value, found.drilldown) == ("1.00", "disagreements?counted=1")
    assert found.usual == ("X-PARADE, EN-ES: 0.66", "X-PARADE, ES-EN: 0.69")
    assert found.compared == "This is higher than in published data."

    made, (one, two) = project("likert")
    for answers in (("1", "2"), ("4", "4")):
        on = pair(made)
        for person, answer in zip((one, two), answers, strict=True):
            submit(on, person, answers={"agree": answer})
    found = agreement_report(made).recommended
    assert found is not None and found.name == "Krippendorff's α of answers (ordinal)" and not found.usual


@pytest.mark.django_db
def test_the_share_of_words_in_common_is_the_mean_of_both_sides() -> None:
    made, (one, two) = project()
    on = pair(made)
    submit(on, one, [("1", [0, 1], [0])])
    submit(on, two, [("1", [0], [0, 1, 2, 3])])
    report = agreement_report(made)
    assert [report.figures.sides[side]["iou"].value for side in "ab"] == [0.5, 0.25]
    assert report.figures.iou.value == 0.375
    assert report.recommended is not None and report.recommended.value == "38%"
    assert "EN: 50%, DE: 25%" in report.recommended.meaning


@pytest.mark.django_db
def test_what_to_do_next_depends_on_what_people_agree_on_least() -> None:
    made, (one, two) = project("graded")
    made.scheme = {**made.scheme, "questions": PRESETS["likert"].to_json()["questions"]}
    made.save()
    key = made.labels.questions[0].key
    for number in range(12):
        on = pair(made)
        label = str(1 + number % 5)
        submit(on, one, [(label, [0, 1], [0])], answers={key: "1" if number % 2 else "4"})
        submit(on, two, [(label, [0, 1], [0])], answers={key: "4" if number % 2 else "1"})
    found = agreement_report(made).recommended
    assert found is not None and found.value == "100%"
    first, *others = found.steps
    assert first.text.startswith("Agreement on “") and "” is very low (ordinal α -" in first.text.replace("−", "-")
    assert first.link == f"answers?counted=1&question={key}"
    assert [step.link for step in others] == ["disagreements?counted=1", "plan"]
