"""What pictures from files share: tables, options, and what the package has of results files and figures."""

import argparse
import csv
import json
import os
import signal
import sys
from pathlib import Path

import matplotlib
import numpy as np

from ..errors import TEXT_LONGEST, Error, InputError, check_plain
from ..figures import (ALWAYS, COLOURS, DASHES, KINDS, STYLE, files_of, label_log_axis, save, unit_of,  # noqa: F401
                       write_whole)
from ..history import LOADINGS, deviator, von_mises  # noqa: F401
from ..results import SEAL, Results, check_seal, digest_of, open_results, text  # noqa: F401


# ---- Tables ----


def csv_lines(path):
    """[(place, cells)] of a CSV file without its comments, which start with '#'; place is "path:line"."""
    check_plain(path, TEXT_LONGEST)
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


def make_folder(path):
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


# ---- Options ----


def last_of_series(path):
    """The last file that an index of fields, FILE.vtkhdf.series, lists; of other files their own path."""
    if not str(path).endswith(".series"):
        return path
    check_plain(path, TEXT_LONGEST)
    try:
        name = json.loads(Path(path).read_text(encoding="utf-8"))["files"][-1]["name"]
        return str(Path(path).parent / name)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except (ValueError, LookupError, TypeError, RecursionError):
        raise InputError(f"{path}: lists no files: need the index that `slipwave` writes beside its fields") from None


class Parser(argparse.ArgumentParser):
    """Of a command line: its own text as description, a complaint as any other."""

    def __init__(self, description):
        super().__init__(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)

    def error(self, message):
        raise InputError(f"{message}: --help lists the options")

    def parse_args(self, args=None, namespace=None):
        """Of an index among the results its last file."""
        options = super().parse_args(args, namespace)
        results = getattr(options, "results", None)
        if results:
            options.results = [last_of_series(one) for one in results] if isinstance(results, list) else last_of_series(results)
        return options


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


def main_of(arguments, figure):
    """main() of a kind whose parser is arguments() and whose picture figure(options)."""
    def main():
        options = arguments().parse_args()
        save(figure(options), options.output)
    return main


def labelled(given, labels):
    """The labels of --labels, if any, instead of these. InputError for another number of them."""
    if given and len(given) != len(labels):
        raise InputError(f"--labels: {len(given)} of them: need {len(labels)}")
    return given or labels


def one_line(message):
    """A message as it is printed: what would end the line or command a terminal is escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in str(message))


# What h5py, numpy and matplotlib raise where a file holds what no program of ours writes.
DAMAGE = (ArithmeticError, AttributeError, LookupError, MemoryError, OSError, RuntimeError, TypeError, ValueError,
          np.linalg.LinAlgError)


def run(main):
    """Run a script's main; an Error becomes one line on stderr and exit status 1, and so does all else that a file
    with other content than the programs' can lead to. SLIPWAVE_TRACEBACK=1 in the environment: where it was."""
    name = Path(sys.argv[0]).name
    matplotlib.use("Agg")
    matplotlib.rcParams.update(STYLE)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # who reads no further, as `head`, ends it without a word
    try:
        main()
    except Error as error:
        sys.exit(one_line(f"{name}: {error}"))
    except DAMAGE as error:
        if os.environ.get("SLIPWAVE_TRACEBACK"):
            raise
        files = ", ".join(argument for argument in sys.argv[1:] if Path(argument).is_file())
        sys.exit(one_line(f"{name}: {files or 'input'}: not what the programs write: {type(error).__name__}: {error}"))
