# Every target has one line of help behind `##`; `make help` prints them.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:

PREFIX ?= /usr/local
DESTDIR ?=
# The program that `make install` puts into place, and that tells its own manual and completions.
HOGA ?= dist/hoga
# The one trial that `make seeds` runs instead of the first fifty.
SEED ?=
# Keeps what the compiler made for `make image-steps`, which builds anew without it.
BUILD_FOLDER ?=
# Words for the program that `make run`, `make clients` and `make profile` start.
ARGS ?=

# The package manager remembers what it once saw of git; the environment is looked at anew.
export HOGA_COMMIT := $(shell git describe --always --exclude='*' --abbrev=12 --dirty=+changes)

# A failed import check still prints "Build complete!" above its error: the exit status tells.
BUILD := swift build --explicit-target-dependency-import-check error
# A build of another kind in the same folder would rebuild everything at each change of kind.
RELEASE_BUILD := $(BUILD) -c release --product hoga --static-swift-stdlib
TSAN_BUILD := $(BUILD) --build-tests --sanitize thread --scratch-path .build-tsan
TSAN_WORDS := --sanitize thread --scratch-path .build-tsan
TEST_WORDS := --skip-build --disable-xctest
# Each of these runs whole exchanges and programs, or takes all descriptors that a process may have:
# side by side they would only wait for each other.
CROWDED := IntegrationTests|StoreSharingTests|StoreKillTests|HTTPServerCrowdTests
ONE_BY_ONE := --no-parallel --filter '$(CROWDED)'
# What one thread computes from values cannot race: the sanitizer, which makes everything ten times
# as slow, is left out where tests have nothing but that, and of a long trial of such values; and of
# what asks the allocator, since the sanitizer has one of its own.
SHARED_NOTHING := ^(ArchitectureTests|DomainTests\.(?!FollowMarkets|LatestCut|KeepPersonal
SHARED_NOTHING := $(SHARED_NOTHING)|DetailInterests|AssetInterests)
SHARED_NOTHING := $(SHARED_NOTHING)|PresentationTests\.(?!SnapshotCut|DocumentCutter|MarketList
SHARED_NOTHING := $(SHARED_NOTHING)(Cutter|Order))
SHARED_NOTHING := $(SHARED_NOTHING)|PresentationTerminalTests\.(?!\w*(Loop|Terminal|Mouse|Storm
SHARED_NOTHING := $(SHARED_NOTHING)|Pending)\w*Tests)|PlatformTests\.HeapTrimPlan
SHARED_NOTHING := $(SHARED_NOTHING)|RepositoriesTests\.BookTrial|ExchangeSimulatorTests\.(BookDesk
SHARED_NOTHING := $(SHARED_NOTHING)|TradeHistory|SimulatedExchange|Candle|PriceLadder|SimulatedBook
SHARED_NOTHING := $(SHARED_NOTHING)|WireText|DetailShape)Tests)
# In windows of a real terminal the program runs beside the tests, and waits for people: what its
# threads share is looked at where its screens are fed, by a pseudoterminal and from a service.
WINDOWS := IntegrationTests\.(Terminal|OneScreen)
SWIFT_SOURCES := Package.swift Sources Tests Benchmarks
SCRIPTS := $(shell grep -rl '^\#!/usr/bin/env bash' scripts Benchmarks .ci deploy)

# Where manual and completions belong below PREFIX.
MAN_PAGE := share/man/man1/hoga.1
BASH_COMPLETION := share/bash-completion/completions/hoga
ZSH_COMPLETION := share/zsh/site-functions/_hoga
FISH_COMPLETION := share/fish/vendor_completions.d/hoga.fish

.PHONY: help run test script-tests tsan release install uninstall pictures check-docs bench seeds sharing \
	failover freeze clients conformance profile restore-drill image-steps check format lint setup clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

run: ## set-up, release build, and hoga on the live exchange, or on its simulator if unreachable
	@scripts/bootstrap build
	@$(RELEASE_BUILD) >&2
	@exec .build/release/hoga watch --or-simulated $(ARGS)

test: ## set-up, lint, build with the import check, tests of scripts and packaging, all tests
	scripts/bootstrap test
	@$(MAKE) --no-print-directory lint script-tests
	$(BUILD) --build-tests
	deploy/check .build/debug/hoga
	scripts/check-install .build/debug/hoga
	scripts/restore-drill .build/debug/hoga
	scripts/with-postgresql swift test $(TEST_WORDS) --skip '$(CROWDED)'
	scripts/with-postgresql swift test $(TEST_WORDS) $(ONE_BY_ONE)

script-tests: ## the tests of the scripts
	@for test in scripts/tests/*; do echo "$$test"; "$$test"; done

tsan: ## the tests of all that threads share, PostgreSQL included, under the thread sanitizer
	scripts/bootstrap test
	$(TSAN_BUILD)
	scripts/with-postgresql scripts/with-tsan swift test $(TEST_WORDS) $(TSAN_WORDS) \
		--skip '$(SHARED_NOTHING)' --skip '$(CROWDED)|ExchangeSimulatorTests'
	scripts/with-tsan swift test $(TEST_WORDS) $(TSAN_WORDS) \
		--skip '$(SHARED_NOTHING)' --skip 'HTTPServerCrowdTests|$(WINDOWS)' \
		$(ONE_BY_ONE) --filter ExchangeSimulatorTests

release: ## a stripped binary, Swift's libraries inside, as dist/hoga
	scripts/bootstrap build
	$(RELEASE_BUILD)
	install -D -m 755 .build/release/hoga dist/hoga
	strip dist/hoga
	dist/hoga --version

install: ## program, manual and completions below PREFIX (/usr/local), itself below DESTDIR
	@test -x $(HOGA) || $(MAKE) --no-print-directory release
	install -D -m 755 $(HOGA) $(DESTDIR)$(PREFIX)/bin/hoga
	@made=$$(mktemp -d); trap 'rm -rf "$$made"' EXIT; \
	place() { install -D -m 644 "$$made/$$1" "$(DESTDIR)$(PREFIX)/$$2" && echo "$$2"; }; \
	$(HOGA) man > "$$made/man"; place man $(MAN_PAGE); \
	$(HOGA) completions bash > "$$made/bash"; place bash $(BASH_COMPLETION); \
	$(HOGA) completions zsh > "$$made/zsh"; place zsh $(ZSH_COMPLETION); \
	$(HOGA) completions fish > "$$made/fish"; place fish $(FISH_COMPLETION)

uninstall: ## removes what make install put there; what hoga keeps for people stays
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,bin/hoga $(MAN_PAGE) $(BASH_COMPLETION) \
		$(ZSH_COMPLETION) $(FISH_COMPLETION))

pictures: ## takes the pictures in docs/pictures from a run of the simulated exchange
	scripts/bootstrap test
	$(BUILD) --product hoga
	scripts/screenshots.py .build/debug/hoga

check-docs: ## runs every command of README.md and docs/, and compares the pictures with a run
	scripts/bootstrap test
	$(BUILD) --product hoga
	scripts/with-postgresql scripts/check-docs.py .build/debug/hoga
	scripts/screenshots.py --check .build/debug/hoga

bench: release ## figures of the release binary, side by side with what bounds them
	scripts/bootstrap bench
	$(BUILD) -c release --product Measure
	$(BUILD) -c release --product StreamReaders
	Benchmarks/run

seeds: ## a book over a channel that loses and reorders, fifty seeds; SEED=17: that one
	scripts/bootstrap build
	$(BUILD) -c release --product Measure
	.build/release/Measure seeds $(if $(SEED),seed=$(SEED),50)

sharing: ## two processes write to one store for a minute
	scripts/bootstrap test
	$(BUILD) --build-tests
	HOGA_STORE_SECONDS=60 swift test $(TEST_WORDS) --filter StoreSharingTests

failover: release ## who writes candles is killed, stopped and cut off, N (20) times each
	scripts/bootstrap test
	cd Benchmarks && python3 -B failover.py $(or $(N),20)

restore-drill: ## a deployment is lost, restored from its dump and compared
	scripts/bootstrap test
	$(BUILD) --product hoga
	scripts/restore-drill .build/debug/hoga

image-steps: ## the steps of the image and of docker-compose.yml, without an engine
	scripts/bootstrap test
	deploy/image-steps $(BUILD_FOLDER)

freeze: ## keeps today's documents as a new generation of frozen ones
	scripts/bootstrap test
	$(BUILD) --build-tests
	HOGA_FREEZE=1 swift test $(TEST_WORDS) --filter 'FrozenDocumentTests/freeze'

clients: ## ccxt and pybithumb read the simulated exchange, and every number is compared
	scripts/bootstrap clients
	$(RELEASE_BUILD)
	scripts/show-clients $(ARGS)

conformance: ## schemathesis asks a live hoga serve everything that /openapi.json describes
	scripts/bootstrap conformance
	$(RELEASE_BUILD)
	scripts/check-conformance .build/release/hoga $(ARGS)

profile: ## where the time goes: samples hoga with ARGS="…"
	scripts/bootstrap profile
	scripts/profile $(ARGS)

check: ## what CI runs: test, tsan and release with warnings as errors
	.ci/run

format: ## puts the Swift files into the form that lint wants
	swift format --in-place --parallel --recursive $(SWIFT_SOURCES)

lint: ## form of the Swift files, and the scripts
	@scripts/bootstrap test
	swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	shellcheck $(SCRIPTS)

setup: ## installs what building needs, nothing else
	scripts/bootstrap build

clean: ## removes everything that was built
	rm -rf .build .build-tsan dist
