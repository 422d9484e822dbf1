"""Densities of single columns, with the others marginalised."""

from dataclasses import dataclass

from suffice.columns.table import Table
from suffice.errors import ParameterError, quoted
from suffice.families.multivariate_normal import MultivariateNormal
from suffice.model import Model
from suffice.numerics.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Marginals:
    """The densities of a model for tables with some of its columns."""

    model: Model

    def log_density(self, table: Table) -> FloatArray:
        """log p(cells | class), (rows, classes).

        An error for families without marginals of single columns, such as a bag of words.
        """
        self._check(set(table.names))
        return self.model.marginal.log_joint(table) - self.model.marginal.log_prior

    def _check(self, here: set[object]) -> None:
        for block in self.model.blocks:
            some = [c for c in block.columns if c in here]
            whole = len(some) in (0, len(block.columns))
            if not (whole or not block.family.joint or isinstance(block.family, MultivariateNormal)):
                raise ParameterError(
                    f"Column {quoted(some)} is modelled by {type(block.family).__name__} together with "
                    f"{len(block.columns) - len(some)} others",
                    "the marginal distribution of the column is needed",
                )
