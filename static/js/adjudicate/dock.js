/** The panel of the current region: its options with annotators, quotes of both sides, and keys. */

import { chip, make, need } from "../workspace/view/dom.js";
import { t, tn } from "../workspace/view/messages.js";
import { quote, SIDES, tokensOf } from "../workspace/model/spans.js";
import { goldOn, nameOf, optionsOf, settled } from "./disputed-regions.js";

/** @typedef {import("./types.js").Region} Region */
/** @typedef {import("./types.js").Option} Option */

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
    this.take = take;
    this.element = need("dock");
    this.rows = need("dock-rows");
    /** @type {Region | null} */
    this.region = null;
    /** @type {Option[]} */
    this.options = [];
    this.rows.addEventListener("click", (event) => this.click(event));
    this.rows.addEventListener("mouseover", (event) => this.preview(this.optionAt(event.target)));
    this.rows.addEventListener("mouseleave", () => this.preview(null));
    this.rows.addEventListener("focusin", (event) => this.preview(this.optionAt(event.target)));
    this.rows.addEventListener("focusout", () => this.preview(null));
    this.fold = need("dock-fold");
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
    return { disputed, open: disputed.filter((region) => !settled(region, this.store)) };
  }

  draw() {
    const { store, region, options } = this;
    const { disputed, open } = this.queue();
    const at = region ? disputed.indexOf(region) : -1;
    need("dock-count").textContent = disputed.length
      ? at < 0 ? tn("region.disputed", disputed.length) : t("region.at", { n: at + 1, of: disputed.length })
      : t("region.none");
    need("dock-open").textContent = open.length ? tn("region.open", open.length) : disputed.length ? t("region.done") : "";
    need("dock-state").textContent = region ? this.words(region) : t("region.start");
    const focused = document.activeElement instanceof HTMLElement && this.rows.contains(document.activeElement);
    const press = focused ? /** @type {HTMLElement} */ (document.activeElement).dataset.at : undefined;
    const now = region ? nameOf(goldOn(region, store)) : "";
    const done = region ? settled(region, store) : false;
    this.rows.replaceChildren(...options.map((option, n) => this.row(option, n, done && now === nameOf(option.spans))));
    if (press !== undefined) this.focus(Number(press));
  }

  /** @param {Region} region */
  words(region) {
    const { data } = region;
    if (data.state === "agreed") return t("region.agreed");
    if (data.state === "ruled") return t("region.ruled", { rule: this.adjudication.rule });
    if (!settled(region, this.store)) return data.why ? t("region.why", { why: data.why }) : t("region.undecided");
    const now = nameOf(goldOn(region, this.store));
    return this.options.some((option) => nameOf(option.spans) === now) ? t("region.decided") : t("region.own");
  }

  /**
   * @param {Option} option
   * @param {number} n
   * @param {boolean} taken
   */
  row(option, n, taken) {
    const { store } = this;
    const sides = SIDES.filter((side) => store.marks(side));
    const who = option.people.join(", ") || t(`option.${option.kind}`);
    const also = option.ruled && option.kind !== "rule" ? t("option.ruled") : "";
    const spans = option.spans.map((span) =>
      make("span", { class: "version" }, [
        chip(store.label(span.label), span.label),
        make("span", { class: "sr-only", text: store.label(span.label)?.name ?? span.label }),
        ...sides.map((side) => {
          const grid = store.grids[side];
          const words = quote(span, side, grid);
          return make("span", { class: words ? "q" : "q quiet", lang: grid.language, dir: grid.direction, text: words || "–" });
        }),
      ]),
    );
    const button = make("button", { type: "button", class: "plain", "data-at": n, tabindex: n ? -1 : 0, "aria-pressed": String(taken), disabled: store.readOnly }, [
      make("kbd", { text: option.press.toUpperCase() || "↵" }),
      make("span", { class: "who" }, [who, also ? make("small", { class: "quiet", text: ` ${also}` }) : null]),
      make("span", { class: "versions" }, spans.length ? spans : [make("span", { class: "quiet", text: t(option.people.length ? "option.unmarked" : "option.nothing") })]),
    ]);
    return make("li", {}, [button]);
  }

  /** @param {EventTarget | null} target */
  optionAt(target) {
    const button = target instanceof Element ? target.closest("[data-at]") : null;
    return button instanceof HTMLElement ? this.options[Number(button.dataset.at)] ?? null : null;
  }

  /** @param {Event} event */
  click(event) {
    const option = this.optionAt(event.target);
    if (option) this.take(option);
  }

  /** Highlight the words that an option would mark. @param {Option | null} option */
  preview(option) {
    const { store } = this;
    for (const side of SIDES) {
      const was = store.flashed[side];
      const is = new Set((option?.spans ?? []).flatMap((span) => tokensOf(span, store.grids)[side]));
      store.flashed[side] = is;
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
