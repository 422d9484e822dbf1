"""Why: evidence by feature, and the linear form of the posterior."""

from suffice.explain.evidence import Explanation, explain
from suffice.explain.linear_form import LinearForm, linear_form

__all__ = ["Explanation", "LinearForm", "explain", "linear_form"]
