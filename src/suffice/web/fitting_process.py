"""A process of low priority that fits weights, so that fits do not share an interpreter with readers or the writer.

It reads pickled models from standard input and writes each with fitted weights to standard output. It ends with its input, so
it never outlives the service.
"""

import os
import pickle
import signal
import subprocess
import sys
from contextlib import suppress
from typing import BinaryIO

from suffice.errors import SufficeError
from suffice.model import Model
from suffice.web.child_process import command
from suffice.web.pickling import send

_NICE_INCREMENT = 5  # of 20


class FittingError(SufficeError, RuntimeError):
    """A fit failed, or its process exited early."""


class FittingProcess:
    """The fitting process; it is restarted after a crash."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the process, unless it runs."""
        if self._process is None:
            self._process = subprocess.Popen(
                command("suffice.web.fitting_process"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )

    def with_fitted_weights(self, model: Model) -> Model:
        """The model with weights fitted to its stored rows."""
        self.start()
        process = self._process
        try:
            if process is None or process.stdin is None or process.stdout is None:
                raise EOFError  # it was stopped
            send(model, process.stdin)
            found = pickle.load(process.stdout)
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            self.stop()
            raise FittingError("The process that fits weights has exited") from None
        if isinstance(found, Exception):
            raise FittingError(f"Weights cannot be fitted ({found})")
        assert isinstance(found, Model)
        return found

    def stop(self) -> None:
        """Stop the process, also during a fit."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError):  # unsent input is dropped
                        pipe.close()


def _work(models: BinaryIO, answers: BinaryIO) -> None:
    while True:
        try:
            model = pickle.load(models)
        except EOFError:
            return
        try:
            found: Model | Exception = model.with_fitted_weights(1)
        except Exception as error:  # goes to the log of the service
            found = RuntimeError(f"{type(error).__name__}: {error}")
        send(found, answers)


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on Ctrl-C, the service ends this process
    with suppress(AttributeError, OSError):
        os.nice(_NICE_INCREMENT)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # prints go to the log
    with suppress(BrokenPipeError):
        _work(sys.stdin.buffer, answers)
