# SPDX-License-Identifier: Apache-2.0
# One command set, the same here and in CI. Every target does its own set-up; the work is in scripts/.
# ARGS is passed on, e.g.  make test ARGS="-k wire"   (to pytest)   make demo ARGS="--help"

PYTHON ?= python3
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help demo test quick ci nightly lint formal coverage hardware soc wheel wasm bench bench-quick pictures release rebuild readme soak docs format clean embed

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

demo: ## encrypt a photograph, let stock SEAL compute on it, decrypt the answer
	@$(PYTHON) scripts/run.py demo $(ARGS)

test: ## everything: sanitised C tests, release C tests, then pytest, on all cores (a quarter of an hour on two)
	@$(PYTHON) scripts/test.py $(ARGS)

ci: ## what CI runs: the tests, and lint beside them
	@$(PYTHON) scripts/test.py --lint $(ARGS)

quick: ## release C tests and the fast half of pytest, under two minutes
	@$(PYTHON) scripts/test.py --quick $(ARGS)

nightly: ## what is too long for CI, in pieces that resume: soak, proofs, lint, bench, coverage (hours; ARGS=--list: how each went)
	@$(PYTHON) scripts/nightly.py $(ARGS)

lint: ## formatting, static checks, types, licence headers
	@$(PYTHON) scripts/lint.py $(ARGS)

formal: ## every proof about the hardware, also the long ones (up to half an hour)
	@$(PYTHON) scripts/formal.py $(ARGS)

bench: ## speed and memory beside SEAL with HEXL and other libraries, with pass or fail (about 5 minutes)
	@$(PYTHON) scripts/run.py bench $(ARGS)

bench-quick: ## the same against TenSEAL's SEAL only, half a minute
	@$(PYTHON) scripts/run.py bench-quick $(ARGS)

coverage: ## line, toggle and functional coverage of the hardware tests: docs/coverage.md, build/coverage (hours)
	@$(PYTHON) scripts/coverage.py $(ARGS)

hardware: ## what simulation and synthesis of the designs need, and the package itself, in build/venv
	@$(PYTHON) scripts/run.py hardware $(ARGS)

soc: ## an encryption on a simulated RISC-V processor with an accelerator: ARGS="rise-1 --op encrypt-sk" (`ringside soc run --help`)
	@$(PYTHON) scripts/run.py soc $(or $(ARGS),rise-1)

wheel: ## a wheel for other Linux systems, in build/dist (ARGS=--arm64: for 64-bit Arm)
	@$(PYTHON) scripts/wheel.py $(ARGS)

wasm: ## the npm package `ringside`, WebAssembly for browsers and Node.js, in build/npm and build/dist
	@$(PYTHON) js/package.py $(ARGS)

embed: ## for other programs and devices, in build/embed: the lean client in one folder, Rust crates, a Go module, recipes
	@$(PYTHON) scripts/run.py embed $(ARGS)

pictures: ## docs/demo.png, timeline.svg, layout.svg and bench.png by today's code; what has not changed stays (bench: minutes, on a quiet machine)
	@$(PYTHON) scripts/releasing/draw.py $(ARGS)

release: ## all that a release has, in build/release: wheels, sources, kits, report, pages, site, npm, bills of materials, SHA256SUMS; it resumes
	@$(PYTHON) scripts/run.py release $(ARGS)

rebuild: ## packages, a kit and the site made twice, in two folders by two users: whether the bits are the same (half an hour)
	@$(PYTHON) scripts/run.py rebuild $(ARGS)

readme: ## write the last bench's numbers into docs/benchmarks.md
	@$(PYTHON) scripts/readme.py $(ARGS)

soak: ## fuzz every loader of files, a minute each, then 200 random jobs on simulated hardware, then the tests marked `soak`
	@$(PYTHON) scripts/run.py soak $(ARGS)

docs: ## the site, without a network: build/site/index.html (two minutes; ARGS=--check: each page in a browser, too)
	@$(PYTHON) scripts/run.py docs $(ARGS)

format: ## rewrite C, Python and SystemVerilog sources in the house format
	@$(PYTHON) scripts/lint.py --fix

clean: ## remove everything that was generated
	rm -rf build tests/interop/node/node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
