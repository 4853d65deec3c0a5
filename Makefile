# Everything that is done to this repository, one word each; `make help` lists it.
#
# Needs the Swift toolchain and git. Debian packages that a target misses are installed by it when
# it may (as root, or with sudo that asks no password); otherwise it says which line to run.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# One set of flags for demo and tests, so that neither builds again what the other has built.
BUILD_DAILY := --scratch-path .build -Xswiftc -use-ld=lld
# Where all commands but `make test` build: beside what there is already.
SHOWN := $(or $(patsubst %/debug/belfry,%,$(firstword $(wildcard .build/debug/belfry) \
    $(wildcard .build-whole/debug/belfry))),.build)
BELFRY ?= $(SHOWN)/debug/belfry
# From nothing, whole modules are built sooner; after a change they take longer. So
# `make test` builds them, in a folder of their own, until there is a build for every day. There the
# targets that compute most are optimized: what that costs the build, it saves the tests. With
# OPTIMIZED=all every target is, as in what is shipped. The index stays: SwiftPM finds the tests with it.
WHOLE := .build-whole
BUILD_WHOLE := --scratch-path $(WHOLE) -Xswiftc -use-ld=lld -Xswiftc -wmo \
    -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -index-ignore-system-modules -Xcc -g0 -Xcxx -g0
TESTED ?= $(if $(wildcard .build/debug/belfry),.build,$(WHOLE))
BUILD_TESTED = $(if $(filter $(WHOLE),$(TESTED)),$(BUILD_WHOLE),$(BUILD_DAILY))
BUILD = $(if $(filter $(WHOLE),$(SHOWN)),$(BUILD_WHOLE),$(BUILD_DAILY))
OPTIMIZED ?= 1
# Read by Package.swift.
export HUB_OPTIMIZED = $(if $(filter $(WHOLE),$(SHOWN)),$(OPTIMIZED))
REST_TOOLS := .build/rest-tools
CONSOLE_TOOLS := .build/console-tools
TRACE_TOOLS := .build/trace-tools
CONSOLE_BROWSER := $(or $(filter firefox webkit,$(BROWSER)),chromium)
PACKAGES_chromium := chromium chromium-driver
PACKAGES_firefox := firefox-esr
PACKAGES_webkit := webkit2gtk-driver xvfb xauth
BUILD_MICRO := --scratch-path .build-micro -Xswiftc -use-ld=lld
# With the Swift runtime inside, so that the machine it runs on needs no toolchain.
INSTALLED := .build-install
ICU_DATA := $(CURDIR)/$(INSTALLED)/icu-data.o
BUILD_INSTALL = -c release --static-swift-stdlib --disable-local-rpath --scratch-path $(INSTALLED) \
    -Xswiftc -use-ld=lld -Xlinker $(ICU_DATA) -Xlinker --wrap=icudt76_dat \
    -Xlinker --no-export-dynamic \
    -Xlinker -z -Xlinker pack-relative-relocs $(UNUSED_CODE_OUT) \
    -Xcc -fno-asynchronous-unwind-tables \
    -Xlinker --no-eh-frame-hdr -Xlinker $(CURDIR)/.ci/no-unwinding.ld
# A section for each function and datum, so that the linker leaves out those that nothing names.
UNUSED_CODE_OUT := -Xswiftc -Xfrontend -Xswiftc -function-sections \
    -Xswiftc -Xfrontend -Xswiftc -internalize-at-link \
    -Xcc -ffunction-sections -Xcc -fdata-sections
BUILD_RELEASE := -c release --scratch-path .build-release -Xswiftc -use-ld=lld

SWIFT ?= swift
# Where `make install` puts things; packagers set DESTDIR.
PREFIX ?= /usr/local
DESTDIR ?=
INSTALLED_FILES = $(addprefix $(DESTDIR)$(PREFIX)/,bin/belfry lib/systemd/system/belfry.service \
    share/bash-completion/completions/belfry share/zsh/site-functions/_belfry \
    share/fish/vendor_completions.d/belfry.fish share/man/man1/belfry.1 \
    share/belfry/alerts.yml share/belfry/dashboard.json)
# So many tests at once; each may run a hub of its own, and two cores do not carry a hundred.
TEST_WIDTH := SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=12
# Stores sync what they take: the tests' files lie in memory where 4 GB of it are free for them.
TEST_PLACE = $$([ "$$(df --output=avail /dev/shm 2> /dev/null | tail -n 1)" -gt 4000000 ] \
    2> /dev/null && echo /dev/shm || echo "$${TMPDIR:-/tmp}")
# All that building and running the tests have said.
TEST_LOG := .build/tests.log
# A person who waits sees how far the build is, on one line.
TEST_PROGRESS = -v person="$$([ -t 2 ] && echo yes || true)" \
    'person && /^\[[0-9]/ { printf "\r%s\033[K", $$1 > "/dev/stderr"; last = "\r\033[K" } \
    END { printf "%s", last > "/dev/stderr" }'
PEER_SERVERS := mosquitto nats-server redis-server
LIBRARIES := libssl-dev zlib1g-dev libsqlite3-dev libxml2

# $(call install,PACKAGES): installs those that are missing, or fails the target.
define install
	missing=(); \
	for package in $(1); do \
	    [ "$$(dpkg-query -W -f '$${db:Status-Status}' "$$package" 2> /dev/null || true)" = installed ] \
	        || missing+=("$$package"); \
	done; \
	if [ $${#missing[@]} -gt 0 ]; then \
	    line="apt-get install -y --no-install-recommends $${missing[*]}"; \
	    if [ "$$(id -u)" = 0 ]; then sudo=; \
	    elif sudo -n true 2> /dev/null; then sudo="sudo -n"; \
	    else \
	        echo "Missing Debian packages. Run this line as root, then make again:" >&2; \
	        echo "    apt-get update && $$line" >&2; \
	        exit 1; \
	    fi; \
	    echo "installing $${missing[*]}"; \
	    $$sudo apt-get update -q > /dev/null; \
	    $$sudo env DEBIAN_FRONTEND=noninteractive $$line > /dev/null; \
	fi
endef

.PHONY: help demo demo-cluster install uninstall deb deb-test image image-test test simulate mutants crash nodes kills takeover partitions bench bench-store bench-rest bench-relay bench-cost bench-cluster bench-peers bench-micro
.PHONY: attacks clients test-browser test-console test-traces relay-rig relay-samples fuzz fuzz-rest lint monitoring monitoring-live docs picture refusals runs
.PHONY: packages packages-deb packages-deb-test packages-image packages-image-test packages-install packages-test packages-bench packages-peers packages-micro packages-monitoring packages-rest packages-python packages-browser packages-console swift

help:
	@echo "make demo    builds belfry; a hub, six devices, breaking news; a table of who got what"
	@echo "make demo-cluster  the same on three nodes of PostgreSQL: the leader is killed, then the primary"
	@echo "make install puts a release build and a service in their places (PREFIX=/usr/local, DESTDIR=)"
	@echo "make uninstall takes away what make install put there"
	@echo "make deb     a Debian package, instead of make install"
	@echo "make deb-test  installs, starts, upgrades, hangs and removes it in a Debian of its own"
	@echo "make image   an OCI image for podman, docker and their like, made without one of them"
	@echo "make image-test  starts it with podman, sends, stops it, starts it on the same volume"
	@echo "make test    builds and runs every test; a line for each suite, the rest in a file"
	@echo "make simulate SEEDS=5000 runs of the simulator, with faults of every kind"
	@echo "make mutants mistakes of Tests/Mutants, one at a time; each must be noticed (NAMES=)"
	@echo "make nodes   CYCLES=90 leaders of two nodes end under load, a third of that number; PROMOTE=20 fail-overs of PostgreSQL; SEED=N"
	@echo "make kills   KILLS=60 nodes killed under load, PAUSE=60 seconds apart, LEASE=3; RELEASE=1 kills a release build"
	@echo "make takeover  a leader of REGISTRATIONS=100000 ends under sends, three times: until the other serves"
	@echo "make partitions  as root: CYCLES=36 times two machines of a cluster do not reach each other"
	@echo "make crash   CYCLES=100 times kill -9 of a hub under load, POINTS=1000 power cuts; SEED=N"
	@echo "make refusals REFUSALS=10000 of each kind of client, each answered within a second"
	@echo "make attacks memory and honest latencies beside each attack (NAMES=)"
	@echo "make picture draws the README's two phones, as they are"
	@echo "make bench   server CPU per delivery beside the limit program (N=10000 connections)"
	@echo "make bench-peers the same beside redis-server, mosquitto and nats-server (N=10000, TURNS=3)"
	@echo "make bench-micro single operations of the hot path; COUNT=1 counts their instructions"
	@echo "make bench-store CPU of appends, checkpoints, lists and starts of a store"
	@echo "make bench-rest  sends a second and CPU for each, HTTP/1.1 and HTTP/2 (SENDS=20000)"
	@echo "make bench-cost  what logs, traces and operators' lists cost beside sends"
	@echo "make bench-cluster  nodes on PostgreSQL: sends a second, CPU of each process, devices of a killed node (ONLY=)"
	@echo "make bench-relay  CPU of a notification to APNs, beside h2load and aioapns"
	@echo "make clients clients of the cloud service, unmodified, against a hub"
	@echo "make relay-rig  a relay under kills and load, behind an outage, beside other work (NAMES=)"
	@echo "make relay-samples  tokens, messages and frames for push services, judged by packages of PyPI"
	@echo "make test-browser  a Web Push message from a hub to a page in Firefox"
	@echo "make test-console  uses the console in a browser; BROWSER=firefox or webkit, FEW=1, PICTURES=DIR"
	@echo "make test-traces  reads a hub's traces as OpenTelemetry's own messages"
	@echo "make fuzz-rest  asks a hub all that its OpenAPI document allows, for FUZZ_SECONDS=60"
	@echo "make fuzz    every fuzzer for FUZZ_SECONDS=20 seconds each"
	@echo "make monitoring the alarms for Prometheus, each with a series that rings and one that does not"
	@echo "make monitoring-live  a Prometheus reads a hub: each rule and panel has something to say"
	@echo "make docs    the handbook, the SDK's and the maintainers' chapters as a site: .build/docs"
	@echo "make runs    plays each scenario and writes what it prints: .build/runs"
	@echo "make lint    the formatter's rules"
	@echo "make help    this list"

# Once built and unchanged, the demo starts at once.
demo: packages
	@if [ ! -x $(BELFRY) ] || [ -n "$$(find Package.swift Sources -newer $(BELFRY) -print -quit)" ]; \
	then \
	    echo "building belfry (the first time takes minutes)"; \
	    $(SWIFT) build $(BUILD) --product belfry; \
	fi
	@$(BELFRY) demo --quiet

demo-cluster: packages-test
	@$(SWIFT) build $(BUILD) --product belfry
	@$(BELFRY) demo --scenario cluster

install: packages-install
	@mkdir -p $(INSTALLED)
	@.ci/icu-data $(ICU_DATA)
	@echo "building for release (the first time takes many minutes)"
	@$(SWIFT) build $(BUILD_INSTALL) --product belfry
	@for shell in bash zsh fish; do \
	    $(INSTALLED)/release/belfry --generate-completion-script $$shell > $(INSTALLED)/belfry.$$shell; \
	done
	@.ci/man $(INSTALLED)/release/belfry > $(INSTALLED)/belfry.1
	@sed 's|/usr/local|$(PREFIX)|' Sources/belfry.service > $(INSTALLED)/belfry.service
	@as=; above='$(DESTDIR)$(PREFIX)'; \
	while [ ! -e "$$above" ]; do above=$$(dirname "$$above"); done; \
	if [ ! -w "$$above" ]; then as=sudo; fi; \
	$$as install -D -m 755 -s $(INSTALLED)/release/belfry '$(DESTDIR)$(PREFIX)/bin/belfry'; \
	$$as install -D -m 644 $(INSTALLED)/belfry.bash \
	    '$(DESTDIR)$(PREFIX)/share/bash-completion/completions/belfry'; \
	$$as install -D -m 644 $(INSTALLED)/belfry.zsh \
	    '$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_belfry'; \
	$$as install -D -m 644 $(INSTALLED)/belfry.fish \
	    '$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/belfry.fish'; \
	$$as install -D -m 644 $(INSTALLED)/belfry.1 \
	    '$(DESTDIR)$(PREFIX)/share/man/man1/belfry.1'; \
	$$as install -D -m 644 $(INSTALLED)/belfry.service \
	    '$(DESTDIR)$(PREFIX)/lib/systemd/system/belfry.service'; \
	$$as install -D -m 644 -t '$(DESTDIR)$(PREFIX)/share/belfry' \
	    Sources/Monitoring/alerts.yml Sources/Monitoring/dashboard.json
	@echo "installed in $(DESTDIR)$(PREFIX); to start it now and with the machine:"
	@echo "    systemctl enable --now belfry"

# What `make install` put there; data and settings stay.
uninstall:
	@for file in $(INSTALLED_FILES); do \
	    if [ -e "$$file" ]; then rm -f "$$file" && echo "removed $$file"; fi; \
	done; \
	if [ -d '$(DESTDIR)$(PREFIX)/share/belfry' ]; then rmdir '$(DESTDIR)$(PREFIX)/share/belfry'; fi
	@echo "the hub's data stays in /var/lib/belfry, its settings in /etc/belfry.env"

deb: packages-deb
	@rm -rf $(INSTALLED)/deb
	@$(MAKE) install PREFIX=/usr DESTDIR=$(INSTALLED)/deb
	@.ci/deb $(INSTALLED)/deb $(INSTALLED)

# In a root of Debian 12 with a systemd of its own: needs to be root.
deb-test: packages-deb-test
	@Tests/Outside/Package/run $${DEB:-$$(ls -t $(INSTALLED)/*.deb | head -n 1)}

# Needs no container engine.
image: packages-image
	@rm -rf $(INSTALLED)/image
	@$(MAKE) install PREFIX=/usr DESTDIR=$(INSTALLED)/image
	@.ci/image $(INSTALLED)/image $(INSTALLED)

# With podman, whose store stays in a temporary folder: needs to be root.
image-test: packages-image-test
	@Tests/Outside/Image/run $${IMAGE:-$$(ls -t $(INSTALLED)/*.oci.tar | head -n 1)}

test: export HUB_OPTIMIZED = $(if $(filter $(WHOLE),$(TESTED)),$(OPTIMIZED))
test: packages-test
	@mkdir -p $(dir $(TEST_LOG))
	@echo "building the tests in $(TESTED) (the first time takes many minutes)"
	@$(SWIFT) build $(BUILD_TESTED) --build-tests 2>&1 | tee $(TEST_LOG) | awk $(TEST_PROGRESS) || { \
	    grep -E -A 3 'error:' $(TEST_LOG) >&2 || tail -n 20 $(TEST_LOG) >&2; exit 1; \
	}
	@if [ -f $(CONSOLE_TOOLS)/axe.min.js ] && command -v chromium > /dev/null; then \
	    $(CONSOLE_TOOLS)/bin/python Tests/Outside/Console/run $(TESTED)/debug/belfry --few \
	        --axe $(CONSOLE_TOOLS)/axe.min.js 2>&1 | tee -a $(TEST_LOG); \
	fi
	@folder=$$(mktemp -d "$(TEST_PLACE)/belfry-tests-XXXXXX") && trap 'rm -rf "$$folder"' EXIT && \
	    chmod 755 "$$folder" && export TMPDIR=$$folder $(TEST_WIDTH) && \
	    $(SWIFT) test $(BUILD_TESTED) --skip-build --disable-xctest 2>&1 | Tests/brief $(TEST_LOG)
	@echo "belfry is $(TESTED)/debug/belfry"

# What `make test` does a little of, as much of it as is asked for: the next three.
simulate: packages-test
	@$(SWIFT) build $(BUILD) --build-tests
	@SEEDS=$${SEEDS:-5000} \
	    $(SWIFT) test $(BUILD) --skip-build --disable-xctest --filter 'HubSimulatorTests|LaneSimulationTests'

# The copy of the tree stays in .build-mutants, and its build warm.
mutants: packages
	@SWIFT="$(SWIFT)" Tests/Mutants/run $(NAMES)

crash: packages-test
	@$(SWIFT) build $(BUILD) --build-tests
	@CYCLES=$${CYCLES:-100} POINTS=$${POINTS:-1000} SEED=$${SEED:-$$SRANDOM} \
	    $(SWIFT) test $(BUILD) --skip-build --disable-xctest --no-parallel --filter 'KilledHubTests|PowerLossTests'

nodes: packages-test
	@$(SWIFT) build $(BUILD) --build-tests
	@CYCLES=$${CYCLES:-90} PROMOTE=$${PROMOTE:-20} SEED=$${SEED:-$$SRANDOM} \
	    $(SWIFT) test $(BUILD) --skip-build --disable-xctest --no-parallel --filter NodeKillTests

# Runs of an hour keep a journal of millions of lines: several shorter ones do as well.
kills: packages-test
	@$(SWIFT) build $(BUILD) --build-tests
	@[ -z "$(RELEASE)" ] || $(SWIFT) build $(BUILD_RELEASE) --product belfry
	@env $(if $(RELEASE),HUB_TESTED_PROGRAM=$(CURDIR)/.build-release/release/belfry) \
	    KILLS=$${KILLS:-60} PAUSE=$${PAUSE:-60} LEASE=$${LEASE:-3} SEED=$${SEED:-$$SRANDOM} \
	    $(SWIFT) test $(BUILD) --skip-build --disable-xctest --no-parallel --filter 'NodeKillTests/killed'

takeover: packages-test
	@$(SWIFT) build $(BUILD_RELEASE) --product belfry
	@Tests/Outside/Rigs/takeover.py .build-release/release/belfry --registrations $${REGISTRATIONS:-100000}

# As root: network namespaces.
partitions: packages-test
	@$(SWIFT) build $(BUILD) --build-tests
	@PARTITIONS=1 CYCLES=$${CYCLES:-36} SEED=$${SEED:-$$SRANDOM} \
	    $(SWIFT) test $(BUILD) --skip-build --disable-xctest --no-parallel --filter NodePartitionTests

refusals: packages-test
	@$(SWIFT) build $(BUILD) --build-tests
	@REFUSALS=$${REFUSALS:-10000} \
	    $(SWIFT) test $(BUILD) --skip-build --disable-xctest --no-parallel --filter RefusedBodyTests

attacks: packages
	@$(SWIFT) build $(BUILD_RELEASE) --product belfry
	@Tests/Benchmarks/attacks .build-release/release/belfry $(NAMES)

picture: packages
	@$(SWIFT) build $(BUILD) --product belfry
	@Tests/Outside/Rigs/picture.py $(BELFRY) Sources/belfry/Belfry.docc/Resources/phones.svg

bench: packages-bench
	@echo "building for release (the first time takes many minutes)"
	@$(SWIFT) build $(BUILD_RELEASE) --product belfry
	@$(MAKE) -C Tests/Benchmarks/Limit
	@Tests/Benchmarks/run .build-release/release/belfry

# Prometheus comes without its service: only its tool is asked.
monitoring: packages-monitoring
	@promtool check rules Sources/Monitoring/alerts.yml
	@promtool test rules Tests/Monitoring/alerts.test.yml

# A server of its own for two minutes, with the rules, the dashboard's questions and a killed hub.
monitoring-live: packages-monitoring swift
	@$(call install,$(LIBRARIES) python3)
	@$(SWIFT) build $(BUILD) --product belfry
	@Tests/Monitoring/live $(BELFRY)

# Tests/Benchmarks/peers says what else can be asked for.
bench-peers: packages-peers
	@echo "building for release (the first time takes many minutes)"
	@$(SWIFT) build $(BUILD_RELEASE) --product belfry
	@$(MAKE) -C Tests/Benchmarks/Limit
	@$(MAKE) -C Tests/Benchmarks/Peers
	@Tests/Benchmarks/peers .build-release/release/belfry

# A framework of its own is resolved for it, and forgotten again: other targets do not need it.
bench-micro: packages-micro
	@echo "building for release (the first time takes many minutes)"
	@kept=$$(mktemp) && { cp Package.resolved "$$kept" 2> /dev/null || true; } && \
	    trap 'if [ -s "$$kept" ]; then cp "$$kept" Package.resolved; \
	        else rm -f Package.resolved; fi; rm -f "$$kept"' EXIT && \
	    if [ -n "$(COUNT)" ]; then \
	        HUB_MICRO=1 $(SWIFT) build $(BUILD_MICRO) -c release --product MicroBench && \
	        Tests/Benchmarks/instructions .build-micro/release/MicroBench; \
	    else \
	        HUB_MICRO=1 $(SWIFT) package $(BUILD_MICRO) benchmark --no-progress; \
	    fi

# RECORDS and REGISTRATIONS say how many; a day of the reference load is 8,640,000 records.
bench-store: packages
	@echo "building for release (the first time takes many minutes)"
	@$(SWIFT) build $(BUILD_RELEASE) --product StoreBench
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && \
	    .build-release/release/StoreBench "$$folder" $${RECORDS:-8640000} $${REGISTRATIONS:-1000000}

bench-rest: packages-rest
	@echo "building for release (the first time takes many minutes)"
	@$(SWIFT) build $(BUILD_RELEASE) --product belfry
	@Tests/Benchmarks/rest .build-release/release/belfry

# ONLY=sends, deliveries or lists, REGISTRATIONS=1000000; BASE=another build to compare with.
bench-cost: packages-rest
	@echo "building for release (the first time takes many minutes)"
	@$(SWIFT) build $(BUILD_RELEASE) --product belfry
	@$(SWIFT) build $(BUILD_RELEASE) --product StoreBench
	@Tests/Benchmarks/cost .build-release/release/belfry

# The head of Tests/Benchmarks/cluster has the settings that say what and how much.
bench-cluster: packages-test packages-rest
	@$(call install,haproxy)
	@echo "building for release (the first time takes many minutes)"
	@$(SWIFT) build $(BUILD_RELEASE) --product belfry
	@Tests/Benchmarks/cluster .build-release/release/belfry

bench-relay: packages-rest packages-python
	@$(call install,haproxy openssl)
	@echo "building for release (the first time takes many minutes)"
	@$(SWIFT) build $(BUILD_RELEASE) --product belfry
	@python3 -m venv .build/relay-judges
	@.build/relay-judges/bin/pip install -q --disable-pip-version-check aioapns==4.0
	@PYTHON=$(CURDIR)/.build/relay-judges/bin/python Tests/Benchmarks/relay .build-release/release/belfry

# The head of Tests/Outside/Rigs/relay has the settings that say how much.
relay-rig: packages-rest
	@$(SWIFT) build $(BUILD_RELEASE) --product belfry
	@for name in $(or $(NAMES),kills outage urgent idle explain beside); do \
	    Tests/Outside/Rigs/relay .build-release/release/belfry $$name || exit 1; \
	done

docs: packages-python
	@$(SWIFT) build $(BUILD) --product belfry
	@.ci/docs .build/docs --belfry $(BELFRY) --modules $(SHOWN)
	@echo "to read it: python3 -m http.server -d .build/docs, then http://localhost:8000/documentation"

# Requests and frames of each run; the program cuts credentials and push handles short.
runs: packages
	@$(SWIFT) build $(BUILD) --product belfry
	@mkdir -p .build/runs
	@for scenario in breaking-news rich-push secure-push notify-users localized nearby relay; do \
	    $(BELFRY) demo --wire --scenario $$scenario > .build/runs/$$scenario.txt; \
	    echo ".build/runs/$$scenario.txt"; \
	done

# Needs the package index of Python; the clients are installed into a folder of the build.
clients: packages-python
	@$(SWIFT) build $(BUILD) --product belfry
	@python3 -m venv .build/clients
	@.build/clients/bin/pip install -q --disable-pip-version-check -r Tests/Outside/Clients/requirements.txt
	@.build/clients/bin/python Tests/Outside/Clients/run $(BELFRY)

# What the relay's core signs, encrypts and sends, judged by packages of PyPI.
relay-samples: packages-python
	@$(call install,openssl)
	@$(SWIFT) build $(BUILD) --build-tests
	@HUB_RELAY_SAMPLES=$(CURDIR)/.build/relay-samples.json \
	    $(SWIFT) test $(BUILD) --skip-build --disable-xctest --filter SampleFileTests > /dev/null
	@python3 -m venv .build/relay-judges
	@.build/relay-judges/bin/pip install -q --disable-pip-version-check \
	    pyjwt==2.15.1 cryptography http-ece==1.2.1 py-vapid==1.9.6 \
	    aioapns==4.0 firebase-admin==7.7.0 pywebpush==2.5.0 h2==4.4.1 \
	    django-push-notifications==3.3.0
	@.build/relay-judges/bin/python Tests/Outside/Interop/relay_samples.py .build/relay-samples.json
	@.build/relay-judges/bin/python Tests/Outside/Interop/relay_requests.py $(BELFRY) \
	    .build/relay-samples.json
	@.build/relay-judges/bin/python Tests/Outside/Interop/relay_frames.py $(BELFRY)

fuzz: packages
	@Fuzz/run

# The two tools come from PyPI into an environment of their own.
fuzz-rest: packages-python
	@$(SWIFT) build $(BUILD) --product belfry
	@[ -x $(REST_TOOLS)/bin/schemathesis ] || { \
	    python3 -m venv $(REST_TOOLS); \
	    $(REST_TOOLS)/bin/pip install -q openapi-spec-validator==0.9.0 schemathesis==4.32.5; \
	}
	@$(REST_TOOLS)/bin/python Tests/Outside/Interop/fuzz_rest.py $(BELFRY) --seconds $${FUZZ_SECONDS:-60}

# The messages of OpenTelemetry come from PyPI into an environment of their own.
test-traces: packages-python
	@$(call install,curl)
	@$(SWIFT) build $(BUILD) --product belfry
	@[ -x $(TRACE_TOOLS)/bin/python ] || { \
	    python3 -m venv $(TRACE_TOOLS); \
	    $(TRACE_TOOLS)/bin/pip install -q --disable-pip-version-check opentelemetry-proto==1.45.2; \
	}
	@$(TRACE_TOOLS)/bin/python Tests/Outside/Interop/traces.py $(BELFRY)

# Firefox subscribes at a stand-in of its push service; the hub's bytes are for it to decrypt.
test-browser: packages-browser
	@$(SWIFT) build $(BUILD) --product belfry
	@Tests/Outside/Browser/run $(BELFRY)

# axe-core comes in the wheel of a test framework, of which only that file is taken.
test-console: packages-console
	@$(SWIFT) build $(BUILD) --product belfry
	@[ $(CONSOLE_TOOLS)/axe.min.js -nt Tests/Outside/Console/requirements.txt ] || { \
	    python3 -m venv $(CONSOLE_TOOLS); \
	    $(CONSOLE_TOOLS)/bin/pip install -q --disable-pip-version-check \
	        -r Tests/Outside/Console/requirements.txt; \
	    $(CONSOLE_TOOLS)/bin/pip download -q --disable-pip-version-check --no-deps -d $(CONSOLE_TOOLS) \
	        --python-version 3.13 --only-binary=:all: pytest-playwright-axe==4.14.0; \
	    $(CONSOLE_TOOLS)/bin/python -m zipfile -e $(CONSOLE_TOOLS)/pytest_playwright_axe*.whl $(CONSOLE_TOOLS)/wheel; \
	    mv $(CONSOLE_TOOLS)/wheel/pytest_playwright_axe/resources/axe.min.js $(CONSOLE_TOOLS); \
	    touch $(CONSOLE_TOOLS)/axe.min.js; \
	}
	@$(if $(filter webkit,$(CONSOLE_BROWSER)),xvfb-run -a) \
	    $(CONSOLE_TOOLS)/bin/python Tests/Outside/Console/run $(BELFRY) --axe $(CONSOLE_TOOLS)/axe.min.js \
	    --browser $(CONSOLE_BROWSER) $${FEW:+--few} $${PICTURES:+--pictures $$PICTURES}

lint: swift
	@$(SWIFT) format lint --strict -r Package.swift Sources Tests Fuzz
	@echo "nothing to complain about"

swift:
	@command -v $(SWIFT) > /dev/null || { \
	    echo "The Swift toolchain (6.2 or newer) is not in PATH; see https://www.swift.org/install" >&2; \
	    exit 1; \
	}

packages: swift
	@$(call install,$(LIBRARIES))

packages-install: swift
	@$(call install,$(LIBRARIES) libxml2-dev python3)

# Debian makes a cluster and starts it with the first server that it installs, unless a file says
# otherwise; tests start their own.
packages-test: swift
	@[ -e /var/lib/dpkg/info/postgresql.list ] || { \
	    if [ "$$(id -u)" = 0 ]; then sudo=; else sudo="sudo -n"; fi; \
	    echo "create_main_cluster = false" | $$sudo install -D -m 644 /dev/stdin \
	        /etc/postgresql-common/createcluster.d/belfry.conf 2> /dev/null || true; \
	}
	@$(call install,$(LIBRARIES) openssl gnutls-bin python3 nghttp2-server postgresql)

packages-python: swift
	@$(call install,$(LIBRARIES) python3 python3-venv)

packages-browser: swift
	@$(call install,$(LIBRARIES) python3 firefox-esr openssl)

packages-console: swift
	@$(call install,$(LIBRARIES) python3 python3-venv fonts-dejavu-core $(PACKAGES_$(CONSOLE_BROWSER)))

packages-bench: swift
	@$(call install,$(LIBRARIES) liburing-dev gcc libc6-dev python3 util-linux)

# Debian starts a server as it installs it; one that was not there before is stopped again.
packages-peers: packages-bench
	@fresh=(); \
	for server in $(PEER_SERVERS); do \
	    [ -e "/var/lib/dpkg/info/$$server.list" ] || fresh+=("$$server"); \
	done; \
	$(call install,openssl $(PEER_SERVERS)); \
	for server in "$${fresh[@]}"; do \
	    if systemctl is-active -q "$$server" 2> /dev/null; then \
	        echo "stopping the service $$server"; \
	        $${sudo:-} systemctl disable -q --now "$$server"; \
	    fi; \
	done

packages-monitoring:
	@[ -e /var/lib/dpkg/info/prometheus.list ] && exit 0; \
	$(call install,prometheus); \
	if systemctl is-active -q prometheus 2> /dev/null; then \
	    echo "stopping the service prometheus"; \
	    $${sudo:-} systemctl disable -q --now prometheus; \
	fi

packages-deb: packages-install
	@$(call install,dpkg-dev)

packages-deb-test:
	@$(call install,mmdebstrap systemd-container)

packages-image: packages-install
	@$(call install,dpkg-dev mmdebstrap umoci)

packages-image-test:
	@$(call install,podman runc curl python3)

packages-micro: swift
	@$(call install,$(LIBRARIES) python3 valgrind)

packages-rest: swift
	@$(call install,$(LIBRARIES) nghttp2-client python3)
