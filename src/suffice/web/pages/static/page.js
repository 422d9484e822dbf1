// Forms, links and sliders of every page.
"use strict";

import "./keys.js";
import { hideBanner, showBanner } from "./connection.js";
import * as labelling from "./labelling.js";
import { busy, isBusy, isLatest, load, replace, announce, nextRequest, showPage } from "./live.js";

async function show(address, options, target) {
  const mine = nextRequest();
  await busy(async () => {
    try {
      const { answer, page } = await load(address, options);
      if (!isLatest(mine)) return;
      hideBanner();
      if (!answer.ok || !target || !page.querySelector(target)) showPage(page);
      else {
        replace(page, [target]);
        announce(document.querySelector(target));
      }
      if (answer.ok && !options.method) history.replaceState(null, "", answer.url);
      else if (answer.ok && !target) history.replaceState(null, "", answer.redirected ? answer.url : location.href);
    } catch {
      showBanner("No connection. Try again later.");
    }
  });
}

function send(form, button) {
  const fields = new URLSearchParams(new FormData(form, button));
  const target = form.dataset.target, action = button?.getAttribute("formaction") ?? form.getAttribute("action");
  if (form.method === "get") return show(`${action}?${fields}`, {}, target);
  return show(action, { method: "POST", body: fields }, target);
}

addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form[data-live]")) return;
  event.preventDefault();
  if (form.hasAttribute("data-session")) return labelling.send(form, event.submitter);
  if (isBusy() && !form.dataset.target) return;
  send(form, event.submitter);
});

let pause;
addEventListener("input", (event) => {
  const field = event.target;
  if (field.type === "range") {
    const output = document.querySelector(`output[for="${CSS.escape(field.id)}"]`);
    if (output) output.textContent = field.value;
  }
  const form = field.closest("form[data-instant]");
  if (!form) return;
  clearTimeout(pause);
  pause = setTimeout(() => send(form), 200);
});

document.documentElement.classList.add("scripted");
labelling.start();
