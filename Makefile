# make demo   install into .venv, watch sample footage live, open the pages (ARGS="--seconds 120")
# make test   all tests
# make lint   ruff and mypy                            make quick  the fast tests only
# make learn  the learning side (PyTorch, Ultralytics) into .venv-learn, with a GPU or without
PYTHON ?= python3
BIN := .venv/bin
RUNNABLE := .venv/.runnable
INSTALLED := .venv/.installed
ARGS ?=
export PYTHON

.PHONY: demo test quick lint format learn clean

demo: $(RUNNABLE)
	@exec $(BIN)/feltwatch demo $(ARGS)

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
	@tools/learn/install .venv-learn

$(RUNNABLE): pyproject.toml
	@tools/install
	@touch $@

$(INSTALLED): pyproject.toml studio/pyproject.toml
	@tools/install dev
	@touch $(RUNNABLE) $@

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
