"""What every kernel computes, in the plainest NumPy."""

import numpy as np


def moments(x, y, n_classes, weight):
    x = x.astype(float)
    w = np.ones(len(x)) if weight is None else weight
    out = np.zeros((3, n_classes, x.shape[1]))
    for c in range(n_classes):
        for j in range(x.shape[1]):
            mine = (y == c) & ~np.isnan(x[:, j]) & (w > 0)
            if mine.any():
                mean = np.average(x[mine, j], weights=w[mine])
                out[:, c, j] = w[mine].sum(), mean, (w[mine] * (x[mine, j] - mean) ** 2).sum()
    return out


def scatter(x, y, n_classes, weight):
    x = x.astype(float)
    w = np.ones(len(x)) if weight is None else weight
    columns = x.shape[1]
    n, mean, m2 = np.zeros(n_classes), np.zeros((n_classes, columns)), np.zeros((n_classes, columns, columns))
    for c in range(n_classes):
        mine = (y == c) & ~np.isnan(x).any(axis=1) & (w > 0)
        if mine.any():
            n[c], mean[c] = w[mine].sum(), np.average(x[mine], axis=0, weights=w[mine])
            away = x[mine] - mean[c]
            m2[c] = (w[mine, None] * away).T @ away
    return n, mean, m2


def sums(x, y, n_classes, weight, threshold):
    x = x.astype(float)
    w = np.ones(len(x)) if weight is None else weight
    n, total = np.zeros((2, n_classes, x.shape[1]))
    for c in range(n_classes):
        mine = (y == c)[:, None] & ~np.isnan(x)
        n[c] = (mine * w[:, None]).sum(axis=0)
        value = np.nan_to_num(x) if threshold is None else (np.nan_to_num(x, nan=-np.inf) > threshold)
        total[c] = np.where(mine, value * w[:, None], 0.0).sum(axis=0)
    return n, total


def counts(values, low, start, y, n_classes, weight):
    w = np.ones(len(values)) if weight is None else weight
    table = np.zeros((n_classes, start[-1]))
    for r, row in enumerate(values):
        for j, v in enumerate(row):
            cell = start[j] + int(v) - low[j]
            if start[j] <= cell < start[j + 1]:
                table[y[r], cell] += w[r]
    return table


def table_scores(values, low, start, table):
    out = np.zeros((len(values), len(table)))
    for r, row in enumerate(values):
        for j, v in enumerate(row):
            cell = start[j] + int(v) - low[j]
            if start[j] <= cell < start[j + 1]:
                out[r] += table[:, cell]
    return out


def cell_scores(x, function):
    """Σ_j function(x[r, j])[class, j], a missing cell adding nothing."""
    x = x.astype(float)
    parts = function(np.nan_to_num(x)[:, None, :])
    return np.where(np.isnan(x)[:, None, :], 0.0, parts).sum(axis=2)


def softmax_loss(x, y, weight, class_weight, table, columns):
    """Σ w (−log p[y]), and its gradient in the shape of the table."""
    x, p, w = _softmax(x, y, weight, class_weight, table, columns)
    truth = np.eye(len(class_weight))[y]
    gradient = np.zeros_like(table)
    gradient[:, :columns] = (x.T @ (w[:, None] * (p - truth)))[:, -columns:]
    return -(w * np.log((p * truth).sum(axis=1))).sum(), gradient


def softmax_curvature(x, y, weight, class_weight, table, columns):
    """Σ w p_a (δ_ab − p_b) x xᵀ over (feature, a) × (feature, b)."""
    x, p, w = _softmax(x, y, weight, class_weight, table, columns)
    p = p[:, -columns:]
    bend = w[:, None, None] * (np.eye(columns) * p[:, None, :] - p[:, :, None] * p[:, None, :])
    return np.einsum("rab,ri,rj->iajb", bend, x, x).reshape(x.shape[1] * columns, -1)


def _softmax(x, y, weight, class_weight, table, columns):
    """Rows with a one for the intercept, probabilities and weights."""
    x = np.column_stack([x.astype(float), np.ones(len(x))])
    z = np.column_stack([np.zeros((len(x), len(class_weight) - columns)), x @ table[:, :columns]])
    p = np.exp(z - z.max(axis=1, keepdims=True))
    return x, p / p.sum(axis=1, keepdims=True), class_weight[y] * (1.0 if weight is None else weight)


def risks(p, costs):
    """Σ_c p[r, c] costs[c, a]"""
    return (p[:, :, None] * costs).sum(axis=1)
