"""What is counted: class-wise sufficient statistics, which add, subtract and scale. One file a statistic."""

from suffice.statistics.base import Statistic
from suffice.statistics.count_table import CountTables
from suffice.statistics.counts import Counts
from suffice.statistics.fitted import Fitted
from suffice.statistics.grid_counts import GridCounts
from suffice.statistics.log_moments import LogMoments
from suffice.statistics.moments import Moments
from suffice.statistics.pair_counts import PairCounts
from suffice.statistics.scatter import Scatter
from suffice.statistics.successes import Successes
from suffice.statistics.sums import Sums
from suffice.statistics.tally import Tally
from suffice.statistics.text_counts import TextCounts
from suffice.statistics.wide_scatter import WideScatter
from suffice.statistics.word_counts import WordCounts

__all__ = [
    "CountTables",
    "Counts",
    "Fitted",
    "GridCounts",
    "LogMoments",
    "Moments",
    "PairCounts",
    "Scatter",
    "Statistic",
    "Successes",
    "Sums",
    "Tally",
    "TextCounts",
    "WideScatter",
    "WordCounts",
]
