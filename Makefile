# Every target does its own set-up; see README.md for the two that matter.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LLVM := /usr/lib/llvm-22/bin
NATIVE := $(shell find dialects passes tools frontend/bindings frontend/native runtime/native CMakeLists.txt pyproject.toml \
            -name '*.cpp' -o -name '*.h' -o -name '*.td' -o -name 'CMakeLists.txt' -o -name pyproject.toml)
export CMAKE_BUILD_PARALLEL_LEVEL ?= 2
# A file that was compiled in one clone is not compiled again in another.
export CCACHE_BASEDIR ?= $(CURDIR)
export CCACHE_NOHASHDIR ?= 1
# One worker more than CI has cores: some tests wait for processes that they start.
JOBS ?= 3
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist worksteal
PROGRAMS := $(BIN)/python test/fuzz/programs.py
MUTATE := $(BIN)/python test/mutation/mutate.py
# The levels of x86-64 that this machine has, from the lowest one: its own code is mostly of the highest.
LEVELS = $(shell $(BIN)/python -c "from ingot_runtime import processors; print(*processors.levels())")
TODAY = $(shell date +%Y%m%d)

.PHONY: setup demo test quick nightly sanitize mutation lit pytest bench docs wheel format lint clean

setup: build/.installed

$(VENV)/.made: pyproject.toml
	tools/install-system-packages.sh
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check 'scikit-build-core>=0.11' 'nanobind>=2.4' \
	  'click>=8.1' 'jaxlib>=0.10' 'numpy>=2.0' 'rich>=13' 'safetensors>=0.4' 'threadpoolctl>=3.2' 'kserve>=0.21,<0.22' \
	  'dask[array,distributed]' hypothesis 'jax>=0.10' lit mpmath mypy pytest pytest-timeout pytest-xdist 'tritonclient[grpc,http]'
	touch $@

# The editable install runs CMake and builds everything, the tools too, in build/.
build/.installed: $(VENV)/.made $(NATIVE)
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-build-isolation --no-deps -e .
	touch $@

$(VENV)/.demo: $(VENV)/.made
	$(BIN)/python -m pip install -q --disable-pip-version-check matplotlib scikit-learn
	touch $@

$(VENV)/.engines: $(VENV)/.made
	$(BIN)/python -m pip install -q --disable-pip-version-check 'ray[data]'
	touch $@

$(VENV)/.dev: $(VENV)/.made
	$(BIN)/python -m pip install -q --disable-pip-version-check 'clang-format>=22,<23' pre-commit ruff
	touch $@

demo: setup $(VENV)/.demo
	$(BIN)/python examples/demo.py

# Tests start hundreds of processes: Python keeps modules that it has compiled, whatever the environment says,
test quick nightly pytest: export PYTHONDONTWRITEBYTECODE :=
# and threads of OpenBLAS that wait for work sleep at once, and do not spin.
test quick nightly pytest: export OPENBLAS_THREAD_TIMEOUT := 4

# All steps run, even if one fails, and the end says which did.
test: setup
	tools/steps.sh "$(MAKE) --no-print-directory lit" "$(PYTEST)" \
	  "INGOT_NATIVE=0 INGOT_TESTS=quick $(PYTEST)" \
	  $(foreach level,$(wordlist 1,2,$(LEVELS)),"INGOT_TARGET_CPU=$(level) INGOT_TESTS=quick $(PYTEST) test/native") \
	  "$(BIN)/python test/fuzz/functions.py" \
	  "$(PROGRAMS) --count 200" \
	  "INGOT_NATIVE=0 $(PROGRAMS) --count 60" \
	  "$(PROGRAMS) --count 60 --kind derivatives" \
	  "$(PROGRAMS) --count 60 --kind vmap" \
	  "$(PROGRAMS) --count 60 --kind strict" \
	  "$(PROGRAMS) --count 60 --kind tries" \
	  "$(PROGRAMS) --count 60 --kind wholes" \
	  "$(PROGRAMS) --count 60 --kind ways" \
	  "$(BIN)/python test/fuzz/mutants.py --count 300" \
	  "$(BIN)/python tools/docs.py --check"

# lit, and of pytest a few cases of each test that is not slow.
quick: setup lit
	INGOT_TESTS=quick $(PYTEST)

# Libraries of JAX that compiled code calls, which take a minute to install.
$(VENV)/.jax-libraries: $(VENV)/.made
	$(BIN)/python -m pip install -q --disable-pip-version-check diffrax dm-haiku flax optax
	touch $@

# Every case of every sweep, and the random tests at length.
nightly: setup $(VENV)/.engines $(VENV)/.jax-libraries
	tools/steps.sh "$(MAKE) --no-print-directory sanitize" \
	  "INGOT_TESTS=nightly $(PYTEST) --timeout=3600" \
	  "INGOT_NATIVE=0 INGOT_TESTS=nightly $(PYTEST) --timeout=3600" \
	  $(foreach level,$(LEVELS),"INGOT_TARGET_CPU=$(level) INGOT_TESTS=nightly $(PYTEST) --timeout=3600 test/native") \
	  "$(BIN)/python test/fuzz/functions.py --rounds 60 --seed $(TODAY)" \
	  "$(PROGRAMS) --count 10000 --seed $(TODAY)" \
	  "$(PROGRAMS) --count 2000 --seed $(TODAY) --kind derivatives" \
	  "$(PROGRAMS) --count 1000 --seed $(TODAY) --kind vmap" \
	  "INGOT_NATIVE=0 $(PROGRAMS) --count 2000 --seed $(TODAY)" \
	  "INGOT_NATIVE=0 $(PROGRAMS) --count 1000 --seed $(TODAY) --kind derivatives" \
	  "$(PROGRAMS) --count 1000 --seed $(TODAY) --kind strict" \
	  "$(PROGRAMS) --count 1000 --seed $(TODAY) --kind tries" \
	  "$(PROGRAMS) --count 10000 --seed $(TODAY) --kind wholes" \
	  "$(PROGRAMS) --count 2000 --seed $(TODAY) --kind ways" \
	  "$(BIN)/python test/fuzz/mutants.py --count 100000 --seed $(TODAY)" \
	  "$(MUTATE) --count 150 --seed $(TODAY) --under passes frontend/bindings frontend/native" \
	  "$(MUTATE) --count 150 --seed $(TODAY) --under frontend/ingot --floor 0.45"

# The passes and the dialects under the address and undefined-behaviour sanitizers, by lit's tests
# of ingot-opt and the modules of the function tests (and NPBench's: make sanitize NPBENCH=DIR): what is
# built takes a while, and stays in a folder of its own. Then the kernels of their tests and of random
# derivatives, and the runtime with hostile artifacts, under the address sanitizer.
MODULES := build-sanitize/modules
sanitize: setup
	cmake -S . -B build-sanitize -G Ninja -DINGOT_SANITIZE=ON -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python >/dev/null
	cmake --build build-sanitize --target ingot-opt --target _native
	rm -rf $(MODULES)
	tools/steps.sh "$(BIN)/lit -s -j $(JOBS) --filter '[.]mlir$$' --param tools=build-sanitize/bin test" \
	  "INGOT_RECORD=$(MODULES) $(PYTEST) -p recorded test/frontend/test_functions.py test/frontend/test_library.py" \
	  "INGOT_TESTS=quick INGOT_RECORD=$(MODULES) $(PYTEST) -p recorded test/frontend test/native" \
	  $(if $(NPBENCH),"$(BIN)/python test/support/recorded.py $(MODULES) --npbench $(NPBENCH)") \
	  "$(BIN)/python test/support/recorded.py $(MODULES) --opt build-sanitize/bin/ingot-opt --jobs $(JOBS)" \
	  "env $$($(BIN)/python test/support/sanitized.py) $(PYTEST) -p sanitized test/native" \
	  "env $$($(BIN)/python test/support/sanitized.py) $(PROGRAMS) --count 300 --seed $(TODAY) --kind derivatives" \
	  "env $$($(BIN)/python test/support/sanitized.py) $(BIN)/python test/fuzz/artifacts.py --count 2000 --seed $(TODAY) \
	    --native build-sanitize/runtime/native/_native*.so"

# Changes of our own sources that the tests of `make quick` should notice: make mutation [COUNT=60] [SEED=1]
# [FOLDER=DIR], which is kept, to go on there.
mutation: setup
	$(MUTATE) $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED)) $(if $(FOLDER),--folder "$(FOLDER)")

lit: setup
	$(BIN)/lit -s -j $(JOBS) test

pytest: setup
	$(PYTEST)

# What is compared with, where pip has it: numba and pythran may be missing. What is installed keeps its
# version; of pythran's requirements, an old setuptools is not needed.
$(VENV)/.bench: $(VENV)/.made
	$(BIN)/python -m pip install -q --disable-pip-version-check matplotlib onnx onnxruntime
	$(BIN)/python -m pip freeze -q --exclude-editable >$(VENV)/constraints.txt
	-$(BIN)/python -m pip install -q --disable-pip-version-check -c $(VENV)/constraints.txt numba
	-$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps \
	  'pythran>=0.19,<0.20' 'gast>=0.7,<0.8' 'beniget>=0.5,<0.6' ply scipy-openblas64
	touch $@

# make bench [NPBENCH=DIR] [ARRAY_API_TESTS=DIR] [ONLY="NAME ..."] writes build/bench.json and docs/performance.md.
bench: setup $(VENV)/.bench
	$(BIN)/python bench/report.py $(if $(NPBENCH),--npbench "$(NPBENCH)") \
	  $(if $(ARRAY_API_TESTS),--array-api-tests "$(ARRAY_API_TESTS)") $(if $(ONLY),--only $(ONLY))

docs: setup
	$(BIN)/python tools/docs.py

wheel: setup
	$(BIN)/python -m pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps -w dist .

format: $(VENV)/.dev
	$(BIN)/ruff check -q --fix-only . && $(BIN)/ruff format -q .
	git ls-files '*.cpp' '*.h' | xargs $(BIN)/clang-format -i

lint: $(VENV)/.dev
	$(BIN)/ruff check . && $(BIN)/ruff format --check -q .
	git ls-files '*.cpp' '*.h' | xargs $(BIN)/clang-format --dry-run --Werror
	$(BIN)/mypy

clean:
	rm -rf build build-sanitize dist
