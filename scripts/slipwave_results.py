"""What the plotting scripts share: reading results files of `slipwave`, and saving figures."""

import argparse
import io
import os
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
matplotlib.rcParams.update({
    "font.size": 9,
    "axes.titlesize": 10,
    "savefig.dpi": 200,
    "svg.hashsalt": "slipwave",  # the same figure gives the same file
})

# Okabe and Ito's colours (2008), which colour-blind readers tell apart; the pale yellow is left out.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]


# Velocity gradients, but for a factor, that have names for the sample's axes
LOADINGS = {
    "plane strain": [[1, 0, 0], [0, 0, 0], [0, 0, -1]],
    "shear": [[0, 1, 0], [0, 0, 0], [0, 0, 0]],
}


class InputError(Exception):
    """A complaint about input: one line for the user."""


def text(value):
    """An HDF5 attribute as str: fixed-length strings arrive as bytes."""
    return value.decode() if isinstance(value, bytes) else str(value)


class Results:
    """One results file, open for reading."""

    def __init__(self, path):
        try:
            import h5py  # here: scripts that read no results do without
        except ImportError:
            raise InputError("h5py is missing: pip install h5py") from None
        self.h5py = h5py
        self.path = Path(path)
        try:
            self.file = h5py.File(path, "r")
        except OSError as error:
            reason = "not an HDF5 results file, or damaged"
            if not self.path.is_file():
                reason = os.strerror(error.errno) if error.errno else "no such file"
            raise InputError(f"{path}: {reason}") from None

    def array(self, name, *shape, where=None):
        """A dataset as float64; None in `shape` accepts any length. InputError when it is missing or of
        another shape."""
        where = self.file if where is None else where
        full = f"{where.name.rstrip('/')}/{name}"
        item = where.get(name)
        if not isinstance(item, self.h5py.Dataset):
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
        if not isinstance(item, self.h5py.Group):
            raise InputError(f"{self.path}: the group /{name} is missing")
        return item

    def label(self):
        """The solver; of `terms`, how many."""
        run = self.file["run"].attrs if "run" in self.file else {}
        terms = int(np.ravel(run.get("terms", 0))[0])
        solver = text(run.get("solver", self.path.stem))
        return f"{terms} Fourier terms" if solver == "terms" and terms > 0 else solver

    def loading(self):
        """What the first moving step does: a name of LOADINGS, or "other"."""
        if "history/velocity_gradient" not in self.file:
            return "other"
        for gradient in self.array("history/velocity_gradient", None, 3, 3):
            scale = np.abs(gradient).max()
            if scale > 0:
                return next((name for name, pattern in LOADINGS.items()
                             if np.allclose(gradient / scale, pattern, atol=1e-6)), "other")
        return "other"


@contextmanager
def open_results(paths):
    """The results files, with labels that differ: [(Results, label)]."""
    with ExitStack() as stack:
        results = [Results(path) for path in paths]
        for one in results:
            stack.enter_context(one.file)
        labels = [one.label() for one in results]
        yield [(one, label if labels.count(label) == 1 else f"{label} ({one.path.stem})")
               for one, label in zip(results, labels)]


def save(figure, output):
    """Write OUTPUT's stem as PNG and SVG: both whole, or neither."""
    stem = Path(output).with_suffix("") if Path(output).suffix.lower() in (".png", ".svg") else Path(output)
    images = {}
    for kind, metadata in {"png": {"Software": None}, "svg": {"Date": None}}.items():
        image = io.BytesIO()
        figure.savefig(image, format=kind, metadata=metadata)
        images[stem.with_name(f"{stem.name}.{kind}")] = image.getvalue()
    for path in images:
        if path.is_dir():
            raise InputError(f"{path}: is a folder")
    temporary = {path: path.with_name(f"{path.name}.tmp.{os.getpid()}") for path in images}
    try:
        for path, image in images.items():
            temporary[path].write_bytes(image)
        for path in images:
            os.replace(temporary[path], path)
    except OSError as error:
        raise InputError(f"{output}: cannot be written: {error.strerror}") from None
    finally:
        for path in temporary.values():
            path.unlink(missing_ok=True)


def argument_parser(description):
    """The options that every plotting script has."""
    parser = argparse.ArgumentParser(description=description,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", metavar="RESULT.h5")
    parser.add_argument("-o", "--output", required=True, metavar="FIGURE.png",
                        help="an SVG is written beside it")
    return parser


def run(main):
    """Run a script's main; an InputError becomes one line on stderr and exit status 1."""
    try:
        main()
    except InputError as error:
        sys.exit(f"{Path(sys.argv[0]).name}: {error}")
