"""The documentation's example of nginx, in front of a real service."""

import re
import shutil
import ssl
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from web.servers import free_port, server

NAME = "triage.example.org"
TOKEN = "a token for the admin"
PAGE = Path(__file__).parents[2] / "docs" / "deploying.md"


@contextmanager
def nginx(folder, service):
    """The address of the example, with its paths and ports replaced, and its certificate."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/local/bin:/usr/bin")
    if program is None or shutil.which("openssl") is None:
        pytest.skip("nginx or openssl is not installed")
    certificate, key, port = folder / "triage.pem", folder / "triage.key", free_port()
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={NAME}",
         "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", key, "-out", certificate],
        check=True, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    site = re.search(r"```nginx\n(.*?)```", PAGE.read_text(), re.DOTALL)[1]
    for there, here in (
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("http://127.0.0.1:8000", service),
        ("/etc/ssl/triage.pem", str(certificate)),
        ("/etc/ssl/triage.key", str(key)),
    ):
        assert there in site
        site = site.replace(there, here)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = " ".join(f"{kind}_temp_path {folder / kind};" for kind in kinds)
    settings = folder / "nginx.conf"
    settings.write_text(
        f"daemon off; pid {folder / 'pid'}; error_log {folder / 'log'}; events {{}}\n"
        f"http {{ access_log off; {places}\n{site} }}\n"
    )
    process = subprocess.Popen([program, "-e", folder / "log", "-c", settings])
    try:
        yield f"https://127.0.0.1:{port}", ssl.create_default_context(cafile=certificate)
    finally:
        process.terminate()
        process.wait(20)


def call(client, method, path, **arguments):
    """As a browser calls the name; nginx may not listen yet."""
    request = client.build_request(method, path, headers={"Host": NAME}, extensions={"sni_hostname": NAME}, **arguments)
    for _ in range(200):
        try:
            return client.send(request)
        except httpx.ConnectError:
            time.sleep(0.05)
    raise AssertionError("nginx does not listen")


def test_a_session_behind_the_proxy(model_path, tmp_path):
    options = ("--proxy", "127.0.0.1", "--allowed-host", NAME)
    with (
        server(model_path, *options, SUFFICE_TOKEN_ADMIN=TOKEN) as (service, _),
        nginx(tmp_path, service) as (address, tls),
        httpx.Client(base_url=address, verify=tls, timeout=60) as client,
    ):
        form_token = re.search(r'name="form_token" value="([^"]+)"', call(client, "GET", "/login").text)[1]
        entered = call(client, "POST", "/login", data={"token": TOKEN, "form_token": form_token})
        assert entered.status_code == 303
        cookie = entered.headers["set-cookie"]
        assert {"Secure", "HttpOnly"} <= {part.strip() for part in cookie.split(";")}
        assert entered.headers["strict-transport-security"] == "max-age=31536000"
        session = {"Cookie": cookie.partition(";")[0]}
        request = client.build_request("GET", "/", headers={"Host": NAME, **session}, extensions={"sni_hostname": NAME})
        assert client.send(request).status_code == 200
        too_large = call(client, "POST", "/v1/score", content=b" " * ((1 << 20) + 1))
        assert too_large.status_code == 413
