# make demo   install into .venv and run the tour      make test   all tests
# make lint   ruff and mypy                            make quick  the fast tests only
# make learn  the learning side (PyTorch, Ultralytics) into .venv-learn, with a GPU or without
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed

.PHONY: demo test quick lint format learn clean

demo: $(INSTALLED)
	@$(BIN)/feltwatch demo

test: $(INSTALLED)
	@$(BIN)/pytest

quick: $(INSTALLED)
	@$(BIN)/pytest -m "not slow"

lint: $(INSTALLED)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

format: $(INSTALLED)
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

learn:
	@PYTHON=$(PYTHON) tools/learn/install .venv-learn

$(INSTALLED): pyproject.toml
	@echo "installing feltwatch into .venv (once; a minute or two on a fresh machine)"
	@$(PYTHON) -c 'import sys; sys.exit("feltwatch needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
