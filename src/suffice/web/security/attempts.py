"""Failed logins by address: after a few in a row, the address has to wait."""

import math
import time
from collections import OrderedDict, deque

from suffice.web.problems import RequestError

_MOST_FAILURES, _WINDOW_SECONDS = 10, 60.0  # failures in a window
_MOST_ADDRESSES = 10_000  # addresses kept


class Attempts:
    """Failed logins of the last minute. Not thread-safe: only the event loop calls it."""

    def __init__(self) -> None:
        self._failures: OrderedDict[str, deque[float]] = OrderedDict()

    def check(self, address: str) -> None:
        """Refuse an address that has failed too often."""
        failures = self._failures.get(address)
        if failures is None:
            return
        now = time.monotonic()
        while failures and now - failures[0] > _WINDOW_SECONDS:
            failures.popleft()
        if len(failures) >= _MOST_FAILURES:
            wait = math.ceil(_WINDOW_SECONDS - (now - failures[0]))
            raise RequestError(
                429, f"{_MOST_FAILURES} tokens were wrong within a minute; try again in {wait} seconds", "token"
            )

    def failed(self, address: str) -> None:
        self._failures.setdefault(address, deque(maxlen=_MOST_FAILURES)).append(time.monotonic())
        self._failures.move_to_end(address)
        if len(self._failures) > _MOST_ADDRESSES:
            self._failures.popitem(last=False)

    def succeeded(self, address: str) -> None:
        self._failures.pop(address, None)
