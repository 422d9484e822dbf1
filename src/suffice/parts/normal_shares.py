"""The share of each column in the log-odds of correlated normals: Shapley values in closed form."""

import numpy as np

from suffice.numerics.arrays import FloatArray, SingleArray
from suffice.parts.discriminant import Discriminant


def shapley_values(normals: Discriminant, z: SingleArray, owners: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The mean score (classes) over the rows of the scatter, and the Shapley values (rows, columns, classes).

    A score is a quadratic form q(z) = −½ zᵀPz + aᵀz + c. Columns that are left out of a coalition have the values of another
    row, and the form is averaged over those rows, whose mean is μ and whose second moments are M. A product of two columns
    is then split evenly, and score i adds −½ (zᵢ (Pz)ᵢ + zᵢ (Pμ)ᵢ − μᵢ (Pz)ᵢ − Σⱼ Pᵢⱼ Mᵢⱼ) + aᵢ (zᵢ − μᵢ).

    ``owners`` (scores, columns) is 1 where a score belongs to a column. Under a shared covariance, −½ zᵀPz cancels.
    """
    n, means = normals.scatter.weight, normals.scatter.mean
    mean = n @ means / n.sum()
    rows = z.astype(np.float64)
    base, shares = np.empty(len(n)), np.empty((len(rows), owners.shape[1], len(n)))
    precisions, log_det = normals.precisions
    shared = normals.pooling is None
    products = None if shared else (normals.scatter.m2.sum(axis=0) + (means.T * n) @ means) / n.sum()
    for c, own in enumerate(means):
        k = 0 if shared else c
        precision = precisions[k]
        slope = precision @ own
        constant = -0.5 * (own @ slope + log_det[k])
        if products is None:
            base[c] = constant + slope @ mean
            shares[:, :, c] = ((rows - mean) * slope) @ owners
            continue
        turned, at_mean, moments = rows @ precision, precision @ mean, (precision * products).sum(axis=1)
        base[c] = constant + slope @ mean - 0.5 * moments.sum()
        each = rows * (slope - 0.5 * at_mean) - 0.5 * (rows - mean) * turned + (0.5 * moments - slope * mean)
        shares[:, :, c] = each @ owners
    return base, shares
