// Parts of the page are replaced by parts of the next one. The page works without scripts: forms are sent and links followed.
"use strict";

const said = document.getElementById("said");
const SEEN_AFTER = 150; // ms: nobody has read a case that was on the screen for less
const around = ["nav[aria-label=Pages]", "footer"];
let inFlight = 0, shownSince = 0, turn = 0;

// Whether something pressed at a time can be meant for what is on the screen.
export const isReady = (time) => !inFlight && time > shownSince;
export const isBusy = () => inFlight > 0;

export async function busy(work) {
  inFlight++;
  document.body.setAttribute("aria-busy", "true");
  try {
    return await work();
  } finally {
    if (!--inFlight) document.body.removeAttribute("aria-busy");
  }
}

// Of several requests under way, the last one may change the page.
export const takeTurn = () => ++turn;
export const isTurn = (mine) => mine === turn;

export async function load(address, options = {}) {
  const answer = await fetch(address, { ...options, headers: { Accept: "text/html" }, signal: AbortSignal.timeout(20000) });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return { answer, page };
}

export function replace(page, selectors) {
  for (const selector of [...selectors, ...around]) {
    const old = document.querySelector(selector), next = page.querySelector(selector);
    if (old && next) old.replaceWith(document.importNode(next, true));
  }
}

// The main part, as if the page had been loaded.
export function turnTo(page) {
  replace(page, ["#main"]);
  busy(seen);
  document.title = page.title;
  (document.getElementById("case-title") || document.getElementById("main")).focus({ preventScroll: true });
  scrollTo(0, 0);
  say(document.getElementById("main"));
  document.dispatchEvent(new Event("turned"));
}

async function seen() {
  await new Promise(requestAnimationFrame);
  await new Promise((done) => setTimeout(done, SEEN_AFTER));
  shownSince = performance.now();
}

export function say(root) {
  const words = root.querySelector("[data-say]");
  if (words) said.textContent = words.textContent.trim();
}
