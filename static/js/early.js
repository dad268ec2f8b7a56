// Asked before the answer is needed (tabs.js): to find the browser's locks takes longer than to take one.
void navigator.locks?.query().catch(() => {});
