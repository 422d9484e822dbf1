// State of a labelling session in the tab: skipped cases, labels that can be undone, and an unsent request.
"use strict";

const KEY = "suffice-session";

function read() {
  try {
    return { skipped: [], done: [], unsent: null, ...JSON.parse(sessionStorage.getItem(KEY)) };
  } catch {
    return { skipped: [], done: [], unsent: null };
  }
}

function change(update) {
  const now = read();
  update(now);
  sessionStorage.setItem(KEY, JSON.stringify(now));
}

export const isEmpty = () => !read().skipped.length && !read().done.length;
export const steps = () => read().done.length;
export const last = () => read().done.at(-1) ?? "";
export const skip = (id) => change((now) => now.skipped.push(id));
export const unskip = () => change((now) => (now.skipped = []));
export const unsent = () => read().unsent;
export const setUnsent = (request) => change((now) => (now.unsent = request));

// A label adds a step to undo and removes the case from the skipped ones; an undo removes a step.
export const labelled = (id) =>
  change((now) => {
    now.done.push(id);
    now.skipped = now.skipped.filter((other) => other !== id);
  });
export const undone = () => change((now) => now.done.pop());

// Form fields of requests to the queue.
export function fields(given, { before = false } = {}) {
  const { skipped, done } = read();
  const all = new URLSearchParams(given);
  all.set("skipped", skipped.join("\n"));
  all.set("done", done.at(before ? -2 : -1) ?? "");
  return all;
}
