// The queue: labels, undo, skip and the way to other cases, in a sitting that the tab remembers.
"use strict";

import { deliver, found, freshToken, isAnswer, isLogin, lost } from "./connection.js";
import { busy, isBusy, isTurn, load, replace, say, takeTurn, turnTo } from "./live.js";
import * as sitting from "./sitting.js";

const EVERY = 5000; // ms between looks at the queue

const queue = () => document.getElementById("queue");
const shown = () => queue()?.dataset.case ?? "";

// Send a form of a sitting; nothing else is sent until it is answered.
export async function send(form, button) {
  if (isBusy()) return;
  const given = new FormData(form, button);
  const undo = form.hasAttribute("data-undo"), address = button?.getAttribute("formaction") ?? form.getAttribute("action");
  const id = form.id === "ask-sure" ? shown() : given.get("case");
  given.set("case", id);
  await settle({
    address,
    body: sitting.fields(given, { before: undo }).toString(),
    words: undo ? `The label of case ${id} will be taken back` : `Your answer about case ${id} (${meaning(given)}) will be sent`,
    step: undo ? "undo" : address === "/page/label" ? "label" : "",
    id,
  });
}

function meaning(given) {
  if (given.has("none")) return given.get("new_class") || "none of these";
  return given.get("label") ?? "a change";
}

function settle(request) {
  takeTurn();
  return busy(async () => {
    const delivered = await deliver(request);
    if (!delivered) return;
    const { answer, page } = delivered;
    if (!answer.ok) return refused(page);
    if (request.step === "label") sitting.labelled(request.id);
    if (request.step === "undo") sitting.undone();
    turnTo(page);
  });
}

// What the service says stands above the case, which stays.
function refused(page) {
  const words = page.querySelector("[role=alert]:not([hidden])")?.textContent.trim() ?? "The service rejected the request.";
  const place = document.getElementById("gone");
  if (place) place.textContent = words;
  else lost(words);
  say(page);
}

// The case that was asked for, or the next that was not skipped.
export function goTo(id = "") {
  const mine = takeTurn();
  return busy(async () => {
    try {
      const ask = () => load("/page/next", { method: "POST", body: sitting.fields({ case: id, form_token: formToken() }) });
      let { answer, page } = await ask();
      if (answer.status === 403) {
        renew(await freshToken());
        ({ answer, page } = await ask());
      }
      if (!isTurn(mine)) return;
      if (isLogin(answer)) return location.assign("/login");
      if (!isAnswer(answer)) throw new Error("no answer");
      found();
      turnTo(page);
    } catch {
      lost("No connection. The case is unchanged.");
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
  if (link.hasAttribute("data-skip")) sitting.skip(shown());
  if (link.hasAttribute("data-unskip")) sitting.unskip();
  goTo(link.dataset.case);
});

function keepPolicy(question) {
  const form = document.getElementById("ask-form");
  if (!form) return location.assign("/");
  form.reset();
  form.querySelector("output").textContent = form.elements.ask.value;
  const empty = document.createElement("div");
  empty.id = "ask-sure";
  question.replaceWith(empty);
}

// The list and the counts follow by themselves; the case on the screen stays until it is answered or left.
async function look() {
  if (!queue() || isBusy() || document.hidden) return;
  const mine = takeTurn(), id = shown();
  try {
    const body = sitting.fields({ case: id, form_token: formToken() });
    const { answer, page } = await load("/page/waiting", { method: "POST", body });
    if (!isTurn(mine) || isBusy() || id !== shown()) return;
    if (!isAnswer(answer)) throw new Error("no answer");
    if (isLogin(answer)) return lost("You are signed out. Load the page to log in again.");
    if (answer.status === 403) return renew(await freshToken());
    found();
    if (!id && page.querySelector("#waiting-list li")) return await goTo();
    replace(page, ["#waiting-list", "#waiting-count"]);
    const gone = page.getElementById("gone").textContent, place = document.getElementById("gone");
    if (place && gone && place.textContent !== gone) place.textContent = gone;
  } catch {
    if (isTurn(mine)) lost("No connection. You can continue: the label is kept and sent later.");
  }
}

function renew(token) {
  if (!token) return;
  for (const field of document.querySelectorAll("[name=form_token]")) field.value = token;
}

function dress() {
  const steps = document.querySelector("[data-undo] .steps");
  if (steps) steps.textContent = sitting.steps() > 1 ? `(${sitting.steps()}) ` : "";
}

export function start() {
  document.addEventListener("turned", dress);
  const unsent = sitting.unsent();
  if (unsent && queue()) settle(unsent);
  else if (queue() && !sitting.isEmpty() && !location.search) goTo();
  setInterval(look, EVERY);
  document.addEventListener("visibilitychange", look);
}
