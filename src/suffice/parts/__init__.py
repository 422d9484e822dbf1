"""Parts: scores of several columns together, weighted with those of single columns by one ridge fit."""
