// The page works without this: forms are sent and links followed as ever. Here, only the part that changes is replaced.
"use strict";

const said = document.getElementById("said");
let latest = 0, inFlight = 0;
let shownSince = performance.now();

function say(root) {
  const words = root.querySelector("[data-say]");
  if (words) said.textContent = words.textContent.trim();
}

async function show(address, options, target, keep) {
  const mine = ++latest;
  inFlight++;
  document.body.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(address, { ...options, headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (mine !== latest) return; // a later one is under way
    const wanted = answer.ok && target && page.querySelector(target) ? target : "#main";
    document.querySelector(wanted).replaceWith(document.importNode(page.querySelector(wanted), true));
    for (const part of ["nav[aria-label=Pages]", "footer"]) {
      document.querySelector(part).replaceWith(document.importNode(page.querySelector(part), true));
    }
    shownSince = performance.now();
    document.title = page.title;
    if (!keep && answer.ok) history.replaceState(null, "", answer.url);
    say(document.querySelector(wanted));
    if (!target) (document.getElementById("case-title") || document.getElementById("main")).focus({ preventScroll: true });
    if (!target) scrollTo(0, 0);
  } catch {
    said.textContent = "The service does not answer.";
  } finally {
    if (!--inFlight) document.body.removeAttribute("aria-busy");
  }
}

function send(form, button) {
  const fields = new URLSearchParams(new FormData(form));
  if (button && button.name) fields.set(button.name, button.value);
  const target = form.dataset.target;
  if (form.method === "get") return show(`${form.action}?${fields}`, {}, target, false);
  return show(form.action, { method: "POST", body: fields }, target, Boolean(target));
}

addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-live]")) return;
  event.preventDefault();
  if (inFlight && !event.target.dataset.target) return; // one label at a time
  send(event.target, event.submitter);
});

addEventListener("click", (event) => {
  const link = event.target.closest("a[data-live]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  show(link.href, {}, null, false);
});

let pause;
addEventListener("input", (event) => {
  const field = event.target;
  if (field.type === "range") {
    const output = document.querySelector(`output[for="${field.id}"]`);
    if (output) output.textContent = field.value;
  }
  const form = field.closest("form[data-instant]");
  if (!form) return;
  clearTimeout(pause);
  pause = setTimeout(() => send(form), 200);
});

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (inFlight || event.timeStamp < shownSince) return; // pressed before the case it was meant for was shown
  if (event.target.matches("input, textarea, select")) return;
  const pressed = document.querySelector(`[data-key="${CSS.escape(event.key)}"]:not([disabled])`);
  if (!pressed) return;
  event.preventDefault();
  pressed.click();
});

document.documentElement.classList.add("scripted");
