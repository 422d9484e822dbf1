"""Texts as a query over a table of tokens."""

import numpy as np
import pyarrow as pa
import pytest

from sql.databases import DuckDB
from sql.same import answers, check_same
from suffice import BayesClassifier, Terms, Text
from suffice.errors import DataError, NoSqlError, ParameterError
from suffice.sql import WORD_KEY, TextTables, script, tokens, word_scores

WORDS = [*(f"word{i}" for i in range(120)), "O'Neil", "naïve", "a\\b", "5%", "don't", "?!", '"quoted"', "Ärztin"]


def written(rng, y, rows_of_words=25, holes=0.05) -> pa.Array:
    """Texts whose words depend on the class; some are missing, some empty."""
    favourite = rng.permuted(np.tile(np.arange(len(WORDS)), (y.max() + 1, 1)), axis=1)
    texts = []
    for klass in y:
        places = favourite[klass][np.minimum(rng.zipf(1.5, rng.integers(0, rows_of_words)) - 1, len(WORDS) - 1)]
        texts.append(None if rng.random() < holes else " ".join(WORDS[i] for i in places))
    return pa.array(texts, pa.string())


def mails(seed, rows=1200, classes=3) -> tuple[pa.Table, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, rows)
    table = pa.table({
        "body": written(np.random.default_rng(7), y),
        "hour": pa.array([None if rng.random() < 0.1 else v for v in rng.normal(y, 2.0).tolist()], pa.float64()),
        "sender": pa.array(rng.choice(["friend", "shop", "O'Neil"], rows)),
    })  # fmt: skip
    return table, y


def with_tokens(model, table):
    """The tables that a query joins, made as a user makes them."""
    numbered = table.append_column("row id", pa.array(range(len(table)), pa.int64()))
    return {"tokens": tokens(model, numbered, "row id"), "words": word_scores(model)}


class Beside:
    """A database in which there are further tables, filled by statements."""

    def __init__(self, database, tables):
        self.database, self.tables, self.dialect = database, tables, database.dialect

    def answers(self, table, query, name="rows"):
        keys = {"words": WORD_KEY}
        statements = [s for n, more in self.tables.items() for s in script(more, n, self.dialect, keys.get(n, ()))]
        return self.database.answers(table, query, name, before=statements)


class BesideArrow(Beside):
    """As its users are advised, DuckDB is given many words as Arrow: statements cost it a second per six thousand rows."""

    def answers(self, table, query, name="rows"):
        if not isinstance(self.database, DuckDB):
            return super().answers(table, query, name)
        return self.database.answers(table, query, name, beside=self.tables)


def check_texts(model, table, database, beside=Beside):
    check_same(model, table, beside(database, with_tokens(model, table)), texts=TextTables(key="row id"))


TEXTBOOK = [
    Text("multinomial"),
    Text("multinomial", alpha="tuned", stop_words="english", stem="english"),
    Text("multinomial", sublinear_tf=True, use_idf=True, norm="l2"),
    Text("multinomial", norm="l1", min_documents=3),
    Text("multinomial", unknown="<unk>", held_out=0.1),
    Text("complement", sublinear_tf=True),
    Text("bernoulli", alpha=0.5),
    Text("bernoulli", vocabulary=["word1", "word2", "naïve"], unknown="<other>"),
]


@pytest.mark.parametrize("family", TEXTBOOK, ids=range(len(TEXTBOOK)))
def test_textbook_models(family, database):
    table, y = mails(0)
    model = BayesClassifier({"body": family}, model="naive").fit(table, np.array(["no", "so-so", "yes"])[y])
    check_texts(model, mails(1, rows=200)[0], database)


@pytest.mark.parametrize("family", [Text(), Text(characters=False), Text("discounted")], ids=str)
def test_the_default(family, database):
    table, y = mails(0)
    model = BayesClassifier({"body": family}).fit(table.select(["body"]), y)
    check_texts(model, mails(1, rows=200)[0].select(["body"]), database, BesideArrow)
    corrected = any(name.startswith("correction_") for name in word_scores(model).column_names)
    assert corrected == (family.model == "refined")


@pytest.mark.parametrize("family", [Text(), Text("multinomial")], ids=str)
def test_beside_other_columns_and_another_text(family, database):
    table, y = mails(0)
    table = table.append_column("subject", mails(2)[0].column("body"))
    model = BayesClassifier({"body": family}, model="additive", class_weight="balanced").fit(table, y)
    new, _ = mails(1, rows=200)
    check_texts(model, new.append_column("subject", new.column("body").slice(3).combine_chunks().take(
        pa.array([i % (len(new) - 3) for i in range(len(new))]))), database, BesideArrow)  # fmt: skip


def test_words_of_probability_zero(database):
    table, y = mails(0, rows=300)
    model = BayesClassifier({"body": Text("multinomial")}, estimate="mle", model="naive").fit(table.select(["body"]), y)
    new = mails(1, rows=200)[0].select(["body"])
    assert np.isneginf(model.predict_joint_log_proba(new)).any()
    check_texts(model, new, database)


def test_evidence_of_a_text_adds_up(database):
    table, y = mails(0)
    model = BayesClassifier(model="additive").fit(table, y)
    table = mails(1, rows=200)[0]
    beside = BesideArrow(database, with_tokens(model, table))
    for row in answers(model, table, beside, evidence=True, texts=TextTables("row id")):
        split = [float(value) for name, value in row.items() if name.startswith("evidence(") and name.endswith("| 1)")]
        assert sum(split) == pytest.approx(float(row["log_joint(1)"]), abs=1e-9)
        assert "evidence(body | 1)" in row


def test_tokens_may_come_one_at_a_time(database):
    """Whoever makes the table may write a row for every occurrence."""
    table, y = mails(0, rows=200)
    table = table.select(["body"])
    model = BayesClassifier({"body": Text("multinomial")}, model="naive").fit(table, y)
    tables = with_tokens(model, table)
    counts = tables["tokens"].column("count").to_numpy()
    apart = tables["tokens"].take(np.repeat(np.arange(len(counts)), counts))
    tables["tokens"] = apart.set_column(3, "count", pa.array(np.ones(len(apart), np.int64)))
    check_same(model, table, Beside(database, tables), texts=TextTables("row id"))


def test_words_cannot_break_out(database):
    hostile = ["'; DROP TABLE rows; --", "\\'; DROP TABLE words; --", "x\0y", "\udcff half", 'a"b']
    table = pa.table(
        {"body": pa.array([f"{'tea' if i % 2 else 'milk'} {hostile[4]} {hostile[i % 2]}" for i in range(40)])}
    )
    model = BayesClassifier({"body": Text(characters=True)}, model="naive").fit(table, [0, 1] * 20)
    check_texts(model, table, database)
    odd = BayesClassifier(Text(characters=True)).fit(hostile * 8, [0, 1] * 20)
    assert not any("\0" in word for word in word_scores(odd).column("token").to_pylist())


@pytest.mark.parametrize(
    ("family", "estimate"),
    [
        (Text("multinomial"), "predictive"),
        (Text("poisson"), "mean"),
        (Text("negative_binomial"), "mean"),
        (Text("counts"), "mean"),
    ],
    ids=str,
)
def test_models_that_are_not_linear_are_refused(family, estimate):
    table, y = mails(0, rows=60)
    model = BayesClassifier({"body": family}, estimate=estimate, model="naive").fit(table.select(["body"]), y)
    with pytest.raises(NoSqlError, match=r"Column 'body' .* not linear in the words .* Text\('multinomial'\)"):
        model.to_sql()


def test_what_else_is_refused():
    always = BayesClassifier({"body": Text("bernoulli")}, estimate="mle", model="naive")
    with pytest.raises(NoSqlError, match=r"without the word 'tea' has probability zero .* estimate='mean'"):
        always.fit({"body": ["tea milk", "tea sugar", "water"]}, [0, 0, 1]).to_sql()
    counted = BayesClassifier(Terms()).fit(np.eye(6), [0, 1] * 3)
    with pytest.raises(NoSqlError, match="modelled by Terms"):
        counted.to_sql()
    plain = BayesClassifier(model="naive").fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ParameterError, match="the model has no text column"):
        plain.to_sql(texts=TextTables())
    with pytest.raises(NoSqlError, match="no column of text among 0"):
        word_scores(plain)
    table, y = mails(0, rows=60)
    model = BayesClassifier().fit(table.select(["body"]), y)
    with pytest.raises(DataError, match=r"There is no column 'id'; .* the table has 'body'"):
        tokens(model, table.select(["body"]))
    for keys, found in (([1] * 60, "59 duplicate values"), ([None, *range(59)], "missing in 1 rows")):
        with pytest.raises(DataError, match=found):
            tokens(model, table.append_column("id", pa.array(keys)))
    crowd = BayesClassifier({"body": Text("multinomial")}, model="naive")
    crowd.fit({"body": ["tea", "milk"] * 2000}, [*range(2000)] * 2)
    with pytest.raises(NoSqlError, match="words for 2,000 classes"):
        crowd.to_sql()
