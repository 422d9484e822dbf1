// The queue: label, undo, skip and open cases, in a labelling session stored in the tab.
"use strict";

import { deliver, hideBanner, fetchFormToken, isAnswer, isLogin, showBanner } from "./connection.js";
import { busy, isBusy, isLatest, load, replace, announce, nextRequest, showPage } from "./live.js";
import * as session from "./session.js";

const POLL_MS = 5000;

const queue = () => document.getElementById("queue");
const shown = () => queue()?.dataset.case ?? "";

// Send a form of the session; no other request is sent before the response.
export async function send(form, button) {
  if (isBusy()) return;
  const given = new FormData(form, button);
  const undo = form.hasAttribute("data-undo"), address = button?.getAttribute("formaction") ?? form.getAttribute("action");
  const id = form.id === "ask-confirmation" ? shown() : given.get("case");
  given.set("case", id);
  await submit({
    address,
    body: session.fields(given, { before: undo }).toString(),
    words: undo ? `The label of case ${id} will be undone` : `Your answer to case ${id} (${meaning(given)}) will be sent`,
    step: undo ? "undo" : address === "/page/label" ? "label" : "",
    id,
  });
}

function meaning(given) {
  if (given.has("none")) return given.get("new_class") || "none of these";
  return given.get("label") ?? "a change";
}

function submit(request) {
  nextRequest();
  return busy(async () => {
    const delivered = await deliver(request);
    if (!delivered) return;
    const { answer, page } = delivered;
    if (!answer.ok) return refused(page);
    if (request.step === "label") session.labelled(request.id);
    if (request.step === "undo") session.undone();
    showPage(page);
  });
}

// Show the error above the case, which remains.
function refused(page) {
  const words = page.querySelector("[role=alert]:not([hidden])")?.textContent.trim() ?? "The service rejected the request.";
  const place = document.getElementById("gone");
  if (place) place.textContent = words;
  else showBanner(words);
  announce(page);
}

// Open a case by its id, or the next one that is not skipped.
export function openCase(id = "") {
  const mine = nextRequest();
  return busy(async () => {
    try {
      const ask = () => load("/page/next", { method: "POST", body: session.fields({ case: id, form_token: formToken() }) });
      let { answer, page } = await ask();
      if (answer.status === 403) {
        setFormTokens(await fetchFormToken());
        ({ answer, page } = await ask());
      }
      if (!isLatest(mine)) return;
      if (isLogin(answer)) return location.assign("/login");
      if (!isAnswer(answer)) throw new Error("no answer");
      hideBanner();
      showPage(page);
    } catch {
      showBanner("No connection. The case is unchanged.");
    }
  });
}

const formToken = () => document.querySelector("[name=form_token]").value;

addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const link = event.target.closest("a[data-skip], a[data-unskip], a[data-case], a[data-keep]");
  if (!link) return;
  event.preventDefault();
  if (link.hasAttribute("data-keep")) return keepPolicy(link.closest("form"));
  if (isBusy()) return;
  if (link.hasAttribute("data-skip")) session.skip(shown());
  if (link.hasAttribute("data-unskip")) session.unskip();
  openCase(link.dataset.case);
});

function keepPolicy(question) {
  const form = document.getElementById("ask-form");
  if (!form) return location.assign("/");
  form.reset();
  form.querySelector("output").textContent = form.elements.ask.value;
  const empty = document.createElement("div");
  empty.id = "ask-confirmation";
  question.replaceWith(empty);
}

// Update the list and the counts; the displayed case remains until it is labelled or skipped.
async function poll() {
  if (!queue() || isBusy() || document.hidden) return;
  const mine = nextRequest(), id = shown();
  try {
    const body = session.fields({ case: id, form_token: formToken() });
    const { answer, page } = await load("/page/waiting", { method: "POST", body });
    if (!isLatest(mine) || isBusy() || id !== shown()) return;
    if (!isAnswer(answer)) throw new Error("no answer");
    if (isLogin(answer)) return showBanner("You are logged out. Reload the page to log in again.");
    if (answer.status === 403) return setFormTokens(await fetchFormToken());
    hideBanner();
    if (!id && page.querySelector("#waiting-list li")) return await openCase();
    replace(page, ["#waiting-list", "#waiting-count"]);
    const gone = page.getElementById("gone").textContent, place = document.getElementById("gone");
    if (place && gone && place.textContent !== gone) place.textContent = gone;
  } catch {
    if (isLatest(mine)) showBanner("No connection. You can continue: the label is stored and sent later.");
  }
}

function setFormTokens(token) {
  if (!token) return;
  for (const field of document.querySelectorAll("[name=form_token]")) field.value = token;
}

function showSteps() {
  const steps = document.querySelector("[data-undo] .steps");
  if (steps) steps.textContent = session.steps() > 1 ? `(${session.steps()}) ` : "";
}

export function start() {
  document.addEventListener("pagereplaced", showSteps);
  const unsent = session.unsent();
  if (unsent && queue()) submit(unsent);
  else if (queue() && !session.isEmpty() && !location.search) openCase();
  setInterval(poll, POLL_MS);
  document.addEventListener("visibilitychange", poll);
}
