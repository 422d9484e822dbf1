"""What importing costs, and what it must not load."""

import subprocess
import sys

HEAVY = ["sklearn", "pandas", "matplotlib", "polars", "pyarrow", "scipy", "numpy", "Stemmer", "stop_words"]


def loaded_after(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint(' '.join(m for m in {HEAVY!r} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_import_loads_nothing_heavy():
    assert loaded_after("import suffice; dir(suffice)") == set()


def test_families_and_models_do_without_scikit_learn_and_pandas():
    assert loaded_after("import suffice.model, suffice.posterior, suffice.explain, suffice.decision") <= {
        "numpy",
        "scipy",
    }


def test_an_array_needs_no_arrow():
    """(The estimators do load pandas where it is installed: scikit-learn imports it.)"""
    code = "import numpy as np; from suffice.sources import open_table; open_table(np.eye(3)).numbers(range(3))"
    assert loaded_after(code) <= {"numpy", "scipy"}


def test_text_is_tokenised_without_scikit_learn_arrow_and_stemmers():
    code = "from suffice.columns.analyser import Words; from suffice.columns.documents import view_documents\n"
    assert loaded_after(code + "Words().bags(view_documents(['naïve tea']))") <= {"numpy", "scipy"}
    assert not loaded_after("import suffice.text") & {"Stemmer", "stop_words"}


def test_every_public_name_is_there():
    import suffice

    assert suffice.decision.decide is not None
    assert {"decision", "naive_bayes"} <= set(dir(suffice))
    for name in suffice.__all__:
        assert getattr(suffice, name) is not None
