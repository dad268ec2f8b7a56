/** The hints in the footer during adjudication: the keys of the options, or how to reach the options from the texts. Pure. */

import { keyRange } from "../workspace/model/hints.js";
import { worksWithFocus } from "../workspace/model/keyboard.js";

/** @typedef {import("../workspace/model/hints.js").Hint} Hint */

/**
 * @typedef {object} Regions
 * @property {string[]} presses The keys of the options.
 * @property {boolean} shown Whether a region is shown.
 * @property {boolean} disputed Whether there are disputed regions.
 * @property {boolean} within Whether the focus is in the dock, whose keys take precedence over the page's.
 */

/**
 * @param {Hint[]} hints The workspace's hints.
 * @param {Regions} regions
 * @param {import("../workspace/model/store.js").Device} device
 * @param {{focus: import("../workspace/model/keyboard.js").Focus, letters: boolean}} where Where the focus is.
 * @returns {Hint[]}
 */
export function regionHints(hints, { presses, shown, disputed, within }, device, { focus, letters }) {
  const next =
    disputed && worksWithFocus("region.next", focus, letters) ? [{ control: "next", effect: "region.next" }] : [];
  if (!within) {
    // Only while nothing is selected is there room for more.
    const at = hints.findIndex(({ control }) => control === "help");
    const toRegion =
      (shown || disputed) && worksWithFocus("region.here", focus, letters)
        ? [{ control: "here", effect: "region.here" }]
        : [];
    return at < 0 ? hints : [...hints.slice(0, at), ...next, ...toRegion, ...hints.slice(at)];
  }
  if (device === "touch") return presses.length ? [{ control: "tap", effect: "option" }] : [];
  const keys = [
    keyRange(presses.filter((one) => /[1-9]/.test(one))),
    ...presses.filter((one) => !/[1-9]/.test(one)),
  ].filter(Boolean);
  return [
    ...(presses.length ? [{ control: "option", effect: "option", keys: keys.join(" ").toUpperCase() }] : []),
    ...(shown ? [{ control: "edit", effect: "region.edit" }] : []),
    ...next,
    { control: "escape", effect: "focus" },
    ...(worksWithFocus("help", focus, letters) ? [{ control: "help", effect: "help" }] : []),
  ];
}
