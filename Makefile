# Endpoints: `make help` lists what can be made. Each target does its own set-up.

SWIFT := swift
VENV := .build/venv
CHAT_VENV := .build/chat-venv
BENCH_VENV := .build/bench-venv
AUTH_VENV := .build/auth-venv
DURABLE_VENV := .build/durable-venv
SIZE := 1024
RATE := 32
ASYNC_HTTP_CLIENT := Sources/Integrations/AsyncHTTPClient
# The OpenAPI documents that `make wire` imports.
DOCUMENTS :=
# A folder with clones of awslabs/aws-c-auth and httpwg/structured-field-tests, whose public vectors `make auth` reads.
VECTORS :=
# How many random requests and messages `make auth` signs, and how many processes `make durable` kills of each kind.
COUNT := 2000
# Where `make others` looks for clones of other libraries, and puts them.
CLONES := .build/others
# The platform that `make apple` builds for.
PLATFORM := iOS
# Shows on a terminal how far a command is.
PROGRESS := python3 Tests/Support/progress.py
# Builds packages with the options of all checks; LIBRARY and PROGRAMS are where it puts the modules and the programs.
BUILD := Tests/Support/build.sh
LIBRARY := .build/checks/debug
PROGRAMS := Tests/.build/release
SERVE := $(VENV)/bin/python Tests/Support/serve.py
SOURCES := Package.swift Sources Tests

.DEFAULT_GOAL := help
.PHONY: help demo unit test auth durable replay integrations wire others lint format api docs servers apple branch coverage chat bench big fuzz soak cache-tests clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-14s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/ready ## show what the library does with a server that is as unreliable as servers are
	@echo 'building the demo…'; $(BUILD) . --product endpoints-demo
	@$(SERVE) --only shop -- $(LIBRARY)/endpoints-demo

unit: ## run the tests that need no server, and no set-up
	$(SWIFT) test --quiet --disable-xctest

test: $(VENV)/ready ## run every check there is, or one: CHECK=fuzz; CHECK=list lists them
	@$(VENV)/bin/python -B Tests/Support/test.py

replay: $(VENV)/ready ## run the tests of servers with the servers off, from what they recorded with them on
	@Tests/Support/replay.sh

integrations: $(VENV)/ready ## test what adds other packages to the library, each a package of its own
	@for package in Sources/Integrations/*/; do \
		$(SERVE) --only httpbin --only recorder --only faults --only http2 -- \
			$(SWIFT) test --quiet --disable-xctest --no-parallel --package-path $$package || exit 1; \
	done
	@$(SERVE) --only faults -- $(SWIFT) run --quiet --package-path $(ASYNC_HTTP_CLIENT) Big 64
	@$(SERVE) --only httpbin -- $(VENV)/bin/python -B Tests/Support/linux.py

auth: $(AUTH_VENV)/ready ## compare signatures and sign-ins with other libraries and servers: COUNT=100000; VECTORS=folder for public vectors
	@echo 'building…'; for program in Signatures Storage MessageSignatures OAuthCheck; do \
		$(BUILD) Tests --product $$program || exit 1; done
	@$(AUTH_VENV)/bin/python -B Tests/Auth/aws.py $(COUNT)
	@$(AUTH_VENV)/bin/python -B Tests/Auth/message_signatures.py $(COUNT)
	@$(AUTH_VENV)/bin/python -B Tests/Auth/storage.py
	@$(AUTH_VENV)/bin/python -B Tests/Auth/oauth.py
	@Tests/Auth/vectors.sh '$(VECTORS)'

durable: $(DURABLE_VENV)/ready ## kill processes that download, upload and send later, with real servers: COUNT=10000
	@echo 'building…'; for program in DownloadKills UploadKills OutboxKills; do \
		$(BUILD) Tests -c release --product $$program || exit 1; done
	@$(SWIFT) build --quiet -c release --package-path Tests/Durable/UploadServer
	@$(PROGRESS) $(DURABLE_VENV)/bin/python -B Tests/Durable/downloads.py $(COUNT)
	@$(PROGRESS) $(DURABLE_VENV)/bin/python -B Tests/Durable/uploads.py $(COUNT)
	@$(PROGRESS) $(DURABLE_VENV)/bin/python -B Tests/Durable/outbox.py $(COUNT)

servers: $(VENV)/ready ## load from servers that people run, with both transports, and compare what a user gets with the page Servers.md
	@echo 'building…'; $(BUILD) Tests --product Servers
	@$(SWIFT) build --quiet --package-path $(ASYNC_HTTP_CLIENT) --product Servers
	@$(VENV)/bin/python -B Tests/Servers/servers.py

wire: $(VENV)/ready ## import the OpenAPI documents of the folder DOCUMENTS, and compare all their requests with OpenAPI
	@test -n '$(DOCUMENTS)' || { echo 'make wire: name the folder: make wire DOCUMENTS=folder' >&2; exit 1; }
	@$(VENV)/bin/python -B Tests/Import/wire.py $(DOCUMENTS)

others: ## compile what the pages about other libraries show of these, and compare what is sent; clones are in CLONES
	$(BUILD) .
	@mkdir -p $(CLONES) && python3 -B Tests/Others/others.py $(CLONES)

lint: ## check the format of all Swift code and its comments, that each room of the core uses only those before it, and what CONTRIBUTING.md names
	$(SWIFT) format lint --strict --parallel --recursive $(SOURCES)
	@python3 Tests/Support/columns.py
	@python3 Tests/Support/rooms.py
	@python3 Tests/Support/counts.py
	@python3 Tests/Support/places.py

format: ## format all Swift code
	$(SWIFT) format --in-place --parallel --recursive $(SOURCES)

api: ## write the lists of the public API into Tests/API
	$(BUILD) .
	$(BUILD) Tests/Combine
	@python3 -B Tests/Compile/api.py --write

docs: ## build the documentation into .build/docs, and say how to read it
	@python3 Tests/Support/docs.py

apple: ## build each library product for PLATFORM with Xcode: iOS, tvOS, watchOS, visionOS or macOS
	@for product in $$(sed -n 's/.*\.library(name: "\([A-Za-z]*\)".*/\1/p' Package.swift); do \
		echo "building $$product for $(PLATFORM)…"; \
		xcodebuild build -quiet -scheme $$product -destination 'generic/platform=$(PLATFORM)' \
			-derivedDataPath .build/xcode CODE_SIGNING_ALLOWED=NO || exit 1; \
	done

branch: ## make the branch async-http-client of the last commit, for users of AsyncHTTPClient; push it after main
	@python3 Tests/Support/branch.py

coverage: $(VENV)/ready ## print how many lines of the library the tests run
	@Tests/Support/coverage.sh

chat: $(CHAT_VENV)/ready ## chat through a real Matrix homeserver that is killed and started again meanwhile
	@echo 'building the chat…'; $(BUILD) Tests --product Chat
	@$(CHAT_VENV)/bin/python Tests/Chat/homeserver.py -- $(LIBRARY)/Chat

bench: $(VENV)/ready ## measure what a request and its declaration cost, against code written by hand
	@echo 'building the benchmarks…'; $(BUILD) Tests -c release --product Benchmarks
	@$(BUILD) Tests -c release --product Loads
	@$(BUILD) Tests -c release --product OneLoad
	@$(SWIFT) build --quiet -c release --package-path $(ASYNC_HTTP_CLIENT) --product Loads
	@$(PROGRESS) $(SERVE) --only load -- $(PROGRAMS)/Benchmarks
	@$(PROGRESS) $(VENV)/bin/python -B Tests/Benchmarks/loads.py
	@$(PROGRESS) $(VENV)/bin/python -B Tests/Benchmarks/waiting.py
	@$(PROGRESS) python3 Tests/Benchmarks/compile.py
	@$(PROGRESS) python3 Tests/Benchmarks/weight.py
	@$(PROGRESS) python3 Tests/Benchmarks/instructions.py
	@$(PROGRESS) python3 -B Tests/Benchmarks/load_instructions.py
	@python3 Tests/Benchmarks/programs.py
	@python3 Tests/Benchmarks/start.py
	@$(MAKE) --no-print-directory $(BENCH_VENV)/ready
	@$(BENCH_VENV)/bin/python -B Tests/Benchmarks/throughput.py
	@$(BENCH_VENV)/bin/python Tests/Benchmarks/charts.py

big: $(VENV)/ready ## load bodies of SIZE megabytes, one at RATE a second, and print how much memory that takes
	@echo 'building…'; $(BUILD) Tests -c release --product Big
	$(SWIFT) build --quiet --package-path $(ASYNC_HTTP_CLIENT) --product Big
	@$(PROGRESS) $(SERVE) --only faults -- $(PROGRAMS)/Big $(SIZE) $(RATE)
	@$(PROGRESS) $(SERVE) --only faults -- $(ASYNC_HTTP_CLIENT)/.build/debug/Big $(SIZE) $(RATE)

fuzz: $(VENV)/ready ## try random declarations and responses, and keep what fails as a test
	@$(PROGRESS) Tests/Fuzz/fuzz.sh --keep

soak: $(VENV)/ready ## send 50,000 requests, and again with the sanitizers
	@$(PROGRESS) Tests/Soak/soak.sh

cache-tests: ## run the public suite of tests of HTTP caches (http-tests/cache-tests) against the cache: SUITE=path; needs Node
	@test -f "$(SUITE)/tests/index.mjs" || { echo 'SUITE is not a clone of http-tests/cache-tests' >&2; exit 1; }
	@echo 'building the proxy…'; ENDPOINTS_CACHE_PROXY=1 $(BUILD) Tests --product CacheProxy
	@node --no-warnings Tests/CacheProxy/run.mjs $(SUITE) Tests/.build/debug/CacheProxy
	@node --no-warnings Tests/CacheProxy/run.mjs $(SUITE) Tests/.build/debug/CacheProxy "$$(mktemp -d)"

clean: ## remove all that was made
	rm -rf .build* Tests/.build* Tests/*/.build* Sources/Integrations/*/.build*

$(VENV)/ready: Tests/Support/requirements.txt
$(CHAT_VENV)/ready: Tests/Chat/requirements.txt
$(BENCH_VENV)/ready: Tests/Benchmarks/requirements.txt
$(AUTH_VENV)/ready: Tests/Auth/requirements.txt
$(DURABLE_VENV)/ready: Tests/Durable/requirements.txt

$(VENV)/ready $(CHAT_VENV)/ready $(BENCH_VENV)/ready $(AUTH_VENV)/ready $(DURABLE_VENV)/ready:
	@python3 -c 'import ensurepip, venv' || \
		{ echo 'Python has no venv: on Debian, apt-get install python3-venv' >&2; exit 1; }
	python3 -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@
