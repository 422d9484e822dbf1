"""Processes that the service starts."""

import sys


def command(module: str) -> list[str]:
    """The command of a process that runs ``main`` of a module, with imports deferred as in the service."""
    code = f"from suffice.deferred_imports import start_light; start_light(); from {module} import main; main()"
    return [sys.executable, "-P", "-c", code]
