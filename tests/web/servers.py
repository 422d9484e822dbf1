"""The service as a process of its own."""

import os
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy

import httpx

PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""No certificates of authorities, whose loading takes longer than a request."""

http = httpx.Client(
    verify=PLAIN,
    limits=httpx.Limits(max_keepalive_connections=0),
    cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
    timeout=60,
)
"""For requests that have nothing in common, neither a connection nor cookies."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def server(model_path, *options, port=None, limits=None, **environment) -> Iterator[tuple[str, subprocess.Popen]]:
    """Its address and its process, which a test may kill; ``limits`` are settings that the command line does not take."""
    port = port or free_port()
    program = [sys.executable, "-c", "from suffice.cli import main; main()"]
    command = [*program, "serve", str(model_path), "--port", str(port), *options]
    if limits:
        arguments = {"port": port, **limits}
        command = [sys.executable, "-c", f"from suffice.web import serve; serve({str(model_path)!r}, **{arguments!r})"]
    process = subprocess.Popen(command, env={**os.environ, **environment}, stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                http.get(f"{address}/health")
                break
            except httpx.TransportError:
                assert process.poll() is None, "the service ended before it answered"
                time.sleep(0.1)
        yield address, process
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
