"""Arrow IPC files (Feather), streamed in batches."""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from suffice.columns.arrow_table import ArrowTable
from suffice.errors import DataError
from suffice.sources.progress import with_progress
from suffice.sources.runs import BATCH_ROWS, runs
from suffice.sources.source import LocalSource


class ArrowFiles(LocalSource):
    """Arrow IPC files, read in order."""

    def __init__(self, paths: Sequence[str], name: str) -> None:
        super().__init__(name)
        self._paths = list(paths)

    def _runs(self) -> Iterator[ArrowTable]:
        import pyarrow.dataset as ds  # imported late: it loads pandas where that is installed

        try:
            found = ds.dataset(self._paths, format="ipc")
            total = found.count_rows()
            batches = found.to_batches(batch_size=BATCH_ROWS)
            yield from runs(with_progress(self.name, batches, lambda rows: 100.0 * rows / max(1, total)))
        except (pa.ArrowInvalid, OSError) as error:
            raise DataError(f"{self.name} cannot be read: {error}") from error
