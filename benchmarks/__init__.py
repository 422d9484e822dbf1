"""Speed compared with scikit-learn, both in one run: ``make bench``, or ``python -m benchmarks gaussian`` for one part."""
