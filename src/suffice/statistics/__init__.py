"""Class-wise sufficient statistics, which can be added, subtracted and scaled. One file each."""

from typing import TYPE_CHECKING

from suffice.lazy_names import lazy_names

if TYPE_CHECKING:
    from suffice.statistics.base import Statistic as Statistic
    from suffice.statistics.count_table import CountTables as CountTables
    from suffice.statistics.counts import Counts as Counts
    from suffice.statistics.fitted import Fitted as Fitted
    from suffice.statistics.grid_counts import GridCounts as GridCounts
    from suffice.statistics.log_moments import LogMoments as LogMoments
    from suffice.statistics.moments import Moments as Moments
    from suffice.statistics.pair_counts import PairCounts as PairCounts
    from suffice.statistics.row_sample import RowSample as RowSample
    from suffice.statistics.scatter import Scatter as Scatter
    from suffice.statistics.successes import Successes as Successes
    from suffice.statistics.sums import Sums as Sums
    from suffice.statistics.tally import Tally as Tally
    from suffice.statistics.text_counts import TextCounts as TextCounts
    from suffice.statistics.wide_scatter import WideScatter as WideScatter
    from suffice.statistics.word_counts import WordCounts as WordCounts

_LAZY_IMPORTS = {
    "Statistic": "base",
    "CountTables": "count_table",
    "Counts": "counts",
    "Fitted": "fitted",
    "GridCounts": "grid_counts",
    "LogMoments": "log_moments",
    "Moments": "moments",
    "PairCounts": "pair_counts",
    "RowSample": "row_sample",
    "Scatter": "scatter",
    "Successes": "successes",
    "Sums": "sums",
    "Tally": "tally",
    "TextCounts": "text_counts",
    "WideScatter": "wide_scatter",
    "WordCounts": "word_counts",
}

if not TYPE_CHECKING:
    __all__ = list(_LAZY_IMPORTS)
    __getattr__, __dir__ = lazy_names(__name__, _LAZY_IMPORTS)
