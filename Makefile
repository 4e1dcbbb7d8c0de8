# Slipwave. `make help` lists the targets.
#
# Variables: CC, ARCH (native; `make install`: x86-64-v3), OPT (-O3), SANITIZE (address,undefined), HARDEN (yes), PAPERS (yes),
# HDF5, MPI, NVCC, GPU_ARCH (80 90), BUILD, PREFIX, PYTHON.

VERSION  := 0.1.0
# What is installed runs on other machines of this kind, too, unless ARCH says otherwise.
INSTALL_ARCH := $(if $(ARCH),$(ARCH),$(if $(filter x86_64,$(shell uname -m)),x86-64-v3,native))
ARCH     ?= native
OPT      ?= -O3
PREFIX   ?= /usr/local
SANITIZE ?=
# The strategies of four papers, kept for comparison; `make PAPERS=` builds and tests all but them (docs/papers.md).
PAPERS   ?= yes
papers   := online/fem/stored online/fem/convected online/dem/launches online/kwn/jensen
empty    :=
space    := $(empty) $(empty)
comma    := ,
BUILD    ?= build$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))$(if $(filter-out native,$(ARCH)),-$(ARCH))$(if $(filter-out cc gcc,$(CC)),-$(notdir $(CC)))$(if $(PAPERS),,-no-papers)

# The libraries, programs and compilers found, which other goals do without.
ifneq ($(filter-out clean help format check-format,$(or $(MAKECMDGOALS),all)),)
include scripts/dev/found.mk
endif

# Fused multiply-adds across statements: twice the speed of the integrator, same error bounds.
# No -ffast-math anywhere. A law, an operator, ... that a switch forgets does not compile.
CFLAGS   ?=
# Loops are unrolled where the compiler can: clang says where it cannot.
WARNINGS := -Wall -Wextra -Werror=switch -Wno-psabi -Wno-unknown-pragmas -Wno-pass-failed
# What an attacker, or an error of ours, finds: bounds of copies and the return address checked, no table of functions
# that can be written. `make HARDEN=` builds without; bench/LOG.md has what it costs. Sanitizers check more.
HARDEN   ?= yes
hardened  = $(if $(SANITIZE),,$(HARDEN))
harden_cflags = $(if $(hardened),-fstack-protector-strong -U_FORTIFY_SOURCE $(if $(filter -O0,$(OPT)),,-D_FORTIFY_SOURCE=3))
harden_libs   = $(if $(hardened),-Wl$(comma)-z$(comma)relro$(comma)-z$(comma)now)

papers_cflags = $(if $(PAPERS),-DSW_HAVE_PAPERS)
sw_cflags = -std=c11 -D_GNU_SOURCE -DSW_VERSION='"$(VERSION)"' -I. -Iinclude $(if $(PORTABLE),-isystem $(PORTABLE)/include) $(OPT) -g -fPIC -fvisibility=hidden -march=$(ARCH) -ffp-contract=fast -fopenmp \
            $(WARNINGS) $(harden_cflags) $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all) \
            $(if $(MPI),-DSW_HAVE_MPI) $(if $(NVCC),-DSW_HAVE_CUDA -isystem $(cuda_lib:%/lib64=%/include)) $(if $(GMSH),-DSW_HAVE_GMSH) \
            $(if $(UMFPACK),-DSW_HAVE_UMFPACK -isystem $(dir $(UMFPACK))) $(if $(LAPACK),-DSW_HAVE_LAPACK) $(if $(METIS),-DSW_HAVE_METIS) $(papers_cflags) $(packages_cflags) $(CFLAGS)

# Chips that GPU code is compiled for, oldest first; PTX in it can be translated for later ones.
GPU_ARCH ?= 80 90
# Subnormal numbers are zero on the GPU (-ftz): divisions and square roots cost a third without their care.
# A function of the host in device code is an error: as a warning, nvcc takes what follows the call for unreachable.
# PTX that differs from chip to chip (clusters of blocks, CUB's choices) is made for each. That of the other files is the
# same for all: made once, as for the first, it is translated for each, to the same machine code. A kernel with
# clusters stops (__trap) in a file that is not listed.
by_chip   := offline/spectra_cuda.cu online/dem/batch/cluster.cu online/dem/launches/launches.cu \
             online/fem/analysis/cuda.cu online/fem/stored/stored_cuda.cu online/kwn/cuda/cluster.cu
for_each_chip = $(foreach a,$(GPU_ARCH),-gencode arch=compute_$(a),code=sm_$(a)) \
            -gencode arch=compute_$(lastword $(GPU_ARCH)),code=compute_$(lastword $(GPU_ARCH))
for_all_chips = -gencode "arch=compute_$(firstword $(GPU_ARCH)),code=[$(subst $(space),$(comma),$(GPU_ARCH:%=sm_%)),compute_$(firstword $(GPU_ARCH))]"
nvcc_flags = -std=c++20 -O3 -ftz=true --extended-lambda -diag-error 20011,20013,20014,20015 -I. -Iinclude -DSW_HAVE_CUDA $(if $(MPI),-DSW_HAVE_MPI) $(papers_cflags) \
            -Xcompiler -fPIC,-fvisibility=hidden,-Wall,-Wextra,-Werror=switch,-Wno-unknown-pragmas,-Wno-missing-field-initializers \
            $(addprefix -Xcompiler ,$(harden_cflags))
# PORTABLE: the folder that scripts/dev/portable-hdf5 fills, for a library that is carried to other machines. Debian's libhdf5.so needs
# curl, TLS, LDAP and Kerberos, for files on the network.
PORTABLE    ?=
hdf5_static := $(PORTABLE)/lib/libhdf5.a -lz -ldl
# Of a wheel CUDA's libraries are NVIDIA's wheels, beside the package.
cuda_path  = $(if $(PORTABLE),$$ORIGIN/../nvidia/cu$(firstword $(subst ., ,$(nvcc_version)))/lib,$(cuda_lib))
cuda_libs = $(if $(NVCC),-L$(cuda_lib) '-Wl$(comma)-rpath$(comma)$(cuda_path)' -lcufft -lcusparse -lcudart_static -lrt -ldl -lstdc++)
sw_libs   = $(harden_libs) $(cuda_libs) $(if $(UMFPACK),-lumfpack -lcholmod) $(if $(METIS),-lmetis) $(if $(GMSH),-ldl) $(if $(PORTABLE),$(patsubst -lhdf5%,$(hdf5_static),$(packages_libs)),$(packages_libs)) -lm -lpthread

found     = $(sort $(foreach d,$(1),$(shell find $(d) -name '$(2)')))
# Files that a build has: without PAPERS none of the papers' folders, nor of their tests and benchmarks.
kept      = $(if $(PAPERS),$(1),$(filter-out $(papers:%=%/%) $(papers:%=tests/%/%) tests/gpu/papers/%,$(1)))
# EXTRA: files of entries that CFLAGS adds to lists.
EXTRA   ?=
common  := $(call found,common,*.c) $(EXTRA)
offline := $(call found,offline,*.c)
online  := $(call kept,$(call found,online,*.c))
# Folders of tests that `make test` leaves out: SKIP=gpu,validation.
SKIP    ?=
skip    := $(subst $(comma), ,$(SKIP))
skipped := $(foreach d,$(skip),$(if $(wildcard tests/$(d)),tests/$(d)/%,$(error SKIP: there is no folder tests/$(d))))
tests   := $(call kept,$(filter-out tests/extra/% $(skipped),$(call found,tests,test_*.c)))
cuda    := $(if $(NVCC),$(call kept,$(call found,offline online,*.cu)))
# GPU code first, whose files take longest.
objects  = $(patsubst %.cu,$(BUILD)/%.cu.o,$(filter %.cu,$(1))) $(patsubst %.c,$(BUILD)/%.o,$(filter %.c,$(1)))
programs := $(BUILD)/slipwave-db $(BUILD)/slipwave
# Commands in Python: $(BUILD)/slipwave-plot, found there by `slipwave plot`, starts scripts/slipwave-plot.
tools := $(patsubst scripts/%,$(BUILD)/%,$(wildcard scripts/slipwave-*))
# The library for host programs, of which only what include/slipwave declares is visible. libSLIPWAVE.so: how CalculiX,
# which reads names in capitals, asks for it.
soname   := libslipwave.so.$(basename $(VERSION))
shared   := $(BUILD)/libslipwave.so.$(VERSION)
examples := $(patsubst %.c,$(BUILD)/%,$(wildcard examples/*.c))
test_programs := $(patsubst tests/%.c,$(BUILD)/tests/%,$(tests))
fault_tools := $(BUILD)/tests/faults/failing_malloc.so $(BUILD)/tests/faults/at_write
sources := $(call found,common offline online programs tests bench examples,*.c)
headers := $(call found,include common offline online tests,*.h)
gpu_sources := $(call found,offline online,*.cu*)

# A compiler a core, unless -j says otherwise.
quietly = --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

.PHONY: setup-python all help info demo tutorial pictures docs-keys test test-gpu test-faults test-valgrind fuzz bench format lint layers check-format install docs wheel ci clean setup
.SECONDARY:

all: setup ## build slipwave-db, slipwave and the library (the default)
	@$(MAKE) $(quietly) programs

.PHONY: programs test-programs
programs: $(programs) $(shared) $(tools)
test-programs: $(programs) $(tools) $(test_programs) $(examples) $(fault_tools) $(if $(filter extra,$(skip)),,extra)

# The product with a lattice and a law more, as a newcomer adds them, and its test, in a build of its own.
extra := $(BUILD)/extra
.PHONY: extra
extra:
	@$(MAKE) $(quietly) $(addprefix $(extra)/,slipwave slipwave-db tests/extra/test_toys) BUILD=$(extra) NVCC= MPI= OPT=-O1 \
	  EXTRA="tests/extra/toy_lattice.c tests/extra/toy_homogenization.c" CFLAGS="$(CFLAGS) -include tests/extra/toys.h"

# Install what is missing, once; nothing when all is there.
setup:
	@$(if $(libraries_found),true,scripts/bootstrap && rm -f $(config))

setup-python:
	@$(if $(PYTHON),true,scripts/bootstrap && rm -f $(config))

# Everything but main programs; a program takes from it what it uses.
library := $(BUILD)/libslipwave.a
$(library): $(call objects,$(common) $(offline) $(online) $(cuda))
	@rm -f $@
	@ar qcs $@ $^

$(programs): $(BUILD)/%: $(BUILD)/programs/%.o $(library)
	@mkdir -p $(@D)
	$(CC) $(sw_cflags) $^ -o $@ $(sw_libs)

$(shared): $(call objects,$(common) $(offline) $(online) $(cuda)) scripts/dev/libslipwave.map
	$(CC) $(sw_cflags) -shared -Wl,-soname,$(soname) -Wl,--version-script,scripts/dev/libslipwave.map -Wl,--exclude-libs,ALL \
	  $(filter %.o,$^) -o $@ $(sw_libs)
	@ln -sf $(@F) $(BUILD)/$(soname) && ln -sf $(soname) $(BUILD)/libslipwave.so && ln -sf $(soname) $(BUILD)/libSLIPWAVE.so

# For pip (python/build_wheel.py): the library, a copy of it at $(TO).
.PHONY: shared
shared:
	@$(MAKE) $(quietly) $(shared)
	@$(if $(TO),cp $(shared) $(TO))

# $(call start,TOOL,FOLDER OF ITS SCRIPT): a program that starts it, by $PYTHON, or the python3 that is active, if it has
# what scripts need, or the one that was found when this was built.
has_packages = import sys; from importlib.util import find_spec; sys.exit(not all(map(find_spec, ("numpy", "h5py", "matplotlib"))))
define start
@rm -f $(1)
@printf '#!/bin/sh\nhere=$$(dirname "$$(readlink -f "$$0")")\npython=$${PYTHON:-python3}\n%s\nSLIPWAVE=$${SLIPWAVE:-$$here/slipwave} exec "$$python" "%s" "$$@"\n' \
  '[ -n "$${PYTHON-}" ] || "$$python" -c '"'"'$(has_packages)'"'"' 2>/dev/null || python="$(python_path)"' '$(2)/$(notdir $(1))' >$(1)
@chmod 755 $(1)

endef
$(tools): $(BUILD)/%: scripts/% always
	@mkdir -p $(@D)
	$(call start,$@,$(CURDIR)/scripts)

# A test finds the programs it runs through SW_BIN.
$(BUILD)/tests/%: $(BUILD)/tests/%.o $(library)
	@mkdir -p $(@D)
	$(CC) $(sw_cflags) $^ -o $@ -lcmocka $(sw_libs)

# What disturbs programs: not linked to them, and without sanitizers.
$(BUILD)/tests/faults/%.so: tests/faults/%.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -O2 -fno-builtin $(WARNINGS) -fPIC -shared $< -o $@ -ldl
$(BUILD)/tests/faults/at_write: tests/faults/at_write.c
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE -O2 $(WARNINGS) $< -o $@

# Host programs that use the library.
$(BUILD)/examples/%: $(BUILD)/examples/%.o $(library)
	@mkdir -p $(@D)
	$(CC) $(sw_cflags) $^ -o $@ $(sw_libs)

# Change when the flags do, and what is compiled with them.
gpu_compiler = $(NVCC) $(nvcc_flags) $(for_each_chip) $(for_all_chips)
$(BUILD)/flags: flags = $(CC) $(sw_cflags) $(sw_libs)
$(BUILD)/flags-gpu: flags = $(gpu_compiler)
$(BUILD)/flags $(BUILD)/flags-gpu: always
	@mkdir -p $(@D)
	@echo '$(flags)' | cmp -s - $@ || echo '$(flags)' >$@
.PHONY: always

$(BUILD)/%.o: %.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(CC) $(sw_cflags) -MMD -MP -c $< -o $@

# Phases are integers that wrap as angles do.
$(BUILD)/online/response/terms/terms_cpu.o $(BUILD)/bench/bench_matrix.o: private CFLAGS += -fwrapv

$(BUILD)/%.cu.o: %.cu $(BUILD)/flags-gpu
	@mkdir -p $(@D)
	$(NVCC) $(nvcc_flags) $(if $(filter $<,$(by_chip)),$(for_each_chip),$(for_all_chips)) -MMD -MP -MF $(@:.o=.d) -c $< -o $@

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)

# Without GPU code, whose compilation takes longer than the rest.
demo: setup setup-python ## small copper database to plots, in under three minutes
	@$(MAKE) $(quietly) run-demo NVCC= BUILD=$(BUILD)-demo

tutorial: setup setup-python ## every command of docs/guide/tutorial.md and pipeline.md, as it stands there
	@$(MAKE) $(quietly) run-tutorial

pictures: setup setup-python ## the four pictures of README.md
	@$(MAKE) $(quietly) run-pictures

test: setup ## every test
	@$(MAKE) $(quietly) run-tests $(test_chips) DESTDIR= PREFIX=$(abspath $(BUILD))/installed

# What is tested without a GPU is that GPU code compiles: for one chip, which takes half the time, unless this build
# has it for all of them.
test_chips = $(if $(or $(HAS_GPU),$(findstring $(gpu_compiler)|,$(file <$(BUILD)/flags-gpu)|)),,GPU_ARCH=$(lastword $(GPU_ARCH)))

# By another make than what sets up: it knows what has been installed.
.PHONY: run-demo run-tutorial run-pictures run-tests run-faults
run-demo: programs
	@PYTHON="$(PYTHON)" scripts/demo $(BUILD) demo
run-tutorial: programs
	@PYTHON="$(PYTHON)" scripts/dev/run_tutorial $(BUILD) $(BUILD)/tutorial
run-pictures: programs
	@PYTHON="$(PYTHON)" scripts/dev/readme_pictures $(BUILD) out/readme
run-faults: programs $(fault_tools)
	@BUILD=$(BUILD) $(PYTHON) tests/faults/faults.py $(FAULTS)
run-tests: test-programs $(shared)
	@$(MAKE) --no-print-directory install-files >/dev/null
	@SW_BIN=$(BUILD) SW_CC="$(CC) $(if $(SANITIZE),-fsanitize=$(SANITIZE))" PYTHON="$(PYTHON)" \
	  $(if $(SANITIZE),SW_TIME_LIMIT=3600) scripts/dev/run-tests $(test_programs) \
	  $(if $(filter extra,$(skip)),,$(extra)/tests/extra/test_toys) $(filter-out $(skipped),$(call found,tests,test_*.py))

test-faults: setup setup-python ## failing allocations, kills and full disks at every point of small runs (an hour; FAULTS="--most 100 fem")
	@$(MAKE) $(quietly) run-faults

# Harnesses of tests/fuzz with libFuzzer, one after the other; FUZZ: names of some. What fails is kept in $(fuzz_build)/found;
# with -fork=1 -ignore_crashes=1 in FUZZ_OPTIONS it goes on after that.
FUZZ ?= $(shell sed -n 's/.*{\.name = "\([a-z_0-9]*\)".*/\1/p; s/.*{EDITED("\([a-z_0-9]*\)".*/\1/p' tests/fuzz/*.c)
RUNS ?= 100000
FUZZ_CC ?= clang
FUZZ_OPTIONS ?=
fuzz_build := build-fuzz
fuzz: setup ## RUNS inputs of libFuzzer (clang) for every reader, or for those of FUZZ
	@$(MAKE) $(quietly) $(fuzz_build)/fuzz BUILD=$(fuzz_build) CC="$(FUZZ_CC)" OPT=-O1 ARCH=x86-64-v3 \
	  SANITIZE=fuzzer-no-link,address,undefined,float-cast-overflow NVCC= MPI= METIS= GMSH= UMFPACK=
	@BUILD=$(fuzz_build) scripts/dev/run-fuzz $(RUNS) $(FUZZ) -- $(FUZZ_OPTIONS)

# Arithmetic that reads no file, unrolled: clang takes a quarter of an hour for it with sanitizers.
ifneq ($(findstring fuzzer,$(SANITIZE)),)
fuzz_plain := $(foreach d,fem/element fem/operators fem/stored fem/precondition fem/contact fem/pressure fem/convected dem/step dem/contact,online/$(d)/%)
$(patsubst %.c,$(BUILD)/%.o,$(filter $(fuzz_plain),$(online))): override private SANITIZE :=
endif

fuzz_harnesses := $(filter-out tests/fuzz/libfuzzer.c tests/fuzz/test_%,$(wildcard tests/fuzz/*.c))
$(BUILD)/fuzz: $(call objects,$(fuzz_harnesses) tests/fuzz/libfuzzer.c) $(library)
	$(CC) $(sw_cflags) -fsanitize=fuzzer $^ -o $@ $(sw_libs)
$(BUILD)/tests/fuzz/test_%: $(BUILD)/tests/fuzz/test_%.o $(call objects,$(fuzz_harnesses)) $(library)
	$(CC) $(sw_cflags) $^ -o $@ -lcmocka $(sw_libs)

test-valgrind: setup ## one small run of both programs under valgrind (built without AVX-512, which it lacks)
	@$(MAKE) $(quietly) programs ARCH=x86-64-v3
	@scripts/dev/run-valgrind build-x86-64-v3

test-gpu: setup ## GPU against CPU (needs a GPU; `make test` skips these without one)
	@$(MAKE) $(quietly) test-programs $(shared)
	@SW_BIN=$(BUILD) PYTHON="$(PYTHON)" scripts/dev/run-tests $(filter $(BUILD)/tests/gpu/%,$(test_programs)) tests/python/test_gpu_arrays.py

bench: setup ## time what computes, on this machine and its GPU; tables in build/bench/results
	@$(MAKE) $(quietly) $(BUILD)/bench/bench_cpu $(BUILD)/bench/bench_gpu $(BUILD)/bench/bench_kwn $(BUILD)/bench/bench_fem $(if $(PAPERS),$(BUILD)/bench/bench_convected) $(BUILD)/bench/bench_dem $(BUILD)/bench/bench_calls $(if $(BLAS),$(BUILD)/bench/bench_matrix)
	@PYTHON="$(PYTHON)" scripts/dev/run-bench $(BUILD)

$(BUILD)/bench/%: $(BUILD)/bench/%.o $(library)
	@mkdir -p $(@D)
	$(CC) $(sw_cflags) $^ -o $@ $(sw_libs) $(bench_libs)
$(BUILD)/bench/bench_matrix: bench_libs = $(blas_libs)

format: ## clang-format every source file
	clang-format -i $(sources) $(headers) $(gpu_sources)

docs-keys: setup ## tables of keys in docs/file-formats.md, from the programs
	@$(MAKE) $(quietly) programs
	@$(or $(PYTHON),python3) scripts/dev/update_key_tables.py $(BUILD) docs/file-formats.md

# The two checks of `make lint` that take seconds. GPU code as it was compiled for tests.
layers: setup
	@$(MAKE) $(quietly) $(library) $(test_chips)
	scripts/dev/check_layers.py $(BUILD)

check-format:
	clang-format --dry-run -Werror $(sources) $(headers) $(gpu_sources)

lint: layers check-format ## layers, clang-format, clang-tidy and cppcheck, warnings as errors
	@printf '%s\n' $(filter-out tests/%,$(sources)) | \
	  xargs -P $$(nproc) -I FILE clang-tidy --quiet FILE -- $(filter-out -march=% -g -D_FORTIFY_SOURCE=%,$(sw_cflags)) -march=x86-64-v3
	cppcheck --quiet --std=c11 --enable=warning,performance,portability --error-exitcode=1 --inline-suppr \
	  --suppress=missingIncludeSystem --suppress=uninitvar --suppress=ctuArrayIndex -DSW_VERSION='""' -I. -Iinclude common offline online

install: setup ## install under PREFIX (/usr/local); for this machine alone: ARCH=native
	@$(MAKE) $(quietly) programs install-files ARCH=$(INSTALL_ARCH)

# Programs, scripts, library, headers, manual pages, completion, data, documents, whose links lead to what is installed.
to    = $(DESTDIR)$(PREFIX)
share = $(to)/share/slipwave
.PHONY: install-files
install-files: $(programs) $(library) $(shared)
	install -d $(to)/bin $(to)/lib/pkgconfig $(to)/include/slipwave $(share)/scripts $(to)/share/doc/slipwave $(to)/share/man/man1 \
	  $(to)/share/bash-completion/completions
	install -m 755 $(programs) $(to)/bin
	$(foreach t,$(tools),$(call start,$(to)/bin/$(notdir $(t)),$$here/../share/slipwave/scripts))
	install -m 644 $(library) $(shared) $(to)/lib
	ln -sf $(notdir $(shared)) $(to)/lib/$(soname)
	ln -sf $(soname) $(to)/lib/libslipwave.so
	ln -sf $(soname) $(to)/lib/libSLIPWAVE.so
	install -m 644 include/slipwave/*.h $(to)/include/slipwave
	sed -e 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|; s|@LIBS@|$(filter-out -Wl$(comma)%,$(sw_libs)) -fopenmp|' scripts/dev/slipwave.pc.in >$(to)/lib/pkgconfig/slipwave.pc
	cp -R data $(share)
	install -m 644 scripts/*.py $(share)/scripts
	install -d $(share)/python/slipwave/pictures && install -m 644 python/slipwave/*.py $(share)/python/slipwave
	install -m 644 python/slipwave/pictures/*.py $(share)/python/slipwave/pictures
	cp -R scripts/papers $(share)/scripts
	install -m 755 scripts/slipwave-* scripts/generate.slurm $(share)/scripts
	cp -R README.md CONTRIBUTING.md LICENSE CHANGELOG.md CITATION.cff docs examples paper $(to)/share/doc/slipwave
	ln -sfn ../../slipwave/data $(to)/share/doc/slipwave/data
	ln -sfn ../../slipwave/scripts $(to)/share/doc/slipwave/scripts
	ln -sfn ../../slipwave/python $(to)/share/doc/slipwave/python
	ln -sfn ../../../include $(to)/share/doc/slipwave/include
	install -d $(to)/share/doc/slipwave/bench && cp -R bench/results bench/LOG.md $(to)/share/doc/slipwave/bench
	@for p in slipwave slipwave-db; do \
	  $(BUILD)/$$p help man >$(to)/share/man/man1/$$p.1 && \
	  $(BUILD)/$$p help completion >$(to)/share/bash-completion/completions/$$p && \
	  $(BUILD)/$$p help commands | while read -r c; do \
	    $(BUILD)/$$p help $$c man >$(to)/share/man/man1/$$p-$$(echo $$c | tr ' ' -).1 || exit 1; done || exit 1; done

.PHONY: site
site: ## the documents as a searchable site, in $(BUILD)/site (needs mkdocs-material and latex2mathml in PYTHON; with doxygen its reference, too)
	@$(or $(PYTHON),python3) scripts/dev/site_pages.py $(BUILD)

docs: ## the library's reference, from include/slipwave, in $(BUILD)/docs (needs doxygen)
	@command -v doxygen >/dev/null || { echo "docs: no doxygen; scripts/bootstrap --dev installs it" >&2; exit 1; }
	@mkdir -p $(BUILD)/docs
	SW_OUTPUT=$(BUILD)/docs SW_VERSION=$(VERSION) doxygen docs/Doxyfile
	@echo "docs: $(BUILD)/docs/html/index.html"

# As it is built, with MPI and GPU code or without, by the variables of this make: for pip on this machine.
# `make wheel` is for other machines: what it needs of the system's libraries is inside (auditwheel), and code for
# AVX-512 beside that for AVX2, of which the package loads what the processor has; with nvcc a third library, for machines with a GPU,
# whose CUDA libraries are those of NVIDIA's wheels (`pip install 'slipwave[cuda]'`).
wheel_archs := $(if $(filter x86_64,$(shell uname -m)),x86-64-v3 x86-64-v4,$(ARCH))
wheel: setup ## the Python package and commands as a wheel for other machines, in dist/
	@scripts/dev/portable-hdf5 $(CURDIR)/build-hdf5
	@mkdir -p dist
	@SLIPWAVE_ARCHS="$(wheel_archs)" SLIPWAVE_CUDA="$(NVCC)" SLIPWAVE_MAKE="$$SLIPWAVE_MAKE "'MPI= LAPACK= HDF5=$(ci_hdf5) PORTABLE=$(CURDIR)/build-hdf5 $(MAKEOVERRIDES)' \
	  $(or $(PYTHON),python3) python/build_wheel.py dist

# What continuous integration runs (.github/workflows), a target a job, each with a build folder of its own. Their names
# say what they try: a compiler, MPI with the HDF5 that is built for it, sanitizers, GPU code for every chip, a wheel.
ci_tests := ci-gcc ci-gcc-mpi ci-clang ci-clang-mpi ci-sanitize
ci_jobs  := $(ci_tests) ci-cuda ci-wheel
ci_says   = $(filter $(1),$(subst -, ,$@))
ci_cc     = $(or $(call ci_says,clang),gcc)
ci_hdf5   = $(shell pkg-config --exists hdf5-serial && echo hdf5-serial || echo hdf5)
ci_make   = @$(MAKE) --no-print-directory BUILD=build-$@ CC=$(ci_cc) $(if $(call ci_says,mpi),MPI=ompi-c HDF5=hdf5-openmpi,MPI= HDF5=$(ci_hdf5))
# $(call ci_need,A COMMAND THAT SUCCEEDS,WHAT IS MISSING OTHERWISE,WHERE IT IS FROM)
ci_need   = @$(1) >/dev/null 2>&1 || { echo "$@: no $(2): $(3)" >&2; exit 1; }
.PHONY: $(ci_jobs)
$(ci_tests):
	$(call ci_need,command -v $(ci_cc),$(ci_cc),scripts/bootstrap --dev)
	$(if $(call ci_says,mpi),$(call ci_need,pkg-config --exists ompi-c hdf5-openmpi,Open MPI with HDF5 for it,scripts/bootstrap --mpi))
	$(ci_make) test NVCC= $(if $(call ci_says,sanitize),SANITIZE=address$(comma)undefined)

ci-cuda:
	$(call ci_need,test -n "$(NVCC)",nvcc,docs/guide/installing.md)
	$(ci_make) all NVCC=$(NVCC)

# Unpacked as pip does, and used with nothing of the source tree.
ci-wheel: site = $(CURDIR)/build-$@/site
ci-wheel:
	@rm -rf dist build-$@/site
	$(ci_make) wheel
	@python3 -m zipfile -e dist/*.whl $(site)
	@cd $(site) && PYTHONPATH=$(site) $(or $(PYTHON),python3) -c 'import slipwave as s; from slipwave.library import library; \
	  print("wheel:", library()._name, s.random_crystals(3, s.Material(s.data("materials/copper-ofhc.yaml"))).shape)'

ci: $(ci_jobs) lint docs ## what continuous integration runs, all of it: hours; CONTRIBUTING.md lists its parts

info: ## what was found on this machine
	@echo "version     $(VERSION)"
	@echo "compiler    $$($(CC) --version | head -n 1) for -march=$(ARCH)"
	@for p in $(HDF5) fftw3f yaml-0.1 cminpack cmocka; do printf '%-11s %s\n' $$p "$$(pkg-config --modversion $$p 2>/dev/null || echo 'missing: scripts/bootstrap installs it')"; done
	@echo "HDF5        $(HDF5)$$(echo H5_HAVE_PARALLEL | $(CC) $$(pkg-config --cflags $(HDF5) 2>/dev/null) -include H5public.h -E - 2>/dev/null | tail -n 1 | sed -n 's/^1$$/, built for MPI/p')"
	@echo "OpenMP      $$(echo '#include <omp.h>' | $(CC) -fopenmp -E - >/dev/null 2>&1 && echo yes || echo missing)"
	@echo "python      $(or $(PYTHON),none with numpy, h5py and matplotlib: no plots; scripts/bootstrap installs them)"
	@echo "Gmsh        $(if $(GMSH),$(GMSH),none: meshes from .inp files only; libgmsh-dev)"
	@echo "UMFPACK     $(if $(UMFPACK),$(UMFPACK),none: no direct solver, no decks; libsuitesparse-dev)"
	@echo "LAPACK      $(or $(LAPACK),none: no direct solver of band matrices; liblapack-dev)"
	@echo "METIS       $(if $(METIS),$(METIS),none: meshes from files are cut in halves of halves over processes; libmetis-dev)"
	@echo "nvcc        $(if $(NVCC),$(NVCC) $(nvcc_version) for sm_$(subst $(space), sm_,$(GPU_ARCH))$(if $(HAS_GPU),,; make test: sm_$(lastword $(GPU_ARCH))),none: no GPU code)"
	@echo "GPU         $$(nvidia-smi --query-gpu=name --format=csv$(comma)noheader 2>/dev/null || echo none)"
	@echo "MPI         $(if $(MPI),Open MPI $(mpi_version),none: one process)"
	@echo "papers      $(if $(PAPERS),the strategies of docs/papers.md: $(papers),none: no strategies kept for comparison; make PAPERS=yes)"
	@echo "cores       $$(nproc)"

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1|\2/' | column -t -s '|'

clean: ## remove build folders, wheels and the demo's output
	rm -rf build build-* demo dist
