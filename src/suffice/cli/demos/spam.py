"""Twenty-four short mails and the evidence of their words."""

from typing import Any

from suffice import BayesClassifier, Text
from suffice.cli.demos.steps import Demo, Step
from suffice.evaluate import leave_one_out

_HAM = """
shall we meet for lunch on thursday
the minutes of the meeting are attached
can you send me the report by monday
thanks for your help with the printer
the train is late, start without me
here are the photos of the garden
did you read the chapter for the seminar
your parcel is at the neighbour's
the report needs one more table
see you at the meeting tomorrow
please bring the keys on monday
dinner at ours on friday, bring nothing
"""
_SPAM = """
win money now, click here
cheap pills, free shipping, order now
you have won a free prize, claim it now
earn money from home, free report
click here for a free watch
cheap watches, buy now and win
your account is locked, click here now
free money, no risk, act now
buy pills online, cheap and free
claim your prize money today
limited offer, order your free watch
act now and win a free holiday
"""
_NEW = ("free lunch on monday", "click here to claim your money", "the report on cheap pills is attached")


def rows() -> dict[str, Any]:
    """The example's columns."""
    return {"text": [*_HAM.strip().splitlines(), *_SPAM.strip().splitlines()], "kind": ["ham"] * 12 + ["spam"] * 12}


def demo() -> Demo:
    mails, kinds = rows().values()
    model = BayesClassifier(Text("bernoulli")).fit(mails, kinds)
    words = {
        word: [sum(word in mail.replace(",", "").split() for mail in mails[i : i + 12]) for i in (0, 12)]
        for word in ("free", "now", "money", "report", "monday", "the")
    }
    why = model.explain([_NEW[0]], of="spam", against="ham")
    present = {word: value for word, value in why.row().items() if word in _NEW[0].split()}
    left = leave_one_out(BayesClassifier(Text("bernoulli")), mails, kinds)
    return Demo(
        name="spam",
        steps=[
            Step(
                title="Mails with a word, of twelve in each class",
                headers=["word", "ham", "spam"],
                rows=[[word, *counts] for word, counts in words.items()],
            ),
            Step(
                title="New mails",
                headers=["mail", "p(spam)"],
                rows=[[mail, float(p)] for mail, p in zip(_NEW, model.predict_proba(list(_NEW))[:, 1], strict=True)],
            ),
            Step(
                title=f"Evidence of the words of '{_NEW[0]}'",
                headers=["word", "evidence for spam"],
                rows=[[word, float(value)] for word, value in present.items()],
                after=[
                    f"Absent words and the prior add {float(why.log_odds[0]) - sum(present.values()):+.3f}; "
                    f"the log-odds are {float(why.log_odds[0]):+.3f}."
                ],
            ),
            Step(
                title="Leave-one-out",
                text=[f"The accuracy is {left.accuracy.value:.1%}, the log-loss {left.log_loss}."],
            ),
        ],
    )
