/** After a log-in beside the work: tells the tabs that wait for it, and closes the tab that was opened for it. */

new BroadcastChannel("diptych/login").postMessage("done");
if (opener) close();
