"""Pictures in the page's own colours."""

import re
from dataclasses import replace

from agreement.metrics.bootstrap import Estimate
from agreement.report.compute.disputes import disputed_documents, disputes
from agreement.report.compute.figures import figures
from agreement.report.compute.summary_rows import by_position
from agreement.report.render import plots
from agreement.report.render.layout import annotator_table
from annotation.text.schemes import PRESETS
from tests.agreement.metric_documents import collection, document, work

MADE = collection(
    document(1, work(0, ("4401", "00")), work(1, ("4402", "03"))),
    document(2, work(0, ("0100", "00")), work(1, ("0044", "00"))),
)


def test_every_colour_is_a_custom_property_and_every_mark_leads_somewhere() -> None:
    found = figures(MADE, resamples=20)
    rows = disputed_documents(MADE, disputes(MADE))
    bars = {
        (name, label): plots.href(f"spans?of={name}&label={label}")
        for name, summary in found.annotators.items()
        for label in summary.labels
    }
    made = [
        plots.intervals(
            [
                ("IoU", found.sides["a"]["iou"], plots.href("documents?side=a")),
                ("absent", Estimate(None), plots.href("x")),
            ]
        ),
        plots.labels_by_annotator(found, PRESETS["graded"], {}, bars),
        plots.by_document(rows, {row.pair: plots.href(f"pair?pk={row.pair}") for row in rows}),
        plots.confusion(found, {}, {(4, 0): plots.href("cell")}),
        plots.by_position(by_position(MADE), [plots.href(f"tenth?{place}") for place in range(10)]),
        plots.growth(
            [(1, Estimate(0.5), plots.href("pair?pk=1")), (2, Estimate(0.6, 0.4, 0.7), plots.href("pair?pk=2"))]
        ),
    ]
    for plot in made:
        assert plot.svg.startswith("<svg") and plot.alt, plot.name
        colours = set(re.findall(r"#[0-9a-fA-F]{6}\b", plot.svg))
        assert not {colour for colour in colours if colour.startswith(("#0", "#06"))}, plot.name
        assert "var(--" in plot.svg
        assert not re.search(r'<svg[^>]* width="', plot.svg)
        assert re.findall(r'href="([^"]*)"', plot.svg), plot.name
        assert not re.findall(r'href="[^#]', plot.svg), f"{plot.name}: a link leads out of the page"
    assert "absent" not in made[0].svg
    assert "var(--g4)" in made[1].svg
    assert made[2].remark == "1 below 0.12: check these first"
    with_addresses = [plots.with_hrefs(plot.svg, lambda link: f"/to/{link}") for plot in made]
    expected = ("documents?side=a", "spans?of=A2&amp;label=4", "pair?pk=2", "cell", "tenth?0", "pair?pk=2")
    for picture, link in zip(with_addresses, expected, strict=True):
        assert f'href="/to/{link}"' in picture


def test_labels_have_the_names_that_a_lead_gave_them() -> None:
    found = figures(MADE, resamples=20)
    bars = {(name, label): plots.href("x") for name, summary in found.annotators.items() for label in summary.labels}
    label_names = {"4": "Far", "3": "0", "2": "1", "1": "2"}
    given = plots.labels_by_annotator(found, PRESETS["graded"], label_names, bars)
    assert "A2, Far: 2" in given.alt and "A2, 3: 1" in given.alt, "no label is called as unmarked tokens are"
    assert ">Far<" in given.svg and ">4<" not in given.svg
    table = plots.confusion(found, label_names, {})
    assert table.alt == "0 and 0: 5; 0 and 3: 1; 0 and Far: 2; 2 and 0: 1; 2 and 1: 1; Far and Far: 2"


def test_people_whose_names_are_numbers_are_in_quotation_marks() -> None:
    found = figures(replace(MADE, annotators=("0", "Bo")), resamples=20)
    bars = {(name, label): plots.href("x") for name, summary in found.annotators.items() for label in summary.labels}
    given = plots.labels_by_annotator(found, PRESETS["graded"], {}, bars)
    assert "“0”, 4: 1" in given.alt and "Bo, 4: 2" in given.alt and ">“0”<" in given.svg
    assert [row[0] for row in annotator_table(found.annotators, {}).rows] == ["“0”", "Bo"]
