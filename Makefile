# Every target has one line of help behind `##`; `make help` prints them.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PREFIX ?= /usr/local
DESTDIR ?=
# The program that `make install` puts into place, and that tells its own manual and completions.
HOGA ?= dist/hoga
# How many trials `make seeds` runs, and the one that it runs instead.
SEEDS ?= 50
SEED ?=
# Arguments of the program that `make run`, `make clients` and `make profile` start.
ARGS ?=

# SwiftPM caches the state of git but not the environment.
export HOGA_COMMIT := $(shell git describe --always --exclude='*' --abbrev=12 --dirty=+changes)

# A failed import check still prints "Build complete!"; trust the exit status.
BUILD := swift build --explicit-target-dependency-import-check error
# Tests need no debug information. The index stays: SwiftPM finds the tests in it.
# One batch a target: each further one reads the whole target and expands its macros again.
DEBUG_FLAGS := -Xswiftc -gnone -Xswiftc -driver-batch-count -Xswiftc 1
DEBUG_BUILD := $(BUILD) $(DEBUG_FLAGS)
# Other flags in the same folder would rebuild everything.
RELEASE_BUILD := $(BUILD) -c release --product hoga --static-swift-stdlib
# Two test runs work side by side, so none may wait for the lock of the build folder.
RUN_TESTS := swift test --skip-build --disable-xctest --ignore-lock $(DEBUG_FLAGS)
# Begun all at once, the tests hold hundreds of threads, servers and simulated exchanges, which take
# the processors from the tests that run: they took three times as long and more.
SIXTEEN_AT_A_TIME := --experimental-maximum-parallelization-width 16
# Tests that start programs mostly wait. In one process with the others they would stand in line for
# the two threads of Swift's pool, so they have a process of their own.
PROGRAM_TESTS := ^(IntegrationTests|DataSourcesTests\.Store(Sharing|Crash)Tests)
# Uses every file descriptor that a process may open.
ALL_DESCRIPTORS := ^PlatformTests\.HTTPServerLoadTests
# Suites in which threads share state have the tag `threads`; the sanitizer runs those alone, and
# only their targets are built for it.
TSAN_TARGETS = $(shell scripts/test-suites.py targets threads)
TSAN_SUITES = $(shell scripts/test-suites.py filter threads)
# Compressed messages take long there, and have the threads of uncompressed ones.
TSAN_SKIPPED := ^(ExchangeSimulatorTests\.Stream|DataSourcesTests\.CurlWebSocket)$\
	ConformanceTests/compressed
TSAN_FLAGS := $(shell scripts/with-sanitizer --flags thread) --scratch-path .build-tsan
# The test targets of the modules that call C libraries. The other layers reach those through them.
ASAN_TARGETS := DataSourcesTests,PlatformTests,PresentationTerminalTests
# Suites there that call none, and those that need a process of their own.
ASAN_SKIPPED := $(PROGRAM_TESTS)|$(ALL_DESCRIPTORS)|$\
	^PlatformTests\.(JSON|NetworkAddress|AddressRange|PublicAddresses)|$\
	^PresentationTerminalTests\.(?!Terminal(Device|Mouse|Session)Tests/)
ASAN_FLAGS := $(shell scripts/with-sanitizer --flags address) --scratch-path .build-asan
# Each target is fuzzed so many minutes; TARGETS="json http-heads" chooses some, SEED their inputs.
MINUTES ?= 1
TARGETS ?=
# The scenarios that `make failing-calls` runs; all if empty.
SCENARIOS ?=
# Swift, C and C++ count edges for libFuzzer and check addresses; C and C++ also check for undefined
# behavior. gold cannot link that. Tests see internal declarations, so parsers need not be public.
FUZZ_BUILD := HOGA_FUZZ=1 $(BUILD) -c release --scratch-path .build-fuzz --product Fuzzer \
	-Xswiftc -enable-testing -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld \
	-Xcc -fsanitize=fuzzer-no-link,address,undefined -Xcc -fno-sanitize-recover=all \
	-Xcc -fno-sanitize=vptr
FUZZ_COVERAGE_BUILD := HOGA_FUZZ=1 $(BUILD) --scratch-path .build-fuzz-coverage --product Fuzzer \
	-Xswiftc -enable-testing -Xswiftc -use-ld=lld -Xswiftc -sanitize=fuzzer \
	-Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping \
	-Xcc -fprofile-instr-generate -Xcc -fcoverage-mapping
SWIFT_SOURCES := Package.swift Sources Tests Benchmarks
SCRIPTS := $(shell grep -rl '^\#!/usr/bin/env bash' scripts Benchmarks .ci deploy packaging)

# The paths of manual and completions below PREFIX.
MAN_PAGE := share/man/man1/hoga.1
BASH_COMPLETION := share/bash-completion/completions/hoga
ZSH_COMPLETION := share/zsh/site-functions/_hoga
FISH_COMPLETION := share/fish/vendor_completions.d/hoga.fish

.PHONY: help run test test-build script-tests packaging-tests unit-tests program-tests tsan asan \
	check check-page release package check-package install uninstall pictures check-docs bench \
	seeds soak fuzz fuzz-coverage sharing failover faults failing-calls restore-drill compose-drill \
	freeze vectors clients conformance indicators profile format lint lint-swift lint-scripts \
	setup clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

run: ## set-up, release build, and hoga on the live exchange, or on its simulator if unreachable
	@scripts/bootstrap build
	@$(RELEASE_BUILD) >&2
	@exec .build/release/hoga watch --or-simulated $(ARGS)

test: ## everything that a change can break: lint, scripts, packaging, the program and all tests
	scripts/bootstrap test
	@$(MAKE) --no-print-directory --jobs=3 lint-swift lint-scripts script-tests \
		packaging-tests unit-tests program-tests

test-build: ## the debug build with all tests and the import check
	$(DEBUG_BUILD) --build-tests

script-tests: ## the tests of the scripts
	@for test in scripts/tests/*; do echo "$$test"; env -u MAKEFLAGS -u MFLAGS "$$test"; done

packaging-tests: test-build ## what Dockerfile, compose file and unit name exists
	deploy/check .build/debug/hoga

# Behind the programs that run beside them, whose limits are in real time.
unit-tests: test-build ## all tests but those that start programs, sixteen at a time
	nice scripts/with-postgresql $(RUN_TESTS) $(SIXTEEN_AT_A_TIME) \
		--skip '$(PROGRAM_TESTS)|$(ALL_DESCRIPTORS)'
	$(RUN_TESTS) --filter '$(ALL_DESCRIPTORS)'

program-tests: test-build ## the tests that start programs, four at a time
	scripts/with-postgresql $(RUN_TESTS) --filter '$(PROGRAM_TESTS)' \
		--experimental-maximum-parallelization-width 4

tsan: export HOGA_TEST_TARGETS = $(TSAN_TARGETS)
tsan: export HOGA_OMITTED_TESTS = \
	$(shell scripts/test-suites.py omitted $(TSAN_TARGETS) '$(TSAN_SUITES)')
tsan: ## the suites in which threads share state, under the thread sanitizer
	scripts/bootstrap test
	$(DEBUG_BUILD) --build-tests $(TSAN_FLAGS)
	scripts/with-postgresql scripts/with-sanitizer thread \
		$(RUN_TESTS) $(TSAN_FLAGS) $(SIXTEEN_AT_A_TIME) --filter '$(TSAN_SUITES)' \
		--skip '$(PROGRAM_TESTS)|$(ALL_DESCRIPTORS)|$(TSAN_SKIPPED)'
	scripts/with-postgresql scripts/with-sanitizer thread \
		$(RUN_TESTS) $(TSAN_FLAGS) --filter '$(TSAN_SUITES)' \
		--skip '^(?!IntegrationTests|DataSourcesTests\.Store)' --no-parallel

asan: export HOGA_TEST_TARGETS = $(ASAN_TARGETS)
asan: export HOGA_OMITTED_TESTS = \
	$(shell scripts/test-suites.py omitted $(ASAN_TARGETS) . '$(ASAN_SKIPPED)')
asan: ## the suites of the modules that call C, under the address and undefined behavior sanitizers
	scripts/bootstrap test
	$(DEBUG_BUILD) --build-tests $(ASAN_FLAGS)
	scripts/with-postgresql scripts/with-sanitizer address \
		$(RUN_TESTS) $(ASAN_FLAGS) $(SIXTEEN_AT_A_TIME) --skip '$(ASAN_SKIPPED)'

check: ## the long trials: asan, installation, documentation, clients, page, drills, packages, cases
	@$(MAKE) --no-print-directory asan
	scripts/bootstrap check
	$(DEBUG_BUILD) --build-tests
	scripts/check-install .build/debug/hoga
	scripts/with-postgresql scripts/check-docs.py .build/debug/hoga
	scripts/screenshots.py --check .build/debug/hoga
	scripts/check-clients-live.py .build/debug/hoga
	scripts/check-page .build/debug/hoga
	scripts/restore-drill .build/debug/hoga
	rm -rf .build/packages
	scripts/compose-drill .build/packages
	scripts/check-package .build/packages
	HOGA_STORE_SECONDS=20 $(RUN_TESTS) --filter StoreSharingTests
	HOGA_ALL_CASES=1 scripts/with-postgresql $(RUN_TESTS) \
		--filter '$(shell scripts/test-suites.py filter manyCases)'
	.build/debug/Measure seeds 5
	.build/debug/Measure rules 100
	.build/debug/Measure store 20

release: ## a stripped binary, Swift's libraries inside, as dist/hoga
	scripts/bootstrap build
	$(RELEASE_BUILD)
	install -D -m 755 .build/release/hoga dist/hoga
	strip dist/hoga
	scripts/set-build-id.py dist/hoga
	dist/hoga --version

package: ## Debian package, archive for other distributions, SBOM, checksums and signature in dist
	scripts/bootstrap package
	@$(MAKE) --no-print-directory release
	packaging/make-package dist/hoga dist

check-package: package ## installs, upgrades and removes the packages on bare systems
	scripts/bootstrap check
	scripts/check-package dist

install: ## program, manual and completions below PREFIX (/usr/local), itself below DESTDIR
	@test -x $(HOGA) || $(MAKE) --no-print-directory release
	install -D -m 755 $(HOGA) $(DESTDIR)$(PREFIX)/bin/hoga
	@made=$$(mktemp -d); trap 'rm -rf "$$made"' EXIT; \
	place() { install -D -m 644 "$$made/$$1" "$(DESTDIR)$(PREFIX)/$$2" && echo "$$2"; }; \
	$(HOGA) man > "$$made/man"; place man $(MAN_PAGE); \
	$(HOGA) completions bash > "$$made/bash"; place bash $(BASH_COMPLETION); \
	$(HOGA) completions zsh > "$$made/zsh"; place zsh $(ZSH_COMPLETION); \
	$(HOGA) completions fish > "$$made/fish"; place fish $(FISH_COMPLETION)

uninstall: ## removes what make install installed; user data stay
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,bin/hoga $(MAN_PAGE) $(BASH_COMPLETION) \
		$(ZSH_COMPLETION) $(FISH_COMPLETION))

pictures: ## takes the pictures in docs/pictures from a run of the simulated exchange
	scripts/bootstrap test
	$(DEBUG_BUILD) --product hoga
	scripts/screenshots.py .build/debug/hoga

check-page: ## drives the page in Chromium, and examines it with axe-core
	scripts/bootstrap check
	$(DEBUG_BUILD) --product hoga
	scripts/check-page .build/debug/hoga

check-docs: ## runs every command of README.md and docs/, and compares the pictures with a run
	scripts/bootstrap test
	$(DEBUG_BUILD) --product hoga
	scripts/with-postgresql scripts/check-docs.py .build/debug/hoga
	scripts/screenshots.py --check .build/debug/hoga

bench: release ## figures of the release binary, beside nginx, pgbench and others
	scripts/bootstrap bench
	$(BUILD) -c release --product Measure
	$(BUILD) -c release --product StreamReaders
	Benchmarks/run

soak: release ## a deployment under load for HOURS (2) and 30 min: must stay flat; dist/soak.svg
	scripts/bootstrap bench
	scripts/check-page --set-up
	.build/page/bin/python -B Benchmarks/soak.py $(HOURS)

seeds: ## books, rules, stores, programs with faults in virtual time; SEEDS=200 or 51-90, or SEED=17
	scripts/bootstrap build
	$(BUILD) -c release --product Measure
	.build/release/Measure seeds $(if $(SEED),seed=$(SEED),$(SEEDS))
	.build/release/Measure rules $(if $(SEED),seed=$(SEED),$(SEEDS))
	.build/release/Measure store $(if $(SEED),seed=$(SEED),$(SEEDS))
	SWIFT_DETERMINISTIC_HASHING=1 .build/release/Measure program $(if $(SEED),seed=$(SEED),$(SEEDS))

fuzz: ## fuzzes each parser MINUTES (1) with coverage, and compares with Python and nginx
	scripts/bootstrap fuzz
	$(FUZZ_BUILD)
	scripts/fuzz/fuzz.py run $(MINUTES) $(if $(SEED),seed=$(SEED)) $(TARGETS)

fuzz-coverage: ## the lines and branches of the parsers that the corpus and all finds reach
	scripts/bootstrap fuzz
	$(FUZZ_COVERAGE_BUILD)
	scripts/fuzz/fuzz.py coverage

sharing: ## two processes write to one store for a minute
	scripts/bootstrap test
	$(DEBUG_BUILD) --build-tests
	HOGA_STORE_SECONDS=60 $(RUN_TESTS) --filter StoreSharingTests

failover: release ## kills, stops and disconnects the candle writer N (20) times each
	scripts/bootstrap test
	cd Benchmarks && python3 -B failover.py $(or $(N),20)

faults: release ## ten faults of a deployment beside twenty writers
	scripts/bootstrap test
	cd Benchmarks && python3 -B faults.py

failing-calls: ## each fallible call of C fails once, then the limits; SCENARIOS="watch serve"
	scripts/bootstrap test
	$(DEBUG_BUILD) --product hoga
	scripts/with-postgresql scripts/failing-calls/check.py .build/debug/hoga $(SCENARIOS)
	scripts/with-postgresql scripts/failing-calls/check.py --limits .build/debug/hoga $(SCENARIOS)

restore-drill: ## loses a deployment, restores it from its dump and compares
	scripts/bootstrap test
	$(DEBUG_BUILD) --product hoga
	scripts/restore-drill .build/debug/hoga

compose-drill: ## image, compose file and an upgrade from 0.1.0 in containers; needs root
	scripts/bootstrap check
	scripts/compose-drill

freeze: ## stores today's documents as a new frozen generation
	scripts/bootstrap test
	$(DEBUG_BUILD) --build-tests
	HOGA_FREEZE=1 $(RUN_TESTS) --filter 'FrozenDocumentTests/freeze'

vectors: ## writes clients/vectors, the test vectors of client libraries, from today's documents
	scripts/bootstrap test
	$(DEBUG_BUILD) --build-tests
	HOGA_VECTORS=1 $(RUN_TESTS) --filter 'ClientVectorTests/write'

clients: ## ccxt (API 1.x and 2.x) and pybithumb read the simulated exchange; numbers are compared
	scripts/bootstrap clients
	$(RELEASE_BUILD)
	scripts/show-clients $(ARGS)

conformance: ## schemathesis tests a running hoga serve against /openapi.json
	scripts/bootstrap conformance
	$(RELEASE_BUILD)
	scripts/check-conformance .build/release/hoga $(ARGS)

indicators: ## TA-Lib checks the indicators on candles of the simulated exchange
	scripts/bootstrap conformance
	$(RELEASE_BUILD)
	$(BUILD) -c release --product Measure
	scripts/check-indicators .build/release/hoga .build/release/Measure

profile: ## samples a run of hoga with ARGS="…"
	scripts/bootstrap profile
	scripts/profile $(ARGS)

format: ## formats the Swift files
	swift format --in-place --parallel --recursive $(SWIFT_SOURCES)

lint: ## swift-format and shellcheck
	@scripts/bootstrap test
	@$(MAKE) --no-print-directory lint-swift lint-scripts

lint-swift: ## swift-format over the Swift files
	swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)

lint-scripts: ## shellcheck over the scripts
	shellcheck $(SCRIPTS)

setup: ## installs the packages that building needs
	scripts/bootstrap build

clean: ## removes all build products
	rm -rf .build .build-tsan .build-asan .build-fuzz .build-fuzz-coverage dist
