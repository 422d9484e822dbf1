"""The outcome of a command: an exit code and at most one line of error message."""

import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from typing import Any

import typer

OK, FAILED, USAGE, DATA, MODEL, OUTPUT = 0, 1, 2, 3, 4, 5
INTERRUPTED = 128 + signal.SIGINT


def guarded(run: Callable[[], Any], *, debug: bool = False, as_json: bool = False) -> int:
    """Run a command. An error is one line on standard error; ``debug`` shows the traceback."""
    warnings.showwarning = _show_warning
    try:
        found = run()
        sys.stdout.flush()
        return found if isinstance(found, int) else OK
    except SystemExit as leaving:
        _silence()
        if isinstance(
            leaving.__context__, BrokenPipeError
        ):  # typer exits because the reader of the output has closed it
            return OK
        return leaving.code if isinstance(leaving.code, int) else FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader of the output has closed it
        _silence()
        return OK
    except Exception as error:
        if debug:
            traceback.print_exc()
        code, line = _error_line(error)
        print(_failure(error, code, line) if as_json else f"suffice: {line}", file=sys.stderr)
        return code


def _failure(error: Exception, code: int, line: str) -> str:
    """The error as JSON."""
    from suffice.cli.json_output import Failure, Problem, as_json_text

    found, allowed, todo = (getattr(error, name, "") for name in ("found", "allowed", "todo"))
    return as_json_text(Failure(error=Problem(code=code, message=line, found=found, allowed=allowed, todo=todo)))


def _silence() -> None:
    """Discard buffered output, since its reader has closed it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _error_line(error: Exception) -> tuple[int, str]:
    if isinstance(error, typer.Abort):
        return INTERRUPTED, "Stopped."
    formatter = getattr(error, "format_message", None)  # typer's own, and those of the click it is built on
    if formatter is not None:
        return getattr(error, "exit_code", USAGE), _one_line(f"{formatter()} Try --help.")
    from suffice import errors

    line = _one_line(str(error))
    if isinstance(error, (errors.ParameterError, errors.MissingPackageError)):
        return USAGE, line
    if isinstance(error, errors.OutputError):
        return OUTPUT, line
    if isinstance(error, errors.DataError):
        return DATA, line
    if isinstance(error, errors.SufficeError):
        return MODEL, line
    if isinstance(error, OSError):
        place = f"{error.filename!r} cannot be used: " if error.filename else ""
        return DATA, f"{place}{error.strerror or line}."
    if isinstance(error, (ValueError, MemoryError)):
        return DATA, line or "There is not enough memory for these rows."
    return FAILED, f"{type(error).__name__}: {line} (a bug in suffice; --debug shows the traceback)"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _show_warning(message: Any, category: Any, filename: Any, lineno: Any, file: Any = None, line: Any = None) -> None:
    if issubclass(category, UserWarning):  # other categories concern programmers
        note(warning_text(message))


def warning_text(message: Any) -> str:
    """A warning phrased for the command line."""
    option = getattr(message, "option", None)
    return str(message) if option is None else f"{message.found} {option}"


def note(text: str) -> None:
    """A note on standard error."""
    print(f"suffice: note: {_one_line(text)}", file=sys.stderr)
