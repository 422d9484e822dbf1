"""The command that the page shows to a service without cases works as it stands."""

import html
import re
import shlex

import pytest

from suffice import BayesClassifier
from web.claims import some_rows
from web.clients import client

ROWS, LABELS = some_rows(100)


@pytest.mark.parametrize("tokens", [{}, {"label": "a token for labels", "read": "a token to read with"}])
def test_the_command_submits_a_case(tmp_path, tokens):
    rows = [{**row, 'it\'s "so"': row["amount"]} for row in ROWS]
    BayesClassifier().fit(rows, LABELS).save(tmp_path / "m.suffice")
    with client(tmp_path / "m.suffice", tokens=tokens) as api:
        api.headers.update({"Authorization": "Bearer a token for labels"})
        command = html.unescape(re.search(r"<pre[^>]*>(.*?)</pre>", api.get("/").text, re.DOTALL)[1])
        program, address, *options = shlex.split(command.replace("\\\n", " "))
        given = dict(zip(options[1::2], options[::2], strict=True))
        body = next(value for value, name in given.items() if name == "-d")
        headers = [value for value, name in given.items() if name == "-H"]
        assert (program, address) == ("curl", "http://127.0.0.1:8000/v1/cases")
        assert ("Authorization: Bearer $SUFFICE_TOKEN_LABEL" in headers) == bool(tokens)
        answer = api.post(address, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == 201
        assert "No cases yet" not in api.get("/").text
