/** After logging in again in a second tab: notifies the tabs that wait for it, and closes this one. */

new BroadcastChannel("diptych/login").postMessage("done");
if (opener) close();
