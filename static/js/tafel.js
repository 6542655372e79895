/* Extras only: every page works as plain forms without this file. Classic script, deferred, after htmx and idiomorph.
   Listeners sit on document, so nothing is bound again after a swap. */
(() => {
  "use strict";
  const doc = document, html = doc.documentElement, htmx = window.htmx;
  const on = (type, fn) => doc.addEventListener(type, fn);
  const $ = (sel, from = doc) => from.querySelector(sel);
  const pad = () => $("#pad");
  const visible = () => doc.visibilityState === "visible";

  // Classes, not the hidden attribute, which a morph would put back: the stylesheet hides what cannot work.
  html.classList.add("js");
  if (navigator.share) html.classList.add("can-share");

  // The server does not know which <details> were opened here, so its silence closes none.
  if (window.Idiomorph) Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, el, how) =>
    !(name === "open" && how === "remove" && el.tagName === "DETAILS");

  /* ---- the pad: settle guard, focus, reading position ---- */
  let settling, busy, late, inside, keep, touched = 0;
  const role = () => doc.activeElement.name || doc.activeElement.tagName;
  const clipped = () => { // how far the current row sticks out of the scroller: < 0 above, > 0 below
    const row = $("#pad .row-now"), box = row && row.closest(".score");
    if (!box || getComputedStyle(box).overflowY !== "auto") return 0;
    const r = row.getBoundingClientRect(), b = box.getBoundingClientRect();
    return Math.min(0, r.top - b.top - $("thead", box).offsetHeight) || Math.max(0, r.bottom - b.bottom);
  };
  on("htmx:beforeSwap", ({ detail }) => {
    const p = pad(), followed = detail.requestConfig.elt === p;
    if (!p || detail.target !== p) return;
    if (followed && late) detail.shouldSwap = false; // asked before somebody tapped: an older pad than theirs
    inside = p !== doc.activeElement && p.contains(doc.activeElement) && role();
    keep = !followed || !clipped(); // readers who scrolled up to an old round stay there
  });
  on("htmx:afterSwap", ({ detail, target }) => {
    const p = pad();
    if (!p || (detail.target !== p && target !== p)) return;
    // A tap within the next moment was aimed at the old pad: a double tap, or a swap under the thumb.
    p.dataset.settling = "";
    clearTimeout(settling);
    settling = setTimeout(() => pad()?.removeAttribute("data-settling"), 250);
    if (inside && role() !== inside) { // the control is gone, or was morphed into another one: on to the next question
      // With a keyboard on to the numbers; a thumb must not bring the phone's keyboard up.
      const next = $('.chip:not([aria-disabled="true"], :disabled, details:not([open]) *)', p) || (typing && $('.tray input.n:not(details:not([open]) *)', p))
        || $('h1[tabindex="-1"], .turn h2[tabindex="-1"], .hitbtn', p);
      (next || doc.activeElement)[next ? "focus" : "blur"]({ preventScroll: true });
    }
    const off = keep && clipped();
    if (off) $(".score", p).scrollBy(0, off);
    awake();
  });
  on("keydown", (e) => { // a held Enter would answer for the whole table
    if (e.repeat && e.key === "Enter" && e.target.closest("#pad button")) e.preventDefault();
  });

  /* ---- following: a conditional GET every 2 s; 304 swaps nothing ---- */
  const STEP = 2000;
  let wait = STEP, timer;
  // Typed text holds the pad. A switch or choice holds it for half a minute: a forgotten phone must catch up.
  const editing = (p) => $("[data-typed]", p) || [...p.querySelectorAll("input:not([type=hidden]), textarea, option")].some((f) =>
    f.type === "checkbox" || f.type === "radio" ? f.checked !== f.defaultChecked && Date.now() - touched < 3e4
    : "selected" in f ? f.selected && !f.defaultSelected && Date.now() - touched < 3e4
    : f.value !== f.defaultValue);
  on("input", () => { touched = Date.now(); });
  const follow = () => {
    const p = pad();
    if (p && htmx && "follow" in p.dataset && visible() && !p.matches(".htmx-request") && !$(".htmx-request", p) && !editing(p)) htmx.trigger(p, "follow");
  };
  const tick = () => { clearTimeout(timer); timer = setTimeout(() => { follow(); tick(); }, wait); };
  const wake = () => { wait = STEP; follow(); tick(); awake(); };
  on("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pageshow", (e) => { // the back button brings an old page
    if (e.persisted || performance.getEntriesByType("navigation")[0]?.type === "back_forward") wake();
  });
  tick();

  on("htmx:configRequest", ({ detail }) => { // forms inherit the pad's If-None-Match; on a POST it would mean 412
    if (detail.verb !== "get") delete detail.headers["If-None-Match"];
  });
  on("htmx:beforeRequest", ({ detail }) => {
    const p = pad(), { elt, triggeringEvent } = detail.requestConfig;
    if (!p || elt === p || !p.contains(elt)) return;
    late = p.matches(".htmx-request");
    busy = triggeringEvent?.submitter;
    if (busy !== then && then === keeper()) then = null; // every button brings the numbers along
    busy?.setAttribute("aria-busy", "true");
  });

  /* ---- trouble: one strip; what was typed stays ---- */
  const notice = (kind) => {
    const box = $("#notice"), text = kind && box?.dataset[kind];
    if (!box) return;
    const at = $("span", box) || box;
    if (text && at.textContent !== text) at.textContent = text; // said once, not at every retry
    box.hidden = !text;
  };
  const failed = (kind) => {
    then = null;
    wait = kind === "gone" ? 6e4 : Math.min(wait * 2, 16e3); // do not hammer a server in trouble
    notice(kind);
  };
  on("htmx:sendError", () => failed("offline"));
  on("htmx:timeout", () => failed("offline"));
  on("htmx:responseError", ({ detail }) => failed(detail.xhr.getResponseHeader("X-Reason") || ([403, 404, 410].includes(detail.xhr.status) ? "gone" : "error")));
  on("htmx:afterRequest", ({ detail }) => {
    if (detail.requestConfig.elt === pad()) late = false;
    else { busy?.removeAttribute("aria-busy"); busy = null; }
    if (!detail.successful) return;
    if (wait > STEP) { wait = STEP; tick(); }
    notice();
  });

  /* ---- typed tricks count and are kept as soon as the field is left, as tapped ones are ---- */
  let pressed, typing, kept, then; // `then`: the button whose turn comes after the answer under way
  const keeper = () => $('#tricks [name="keep"]');
  const press = (btn) => { if ($("#tricks.htmx-request")) then = btn; else btn.click(); };
  on("pointerdown", ({ target }) => { pressed = target.closest("button"); typing = false; }, true);
  on("keydown", (e) => {
    pressed = null;
    typing = true;
    if (e.key !== "Enter" || !e.target.matches(":is(#tricks, #round, #all_bids) .n")) return;
    e.preventDefault();
    if (e.repeat) return;
    // Enter keeps the numbers and moves on, at the end to one that is missing or to the button.
    const all = [...e.target.form.querySelectorAll("input.n")];
    const next = all[all.indexOf(e.target) + 1] || all.find((f) => !f.value && f !== e.target) || $('[name="score"], [name="record"], [name="bids"]', e.target.form);
    kept = e.target.form.id !== "tricks";
    next.focus(); // a changed number is kept as its field is left
    next.select?.();
    if (!kept) press(keeper());
  }, true);
  let digits = "", last = 0;
  on("keydown", (e) => { // a number typed among the numbers leads to it
    if (!/^\d$/.test(e.key) || !e.target.matches(".chip") || e.ctrlKey || e.altKey || e.metaKey) return;
    digits = e.timeStamp - last < 1000 ? digits + e.key : e.key;
    last = e.timeStamp;
    const chip = (n) => $(`.chip[value="${n}"]`, e.target.form);
    (chip(digits) || chip(e.key))?.focus();
  });
  on("change", ({ target }) => {
    // Left for a button of the same form, that button sends the number itself, and two requests would be one too many.
    if (target.matches("#tricks :is(.n, .extras *)") && pressed?.form !== target.form) { kept = true; press(keeper()); }
  });
  on("click", (e) => {
    const btn = e.target.closest('#tricks :is([name="score"], [name="trump"])');
    if (btn && busy === keeper()) { e.preventDefault(); then = btn; } // numbers are on their way; it comes right after
  }, true);
  on("htmx:afterSettle", () => {
    const next = then;
    then = null;
    if (next) setTimeout(() => { if (next.isConnected) next.click(); });
  });
  // What is typed or switched while an answer is on its way is newer than the answer; what stands in another form is
  // no part of it at all.
  let newer = [];
  const fields = () => [...doc.querySelectorAll("#pad :is(input.n, .blind input, .extras :is(input, select)), #setup input.input, #setup input.n")];
  const part = (f) => (/^(checkbox|radio)$/.test(f.type) ? "checked" : "value");
  const apart = (f, { elt }) => elt.tagName === "FORM" && f.form !== elt && f.matches(".n, .blind input") &&
    f[part(f)] !== (part(f) === "value" ? f.defaultValue : f.defaultChecked);
  on("htmx:beforeRequest", ({ detail }) => { detail.xhr.sent = fields().map((f) => [f, f[part(f)]]); });
  on("htmx:beforeSwap", ({ detail }) => {
    newer = detail.xhr.sent.filter(([f, v]) => f[part(f)] !== v || apart(f, detail.requestConfig)).map(([f]) => [f, f[part(f)]]);
  });
  on("htmx:afterSwap", () => {
    for (const [f, v] of newer) if (f.isConnected) f[part(f)] = v;
    const at = doc.activeElement; // a number that was filled in meanwhile is replaced by the one typed, not continued
    if (typing && at.matches("#pad input.n") && at.value === at.defaultValue) at.select();
  });

  /* ---- copy, share, print, menu ---- */
  const copy = async (btn) => {
    const src = $(btn.dataset.copy), at = $("span", btn) || btn, old = at.textContent, { done } = btn.dataset;
    try {
      await navigator.clipboard.writeText(src.value);
    } catch { // plain http on the home network has no clipboard
      src.select();
      if (!doc.execCommand("copy")) return; // it stays selected, for a long press
      btn.focus();
    }
    if (!done || old === done) return;
    at.ariaLive = "polite";
    at.textContent = done;
    setTimeout(() => { at.textContent = old; }, 2000);
  };
  on("click", ({ target }) => {
    for (const m of doc.querySelectorAll(".menu[open]")) if (!m.contains(target)) m.open = false;
    const btn = target.closest("[data-copy], [data-share], [data-print]"), d = btn?.dataset;
    if (!d) return;
    if (d.copy) copy(btn);
    else if ("print" in d) print();
    else navigator.share({ title: d.title || doc.title, text: d.text, url: d.share[0] === "#" ? $(d.share).value : d.share || location.href }).catch(() => {});
  });
  on("keydown", (e) => {
    const m = e.key === "Escape" && $(".menu[open]");
    if (m) { m.open = false; $("summary", m).focus(); }
  });

  /* ---- seats: drag by the grip, on top of the arrow buttons. The server changes the order, here it only shows ---- */
  let drag;
  on("pointerdown", (e) => {
    const grip = e.target.closest(".seats .grip"), li = grip?.closest("li");
    if (!grip || e.button || drag) return;
    e.preventDefault();
    const all = [...li.parentElement.children], from = all.indexOf(li);
    drag = { li, all, from, to: from, id: e.pointerId, y: e.pageY, h: li.offsetHeight };
    li.classList.add("drag");
    grip.setPointerCapture(e.pointerId);
  });
  on("pointermove", (e) => {
    if (drag?.id !== e.pointerId) return;
    const { li, all, from, y, h } = drag;
    const dy = Math.max(-from * h, Math.min((all.length - 1 - from) * h, e.pageY - y)), to = drag.to = from + Math.round(dy / h);
    all.forEach((x, i) => {
      x.style.translate = `0 ${x === li ? dy : i > from && i <= to ? -h : i < from && i >= to ? h : 0}px`;
    });
  });
  const drop = (e) => {
    if (drag?.id !== e.pointerId) return;
    const { li, all, from, to } = drag, b = $("button.vh[name=move]", li.closest("form"));
    drag = null;
    for (const x of all) x.style.translate = "";
    li.classList.remove("drag");
    if (e.type === "pointerup" && b && from !== to) {
      b.value = `${from}:${to}`;
      b.click(); // not requestSubmit(b): htmx sends the button that was clicked
    }
  };
  on("pointerup", drop);
  on("pointercancel", drop);

  /* ---- keep the scorer's screen on ---- */
  let lock, asking;
  async function awake() {
    if (!navigator.wakeLock || asking) return;
    const want = visible() && $("#pad[data-awake]");
    asking = true;
    try {
      if (want && !(lock && !lock.released)) lock = await navigator.wakeLock.request("screen");
      else if (!want && lock) lock = await lock.release();
    } catch {} // battery saver, plain http: then the phone's own rule holds
    asking = false;
  }
  awake();
})();
