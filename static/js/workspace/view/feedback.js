/** After a qualification pair: the annotator's spans next to the reference's, and the lead's feedback. */

import { compareSpans, overlapShare } from "../model/comparison.js";
import { labelChip, make, requireElement } from "./dom.js";
import { format, gettext } from "../../gettext.js";
import { quote, SIDES, tokensOf } from "../model/spans.js";

/** How a span differs from the reference, by kind. */
const KINDS = {
  same: gettext("as in the reference"),
  label: gettext("reference: {label}"),
  near: gettext("reference has other words"),
  extra: gettext("not in the reference"),
  missing: gettext("only in the reference"),
};

/**
 * @param {import("../model/store.js").Store} store
 * @param {(side: import("../model/types.js").Side, index: number) => void} go
 */
export function showFeedback(store, go) {
  const { comparison } = store.assignment;
  if (!comparison) return;
  const { grids } = store;
  const mine = [...store.doc.spans.values()].sort(store.order);
  const gold = [...comparison.gold].sort(store.order);
  const share = overlapShare(mine, gold, grids);
  const rows = compareSpans(mine, gold, grids).map(({ mine: own, gold: reference, kind }) => {
    const span = /** @type {import("../model/types.js").Span} */ (own ?? reference);
    const other = own && reference ? reference : null;
    const quotes = SIDES.map((side) => ({ grid: grids[side], text: quote(span, side, grids[side]) })).filter(
      ({ text }) => text,
    );
    const label = reference ? (store.label(reference.label)?.name ?? reference.label) : "";
    const note =
      kind === "near" && other
        ? `${gettext("reference has other words")}: ${SIDES.map((side) => quote(other, side, grids[side]))
            .filter(Boolean)
            .join(" – ")}`
        : format(KINDS[kind], { label });
    const button = make("button", { type: "button", class: "plain" }, [
      labelChip(store.label(span.label), span.label),
      make("span", { class: "quotes" }, [
        ...quotes.map(({ grid, text }) =>
          make("span", { class: "quotation", lang: grid.language, dir: grid.direction, text }),
        ),
        make("small", {
          text:
            kind === "near" && own?.label !== reference?.label
              ? `${note} · ${format(gettext("reference: {label}"), { label })}`
              : note,
        }),
      ]),
    ]);
    const tokens = tokensOf(reference ?? span, grids);
    // The reference's words are highlighted while its row is hovered or focused.
    for (const type of ["mouseenter", "focus"]) button.addEventListener(type, () => store.highlight(tokens));
    for (const type of ["mouseleave", "blur"]) button.addEventListener(type, () => store.highlight({ a: [], b: [] }));
    button.addEventListener("click", () => {
      const side = SIDES.find((one) => tokens[one].length);
      if (side) go(side, tokens[side][0]);
    });
    return make("li", { class: `row ${kind}` }, [button]);
  });
  // After submitting, the feedback is shown, whether or not the list was open.
  if (matchMedia("(max-width: 1100px)").matches) document.body.classList.add("span-list-open");
  else document.body.classList.remove("no-span-list");
  requireElement("comparison").append(
    make("h2", { class: "label", text: gettext("Your spans and the reference") }),
    share === null
      ? ""
      : make("p", {
          class: "quiet",
          text: format(gettext("Words marked as in the reference: {share}%"), { share: Math.round(share * 100) }),
        }),
    make("ol", { class: "rows" }, rows),
    ...(comparison.feedback
      ? [
          make("h2", { class: "label", text: gettext("From the lead") }),
          make("p", { class: "words", text: comparison.feedback }),
        ]
      : []),
  );
}
