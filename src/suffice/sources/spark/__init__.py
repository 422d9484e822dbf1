"""DataFrames of Spark: functions go to the executors as they are, and what they return comes back as bytes.

Nothing here uses more than ``mapInArrow``, ``repartition``, ``persist`` and settings of the session, so that classic
sessions and Spark Connect are the same. What a task returns takes part in the data flow of Spark, which counts the result
of one attempt of each task: an executor that is lost, a task that is tried again or run twice changes nothing.

``rows`` is the source, ``kept`` what stays on the executors for many sums; ``sums`` adds up what tasks return, ``parcels``
makes bytes of it, and ``batches`` sees to it that rows reach Python quickly.
"""

from suffice.sources.spark.rows import SparkRows

__all__ = ["SparkRows"]
