"""Fit the play-tennis data, print the estimates, classify a new day, and unlearn a row."""

from pathlib import Path

import numpy as np
from pyarrow import csv

from suffice import BayesClassifier

table = csv.read_csv(Path(__file__).with_name("tennis.csv"))
model = BayesClassifier(model="naive").fit(table, "play")

counts = dict(zip(model.classes_, model.model_.tally.weight.astype(int), strict=True))
print(f"Learned from {table.num_rows} days: {counts['yes']} played, {counts['no']} not.\n")

print("p(value | class):")
form = model.linear_form()
for name, (no, yes) in zip(form.names[1:], np.exp(form.beta[:, 1:]).T, strict=True):
    print(f"  {name:22s} no {no:.2f}   yes {yes:.2f}")

day = {"outlook": "rain", "temperature": "hot", "humidity": "high", "windy": False}
proba = dict(zip(model.classes_, model.predict_proba([day])[0].round(3), strict=True))
print(f"\nA day that is {', '.join(f'{k}={v}' for k, v in day.items())}:")
print(f"  p(no) = {proba['no']}, p(yes) = {proba['yes']}")
why = model.explain([day], of="no", against="yes")
for feature, evidence in why.row().items():
    print(f"  {feature:12s} {evidence:+.2f}")
print(f"  log-odds     {why.log_odds[0]:+.2f}")

model.forget(table.slice(13), "play")
print(f"\nThe last day forgotten, exactly: p(no) = {model.predict_proba([day])[0][0]:.3f}")
