"""Spark DataFrames: functions are sent to the executors, and their results return as bytes.

Nothing here uses more than ``mapInArrow``, ``repartition``, ``persist`` and settings of the session, so that classic
sessions and Spark Connect behave alike. Results of tasks are rows of a Spark DataFrame, of which Spark uses one attempt
per task, so lost executors, retries and speculative tasks do not change them.

``rows`` is the source, ``cache`` stores values on the executors for repeated sums; ``sums`` adds results of tasks,
``serialisation`` converts them to bytes, and ``batches`` sets batch sizes for fast transfer to Python.
"""

from suffice.sources.spark.rows import SparkRows

__all__ = ["SparkRows"]
