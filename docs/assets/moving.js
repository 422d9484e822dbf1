// Figures with sliders: <figure class="moving" data-picture="prior">. No library, nothing is fetched.
// A picture is { key: [what the first colour is, the second, …], height, sliders: [{name, text, min, max, step, value}],
// draw(values, canvas) → a sentence for the reader }.
(() => {
  const WIDTH = 520;
  const EDGE = { left: 40, right: 10, top: 10, bottom: 30 };
  const COLOURS = ["#0072b2", "#d55e00", "currentColor"];
  const DASHES = ["none", "7 3", "2 3"]; // lines differ in more than colour
  const BORDERS = ["solid", "dashed", "dotted"];

  const normal = (x, mean, sd) => Math.exp(-0.5 * ((x - mean) / sd) ** 2) / (sd * Math.sqrt(2 * Math.PI));
  const range = (from, to, n) => Array.from({ length: n + 1 }, (_, i) => from + ((to - from) * i) / n);

  /** P(X > x) for a normal variable: Simpson's rule over ten standard deviations. */
  function above(x, mean, sd) {
    const at = range(x, Math.max(x, mean) + 10 * sd, 400);
    const sum = at.reduce((s, t, i) => s + normal(t, mean, sd) * (i === 0 || i === 400 ? 1 : i % 2 ? 4 : 2), 0);
    return (sum * (at[400] - at[0])) / 1200;
  }

  /** Marks on an SVG whose axes run over xs and ys. */
  class Ink {
    constructor(svg, height, [x0, x1], [y0, y1]) {
      this.svg = svg;
      this.below = height - EDGE.bottom + 14; // where ticks stand
      this.x = (x) => EDGE.left + ((x - x0) / (x1 - x0)) * (WIDTH - EDGE.left - EDGE.right);
      this.y = (y) => height - EDGE.bottom - ((y - y0) / (y1 - y0)) * (height - EDGE.top - EDGE.bottom);
      this.ends = [x0, x1, y0, y1];
    }

    add(tag, attributes, text = "") {
      const mark = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [name, value] of Object.entries(attributes)) mark.setAttribute(name, value);
      mark.textContent = text;
      this.svg.append(mark);
    }

    path(points, style) {
      const d = points.map(([x, y], i) => `${i ? "L" : "M"}${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`).join("");
      this.add("path", { d, fill: "none", "stroke-width": 2, ...style });
    }

    curve(f, style) {
      this.path(range(this.ends[0], this.ends[1], 200).map((x) => [x, f(x)]), style);
    }

    area(f, from, to, style) {
      const points = range(from, to, 100).map((x) => [x, f(x)]);
      this.path([[from, 0], ...points, [to, 0]], { stroke: "none", "fill-opacity": 0.35, ...style });
    }

    text(x, y, words, style = {}) {
      this.add("text", { x: this.x(x), y: this.y(y), ...style }, words);
    }

    tick(x, words) {
      this.add("text", { x: this.x(x), y: this.below, "text-anchor": "middle" }, words);
    }

    axis(name, ticks) {
      const [x0, x1, y0] = this.ends;
      this.path([[x0, y0], [x1, y0]], { stroke: "currentColor", "stroke-width": 1 });
      ticks.forEach((tick) => this.tick(tick, String(tick)));
      this.add("text", { x: WIDTH - EDGE.right, y: this.below + 13, "text-anchor": "end" }, name);
    }

    upright(x, style = {}) {
      this.path([[x, this.ends[2]], [x, this.ends[3]]], { stroke: "currentColor", "stroke-dasharray": "4 3", ...style });
    }

    bar(x, width, height, style) {
      const top = this.y(height);
      this.add("rect", { x: this.x(x), width: this.x(x + width) - this.x(x), y: top, height: this.y(0) - top, ...style });
    }
  }

  const PETALS = { versicolor: [4.26, Math.sqrt(0.216408)], virginica: [5.552, Math.sqrt(0.298496)] };

  /** The root of the log-odds between the two means, or the end of the range beyond which it lies. */
  function crossing(difference, from, to) {
    let [low, high] = [from, to];
    if (difference(low) * difference(high) > 0) return null;
    for (let i = 0; i < 60; i++) {
      const middle = (low + high) / 2;
      if (difference(low) * difference(middle) <= 0) high = middle;
      else low = middle;
    }
    return (low + high) / 2;
  }

  const prior = {
    key: ["joint of versicolor", "joint of virginica", "posterior of virginica"],
    sliders: [{ name: "prior", text: "p(virginica)", min: 0.02, max: 0.98, step: 0.01, value: 0.5 }],
    draw(values, canvas) {
      const shares = [1 - values.prior, values.prior];
      const joints = Object.values(PETALS).map(([mean, sd], c) => (x) => shares[c] * normal(x, mean, sd));
      const ink = canvas([2.5, 7.5], [0, 1]);
      const boundary = crossing((x) => Math.log(joints[1](x) / joints[0](x)), 2.5, 7.5);
      ink.axis("petal length (cm)", [3, 4, 5, 6, 7]);
      joints.forEach((joint, c) => ink.curve(joint, { stroke: COLOURS[c], "stroke-dasharray": DASHES[c] }));
      ink.curve((x) => joints[1](x) / (joints[0](x) + joints[1](x)), { stroke: COLOURS[2], "stroke-dasharray": DASHES[2] });
      if (boundary === null) return "One species is the answer for every length drawn.";
      ink.upright(boundary);
      return `The decision changes at ${boundary.toFixed(3)} cm.`;
    },
  };

  const costs = {
    key: ["risk of healthy", "risk of ill", "risk of asking"],
    sliders: [
      { name: "missed", text: "cost of a missed illness", min: 0.2, max: 10, step: 0.01, value: 1 },
      { name: "ask", text: "price of asking", min: 0, max: 1, step: 0.01, value: 1 },
    ],
    draw({ missed, ask }, canvas) {
      const ill = 0.084 / 0.172;
      const risks = { healthy: (p) => missed * p, ill: (p) => 1 - p, ask: () => ask };
      const ink = canvas([0, 1], [0, 1.2]);
      ink.axis("p(ill | x)", [0, 0.25, 0.5, 0.75, 1]);
      Object.values(risks).forEach((risk, a) =>
        ink.curve((p) => Math.min(risk(p), 1.2), { stroke: COLOURS[a], "stroke-dasharray": DASHES[a] }),
      );
      ink.upright(ill);
      const action = Object.keys(risks).reduce((best, name) => (risks[name](ill) < risks[best](ill) ? name : best));
      const names = { healthy: "healthy", ill: "ill", ask: "ask a person" };
      return `At p(ill | 50) = 0.4884 the decision is: ${names[action]}, with a risk of ${risks[action](ill).toFixed(4)}.`;
    },
  };

  const threshold = {
    key: ["healthy", "ill"],
    sliders: [{ name: "threshold", text: "threshold T", min: 30, max: 65, step: 0.1, value: 46 }],
    draw({ threshold: at }, canvas) {
      const [healthy, ill] = [[40, Math.sqrt(28 / 3)], [52, Math.sqrt(18.5)]]; // fitted to the ten counts of the page
      const ink = canvas([28, 68], [0, 0.14]);
      ink.axis("count", [30, 40, 50, 60]);
      const densities = [healthy, ill].map(([mean, sd]) => (x) => normal(x, mean, sd));
      ink.area(densities[0], at, 68, { fill: COLOURS[0] });
      ink.area(densities[1], 28, at, { fill: COLOURS[1] });
      densities.forEach((density, c) => ink.curve(density, { stroke: COLOURS[c], "stroke-dasharray": DASHES[c] }));
      ink.upright(at);
      const percent = (p) => `${(100 * p).toFixed(1)} %`;
      const alarms = percent(above(at, ...healthy));
      return `${alarms} of the healthy are alarmed, ${percent(1 - above(at, ...ill))} of the ill are missed.`;
    },
  };

  const OUTLOOK = { sunny: [2, 3], overcast: [4, 0], rain: [3, 2] };
  const OVERCAST_DAY = [[4, 4, 3, 3], [0, 2, 4, 3]]; // overcast, mild, high, true: counts in P and in N
  const LEVELS = [3, 3, 2, 2];

  const smoothing = {
    key: ["p(outlook | P)", "p(outlook | N)"],
    sliders: [{ name: "alpha", text: "α", min: 0, max: 10, step: 0.05, value: 0 }],
    draw({ alpha }, canvas) {
      const sizes = [9, 5];
      const share = (count, c, levels) => (count + alpha) / (sizes[c] + alpha * levels);
      const ink = canvas([0, 9], [0, 0.8]);
      ink.axis("", []);
      Object.entries(OUTLOOK).forEach(([name, counts], i) => {
        counts.forEach((count, c) => {
          const p = share(count, c, 3);
          ink.bar(3 * i + 0.4 + 1.1 * c, 1, p, { fill: COLOURS[c] });
          ink.text(3 * i + 0.9 + 1.1 * c, p + 0.02, p.toFixed(3), { "text-anchor": "middle" });
        });
        ink.tick(3 * i + 1.45, name);
      });
      const joint = OVERCAST_DAY.map((counts, c) => counts.reduce((p, n, j) => p * share(n, c, LEVELS[j]), sizes[c] / 14));
      return `p(N | overcast, mild, high, true) = ${(joint[1] / (joint[0] + joint[1])).toFixed(4)}`;
    },
  };

  const ellipse = {
    key: ["50 % (inner) and 95 % (outer)"],
    height: 340,
    sliders: [
      { name: "first", text: "variance of x₁", min: 0.2, max: 3, step: 0.1, value: 1 },
      { name: "second", text: "variance of x₂", min: 0.2, max: 3, step: 0.1, value: 1 },
      { name: "correlation", text: "correlation ρ", min: -0.95, max: 0.95, step: 0.05, value: 0.5 },
    ],
    draw({ first, second, correlation }, canvas) {
      const [s, t] = [Math.sqrt(first), Math.sqrt(second)];
      const half = (4.4 * (WIDTH - EDGE.left - EDGE.right)) / (ellipse.height - EDGE.top - EDGE.bottom); // one scale for both axes
      const ink = canvas([-half, half], [-4.4, 4.4]);
      ink.axis("x₁", [-6, -4, -2, 0, 2, 4, 6]);
      // x = L u with the Cholesky factor L of Σ, for u on a circle; its radius² is a χ² quantile of two degrees of freedom
      [0.5, 0.95].forEach((held) => {
        const radius = Math.sqrt(-2 * Math.log(1 - held));
        const points = range(0, 2 * Math.PI, 120).map((angle) => {
          const [u, v] = [radius * Math.cos(angle), radius * Math.sin(angle)];
          return [s * u, t * (correlation * u + Math.sqrt(1 - correlation ** 2) * v)];
        });
        ink.path(points, { stroke: COLOURS[0] });
      });
      const point = [2, 2];
      ink.add("circle", { cx: ink.x(point[0]), cy: ink.y(point[1]), r: 4, fill: COLOURS[1] });
      ink.text(point[0] + 0.3, point[1], "(2, 2)");
      const covariance = correlation * s * t;
      const determinant = first * second - covariance ** 2;
      const distance = Math.sqrt((4 * second - 8 * covariance + 4 * first) / determinant);
      return `Σ₁₂ = ${covariance.toFixed(2)}; the point (2, 2) is ${Math.hypot(...point).toFixed(2)} from the mean, and ${distance.toFixed(2)} in Mahalanobis distance.`;
    },
  };

  const PICTURES = { prior, costs, threshold, smoothing, ellipse };

  function show(figure) {
    const { key, height = 220, sliders, draw } = PICTURES[figure.dataset.picture];
    const legend = document.createElement("p");
    key.forEach((words, i) => {
      const entry = document.createElement("span");
      entry.textContent = words;
      entry.style.borderBottom = `2px ${BORDERS[i]} ${COLOURS[i]}`;
      legend.append(entry, " ");
    });
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${height}`);
    svg.setAttribute("role", "img");
    const sentence = document.createElement("p");
    sentence.setAttribute("role", "status");
    const values = {};

    function update() {
      svg.replaceChildren();
      sentence.textContent = draw(values, (xs, ys) => new Ink(svg, height, xs, ys));
      svg.setAttribute("aria-label", sentence.textContent);
    }

    const labels = sliders.map(({ name, text, ...bounds }) => {
      const label = document.createElement("label");
      const words = document.createElement("span");
      words.textContent = text;
      const slider = Object.assign(document.createElement("input"), { type: "range", name });
      Object.assign(slider, { min: bounds.min, max: bounds.max, step: bounds.step, value: bounds.value });
      const shown = document.createElement("output");
      const read = () => {
        values[name] = Number(slider.value);
        shown.textContent = slider.value;
      };
      slider.addEventListener("input", () => {
        read();
        update();
      });
      read();
      label.append(words, slider, shown);
      return label;
    });
    figure.prepend(legend, svg, ...labels, sentence);
    update();
  }

  function showAll() {
    document.querySelectorAll("figure.moving").forEach(show);
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", showAll);
  else showAll();
})();
