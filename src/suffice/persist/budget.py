"""A memory bound for a file, from its size, before it is expanded."""

from dataclasses import dataclass

from suffice.errors import ModelFileError

_FREE = 1 << 22  # 4 MiB: what any file may take
_TIMES = 2  # of its size, beyond the bytes of the file themselves


@dataclass
class Budget:
    """Bytes that are left."""

    left: int
    longest: int
    """Of any one thing: an array without cells and a range have a length that no bytes stand behind."""

    @classmethod
    def of(cls, size: int) -> "Budget":
        return cls(_FREE + _TIMES * size, _FREE + size)

    def spend(self, count: int, each: int) -> None:
        """``count`` things of about ``each`` bytes."""
        self.left -= count * each
        if self.left < 0:
            raise ModelFileError("The model file unfolds to far more than it is long", "no model that was saved does")

    def check_length(self, length: int) -> int:
        if not 0 <= length <= self.longest:
            raise ModelFileError(f"The model file declares {length:,} cells", "it is too short for so many")
        return length
