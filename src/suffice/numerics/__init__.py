"""Checked calls of the compiled kernels, special functions, linear algebra, threads."""
