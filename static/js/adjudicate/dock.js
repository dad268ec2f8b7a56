/** The panel of the current region: its options with annotators, quotes of both sides, and keys. */

import { labelChip, make, requireElement } from "../workspace/view/dom.js";
import { format, gettext, ngettext } from "../gettext.js";
import { groupQuestions, isAnswered } from "../workspace/model/displayed-questions.js";
import { quote, SIDES, tokensOf } from "../workspace/model/spans.js";
import { goldSpansIn, isSettled, optionsOf, spansKey } from "./disputed-regions.js";
import { joinNames } from "./people.js";

/** @typedef {import("./types.js").Region} Region */
/** @typedef {import("./types.js").Option} Option */

/** The name of an option that no annotator marked. @type {Record<string, string>} */
const OPTION_NAMES = {
  rule: gettext("the rule"),
  joined: gettext("all marked words"),
  common: gettext("shared words"),
  none: gettext("no span"),
};

export class Dock {
  /**
   * @param {import("../workspace/model/store.js").Store} store
   * @param {import("./types.js").Adjudication} adjudication
   * @param {Region[]} regions
   * @param {(option: Option) => void} take
   */
  constructor(store, adjudication, regions, take) {
    this.store = store;
    this.adjudication = adjudication;
    this.regions = regions;
    this.choose = take;
    this.element = requireElement("dock");
    this.rows = requireElement("dock-rows");
    /** @type {Region | null} */
    this.region = null;
    /** @type {Option[]} */
    this.options = [];
    this.rows.addEventListener("click", (event) => this.click(event));
    this.rows.addEventListener("mouseover", (event) => this.preview(this.optionAt(event.target)));
    this.rows.addEventListener("mouseleave", () => this.preview(null));
    this.rows.addEventListener("focusin", (event) => this.preview(this.optionAt(event.target)));
    this.rows.addEventListener("focusout", () => this.preview(null));
    this.fold = requireElement("dock-fold");
    this.fold.addEventListener("click", () => this.fold.setAttribute("aria-expanded", String(this.folded)));
    store.on("doc", () => this.draw());
  }

  /** Whether the panel is collapsed to the region's name, without its options. */
  get folded() {
    return this.fold.getAttribute("aria-expanded") === "false";
  }

  /** @param {Region | null} region */
  show(region) {
    if (region === this.region) return;
    this.region = region;
    this.options = region ? optionsOf(region, this.store) : [];
    this.draw();
  }

  /** The disputed regions, and those that are still undecided. */
  queue() {
    const disputed = this.regions.filter(({ data }) => data.state === "disputed");
    return { disputed, open: disputed.filter((region) => !isSettled(region, this.store)) };
  }

  /** How many regions and questions are undecided. */
  undecidedText() {
    const { questions } = this.store.scheme;
    const unanswered = groupQuestions(questions).filter((displayed) => !isAnswered(displayed, this.store.doc.answers));
    return undecidedText(this.queue().open.length, unanswered.length);
  }

  draw() {
    const { store, region, options } = this;
    const { disputed } = this.queue();
    const at = region ? disputed.indexOf(region) : -1;
    requireElement("dock-count").textContent = regionPosition(at, disputed.length);
    requireElement("dock-open").textContent =
      disputed.length || this.adjudication.questions.length ? this.undecidedText() : "";
    requireElement("dock-state").textContent = region ? this.stateText(region) : this.hint();
    const focused = document.activeElement instanceof HTMLElement && this.rows.contains(document.activeElement);
    const press = focused ? /** @type {HTMLElement} */ (document.activeElement).dataset.at : undefined;
    const now = region ? spansKey(goldSpansIn(region, store)) : "";
    const done = region ? isSettled(region, store) : false;
    this.rows.replaceChildren(
      ...options.map((option, n) => this.row(option, n, done && now === spansKey(option.spans))),
    );
    if (press !== undefined) this.focus(Number(press));
  }

  /** What to do while the cursor is in no region. */
  hint() {
    if (!this.store.scheme.labels.length) return "";
    return this.regions.length
      ? gettext("Move the cursor to a marked word to see who marked it")
      : gettext("No words are marked in the submitted annotations");
  }

  /** @param {Region} region */
  stateText(region) {
    const { data } = region;
    if (data.state === "agreed") return gettext("All agree: accepted");
    if (data.state === "ruled")
      return format(gettext("Decided by the rule “{rule}”"), { rule: this.adjudication.rule });
    if (!isSettled(region, this.store))
      return data.why ? format(gettext("Undecided: {why}"), { why: data.why }) : gettext("Undecided");
    const now = spansKey(goldSpansIn(region, this.store));
    return this.options.some((option) => spansKey(option.spans) === now)
      ? gettext("Decided")
      : gettext("Custom decision");
  }

  /**
   * @param {Option} option
   * @param {number} n
   * @param {boolean} taken
   */
  row(option, n, taken) {
    const { store } = this;
    const sides = SIDES.filter((side) => store.canMark(side));
    const who = joinNames(option.people) || OPTION_NAMES[option.kind];
    const also = option.ruled && option.kind !== "rule" ? gettext("also the rule") : "";
    const nothing = option.people.length
      ? gettext("marked nothing here: leave it unmarked")
      : gettext("leave it unmarked");
    const spans = option.spans.map((span) =>
      make("span", { class: "option-span" }, [
        labelChip(store.label(span.label), span.label),
        make("span", { class: "sr-only", text: store.label(span.label)?.name ?? span.label }),
        ...sides.map((side) => {
          const grid = store.grids[side];
          const words = quote(span, side, grid);
          return make("span", {
            class: words ? "quotation" : "quotation quiet",
            lang: grid.language,
            dir: grid.direction,
            text: words || "–",
          });
        }),
      ]),
    );
    const button = make(
      "button",
      {
        type: "button",
        class: "plain",
        "data-at": n,
        tabindex: n ? -1 : 0,
        "aria-pressed": String(taken),
        disabled: store.readOnly,
      },
      [
        make("kbd", { text: option.press.toUpperCase() || "↵" }),
        make("span", { class: "who" }, [who, also ? make("small", { class: "quiet", text: ` ${also}` }) : null]),
        make(
          "span",
          { class: "option-spans" },
          spans.length ? spans : [make("span", { class: "quiet", text: nothing })],
        ),
      ],
    );
    return make("li", {}, [button]);
  }

  /** @param {EventTarget | null} target */
  optionAt(target) {
    const button = target instanceof Element ? target.closest("[data-at]") : null;
    return button instanceof HTMLElement ? (this.options[Number(button.dataset.at)] ?? null) : null;
  }

  /** @param {Event} event */
  click(event) {
    const option = this.optionAt(event.target);
    if (option) this.choose(option);
  }

  /** Highlight the words that an option would mark. @param {Option | null} option */
  preview(option) {
    const { store } = this;
    for (const side of SIDES) {
      const was = store.highlighted[side];
      const is = new Set((option?.spans ?? []).flatMap((span) => tokensOf(span, store.grids)[side]));
      store.highlighted[side] = is;
      if (was.size || is.size) store.emit("touched", { [side]: new Set([...was, ...is]) });
    }
  }

  /** @param {number} [n] */
  focus(n = 0) {
    this.fold.setAttribute("aria-expanded", "true");
    const buttons = [...this.rows.querySelectorAll("button")];
    const button = buttons[Math.max(0, Math.min(n, buttons.length - 1))];
    for (const one of buttons) one.tabIndex = one === button ? 0 : -1;
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} step */
  move(step) {
    const buttons = [...this.rows.querySelectorAll("button")];
    this.focus(buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement)) + step);
  }
}

/** Which of the disputed regions is shown. @param {number} at Its index, or less than 0. @param {number} of How many there are. */
function regionPosition(at, of) {
  if (!of) return gettext("No disputed regions");
  if (at < 0) return format(ngettext("{n} disputed region", "{n} disputed regions", of), { n: of });
  return format(gettext("Disputed region {n} of {of}"), { n: at + 1, of });
}

/** How many regions and questions are undecided; that only questions are left is said. @param {number} regions @param {number} questions */
export function undecidedText(regions, questions) {
  if (regions)
    return format(ngettext("{n} undecided", "{n} undecided", regions + questions), { n: regions + questions });
  if (questions)
    return format(ngettext("{n} question undecided", "{n} questions undecided", questions), { n: questions });
  return gettext("all decided");
}
