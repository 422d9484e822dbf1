"""A memory budget for expanding a file, from its size."""

from dataclasses import dataclass

from suffice.errors import ModelFileError

_BASE_BYTES = 1 << 22  # budget of any file
_SIZE_FACTOR = 2  # additional budget per byte of the file


@dataclass
class Budget:
    """Remaining bytes."""

    remaining: int
    most_length: int
    """Maximum length of one value: empty arrays and ranges have a length but no bytes."""

    @classmethod
    def of(cls, size: int) -> "Budget":
        return cls(_BASE_BYTES + _SIZE_FACTOR * size, _BASE_BYTES + size)

    def spend(self, count: int, size: int) -> None:
        """Spend memory for ``count`` objects of about ``size`` bytes."""
        self.remaining -= count * size
        if self.remaining < 0:
            raise ModelFileError(
                "The model file expands to far more memory than its size",
                "it is damaged, or was not written by suffice",
            )

    def check_length(self, length: int) -> int:
        if not 0 <= length <= self.most_length:
            raise ModelFileError(f"The model file declares {length:,} cells", "it is too short for them")
        return length
