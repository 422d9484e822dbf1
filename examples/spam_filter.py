"""A spam filter with three verdicts and explanations.

python examples/spam_filter.py HAM SPAM      two folders of messages (or mbox files)
python examples/spam_filter.py --demo        the same on generated mail

Three fifths of the messages are for training, one fifth for the thresholds, and one for testing.
"""

import argparse
import random
import tempfile
from collections import Counter
from email.message import EmailMessage
from pathlib import Path

import numpy as np

from suffice import BayesClassifier, Bernoulli, Categorical, CountTable, LogNormal, Text
from suffice.text.mail import read_labelled

FAMILIES = {
    **dict.fromkeys(["sender_domain", "mailer", "charset", "time_zone", "hour", "defects"], Categorical()),
    **dict.fromkeys(["hops", "recipients", "links", "attachments"], CountTable(max_count=10)),
    **dict.fromkeys(["reply_to_differs", "mailing_list"], Bernoulli()),
    **dict.fromkeys(["header_words", "body"], Text()),
    "size": LogNormal(),
}


class SpamFilter:
    """A classifier of messages with two thresholds on its log-odds."""

    def fit(self, mails, labels):
        self.model = BayesClassifier(FAMILIES).fit(self._table(mails), labels)
        return self

    def set_bounds(self, mails, labels, lost_ham=0.001, missed_spam=0.01):
        """Spam is above a quantile of ham, ham is below a quantile of spam; the rest is unsure."""
        log_odds, spam = self.log_odds(mails), np.array(labels) == "spam"
        bounds = np.quantile(log_odds[~spam], 1 - lost_ham), np.quantile(log_odds[spam], missed_spam)
        self.low, self.high = min(bounds), max(bounds)
        return self

    def log_odds(self, mails):
        return np.diff(self.model.predict_joint_log_proba(self._table(mails)))[:, 0]

    def verdicts(self, mails):
        log_odds = self.log_odds(mails)
        return np.where(log_odds > self.high, "spam", np.where(log_odds < self.low, "ham", "unsure")).tolist()

    def clues(self, mail, most=6):
        evidence = self.model.explain(self._table([mail]), of="spam", against="ham").row()
        named = {f"{name}={mail[name]}" if name in mail else name: weight for name, weight in evidence.items()}
        return list(named.items())[:most]

    def _table(self, mails):
        return {name: [mail[name] for mail in mails] for name in FAMILIES}


def judge(ham, spam):
    mails, labels, names = read_labelled({"ham": ham, "spam": spam})
    mixed = random.Random(0).sample(range(len(mails)), len(mails))
    learn, bound, test = ([mixed[i] for i in range(len(mixed)) if i % 5 in fifths] for fifths in ({0, 1, 2}, {3}, {4}))
    spam_filter = SpamFilter().fit([mails[i] for i in learn], [labels[i] for i in learn])
    spam_filter.set_bounds([mails[i] for i in bound], [labels[i] for i in bound])
    verdicts = spam_filter.verdicts([mails[i] for i in test])

    print(f"{len(learn)} messages learned, bounds set by {len(bound)}, {len(test)} judged:")
    counts = Counter(zip((labels[i] for i in test), verdicts, strict=True))
    for label in ("ham", "spam"):
        print(f"  {label:4s} → " + ", ".join(f"{v} {counts[label, v]}" for v in ("ham", "unsure", "spam")))
    for verdict in ("ham", "unsure", "spam"):
        for i in [i for i, v in zip(test, verdicts, strict=True) if v == verdict][:1]:
            print(f"\n{verdict}: {names[i]}: {mails[i]['subject']!r}")
            for clue, weight in spam_filter.clues(mails[i]):
                print(f"  {weight:+6.2f}  {clue}")


def write_demo(folder, n=200, seed=0):
    """Generated ham and spam with overlapping vocabularies."""
    rng = random.Random(seed)
    topics = {
        "ham": ["meeting", "report", "lunch", "draft", "thanks", "tuesday", "budget", "train", "review", "slides"],
        "spam": ["winner", "free", "prize", "pills", "click", "urgent", "casino", "cheap", "million", "guarantee"],
    }
    for label, own in topics.items():
        (folder / label).mkdir()
        other = topics["spam" if label == "ham" else "ham"]
        for number in range(n):
            like_its_own = rng.uniform(0.6, 1.0)
            words = [rng.choice(own if rng.random() < like_its_own else other) for _ in range(rng.randint(8, 30))]
            text = " ".join(words)
            mail = EmailMessage()
            mail["Subject"] = words[0].title()
            mail["From"] = f"someone@{rng.choice(['office.example', 'mail.example', f'{label}.example'])}"
            mail["To"] = "me@office.example"
            mail["Date"] = f"Thu, 22 Aug 2002 {rng.choice([9, 14, 3 if label == 'spam' else 16]):02d}:30:00 +0200"
            mail.set_content(text)
            if label == "spam" and rng.random() < 0.5:
                mail.add_alternative(f"<p>{text}<p><a href='http://prize.example/'>here</a>", subtype="html")
            (folder / label / f"{number:04d}.eml").write_bytes(mail.as_bytes())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="*", metavar="HAM SPAM")
    parser.add_argument("--demo", action="store_true", help="write some mail to learn from")
    arguments = parser.parse_args()
    if arguments.demo:
        with tempfile.TemporaryDirectory() as place:
            write_demo(Path(place))
            judge(Path(place, "ham"), Path(place, "spam"))
    elif len(arguments.places) == 2:
        judge(*arguments.places)
    else:
        parser.error("give a folder of ham and a folder of spam, or --demo")
