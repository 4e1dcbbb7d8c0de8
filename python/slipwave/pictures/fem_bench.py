"""What the finite element benchmark prints, in pictures.

    build/bench/bench_fem products cantilever_with_cutout 320 128 64 cuda > products.csv
    build/bench/bench_fem zones cantilever_with_cutout 320 128 64 cuda 0.8 > zones.csv
    build/bench/bench_fem analysis l_bracket 312 313 31 cuda 182 > analyses.csv
    slipwave-plot bench-fem products.csv zones.csv analyses.csv -o pictures

Files of several runs may be joined. Writes, as .png and .svg, what the files have lines for. Numbers of Kiran 2023 are
drawn where its text has them: Tables 3.3, 5.7 (fastest variation) and 5.8 (likewise), and two wall times; its curves are
in figures, from which none was read. The figure or table that a picture corresponds to:

  bench-fem-products    time of a product against the plastic share of each body's finest mesh (its Figs. 5.7, 5.27, 5.44
                        to 5.46 and 5.49 to 5.51, which have a curve a mesh), and of elastic bodies against elements
                        (Tables 5.7 and 5.8)
  bench-fem-zones       time of a product in each Newton iteration (Fig. 5.62)
  bench-fem-preprocess  time of telling elastic elements from plastic ones, once an iteration (Figs. 5.48 and 5.52)
  bench-fem-memory      memory of an unknown against the plastic share (not in the thesis), and against elements
                        (Fig. 4.15, which is of plane bodies): counted and derived
  bench-fem-analyses    wall time and iterations of CG of whole analyses against unknowns (Figs. 5.13, 5.22 and 5.31 have
                        wall times against the plastic share)
  bench-fem-speedups    stages of analyses over those on one core of the CPU (Figs. 3.8, 3.11 and 3.14); stress and
                        internal forces are one stage here

The tables `setup` and `staging` (Tables 5.7 and 5.8) have no picture.
"""

from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, NullFormatter

from .common import (COLOURS, InputError, argument_parser, bench_files, csv_names, csv_rows, make_folder,
                              numbers, save)

KEPT = ("fem-products", "fem-analyses")  # what `make bench` keeps
PRODUCTS = ["body", "elements", "device", "operator", "storage", "scatter", "plastic_percent", "product_ms",
            "prepare_ms", "bytes_per_unknown", "derived_bytes_per_unknown"]
ANALYSES = ["body", "elements", "unknowns", "device", "operator", "storage", "scatter", "preconditioner", "forcing",
            "factor", "plastic_percent", "substeps", "cutbacks", "newton", "cg", "wall_s", "setup_s", "tangent_s",
            "linear_s", "stress_s", "bytes_per_unknown", "status"]
UNFORCED = [name for name in ANALYSES if name != "forcing"]  # files from before 2026-11-23: all "residual"
ZONES = ["newton", "body", "elements", "device", "operator", "storage", "scatter", "plastic_percent", "product_ms"]
PREPROCESS = ["body", "elements", "device", "operator", "storage", "scatter", "plastic_percent", "preprocess_ms",
              "prepare_ms"]
STAGING = ["body", "elements", "device", "operator", "storage", "scatter", "plastic_percent", "staging", "product_ms"]
SETUP = ["body", "elements", "nodes", "device", "stage", "seconds"]
TEXT = {"body", "device", "operator", "storage", "scatter", "preconditioner", "forcing", "status"}
TITLES = {"box": "cube", "l_bracket": "L-bracket", "plate_with_holes": "plate with holes", "cantilever": "cantilever",
          "cantilever_with_cutout": "cantilever with cut-out", "perforated_plate": "plate with round holes"}

COLOUR = dict(zip(["ebe", "ebe_node", "ebe_dof", "nbn", "dbd", "ebe_sym"], COLOURS), points="#000000",
              assembled="0.55")
MARKS = dict(zip(COLOUR, "s^vDPXo_"))
matplotlib.rcParams["savefig.dpi"] = 105  # many panels
SCATTER = {"nbn": "colours", "dbd": "colours", "points": "colours", "assembled": "colours"}  # others: atomics
THESIS = {"color": "0.35", "linestyle": ":", "linewidth": 1.1}

# Kiran 2023, Tables 5.7 and 5.8: elements: fastest variation of EbE_Node, EbE_DOF, NbN, DbD, ms on a K40c
K40C_NAMES = ["ebe_node", "ebe_dof", "nbn", "dbd"]
K40C = {
    "cantilever_with_cutout": {
        126144: (1.061, 1.185, 0.989, 1.254), 299008: (2.367, 2.690, 2.370, 2.968),
        584000: (4.522, 5.159, 4.458, 5.699), 1009152: (7.720, 8.845, 7.475, 9.789),
        1602496: (12.180, 13.970, 11.563, 15.349), 2392064: (18.106, 20.823, 16.999, 22.803)},
    "l_bracket": {
        103488: (0.914, 0.964, 0.779, 1.029), 212716: (1.806, 1.910, 1.568, 2.122),
        418176: (3.406, 3.671, 3.086, 4.218), 813186: (6.492, 7.089, 5.922, 8.219),
        1622964: (12.680, 13.976, 12.093, 16.241), 2268084: (17.488, 19.451, 17.111, 22.723)},
    "plate_with_holes": {
        50400: (0.510, 0.529, 0.403, 0.503), 170100: (1.462, 1.574, 1.420, 1.614),
        787500: (6.403, 6.889, 7.755, 7.446), 1360800: (10.961, 11.951, 13.002, 12.937),
        2160900: (17.531, 19.066, 20.730, 20.806)},
}
# Table 3.3, and sections 5.2.2.1 and 5.2.2.2: body: unknowns, s on a K40c
K40C_WALL = {
    "box": [(352947, 10.23), (680943, 23.04), (1369599, 57.05), (2738019, 152.85), (4682688, 345.25)],
    "l_bracket": [(7083840, 4097.1)],
    "cantilever": [(6949872, 2865.18)],
}


def read(paths, columns):
    """The rows of the files that have these columns, as dictionaries."""
    rows = []
    for path in paths:
        if csv_names(path) != columns:
            continue
        for place, row in csv_rows(path, columns):
            names = [name for name in columns if name not in TEXT]
            rows.append(row | dict(zip(names, numbers(place, row, *names))))
    return rows


def points(rows, x, y, **wanted):
    """([x], [y]) of the rows with these values, by x."""
    chosen = sorted((row[x], row[y]) for row in rows if all(row[name] == value for name, value in wanted.items()))
    return [c[0] for c in chosen], [c[1] for c in chosen]


def kinds(operator):
    """[(storage, scatter, line)] of an operator that are drawn: single solid, improved broken, split dash-dotted."""
    scatter = SCATTER.get(operator, "atomics")
    if operator in ("points", "assembled"):
        return [("own", scatter, "-")]
    if operator == "ebe_sym":
        return [("single", scatter, "-")]
    return [("single", scatter, "-"), ("improved", scatter, "--"), ("split", scatter, "-.")]


def plain(panel, *axes):
    """Logarithmic axes with plain numbers."""
    for axis in axes:
        getattr(panel, f"set_{axis}scale")("log")
        one = getattr(panel, f"{axis}axis")
        one.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        one.set_minor_formatter(NullFormatter())


def millions(panel, ticks):
    panel.set_xticks(ticks)
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / 1e6:g}"))


def shares(panel):
    """Plastic shares, small ones apart."""
    panel.set_xscale("function", functions=(lambda x: np.sqrt(np.maximum(x, 0)), np.square))
    panel.set_xlim(-0.02, None)
    panel.set_xticks([0, 1, 5, 10, 20, 32, 50] + ([75, 100] if panel.get_xlim()[1] > 90 else []))
    panel.set_xlabel("plastic elements (%)")


def legend_below(figure, handles):
    """Columns of three, under the panels."""
    share = 0.7 / figure.get_size_inches()[1]
    figure.get_layout_engine().set(rect=(0, share, 1, 1 - share))
    figure.legend(handles=handles, loc="lower center", ncol=-(-len(handles) // 3), frameon=False)


# ---- Pictures ----


def draw_products(rows, folder):
    rows = [row for row in rows if row["device"] == "cuda"]
    bodies = [body for body in K40C if any(row["body"] == body for row in rows)]
    if not bodies:
        return
    figure = Figure(figsize=(9, 6.8), layout="constrained")
    upper, lower = figure.subplots(2, len(bodies), sharey="row", squeeze=False)
    for body, by_share, by_size in zip(bodies, upper, lower):
        mine = [row for row in rows if row["body"] == body]
        finest = max(row["elements"] for row in mine)
        for operator, colour in COLOUR.items():
            for storage, scatter, line in kinds(operator):
                style = {"color": colour, "linestyle": line, "marker": MARKS[operator], "markersize": 3,
                         "linewidth": 1.8 if operator == "points" else 1.0}
                same = {"operator": operator, "storage": storage, "scatter": scatter}
                by_share.plot(*points(mine, "plastic_percent", "product_ms", elements=finest, **same), clip_on=False,
                              **style)
                if storage in ("own", "improved") or operator == "ebe_sym":
                    by_size.plot(*points(mine, "elements", "product_ms", plastic_percent=0, **same), **style)
        for i, name in enumerate(K40C_NAMES):
            by_size.plot(list(K40C[body]), [times[i] for times in K40C[body].values()],
                         **(THESIS | {"color": COLOUR[name]}))
        plain(by_share, "y")
        plain(by_size, "x", "y")
        by_share.set_title(f"{TITLES[body]}, {finest / 1e6:.2f} million")
        shares(by_share)
        by_size.set_title(f"{TITLES[body]}, elastic")
        millions(by_size, [1e5, 3e5, 1e6, 2e6])
        by_size.set_xlabel("million elements")
    for row in (upper, lower):
        row[0].set_ylabel("product (ms)")
    legend_below(figure, [Line2D([], [], color=COLOUR[name], marker=MARKS[name], markersize=4, label=name)
                          for name in COLOUR]
                 + [Line2D([], [], color="0.3", label="storage single"),
                    Line2D([], [], color="0.3", linestyle="--", label="improved (elastic: only this)"),
                    Line2D([], [], color="0.3", linestyle="-.", label="split"),
                    Line2D([], [], label="thesis, on a K40c", **THESIS)])
    save(figure, Path(folder) / "bench-fem-products")


def bodies_of(rows):
    """[(body, its rows of the finest mesh)], unstructured meshes apart."""
    bodies = []
    for body in dict.fromkeys(row["body"] for row in rows):
        mine = [row for row in rows if row["body"] == body]
        finest = max(row["elements"] for row in mine)
        bodies.append((body, [row for row in mine if row["elements"] == finest]))
    return bodies


def name_of(body):
    plain_name, _, kind = body.partition(":")
    return TITLES.get(plain_name, plain_name) + (f", {kind}" if kind else "")


def draw_lines(rows, folder, name, x, y, xlabel, ylabel):
    """A panel a body: y against x of every operator and storage, scattered by colours and, on GPUs, by atomics."""
    if not rows:
        return
    bodies = bodies_of(rows)
    figure = Figure(figsize=(3.2 * max(len(bodies), 2), 4.6), layout="constrained")
    panels = figure.subplots(1, len(bodies), squeeze=False)[0]
    seen, lines = {}, {"single": "-", "improved": "--", "split": "-.", "own": (0, (1, 1))}
    for panel, (body, mine) in zip(panels, bodies):
        atomics = any(row["scatter"] == "atomics" for row in mine)
        for operator, colour in COLOUR.items():
            scatter = SCATTER.get(operator, "atomics") if atomics else "colours"
            for storage, line in lines.items():
                at, values = points(mine, x, y, operator=operator, storage=storage, scatter=scatter)
                line = "-" if operator in ("points", "assembled") else line
                if at:
                    panel.plot(at, values, color=colour, linestyle=line, marker=MARKS[operator], markersize=3,
                               linewidth=1)
                    seen[operator] = colour
        plain(panel, "y")
        panel.set_title(f"{name_of(body)},\n{mine[0]['elements'] / 1e6:.2g} million", fontsize="medium")
        panel.set_xlabel(xlabel)
    panels[0].set_ylabel(ylabel)
    legend_below(figure, [Line2D([], [], color=colour, marker=MARKS[operator], markersize=4, label=operator)
                          for operator, colour in seen.items()]
                 + [Line2D([], [], color="0.3", linestyle=line, label=storage) for storage, line in lines.items()])
    save(figure, Path(folder) / name)


STAGES = {"tangent_s": "tangents, matrices", "stress_s": "stress, internal forces", "linear_s": "linear solver",
          "wall_s": "all"}


def draw_speedups(rows, folder):
    """Bars of each analysis that was run on one core, too: the same problem, operator and preconditioner."""
    same = ["body", "elements", "factor", "operator", "storage", "scatter", "preconditioner", "forcing"]
    rows = [row for row in rows if row["status"] == "ok"]
    one = {tuple(row[name] for name in same): row for row in rows if row["device"] == "1 CPU threads"}
    pairs = [(one[key], row) for row in rows if row["device"] != "1 CPU threads"
             and (key := tuple(row[name] for name in same)) in one]
    if not pairs:
        return
    figure = Figure(figsize=(9, 1.5 + 0.55 * len(pairs)), layout="constrained")
    panel = figure.subplots()
    for i, (stage, label) in enumerate(STAGES.items()):
        ratio = [slow[stage] / fast[stage] if fast[stage] > 0 else np.nan for slow, fast in pairs]
        panel.barh(np.arange(len(pairs)) + 0.2 * (1.5 - i), ratio, 0.2, color=COLOURS[i], label=label)
    panel.set_yticks(range(len(pairs)), [f"{name_of(fast['body'])}, {fast['unknowns'] / 1e6:.2g} million, "
                                         f"{fast['operator']}, {fast['preconditioner']}: {fast['device']}"
                                         for _, fast in pairs], fontsize="small")
    plain(panel, "x")
    panel.set_xlabel("times as fast as one core")
    panel.legend(frameon=False, fontsize="small")
    save(figure, Path(folder) / "bench-fem-speedups")


def draw_memory(rows, folder):
    body = "cantilever_with_cutout"
    rows = [row for row in rows if row["device"] == "cuda" and row["body"] == body]
    if not rows:
        return
    finest = max(row["elements"] for row in rows)
    figure = Figure(figsize=(9.5, 4.2), layout="constrained")
    by_share, by_size = figure.subplots(1, 2)
    for operator in ("assembled", "nbn", "ebe", "ebe_sym", "points"):
        storage = "own" if operator in ("points", "assembled") else "single"
        for panel, x, kind, where in ((by_share, "plastic_percent", storage, {"elements": finest}),
                                      (by_size, "elements", "own", {"plastic_percent": 0})):
            same = {"operator": operator, "storage": kind, "scatter": "colours"} | where
            panel.plot(*points(rows, x, "bytes_per_unknown", **same), color=COLOUR[operator], linestyle="none",
                       marker=MARKS[operator], markersize=6, clip_on=False)
            at, derived = points(rows, x, "derived_bytes_per_unknown", **same)
            if any(derived):
                panel.plot(at, derived, color=COLOUR[operator], linewidth=0.9)
    for panel in (by_share, by_size):
        plain(panel, "y")
        panel.set_ylim(1, 3000)
        panel.set_ylabel("bytes an unknown")
    shares(by_share)
    by_share.set_title(f"elastic elements share a matrix, {finest / 1e6:.2f} million elements")
    plain(by_size, "x")
    millions(by_size, [2e5, 5e5, 1e6, 2e6])
    by_size.set_xlabel("million elements")
    by_size.set_title("every element its own matrix")
    names = {"assembled": "assembled", "nbn": "nbn, dbd", "ebe": "ebe, ebe_node, ebe_dof", "ebe_sym": "ebe_sym",
             "points": "points"}
    legend_below(figure, [Line2D([], [], color=COLOUR[name], marker=MARKS[name], linestyle="none", label=label)
                          for name, label in names.items()]
                 + [Line2D([], [], color="0.3", linewidth=0.9, label="derived")])
    save(figure, Path(folder) / "bench-fem-memory")


def draw_analyses(rows, folder):
    rows = [row for row in rows if row["status"] == "ok"]
    if not rows:
        return
    figure = Figure(figsize=(9.5, 4.6), layout="constrained")
    wall, iterations = figure.subplots(1, 2)
    colours = dict(zip(TITLES, COLOURS))
    styles = {("points", "multigrid"): ("-", "o"), ("points", "jacobi"): ("--", "s"), ("points", "none"): (":", "v"),
              ("assembled", "jacobi"): ("-.", "D"), ("ebe_node", "jacobi"): ("", "^"), ("ebe_node", "none"): ("", "P"),
              ("dbd", "none"): ("", "X")}
    seen = set()
    for body, colour in colours.items():
        mine = [row for row in rows if row["body"] == body and not row["device"].endswith("threads")]
        if not mine:
            continue
        factor = max(row["factor"] for row in mine)
        for (operator, preconditioner), (line, mark) in styles.items():
            same = {"factor": factor, "operator": operator, "preconditioner": preconditioner}
            for panel, y in ((wall, "wall_s"), (iterations, "cg")):
                x, values = points(mine, "unknowns", y, **same)
                panel.plot(x, values, color=colour, linestyle=line or "none", marker=mark, markersize=4, linewidth=1)
                if x:
                    seen.add((operator, preconditioner))
        wall.plot(*points([row for row in rows if row["body"] == body and row["device"].endswith("threads")],
                          "unknowns", "wall_s"), color=colour, marker="x", linestyle="none")
        if body in K40C_WALL:
            wall.plot(*zip(*K40C_WALL[body]), marker="*", markersize=7, **(THESIS | {"color": colour}))
    for panel, name in ((wall, "set-up to converged (s)"), (iterations, "iterations of CG in all")):
        plain(panel, "x", "y")
        millions(panel, [3e5, 1e6, 3e6, 7e6])
        panel.set_xlabel("million unknowns")
        panel.set_ylabel(name)
    bodies = [Line2D([], [], color=colours[body], label=TITLES[body])
              for body in TITLES if any(row["body"] == body for row in rows)]
    ways = [Line2D([], [], color="0.3", linestyle=line or "none", marker=mark, markersize=4,
                   label=f"{operator}, {preconditioner}")
            for (operator, preconditioner), (line, mark) in styles.items() if (operator, preconditioner) in seen]
    ways += [Line2D([], [], color="0.3", linestyle="none", marker="x", label="CPU, points, multigrid")]
    ways += [Line2D([], [], marker="*", markersize=7, label="thesis, on a K40c", **THESIS)]
    legend_below(figure, bodies + ways)
    save(figure, Path(folder) / "bench-fem-analyses")


def main():
    options = argument_parser(__doc__, "BENCH.csv", folder=True, bench=KEPT).parse_args()
    options.results = bench_files(options.results, KEPT)
    for path in options.results:
        if csv_names(path) not in (PRODUCTS, ANALYSES, UNFORCED, ZONES, PREPROCESS, STAGING, SETUP):
            raise InputError(f"{path}: need the columns of a table of bench_fem")
    products = read(options.results, PRODUCTS)
    analyses = read(options.results, ANALYSES) + [row | {"forcing": "residual"}
                                                  for row in read(options.results, UNFORCED)]
    make_folder(options.output)
    draw_products(products, options.output)
    draw_memory(products, options.output)
    draw_analyses(analyses, options.output)
    draw_speedups(analyses, options.output)
    draw_lines(read(options.results, ZONES), options.output, "bench-fem-zones", "newton", "product_ms",
               "Newton iteration", "product (ms)")
    draw_lines(read(options.results, PREPROCESS), options.output, "bench-fem-preprocess", "plastic_percent",
               "preprocess_ms", "plastic elements (%)", "lists of elastic and plastic elements (ms)")
