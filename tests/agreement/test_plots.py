"""Pictures in the page's own colours."""

import re

from agreement import plots
from agreement.metrics.bootstrap import Estimate
from agreement.report.brief import by_position
from agreement.report.disputes import disputes, document_rows
from agreement.report.figures import figures
from annotation.text.schemes import PRESETS
from tests.agreement.made import collection, document, work

MADE = collection(
    document(1, work(0, ("4401", "00")), work(1, ("4402", "03"))),
    document(2, work(0, ("0100", "00")), work(1, ("0044", "00"))),
)


def test_every_colour_is_a_custom_property_and_every_mark_leads_somewhere() -> None:
    found = figures(MADE, resamples=20)
    rows = document_rows(MADE, disputes(MADE))
    bars = {(name, label): f"/spans/{name}/" for name, tally in found.annotators.items() for label in tally.labels}
    made = [
        plots.intervals([("IoU", found.sides["a"]["iou"], "/behind/"), ("absent", Estimate(None), "/x/")]),
        plots.labels_given(found, PRESETS["graded"], bars),
        plots.by_document(rows, {row.pair: f"/pairs/{row.pair}/" for row in rows}),
        plots.confusion(found, {(4, 0): "/cell/"}),
        plots.by_position(by_position(MADE), [f"/tenth/{place}/" for place in range(10)]),
        plots.growth([(1, Estimate(0.5), "/pairs/1/"), (2, Estimate(0.6, 0.4, 0.7), "/pairs/2/")]),
    ]
    for plot in made:
        assert plot.svg.startswith("<svg") and plot.alt, plot.name
        colours = set(re.findall(r"#[0-9a-fA-F]{6}\b", plot.svg))
        assert not {colour for colour in colours if colour.startswith(("#0", "#06"))}, plot.name
        assert "var(--" in plot.svg
        assert not re.search(r'<svg[^>]* width="', plot.svg)
    assert "/behind/" in made[0].svg and "absent" not in made[0].svg
    assert "var(--g4)" in made[1].svg
    assert "/pairs/2/" in made[2].svg
    assert made[2].remark == "1 under 0.12: read these first"
    assert "/cell/" in made[3].svg
    assert "/spans/A1/" in made[1].svg and "/spans/A2/" in made[1].svg
    assert "/tenth/0/" in made[4].svg and "/pairs/2/" in made[5].svg
