"""What the scripts of scripts/papers/ share: running the programs, benchmark tables, pictures.

Each script makes the data and the picture of one figure or table, or of some of one kind:

    make && scripts/papers/malahe-2018/fig-01-and-03.py [-o FOLDER]

FOLDER: out/papers/<author-year>. Programs are those in $SW_BIN, without it in build/ beside scripts/. A run of the same
job that is there already is not repeated. docs/papers.md lists all figures and tables, and the script of each.
"""

import re
import subprocess
import sys
from os import environ
from pathlib import Path
from textwrap import wrap

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from slipwave_results import (COLOURS, InputError, Parser, Results, csv_names, csv_rows,  # noqa: E402,F401
                              label_log_axis, make_folder, run, save)
import matplotlib  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402
import numpy as np  # noqa: E402

matplotlib.rcParams["savefig.dpi"] = 130
BIN = Path(environ.get("SW_BIN", ROOT / "build")).resolve()
PAPER = {"color": "0.35", "linestyle": ":", "linewidth": 1.1}  # what the paper states
DATA, RESULTS = ROOT / "data", ROOT / "bench" / "results"
if not RESULTS.is_dir():  # where it is installed
    RESULTS = ROOT.parent / "doc" / "slipwave" / "bench" / "results"


def options(description, bench=False, more=()):
    """The arguments; `folder` is made. bench: --run starts the benchmark instead of reading the stored table. more:
    (name, help, default) of options of the script's own."""
    parser = Parser(description)
    paper = Path(sys.argv[0]).resolve().parent.name
    parser.add_argument("-o", "--output", metavar="FOLDER", default=f"out/papers/{paper}", help=f"(out/papers/{paper})")
    if bench:
        parser.add_argument("--run", action="store_true", help="run the benchmark here; it needs a GPU")
    for name, text, default in more:
        parser.add_argument(name, help=f"{text} ({default})", default=default, type=type(default))
    chosen = parser.parse_args()
    chosen.folder = Path(chosen.output).resolve()
    make_folder(chosen.folder)
    return chosen


def start(program, *arguments, folder=None):
    """Run a program of BIN, or a Python script; its standard output. InputError with its complaint."""
    path = Path(program) if Path(program).is_absolute() else BIN / program
    if not path.is_file():
        raise InputError(f"{path}: no such program: `make`, or SW_BIN=FOLDER")
    command = ([sys.executable] if path.is_relative_to(ROOT / "scripts") else []) + [path, *arguments]
    done = subprocess.run(list(map(str, command)), cwd=folder, text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise InputError(f"{path.name}: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
    return done.stdout


# ---- Runs ----


def job(name, **changes):
    """The text of data/jobs/NAME with some of its keys, which stand at the beginning of a line, changed; None: left
    out. A key that is not there is put at the end."""
    text = (DATA / "jobs" / name).read_text(encoding="utf-8").replace("../", f"{DATA}/")
    for key, value in changes.items():
        line = "" if value is None else f"{key}: {value}\n"
        text, found = re.subn(rf"^{key}:.*\n(?:[ \-#].*\n|\n(?=[ \-]))*", lambda _: line, text, count=1, flags=re.M)
        text += "" if found else line
    return text


def slipwave(command, folder, name, text, *arguments):
    """FOLDER/NAME.h5 of `slipwave COMMAND` with this job and these options."""
    job_file, results = folder / f"{name}.yaml", folder / f"{name}.h5"
    marked = f"# slipwave {command} {' '.join(map(str, arguments))}\n{text}"
    if not (results.is_file() and job_file.is_file() and job_file.read_text(encoding="utf-8") == marked):
        job_file.write_text(marked, encoding="utf-8")
        print(f"slipwave {command}: {name}", flush=True)
        start("slipwave", command, "-q", job_file, "-o", results, *arguments, folder=folder)
    return results


def database(folder, points, terms=65536, material="copper-ofhc"):
    """FOLDER/MATERIAL-POINTS.h5, a spectral database with the grid of Malahe 2018: theta has as many points, too."""
    path = folder / f"{material}-{points}.h5"
    if not path.is_file():
        print(f"slipwave-db generate: {path.name}", flush=True)
        start("slipwave-db", "generate", "-q", DATA / "materials" / f"{material}.yaml", "-o", path, "--grid",
              ",".join([str(points)] * 4), "--terms", terms)
    return path


def plot(kind, *arguments):
    """slipwave-plot KIND"""
    start(ROOT / "scripts" / "slipwave-plot", kind, *arguments)


# ---- Tables of benchmarks ----


def bench(chosen, name, program, *runs):
    """([{column: number or text}], caption) of bench/results/NAME, or with --run of what `bench/PROGRAM RUN...` prints
    here."""
    path, caption = RESULTS / name, f"bench/results/{name}"
    if chosen.run:
        path, caption = chosen.folder / f"{program}.csv", f"{program} on this machine"
        printed = [start(f"bench/{program}", *arguments, folder=ROOT) for arguments in runs]
        path.write_text("".join(printed), encoding="utf-8")
    rows = csv_rows(path, csv_names(path))
    return [{column: number(cell) for column, cell in row.items()} for _, row in rows], caption


def measured(chosen, name):
    """([{column: number or text}], caption) of the table NAME that scripts/dev/run-gpu-papers made in $SW_RESULTS or
    this build; without it, of those in bench/results with a machine and a day. --run measures first what is not there."""
    if chosen.run:
        command = [ROOT / "scripts" / "dev" / "run-gpu-papers", BIN, "--only", name]
        if not command[0].is_file():
            raise InputError(f"{command[0]}: no such file: --run needs the source tree")
        if subprocess.run(command, check=False).returncode != 0:
            raise InputError(f"run-gpu-papers --only {name}: failed, or has parts left")
    built = Path(environ.get("SW_RESULTS", BIN / "bench" / "results"))
    paths = list(built.glob(f"{name}.csv")) or sorted(RESULTS.glob(f"{name}-h*.csv"))
    rows = [{column: number(cell) for column, cell in row.items()} for path in paths
            for _, row in csv_rows(path, csv_names(path))]
    devices = ", ".join(sorted({row["device"] for row in rows if "device" in row}))
    return rows, ", ".join(path.name for path in paths) + (f" ({devices})" if devices else "")


def not_measured(what):
    print(f"{what}: not measured yet: scripts/dev/run-gpu-papers BUILD, or --run, on a machine with a GPU")


def number(cell):
    try:
        return float(cell)
    except ValueError:
        return cell


def where(rows, **wanted):
    """The rows with these values."""
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def columns(rows, *names):
    """Arrays of these columns, by the first."""
    rows = sorted(rows, key=lambda row: row[names[0]])
    return [np.array([row[name] for row in rows]) for name in names]


# ---- Pictures ----


def figure(panels=1, rows=1, width=4.4, height=3.4, **axes):
    """A figure and its panels, as a flat list."""
    drawn = Figure(figsize=(width * panels, height * rows), layout="constrained")
    grid = drawn.subplots(rows, panels, squeeze=False, **axes).ravel().tolist()
    for panel in grid:
        panel.grid(alpha=0.25)
        panel.set_axisbelow(True)
    return drawn, grid


def finish(drawn, chosen, name, caption):
    """Write FOLDER/NAME.png, the caption below it, which says what was run and where."""
    width = int(17 * drawn.get_size_inches()[0])
    lines = [part for line in caption.splitlines() for part in wrap(line, width)]
    drawn.supxlabel("\n".join(lines), fontsize=7, color="0.35")
    path = chosen.folder / f"{name}.png"
    save(drawn, path)
    print(path)


def table(chosen, name, head, rows):
    """Print a table, and write it to FOLDER/NAME.csv."""
    cells = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(map(len, column)) for column in zip(*cells)]
    for row in cells:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    path = chosen.folder / f"{name}.csv"
    path.write_text("".join(",".join(row) + "\n" for row in cells), encoding="utf-8")
    print(path)
