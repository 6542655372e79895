# Tafelrunde: run `make` for the list of targets. Needs python3 (3.11 or newer, with venv) and make; all else is installed
# into .venv. Variables: HOST, PORT, ARGS (for pytest, demo, bench and bench-large), PYTHON (the interpreter to use).

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000
JOBS ?= 2
ARGS ?=

PY := .venv/bin/python
RUNTIME := .venv/.runtime-stamp
DEV := .venv/.dev-stamp
STATIC := staticfiles/.stamp

# uv is quicker, where it happens to be installed; both check the same hashes and take ready-made wheels only.
ifneq ($(shell command -v uv 2>/dev/null),)
INSTALL := UV_PYTHON_DOWNLOADS=never uv pip install --quiet --python $(PY) --require-hashes --only-binary :all:
else
INSTALL := $(PY) -m pip install -qq --disable-pip-version-check --require-hashes --only-binary :all:
endif

.DEFAULT_GOAL := help
.PHONY: help serve test clients check format messages demo bench bench-large requirements clean
.DELETE_ON_ERROR:

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

serve: $(RUNTIME) $(STATIC) ## Set up what is missing and serve on http://HOST:PORT (127.0.0.1:8000)
	@HOST='$(HOST)' PORT='$(PORT)' exec $(PY) -m wizard_site.serve --migrate

test: $(DEV) ## Run all tests (ARGS="-k block" for some, THOROUGH=1 for long random runs)
	@$(PY) -m pytest -q -n $(JOBS) --dist worksteal $(ARGS)

clients: ## Install what the test of the TypeScript client needs; it is left out without (needs node and npm)
	@cd tests/clients && npm ci --silent

check: $(DEV) ## Check style, types, templates, imports, migrations, schema, deployment settings and translations
	@$(MAKE) --no-print-directory -j $(JOBS) $(CHECKS:%=check-%)

# Beside one another, the longest first.
CHECKS := types templates schema migrations deployment translations imports style
.PHONY: $(CHECKS:%=check-%)

check-types:
	$(PY) -m mypy
check-templates:
	$(PY) -m djlint templates --check --quiet
	$(PY) -m djlint templates --lint --quiet
check-schema:
	$(PY) manage.py spectacular --validate --fail-on-warn --file /dev/null
check-migrations:
	$(PY) manage.py makemigrations --check --dry-run
check-deployment:
	ALLOWED_HOSTS=block.example.org HTTPS=on $(PY) manage.py check --deploy --fail-level WARNING
check-translations:
	$(PY) -m tests.tools.translations
check-imports:
	.venv/bin/lint-imports --no-logo
check-style:
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

format: $(DEV) ## Format code and templates
	$(PY) -m ruff check --fix-only .
	$(PY) -m ruff format .
# It settles at the second run, and exits 1 when it has changed something.
	@for run in 1 2; do $(PY) -m djlint templates --reformat --quiet >/dev/null; done; true

messages: $(DEV) ## Bring the German catalogue up to date with the code, and compile it (needs gettext)
	$(PY) -m tests.tools.translations --update

demo: $(RUNTIME) ## Fill the database with a club of three years and some quick games (about a minute)
	@$(PY) manage.py migrate --verbosity 0
	@$(PY) manage.py demo $(ARGS)

bench: $(DEV) $(STATIC) ## Measure sizes, statements and speed, as ratios
	@$(PY) -m tests.bench $(ARGS)

bench-large: $(DEV) $(STATIC) ## Measure the statistics of 100,000 games, on SQLite or the PostgreSQL of DATABASE_URL
	@$(PY) -m tests.bench.large.measure $(ARGS)

requirements: ## Lock requirements*.in, and tests/clients, into files with hashes (for maintainers; needs uv and npm)
	UV_PYTHON_DOWNLOADS=never uv pip compile -q --generate-hashes --universal --python-version 3.11 --no-header requirements.in -o requirements.txt
	UV_PYTHON_DOWNLOADS=never uv pip compile -q --generate-hashes --universal --python-version 3.11 --no-header requirements-dev.in -o requirements-dev.txt
	cd tests/clients && npm install --package-lock-only --omit-lockfile-registry-resolved --silent

clean: ## Remove all that make has made, except the data folder
	rm -rf .venv tests/clients/node_modules staticfiles .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis test-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment is made anew when its interpreter is gone, and for the first time by whichever stamp comes first.
define ENVIRONMENT
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.11 ...")'
@$(PY) -c '' 2>/dev/null || { echo 'Creating .venv'; $(PYTHON) -m venv --clear .venv; }
endef

$(RUNTIME): requirements.txt
	$(ENVIRONMENT)
	@echo 'Installing packages'
	@$(INSTALL) -r requirements.txt
	@touch $@

# requirements-dev.txt holds the server's packages too.
$(DEV): requirements-dev.txt requirements.txt
	$(ENVIRONMENT)
	@echo 'Installing packages for tests and checks'
	@$(INSTALL) -r requirements-dev.txt
	@touch $(RUNTIME) $@

# Folders are listed beside files, because a deleted file changes only its folder.
$(STATIC): $(RUNTIME) $(shell find static scoresheets/static 2>/dev/null)
	@echo 'Collecting static files'
	@$(PY) manage.py collectstatic --noinput --verbosity 0
	@touch $@
