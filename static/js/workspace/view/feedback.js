/** After a qualification pair: the annotator's spans next to the reference's, and the lead's feedback. */

import { compareSpans, shareOf } from "../model/comparison.js";
import { chip, make, need } from "./dom.js";
import { t } from "./messages.js";
import { quote, SIDES, tokensOf } from "../model/spans.js";

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
  const share = shareOf(mine, gold, grids);
  const rows = compareSpans(mine, gold, grids).map(({ mine: own, gold: reference, kind }) => {
    const span = /** @type {import("../model/types.js").Span} */ (own ?? reference);
    const other = own && reference ? reference : null;
    const words = SIDES.map((side) => quote(span, side, grids[side])).filter(Boolean);
    const label = reference ? store.label(reference.label)?.name ?? reference.label : "";
    const note = kind === "near" && other ? `${t("compare.near")}: ${SIDES.map((side) => quote(other, side, grids[side])).filter(Boolean).join(" – ")}` : t(`compare.${kind}`, { label });
    const button = make("button", { type: "button", class: "plain" }, [
      chip(store.label(span.label), span.label),
      make("span", { class: "quotes" }, [
        ...words.map((text) => make("span", { class: "q", text })),
        make("small", { text: kind === "near" && own?.label !== reference?.label ? `${note} · ${t("compare.label", { label })}` : note }),
      ]),
    ]);
    const tokens = tokensOf(reference ?? span, grids);
    // The reference's words are highlighted while its row is hovered or focused.
    for (const type of ["mouseenter", "focus"]) button.addEventListener(type, () => store.flash(tokens));
    for (const type of ["mouseleave", "blur"]) button.addEventListener(type, () => store.flash({ a: [], b: [] }));
    button.addEventListener("click", () => {
      const side = SIDES.find((one) => tokens[one].length);
      if (side) go(side, tokens[side][0]);
    });
    return make("li", { class: `row ${kind}` }, [button]);
  });
  // After submitting, the feedback is shown, whether or not the list was open.
  if (matchMedia("(max-width: 1100px)").matches) document.body.classList.add("drawer");
  else document.body.classList.remove("no-ledger");
  need("comparison").append(
    make("h2", { class: "label", text: t("compare.title") }),
    share === null ? "" : make("p", { class: "quiet", text: t("compare.words", { share: Math.round(share * 100) }) }),
    make("ol", { class: "rows" }, rows),
    ...(comparison.feedback ? [make("h2", { class: "label", text: t("compare.feedback") }), make("p", { class: "words", text: comparison.feedback })] : []),
  );
}
