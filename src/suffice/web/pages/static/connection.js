// Reliable delivery: a request is stored in the tab and retried until the service responds.
"use strict";

import { load } from "./live.js";
import * as session from "./session.js";

const RETRY_MS = 2000;
const banner = document.getElementById("connection");

export function showBanner(words) {
  if (banner.textContent !== words) banner.textContent = words;
  banner.hidden = false;
}

export function hideBanner() {
  banner.hidden = true;
  banner.textContent = "";
}

// Whether a response comes from the service itself, not from a proxy in between.
export const isAnswer = (answer) => ![502, 503, 504].includes(answer.status);
export const isLogin = (answer) => new URL(answer.url).pathname === "/login";

// Requests may arrive twice: repeating a label changes nothing, and an undo includes the label that it removes.
export async function deliver(request) {
  session.setUnsent(request);
  for (let token = null; ; ) {
    try {
      const body = new URLSearchParams(request.body);
      if (token) body.set("form_token", token);
      const { answer, page } = await load(request.address, { method: "POST", body });
      if (isLogin(answer)) {
        askToLogIn(request);
        return null; // sent when the page is loaded again
      }
      if (isAnswer(answer)) {
        const fresh = answer.status === 403 && !token && (await fetchFormToken());
        if (fresh && fresh !== body.get("form_token")) {
          token = fresh;
          continue;
        }
        session.setUnsent(null);
        hideBanner();
        return { answer, page };
      }
    } catch {
      // no network
    }
    showBanner(`No connection. ${request.words} once it is restored; keep this tab open.`);
    await pause();
    token = (await fetchFormToken()) || token;
  }
}

function askToLogIn(request) {
  showBanner(`You are logged out. ${request.words} after login: `);
  const link = document.createElement("a");
  link.href = "/login";
  link.textContent = "log in";
  banner.append(link);
}

// A current form token: a restarted service rejects tokens of earlier pages.
export async function fetchFormToken() {
  try {
    const { answer, page } = await load("/login"); // the smallest page with a token
    return answer.ok ? page.querySelector("[name=form_token]").value : null;
  } catch {
    return null;
  }
}

function pause() {
  return new Promise((done) => {
    setTimeout(done, RETRY_MS);
    addEventListener("online", done, { once: true });
  });
}

addEventListener("beforeunload", (event) => {
  if (session.unsent() && !banner.querySelector("a")) event.preventDefault();
});
