"""Why: evidence by feature, the linear form of the posterior, and what correlated columns tell."""

from suffice.explain.evidence import Explanation, explain
from suffice.explain.gaussian_block import GaussianBlock, gaussian_block
from suffice.explain.linear_form import LinearForm, linear_form

__all__ = ["Explanation", "GaussianBlock", "LinearForm", "explain", "gaussian_block", "linear_form"]
