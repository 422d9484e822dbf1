"""Evidence on the page is the model's, moved to where it can be seen."""

import re

import numpy as np

from suffice import BayesClassifier, Bernoulli, Text
from suffice.text.mail import read_mail
from suffice.web.columns import Columns
from suffice.web.pages.evidence import evidence
from suffice.web.pages.highlight import highlighted
from suffice.web.version import Version
from web.claims import some_rows
from web.clients import client


def test_words_share_what_pairs_and_runs_of_characters_say(tmp_path):
    rows, labels = some_rows(120)
    BayesClassifier(Text()).fit([row["letter"] for row in rows], labels).save(tmp_path / "m.suffice")
    version = Version.loaded(tmp_path / "m.suffice")
    columns = Columns.of_version(version)
    text = "Urgent: refund!\n\nThe roof, the ROOF  (wire it twice)…"
    found = evidence(version, columns, {"text": text})
    explained = version.explained(columns.table_from_json([{"text": text}]))
    weights = dict(zip(explained.features, explained.evidence[0].tolist(), strict=True))
    bias = weights.pop("(bias)") + weights.pop("‹ ›", 0.0)  # a space is in no word
    pieces, words = highlighted(text, weights)
    assert tuple(pieces) == found.texts["text"]
    assert "".join(piece.text for piece in pieces) == text
    assert any("‹" in name for name in weights)
    np.testing.assert_allclose(sum(words.values()) + bias, explained.evidence[0].sum(), rtol=1e-9)
    assert {bar.name: bar.weight for bar in found.words}.items() <= words.items()
    np.testing.assert_allclose(sum(bar.weight for bar in found.bars), explained.log_odds[0], rtol=1e-9)


def test_a_pasted_mail_becomes_its_columns(tmp_path):
    spam = b"From: <x@example.com>\nSubject: Free money\n\nClaim your free prize now"
    ham = b"From: Ann <ann@example.org>\nSubject: Lunch\n\nSee you at noon"
    mails = [
        {key: read_mail(mail)[key] for key in ("header_words", "body", "mailing_list")} for mail in (spam, ham) * 5
    ]
    families = {"header_words": Text("multinomial"), "body": Text("multinomial"), "mailing_list": Bernoulli()}
    BayesClassifier(families, model="naive").fit(mails, ["spam", "ham"] * 5).save(tmp_path / "mail.suffice")
    with client(tmp_path / "mail.suffice") as page:
        form_token = re.search(r'name="form_token" value="(\w+)"', page.get("/play").text)[1]
        fields = {"form_token": form_token, "prior:ham": "50", "prior:spam": "50", "ask": "0.1"}
        for mail, verdict in ((spam, "spam"), (ham, "ham")):
            answer = page.post("/play", data={**fields, "mail": mail.decode()})
            assert f"Decide <b>{verdict}</b>" in answer.text
            assert "header_words" in answer.text
