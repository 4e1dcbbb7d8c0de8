"""A page about results: what they hold, how good they are, numbers, pictures, the run's settings. One file, which needs no other
and no network.

A run's warnings are in no results file: `slipwave taylor JOB.yaml 2>run.log` keeps them, --log run.log puts them on the page. Of RESULT.h5 of `slipwave fem` the last fields and textures beside it are on the page, too. --interactive adds a chart of any two
columns of the history, by plotly (4 MB, from the Python package of that name), which otherwise is not needed.
"""

import base64
import html
import io
import json
import re
from datetime import datetime, timezone
from pathlib import Path

import h5py
import matplotlib
import numpy as np

from ..errors import TEXT_LONGEST, InputError, check_plain
from ..figures import KINDS as FORMATS_OF_PICTURES
from ..figures import STYLE, unit_of, write_whole
from ..results import announces_seal, check_seal, text
from .common import DAMAGE, Parser, last_of_series
from .contents import FORMATS, contents_of, open_any, pictures
from .kwn import computed
from .quality import BAD, GOOD, LOOK, TELLS, checks
from .tables import tables

MOST_SVG = 250_000  # bytes of a picture; larger ones are PNG
MOST_ROWS = 60  # of a table of numbers
MOST_POINTS = 2000  # of a column of the interactive chart
HIDDEN = re.compile(r"hash|problem$|^job$|^file$|digest|^settings$|_place$")  # attributes of /run that say nothing to a reader
SIGNS = {GOOD: "✓", LOOK: "!", BAD: "✗", TELLS: "·"}
WORDS = {GOOD: "in order", LOOK: "worth a look", BAD: "not good", TELLS: "for your judgement"}

STYLE_SHEET = """
:root { color-scheme: light; --line: #d9dde2; --soft: #f5f7f9; --ink: #1b1f24; --blue: #0072B2; --red: #b3261e; --amber: #9a6700; --green: #00724f; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1.25rem 4rem; color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 1.6rem; margin: 0; overflow-wrap: anywhere; } h2 { font-size: 1.2rem; margin: 2.5rem 0 .75rem; border-bottom: 1px solid var(--line); } h3 { font-size: 1rem; margin: 1.25rem 0 .5rem; }
p.about { margin: .25rem 0 0; color: #57606a; } nav { margin: .75rem 0 0; } nav a { margin-right: 1rem; color: var(--blue); }
table { border-collapse: collapse; width: 100%; font-size: .9rem; } th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th { background: var(--soft); font-weight: 600; } .number { text-align: right; } td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
td.word { overflow-wrap: anywhere; min-width: 6rem; } td.word:first-child { min-width: 9.5rem; } .scroll { overflow-x: auto; } .good { color: var(--green); } .look { color: var(--amber); } .bad { color: var(--red); font-weight: 600; } .tells { color: #57606a; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1.25rem; }
figure { margin: 0; border: 1px solid var(--line); border-radius: 6px; padding: .75rem; } figure img { width: 100%; height: auto; display: block; }
figcaption { font-size: .9rem; margin-top: .5rem; color: #57606a; } pre { background: var(--soft); padding: .75rem; overflow-x: auto; font-size: .82rem; line-height: 1.4; }
summary { cursor: pointer; margin: .5rem 0; color: var(--blue); } select { font: inherit; margin-right: 1rem; max-width: 100%; }
.notice { border-left: 4px solid var(--amber); background: #fff8e5; padding: .5rem .9rem; margin: .5rem 0; } .notice.look { color: inherit; } .notice.bad { border-color: var(--red); background: #fdeceb; color: inherit; font-weight: 400; }
@media print { nav, summary { display: none; } body { max-width: none; } figure { break-inside: avoid; } }
"""

CHART = """
const data = %s;
const [x, y] = ["x", "y"].map(id => document.getElementById(id));
const names = Object.keys(data);
for (const one of [x, y]) for (const name of names) one.add(new Option(name + " (" + data[name].unit + ")", name));
x.value = names.includes(%s) ? %s : names[0]; y.value = names.includes(%s) ? %s : names[names.length - 1];
function draw() {
  const title = name => name + " (" + data[name].unit + ")";
  Plotly.react("chart", [{x: data[x.value].values, y: data[y.value].values, mode: "lines+markers", marker: {size: 4}, line: {color: "#0072B2"}}],
    {xaxis: {title: {text: title(x.value)}, exponentformat: "power"}, yaxis: {title: {text: title(y.value)}, exponentformat: "power"},
     margin: {t: 20, r: 20}, font: {size: 14}}, {responsive: true, displaylogo: false});
}
x.onchange = y.onchange = draw; draw();
"""


def escape(value):
    """As HTML; what cannot be printed is escaped as Python does it."""
    return html.escape("".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape", "surrogatepass").decode()
                               for c in str(value)))


def prose(value):
    """As HTML, with `names` in the type of code."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(value))


def table(head, rows, numbers=()):
    """rows of cells; of columns `numbers` they stand at the right."""
    cells = "".join(f'<th{" class=number" if k in numbers else ""}>{escape(one)}</th>' for k, one in enumerate(head))
    body = "".join("<tr>" + "".join(f'<td class="{"number" if k in numbers else "word"}">{one}</td>' for k, one in enumerate(row)) + "</tr>"
                   for row in rows)
    return f'<div class="scroll"><table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table></div>'


# ---- Parts of the page ----


UNITS = {"_resistance": "Pa", "_time": "s", "_bytes": "B"}  # of attributes of /run, by the end of their names


def spell(value, name=""):
    """A number of /run, with its unit."""
    unit = next((unit for end, unit in UNITS.items() if name.endswith(end)), "")
    if unit in ("Pa", "B"):
        factor, unit = unit_of([value], unit)
        value *= factor
    number = f"{value:,.0f}" if value == np.rint(value) and 1000 <= abs(value) < 1e9 else f"{value:.6g}"
    return f"{number} {unit}".rstrip()


def settings(file):
    """[(name, value)] of /run, without what says nothing to a reader, and errors that were not looked for."""
    rows = []
    unknown = ("number_error", "radius_error", "fraction_error") if not np.any(
        (file["run"].attrs if "run" in file else file.attrs).get("resolution_points", 0)) else ()
    for name, value in sorted(file["run"].attrs.items() if "run" in file else file.attrs.items()):
        if HIDDEN.search(name) or name in unknown or name in ("format", "version", "slipwave_seal", "material") and "run" not in file:
            continue
        values = np.ravel(value)
        if values.dtype.kind in "fiu":
            if len(values) and np.isfinite(values).all():
                rows.append((escape(name.replace("_", " ")), ", ".join(spell(float(one), name) for one in values[:12])))
        elif text(value).strip():
            rows.append((escape(name.replace("_", " ")), escape(text(value).strip())))
    return rows


def texts(file):
    """[(title, text)] of what the file keeps of its input."""
    found = []
    for place, name, title in (("run", "job", "Job file"), ("alloy", "file", "Alloy file"), ("/", "material", "Material file")):
        attributes = file[place].attrs if place in file else {}
        if name in attributes and "\n" in text(attributes[name]):
            found.append((title, text(attributes[name])))
    return found


def listed(file, place, name):
    """What an attribute lists."""
    return re.split(", ?", text(file[place].attrs[name])) if place in file and name in file[place].attrs else []


def names_of(file, dataset, shape):
    """What the columns of a dataset of the history are of, by what the file says: a list for each axis but that of the rows; else None."""
    families = text(dataset.attrs.get("families", "")).split()
    of_rows = {"load": "loads", "boundary": "boundary", "reaction": "boundary", "tool": "tools"}.get(
        dataset.name.rpartition("/")[2].partition("_")[0])
    axes = [list("xyz")] if shape[-1] == 3 else []
    for names in (families, listed(file, "alloy", "solutes" if "composition" in dataset.name else "phases")):
        if names and shape == (len(names),):
            return [names]
    if of_rows and "run" in file and of_rows in file["run"].attrs:
        names = listed(file, "run", of_rows)
        return [names, *axes][:len(shape)] if shape[0] == len(names) and len(shape) <= 1 + len(axes) else None
    return axes if shape == (3,) and "displacement" in dataset.name else None


def is_deck(file):
    return "run" in file and "deck" in file["run"].attrs


def columns(file):
    """{name: (unit, values [n], dataset's name)} of the history: of elements of `slipwave dem` the first, of points of `slipwave kwn`
    likewise."""
    group, of_deck = file.get("history"), is_deck(file)
    found = {}
    for where in (group, file.get("points") if "points" in file else None):
        for name in where or ():
            values = where[name]
            if not isinstance(values, h5py.Dataset) or values.dtype.kind not in "fiu" or name.startswith("residual"):
                continue
            dataset, unit = values, text(values.attrs.get("unit", "s" if name == "time" and not of_deck else ""))
            values = np.asarray(values[()], dtype=float)
            if where is not group:
                values = values[np.argmax(computed(where["temperature"][()])) if "temperature" in where else 0]
            elif "rve" in file and values.ndim == 2:
                values = values[0]
            for label, column in components(name, values, names_of(file, dataset, values.shape[1:]) if values.ndim > 1 else None):
                found[label] = unit, column, name
    n = len(next(iter(found.values()))[1]) if found else 0
    return {name: row for name, row in found.items() if len(row[1]) == n and n > 0}


def components(name, values, names=None):
    """(label, [n]) of a scalar, of what names lists, of the components of a tensor; of longer rows the first nine."""
    if values.ndim == 1:
        yield name, values
    elif names:
        for place in np.ndindex(values.shape[1:]):
            yield ", ".join([name, *(one[k] for one, k in zip(names, place))]), values[(slice(None), *place)]
    elif values.ndim == 3 and values.shape[1:] == (3, 3):
        symmetric = np.allclose(values, np.swapaxes(values, 1, 2), equal_nan=True)
        for i in range(3):
            for j in range(i if symmetric else 0, 3):
                yield f"{name} {i + 1}{j + 1}", values[:, i, j]
    elif values.ndim >= 2:
        flat = values.reshape(len(values), -1)
        for k in range(min(flat.shape[1], 9)):
            yield f"{name} {k + 1}" if flat.shape[1] > 1 else name, flat[:, k]


def numbers(file):
    """Rows of the table of numbers: what, unit, first, last, least, largest; of one dataset in one unit. What stays 0 is left out."""
    rows, scales = [], {}
    left_out = ("time", "step", "newton") if is_deck(file) else ()  # how it was computed: `quality` tells it
    found = {name: (unit, values[np.isfinite(values)], dataset) for name, (unit, values, dataset) in columns(file).items()
             if dataset not in left_out}
    for unit, known, dataset in found.values():
        scales.setdefault(dataset, [unit, 0.0])[1] = max(scales.get(dataset, [unit, 0.0])[1], np.max(np.abs(known), initial=0))
    for name, (unit, known, dataset) in found.items():
        if not len(known) or not known.any():
            continue
        factor, unit = unit_of([scales[dataset][1]], unit) if unit in ("Pa", "N", "m", "J") else (1, "" if unit == "1" else unit)
        cells = [f"{factor * value + 0.0:.5g}" for value in (known[0], known[-1], known.min(), known.max())]
        label, comma, of = name.partition(",")  # names of sets stay as they are
        rows.append((escape(label.replace("_", " ") + comma + of), escape(unit), *cells))
    return rows


def picture(one):
    """An <img> with the picture in it, and what went wrong instead of one."""
    try:
        figure = one.draw()
        with matplotlib.rc_context(STYLE):
            for kind, mime in ((".svg", "image/svg+xml"), (".png", "image/png")):
                image = io.BytesIO()
                figure.savefig(image, format=kind[1:], metadata=FORMATS_OF_PICTURES[kind], **({"dpi": 140} if kind == ".png" else {}))
                if len(image.getvalue()) <= MOST_SVG:
                    break
    except (InputError, *DAMAGE) as error:
        return f'<p class="notice">{escape(one.caption)}: not drawn: {escape(error)}</p>'
    content = base64.b64encode(image.getvalue()).decode()
    return (f'<figure><img alt="{escape(one.caption)}" src="data:{mime};base64,{content}">'
            f"<figcaption>{escape(one.caption)}</figcaption></figure>")


def beside(path, contents):
    """Of RESULT.h5 of `slipwave fem` the last fields and textures, RESULT-0003.vtkhdf; of `slipwave dem` the first packing."""
    if contents not in ("slipwave-fem", "deck", "slipwave-dem"):
        return []
    path, found = Path(path), []
    stem = path.name.removesuffix(".partial").removesuffix(path.suffix)
    for ending in (".vtkhdf", ".textures.h5"):
        known = sorted(one for one in path.parent.glob(f"{stem}-*{ending}")
                       if re.fullmatch(rf"{re.escape(stem)}-\d+{re.escape(ending)}", one.name))
        found += [str(known[0 if contents == "slipwave-dem" else -1])] if known else []
    return found


# ---- The page ----


def program_of(run):
    """Its name and version."""
    return text(run["program"]) if "program" in run else f"slipwave {text(run['program_version'])}" if "program_version" in run else ""


class Section:
    """What the page says of one file."""

    def __init__(self, path, number):
        self.path, self.number = Path(path), number
        self.contents = contents_of(path)
        with open_any(path) as file:
            check_seal(path, announces_seal(file))
            self.checks = checks(file, self.contents)
            self.settings, self.texts = settings(file), texts(file)
            self.numbers, self.columns, self.tables = numbers(file), columns(file), tables(file)
            self.program = program_of(file["run"].attrs) if "run" in file else text(file.attrs.get("creator", ""))
        others = beside(path, self.contents)
        self.pictures = pictures(path) + [one for other in others for one in pictures(other)]
        self.others = [Path(one).name for one in others]

    def notices(self):
        found = [f'<div class="notice {one.verdict}"><strong>{escape(one.what)}:</strong> {escape(one.found)}. {prose(one.why)}.</div>'
                 for one in self.checks if one.verdict in (LOOK, BAD)]
        if self.path.suffix == ".partial":
            found.insert(0, '<div class="notice"><strong>A run that was stopped:</strong> what it had come to. --resume goes on from there.</div>')
        return "".join(found) or "<p>Nothing in the file calls for a look.</p>"

    def about(self):
        written = datetime.fromtimestamp(self.path.stat().st_mtime, timezone.utc)
        extra = f"; with {', '.join(self.others)}" if self.others else ""
        return f"{FORMATS[self.contents]}, by {self.program or 'another version'}; written {written:%Y-%m-%d %H:%M} UTC{extra}".replace("`", "")

    def parts(self):
        """[(id, title, HTML)], without those that are empty."""
        n = self.number
        marks = [(f'<span class="{one.verdict}" title="{WORDS[one.verdict]}">{SIGNS[one.verdict]}</span> {escape(one.what)}', escape(one.found),
                  prose(one.why)) for one in self.checks]
        legend = ", ".join(f'<span class="{verdict}">{sign}</span> {WORDS[verdict]}' for verdict, sign in SIGNS.items())
        rows = self.numbers
        table_of_numbers = table(["Quantity", "Unit", "First", "Last", "Least", "Largest"], rows[:MOST_ROWS], (2, 3, 4, 5)) if rows else ""
        if len(rows) > MOST_ROWS:
            table_of_numbers += (f"<details><summary>{len(rows) - MOST_ROWS} more</summary>"
                                 f"{table(['Quantity', 'Unit', 'First', 'Last', 'Least', 'Largest'], rows[MOST_ROWS:], (2, 3, 4, 5))}</details>")
        table_of_numbers += "".join(f"<h3>{escape(title)}</h3>" + table(heads, [map(escape, row) for row in found], range(1, len(heads)))
                                    for title, heads, found in self.tables)
        kept = "".join(f"<details><summary>{title}</summary><pre>{escape(content)}</pre></details>" for title, content in self.texts)
        return [(f"{name}-{n}", title, content) for name, title, content in (
            ("notices", "Notices", self.notices()),
            ("pictures", "Pictures", f'<div class="pictures">{"".join(map(picture, self.pictures))}</div>'),
            ("quality", "How good the answer is", marks and table(["What", "Found", "What it means"], marks) + f"<p>{legend}.</p>"),
            ("numbers", "Numbers", table_of_numbers),
            ("settings", "Settings", (table(["Setting", "Value"], self.settings) if self.settings else "") + kept)) if content]


def chart(sections):
    """The interactive chart of the first file with a history."""
    try:
        from plotly.offline import get_plotlyjs
    except ImportError:
        raise InputError("--interactive: needs the Python package plotly: install it, or leave this option out") from None
    one = next((section for section in sections if len(section.columns) > 1), None)
    if one is None:
        raise InputError(f"--interactive: {sections[0].path} has no history")
    data = {}
    for name, (unit, values, _) in one.columns.items():
        step = -(-len(values) // MOST_POINTS)
        data[name] = {"unit": unit or "1", "values": [value if np.isfinite(value) else None for value in values[::step].tolist()]}
    x, y = (json.dumps(next((name for name in wanted if name in data), "")) for wanted in (
        ("strain", "mean_deformation_gradient 11", "strain_33", "relative_density", "time"),
        ("cauchy_stress 11", "mean_cauchy_stress 11", "stress_33", "yield_stress", "external_work")))
    content = json.dumps(data).replace("</", "<\\/")
    return (f'<h2 id="chart-title">History of {escape(one.path.name)}</h2><p><label>Across <select id="x"></select></label>'
            f'<label>Up <select id="y"></select></label></p><div id="chart" style="height: 28rem"></div>'
            f"<script>{get_plotlyjs()}</script><script>{CHART % (content, x, x, y, y)}</script>")


def warnings_in(path):
    """[(program, text)] of what a run printed to a file: its lines `slipwave: warning: ...`."""
    check_plain(path, TEXT_LONGEST)
    try:
        lines = Path(path).read_bytes().decode("utf-8", "replace").replace("\r", "\n").splitlines()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    found = [re.match(r"(?:.*\x1b\[K)?(.*?): warning: (.*)", line) for line in lines]
    return list(dict.fromkeys((one[1], one[2]) for one in found if one))


def warnings(logs):
    found = [pair for path in logs for pair in warnings_in(path)]
    if not logs:
        return ""
    rows = "".join(f'<div class="notice"><strong>{escape(program)} warned:</strong> {prose(said)}</div>' for program, said in found)
    return f'<h2 id="warnings">Warnings of the run</h2>{rows or "<p>None.</p>"}'


def page(paths, interactive=False, logs=()):
    """The HTML of a page about these files. logs: files with what their runs printed. InputError as of contents_of."""
    sections = [Section(last_of_series(path), number) for number, path in enumerate(paths)]
    parts = [warnings(logs)]
    for one in sections:
        heading = f"<header><h1>{escape(one.path.name)}</h1><p class=\"about\">{escape(one.about())}</p>"
        own = one.parts()
        links = "".join(f'<a href="#{name}">{title}</a>' for name, title, _ in own)
        parts.append(f"{heading}<nav>{links}</nav></header>" + "".join(f'<h2 id="{name}">{title}</h2>{content}' for name, title, content in own))
    if interactive:
        parts.append(chart(sections))
    title = ", ".join(one.path.name for one in sections)
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{escape(title)}: Slipwave</title><style>{STYLE_SHEET}</style></head>\n<body>{''.join(parts)}</body></html>\n")


def arguments():
    parser = Parser(__doc__)
    parser.add_argument("results", nargs="+", metavar="RESULT.h5")
    parser.add_argument("-o", "--output", metavar="PAGE.html", help="(that of the first file, FILE.html, in the working folder)")
    parser.add_argument("--log", action="append", default=[], metavar="FILE", help="what the run printed: its warnings go on the page; may be "
                        "repeated")
    parser.add_argument("--interactive", action="store_true", help="with a chart of the history, by plotly (4 MB)")
    return parser


def main():
    options = arguments().parse_args()
    output = Path(options.output or f"{Path(options.results[0]).name.removesuffix('.partial').rpartition('.')[0]}.html")
    if output.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"{output}: need .html")
    content = page(options.results, options.interactive, options.log)
    write_whole({output: content.encode("utf-8", "replace")}, output)
    if options.output is None:
        print(output)
