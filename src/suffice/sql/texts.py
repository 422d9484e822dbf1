"""Texts as sums over a table of tokens.

A textbook model is linear in the words. The default is linear up to a division by the length of the document.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from suffice.columns.analyser import Analyser, CharacterRuns
from suffice.columns.kinds import Name
from suffice.errors import NoSqlError
from suffice.families.bernoulli import BernoulliDensity
from suffice.families.multinomial import MultinomialDensity as Multinomial
from suffice.families.text.correction import Correction, ViewCorrection
from suffice.families.text.discounted import LENGTH_POWER, Discounted, ViewScores
from suffice.families.text.textbook import WordDensity
from suffice.families.text.weighting import Weighting
from suffice.numerics.arrays import FloatArray
from suffice.sql.cells import CellSteps
from suffice.sql.expressions import literal, total
from suffice.sql.log_densities import log_densities
from suffice.sql.words import WordScores

_FEATURE = "feature"
_LENGTH_WITHOUT_WORDS = "1e-12"


def views(density: WordDensity | Discounted, name: Name) -> list[tuple[str, Analyser]]:
    """The analysers of a text, by name of view."""
    if isinstance(density, WordDensity):
        return [(str(name), density.analyser)]
    return [(f"{name}: {_kind(view.analyser)}", view.analyser) for view in density.views]


def _kind(analyser: Analyser) -> str:
    if isinstance(analyser, CharacterRuns):
        return "characters"
    return "words" if analyser.ngrams == (1, 1) else "pairs"


@log_densities.register
def _(density: WordDensity, names: Sequence[Name], cells: CellSteps) -> list[str]:
    (view, _), *_ = views(density, names[0])
    base, slope = _linear(density, names[0])
    n_classes = density.n_classes
    cells.words.check_classes(1, n_classes)
    cells.words.add_view(view, lambda: WordScores(density.vocabulary, _by_class("score", slope)))
    amount, length = _amount_and_length(density, view, cells)
    sums = []
    for c in range(n_classes):
        score = cells.words.column(f"score_{c}")
        if density.unknown is not None:
            score = f"COALESCE({score}, {cells.dialect.literal(slope[c, density.unknown])})"
        sums.append(cells.words.sum([view], f"COALESCE({amount} * {score}, 0e0)"))
    if length is not None:
        sums = [f"CASE WHEN {length} > 0 THEN {each} / {length} ELSE 0e0 END" for each in sums]
    return _unless_missing(names[0], [f"({literal(b)} + {s})" for b, s in zip(base, sums, strict=True)], cells)


def _linear(density: WordDensity, name: Name) -> tuple[FloatArray, FloatArray]:
    """The score of an empty document, and the score of an occurrence (or the presence) of each word: (classes) and
    (classes, words)."""
    inner = density.inner
    if isinstance(inner, Multinomial):
        return np.zeros(inner.n_classes), inner.slope * density.word_weights
    if isinstance(inner, BernoulliDensity):
        required = np.argwhere(np.isneginf(inner.below))
        if len(required):
            word = density.vocabulary.take(required[:1, 1]).strings()[0]
            raise NoSqlError(
                f"Column {name!r}: a document without the word {word!r} has probability zero in a class",
                "a query sums over the words of a document",
                "Fit with estimate='mean'",
            )
        return inner.below.sum(axis=1), inner.above - inner.below
    raise NoSqlError(
        f"Column {name!r} is modelled by a text model that is not linear in the words ({type(inner).__name__})",
        "Text() and, unless estimate='predictive', Text('multinomial'), 'complement' and 'bernoulli' have a form in SQL",
        "Use one of these",
    )


def _amount_and_length(density: WordDensity, view: str, cells: CellSteps) -> tuple[str, str | None]:
    """The amount of a word in a document before normalisation, and the norm."""
    if isinstance(density.inner, BernoulliDensity):
        return "1e0", None
    weighting: Weighting = density.weighting
    amount = "(1e0 + ln(q.n))" if weighting.sublinear_tf else "q.n"
    if weighting.norm is None:
        return amount, None
    if weighting.norm == "l1":
        return amount, cells.words.sum([view], amount)
    return amount, f"sqrt({cells.words.sum([view], f'{amount} * {amount}')})"


@log_densities.register
def _(density: Discounted, names: Sequence[Name], cells: CellSteps) -> list[str] | None:
    if any(view.analyser is None for view in density.views):
        return None  # word counts in columns
    n_classes, words = density.n_classes, cells.words
    correction = None if density.weights is None else density.weights.correction
    words.check_classes(1 if correction is None else 2, n_classes)
    named = [view for view, _ in views(density, names[0])]
    corrected = {} if correction is None else {view.view: view for view in correction.views}
    terms: list[list[str]] = [[] for _ in range(n_classes)]
    for v, (view, scores) in enumerate(zip(named, density.views, strict=True)):
        words.add_view(view, partial(_word_scores, scores, corrected.get(v)))
        discounted, plain = density.temperatures[v]
        length = words.sum([view], "1e0")
        discount = f"power(CASE WHEN {length} < 1 THEN 1e0 ELSE {length} END, {literal(LENGTH_POWER)})"
        for c in range(n_classes):
            score = words.sum([view], f"COALESCE({words.column(f'score_{c}')}, 0e0)")
            terms[c].append(f"({literal(discounted)} / {discount} + {literal(plain)}) * {score}")
    if density.weights is not None:
        for c, bias in enumerate(density.weights.bias):
            terms[c].append(literal(bias))
    if correction is not None:
        for c, each in enumerate(_corrections(correction, named, n_classes, cells)):
            terms[c].append(each)
    return _unless_missing(names[0], [total(each) for each in terms], cells)


def _corrections(correction: Correction, named: Sequence[str], n_classes: int, cells: CellSteps) -> list[str]:
    """X V of each class; sums are over all corrected views."""
    words, some = cells.words, [named[view.view] for view in correction.views]
    amount = "(1e0 + ln(q.n))"
    square = words.sum(some, f"COALESCE(power({amount} * {words.column(_FEATURE)}, 2), 0e0)")
    length = f"CASE WHEN {square} > 0 THEN sqrt({square}) ELSE {_LENGTH_WITHOUT_WORDS} END"
    sums = [words.sum(some, f"COALESCE({amount} * {words.column(f'correction_{c}')}, 0e0)") for c in range(n_classes)]
    return [f"{each} / {length}" for each in sums]


def _word_scores(view: ViewScores, correction: ViewCorrection | None) -> WordScores:
    """The scores and corrections of all words that have either."""
    vocabulary = view.counts.vocabulary
    if correction is None:
        return WordScores(vocabulary, _by_class("score", view.log_ratios(np.arange(len(vocabulary))).T))
    all_words, place = vocabulary.extended(correction.vocabulary)
    scores, corrections = np.zeros((2, view.table.shape[1], len(all_words)))
    feature = np.zeros(len(all_words))
    scores[:, : len(vocabulary)] = view.log_ratios(np.arange(len(vocabulary))).T
    feature[place] = np.sqrt(correction.information)
    corrections[:, place] = feature[place] * correction.weights.T
    return WordScores(
        all_words, {**_by_class("score", scores), _FEATURE: feature, **_by_class("correction", corrections)}
    )


def _by_class(what: str, values: FloatArray) -> dict[str, FloatArray]:
    return {f"{what}_{c}": each for c, each in enumerate(values)}


def _unless_missing(name: Name, scores: Sequence[str], cells: CellSteps) -> list[str]:
    """Scores that are zero for a missing text, though not for an empty one."""
    missing = cells.is_missing(name)
    return [f"CASE WHEN {missing} = 1 THEN 0e0 ELSE {each} END" for each in scores]
