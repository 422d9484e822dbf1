"""Sources of rows."""

from typing import TYPE_CHECKING

from suffice.lazy_names import lazy_names

if TYPE_CHECKING:
    from suffice.sources.memory import kernel_csr as kernel_csr
    from suffice.sources.memory import open_records as open_records
    from suffice.sources.memory import open_table as open_table
    from suffice.sources.opening import as_source as as_source
    from suffice.sources.opening import open_source as open_source
    from suffice.sources.opening import read_with_schema as read_with_schema

_LAZY_IMPORTS = {
    "as_source": "opening",
    "open_records": "memory",
    "open_source": "opening",
    "open_table": "memory",
    "kernel_csr": "memory",
    "read_with_schema": "opening",
}

if not TYPE_CHECKING:
    __all__ = list(_LAZY_IMPORTS)
    __getattr__, __dir__ = lazy_names(__name__, _LAZY_IMPORTS)
