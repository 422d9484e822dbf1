"""The page: one file, nothing that runs, nothing from elsewhere."""

import html
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser

import msgspec
import numpy as np
import pyarrow as pa
import pytest

from report.hostile import SEEDS, texts
from suffice import BayesClassifier
from suffice.report import Subject, page, pictures, summarise

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def _subject(columns, labels, target="y", model="full"):
    table = pa.table({**columns, target: labels})
    estimator = BayesClassifier(model=model).fit(table.drop_columns([target]), np.asarray(labels))
    return Subject(estimator, table, target, len(labels), "rows.csv")


@pytest.fixture(scope="module")
def hostile():
    """200 hostile names of columns, cells and labels, each seed among the columns."""
    rng = np.random.default_rng(0)
    evil = texts(200)
    labels = [evil[i] for i in rng.integers(0, 3, 90)]
    columns = {}
    for j, name in enumerate(evil[: len(SEEDS)]):
        if j % 2:
            columns[name] = [evil[i] for i in rng.integers(0, 200, 90)]
        else:
            columns[name] = rng.normal(size=90) + np.array([evil.index(label) for label in labels])
    subject = _subject(columns, labels, target=evil[199])
    summary, assessment = summarise(subject, folds=2, commands=[evil[3]], warnings=evil[100:120])
    return page(summary, pictures(subject, assessment, summary))


class _Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes = set(), set()

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {(name, tag) for name, _ in attrs}
        for name, value in attrs:
            if name == "src":
                assert value.startswith("data:image/png;base64,")
            if name == "href":
                assert re.fullmatch("#[a-z]+", value)


def test_hostile_text_stays_text(hostile):
    found = _Tags()
    found.feed(hostile)
    assert found.tags == {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "table", "tr", "th", "td", "span", "div", "figure",
        "img", "figcaption", "details", "summary", "pre", "nav", "ul", "li", "a", "wbr",
    }  # fmt: skip
    names = {name for name, _ in found.attributes}
    assert names == {
        "lang", "charset", "http-equiv", "content", "name", "class", "style", "src", "alt", "title", "id", "href",
    }  # fmt: skip
    assert "49" not in re.findall(r"<td>(\d+)</td>", hostile)  # no template ran


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium to open the page in; apt-get install chromium")
def test_hostile_text_runs_nowhere(hostile, tmp_path):
    """In a browser, and without the page's own ban on scripts, so that escaping alone is what is tested."""
    witness = "<script>addEventListener('load', () => setTimeout(() => { document.title = 'hit=' + window.hit }, 300))</script>"
    bare = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", hostile).replace(
        "</head>", f"{witness}</head>", 1
    )
    (tmp_path / "page.html").write_text(bare, encoding="utf-8")
    assert "<title>hit=undefined</title>" in _opened(tmp_path / "page.html", tmp_path)
    # the witness sees what does run
    broken = bare.replace("<body>", "<body><img src=x onerror=window.hit=1>", 1)
    (tmp_path / "broken.html").write_text(broken, encoding="utf-8")
    assert "<title>hit=1</title>" in _opened(tmp_path / "broken.html", tmp_path)


def _opened(path, home):
    """The document after everything in it had time to run."""
    done = subprocess.run(
        [
            CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={home / 'profile'}",
            "--virtual-time-budget=4000", "--dump-dom", path.as_uri(),
        ],
        capture_output=True, timeout=120,
    )  # fmt: skip
    return done.stdout.decode("utf-8", errors="replace")


@pytest.mark.parametrize("model", ["naive", pytest.param("full", marks=pytest.mark.slow)])
def test_a_thousand_columns_fit_into_five_megabytes(model):
    rng = np.random.default_rng(1)
    y = np.repeat(["a", "b"], 60)
    columns = {f"column number {j}": rng.normal(size=120) + (y == "b") * (j % 7 == 0) for j in range(1000)}
    subject = _subject(columns, y, model=model)
    summary, assessment = summarise(subject, folds=2)
    text = page(summary, pictures(subject, assessment, summary))
    assert len(text.encode()) < 5_000_000
    assert text.count("column number") >= 1000


def test_the_page_holds_what_json_prints(hostile):
    subject = _subject({"x": [1.0, 2.0, 3.0, 4.0] * 10, "c": ["p", "q", "p", None] * 10}, ["u", "v", "u", "v"] * 10)
    summary, _ = summarise(subject, folds=2)
    text = page(summary)
    inside = re.search(r"<pre>(\{.*?\n\})</pre>", text, re.S)[1]
    assert json.loads(html.unescape(inside)) == json.loads(msgspec.json.encode(summary))


@pytest.fixture(scope="module")
def mixed():
    """Text, numbers, categories and an empty column of two classes, with long names."""
    rng = np.random.default_rng(5)
    y = np.repeat(["recommended", "returned to the shop"], 80)
    columns = {
        "review of the article": [
            f"{'lovely' if k == 'recommended' else 'shrunk'} ! coat number{i}" for i, k in enumerate(y)
        ],
        "age_of_the_customer_in_years": rng.normal(40, 9, 160) + (y == "recommended"),
        "department": rng.choice(["dresses", "trousers", "intimates"], 160),
        "comment": pa.nulls(160, pa.string()),
    }
    subject = _subject(columns, y)
    summary, assessment = summarise(subject, folds=2)
    return summary, page(summary, pictures(subject, assessment, summary))


def test_the_loss_without_a_text_is_that_of_the_column(mixed):
    summary, text = mixed
    by_name = {d.name: d.loss for d in summary.drivers}
    lost = by_name["review of the article"]
    assert lost.value > 10 * lost.error > 0
    assert lost.value > 5 * abs(by_name["department"].value)
    assert summary.loss_rows == summary.driver_rows == 160
    assert len(re.findall(r"over\s+160 rows", text)) == 2


def test_words_of_a_class_have_letters_and_pictures_have_descriptions(mixed):
    summary, text = mixed
    words = {c.label: c.words for c in summary.texts[0].by_class}
    assert words["recommended"][0] == "lovely"
    assert not any("!" in each for each in words.values())
    described = re.findall(r'<img src="[^"]*" alt="([^"]*)"><figcaption>(.*?)</figcaption>', text)
    assert any(alt.startswith("ROC: true positive rate") and "AUC" in alt for alt, _ in described)
    assert all(len(alt) > len(title) for alt, title in described)


def test_pictures_of_columns_are_explained_and_facts_of_a_column_are_listed_once(mixed):
    summary, text = mixed
    assert "bars are the shares of the rows and lines the densities of the model" in " ".join(text.split())
    whys = [c.why for c in summary.columns if c.kind == "category" and c.profile]
    assert whys
    assert all(text.count(f">{why}<") == 1 and f": {why}</summary>" not in text for why in whys)


def test_names_break_after_punctuation(mixed):
    _, text = mixed
    assert "<td>age_<wbr>of_<wbr>the_<wbr>customer_<wbr>in_<wbr>years</td>" in text


def test_a_page_without_fits_does_not_explain_them():
    words = ["cheap pills now", "lunch on tuesday", "cheap prize", "tuesday meeting"]
    texts_of = [f"{words[i % 4]} number {i} of the letters that came today" for i in range(60)]
    summary, _ = summarise(_subject({"letter": texts_of}, ["spam", "ham"] * 30), folds=2)
    assert "“Off by”" not in page(summary)
    assert "“Off by”" in page(summarise(_subject({"x": [1.0, 2.0] * 30}, ["a", "b"] * 30), folds=2)[0])


def test_counts_have_their_singular_and_nothing_its_reason(mixed):
    _, text = mixed
    assert "all cells missing" in text
    assert "0 names" not in text
    assert "and 1 more columns" not in text
    assert "and 1 more column" in text or "and 2 more columns" in text
    assert not re.search(r">[+−-]0\.0000 ±", text)


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium to open the page in; apt-get install chromium")
def test_a_phone_shows_whole_tables_and_bars_in_proportion(mixed, tmp_path):
    """Within a frame of 390 pixels nothing is wider than it, and bars are as long as their evidence."""
    summary, text = mixed
    measure = """<script>addEventListener('load', () => setTimeout(() => {
      const page = document.querySelector('iframe').contentDocument;
      const over = [page.documentElement, ...page.querySelectorAll('.scroll')].map(e => e.scrollWidth - e.clientWidth);
      const bars = [...page.querySelectorAll('#drivers ~ .scroll .bar')].map(e => e.getBoundingClientRect().width);
      document.title = JSON.stringify({over: Math.max(...over), bars: bars});
    }, 500))</script>"""
    frame = (
        f'<title></title>{measure}<iframe style="width: 390px; height: 900px" srcdoc="{html.escape(text)}"></iframe>'
    )
    (tmp_path / "frame.html").write_text(
        f"<!doctype html><html><head></head><body>{frame}</body></html>", encoding="utf-8"
    )
    title = re.search(r"<title>(.*?)</title>", _opened(tmp_path / "frame.html", tmp_path))[1]
    found = json.loads(html.unescape(title))
    assert found["over"] <= 1
    evidence = np.array([d.evidence for d in summary.drivers])
    shown = np.array(found["bars"][: len(evidence)])
    assert shown[0] > 60
    assert shown / shown[0] == pytest.approx(evidence / evidence[0], abs=0.02)
