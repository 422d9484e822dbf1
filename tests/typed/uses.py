"""What a user writes, checked by type checkers and run."""

import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import suffice
from suffice import BayesClassifier, BayesDecision, Categorical, Dirichlet, Gaussian, LogisticRegression, Text
from suffice.decision import Chow, Costs, decide
from suffice.evaluate import Assessment, cross_validate
from suffice.explain import Explanation
from suffice.naive_bayes import GaussianNB
from suffice.text import CountVectorizer, StopWords

rng = np.random.default_rng(0)
age = rng.normal(45.0, 12.0, 1000)
plan = rng.choice(["basic", "family", "gold"], 1000)
note = [rng.choice(["moving abroad", "too dear", "all is well", "happy customer"]) for _ in age]
leaves = rng.random(1000) < np.where(plan == "basic", 0.5, 0.1)
rows = {"age": age, "plan": plan, "note": note}

model = BayesClassifier({"age": Gaussian(variance=100.0), "plan": Categorical(alpha=0.5)}, prior=Dirichlet(2.0))
model.fit(rows, leaves)
posterior: NDArray[np.float64] = model.predict_proba(rows)
sure: np.bool_ = posterior.max(axis=1).mean() > 0.5
why: Explanation = model.explain(rows, of=True, against=False)
strongest: dict[str, float] = why.row(0)
print(why.to_frame().shape, strongest)
drawn, labels = model.sample(5, random_state=0)
changed: BayesClassifier = model.partial_fit(rows, leaves).forget(rows, leaves)

default = BayesClassifier(estimate="mean", n_jobs=1).fit(rows, leaves)
default.set_params(prior=Dirichlet(), prior__alpha=3.0)
alpha: object = Categorical(alpha=0.1).set_params(alpha=0.2).get_params()["alpha"]
print(default.describe().columns[0].name, default.score(rows, leaves))

costly = BayesDecision(default, costs={(True, False): 10.0, (False, True): 1.0}, reject=Chow(0.8), random_state=0)
actions: list[object] = costly.fit(rows, leaves).predict(rows).tolist()
decision = decide(posterior, Costs(np.array([[0.0, 1.0], [10.0, 0.0]])), classes=model.classes_)
print(decision.rejected.sum(), suffice.decision.expected_cost(leaves, decision.actions))

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "leaves.model")
    model.save(path)
    again: BayesClassifier = suffice.load(path)
print(np.array_equal(again.predict(rows), model.predict(rows)))

result: Assessment = cross_validate(rows, leaves, k=5, estimator=BayesClassifier(model="naive"), random_state=1)
print(result.log_loss.value, result.accuracy.value)

numbers = np.column_stack([age, rng.normal(size=1000)])
bells = GaussianNB(var_smoothing=1e-8).fit(numbers, leaves)
print(bells.theta_.shape, bells.predict_log_proba(numbers[:3]).sum())
linear = LogisticRegression(C=2.0, max_iter=50).fit(numbers, leaves)
print(linear.coef_.shape, linear.predict_proba(numbers).mean())

words = CountVectorizer(min_df=2).fit_transform(note)
topics = BayesClassifier({"note": Text("multinomial", stop_words="english", use_idf=True)}).fit({"note": note}, leaves)
print(words.shape, StopWords("en"), topics.predict({"note": ["too dear"]}).tolist())

try:
    model.predict({"age": age})
except suffice.SufficeError as error:
    print(error)
picture: suffice.plot.ReliabilityDisplay = suffice.plot.ReliabilityDisplay.from_predictions(leaves, posterior)
