# What is on this machine, for the Makefile: asked once and kept in $(BUILD)/config.mk, for this make and those that it
# starts, or a library installed while it builds would give objects that disagree. Asked anew after `make clean`, by
# `make info`, and when a makefile, what was given for these variables, or what is installed has changed. Each may be
# given; empty, it is left out: `make NVCC=`, `make MPI=`, ...
probed    := PYTHON HDF5 MPI GMSH UMFPACK METIS LAPACK BLAS NVCC HAS_GPU
concluded := libraries_found packages_cflags packages_libs blas_libs mpi_version nvcc_version cuda_lib python_path
config    := $(BUILD)/config.mk
installed := /var/lib/dpkg/status /usr/local /usr/local/include /usr/local/lib

# What differs from one call to the next, as a number.
given := $(foreach v,$(probed) PATH PKG_CONFIG_PATH,$(if $(filter undefined,$(origin $(v))),,$(v)=$($(v))))
given := $(firstword $(shell printf '%s' '$(subst ','\'',$(given))' | cksum))

# The make that started this one has just looked whether it holds; else it must be newer than what it rests on.
older  = $(shell for f in Makefile scripts/dev/found.mk $(installed); do test ! $(config) -ot $$f || echo $$f; done)
ifneq ($(or $(filter $(SW_CONFIG),$(abspath $(config))),$(if $(or $(filter info,$(MAKECMDGOALS)),$(older)),,yes)),)
-include $(config)
endif

ifneq ($(config_given),$(given))

# Nothing of a file that no longer holds.
$(foreach v,$(probed),$(if $(filter file,$(origin $(v))),$(eval undefine $(v))))

PYTHON   ?= $(shell for p in python3 /usr/bin/python3; do $$p -c 'import numpy, h5py, matplotlib' 2>/dev/null && echo $$p && break; done)
# Of several flavours that are installed the one to link, by pkg-config's name: HDF5=hdf5-openmpi, HDF5=hdf5-serial.
HDF5     ?= hdf5
MPI      ?= $(shell pkg-config --exists ompi-c 2>/dev/null && echo ompi-c)
# Meshes of Gmsh, algebraic multigrid (which needs MPI), sparse factors, parts of a mesh from a file (which are for
# processes), banded LU.
GMSH     ?= $(wildcard /usr/include/gmshc.h /usr/local/include/gmshc.h)
UMFPACK  ?= $(firstword $(wildcard /usr/include/suitesparse/umfpack.h /usr/local/include/suitesparse/umfpack.h))
METIS    ?= $(if $(MPI),$(wildcard /usr/include/metis.h /usr/local/include/metis.h))
LAPACK   ?= $(shell pkg-config --exists lapack 2>/dev/null && echo lapack)
# For one benchmark.
BLAS     ?= $(shell pkg-config --exists blas 2>/dev/null && echo blas)
# CUDA: nvcc on the PATH or in its usual place.
NVCC     ?= $(firstword $(shell command -v nvcc 2>/dev/null) $(wildcard /usr/local/cuda/bin/nvcc))
HAS_GPU  ?= $(shell nvidia-smi -L 2>/dev/null | grep -q '^GPU' && echo yes)
$(foreach v,$(probed),$(eval $(v) := $($(v))))

packages        := $(HDF5) fftw3f yaml-0.1 cminpack
libraries_found := $(shell pkg-config --exists $(packages) cmocka 2>/dev/null && echo yes)
packages_cflags := $(shell pkg-config --cflags $(packages) $(MPI) 2>/dev/null)
packages_libs   := $(shell pkg-config --libs $(packages) $(MPI) $(LAPACK) 2>/dev/null)
blas_libs       := $(if $(BLAS),$(shell pkg-config --libs $(BLAS) 2>/dev/null))
mpi_version     := $(if $(MPI),$(shell pkg-config --modversion $(MPI) 2>/dev/null))
nvcc_version    := $(if $(NVCC),$(shell $(NVCC) --version | sed -n 's/.*release \([0-9.]*\).*/\1/p'))
cuda_lib        := $(if $(NVCC),$(patsubst %/bin/,%/lib64,$(dir $(realpath $(NVCC)))))
python_path     := $(or $(if $(PYTHON),$(shell command -v $(PYTHON))),python3)

define newline


endef
define config_text
# What `make` found on this machine. `make info` looks again.
$(foreach v,$(probed),$(v) ?= $($(v))$(newline))
$(foreach v,$(concluded),$(v) := $($(v))$(newline))
config_given := $(given)
endef
# Renamed when whole: another make may read it.
$(shell mkdir -p $(BUILD))
$(file >$(config).new,$(config_text))
$(shell mv $(config).new $(config))

endif
export SW_CONFIG := $(abspath $(config))
