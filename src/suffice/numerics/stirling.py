"""Stirling's series log Γ(z) = (z − ½) log z − z + ½ log 2π + Σ cᵢ z^(1 − 2i), for languages that lack the function."""

COEFFICIENTS = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)
ACCURATE_FROM = 10
"""From there on the series has double precision; a smaller z is shifted by Γ(z + 1) = z Γ(z)."""
