"""A PostgreSQL server of our own, on a socket in a folder, where Debian's packages are installed."""

import getpass
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def _programs() -> Path:
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not folders:
        pytest.skip("PostgreSQL is not installed (Debian's package postgresql has it)")
    return folders[-1]


@contextmanager
def postgres_server() -> Iterator[str]:
    """The folder of its socket."""
    programs, folder = _programs(), tempfile.mkdtemp(prefix="pg")
    user = getpass.getuser()
    as_user = []
    if user == "root":  # PostgreSQL refuses to run as root; its package has made a user
        user, as_user = "postgres", ["runuser", "-u", "postgres", "--"]
        shutil.chown(folder, "postgres")
    run = {"check": True, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    control = [*as_user, programs / "pg_ctl", "-D", f"{folder}/data", "-w"]
    options = f"-k {folder} -c listen_addresses='' -c fsync=off -c autovacuum=off -c jit=off"
    try:
        subprocess.run(
            [*as_user, programs / "initdb", "-D", f"{folder}/data", "-A", "trust", "-U", "suffice", "-N"], **run
        )
        subprocess.run([*control, "-o", options, "-l", f"{folder}/log", "start"], **run)
    except (subprocess.CalledProcessError, FileNotFoundError) as error:
        pytest.skip(f"PostgreSQL does not start here ({error})")
    try:
        yield folder
    finally:
        subprocess.run([*control, "-m", "immediate", "stop"], **run)
        shutil.rmtree(folder)
