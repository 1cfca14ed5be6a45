# Two commands: `make book` and `make test`. Both set up .venv if it is not there.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
AGAIN := $(BIN)/pytest --nbval -n 2 --dist loadfile -p no:cacheprovider
export OMP_NUM_THREADS ?= 1

# Stages build on one another, and use all cores themselves.
.NOTPARALLEL:

.PHONY: book test lint types unit proofs devices quick tiny repeat site browser pdf bench clean

book: $(READY)
	$(BIN)/featurebook build

test: lint types quick unit tiny site browser
	@echo "all checks passed"

$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; $(PYTHON) is $$($(PYTHON) --version). Try make PYTHON=python3.12"; exit 1; }
	$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(READY)
	$(BIN)/mypy

# A file at a time, the one with most tests first: none waits long for the other at the end.
unit: $(READY)
	$(BIN)/pytest -n 2 --dist loadfile -m "not browser and not tex and not long"

# Refutations and corrections that Rocq (Coq) checks, and what each assumes; needs coqc, no Python.
proofs:
	$(MAKE) -C proofs -k -j 2

quick: $(READY)
	$(BIN)/featurebook run

# Every chapter that can train on a GPU, on a stand-in for one (tests/far.py).
devices: $(READY)
	$(BIN)/pytest -n 2 -m long

# Execute every chapter at the tiny scale, then the stories again with nbval, which compares the outputs.
tiny: $(READY)
	$(BIN)/featurebook run --scale tiny
	$(AGAIN) _build/notebooks/*/story.tiny.ipynb

# The same comparison for every chapter.
repeat: $(READY)
	$(BIN)/featurebook run --scale tiny
	$(AGAIN) _build/notebooks/*/*.tiny.ipynb

site: $(READY) quick
	$(BIN)/featurebook build

# What needs the built site: a real browser, and TeX to compare its book with.
browser: $(READY) site
	$(BIN)/pytest -n 2 --dist loadgroup -m "browser or tex" -rs

# The whole book as one PDF, set by TeX; says what is missing where something is.
pdf: $(READY)
	$(BIN)/featurebook build --pdf

# Speed against a plain loop, JAX and the bare matrix products; never part of test.
bench: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	$(BIN)/python benchmarks/measure.py benchmarks/records/$$(date -u +%Y-%m-%d-%H%M).json

# What somebody edited stays: notebooks of `featurebook serve --lab`, and executed ones that were put aside.
clean:
	@if [ -d _build ]; then \
		find _build ! -type d ! -path "_build/lab/*" ! -name "*.edited-*" -delete; \
		find _build -type d -empty -delete; fi
