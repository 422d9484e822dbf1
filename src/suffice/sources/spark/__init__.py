"""Spark DataFrames: functions are sent to the executors, and their results return as bytes.

Nothing here uses more than ``mapInArrow``, ``repartition``, ``persist`` and settings of the session, so that classic
sessions and Spark Connect behave alike. Results of tasks are rows of a Spark DataFrame, and Spark counts the result
of one attempt of each task: a lost executor, a retried or a speculative task changes nothing.

``rows`` is the source, ``kept`` the cache on the executors for repeated sums; ``sums`` adds results of tasks, ``parcels``
serialises them, and ``batches`` sets batch sizes for fast transfer to Python.
"""

from suffice.sources.spark.rows import SparkRows

__all__ = ["SparkRows"]
