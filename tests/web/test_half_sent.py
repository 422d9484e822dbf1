"""Requests that are begun and never finished, over raw sockets: they hold up nobody else."""

import socket
import time
from contextlib import ExitStack, contextmanager

import httpx
import pytest

from web.claims import some_rows
from web.clients import client
from web.servers import PLAIN, http, server

TOKENS = {"read": "r" * 20, "label": "l" * 20, "admin": "a" * 20}
ENVIRONMENT = {f"SUFFICE_TOKEN_{role.upper()}": token for role, token in TOKENS.items()}
BEARER = {"authorization": f"Bearer {TOKENS['read']}"}
MANY = 100  # of 64 that are answered at once
FORM = "application/x-www-form-urlencoded"
ROWS = {"rows": some_rows(1)[0]}


@pytest.fixture(scope="module")
def guarded(module_model):
    with server(module_model, **ENVIRONMENT) as (address, _):
        yield address


@contextmanager
def half_sent(address, count, method, path, *headers):
    """Connections with a request whose body has begun."""
    host, port = httpx.URL(address).host, httpx.URL(address).port
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}:{port}", "Content-Length: 1000", *headers, "", '{"rows": [']
    with ExitStack() as opened:
        connections = [opened.enter_context(socket.create_connection((host, port), 30)) for _ in range(count)]
        for connection in connections:
            connection.sendall("\r\n".join(lines).encode())
        yield connections


def status(connection):
    """Of the answer, without sending more."""
    return int(connection.recv(12).split()[1])


def is_well(address):
    with httpx.Client(base_url=address, verify=PLAIN, timeout=30) as api:
        assert api.get("/health").status_code == 200
        assert api.get("/login").status_code == 200
        assert api.post("/v1/score", json=ROWS, headers=BEARER).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "answer"),
    [
        ("POST", "/v1/score", 401),
        ("POST", "/v1/cases", 401),
        ("PUT", "/v1/policy", 401),
        ("DELETE", "/v1/cases/a", 401),
        ("POST", "/v1/nowhere", 401),
        ("POST", "/page/label", 303),
        ("POST", "/page/leave", 303),
        ("POST", "/play", 303),
    ],
)
def test_without_a_token_the_header_is_enough(guarded, method, path, answer):
    with half_sent(guarded, MANY, method, path) as connections:
        is_well(guarded)
        assert {status(connection) for connection in connections} == {answer}


def test_a_wrong_token_is_no_token(guarded):
    with half_sent(guarded, MANY, "POST", "/v1/score", "Authorization: Bearer wrong") as connections:
        is_well(guarded)
        assert {status(connection) for connection in connections} == {401}


@pytest.mark.parametrize("path", ["/v1/cases", "/page/label"])
def test_a_role_that_is_too_low_is_told_by_the_header(guarded, path):
    authorization = f"Authorization: {BEARER['authorization']}"
    with half_sent(guarded, 10, "POST", path, authorization, f"Content-Type: {FORM}") as connections:
        assert {status(connection) for connection in connections} == {403}


def test_the_login_holds_up_only_itself(guarded):
    with half_sent(guarded, MANY, "POST", "/login", f"Content-Type: {FORM}") as connections:
        is_well(guarded)
        # most are turned away at once, and the others when their time is up
        assert {status(connection) for connection in connections} == {503, 408}
        with httpx.Client(base_url=guarded, verify=PLAIN, timeout=30) as api:
            assert api.post("/login", data={"token": TOKENS["read"]}).status_code == 403  # without the form's own token


def test_health_answers_where_everybody_is_let_in(module_model):
    with server(module_model) as (address, _), half_sent(address, MANY, "POST", "/v1/score"):
        answer = http.post(f"{address}/v1/score", json=ROWS, timeout=30)
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert http.get(f"{address}/health", timeout=30).status_code == 200


def ends(connection, drop):
    """Whether the service closes a connection, though a byte is sent now and then."""
    connection.settimeout(0.2)
    for _ in range(300):
        try:
            connection.sendall(drop)
            if not connection.recv(4096):
                return True
        except TimeoutError:
            pass
        except OSError:
            return True
        time.sleep(0.2)
    return False


def test_half_sent_requests_time_out(module_model):
    """With or without a token, and before the header is whole."""
    with server(module_model, limits={"max_seconds": 2.0, "tokens": TOKENS}) as (address, _):
        authorization = f"Authorization: {BEARER['authorization']}"
        with half_sent(address, 10, "POST", "/v1/score", authorization) as known:
            assert {status(connection) for connection in known} == {408}
            assert ends(known[0], b" ")
        with half_sent(address, 1, "POST", "/v1/score") as unknown:
            assert ends(unknown[0], b" ")
        url = httpx.URL(address)
        with socket.create_connection((url.host, url.port)) as connection:
            connection.sendall(b"GET /health HTTP/1.1\r\n")
            assert ends(connection, b"X-More: 1\r\n")
        with socket.create_connection((url.host, url.port)) as connection:
            assert ends(connection, b"")


def test_a_login_is_small(model_path):
    with client(model_path, tokens=TOKENS) as api:
        assert api.post("/login", data={"token": "x" * 10_000}).status_code == 413
        chunks = iter([b"x" * 5000] * 2)  # without a length
        assert api.post("/login", content=chunks, headers={"content-type": FORM}).status_code == 413
