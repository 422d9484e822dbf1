"""Several people at the page: cases that others have open, conflicts, and who is named."""

import re
from urllib.parse import quote

import pytest

from web.claims import some_rows
from web.clients import client

ROWS, _ = some_rows(40, seed=3)
MESSAGE_ID = "<50%/a?b#c&d=e+f@mail.example>"


class Person:
    """Somebody with a token, at the page and at the API."""

    def __init__(self, api, token):
        self.api, self.headers = api, {"authorization": f"Bearer {token}", "accept": "text/html"}

    def get(self, path):
        return self.api.get(path, headers=self.headers).text

    def post(self, path, **fields):
        form = re.search(r'name="form_token" value="([0-9a-f]+)"', self.get("/play"))[1]
        return self.api.post(path, data={"form_token": form, **fields}, headers=self.headers)

    def json(self, method, path, body=None):
        return self.api.request(method, path, json=body, headers={**self.headers, "accept": "*/*"}).json()

    def open_case(self, path="/"):
        found = re.search(r'<div id="queue" data-case="([^"]*)"', self.get(path))
        return found[1]


@pytest.fixture
def people(model_path, store, tokens):
    with client(model_path, store=store) as api:
        yield {name: Person(api, token) for name, token in tokens.items()}


def submit(people, *names):
    cases = [{"id": name, "row": row} for name, row in zip(names, ROWS, strict=False)]
    people["eve"].json("POST", "/v1/cases", {"cases": cases})


def test_the_page_does_not_give_a_case_that_another_has_open(people):
    submit(people, *(f"c{i}" for i in range(len(ROWS))))
    ann, bob = people["ann"], people["bob"]
    first = ann.open_case()
    assert first
    assert ann.open_case() == first
    assert bob.open_case() not in ("", first)
    assert bob.open_case(f"/?case={first}") not in ("", first)
    assert f'data-case="{first}"' not in bob.post("/page/waiting", skipped="").text
    # it is not gone for the one who has it open, and free for all once it is labelled
    assert "meanwhile" not in ann.post("/page/waiting", case=first, skipped="").text
    ann.post("/page/label", case=first, label="fraud")
    assert "ann has labelled this case fraud meanwhile" in bob.post("/page/waiting", case=first, skipped="").text


def test_others_may_have_all_cases_open(people):
    people["eve"].json("PUT", "/v1/policy", {"ask": 0.0})
    submit(people, "c0")
    assert people["ann"].open_case() == "c0"
    assert "All waiting cases are open for other users" in people["bob"].get("/")
    assert people["bob"].open_case() == ""


def test_both_see_a_conflict(people):
    submit(people, "c0", "c1")
    ann, bob = people["ann"], people["bob"]
    ann.post("/page/label", case="c0", label="fraud")
    assert "Conflicting labels" not in ann.get("/?done=c0")
    # a label for what is no longer on the screen is refused; a correction of what is seen is a conflict
    assert bob.post("/page/label", case="c0", label="honest").status_code == 409
    bob.post("/page/label", case="c0", label="honest", seen="fraud", stay="1")
    for person in (ann, bob):
        assert "Conflicting labels: ann gave fraud" in person.get("/case/c0")
        assert "bob gave honest" in person.get("/?done=c0")
    bob.post("/page/undo", case="c0", label="honest")
    assert "Conflicting labels" not in ann.get("/case/c0")


def test_a_second_person_can_agree(people):
    submit(people, "c0")
    ann, bob = people["ann"], people["bob"]
    ann.post("/page/label", case="c0", label="fraud")

    def can_say_fraud(person):
        return (
            "disabled"
            not in re.search(r'<button class="choice" name="label" value="fraud"[^>]*>', person.get("/case/c0"))[0]
        )

    assert (can_say_fraud(ann), can_say_fraud(bob)) == (False, True)
    bob.post("/page/label", case="c0", label="fraud", seen="fraud", stay="1")
    assert not can_say_fraud(bob)
    assert "by ann" in (page := ann.get("/case/c0"))
    assert "bob agreed" in page
    history = ann.json("GET", "/v1/cases/c0")
    assert [entry["writer"] for entry in history["journal"]] == ["ann"]  # it is learned once
    assert [opinion["by"] for opinion in history["opinions"]] == ["ann", "bob"]


def test_undo_by_somebody_who_only_agreed_leaves_the_label(people):
    submit(people, "c0")
    ann, bob = people["ann"], people["bob"]
    ann.post("/page/label", case="c0", label="fraud")
    bob.post("/page/label", case="c0", label="fraud", seen="fraud", stay="1")
    bob.post("/page/undo", case="c0", label="fraud", stay="1")
    found = ann.json("GET", "/v1/cases/c0")
    assert (found["case"]["label"], found["case"]["labelled_by"]) == ("fraud", "ann")
    assert [opinion["by"] for opinion in found["opinions"]] == ["ann"]
    assert "bob said so too" not in ann.get("/case/c0")
    ann.post("/page/undo", case="c0", label="fraud", stay="1")
    assert ann.json("GET", "/v1/cases/c0")["case"]["label"] is None


def test_remarks_and_policies_name_the_person_of_the_token(people):
    submit(people, "c0")
    people["ann"].json("PUT", "/v1/cases/c0/note", {"note": "call back"})
    assert people["ann"].json("GET", "/v1/cases/c0/note")["writer"] == "ann"
    kept = people["bob"].json("PUT", "/v1/cases/c0/new-class", {"name": "unclear", "by": "a script"})
    assert kept["case"]["labelled_by"] == "a script (through bob)"
    differ = people["ann"].json("PUT", "/v1/cases/c0/label", {"label": "fraud"})
    assert [(o["by"], o["label"]) for o in differ["conflict"]] == [
        ("a script (through bob)", "unclear"),
        ("ann", "fraud"),
    ]
    people["eve"].json("PUT", "/v1/policy", {"ask": 0.2})
    assert people["eve"].json("GET", "/v1/policy/changes")[0]["writer"] == "eve"


def test_a_message_id_at_every_link_of_the_page(people):
    eve, name = people["eve"], quote(MESSAGE_ID, safe="")
    eve.json("PUT", "/v1/policy", {"ask": 0.0})
    submit(people, MESSAGE_ID)
    for place in ("/", "/history"):
        link = re.search(r'href="(/case/[^"]+)"', eve.get(place))[1]
        assert link == f"/case/{name}"
    eve.json("PUT", f"/v1/cases/{name}/note", {"note": "odd"})
    assert eve.json("GET", f"/v1/cases/{name}/note")["note"] == "odd"
    answer = eve.post("/page/label", case=MESSAGE_ID, label="fraud", stay="1")
    assert (answer.status_code, "Labelled <b>fraud</b>" in answer.text) == (200, True)
    assert "Learned as <b>fraud</b>" in eve.get(f"/?done={name}")
