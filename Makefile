# Everything runs inside .venv, made from the compiled pins. `make test` is the gate.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: docs reference faults load matrix tables test check format setup pins demo bench bench-quick clean clients real soak

test: check
	$(BIN)/python -m pytest -q

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/basedpyright
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

setup: $(READY)

$(READY): requirements/dev.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $(READY)

pins:
	$(BIN)/python -m pip install --quiet pip-tools
	CUSTOM_COMPILE_COMMAND="make pins" $(BIN)/pip-compile --quiet --generate-hashes --strip-extras \
	  --allow-unsafe --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
	  --all-extras --output-file requirements/dev.txt pyproject.toml requirements/dev.in

tables: setup
	PYTHONPATH=tests $(BIN)/python tests/support/matrix.py
	PYTHONPATH=tests $(BIN)/python tests/support/complaints.py

# The wall of faults at real time scale; takes a minute and a half.
faults: setup
	$(BIN)/python tests/faults/run.py

# A thousand slow streams on one worker for a minute; `make test` runs the short form.
load: setup
	$(BIN)/python tests/load/run.py

matrix: setup
	PYTHONPATH=tests $(BIN)/python -m support.gateway_matrix

# Claude Code, Codex and Gemini CLI from npm, over every upstream; `make test` runs a few of them.
clients: setup
	$(BIN)/python -m pytest -q -m "full or not full" tests/clients

# A real model, small: llama.cpp and SmolLM2; `make test` runs the short ones.
real: setup
	$(BIN)/python -m pytest -q -s -m "full or not full" tests/real tests/local

# A real model on this machine shows a chat, a tool call, a failover and the gateway.
demo:
	@test -e $(READY) || echo "installing into $(VENV): a minute or two ..."
	@$(MAKE) --no-print-directory setup
	@$(BIN)/majordomo demo

# The pages that are made from the source.
reference: setup
	PYTHONPATH=tests $(BIN)/python tests/support/reference/pages.py

# The documentation as a site in .cache/site; a link that leads nowhere is an error.
docs: reference
	$(BIN)/mkdocs build --quiet --strict

# Ours beside nginx, LiteLLM and Portkey (installed into .cache/bench when first needed), then the
# library beside its peers, then what single parts cost. Minutes; run it on a quiet machine.
bench: setup
	$(BIN)/python bench/gateway.py --peers
	$(BIN)/python bench/library.py --peers
	$(BIN)/python bench/actions.py
	$(BIN)/python bench/media.py
	$(BIN)/python bench/route.py
	$(BIN)/python bench/scaling.py

# The gateway beside nginx, and the library beside the openai SDK: under two minutes.
bench-quick: setup
	$(BIN)/python bench/gateway.py --quick --repeats 3
	$(BIN)/python bench/library.py --quick

# Flat memory: `make soak SECONDS=3600` for an hour.
SECONDS ?= 60
soak: setup
	$(BIN)/python bench/soak.py --seconds $(SECONDS)
