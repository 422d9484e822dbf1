// Posteriors of the playground computed in the browser, displayed until the response of the service replaces them.
"use strict";

(async () => {
  const form = document.querySelector("form[data-scorer]");
  if (!form) return; // a model with texts: only the service scores
  const answer = await fetch(form.dataset.scorer);
  if (!answer.ok) return; // a family without export
  const scorer = Suffice.load(await answer.arrayBuffer());
  form.addEventListener("input", () => {
    try {
      draw(shifted(scorer.probabilities(row(scorer, form)), scorer.prior, form));
    } catch (error) {
      if (!(error instanceof Suffice.SufficeError)) throw error; // an invalid cell, which the service reports
    }
  });
  form.dataset.scores = "here";
})();

function row(scorer, form) {
  return Object.fromEntries(scorer.columns.map((column) => [column.name, cell(column, form.elements[`cell:${column.name}`].value.trim())]));
}

function cell(column, written) {
  if (written === "") return null;
  if (written === "true" || written === "false") return written === "true";
  if (column.takes === "levels") return written;
  const x = Number(written.replace(",", "."));
  return Number.isNaN(x) ? written : x;
}

// Posterior under the prior of the sliders.
function shifted(p, prior, form) {
  const shares = Array.from(form.querySelectorAll("[name^='prior:']"), (slider) => Number(slider.value));
  if (!shares.some((share) => share > 0)) return p;
  const odds = p.map((each, c) => (prior[c] > 0 ? (each * shares[c]) / prior[c] : 0));
  const total = odds.reduce((a, b) => a + b, 0);
  return total > 0 ? odds.map((each) => each / total) : p;
}

function draw(p) {
  const bars = document.querySelectorAll("#result .posterior > div");
  bars.forEach((bar) => {
    const c = Number(bar.dataset.place);
    bar.querySelector(".fill").setAttribute("width", String(100 * p[c]));
    bar.querySelector(".number").textContent = `${(100 * p[c]).toFixed(1)} %`;
  });
}
