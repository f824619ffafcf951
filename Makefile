# `make` alone prints this help. `make demo` and `make test` are all that a newcomer needs.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

CARGO  ?= cargo
PYTHON ?= python3
TARGET := $(or $(CARGO_TARGET_DIR),target)
TAILBACK := $(TARGET)/release/tailback
# The package is built and tested in an environment of its own.
VENV     := $(TARGET)/python
WHEELS   := $(TARGET)/dist
# Where the Python package is built afterwards, its crate is selected, too: libraries then have the same features in both
# builds and are compiled once.
CRATES   := -p tailback-cli
everything python python-test python-stubs prose site: CRATES += -p tailback-python
# `make soak SOAK_CASES=1000`, `make fuzz FUZZ_CASES=1000`: how long to look.
SOAK_CASES ?= 20000
FUZZ_CASES ?= 20000
# The seed of damaged inputs; `make fuzz` draws new ones each time.
HOSTILE_SEED := $(or $(HOSTILE_SEED),$(shell date +%s))
HOSTILE_CASES ?= 1000000
HOSTILE_FROM ?= 0
HOSTILE_SECONDS ?=
BUBBLE_CASES ?= 10000
OVERLOAD_CASES ?= 10000
SWEEP_POINTS ?= 400
SWEEP_KILLS ?= 10
# `make install PREFIX=~/.local`; DESTDIR is put before it, for packagers.
PREFIX ?= /usr/local
COMPLETIONS := bash-completion/completions/tailback zsh/site-functions/_tailback fish/vendor_completions.d/tailback.fish
# `make mutants MUTANTS=0` tries all of them.
MUTANTS ?= 400
MUTANTS_SEED ?= 1
# `make mutants MUTANTS_AGAIN=yes` tries survivors again, after tests were written.
MUTANTS_AGAIN ?=
CARGO_MUTANTS := 27.1.0
# The random cases of `make test` are the same in every run; `make fuzz` draws new ones.
PROPERTY_SEED ?= 1
# `make test` does so many things at a time.
CORES ?= $(shell nproc 2>/dev/null || echo 2)
# Engines beside their reference models, in the tests of `verify`.
TWINS := differential:: adaptive:: ioq:: input_queued::

.PHONY: help demo install library header install-library compilers test everything slow-pictures format lint unit page pages release edit determinism reproduce-quick docs-check prose site pictures python python-test python-stubs wheel tutorial chromium mpi \
        bench bench-booksim readings reproduce soak bubble-soak overload-soak sweep-soak slurm-test loom hostile fuzz mutants docs clean

help: ## this help
	@echo "Tailback: cycle-accurate simulation of congestion in lossless interconnection networks"
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: release ## build, run the first example, show its curve, write out/demo/report.html
	@$(TAILBACK) run examples/first.toml --out out/demo --force
	@echo "Open out/demo/report.html in a browser. What next: README.md"

test: compilers chromium mpi ## everything that must hold before a change is merged
	$(MAKE) --jobs=$(CORES) --output-sync=target --no-print-directory BESIDE=yes everything
	@echo "make test: all is well"

everything: format lint unit page release prose site docs-check reproduce-quick determinism $(ALSO) python-test

# A target for each core: one goes on while another one waits, or keeps one core busy. What is built into one folder is built in order, and
# compilers share the places with the targets (`BUILD`). A target's output is printed when the target ends.
# What times itself comes last, when little else runs.
ifdef BESIDE
unit: | lint
page determinism: | unit
# Nothing is compiled a second time, so nothing is kept for that.
export CARGO_INCREMENTAL := 0
# `make -n` runs what has a `+`.
BUILD := $(if $(findstring n,$(firstword -$(MAKEFLAGS))),,+)
endif

format: ## is every file formatted?
	$(CARGO) fmt --all -- --check

lint: ## compiler and clippy warnings are errors, and so are circles of more than two files in the engine, boolean parameters, and lost tests
	$(PYTHON) tools/check_circles.py
	$(PYTHON) tools/check_booleans.py
	$(PYTHON) tools/check_tests.py
	$(BUILD)$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

compilers: # hosts in C and C++ are compiled by tests, with what Debian has
	@command -v gcc >/dev/null && command -v g++ >/dev/null && command -v cmake >/dev/null && command -v pkg-config >/dev/null || { \
		echo "installing g++, cmake and pkg-config, with which hosts are compiled"; \
		apt-get install -y -qq --no-install-recommends gcc g++ cmake pkg-config >/dev/null || \
		{ echo "make test needs gcc, g++, cmake and pkg-config: apt-get install g++ cmake pkg-config" >&2; exit 1; }; }

unit: compilers ## all Rust tests: units, properties, reference model, command line, hosts in C and C++
	$(BUILD)$(CARGO) test --workspace --locked --no-run
	MAKEFLAGS= PROPTEST_RNG_SEED=$(PROPERTY_SEED) $(CARGO) test --workspace --locked

page: $(VENV)/installed # what docs/adding-a-mechanism.md says of a throttle, done in a copy of the tree
	MAKEFLAGS= $(PYTHON) tools/check_pages.py $(VENV)/bin/python throttle

pages: $(VENV)/installed ## what docs/adding-a-mechanism.md says, done in a copy of the tree: a throttle, a probe, a pattern, an arbiter
	$(PYTHON) tools/check_pages.py $(VENV)/bin/python throttle probe pattern arbiter

release: ## the optimised program, target/release/tailback
	$(BUILD)$(CARGO) build --release --locked $(CRATES)

# The debug build is that of `unit`: whatever else is selected has other features, and would be compiled again.
edit: ## from a changed line to target/edit/tailback in seconds: the same results at nearly the same speed, not for `make bench`
	$(CARGO) build --profile edit --locked -p tailback-cli

determinism: release ## same bits in debug and release builds and for any number of threads
	$(BUILD)$(CARGO) test --workspace --locked --no-run
	$(PYTHON) tools/check_determinism.py $(TARGET)/debug/tailback $(TAILBACK)

docs-check: release ## commands, promises, links, paths, generated parts and pictures of the documentation; the examples of every --help
	$(PYTHON) tools/check_docs.py $(TAILBACK)
	$(PYTHON) tools/check_examples.py $(TAILBACK)
	$(PYTHON) tools/gallery.py $(TAILBACK)

prose: release $(VENV)/installed ## plain English: the documentation and the pages of --help, by the rules of STYLE.md
	$(VENV)/bin/python tools/check_prose.py $(TAILBACK)

site: python ## the documentation as a site with gallery, Python reference and search: target/site/html/index.html
	$(VENV)/bin/python tools/build_site.py $(TAILBACK) $(TARGET)/site

$(VENV)/installed: python/requirements-test.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

python: release $(VENV)/installed ## the Python package, into an environment in target/
	MAKEFLAGS= PATH="$(abspath $(VENV))/bin:$$PATH" $(VENV)/bin/pip install --quiet --disable-pip-version-check \
		--no-build-isolation --no-deps --force-reinstall .

wheel: $(VENV)/installed ## a wheel of the Python package for every CPython from 3.11 on, tried in a fresh environment
	rm -rf $(WHEELS)
	PATH="$(abspath $(VENV))/bin:$$PATH" $(VENV)/bin/maturin build --quiet --release --out $(WHEELS)
	$(PYTHON) tools/check_wheel.py $(WHEELS)/*.whl

chromium: # reports are tested in a real browser, Debian's
	@command -v chromium >/dev/null || { \
		echo "installing chromium, in which reports are tested"; \
		apt-get install -y -qq --no-install-recommends chromium >/dev/null || \
		{ echo "make test needs Debian's chromium: apt-get install chromium" >&2; exit 1; }; }

mpi: # one network in several processes is tested with a real one, Debian's
	@command -v mpirun >/dev/null || { \
		echo "installing openmpi-bin, with which processes are tested"; \
		apt-get install -y -qq --no-install-recommends openmpi-bin >/dev/null || \
		{ echo "make test needs an MPI: apt-get install openmpi-bin" >&2; exit 1; }; }

python-test: python site chromium mpi ## the Python package: style, types, stubs, tests, examples, documents, notebook, reports in a browser
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(VENV)/bin/mypy
	$(VENV)/bin/pytest -n 4 --dist loadfile

reproduce-quick: release ## the short form of every table and figure of every paper
	$(TAILBACK) reproduce spth-2015 --quick
	$(TAILBACK) reproduce self-tuned-2001 --quick
	$(TAILBACK) reproduce injection-2005 --quick
	$(TAILBACK) reproduce bubble-1999 --quick
	$(TAILBACK) reproduce recn-mesh-2005 --quick
	$(TAILBACK) reproduce dally-towles-2004 --quick

bench: release ## speed on the fixed scenarios
	$(TAILBACK) bench --repeat 3

bench-booksim: release ## speed beside BookSim 2 on its own configurations (BOOKSIM=path/to/booksim)
	TAILBACK=$(abspath $(TAILBACK)) BOOKSIM=$(abspath $(BOOKSIM)) $(PYTHON) verify/external/booksim_speed.py

readings: release ## search the readings of every paper, and run the best ones whole (long), into out/; goes on where it was stopped
	$(TAILBACK) reproduce spth-2015 --readings --out out/readings-spth-2015 --resume
	$(TAILBACK) reproduce bubble-1999 --readings --out out/readings-bubble-1999 --resume
	$(TAILBACK) reproduce self-tuned-2001 --readings --out out/readings-self-tuned-2001 --resume
	$(TAILBACK) reproduce recn-mesh-2005 --readings --out out/readings-recn-mesh-2005 --resume
	$(TAILBACK) reproduce injection-2005 --readings --out out/readings-injection-2005 --resume

reproduce: release ## every paper whole (long), into out/; goes on where it was stopped
	$(TAILBACK) reproduce spth-2015 --out out/spth-2015 --resume
	$(TAILBACK) reproduce self-tuned-2001 --out out/self-tuned-2001 --resume
	$(TAILBACK) reproduce injection-2005 --out out/injection-2005 --resume
	$(TAILBACK) reproduce bubble-1999 --out out/bubble-1999 --resume
	$(TAILBACK) reproduce recn-mesh-2005 --out out/recn-mesh-2005 --resume
	$(TAILBACK) reproduce dally-towles-2004 --out out/dally-towles-2004 --resume

soak: ## compare engine and reference model on many random networks (SOAK_CASES=20000)
	TAILBACK_SOAK_CASES=$(SOAK_CASES) $(CARGO) test --locked -p tailback-verify --test wormhole --test traffic -- --nocapture
	TAILBACK_SOAK_CASES=$(SOAK_CASES) $(CARGO) test --locked -p tailback-verify --test it -- --nocapture $(TWINS)

bubble-soak: ## networks kept free of deadlock by bubbles, overloaded and drained, many of them (BUBBLE_CASES=10000)
	TAILBACK_BUBBLE_CASES=$(BUBBLE_CASES) $(CARGO) test --locked -p tailback-verify --test it -- --nocapture bubble::

overload-soak: ## networks free of deadlock: overloaded none is called deadlocked, below saturation none starved (OVERLOAD_CASES=10000)
	TAILBACK_OVERLOAD_CASES=$(OVERLOAD_CASES) $(CARGO) test --profile hunt --locked -p tailback-sim --test it overload::

sweep-soak: python ## sweeps killed again and again end as unbroken ones (SWEEP_POINTS=400 SWEEP_KILLS=10)
	TAILBACK_SWEEP_POINTS=$(SWEEP_POINTS) TAILBACK_SWEEP_KILLS=$(SWEEP_KILLS) $(VENV)/bin/pytest python/tests/test_sweep.py -k killed

slurm-test: python ## sweeps on a real Slurm of one node; as root, installs Debian's packages where they are missing
	python/tests/slurm/run.sh $(VENV)

loom: ## the post between threads, in every order in which they may run
	RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=$(TARGET)/loom $(CARGO) test --release --locked -p tailback-engine --lib partition::exchange::models

hostile: ## damaged inputs through the whole program: HOSTILE_CASES=1000000 from HOSTILE_FROM=0 on, or as many as HOSTILE_SECONDS last
	$(CARGO) test --profile hunt --locked -p tailback-cli --test hostile -- --seed $(HOSTILE_SEED) --cases $(HOSTILE_CASES) \
		--from $(HOSTILE_FROM) $(if $(HOSTILE_SECONDS),--seconds $(HOSTILE_SECONDS))

fuzz: python ## random bytes, specs, programs, traces, results and forged checkpoints, random networks, damaged inputs through the whole program (FUZZ_CASES=20000)
	PROPTEST_CASES=$(FUZZ_CASES) $(CARGO) test --locked -p tailback-spec -p tailback-results -p tailback-program
	PROPTEST_CASES=$(FUZZ_CASES) $(CARGO) test --locked -p tailback-sim --test it random_specs::
	TAILBACK_LIVE_CASES=$(FUZZ_CASES) $(CARGO) test --locked -p tailback-live --lib damaged
	TAILBACK_LIVE_CASES=$(FUZZ_CASES) $(VENV)/bin/pytest python/tests/test_live.py -k damaged
	TAILBACK_FORGED_CASES=$(FUZZ_CASES) $(CARGO) test --locked -p tailback-sim --test forged -- --nocapture
	TAILBACK_SOAK_CASES=$(FUZZ_CASES) $(CARGO) test --locked -p tailback-verify --test wormhole --test traffic
	TAILBACK_SOAK_CASES=$(FUZZ_CASES) $(CARGO) test --locked -p tailback-verify --test it $(TWINS)
	$(MAKE) hostile HOSTILE_CASES=$(FUZZ_CASES) HOSTILE_SEED=$(HOSTILE_SEED)
	TAILBACK_HOSTILE_PYTHON_CASES=$(FUZZ_CASES) TAILBACK_HOSTILE_SEED=$(HOSTILE_SEED) $(VENV)/bin/pytest python/tests/test_hostile.py python/tests/test_import.py


$(TARGET)/tools/cargo-mutants-$(CARGO_MUTANTS):
	$(CARGO) install cargo-mutants --version $(CARGO_MUTANTS) --locked --root $(TARGET)/tools
	touch $@

mutants: $(TARGET)/tools/cargo-mutants-$(CARGO_MUTANTS) ## faults made on purpose: are they noticed? (MUTANTS=400 MUTANTS_SEED=1; an hour)
	$(PYTHON) tools/mutants.py $(TARGET)/tools/bin/cargo-mutants --sample $(MUTANTS) --seed $(MUTANTS_SEED) \
		$(if $(MUTANTS_AGAIN),--again) --out $(TARGET)/mutants

# Program and library are built together: libraries then have the same features in both, and are compiled once.
install: CRATES += -p tailback-capi

# Where `install-library` takes the libraries from.
LIBRARIES ?= $(TARGET)/release
CAPI := crates/capi
FILLED := sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)|'

library: ## the C library, shared and static, in target/release
	$(CARGO) build --release --locked -p tailback-capi

header: ## target/tailback.h as cbindgen makes it of the sources; a test holds the documented header against it
	cbindgen --quiet --config $(CAPI)/cbindgen.toml $(CAPI) --output $(TARGET)/tailback.h

install-library: ## the C library as built by `make library`, its headers, files for pkg-config and CMake, into PREFIX (/usr/local)
	install -Dm755 $(LIBRARIES)/libtailback.so $(DESTDIR)$(PREFIX)/lib/libtailback.so
	install -Dm644 $(LIBRARIES)/libtailback.a $(DESTDIR)$(PREFIX)/lib/libtailback.a
	install -d $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/lib/pkgconfig $(DESTDIR)$(PREFIX)/lib/cmake/tailback
	install -m644 $(CAPI)/include/*.h $(CAPI)/include/*.hpp $(DESTDIR)$(PREFIX)/include/
	$(FILLED) $(CAPI)/tailback.pc.in > $(DESTDIR)$(PREFIX)/lib/pkgconfig/tailback.pc
	for file in tailback-config tailback-config-version; do \
		$(FILLED) $(CAPI)/$$file.cmake.in > $(DESTDIR)$(PREFIX)/lib/cmake/tailback/$$file.cmake; done

install: release install-library ## the program, its manual pages and completions, and the C library, into PREFIX (/usr/local)
	install -Dm755 $(TAILBACK) $(DESTDIR)$(PREFIX)/bin/tailback
	install -d $(DESTDIR)$(PREFIX)/share/man/man1 $(foreach folder,$(COMPLETIONS),$(DESTDIR)$(PREFIX)/share/$(dir $(folder)))
	$(TAILBACK) manual > $(DESTDIR)$(PREFIX)/share/man/man1/tailback.1
	for verb in $$($(TAILBACK) manual --verbs); do \
		$(TAILBACK) manual $$verb > $(DESTDIR)$(PREFIX)/share/man/man1/tailback-$$verb.1; done
	$(TAILBACK) completions bash > $(DESTDIR)$(PREFIX)/share/$(word 1,$(COMPLETIONS))
	$(TAILBACK) completions zsh > $(DESTDIR)$(PREFIX)/share/$(word 2,$(COMPLETIONS))
	$(TAILBACK) completions fish > $(DESTDIR)$(PREFIX)/share/$(word 3,$(COMPLETIONS))

python-stubs: python ## rewrite the types of `tailback.build` from the catalogue
	$(VENV)/bin/python tools/python_stubs.py

tutorial: python ## run docs/tutorial.ipynb and store what its cells show
	$(VENV)/bin/python tools/tutorial.py

slow-pictures: release # the stored pictures that take minutes
	$(PYTHON) tools/gallery.py $(TAILBACK) --slow

docs: release ## rewrite the generated parts of docs/ and the pictures of the README
	$(PYTHON) tools/check_docs.py $(TAILBACK) --write
	$(PYTHON) tools/gallery.py $(TAILBACK) --write

pictures: release ## rewrite the pictures of the README, also the one that takes minutes
	$(PYTHON) tools/gallery.py $(TAILBACK) --write
	$(PYTHON) tools/gallery.py $(TAILBACK) --write --slow

clean: ## remove build products and out/
	$(CARGO) clean
	rm -rf out
