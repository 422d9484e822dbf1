"""Numerics: checked calls of the compiled kernels, special functions, threads."""
