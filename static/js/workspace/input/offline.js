/**
 * Work without a network: the next pairs are fetched ahead, a verdict that can't be sent opens the next kept pair, and
 * whichever page is open sends what waits.
 */

import { need } from "../view/dom.js";
import { showOutbox } from "../view/outbox.js";
import { dayTime } from "../view/phrases.js";
import { Outbox } from "../sync/outbox.js";
import { heard, request } from "../sync/api.js";
import { format, gettext } from "../../gettext.js";

/** ms that the page rests before anything is fetched ahead: it is for later, and must not slow down what is done now. */
const REST = 1500;
/** ms until a server that did not answer a kept page is asked again. */
const PAUSE = 10000;

export class Offline {
  /**
   * @param {import("../sync/session.js").Session} session
   * @param {import("../sync/ahead.js").Ahead} ahead
   * @param {import("./taking-back.js").TakingBack | null} takingBack
   * @param {{storage: Storage, person: string, keptAt: number, onBack?: (assignment: any) => void}} given `keptAt`: when
   * this page was kept, if the browser has answered with a kept one; otherwise 0. `onBack` is given what the server has,
   * once it can be reached.
   */
  constructor(session, ahead, takingBack, { storage, person, keptAt, onBack = () => {} }) {
    this.session = session;
    this.ahead = ahead;
    this.takingBack = takingBack;
    this.keptAt = keptAt;
    this.onBack = onBack;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
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
    if (!this.keptAt) return void setTimeout(() => void this.ahead.begin(), REST);
    // A save may be answered first, and browsers don't always say that the network is back.
    heard.add(this.hear);
    addEventListener("online", this.look);
    this.timer = setTimeout(this.look, PAUSE);
  }

  /** The server has answered. */
  hear = () => {
    if (!this.keptAt) return;
    this.keptAt = 0;
    this.outbox.show();
  };

  /** Is the network back? What this page shows may be older than what the server has; its saves will tell. */
  look = async () => {
    clearTimeout(this.timer);
    const { outcome, data } = await request("GET", this.session.store.assignment.urls.assignment);
    clearTimeout(this.timer);
    if (outcome === "offline" || outcome === "busy") {
      this.timer = setTimeout(this.look, PAUSE);
      return;
    }
    removeEventListener("online", this.look);
    heard.delete(this.hear);
    this.hear();
    if (outcome === "ok") this.onBack(data);
    // What is sent then need not be kept any more.
    await this.outbox.run();
    void this.ahead.begin();
  };

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
