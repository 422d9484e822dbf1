"""A memory bound for a file, from its size, before it is expanded."""

from dataclasses import dataclass

from suffice.errors import ModelFileError

_FREE = 1 << 22  # 4 MiB allowed for any file
_TIMES = 2  # multiple of the file's size, beyond its own bytes


@dataclass
class Budget:
    """Remaining bytes."""

    left: int
    longest: int
    """Maximum length of one value: an empty array and a range have a length without bytes."""

    @classmethod
    def of(cls, size: int) -> "Budget":
        return cls(_FREE + _TIMES * size, _FREE + size)

    def spend(self, count: int, each: int) -> None:
        """Spend memory for ``count`` objects of about ``each`` bytes."""
        self.left -= count * each
        if self.left < 0:
            raise ModelFileError("The model file unfolds to far more than it is long", "no model that was saved does")

    def check_length(self, length: int) -> int:
        if not 0 <= length <= self.longest:
            raise ModelFileError(f"The model file declares {length:,} cells", "it is too short for so many")
        return length
