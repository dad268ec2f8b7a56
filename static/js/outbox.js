/** On the start page: sends the verdicts that were given without a network, and says which were not accepted. */

import { Outbox } from "./workspace/sync/outbox.js";
import { storage } from "./workspace/sync/storage.js";
import { showOutbox } from "./workspace/view/outbox.js";

const element = document.getElementById("outbox");
const person = document.documentElement.dataset.user;
if (element && person) void new Outbox(storage, person, null, (change) => showOutbox(element, change)).start();
