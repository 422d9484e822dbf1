"""Rows scored by the script in Node."""

import json
import shutil
import subprocess
from importlib import resources

import numpy as np
import pytest

SCRIPT = resources.files("suffice.export") / "assets" / "scorer.js"

needs_node = pytest.mark.skipif(
    not shutil.which("node"), reason="Node is not installed (Debian's package nodejs has it)"
)

_SCORE = """
const Suffice = require(process.argv[1]), fs = require("fs");
const rows = JSON.parse(fs.readFileSync(0, "utf-8"));
try {
  const scorer = Suffice.load(fs.readFileSync(process.argv[2]));
  console.log(JSON.stringify({ classes: scorer.classes, p: scorer.probabilities(rows), predicted: scorer.predict(rows) }));
} catch (error) {
  if (!(error instanceof Suffice.SufficeError)) throw error;
  console.log(JSON.stringify({ error: error.message }));
}
"""


def answers(path, rows):
    """What the script answers for rows: objects with None for a missing cell."""
    ran = subprocess.run(
        ["node", "-e", _SCORE, "--", str(SCRIPT), str(path)],
        input=json.dumps(rows), capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert not ran.returncode, ran.stderr
    return json.loads(ran.stdout)


def probabilities(path, rows):
    found = answers(path, rows)
    assert "error" not in found, found
    return np.array(found["p"])


def records(frame):
    """The rows of a frame as objects."""
    cells = frame.astype(object).where(frame.notna(), None)
    return [{str(k): v for k, v in row.items()} for row in cells.to_dict("records")]
