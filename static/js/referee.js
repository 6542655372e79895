/* The referee's page works without this file; with it a tap shows that it was taken, and the focus is never lost. */
(() => {
  "use strict";
  const on = (type, fn) => document.addEventListener(type, fn);
  const button = ({ detail }) => detail.requestConfig.triggeringEvent?.submitter;
  on("htmx:beforeRequest", (e) => button(e)?.setAttribute("aria-busy", "true"));
  on("htmx:afterRequest", (e) => button(e)?.removeAttribute("aria-busy"));
  on("htmx:afterSettle", () => { // what was tapped is gone from the tray: on to what came in its place
    document.querySelector("#referee [data-focus]")?.focus({ preventScroll: true });
  });
})();
