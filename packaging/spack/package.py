"""A recipe for Spack. Not built here: copy it into a repository of packages of your own, and say there where the sources are."""
from spack.package import *


class Slipwave(MakefilePackage):
    """Crystal plasticity, precipitation, finite and discrete elements."""

    version("0.1.0")
    variant("mpi", default=False, description="several processes")
    variant("cuda", default=False, description="NVIDIA GPUs")
    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hdf5+hl+threadsafe", when="~mpi")
    depends_on("hdf5+mpi", when="+mpi")
    depends_on("fftw precision=float")
    depends_on("libyaml")
    depends_on("cminpack")
    depends_on("suite-sparse")
    depends_on("cuda@12.4:", when="+cuda")
    depends_on("python@3.11:", type="run")
    depends_on("py-numpy", type="run")
    depends_on("py-h5py", type="run")
    depends_on("py-matplotlib", type="run")

    def settings(self):
        return [f"PREFIX={self.prefix}", "HDF5=hdf5", "NVCC=" + ("nvcc" if "+cuda" in self.spec else ""),
                "MPI=" + ("ompi-c" if "+mpi" in self.spec else ""), "GMSH=", "HYPRE=", "METIS="]

    def build(self, spec, prefix):
        make("programs", *self.settings())

    def install(self, spec, prefix):
        make("install-files", *self.settings())
