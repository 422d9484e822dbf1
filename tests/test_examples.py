"""The examples run, and draw something."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name: str, *arguments: object) -> str:
    command = [sys.executable, str(EXAMPLES / name), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def assert_drawn(picture: Path, least_colours: int = 8) -> None:
    """Not blank: several colours, none of which covers nearly everything."""
    image = (imread(picture)[..., :3] * 15).astype(int).reshape(-1, 3)
    colours, counts = np.unique(image, axis=0, return_counts=True)
    assert len(colours) >= least_colours
    assert counts.max() < 0.97 * len(image)


def test_ambiguous_regions(tmp_path):
    said = run("ambiguous_regions.py", tmp_path / "regions.png")
    shares = [float(line.split()[-1].rstrip("%")) for line in said.splitlines()[1:5]]
    assert shares[0] > 10
    assert shares[1] > 1
    assert shares[2:] == [0, 0]
    assert_drawn(tmp_path / "regions.png")


def test_generative_or_discriminative(tmp_path):
    said = run("generative_or_discriminative.py", tmp_path / "curves.png", 4)
    true, false = said.split("the Gaussian assumption is false")
    assert true.splitlines()[2].split()[2].endswith("*") or "*" in true.splitlines()[2].partition("±")[2][:8]
    assert false.splitlines()[-3].rstrip().endswith("*")
    assert_drawn(tmp_path / "curves.png")


def test_mind_reading(tmp_path, rng):
    """On made-up scans of the form of the real ones."""
    kinds = ["rest", "face", "house", "cat", "shoe", "chair", "bottle", "scissors", "scrambledpix"]
    signal = rng.normal(size=(9, 20))
    rows = ["run,label," + ",".join(f"v{i}_{i % 5}_0" for i in range(20))]
    for r in range(3):
        for k in np.repeat(np.arange(9), 6):
            voxels = 100 + 3 * signal[k] + rng.normal(size=20) + r
            rows.append(f"{r},{kinds[k]}," + ",".join(f"{v:.3f}" for v in voxels))
    (tmp_path / "scans.csv").write_text("\n".join(rows))
    said = run("mind_reading.py", tmp_path / "scans.csv", tmp_path / "scans.png")
    assert float(said.splitlines()[-2].split()[-2]) == pytest.approx(1.0, abs=0.1)
    assert_drawn(tmp_path / "scans.png")
