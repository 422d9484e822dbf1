"""Rate limit of failed logins by address."""

import math
import time
from collections import OrderedDict, deque

from suffice.web.problems import RequestError

_MAX_FAILURES, _WINDOW_SECONDS = 10, 60.0
_MAX_ADDRESSES = 10_000


class Attempts:
    """Failed logins of the last minute. Not thread-safe: only the event loop calls it."""

    def __init__(self) -> None:
        self._failures: OrderedDict[str, deque[float]] = OrderedDict()

    def check(self, address: str) -> None:
        """Reject an address with too many failures."""
        failures = self._failures.get(address)
        if failures is None:
            return
        now = time.monotonic()
        while failures and now - failures[0] > _WINDOW_SECONDS:
            failures.popleft()
        if len(failures) >= _MAX_FAILURES:
            wait = math.ceil(_WINDOW_SECONDS - (now - failures[0]))
            raise RequestError(
                429, f"{_MAX_FAILURES} tokens were wrong within a minute; try again in {wait} seconds", "token"
            )

    def failed(self, address: str) -> None:
        self._failures.setdefault(address, deque(maxlen=_MAX_FAILURES)).append(time.monotonic())
        self._failures.move_to_end(address)
        if len(self._failures) > _MAX_ADDRESSES:
            self._failures.popitem(last=False)

    def succeeded(self, address: str) -> None:
        self._failures.pop(address, None)
