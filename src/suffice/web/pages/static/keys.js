// Keyboard shortcuts. A key acts on the case displayed when it was pressed, or not at all.
"use strict";

import { isReady } from "./live.js";

const isUnmodified = (event) => !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
const filter = () => document.querySelector("#labels .filter");
const choices = () => [...document.querySelectorAll("#labels .choice")];

addEventListener("keydown", (event) => {
  if (!isUnmodified(event)) return;
  const field = filter(), typing = event.target.matches("input, textarea, select");
  if (typing && event.target !== field) return inField(event);
  if (event.repeat && !typing) return;
  if (field && (typing || event.key.length === 1) && inFilter(event, field)) return;
  if (typing && field.value) return;
  press(event, document.querySelector(`[data-key="${CSS.escape(event.key)}"]:not([disabled])`));
});

function press(event, control) {
  if (!control) return false;
  event.preventDefault();
  if (event.repeat || !isReady(event.timeStamp)) return true; // pressed before the current case was displayed
  control.click();
  const fold = control.closest("details");
  if (control.tagName === "SUMMARY" && fold.open) fold.querySelector("input, textarea").focus();
  return true;
}

// In a text field: Escape leaves it, and Enter in the field of a new class presses its button.
function inField(event) {
  if (event.key === "Escape") event.target.blur();
  if (event.key === "Enter" && event.target.name === "new_class") press(event, document.querySelector("#labels [name=none]:not([disabled])"));
}

// Filter of many classes by typing; Enter selects the first. Returns whether the key was handled.
function inFilter(event, field) {
  if (event.key === "Escape") {
    field.value = "";
    applyFilter(field);
    field.blur();
    return true;
  }
  const keyed = choices().find((choice) => choice.dataset.key === event.key && !choice.hidden);
  const digitsFilter = field.value && choices().some((choice) => /\d/.test(choice.value)); // a digit may be part of a name
  if (keyed && !digitsFilter) return press(event, keyed);
  if (event.key === "Enter" && field.value) return press(event, choices().find((choice) => !choice.hidden && !choice.disabled));
  if (event.key.length !== 1 || event.key === " " && !field.value || event.key === "+" && !field.value) return false;
  if (!isReady(event.timeStamp)) event.preventDefault(); // typed for the previous case
  else if (event.target !== field) field.focus(); // the field receives the letter
  return true;
}

const words = (name) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();

// Names that start with the filter come first, then names with a word that does, then names that contain it, each in order of
// probability.
function applyFilter(field) {
  const wanted = words(field.value);
  const all = choices(), list = all[0].parentElement, keys = list.closest("form").dataset.keys;
  for (const [i, choice] of all.entries()) choice.dataset.place ??= String(i);
  const place = (choice) => Number(choice.dataset.place);
  const rank = (choice) => {
    const name = words(choice.value);
    if (name.startsWith(wanted)) return 0;
    return ` ${name}`.includes(` ${wanted}`) ? 1 : name.includes(wanted) ? 2 : 3;
  };
  const ranked = all.map((choice) => [choice, wanted ? rank(choice) : 0]);
  const odds = (choice) => (wanted ? Number(choice.dataset.probability ?? 0) : 0);
  ranked.sort(([a, i], [b, j]) => i - j || odds(b) - odds(a) || place(a) - place(b));
  const blind = !all.some((choice) => choice.querySelector(".number"));
  ranked.forEach(([choice, i], at) => {
    choice.hidden = i === 3;
    const key = !choice.hidden && (wanted || !blind) ? (keys[at] ?? "") : "";
    choice.querySelector("kbd").textContent = key;
    if (key) choice.dataset.key = key;
    else delete choice.dataset.key;
    list.append(choice);
  });
  const none = list.querySelector(".no-match");
  none.hidden = ranked.some(([, i]) => i < 3);
  list.append(none);
}

addEventListener("input", (event) => {
  if (event.target.matches(".filter")) applyFilter(event.target);
});
