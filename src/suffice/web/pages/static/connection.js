// A request that must arrive: kept in the tab, and sent again until the service has answered it.
"use strict";

import { load } from "./live.js";
import * as sitting from "./sitting.js";

const AGAIN = 2000; // ms
const banner = document.getElementById("connection");

export function lost(words) {
  if (banner.textContent !== words) banner.textContent = words;
  banner.hidden = false;
}

export function found() {
  banner.hidden = true;
  banner.textContent = "";
}

// Whether an answer is that of the service itself, not of a network or a proxy in between.
export const isAnswer = (answer) => ![502, 503, 504].includes(answer.status);
export const isLogin = (answer) => new URL(answer.url).pathname === "/login";

// Labels may be sent twice: the same again changes nothing, and an undo names the label it takes back.
export async function deliver(request) {
  sitting.keep(request);
  for (let token = null; ; ) {
    try {
      const body = new URLSearchParams(request.body);
      if (token) body.set("form_token", token);
      const { answer, page } = await load(request.address, { method: "POST", body });
      if (isLogin(answer)) {
        askToComeIn(request);
        return null; // it is sent when the page is loaded again
      }
      if (isAnswer(answer)) {
        const fresh = answer.status === 403 && !token && (await freshToken());
        if (fresh && fresh !== body.get("form_token")) {
          token = fresh;
          continue;
        }
        sitting.keep(null);
        found();
        return { answer, page };
      }
    } catch {
      // no network
    }
    lost(`No connection. ${request.words} as soon as it is back; leave this tab open.`);
    await pause();
    token = (await freshToken()) || token;
  }
}

function askToComeIn(request) {
  lost(`You are signed out. ${request.words} once you are back: `);
  const link = document.createElement("a");
  link.href = "/login";
  link.textContent = "come in";
  banner.append(link);
}

// For forms of the service as it is now: one that was started again takes those of its own pages alone.
export async function freshToken() {
  try {
    const { answer, page } = await load("/login"); // the page with the least on it
    return answer.ok ? page.querySelector("[name=form_token]").value : null;
  } catch {
    return null;
  }
}

function pause() {
  return new Promise((done) => {
    setTimeout(done, AGAIN);
    addEventListener("online", done, { once: true });
  });
}

addEventListener("beforeunload", (event) => {
  if (sitting.unsent() && !banner.querySelector("a")) event.preventDefault();
});
