# make demo   install into .venv, watch sample footage live, open the pages (ARGS="--seconds 120")
# make install  both packages and the developer's tools into .venv (test, quick, lint and format do it by themselves)
# make test   all tests
# make lint   ruff and mypy                            make quick  the fast tests only
# make learn  the learning side (PyTorch, Ultralytics) into .venv-learn, with a GPU or without
PYTHON ?= python3
BIN := .venv/bin
RUNNABLE := .venv/.runnable
INSTALLED := .venv/.installed
ARGS ?=
export PYTHON

.PHONY: demo install test quick lint format learn clean

demo: $(RUNNABLE)
	@exec $(BIN)/feltwatch demo $(ARGS)

install: $(INSTALLED)

test: install
	@$(BIN)/pytest

quick: install
	@$(BIN)/pytest -m "not slow"

lint: install
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

format: install
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
