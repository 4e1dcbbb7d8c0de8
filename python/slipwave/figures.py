"""What pictures have in common: colours, numbers on axes, files."""

import io
import math
import os
import re
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.ticker import AutoLocator, FuncFormatter, LogLocator, NullFormatter

from .errors import ArgumentError, InputError
from .library import path_bytes

# Okabe and Ito's colours (2008), which colour-blind readers tell apart; the pale yellow is left out.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
DASHES = ["-", "--", "-.", ":"]

STYLE = {
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS),
    "font.size": 9,
    "axes.titlesize": 10,
    "savefig.dpi": 200,
    "svg.hashsalt": "slipwave",  # the same figure gives the same file
}


PREFIXES = {1e9: "G", 1e6: "M", 1e3: "k", 1: "", 1e-3: "m", 1e-6: "µ", 1e-9: "n"}


def unit_of(values, unit):
    """(factor, its name) of the multiple of an SI unit in which the largest of these values has one to three digits: 3e-5 of
    N is (1e6, "µN"). Values that are not finite do not count; nothing but zeros: the unit itself."""
    size = np.abs(np.asarray(values, dtype=float))
    largest = np.max(size, initial=0, where=np.isfinite(size))
    multiple = next((one for one in PREFIXES if one <= largest * (1 + 1e-9)), 1 if largest == 0 else 1e-9)
    return 1 / multiple, f"{PREFIXES[multiple]}{unit}"


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
    output = Path(os.fsdecode(path_bytes(output)))
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


def name_clips_in_order(svg):
    """Clip paths of an SVG file (bytes) by numbers: matplotlib names them by addresses in memory."""
    names = list(dict.fromkeys(re.findall(rb'<clipPath id="(p[0-9a-f]{10})"', svg)))
    number = {name: b"clip%d" % n for n, name in enumerate(names)}
    return re.sub(rb"\bp[0-9a-f]{10}\b", lambda found: number.get(found[0], found[0]), svg)


def save(figure, output):
    """Write OUTPUT in the format of its suffix, .png, .svg or .pdf, without one as PNG and SVG: all whole, or none. The same
    figure gives the same bytes. InputError for another suffix, and where it cannot be written; ArgumentError for what is no
    figure."""
    if not hasattr(figure, "savefig"):
        raise ArgumentError(f"figure: {type(figure).__name__}: need a matplotlib Figure, as axes.figure")
    images = {}
    for path in files_of(output):
        image = io.BytesIO()
        kind = path.suffix.lower()
        with matplotlib.rc_context({"svg.hashsalt": STYLE["svg.hashsalt"]}):
            figure.savefig(image, format=kind[1:], metadata=KINDS[kind])
        images[path] = name_clips_in_order(image.getvalue()) if kind == ".svg" else image.getvalue()
    write_whole(images, output)
