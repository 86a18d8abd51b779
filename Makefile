# Everything here works from a bare clone with Python 3.11 or later and the package registries alone.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
  $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; exit; }; done)
BIN := .venv/bin
JOBS ?= auto

.PHONY: install dev demo test check lint types contracts proto clean

install: .venv/installed
dev: .venv/developing

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'

.venv/installed: .venv/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[python]'
	@touch $@

.venv/developing: .venv/installed
	$(BIN)/python -m pip install --quiet --group dev
	@touch $@

demo: install  ## index small bundled projects with the real engines and ask about them
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh fixtures/demo.sh fixtures

test: dev  ## every test; missing downloads are failures, never skips
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile

lint: dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: dev
	$(BIN)/mypy

contracts: dev
	$(BIN)/lint-imports

check: lint types contracts test  ## exactly what CI runs

proto: dev  ## regenerate the SCIP bindings from proto/scip.proto
	$(BIN)/python -m grpc_tools.protoc -Iproto --python_out=codetrail/scip --pyi_out=codetrail/scip proto/scip.proto

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis
