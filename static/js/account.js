/* Passkeys: what this browser cannot do is not offered, and what goes wrong is said. Deferred; the ceremony itself is the
   sign-in library's script. */
(() => {
  "use strict";
  const all = (sel) => document.querySelectorAll(sel);
  if (!window.PublicKeyCredential) {
    for (const el of all(".with-passkey :is(button, .btn), button.with-passkey")) el.hidden = true;
    for (const el of all(".without-passkey")) el.hidden = false;
  }
  document.addEventListener("allauth.error", (e) => {
    e.preventDefault();
    for (const el of all(".passkey-error")) el.hidden = false;
  });
})();
