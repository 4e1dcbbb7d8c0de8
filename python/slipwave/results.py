"""Results files of slipwave, for reading. Needs h5py.

    with slipwave.results.Results("run.h5") as run:
        run.history.cauchy_stress
"""

import copy
import os
import struct
from contextlib import ExitStack, contextmanager
from pathlib import Path

import h5py
import numpy as np

from .errors import InputError, check_plain
from .history import FAMILIES, SHAPES, History, loading_of
from .library import path_bytes


def text(value):
    """An HDF5 attribute as str: fixed-length strings arrive as bytes."""
    return value.decode() if isinstance(value, bytes) else str(value)


OF_POLES = {"hexagonal": "0002", "bcc": "200", "fcc": "111", "orthorhombic": "010", "tetragonal": "001"}  # in files

SEAL = struct.Struct("<8sqQ")  # at a file's end: mark, bytes before it, their digest (common/files/seal.h)


def digest_of(data, first):
    """The digest of seal.h of bytes whose first is in word `first` of a file."""
    words = np.frombuffer(data + bytes(-len(data) % 8), "<u8")
    x = words + np.arange(first + 1, first + len(words) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for _ in range(2):
        x = (x ^ x >> np.uint64(32)) * np.uint64(0xD6E8FEB86659FD93)
    return int(np.sum(x ^ x >> np.uint64(32), dtype=np.uint64))


def announces_seal(file):
    """Whether an h5py.File says that it has a seal, or cannot tell, which other programs' files can."""
    try:
        return "slipwave_seal" in file.attrs
    except (OSError, RuntimeError):
        return True


def check_seal(path, announced=False):
    """InputError when a file that is sealed is not as it was written; one without a seal is taken, unless it says that it
    has one (`announced`)."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END) - SEAL.size
        file.seek(max(size, 0))
        end = file.read()
        if not (size >= 0 and end.startswith(b"SWSEAL01")):
            if announced:
                raise InputError(f"{path}: lost its seal: its end is damaged, or another program changed it" +
                                 (": remove it to start anew" if str(path).endswith(".partial") else
                                  ", after which `slipwave-db inspect --seal` takes it as it is"))
            return
        _, sealed, digest = SEAL.unpack(end)
        file.seek(0)
        found, done = 0, 0
        while done < size:
            data = file.read(min(1 << 22, size - done))
            found += digest_of(data, done // 8)
            done += len(data)
    if sealed != size or found % 2**64 != digest:
        raise InputError(f"{path}: damaged: its content is not what was written")


class Results:
    """One results file of `slipwave taylor`, open for reading; subclasses are of other programs. Everything is in SI units,
    as docs/file-formats.md has it. InputError for a file that is not there, damaged, another program's or a later
    version's, and for datasets that are missing or of another shape.

    file: the h5py.File. A `with` closes it.
    """

    program = "slipwave taylor"
    formats = {"slipwave-taylor": 1, "slipwave-taylor-state": 5}  # format: newest version that is understood, None: it has none. No dict: not looked at
    about, whole = "run", None  # the group that says of what material the crystals are; of a phase the file
    unmarked = True  # files without a format are taken, too: from before they had one

    def __init__(self, path):
        self.path = Path(os.fsdecode(path_bytes(path)))
        check_plain(self.path)
        try:
            self.file = h5py.File(path, "r")
        except OSError as error:
            reason = "not an HDF5 results file, or damaged"
            if not self.path.is_file():
                reason = os.strerror(error.errno) if error.errno else "no such file"
            raise InputError(f"{path}: {reason}") from None
        try:
            check_seal(path, announces_seal(self.file))
            self.check_format()
        except InputError:
            self.file.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Close the file. Twice is fine."""
        (self.file if self.whole is None else self.whole).close()

    def check_format(self):
        """InputError when the file is of another program, or of a later version."""
        if self.formats is None or (self.unmarked and "format" not in self.file.attrs):
            return
        name = text(self.file.attrs.get("format", ""))
        if name not in self.formats:
            raise InputError(f"{self.path}: not a results file of `{self.program}`")
        if self.formats[name] is None:
            return
        version = self.number("version", self.file)
        if not version <= self.formats[name]:
            raise InputError(f"{self.path}: version {version:g} of {name}: need {self.formats[name]} or less; "
                             "newer scripts read it")

    def phase(self, name):
        """Those of one of `phases`: its history, orientations, textures and material. InputError for another name."""
        phases = self.file.get("phases", {})
        if name not in phases:
            raise InputError(f"{self.path}: no phase '{name}' in it: " + (f"need one of {', '.join(phases)}" if phases else "it has none"))
        one = copy.copy(self)
        one.file, one.whole, one.about = phases[name], self.file, f"/phases/{name}"
        return one

    def array(self, name, *shape, where=None):
        """A dataset as float64; None in `shape` accepts any length. InputError when it is missing or of
        another shape."""
        where = self.file if where is None else where
        full = f"{where.name.rstrip('/')}/{name}"
        item = where.get(name)
        if not isinstance(item, h5py.Dataset):
            raise InputError(f"{self.path}: {full} is missing")
        try:
            values = np.asarray(item[()], dtype=float)
        except (OSError, TypeError, ValueError):
            raise InputError(f"{self.path}: {full} cannot be read as numbers") from None
        if len(values.shape) != len(shape) or any(w not in (None, n) for w, n in zip(shape, values.shape)):
            raise InputError(f"{self.path}: {full} has the shape {values.shape}")
        return values

    def group(self, name):
        """A group; InputError when it is missing."""
        item = self.file.get(name)
        if not isinstance(item, h5py.Group):
            raise InputError(f"{self.path}: the group /{name.lstrip('/')} is missing")
        return item

    def attribute(self, name, where=None):
        """An attribute of a group, of /run unless told, as it is stored; InputError when it is missing."""
        where = self.group("/run") if where is None else where
        if name not in where.attrs:
            raise InputError(f"{self.path}: {where.name} lacks the attribute {name}")
        return where.attrs[name]

    def text(self, name, where=None):
        """An attribute as text."""
        return text(self.attribute(name, where))

    def number(self, name, where=None):
        """An attribute as a number."""
        try:
            return float(np.ravel(self.attribute(name, where))[0])
        except (IndexError, TypeError, ValueError):
            raise InputError(f"{self.path}: the attribute {name} is not a number") from None

    def label(self):
        """The solver; of `terms`, how many."""
        run = self.file["/run"].attrs if "/run" in self.file else {}
        terms = int(np.ravel(run.get("terms", 0))[0])
        solver = text(run.get("solver", self.path.stem))
        if self.path.suffix == ".partial":
            solver = f"{solver.split(',')[0].split(' on a ')[0]}, stopped"
        return f"{terms} Fourier terms" if solver == "terms" and terms > 0 else solver

    def structure(self):
        """The crystal structure, as material files name it; of files that do not say by the poles they hold, else FCC."""
        about = self.group(self.about)
        if "crystal_structure" in about.attrs:
            return self.text("crystal_structure", about)
        poles = {name for step in self.steps() for name in self.file.get(f"texture/{step}/pole_figure", ())}
        return next((structure for structure, pole in OF_POLES.items() if pole in poles), "fcc")

    def c_over_a(self):
        """Of the crystals' axes; None where they are alike, or files do not say it."""
        return self._ratio("c_over_a")

    def b_over_a(self):
        """Likewise; None of lattices whose b is as long as a."""
        return self._ratio("b_over_a")

    def _ratio(self, name):
        found = self.group(self.about).attrs.get(name, np.nan)
        return float(np.ravel(found)[0]) if np.isfinite(found).all() else None

    def loading(self):
        """What the first moving step does: a name of LOADINGS, or "other"."""
        if "history/velocity_gradient" not in self.file:
            return "other"
        return loading_of(self.array("history/velocity_gradient", None, 3, 3, where=self.file.file))

    @property
    def history(self):
        """A History, as slipwave.Taylor has it."""
        rows = len(self.array("history/time", None))
        return History(*(self._by_family(name, rows) if name in FAMILIES else
                         np.empty(0) if name == "temperature" and f"history/{name}" not in self.file else
                         self.array(f"history/{name}", rows, *SHAPES.get(name, ())) for name in History._fields))

    def _by_family(self, name, rows):
        """{family: [rows]} of a dataset; empty where there is none."""
        if f"history/{name}" not in self.file:
            return {}
        families = self.text("families", self.file[f"history/{name}"]).split()
        return dict(zip(families, self.array(f"history/{name}", rows, len(families)).T))

    def steps(self):
        """Those whose orientations the file holds."""
        return sorted(int(name) for name in self.file.get("orientations", ()) if name.isdigit())

    def orientations(self, step=None):
        """Bunge angles [N][3] (rad, crystal -> sample) after a step, of the last one that the file holds unless told; and
        weights [N], None where all are alike; 0 of twins' crystals that are not there yet."""
        if step is None:
            step = (self.steps() or ["last"])[-1]
        euler = self.array(f"orientations/{step}/euler", None, 3)
        for name in (f"orientations/{step}/weight", "orientations/weight"):
            if name in self.file:
                return euler, self.array(name, len(euler))
        return euler, None


@contextmanager
def open_results(paths, kind=Results):
    """The results files, with labels that differ: [(kind, label)]."""
    with ExitStack() as stack:
        results = []
        for path in paths:
            results.append(kind(path))
            stack.enter_context(results[-1].file)
        labels = [one.label() for one in results]
        yield [(one, label if labels.count(label) == 1 else f"{label} ({one.path.stem})")
               for one, label in zip(results, labels)]
