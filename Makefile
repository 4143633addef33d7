# What a newcomer and the build run. `make help` lists it.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# mypy and import-linter read the package through the link tree of a strict editable install, which is of no other use.
TYPES := .venv-types
# pip shows its progress on a terminal and is quiet elsewhere.
QUIET := $(if $(MAKE_TERMOUT),,--quiet)

.PHONY: help
help:  ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "%-12s %s\n", $$1, $$2}'

$(VENV)/.installed: pyproject.toml Makefile
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "graphplace needs Python 3.11 or newer: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv $(VENV)
	@echo "Installing graphplace and what it needs into $(VENV) ..."
	$(BIN)/pip install $(QUIET) --editable '.[bench,local,server,test]'
	@touch $@

$(TYPES)/.installed: pyproject.toml Makefile
	$(PYTHON) -m venv $(TYPES)
	$(TYPES)/bin/pip install $(QUIET) 'setuptools>=77' '.[local,server,test]'
	@touch $@

.PHONY: demo
demo: $(VENV)/.installed  ## Load a small cloud, serve it on port 8778, and show one request answered
	$(BIN)/graphplace demo

.PHONY: test
test: lint $(VENV)/.installed  ## Check the code and run every test
	$(BIN)/pytest --numprocesses=2 --dist=loadfile

.PHONY: docker-check
docker-check: $(VENV)/.installed  ## Lint docker/, do its steps in a clean environment, and start it where an engine is
	GRAPHPLACE_TEST_IMAGE=1 $(BIN)/pytest tests/image

.PHONY: bench
bench: $(VENV)/.installed  ## Measure graphplace beside the real Placement, about an hour; docs/performance.md
	$(BIN)/python bench/compare.py

.PHONY: bench-small
bench-small: $(VENV)/.installed  ## The same on clouds of at most 1,000 trees and with few rounds; keeps no results
	$(BIN)/python bench/compare.py --small

.PHONY: lint
lint: $(VENV)/.installed $(TYPES)/.installed  ## Check style, types and layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	rm -rf build
	$(TYPES)/bin/pip install --quiet --no-deps --no-build-isolation --editable . --config-settings editable_mode=strict
	MYPYPATH=$$(echo build/__editable__*) $(TYPES)/bin/mypy -p graphplace
	cd build/__editable__* && $(CURDIR)/$(TYPES)/bin/lint-imports --no-cache $(CURDIR)/pyproject.toml
