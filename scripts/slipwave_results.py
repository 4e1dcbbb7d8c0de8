"""What the plotting scripts share: results files of `slipwave` and tables, log axes, saving figures, options."""

import argparse
import csv
import io
import math
import os
import struct
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path

try:
    import h5py
    import matplotlib
    import numpy as np
    from matplotlib.ticker import AutoLocator, FuncFormatter, LogLocator, NullFormatter
except ImportError as missing:
    sys.exit(f"{Path(sys.argv[0]).name}: {missing.name} is missing from {sys.executable}: "
             "need a Python with numpy, h5py and matplotlib")

# Okabe and Ito's colours (2008), which colour-blind readers tell apart; the pale yellow is left out.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
DASHES = ["-", "--", "-.", ":"]

matplotlib.use("Agg")
matplotlib.rcParams.update({
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS),
    "font.size": 9,
    "axes.titlesize": 10,
    "savefig.dpi": 200,
    "svg.hashsalt": "slipwave",  # the same figure gives the same file
})

# Velocity gradients, but for a positive factor, that have a name
LOADINGS = {
    "plane strain": np.diag([1, 0, -1]),
    "shear": [[0, 1, 0], [0, 0, 0], [0, 0, 0]],
    **{f"{name} along {axis + 1}": sign * np.diag(np.roll([1, -0.5, -0.5], axis))
       for name, sign in (("tension", 1), ("compression", -1)) for axis in range(3)},
}


class InputError(Exception):
    """A complaint about input: one line for the user."""


def text(value):
    """An HDF5 attribute as str: fixed-length strings arrive as bytes."""
    return value.decode() if isinstance(value, bytes) else str(value)


SEAL = struct.Struct("<8sqQ")  # at a file's end: mark, bytes before it, their digest (common/files/seal.h)


def digest_of(data, first):
    """The digest of seal.h of bytes whose first is in word `first` of a file."""
    words = np.frombuffer(data + bytes(-len(data) % 8), "<u8")
    x = words + np.arange(first + 1, first + len(words) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for _ in range(2):
        x = (x ^ x >> np.uint64(32)) * np.uint64(0xD6E8FEB86659FD93)
    return int(np.sum(x ^ x >> np.uint64(32), dtype=np.uint64))


def check_seal(path):
    """InputError when a file that is sealed is not as it was written; one without a seal is taken."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END) - SEAL.size
        if size < 0:
            return
        file.seek(size)
        mark, sealed, digest = SEAL.unpack(file.read())
        if mark != b"SWSEAL01":
            return
        file.seek(0)
        found, done = 0, 0
        while done < size:
            data = file.read(min(1 << 22, size - done))
            found += digest_of(data, done // 8)
            done += len(data)
    if sealed != size or found % 2**64 != digest:
        raise InputError(f"{path}: damaged: its content is not what was written")


class Results:
    """One results file, open for reading. Subclasses say whose."""

    program = "slipwave taylor"
    formats = {"slipwave-taylor": 1}  # format: newest version that is understood; None: not looked at
    unmarked = True  # files without a format are taken, too: from before they had one

    def __init__(self, path):
        self.path = Path(path)
        try:
            self.file = h5py.File(path, "r")
        except OSError as error:
            reason = "not an HDF5 results file, or damaged"
            if not self.path.is_file():
                reason = os.strerror(error.errno) if error.errno else "no such file"
            raise InputError(f"{path}: {reason}") from None
        try:
            check_seal(path)
            self.check_format()
        except InputError:
            self.file.close()
            raise

    def check_format(self):
        if self.formats is None or (self.unmarked and "format" not in self.file.attrs):
            return
        name = text(self.file.attrs.get("format", ""))
        if name not in self.formats:
            raise InputError(f"{self.path}: not a results file of `{self.program}`")
        version = self.number("version", self.file)
        if not version <= self.formats[name]:
            raise InputError(f"{self.path}: version {version:g} of {name}: need {self.formats[name]} or less; "
                             "newer scripts read it")

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
            raise InputError(f"{self.path}: the group /{name} is missing")
        return item

    def attribute(self, name, where=None):
        """An attribute of a group, of /run unless told, as it is stored; InputError when it is missing."""
        where = self.group("run") if where is None else where
        if name not in where.attrs:
            raise InputError(f"{self.path}: {where.name} lacks the attribute {name}")
        return where.attrs[name]

    def text(self, name, where=None):
        return text(self.attribute(name, where))

    def number(self, name, where=None):
        try:
            return float(np.ravel(self.attribute(name, where))[0])
        except (IndexError, TypeError, ValueError):
            raise InputError(f"{self.path}: the attribute {name} is not a number") from None

    def label(self):
        """The solver; of `terms`, how many."""
        run = self.file["run"].attrs if "run" in self.file else {}
        terms = int(np.ravel(run.get("terms", 0))[0])
        solver = text(run.get("solver", self.path.stem))
        return f"{terms} Fourier terms" if solver == "terms" and terms > 0 else solver

    def structure(self):
        """The crystal structure, as material files name it; files that do not say are taken for FCC."""
        return self.text("crystal_structure") if "crystal_structure" in self.group("run").attrs else "fcc"

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


# ---- Stress tensors [n][3][3] ----


def deviator(stress):
    return stress - np.trace(stress, axis1=1, axis2=2)[:, None, None] / 3 * np.eye(3)


def von_mises(stress):
    return np.sqrt(1.5 * np.sum(deviator(stress)**2, axis=(1, 2)))


# ---- Tables ----


def csv_lines(path):
    """[(place, cells)] of a CSV file without its comments, which start with '#'; place is "path:line"."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            return [(f"{path}:{number}", [cell.strip() for cell in next(csv.reader([line], strict=True))])
                    for number, line in enumerate(file, 1) if line.strip() and not line.startswith("#")]
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: not a CSV file in UTF-8: {error}") from None


def csv_names(path):
    """Of its columns."""
    return ([cells for _, cells in csv_lines(path)] or [[]])[0]


def csv_rows(path, columns):
    """(place, {column: text}) of each row of a file with these columns. The line of names may come again where files
    were joined."""
    if csv_names(path) != columns:
        raise InputError(f"{path}: need the line {','.join(columns)} first")
    for place, cells in csv_lines(path):
        if cells == columns:
            continue
        if len(cells) != len(columns):
            raise InputError(f"{place}: {len(cells)} columns: need {','.join(columns)}")
        yield place, dict(zip(columns, cells))


def numbers(place, row, *names):
    """The cells of these columns as numbers, NaN where they are empty."""
    try:
        return [float(row[name] or "nan") for name in names]
    except ValueError:
        raise InputError(f"{place}: need numbers in {', '.join(names)}: {', '.join(row.values())}") from None


# ---- Figures ----


def draw_band(axes, x, name, mean, deviation, colour, label, style="-"):
    """A mean, and one standard deviation around it: {name: values} both, over x."""
    axes.plot(mean[x], mean[name], style, color=colour, linewidth=1.2, label=label)
    if np.any(deviation[name] > 0):
        axes.fill_between(mean[x], mean[name] - deviation[name], mean[name] + deviation[name], color=colour, alpha=0.2,
                          linewidth=0)


def label_log_axis(axis):
    """Plain numbers, at 1, 2 and 5 or closer, on a logarithmic axis (matplotlib's Axis) of less than two decades, which
    has one or no power of ten within. After the data are drawn."""
    low, high = axis.get_view_interval()
    decades = math.log10(high / low) if low > 0 else math.inf
    if decades < 2:
        axis.set_major_locator(AutoLocator() if decades < 0.3 else
                               LogLocator(subs=(1, 2, 5) if decades > 0.8 else range(1, 10)))
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_formatter(NullFormatter())


KINDS = {  # suffix: what to leave out of the file, that the same figure gives the same file
    ".png": {"Software": None},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}
ALWAYS = [".png", ".svg"]  # without a suffix


def files_of(output):
    """The files that -o OUTPUT names. A suffix begins with a letter: run.0.02 has none."""
    output = Path(output)
    suffix = output.suffix.lower()
    if suffix in KINDS:
        return [output]
    if suffix[1:2].isalpha():
        raise InputError(f"{output}: need {', '.join(KINDS)}, or no suffix for {' and '.join(ALWAYS)}")
    return [output.with_name(output.name + kind) for kind in ALWAYS]


def write_whole(files, output):
    """Write {path: bytes} of -o OUTPUT: all whole, or none."""
    temporary = {path: path.with_name(f"{path.name}.tmp.{os.getpid()}") for path in files}
    try:
        for path, content in files.items():
            if path.is_dir():
                raise InputError(f"{path}: is a folder")
            temporary[path].write_bytes(content)
        for path in files:
            os.replace(temporary[path], path)
    except OSError as error:
        raise InputError(f"{output}: cannot be written: {error.strerror}") from None
    finally:
        for path in temporary.values():
            path.unlink(missing_ok=True)


def save(figure, output):
    """Write OUTPUT in the format of its suffix, without one as PNG and SVG: all whole, or none."""
    images = {}
    for path in files_of(output):
        image = io.BytesIO()
        kind = path.suffix.lower()
        figure.savefig(image, format=kind[1:], metadata=KINDS[kind])
        images[path] = image.getvalue()
    write_whole(images, output)


def make_folder(path):
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


# ---- Options ----


class Parser(argparse.ArgumentParser):
    """Of a command line: its own text as description, a complaint as any other."""

    def __init__(self, description):
        super().__init__(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)

    def error(self, message):
        raise InputError(f"{message}: --help lists the options")


BENCH = "build/bench/results"  # of `make bench`


def bench_files(results, names):
    """The files that a plot of a benchmark names, without any those that `make bench` kept."""
    kept = [Path(os.environ.get("SW_BIN", "build"), "bench/results", f"{name}.csv") for name in names]
    found = results or [path for path in kept if path.is_file()]
    if not found:
        raise InputError(f"{', '.join(map(str, kept))}: no such file: name one, or `make bench`")
    return found


def argument_parser(description, files="RESULT.h5", several=True, folder=False, bench=()):
    """The arguments that every plot has. folder: what is written are several pictures. bench: names of the tables that
    `make bench` keeps, for bench_files."""
    parser = Parser(description)
    parser.add_argument("results", nargs="*" if bench else "+" if several else None, metavar=files,
                        help=f"({', '.join(f'{BENCH}/{name}.csv' for name in bench)})" if bench else None)
    if folder:
        parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="made when there is none")
    else:
        parser.add_argument("-o", "--output", required=True, metavar="FIGURE",
                            help=f"{', '.join(KINDS)}; without a suffix {' and '.join(ALWAYS)}")
    return parser


def one_line(message):
    """A message as it is printed: what would end the line or command a terminal is escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in str(message))


# What h5py, numpy and matplotlib raise where a file holds what no program of ours writes.
DAMAGE = (ArithmeticError, AttributeError, LookupError, MemoryError, OSError, RuntimeError, TypeError, ValueError,
          np.linalg.LinAlgError)


def run(main):
    """Run a script's main; an InputError becomes one line on stderr and exit status 1, and so does all else that a file
    with other content than the programs' can lead to. SLIPWAVE_TRACEBACK=1 in the environment: where it was."""
    name = Path(sys.argv[0]).name
    try:
        main()
    except InputError as error:
        sys.exit(one_line(f"{name}: {error}"))
    except DAMAGE as error:
        if os.environ.get("SLIPWAVE_TRACEBACK"):
            raise
        files = ", ".join(argument for argument in sys.argv[1:] if Path(argument).is_file())
        sys.exit(one_line(f"{name}: {files or 'input'}: not what the programs write: {type(error).__name__}: {error}"))
