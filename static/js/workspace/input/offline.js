/**
 * Work without a network: the next pairs are fetched ahead, a verdict that can't be sent opens the next kept pair, and
 * whichever page is open sends what waits.
 */

import { need } from "../view/dom.js";
import { showOutbox } from "../view/outbox.js";
import { dayTime } from "../view/phrases.js";
import { Outbox } from "../sync/outbox.js";
import { request } from "../sync/api.js";
import { format, gettext } from "../../gettext.js";

/** ms that the page rests before anything is fetched ahead: it is for later, and must not slow down what is done now. */
const REST = 1500;

export class Offline {
  /**
   * @param {import("../sync/session.js").Session} session
   * @param {import("../sync/ahead.js").Ahead} ahead
   * @param {import("./taking-back.js").TakingBack | null} takingBack
   * @param {{storage: Storage, person: string, keptAt: number}} given `keptAt`: when this page was kept, if the browser has
   * answered with a kept one; otherwise 0.
   */
  constructor(session, ahead, takingBack, { storage, person, keptAt }) {
    this.session = session;
    this.ahead = ahead;
    this.takingBack = takingBack;
    this.keptAt = keptAt;
    this.element = need("outbox");
    this.outbox = new Outbox(storage, person, Number(session.store.assignment.id), (change) => this.show(change));
    session.onWaiting = (verdict) => this.on(verdict);
    const left = session.onLeft;
    session.onLeft = (verdict) => {
      void ahead.drop();
      left(verdict);
    };
  }

  begin() {
    void this.outbox.begin();
    if (this.keptAt) addEventListener("online", () => void this.look());
    else setTimeout(() => void this.ahead.begin(), REST);
  }

  /** The network is back: what this page shows may be older than what the server has, and its saves will tell. */
  async look() {
    const { outcome } = await request("GET", this.session.store.assignment.urls.assignment);
    if (outcome === "offline" || outcome === "busy") return;
    this.keptAt = 0;
    // What is sent then need not be kept any more.
    await this.outbox.run();
    void this.ahead.begin();
  }

  /** @param {Parameters<typeof showOutbox>[1]} change */
  show(change) {
    const told = gettext("You are offline. This is the pair as this browser kept it at {time}, with your work.");
    const kept = this.keptAt ? format(told, { time: dayTime(this.keptAt) }) : "";
    showOutbox(this.element, change, kept);
  }

  /** There is no network: the verdict waits here, and work goes on with the next pair that is kept. @param {string} verdict */
  async on(verdict) {
    const next = await this.ahead.next();
    if (!next) return;
    this.takingBack?.note(verdict);
    location.assign(next);
  }
}
