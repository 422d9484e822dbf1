"""Speed beside scikit-learn, both sides in one run: ``make bench``, or ``python -m benchmarks gaussian`` for one part."""
