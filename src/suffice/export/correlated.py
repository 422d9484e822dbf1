"""Correlated columns as a term of the scoring form."""

from collections.abc import Sequence

import numpy as np

from suffice.columns.kinds import Name
from suffice.errors import NotExportableError, quoted
from suffice.export import form
from suffice.export.inputs import Inputs
from suffice.families.multivariate_normal import NormalDensities
from suffice.families.multivariate_normal.normals import log_density
from suffice.numerics.covariances import Whole

_SINGULAR = 1e-6  # least eigenvalue of correlations; subsets of columns have none smaller


def correlated(density: NormalDensities, names: Sequence[Name], inputs: Inputs) -> form.Normals:
    """Joint log density of columns, normal or Student's t, with the matrices for marginalising missing cells."""
    if not all(isinstance(c, Whole) for c in density.covariances):
        raise NotExportableError(
            f"Columns {quoted(list(names))} are correlated normals of more columns than fit a matrix",
            "a matrix of all pairs is exported",
            "Use fewer columns, or covariance='diagonal'",
        )
    each = [density.covariance(c) for c in range(density.n_classes)]
    dof = [None] * len(each) if density.dof is None else density.dof.tolist()
    regular = [
        c.rank == len(c.live) and bool((np.linalg.eigvalsh(c.correlations()) > _SINGULAR).all())
        for c in density.covariances
    ]
    constant = [log_density(np.zeros(1), c.rank, c.log_det, v)[0] for c, v in zip(each, dof, strict=True)]
    return form.Normals(
        columns=inputs.numbers(names),
        mean=density.mean,
        root=np.stack([c.root for c in density.covariances if isinstance(c, Whole)]),
        constant=np.array(constant),
        rank=np.array([c.rank for c in each], dtype=np.int32),
        covariance=np.stack([c.whole() for c in density.covariances]),
        dof=density.dof,
        sums_out=all(regular),
    )
