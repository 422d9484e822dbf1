"""Ambiguous regions of one-versus-rest and one-versus-one, compared with a single multi-class discriminant.

Three classes, classified by one-versus-rest and one-versus-one (scikit-learn's wrappers around two-class linear
discriminants), by one three-class discriminant, and by nearest neighbours. Usage: ambiguous_regions.py [picture.png]
"""

import sys

import matplotlib as mpl
import numpy as np
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier

from suffice import LinearDiscriminantAnalysis, evaluate, plot

mpl.use("Agg")
import matplotlib.pyplot as plt

rng = np.random.default_rng(4)
centres = np.array([[-2.0, -1.0], [2.0, -1.0], [0.0, 2.2]])
mixes = np.array([[[0.6, 0.9], [0.0, 0.6]], [[1.3, 0.0], [-0.9, 0.5]], [[1.5, 0.3], [0.0, 0.4]]])
y = np.arange(300) % 3


def sample() -> np.ndarray:
    """Three normal classes with different covariances."""
    return centres[y] + np.einsum("nij,nj->ni", mixes[y], rng.normal(size=(300, 2)))


X = sample()
axis = np.linspace(-6, 6, 400)
plane = np.array(np.meshgrid(axis, axis)).reshape(2, -1).T

rest = OneVsRestClassifier(LinearDiscriminantAnalysis()).fit(X, y)
claims = np.column_stack([two.decision_function(plane) > 0 for two in rest.estimators_])
pairs = OneVsOneClassifier(LinearDiscriminantAnalysis()).fit(X, y)
votes = np.zeros((len(plane), 3), dtype=int)
for (a, b), two in zip([(0, 1), (0, 2), (1, 2)], pairs.estimators_, strict=True):
    second = two.decision_function(plane) > 0
    votes[np.arange(len(plane)), np.where(second, b, a)] += 1
one = LinearDiscriminantAnalysis().fit(X, y)
near = KNeighborsClassifier(15).fit(X, y)

doubtful = {
    "one versus rest": claims.sum(axis=1) != 1,
    "one versus one": (votes == votes.max(axis=1, keepdims=True)).sum(axis=1) > 1,
    "one 3-class discriminant": np.zeros(len(plane), dtype=bool),
    "15 nearest neighbours": np.zeros(len(plane), dtype=bool),
}
answers = [claims.argmax(axis=1), votes.argmax(axis=1), one.predict(plane), near.predict(plane)]

print("share of the plane that is claimed by no class, or by more than one:")
for name, where in doubtful.items():
    print(f"  {name:26s} {where.mean():6.1%}")
fresh = sample()
for name, model in (("discriminant", one), ("neighbours", near)):
    pairwise = evaluate.pairwise_accuracy(y, model.predict_proba(fresh), model.classes_)
    print(f"{name:13s} accuracy {model.score(fresh, y):.3f}, pairwise {pairwise:.3f} on fresh rows")
weights, constant = one.gaussian_block().hyperplane(0, 1)
print(f"boundary between classes 0 and 1: {weights[0]:+.2f} x {weights[1]:+.2f} y {constant:+.2f} = 0")

figure, axes = plt.subplots(1, 4, figsize=(16, 5.0), sharex=True, sharey=True, layout="constrained")
for panel, (name, where), answer in zip(axes, doubtful.items(), answers, strict=True):
    square = (len(axis), len(axis))
    plot.RegionsDisplay(
        axis, axis, answer.reshape(square), one.classes_, ambiguous=where.reshape(square), rows=X, codes=y
    ).plot(panel)
    panel.set_title(f"{name}\n{where.mean():.1%} of the plane ambiguous (dark)")
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=110)
    print(f"picture: {sys.argv[1]}")
