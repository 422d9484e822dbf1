// Replacement of parts of the page. Without scripts, forms and links load whole pages.
"use strict";

const announcement = document.getElementById("announcement");
const MIN_VIEW_MS = 150; // input within this time after a page change was meant for the previous page
const pageFrame = ["nav[aria-label=Pages]", "footer"];
let inFlight = 0, shownSince = 0, latestRequest = 0;

// Whether input at a time can be meant for the displayed page.
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

// Of several pending requests, only the latest may change the page.
export const nextRequest = () => ++latestRequest;
export const isLatest = (mine) => mine === latestRequest;

export async function load(address, options = {}) {
  const answer = await fetch(address, { ...options, headers: { Accept: "text/html" }, signal: AbortSignal.timeout(20000) });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return { answer, page };
}

export function replace(page, selectors) {
  for (const selector of [...selectors, ...pageFrame]) {
    const old = document.querySelector(selector), next = page.querySelector(selector);
    if (old && next) old.replaceWith(document.importNode(next, true));
  }
}

// Replace the main part, as loading the page would.
export function showPage(page) {
  replace(page, ["#main"]);
  busy(markShown);
  document.title = page.title;
  (document.getElementById("case-title") || document.getElementById("main")).focus({ preventScroll: true });
  scrollTo(0, 0);
  announce(document.getElementById("main"));
  document.dispatchEvent(new Event("pagereplaced"));
}

async function markShown() {
  await new Promise(requestAnimationFrame);
  await new Promise((done) => setTimeout(done, MIN_VIEW_MS));
  shownSince = performance.now();
}

export function announce(root) {
  const words = root.querySelector("[data-announce]");
  if (words) announcement.textContent = words.textContent.trim();
}
