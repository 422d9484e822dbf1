// What this tab remembers of a sitting: the cases that were skipped, the labels that can be undone, and one that is not sent yet.
"use strict";

const KEY = "suffice-sitting";

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
export const keep = (request) => change((now) => (now.unsent = request));

// After a label: one more step to undo, and no reason to leave the case out any more. After an undo: one less.
export const labelled = (id) =>
  change((now) => {
    now.done.push(id);
    now.skipped = now.skipped.filter((other) => other !== id);
  });
export const undone = () => change((now) => now.done.pop());

// The fields that the queue is asked for with.
export function fields(given, { before = false } = {}) {
  const { skipped, done } = read();
  const all = new URLSearchParams(given);
  all.set("skipped", skipped.join("\n"));
  all.set("done", done.at(before ? -2 : -1) ?? "");
  return all;
}
