"""The marginal likelihood of the training rows."""

from suffice.columns.kinds import Name
from suffice.errors import DataError
from suffice.evaluate.learners import Learner


def log_evidence(estimator: Learner) -> dict[Name | tuple[Name, ...], float]:
    """The log marginal likelihood of the training rows by column (by block for joint families): log p(cells | classes) with the
    parameters integrated out under their prior.

    It is the sum of the log predictive densities of the rows, each given the previous ones, so it compares families, priors and
    pseudo-counts on the training rows. A prior that is estimated from the rows (such as the centre of a ``Gaussian``) is
    treated as given. ``Poisson`` omits Σ log x!, which does not depend on the prior.

    Parameters
    ----------
    estimator : classifier
        A fitted classifier with additive statistics.

    Returns
    -------
    dict
        Log marginal likelihood by column, or by the columns of a joint block.

    Examples
    --------
    >>> from suffice import BayesClassifier, Categorical
    >>> rows, y = [{"coat": c} for c in ("red", "red", "grey")], ["fox", "fox", "wolf"]
    >>> found = log_evidence(BayesClassifier(Categorical()).fit(rows, y))
    >>> {name: round(value, 4) for name, value in found.items()}  # 1/2 · 2/3 · 1/2
    {'coat': -1.7918}
    """
    if not hasattr(estimator, "model_"):
        raise DataError(f"The {type(estimator).__name__} is not fitted", "training rows are needed", "Fit it first")
    model = estimator.model_
    out: dict[Name | tuple[Name, ...], float] = {}
    for block, statistic in zip(model.blocks, model.tally.statistics, strict=True):
        found = block.log_evidence(statistic)
        names = [tuple(block.columns)] if block.family.joint else block.columns
        out.update(zip(names, found.tolist(), strict=True))
    return out
