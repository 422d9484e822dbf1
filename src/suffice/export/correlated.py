"""Correlated columns as a term of the scoring form."""

from collections.abc import Sequence

import numpy as np

from suffice.columns.kinds import Name
from suffice.errors import NotExportableError, quoted
from suffice.export import form
from suffice.export.inputs import Inputs
from suffice.families.multivariate_normal import NormalDensities
from suffice.families.multivariate_normal.normals import log_density
from suffice.numerics.covariances import FullCovariance

_MIN_EIGENVALUE = 1e-6  # of correlations; those of subsets of columns are not smaller


def correlated_term(density: NormalDensities, names: Sequence[Name], inputs: Inputs) -> form.Normals:
    """The joint log density of columns, normal or Student's t, with matrices for marginalising missing cells."""
    if not all(isinstance(c, FullCovariance) for c in density.covariances):
        raise NotExportableError(
            f"Columns {quoted(list(names))} are too many for a covariance matrix",
            "correlated normals are exported with their matrix",
            "Use fewer columns, or covariance='diagonal'",
        )
    each = [density.covariance(c) for c in range(density.n_classes)]
    dof = [None] * len(each) if density.dof is None else density.dof.tolist()
    regular = [
        c.rank == len(c.live) and bool((np.linalg.eigvalsh(c.correlations()) > _MIN_EIGENVALUE).all())
        for c in density.covariances
    ]
    constant = [log_density(np.zeros(1), c.rank, c.log_det, v)[0] for c, v in zip(each, dof, strict=True)]
    return form.Normals(
        columns=inputs.numbers(names),
        mean=density.mean,
        root=np.stack([c.root for c in density.covariances if isinstance(c, FullCovariance)]),
        constant=np.array(constant),
        rank=np.array([c.rank for c in each], dtype=np.int32),
        covariance=np.stack([c.full() for c in density.covariances]),
        dof=density.dof,
        sums_out=all(regular),
    )
