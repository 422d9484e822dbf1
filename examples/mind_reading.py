"""Classify the category of a viewed picture from one slice of fMRI voxels, with leave-one-run-out cross-validation.

Data: haxby2001_slice (Haxby 2001, subject 1), given as a CSV whose columns are voxels ``v<x>_<y>_<z>``, a ``run`` and a
``label``. Usage: mind_reading.py data.csv.gz [picture.png]
"""

import sys

import matplotlib as mpl
import numpy as np
import pandas as pd

from suffice import BayesClassifier, Gaussian, MultivariateNormal, evaluate, plot

mpl.use("Agg")

table = pd.read_csv(sys.argv[1])
voxels = [c for c in table.columns if c.startswith("v")]
rest = (table["label"] == "rest").to_numpy()
run = table["run"].to_numpy()
signal = table[voxels].to_numpy(dtype=float)
for r in np.unique(run):  # subtract the linear drift of the run, and standardise by the rest condition
    mine = run == r
    time = np.column_stack([np.ones(mine.sum()), np.arange(mine.sum())])
    drift = time @ np.linalg.lstsq(time, signal[mine], rcond=None)[0]
    free = signal[mine] - drift
    baseline = free[rest[mine]]
    signal[mine] = (free - baseline.mean(axis=0)) / np.maximum(baseline.std(axis=0), 1e-9)
x, y, run = signal[~rest], table["label"].to_numpy()[~rest], run[~rest]
classes = np.unique(y)

models = {
    "naive, a variance each": Gaussian(),
    "naive, variances shared": MultivariateNormal("tied_diagonal"),
    "shared covariance, shrunk": MultivariateNormal("tied", shrinkage="oas"),
}
print(
    f"{len(x)} scans of {len(voxels)} voxels, {len(classes)} kinds of picture; "
    f"each of {len(np.unique(run))} runs left out in turn"
)
print(f"{'':28s}{'accuracy':>10s}{'pairwise':>10s}{'face/house':>12s}")
for name, family in models.items():
    scores = np.empty((len(x), len(classes)))
    for r in np.unique(run):
        fitted = BayesClassifier(family).fit(x[run != r], y[run != r])
        scores[run == r] = fitted.predict_log_proba(x[run == r])
    pairs = evaluate.pairwise_accuracies(y, scores, classes)
    face, house = (int(np.flatnonzero(classes == c)[0]) for c in ("face", "house"))
    pairwise = evaluate.pairwise_accuracy(y, scores, classes)
    print(f"{name:28s}{evaluate.accuracy(y, scores, classes):10.3f}{pairwise:10.3f}{pairs[face, house]:12.3f}")

places = np.array([[int(n) for n in v[1:].split("_")[:2]] for v in voxels])
upright = np.column_stack([places[:, 1].max() - places[:, 1], places[:, 0]])  # image rows count downwards, y upwards
display = plot.ImagesDisplay.from_estimator(BayesClassifier(Gaussian()).fit(x, y), places=upright, against_all=True)
if len(sys.argv) > 2:
    display.figure_.savefig(sys.argv[2], dpi=110)
    print(f"picture: {sys.argv[2]}")
