# A thin front: CMake does the building, tests/run the testing. `make help` lists what there is.
PREFIX ?= /usr/local
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
CMAKE ?= cmake
BUILD := build
MAKEFLAGS += --no-print-directory

.DEFAULT_GOAL := all
.PHONY: all demo quick test test-all coverage analyse check gpu-check treeple-check bench bench-predict scaling paper paper-long paper-full format fuzz amalgamation r-package install uninstall clean help deps deps-build deps-test \
        deps-bench configure build-tests

all: configure ## build the libraries, the command build/sporf and the examples
	$(CMAKE) --build $(BUILD) --parallel $(JOBS)

demo: configure ## compare sporf with a random forest on sparse parity, in under a minute
	$(CMAKE) --build $(BUILD) --parallel $(JOBS) --target sporf_command
	tools/demo.sh $(BUILD)/sporf

quick: build-tests ## build and run the tests that take a minute, for every change
	tests/run --quick $(BUILD)

test: build-tests ## build everything and run the tests, a few minutes; with TIER=--all the slow ones too
	tests/run $(TIER) $(BUILD)

test-all: ## all that must hold, about 45 minutes: also slow tests, sanitizers, fuzzers, coverage, analyser
	.ci/run

coverage: deps-test ## the share of the lines of src/ that the tests run, and the lines that they do not
	$(CMAKE) --preset coverage
	$(CMAKE) --build build-coverage --parallel $(JOBS)
	find build-coverage -name '*.gcda' -delete
	tests/run build-coverage unit/ property/ fuzz/ cli/
	python3 tools/coverage.py build-coverage --lines

analyse: build-tests ## look for mistakes with clang-tidy 14, in the C files of FILES or in all
	tools/analyse.sh $(BUILD) $(FILES)

check: deps-test all ## layers, documents, format, exported symbols, tests of the test runner
	python3 tools/check_layers.py
	python3 tools/check_docs.py
	tools/check_format.sh
	tools/check_exports.sh $(BUILD)
	tests/selftest.sh

bench: all deps-bench ## compare training and prediction with other forests; BENCH="NAME..." runs a part
	python3 bench/run.py $(BENCH)

bench-predict: all deps-bench ## only the comparison of prediction
	python3 bench/run.py predict-mnist predict-higgs

scaling: all deps-bench ## how training time and memory grow, as docs/scaling.svg
	python3 bench/scaling.py

paper: all ## reproduce the paper's figures and tables, a quick version; FIGURES="NAME..." for a part
	$(PAPER) --quick $(FIGURES)

paper-long: all ## the same with all sets and sizes, but fewer trees to compare costly settings: hours
	$(PAPER) --long $(FIGURES)

paper-full: all ## the same with the paper's own settings: days; continues where it was stopped
	$(PAPER) --full $(FIGURES)

PAPER = python=$$(tools/python_env.sh $(CURDIR)/$(BUILD) bindings/python/tests/requirements.txt \
        experiments/paper/requirements.txt) && $$python experiments/paper/run.py

format: ## format every C file with clang-format
	tools/check_format.sh --fix

treeple-check: ## run treeple's own tests with sporf's forests in their place; the first time builds treeple, minutes
	python=$$(tools/python_env.sh $(CURDIR)/$(BUILD)/treeple bindings/python/tests/requirements_treeple.txt) && \
	    cd bindings/python/tests && $$python -m pytest -p no:cacheprovider -m slow -rsP test_treeple_forests.py

gpu-check: deps-test ## build for NVIDIA GPUs (build-gpu) and compare their forests with those of the CPU
	$(CMAKE) -S . -B build-gpu -DCMAKE_BUILD_TYPE=Release -DSPORF_CUDA=ON -DSPORF_BUILD_TESTS=ON
	$(CMAKE) --build build-gpu --parallel $(JOBS)
	tests/run build-gpu unit/learn/test_device
	tests/gpu_check.sh build-gpu

SECONDS_EACH ?= 60
fuzz: deps-test ## run each fuzz target for SECONDS_EACH seconds (needs clang)
	$(CMAKE) --preset fuzz
	$(CMAKE) --build build-fuzz --parallel $(JOBS)
	tools/fuzz.sh build-fuzz $(SECONDS_EACH)

amalgamation: ## the whole library as one file: build/sporf.c, with build/sporf.h
	python3 tools/amalgamate.py $(BUILD)

r-package: ## the R package as build/sporf_VERSION.tar.gz; needs R with knitr and rmarkdown, and pandoc
	mkdir -p $(BUILD)
	tools/r_package.sh $(BUILD)

install: all ## install below PREFIX (/usr/local); DESTDIR is honoured
	$(CMAKE) --install $(BUILD) --prefix $(abspath $(PREFIX))

uninstall: ## remove what the last install put below PREFIX
	tools/uninstall.sh $(BUILD) $(abspath $(PREFIX))

clean: ## remove all build directories
	rm -rf build build-*

deps: deps-test ## install what building and testing need (Debian, Ubuntu), or print it

deps-build:
	@tools/deps.sh build

deps-test:
	@tools/deps.sh test

deps-bench:
	@tools/deps.sh bench || echo "Going on: the table names what is missing."

configure: deps-build
	@$(CMAKE) --preset release

build-tests: deps-test
	@$(CMAKE) --preset release -DSPORF_BUILD_TESTS=ON
	$(CMAKE) --build $(BUILD) --parallel $(JOBS)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
