# Endpoints: `make help` lists what can be made. Each target does its own set-up.

VENV := .build/venv
SERVE := $(VENV)/bin/python Tests/Support/serve.py
SWIFT := swift

.DEFAULT_GOAL := help
.PHONY: help demo test lint format docs coverage bench fuzz soak clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/ready ## send eight requests to a real server and print what happens
	$(SWIFT) build --product endpoints-demo
	@$(SERVE) --only httpbin -- .build/debug/endpoints-demo

test: $(VENV)/ready ## run every check there is
	Tests/Support/test.sh

$(VENV)/ready: Tests/Support/requirements.txt
	python3 -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --requirement $<
	@touch $@

bench: $(VENV)/ready ## measure what requests cost, against code written by hand
	@$(SERVE) --only load -- $(SWIFT) run -c release --package-path Tests/Benchmarks
