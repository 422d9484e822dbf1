"""scikit-learn's own tests of its text vectorizers, run with our ``CountVectorizer`` in the place of its own.

The installed ``sklearn/feature_extraction/tests/test_text.py`` is taken as it is; where a test tries several vectorizers,
ours is one of them.
"""

import sys
import types
from pathlib import Path

import sklearn.feature_extraction

from suffice.text import CountVectorizer

_path = Path(sklearn.feature_extraction.__file__).parent / "tests" / "test_text.py"
_line = "from sklearn.feature_extraction.text import (\n"
_source = _path.read_text()
assert _line in _source
assert "    CountVectorizer,\n" in _source
_source = _source.replace("    CountVectorizer,\n", "", 1).replace(
    _line, f"from suffice.text import CountVectorizer\n{_line}", 1
)

_module = types.ModuleType("sklearn_test_text")
_module.__file__ = str(_path)
sys.modules[_module.__name__] = _module  # some of its functions are pickled, by the name of their module
_tests = vars(_module)
exec(compile(_source, str(_path), "exec"), _tests)  # the text is that of the scikit-learn installed beside us

for _name, _test in _tests.items():
    if _name.startswith("test_"):
        globals()[_name] = _test


def test_the_class_under_test_is_ours():
    assert _tests["CountVectorizer"] is CountVectorizer
    assert sum(name.startswith("test_") for name in _tests) > 50
