// Fields for the columns of a scoring file, and class probabilities of the row entered.
"use strict";

const file = document.getElementById("scoring-file").textContent;
const scorer = Suffice.load(Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0)));
const MAX_CHOICES = 200;

const fields = scorer.columns.map((column, j) => {
  const label = document.createElement("label"), name = document.createElement("span");
  name.textContent = column.name;
  const levels = column.takes === "levels" || column.takes === "ordinals";
  const field = !levels ? number() : column.levels.length <= MAX_CHOICES ? choice(column) : text(column, j);
  field.name = column.name;
  label.append(name, field);
  document.getElementById("cells").append(label);
  return field;
});

function number() {
  const field = document.createElement("input");
  field.inputMode = "decimal";
  field.placeholder = "missing";
  return field;
}

function choice(column) {
  const field = document.createElement("select");
  field.append(new Option("missing", ""), ...column.levels.map((level, i) => new Option(String(level), String(i))));
  return field;
}

function text(column, j) {
  const field = number(), list = document.createElement("datalist");
  field.inputMode = "text";
  list.id = `levels-${j}`;
  list.append(...column.levels.slice(0, 1000).map((level) => new Option(String(level))));
  field.setAttribute("list", list.id);
  document.body.append(list);
  return field;
}

function cell(column, field) {
  const written = field.value.trim();
  if (written === "") return null;
  if (field.tagName === "SELECT") return column.levels[Number(written)];
  if (column.takes === "levels") return written;
  if (written === "true" || written === "false") return written === "true";
  const x = Number(written.replace(",", "."));
  return Number.isNaN(x) ? written : x;
}

function show() {
  const row = Object.fromEntries(scorer.columns.map((column, j) => [column.name, cell(column, fields[j])]));
  const problem = document.getElementById("problem");
  let p;
  try {
    p = scorer.probabilities(row);
    problem.hidden = true;
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
    return;
  }
  const order = p.map((_, c) => c).sort((a, b) => p[b] - p[a] || a - b);
  document.getElementById("verdict").textContent = `${scorer.classes[order[0]]}: ${percent(p[order[0]])}`;
  document.querySelector("#posterior tbody").replaceChildren(...order.slice(0, 50).map((c) => line(scorer.classes[c], p[c])));
}

function line(label, p) {
  const row = document.createElement("tr"), head = document.createElement("th"), bar = document.createElement("meter");
  head.scope = "row";
  head.textContent = String(label);
  bar.value = p;
  bar.title = String(p);
  const value = document.createElement("td"), drawn = document.createElement("td");
  value.className = "number";
  value.textContent = percent(p);
  drawn.append(bar);
  row.append(head, value, drawn);
  return row;
}

function percent(p) {
  if (p > 0 && p < 0.001) return "< 0.1 %";
  if (p < 1 && p > 0.999) return "> 99.9 %";
  return `${(100 * p).toFixed(1)} %`;
}

document.getElementById("row").addEventListener("input", show);
document.getElementById("row").addEventListener("submit", (event) => event.preventDefault());
show();
