// Scores rows from a scoring file (`suffice export MODEL --js FILE`), without dependencies, in browsers and Node.
//
//   const scorer = Suffice.load(buffer);                       // an ArrayBuffer or Uint8Array
//   scorer.probabilities({ age: 31, job: "cook" });            // [0.93, 0.07], in the order of scorer.classes
//   scorer.predict([{ age: 31, job: null }]);                  // ["no"]
//
// Nothing is estimated here: the file has tables and the parameters of functions of cells.
"use strict";

(function (root, make) {
  if (typeof module === "object" && module.exports) module.exports = make();
  else root.Suffice = make();
})(typeof self === "object" ? self : this, function () {
  const VERSION = 1;

  const ARRAYS = {
    F64: Float64Array, F32: Float32Array, I32: Int32Array, I16: Int16Array, I8: Int8Array,
    U32: Uint32Array, U16: Uint16Array, U8: Uint8Array,
  };

  class SufficeError extends Error {}

  // — reading —

  function load(data) {
    const bytes = new Uint8Array(data); // copied if it is a Uint8Array, so that arrays are aligned
    const length = bytes.length < 8 ? NaN : Number(new DataView(bytes.buffer).getBigUint64(0, true));
    if (!(length <= bytes.length - 8)) throw new SufficeError("This is not a scoring file: it is shorter than its header declares.");
    let contents, document;
    try {
      contents = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(8, 8 + length)));
      document = JSON.parse(contents.__metadata__.document);
    } catch {
      throw new SufficeError("This is not a scoring file: its header cannot be parsed.");
    }
    if (contents.__metadata__.format === "suffice model")
      throw new SufficeError("This is a model file. Run: suffice export MODEL --js FILE");
    if (contents.__metadata__.format !== "suffice scorer") throw new SufficeError("This is not a scoring file.");
    if (document.version !== VERSION)
      throw new SufficeError(`The scoring file is of version ${document.version}; this script reads ${VERSION}. Export it again.`);
    const arrays = {};
    for (const [name, entry] of Object.entries(contents)) {
      if (name === "__metadata__") continue;
      const kind = ARRAYS[entry.dtype], [begin, end] = entry.data_offsets;
      const cells = entry.shape.reduce((a, b) => a * b, 1);
      if (!kind || 8 + length + end > bytes.length || cells * kind.BYTES_PER_ELEMENT !== end - begin)
        throw new SufficeError(`The scoring file has an invalid array ${name}.`);
      arrays[name] = new kind(bytes.buffer, 8 + length + begin, cells);
      arrays[name].shape = entry.shape;
    }
    return new Scorer(resolved(document.content, arrays));
  }

  // The document with its arrays inserted.
  function resolved(node, arrays) {
    if (Array.isArray(node)) return node.map((each) => resolved(each, arrays));
    if (node === null || typeof node !== "object") return node;
    if (typeof node.array === "string") return arrays[node.array];
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolved(value, arrays)]));
  }

  // — cells —

  const MISSING = -1, UNKNOWN = -2, ABSENT = -3; // other codes than indices of levels

  // The text of a level in Python, by which the text "1" matches the number 1, and "True" the boolean.
  function spelled(level) {
    if (typeof level === "boolean") return level ? "True" : "False";
    if (typeof level !== "number") return String(level);
    if (Number.isInteger(level)) return BigInt(level).toString();
    if (Math.abs(level) >= 1e-4 || level === 0) return String(level);
    const [digits, exponent] = level.toExponential().split("e-");
    return `${digits}e-${exponent.padStart(2, "0")}`;
  }

  class LevelColumn {
    constructor(column) {
      this.name = column.name;
      this.numbers = new Map();
      this.texts = new Map();
      this.spellings = new Map();
      column.levels.forEach((level, i) => {
        if (typeof level === "string") this.texts.set(level, i);
        else this.numbers.set(Number(level), i);
        if (!this.spellings.has(spelled(level))) this.spellings.set(spelled(level), i);
      });
    }

    read(cell) {
      if (cell === undefined) return ABSENT;
      if (cell === null || Number.isNaN(cell)) return MISSING;
      if (typeof cell === "object") throw invalidCell(this.name, cell, "levels are text, numbers or booleans");
      const own = typeof cell === "string" ? this.texts.get(cell) : this.numbers.get(Number(cell));
      return own ?? this.spellings.get(spelled(cell)) ?? UNKNOWN;
    }
  }

  // Levels numbered 0, 1, 2, …; fractions are truncated.
  class OrdinalColumn extends LevelColumn {
    read(cell) {
      if (cell === null || cell === undefined || Number.isNaN(cell)) return super.read(cell);
      const x = typeof cell === "boolean" ? Number(cell) : cell;
      if (typeof x !== "number" || !Number.isFinite(x) || Math.trunc(x) < 0)
        throw invalidCell(this.name, cell, "categories are numbered 0, 1, 2, …, or null for a missing cell");
      return super.read(Math.trunc(x));
    }
  }

  const LEVELS = { levels: LevelColumn, ordinals: OrdinalColumn };

  const DOMAINS = {
    numbers: [() => true, "a finite number is needed"],
    amounts: [(x) => x >= 0, "a number ≥ 0 is needed"],
    positive: [(x) => x > 0, "a positive number is needed"],
    counts: [(x) => x >= 0 && Number.isInteger(x), "an integer ≥ 0 is needed"],
  };

  class NumberColumn {
    constructor(column) {
      this.name = column.name;
      [this.isValid, this.needed] = DOMAINS[column.takes];
    }

    // NaN for a missing cell.
    read(cell) {
      if (cell === null || cell === undefined || Number.isNaN(cell)) return NaN;
      const x = cell instanceof Date ? cell.getTime() / 864e5 : typeof cell === "boolean" ? Number(cell) : cell;
      if (typeof x !== "number" || !Number.isFinite(x) || !this.isValid(x))
        throw invalidCell(this.name, cell, `${this.needed}, or null for a missing cell`);
      return x;
    }
  }

  function invalidCell(name, cell, needed) {
    const found = typeof cell === "number" ? String(cell) : JSON.stringify(cell);
    return new SufficeError(`Column ${JSON.stringify(name)} is ${found}; ${needed}.`);
  }

  // — codings: maps of cells to small integers, or to −1 —

  // The number of sorted numbers ≤ x.
  function interval(ordered, x) {
    let low = 0, high = ordered.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ordered[middle] > x) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  const CODINGS = {
    Cuts: (coding, row) => {
      const x = row.cells[coding.column];
      if (Number.isNaN(x)) return row.absent[coding.column] ? -1 : coding.missing;
      return interval(coding.cuts, x);
    },
    Places: (coding, row) => {
      const level = row.cells[coding.column];
      if (level >= 0) return coding.codes[level];
      return level === MISSING ? coding.missing : level === UNKNOWN ? coding.unknown : -1;
    },
    Prefixes: (coding, row) => {
      if (row.cells[coding.column] !== UNKNOWN) return -1;
      const level = Array.from(spelled(row.given[coding.column])); // by code points, not by surrogates
      let first = coding.spelled.reduce((count, some) => count + some.length, 0);
      for (let k = coding.lengths.length - 1; k >= 0; k--) {
        first -= coding.spelled[k].length;
        const place = coding.spelled[k].indexOf(level.slice(0, coding.lengths[k]).join(""));
        if (place >= 0) return first + place;
      }
      return -1;
    },
  };

  // — normal scores, in single precision —

  function normalScores(inputs, row) {
    const z = [];
    for (const input of inputs) {
      if (input.is === "Polyline") {
        z.push(Math.fround(height(input, row.cells[input.column])));
        continue;
      }
      const width = input.rows.shape[1], code = row.codes[input.coding];
      const first = (code < 0 ? input.rows.shape[0] - 1 : code) * width;
      for (let k = 0; k < width; k++) z.push(input.rows[first + k]);
    }
    return z;
  }

  function height(line, x) {
    if (Number.isNaN(x)) return 0;
    const { at, height: high } = line;
    const right = Math.min(Math.max(interval(at, x), 1), at.length - 1);
    const share = Math.min(Math.max((x - at[right - 1]) / (at[right] - at[right - 1]), 0), 1);
    return high[right - 1] + share * (high[right] - high[right - 1]);
  }

  // — functions —

  const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360];

  // Stirling's series from 10 on, with the recurrence Γ(z + 1) = z Γ(z).
  function logGamma(z) {
    let product = 1;
    for (; z < 10; z++) product *= z;
    let series = 0;
    for (let k = STIRLING.length - 1; k >= 0; k--) series = series / (z * z) + STIRLING[k];
    return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series / z - Math.log(product);
  }

  // |root (x − mean)|² for an upper triangular root; arrays are read from offsets.
  function distance(root, mean, x, rootAt, meanAt) {
    let sum = 0;
    for (let i = 0; i < x.length; i++) {
      let along = 0;
      for (let j = i; j < x.length; j++) along += root[rootAt + i * x.length + j] * (x[j] - mean[meanAt + j]);
      sum += along * along;
    }
    return sum;
  }

  // d², log |Σ| and rank of the present columns; columns of zero variance are ignored.
  function partial(covariance, at, size, there, away) {
    const live = there.filter((j) => covariance[at + j * size + j] > 0);
    const lower = [];
    let square = 0, logDet = 0;
    const along = [];
    live.forEach((a, i) => {
      const own = [];
      for (let k = 0; k <= i; k++) {
        let sum = covariance[at + a * size + live[k]];
        for (let m = 0; m < k; m++) sum -= own[m] * (k < i ? lower[k][m] : own[m]);
        own.push(k < i ? sum / lower[k][k] : Math.sqrt(sum));
      }
      lower.push(own);
      let rest = away[a];
      for (let m = 0; m < i; m++) rest -= own[m] * along[m];
      along.push(rest / own[i]);
      square += along[i] ** 2;
      logDet += 2 * Math.log(own[i]);
    });
    return { square, logDet, rank: live.length };
  }

  // — terms: each adds to the class scores —

  const orImpossible = (score) => (Number.isNaN(score) ? -Infinity : score); // NaN is from an overflow far in the tails

  // The sum over present cells of their score under each class.
  function byCell(term, row, out, score) {
    const width = term.columns.length;
    for (let j = 0; j < width; j++) {
      const x = row.cells[term.columns[j]];
      if (Number.isNaN(x)) continue;
      const value = term.of_log ? Math.log(x) : x;
      for (let c = 0; c < out.length; c++) out[c] += orImpossible(score(value, c * width + j));
    }
  }

  function addRow(values, place, out) {
    for (let c = 0; c < out.length; c++) out[c] += values[place * out.length + c];
  }

  const TERMS = {
    Table(term, row, out) {
      const code = row.codes[term.coding];
      if (code >= 0) addRow(term.values, code, out);
    },

    PairTable(term, row, out) {
      const left = row.codes[term.left], right = row.codes[term.right];
      if (left >= 0 && right >= 0) addRow(term.values, term.left_steps[left] + term.right_steps[right], out);
    },

    Linear(t, row, out) {
      byCell(t, row, out, (x, k) => (x === 0 ? t.constant[k] : t.constant[k] + t.slope[k] * x));
    },

    Quadratic(t, row, out) {
      byCell(t, row, out, (x, k) => t.constant[k] - t.curvature[k] * (x - t.centre[k]) ** 2);
    },

    Student(t, row, out) {
      byCell(t, row, out, (x, k) => t.constant[k] - t.power[k] * Math.log1p(t.curvature[k] * (x - t.centre[k]) ** 2));
    },

    Amounts(t, row, out) {
      byCell(t, row, out, (x, k) => {
        const logs = (t.log_slope[k] && t.log_slope[k] * Math.log(x)) - (t.tail[k] && t.tail[k] * Math.log1p(x / t.scale[k]));
        return t.constant[k] + t.slope[k] * x + logs;
      });
    },

    LogGamma(t, row, out) {
      byCell(t, row, out, (x, k) => t.constant[k] + t.slope[k] * x + logGamma(x + t.shape[k]));
    },

    LogGammaOfSum(t, row, out) {
      let sum = 0;
      for (const j of t.columns) sum += row.cells[j] || 0;
      for (let c = 0; c < out.length; c++) out[c] += orImpossible(t.constant[c] - logGamma(sum + t.shape[c]));
    },

    Normals(t, row, out) {
      const size = t.columns.length, x = Array.from(t.columns, (j) => row.cells[j]);
      const there = x.map((_, j) => j).filter((j) => !Number.isNaN(x[j]));
      if (!there.length) return;
      const whole = there.length === size;
      if (!whole && !t.sums_out)
        throw new SufficeError(
          `Row ${row.number} has a missing cell among ${t.columns.length} nearly collinear columns; ` +
            "it cannot be marginalised here. Impute it, or score the row in Python.");
      for (let c = 0; c < out.length; c++) {
        const at = t.root.shape[0] > 1 ? c * size * size : 0, dof = t.dof && t.dof[c];
        let square, constant = t.constant[c], rank = t.rank[c];
        if (whole) square = distance(t.root, t.mean, x, at, c * size);
        else {
          const found = partial(t.covariance, at, size, there, x.map((v, j) => v - t.mean[c * size + j]));
          ({ square, rank } = found);
          constant = -0.5 * (rank * Math.log((dof ? dof : 2) * Math.PI) + found.logDet);
          if (dof) constant += logGamma((dof + rank) / 2) - logGamma(dof / 2);
        }
        out[c] += orImpossible(constant - (dof ? 0.5 * (dof + rank) * Math.log1p(square / dof) : 0.5 * square));
      }
    },

    LinearOfScores(t, row, out) {
      const z = normalScores(t.scores, row);
      for (let c = 0; c < out.length; c++) {
        let sum = t.constant[c];
        for (let j = 0; j < z.length; j++) sum += t.slope[c * z.length + j] * (z[j] - t.centre[j]);
        out[c] += sum;
      }
    },

    NormalsOfScores(t, row, out) {
      const z = normalScores(t.scores, row), size = z.length;
      for (let c = 0; c < out.length; c++)
        out[c] += t.constant[c] - 0.5 * distance(t.root, t.mean, z, c * size * size, c * size);
    },

    Waves(t, row, out) {
      const z = normalScores(t.scores, row), waves = t.frequencies.shape[0];
      for (let k = 0; k < waves; k++) {
        let angle = 0;
        for (let j = 0; j < z.length; j++) angle += t.frequencies[k * z.length + j] * z[j];
        const cosine = Math.cos(angle), sine = Math.sin(angle);
        for (let c = 0; c < out.length; c++)
          out[c] += t.coefficients[2 * c * waves + k] * cosine + t.coefficients[(2 * c + 1) * waves + k] * sine;
      }
    },

    Forest(t, row, out) {
      const codes = Array.from(t.codings, (k) => row.codes[k] + 1);
      if (t.axes) codes.push(...axisCodes(t.axes, row));
      const width = t.shares.shape[1], shares = new Float64Array(width);
      for (let at of t.roots) {
        while (at >= 0) at = next(t.nodes, 4 * at, codes);
        for (let c = 0; c < width; c++) shares[c] += t.shares[~at * width + c];
      }
      for (let c = 0; c < out.length; c++) {
        const share = (width > 1 ? shares[c] : c ? shares[0] : t.roots.length - shares[0]) / t.roots.length;
        out[c] += Math.log((t.sure * share + t.prior[c]) / (t.sure + 1)) - Math.log(t.prior[c]);
      }
    },
  };

  function axisCodes(axes, row) {
    const z = normalScores(axes.scores, row);
    return axes.cuts.map((cuts, a) => {
      let sum = 0;
      for (let j = 0; j < z.length; j++) sum += axes.vectors[a * z.length + j] * z[j];
      return interval(cuts, sum) + 1;
    });
  }

  function next(nodes, at, codes) {
    const packed = nodes[at], set = nodes[at + 1], code = codes[packed & 0xffff];
    const left = set ? (set >>> (code & 31)) & 1 : ((code - ((packed >>> 24) & 0xff)) & 0xff) <= ((packed >>> 16) & 0xff);
    return nodes[at + (left ? 2 : 3)];
  }

  // — scoring —

  class Scorer {
    constructor(form) {
      this.form = form;
      this.classes = form.classes;
      this.columns = form.columns;
      this.prior = Array.from(form.prior);
      this.readers = form.columns.map((column) => new (LEVELS[column.takes] ?? NumberColumn)(column));
      for (const term of form.terms)
        if (!TERMS[term.is]) throw new SufficeError(`The scoring file has a ${term.is}, which is unknown to this script.`);
    }

    // Class probabilities in the order of `classes`: of one row (an object or an array), or of each of many rows.
    probabilities(rows) {
      return isRow(rows) ? this.one(rows, 1) : Array.from(rows, (row, i) => this.one(row, i + 1));
    }

    // The most probable class; the first of ties.
    predict(rows) {
      const best = (p) => this.classes[p.indexOf(Math.max(...p))];
      return isRow(rows) ? best(this.probabilities(rows)) : this.probabilities(rows).map(best);
    }

    one(given, number) {
      const row = this.read(given, number);
      const joint = Array.from(this.form.offset);
      const part = new Float64Array(joint.length);
      for (const term of this.form.terms) {
        part.fill(0);
        TERMS[term.is](term, row, part);
        for (let c = 0; c < joint.length; c++) joint[c] += term.weight * part[c];
      }
      const most = Math.max(...joint);
      if (most === -Infinity) return Array.from(this.form.prior); // the row has zero probability under every class
      const odds = joint.map((score) => Math.exp(score - most));
      const total = odds.reduce((a, b) => a + b, 0);
      return odds.map((each) => each / total);
    }

    read(given, number) {
      if (given === null || typeof given !== "object")
        throw new SufficeError(`Row ${number} is ${JSON.stringify(given)}; it must be an object with a cell for each column.`);
      const row = { number, cells: [], given: [], absent: [], codes: [] };
      this.readers.forEach((reader, j) => {
        const cell = given[reader.name];
        if (cell === undefined && !this.form.marginalise)
          throw new SufficeError(
            `Row ${number} has no column ${JSON.stringify(reader.name)}; the model needs it. Give null for a missing cell.`);
        row.absent[j] = cell === undefined;
        row.given[j] = cell;
        row.cells[j] = reader.read(cell);
      });
      row.codes = this.form.codings.map((coding) => CODINGS[coding.is](coding, row));
      return row;
    }
  }

  function isRow(rows) {
    return !Array.isArray(rows) || (rows.length > 0 && (rows[0] === null || typeof rows[0] !== "object"));
  }

  return { load, SufficeError, VERSION };
});
