"""Numbers: the door to the compiled kernels, special functions, threads."""
