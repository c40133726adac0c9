# Solo Whist. On a machine with make and Python 3.11, 3.12 or 3.13, every target sets up what it needs.
# Another interpreter: make PYTHON=python3.12 test

SHELL := /bin/sh
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
BIN := .venv/bin
PY := $(BIN)/python
STAMP := .venv/.setup-done
PEERS_STAMP := .venv-peers/.setup-done

# One thread per process: the tests run in parallel themselves. Kernels with bounds checks are other code
# under the same names, so they have a cache of their own.
TEST_ENV = OMP_NUM_THREADS=1
CHECKED_ENV = OMP_NUM_THREADS=1 NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR="$(CURDIR)/.cache/numba-checked"
PYTEST = $(PY) -m pytest
# What runs again as plain Python, which is some fifty times slower.
PLAIN_TESTS = tests/engine tests/properties/test_invariants.py tests/properties/test_symmetries.py \
	tests/twins/test_auctions.py tests/twins/test_published_hand.py tests/golden

.PHONY: help setup test check train results bench bench-peers speed docs test-long clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) ## Create .venv and install Solo Whist in it, ready to change and test

# The stamp comes last, so a set-up that failed is done again.
$(STAMP): pyproject.toml constraints.txt
	@py='$(PY)'; $(PY) -m pip --version >/dev/null 2>&1 || py='$(PYTHON)'; \
	found=$$("$$py" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || found='not there'; \
	case "$$found" in 3.11|3.12|3.13) ;; *) \
		echo "Solo Whist needs Python 3.11, 3.12 or 3.13, and $$py is $$found; name another with: make PYTHON=python3.12" >&2; \
		exit 1;; esac
	@rm -f $(STAMP)
	$(PY) -m pip --version >/dev/null 2>&1 || "$(PYTHON)" -m venv --clear .venv
	$(PY) -m pip install --quiet --upgrade pip
	$(PY) -m pip install -c constraints.txt -e ".[dev]"
	@touch $(STAMP)

test: check ## Check the code, then run the tests: compiled, as plain Python, and with bounds checks
	$(TEST_ENV) $(PYTEST) -n 2
	$(TEST_ENV) NUMBA_DISABLE_JIT=1 $(PYTEST) -n 2 $(PLAIN_TESTS) -q -m "not jit_only and not long"
	$(CHECKED_ENV) $(PYTEST) -n 2 tests/engine -q -m "not jit_only and not long"

check: $(STAMP) ## Check format, style, types and the layers of imports
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(BIN)/lint-imports --no-logo

train: $(STAMP) ## Train a player in a short run, into runs/quick
	$(BIN)/solo-whist train quick --run runs/quick $(if $(wildcard runs/quick/checkpoint.pt),--resume)

results: $(STAMP) ## Train anew and write the README's results and picture
	rm -rf runs/results
	$(BIN)/solo-whist train quick --run runs/results
	$(PY) -m training.docs --results runs/results --picture

bench: $(STAMP) ## Measure the speed of the environment, in a minute or two
	$(PY) -m benchmarks --quick

bench-peers: $(STAMP) $(PEERS_STAMP) ## Measure it in turns with OpenSpiel, RLCard, PettingZoo's games and pgx
	$(PY) -m benchmarks --only peers

speed: $(STAMP) $(PEERS_STAMP) ## Measure everything at length, and write the README's speed table (a quiet machine)
	$(PY) -m benchmarks --peers --json docs/speed.json
	$(PY) -m training.docs

# Each by itself: one that cannot be had leaves the others.
$(PEERS_STAMP): benchmarks/peers/requirements.txt
	$(PYTHON) -m venv --clear .venv-peers
	grep -v '^#' $< | while read -r peer; do .venv-peers/bin/python -m pip install --quiet "$$peer" \
		|| echo "$$peer cannot be installed here, and is left out."; done
	@touch $(PEERS_STAMP)

docs: $(STAMP) ## Write the generated tables of the README and docs again
	$(PY) -m training.docs

test-long: $(STAMP) ## Run the tests that take minutes
	$(TEST_ENV) $(PYTEST) -n 2 -m long

clean: ## Remove caches and built files; .venv, .venv-peers and runs stay
	rm -rf build dist htmlcov .cache .coverage .coverage.* .hypothesis
	rm -rf .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . \( -name .git -o -name '.venv*' -o -name runs \) -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +
