#!/usr/bin/env python3
"""What figures of the documents rest on: those of bench/LOG.md and docs/papers.md each beside the line of
bench/results that it was read off, those of docs/benchmarks.md, the guide and README.md beside the line of LOG.md or validation.md that they repeat.

    scripts/dev/check_claims.py           the list; exit status 1 where a figure is not the file's, to its digits
    scripts/dev/check_claims.py --quiet   only what disagrees

A claim is a piece of a line of a document, a figure of that line, and the row of a file that holds it; a quotation has the
line of another document in its place. Figures of the papers and of runs without a file are not here: the document names their
table or command beside them.
"""
import csv
import functools
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BENCHMARKS, PAPERS, VALIDATION = "bench/LOG.md", "docs/papers.md", "docs/validation.md"
PAGE = "docs/benchmarks.md"
RESPONSE = "h200-2026-11-21.csv"
NUFFT = "cufinufft-h200-2026-11-21.csv"
KWN = "kwn-h200-2026-11-21.csv"
PRODUCTS = "fem-products-h200-2026-11-22.csv"
ANALYSES = "fem-analyses-h200-2026-11-22.csv"
DEM = "dem-h200-2026-11-22.csv"
DEM_AFTER = "dem-h200-2026-11-23.csv"
SECTION_11 = "dem-section11-h200-2026-11-23.csv"
PAPER_STEP = "paper-step-h200-2026-11-23.csv"
ALGORITHM_9 = "fem-algorithm9-h200-2026-11-23.csv"
STAGING = "fem-staging-h200-2026-11-23.csv"
PLANE = "fem-products-plane-h200-2026-11-24.csv"
HEAT = "fem-products-heat-h200-2026-11-24.csv"
BEAM = "fem-products-cantilever-h200-2026-11-24.csv"
COARSE = "fem-algorithm9-h200-2026-11-24.csv"
OUTSIDE = "fem-outside-h200-2026-11-24.csv"
OVERLAP = "kwn-overlap-h200-2026-11-24.csv"
ASLEEP = "kwn-overlap-asleep-h200-2026-11-24.csv"
KERNELS = "kwn-kernels-h200-2026-11-24.csv"
CACHES = "fem-caches-h200-2026-11-24.csv"
STRESS = "fem-stress-h200-2026-11-24.csv"
ONE_CORE = "fem-one-core-h200-2026-11-24.csv"
SYMMETRIC = "fem-symmetric-h200-2026-11-24.csv"


class Claim:
    """A figure (text) of the line that has `words`; row of `file` where columns are as in `where`; in units of `unit`."""

    def __init__(self, words, figure, file, column, unit=1.0, document=BENCHMARKS, **where):
        self.words, self.figure, self.file, self.column, self.unit, self.where = words, figure, file, column, unit, where
        self.document = document

    def source(self, read_table, _):
        """(value, where it is from, what is wrong or None)"""
        rows = matching(read_table(self.file), self.where)
        if len(rows) != 1:
            return None, "", f"{self.file}: {len(rows)} rows are {self.where}: need 1"
        return float(rows[0][self.column]) / self.unit, f"{self.file}:{rows[0]['line']}", None


class Quotation:
    """A figure of the line of `document` that has `words`, which is `quoted` on the line of `of` that has `there`."""

    def __init__(self, document, words, figure, of, there, quoted=None):
        self.document, self.words, self.figure = document, words, figure
        self.of, self.there, self.quoted = of, there, quoted or figure

    def source(self, _, read_lines):
        here = line_of(read_lines(self.of), self.there, self.quoted)
        if not here:
            return None, "", f"{self.of} has no line with '{self.there}' and {self.quoted}"
        return number(self.quoted), f"{self.of}:{here}", None


def response(words, figure, series, table="solvers", x=None):
    where = {"table": table, "series": series}
    if x is not None:
        where["x"] = x
    return Claim(words, figure, RESPONSE, "value", **where)


def nufft(words, figure, modes, transforms, tolerance, what="setpts and execute"):
    series = f"{modes} modes; {transforms} transforms; tolerance {tolerance}; by points: {what}"
    return Claim(words, figure, NUFFT, "value", series=series, unit_column="points/s" if "execute" in what else "1")


def precision(words, figure, points, classes, number, order):
    return Claim(words, figure, KWN, "seconds", 1e-3, table="precision", precision=number, order=order, points=points,
                 classes=classes)


def products(words, figures, operator, storage, scatter):
    for share, figure in zip(("0.00", "1.00", "10.00", "32.00", "50.00", "100.00"), figures.split()):
        yield Claim(words, figure, PRODUCTS, "product_ms", body="cantilever_with_cutout", elements="2392064",
                    operator=operator, storage=storage, scatter=scatter, plastic_percent=share)


def analysis(words, figures, **where):
    """figures: iterations of Newton's method and of CG, and seconds: set-up, CG, all."""
    for column, figure in zip(("newton", "cg", "setup_s", "linear_s", "wall_s"), figures.split()):
        yield Claim(words, figure, ANALYSES, column, **where)


def solver(words, figures, **where):
    for column, figure in zip(("cg", "wall_s"), figures.split()):
        yield Claim(words, figure, ANALYSES, column, body="l_bracket", unknowns="7083840", factor="182", **where)


def teams(words, figure, file=DEM, **where):
    return Claim(words, figure, file, "particle_steps_per_second", table="teams", **where)


def staging(operator, figures):
    """Variations A, B and C of the elastic product."""
    for kept, figure in zip(("nothing", "matrix", "all"), figures.split()):
        yield Claim(f"| {operator} | ", figure, STAGING, "product_ms", operator=operator, scatter="colours", staging=kept)


def in_the_plane(words, figures, file, operators, **where):
    """Products: operator and scatter of each figure."""
    for (operator, scatter), figure in zip(operators, figures.split()):
        yield Claim(words, figure, file, "product_ms", operator=operator, scatter=scatter, **where)


def beam(words, figures, operator, storage):
    for share, figure in zip(("0.00", "1.00", "10.00", "20.00", "32.00", "50.00"), figures.split()):
        yield Claim(words, figure, BEAM, "product_ms", elements="2244500", operator=operator, storage=storage,
                    plastic_percent=share)


def coarse(words, figures, **where):
    """Whole analyses by Algorithm 9."""
    ways = [("nbn", "split"), ("nbn", "single"), ("dbd", "split"), ("dbd", "single"), ("ebe_node", "single"),
            ("ebe_node", "improved"), ("assembled", "own")]
    for (operator, storage), figure in zip(ways, figures.split()):
        yield Claim(words, figure, COARSE, "wall_s", operator=operator, storage=storage, **where)


def overlap(words, figures, points):
    for column, strategy, figure in zip(("host_s", "waiting_s", "overlapped_s", "overlapped_s"),
                                        ("fused", "fused", "fused", "cpu"), figures.split()):
        yield Claim(words, figure, OVERLAP, column, points=points, strategy=strategy)


def asleep(figures, threads):
    for column, strategy, figure in zip(("host_s", "waiting_s", "overlapped_s", "additional_percent", "overlapped_s"),
                                        ("fused", "fused", "fused", "fused", "cpu"), figures.split()):
        yield Claim(f"| {threads}, thread asleep", figure, ASLEEP, column, threads=threads, strategy=strategy)


def kernels(strategy, figures):
    """ms of set-up, solution and sums of each shape."""
    shapes = (("131072", "2048"), ("8192", "1024"), ("1024", "2048"), ("1024", "131072"))
    cells = [(points, classes, part) for points, classes in shapes for part in ("set_up", "solve", "aggregate")]
    for (points, classes, part), figure in zip(cells, figures.split()):
        yield Claim(f"| {strategy} | {figures.split()[0]}, {figures.split()[1]}", figure, KERNELS, "seconds", 1e-3,
                    table=f"kernels/{part}", strategy=strategy, points=points, classes=classes)


def caches(operator, storage, figures):
    """ms at each plastic share, past the first cache, through it, with shared memory where storage is single."""
    kept = ("nothing", "all", "elastic") if storage == "single" else ("nothing", "all")
    cells = [(share, staging) for share in ("0.00", "5.00", "20.00", "50.00") for staging in kept]
    for (share, staging), figure in zip(cells, figures.split()):
        yield Claim(f"| {operator} {storage}, caches", figure, CACHES, "product_ms", operator=operator, storage=storage,
                    scatter="colours", plastic_percent=share, staging=staging)


def stress(words, figures, **where):
    for part, figure in zip(("predictor", "deviator", "corrector", "forces", "whole"), figures.split()):
        yield Claim(words, figure, STRESS, f"{part}_ms", **where)


def matrices(words, figures, body, factor):
    """s of matrices and assembly: GPU, one core."""
    for device, figure in zip(("NVIDIA H200", "1 CPU threads"), figures.split()):
        yield Claim(words, figure, ONE_CORE, "tangent_s", body=body, factor=factor, device=device)


def all_claims():
    yield response("nearest, 64 points a turn", "5.79e10", "grid nearest 64")
    yield response("nearest, 128", "5.65e10", "grid nearest 128")
    yield response("nearest, 256 |", "5.68e10", "grid nearest 256")
    yield response("nearest, 256, 390 million", "5.78e10", "grid nearest 256; 390 million")
    yield response("nearest, 256, 2 billion", "5.80e10", "grid nearest 256; 2 billion")
    yield response("nearest, 512", "4.45e10", "grid nearest 512")
    yield response("grid linear, 64", "4.74e10", "grid linear 64")
    yield response("linear, 128", "3.35e10", "grid linear 128")
    yield response("linear, 128", "4.15e10", "grid linear 128; to strain 1", "runs")
    yield response("linear, 256", "2.93e10", "grid linear 256")
    yield response("rigid_plastic, 1e8 crystals", "4.21e9", "polish")
    yield response("rigid_plastic, 1e8 crystals", "4.12e9", "polish; to strain 1", "runs")
    for figure, pairs in (("1.45e10", 256), ("6.43e9", 1024), ("1.88e9", 4096)): # of conjugates
        yield response("1.45e10 /", figure, f"terms {pairs}")
    for figure, pairs in (("1.03e9", 8192), ("5.81e8", 16384), ("1.68e8", 65536)):
        yield response("1.03e9 /", figure, f"terms {pairs}")
    for figure, series in (("1.69e9", "9 outputs; 4-D (paper)"), ("2.41e9", "4-D; outputs by symmetry"),
                           ("1.01e10", "theta folded; by symmetry")):
        yield Claim("the like with the like", figure, PAPER_STEP, "value", series=series)
    yield response("nine outputs, 4-D: the paper's", "8.6e11", "9 outputs; 4-D (paper)", "forms")
    yield response("without the outputs that symmetry forbids", "1.31e12", "4-D; outputs by symmetry", "forms")
    yield response("θ folded (10,600 wavevectors)", "1.78e12", "theta folded; by symmetry", "forms")
    yield response("Range reduction", "8.6e11", "AND", "range_reduction", "1")
    yield response("Range reduction", "6.2e11", "modulo", "range_reduction", "1")
    yield response("Range reduction", "4.9e11", "none", "range_reduction", "1")
    yield response("Range reduction", "3.6e11", "none", "range_reduction", "128")
    yield response("2e8, rigid_plastic", "4.16e9", "polish", "scaling", "1")
    yield response("2e8, rigid_plastic", "8.31e9", "polish", "scaling", "2")

    yield nufft("64 × 64 × 17 | 1e-3", "7.8e8", "64x64x17", 9, "0.001")
    yield nufft("64 × 64 × 17 | 1e-3", "1.3e9", "64x64x17", 5, "0.001")
    yield nufft("128 × 128 × 33 | 1e-3", "7.6e8", "128x128x33", 9, "0.001")
    yield nufft("128 × 128 × 33 | 1e-3", "1.3e9", "128x128x33", 5, "0.001")

    yield Claim("fused | 2.94", "2.94", KWN, "seconds", 1e-3, table="large", strategy="fused", precision="single",
                order="1", points="131072", classes="4096")
    for number, figures in (("double", "10.0 15.5"), ("mixed", "8.6 15.5"), ("single", "2.9 4.0")):
        for order, figure in zip("12", figures.split()):
            yield precision("131,072, 4,096 | 10.0", figure, "131072", "4096", number, order)
    for number, figures in (("double", "17.9 24.9"), ("mixed", "16.5 23.4"), ("single", "12.0 13.4")):
        for order, figure in zip("12", figures.split()):
            yield precision("131,072, 128 |", figure, "131072", "128", number, order)
    for number, figures in (("double", "15.0 24.2"), ("mixed", "16.8 31.5"), ("single", "7.6 11.0")):
        for order, figure in zip("12", figures.split()):
            yield precision("8,192, 1,024 |", figure, "8192", "1024", number, order)
    yield Claim("A million trajectories", "1.4", KWN, "seconds", table="day_458_K")
    yield Claim("class updates/s; with temperatures", "1.4", KWN, "seconds", table="day_433_to_483_K")

    yield from products("points | 0.116", "0.116 0.162 0.168 0.251 0.293 0.416", "points", "own", "colours")
    yield from products("ebe improved | 0.464", "0.464 0.517 0.727 1.25 1.67 2.81", "ebe", "improved", "atomics")
    yield from products("ebe_node improved | 0.642", "0.642 0.687 0.883 1.34 1.71 2.70", "ebe_node", "improved", "atomics")
    yield from products("ebe_node single | 0.692", "0.692 0.705 0.732 1.15 1.57 2.75", "ebe_node", "single", "atomics")
    yield from products("ebe_node split | 0.772", "0.772 0.802 0.986 1.58 2.05 3.37", "ebe_node", "split", "atomics")
    yield from products("ebe_dof improved | 0.647", "0.647 0.655 0.858 1.30 1.66 2.65", "ebe_dof", "improved", "atomics")
    yield from products("ebe_sym single | 1.40", "1.40 1.40 1.40 1.44 1.50 1.82", "ebe_sym", "single", "atomics")
    yield from products("dbd single | 1.24", "1.24 1.26 1.41 1.76 2.23 6.28", "dbd", "single", "colours")
    yield from products("nbn single | 0.684", "0.684 0.722 0.973 2.74 5.10 14.7", "nbn", "single", "colours")
    yield from products("nbn improved | 0.571", "0.571 0.631 1.85 5.06 7.67 14.7", "nbn", "improved", "colours")

    boxes = {"body": "box", "operator": "points", "preconditioner": "multigrid"}
    for unknowns, figures in (("352,947", "4 26 0.357 0.009 0.37"), ("680,943", "4 26 0.260 0.014 0.28"),
                              ("1,369,599", "5 29 0.299 0.019 0.32"), ("2,738,019", "5 29 0.410 0.026 0.45"),
                              ("4,682,688", "5 33 0.567 0.050 0.63")):
        yield from analysis(f"| {unknowns} | 99.", figures, **boxes, unknowns=unknowns.replace(",", ""))
    bracket = {"body": "l_bracket", "unknowns": "7083840", "preconditioner": "multigrid", "device": "NVIDIA H200"}
    yield from analysis("L-bracket L6, 120 Pa", "6 59 0.832 0.109 0.96", **bracket, factor="120")
    yield from analysis("| 144 Pa | | 9.7 %", "6 69 0.821 0.129 0.97", **bracket, factor="144")
    yield from analysis("| 166 Pa | | 24.1 %", "8 102 0.859 0.193 1.08", **bracket, factor="166")
    yield from analysis("| 182 Pa | | 32.9 %", "8 116 0.817 0.223 1.07", **bracket, factor="182")
    yield from analysis("| 192.5 MPa |", "7 83 1.474 0.188 1.69", body="plate_with_holes", unknowns="7442328")
    yield from analysis("cantilever, 17 kN", "6 57 0.843 0.104 0.97", body="cantilever", unknowns="6949872", factor="1")
    yield from analysis("cantilever with cut-out, 54.4 kN", "6 53 0.694 0.087 0.80", body="cantilever_with_cutout",
                        unknowns="7388160")
    yield from solver("H200: assembled | Jacobi", "14,698 43.0", operator="assembled", preconditioner="jacobi")
    yield from solver("H200: ebe_node improved, atomics", "14,728 22.0", operator="ebe_node", preconditioner="jacobi")
    yield from solver("H200: points | Jacobi", "14,783 8.8", operator="points", preconditioner="jacobi")
    yield from solver("H200: points | block-Jacobi", "14,764 8.7", operator="points", preconditioner="block_jacobi")
    yield from solver("H200: points | multigrid", "116 1.07", **{"device": "NVIDIA H200", "preconditioner": "multigrid"})

    yield Claim("11 %", "28,195", ALGORITHM_9, "cg", operator="dbd")
    yield Claim("dbd single, as there", "55.1", ALGORITHM_9, "wall_s", operator="dbd")
    yield Claim("and 42.4 s", "42.4", ALGORITHM_9, "wall_s", operator="ebe_node")
    yield from staging("ebe_node", "1.029 0.954 0.816")
    yield from staging("ebe_dof", "2.680 1.652 0.997")
    yield from staging("nbn", "1.656 1.452 0.571")
    yield from staging("dbd", "3.081 1.400 1.280")

    both = [(operator, scatter) for operator in ("ebe", "ebe_sym") for scatter in ("colours", "atomics")]
    elastic = [("nbn", "colours"), ("dbd", "colours"), *both]
    yield from in_the_plane("| strip, plane stress", "0.532 0.401 0.594 0.394 0.424 0.250", PLANE, elastic,
                            elements="2500000")
    yield from in_the_plane("| L, plane stress", "1.487 1.262 1.560 1.082 1.148 0.680", PLANE, elastic, elements="7004352")
    yield from in_the_plane("| plate, heat", "0.418 0.477 0.282 0.460 0.237", HEAT, [("nbn", "colours"), *both],
                            elements="6241728")
    yield from beam("| nbn split | 0.702", "0.702 0.776 1.313 2.407 3.819 6.065", "nbn", "split")
    yield from beam("| nbn single, cantilever", "0.635 0.675 0.920 1.180 2.549 4.837", "nbn", "single")
    yield from beam("| dbd split | 1.292", "1.292 1.346 1.619 2.013 2.605 3.660", "dbd", "split")
    yield from beam("| dbd single, cantilever", "1.160 1.178 1.328 1.478 1.646 2.050", "dbd", "single")
    yield from coarse("| L-bracket, 103,488", "2.054 1.803 2.203 1.871 2.061 2.328 2.232", body="l_bracket", factor="182")
    yield from coarse("| cantilever with cut-out, 126,144", "1.217 1.040 1.305 1.131 1.181 1.324 1.462",
                      body="cantilever_with_cutout", factor="0.8")
    yield from coarse("| plate, 50,400", "1.896 1.695 1.881 1.617 2.135 2.462 1.989", body="plate_with_holes", factor="1.03")
    yield from coarse("| cantilever, 204,300", "3.006 2.703 3.291 2.706", body="cantilever", factor="1")
    for body, figures in (("box", "0.0593 0.0967"), ("l_bracket", "0.1903 0.2642"), ("plate_with_holes", "0.2011 0.4475")):
        for column, figure in zip(("s", "its s"), figures.split()):
            yield Claim(figures.replace(" ", ", "), figure, OUTSIDE, column, body=body)
    yield from overlap("| 2,048 | 0.306", "0.306 0.320 0.270 0.524", "2048")
    yield from overlap("| 8,192 | 0.283", "0.283 0.360 0.354 1.088", "8192")
    yield from overlap("| 32,768 | 0.445", "0.445 0.663 0.606 3.488", "32768")

    yield from asleep("0.329 0.492 0.410 24.4 2.450", "16")
    yield from asleep("0.331 0.450 0.361 9.2 2.455", "15")
    for strategy, figures in (
            ("node_first", "39.4 4.93 2.60 36.5 32.0 30.6 33.5 159 169 132 242 271"),
            ("node_first_packed", "17.0 8.91 3.27 15.8 23.7 33.5 15.7 132 187 25.5 166 276"),
            ("class_first", "12.2 45.2 2.31 12.7 90.4 3.59 12.8 749 11.2 10.7 711 11.9"),
            ("class_first_packed", "13.6 17.7 3.02 12.7 46.1 4.37 14.3 366 11.7 12.1 405 12.8"),
            ("cusparse_strided", "12.2 28.9 2.31 12.0 28.8 3.78 11.2 26.1 11.1 10.7 27.0 12.0"),
            ("cusparse_interleaved", "16.8 12.4 2.58 17.9 191 29.3 17.5 1040 173 13.1 1007 272")):
        yield from kernels(strategy, figures)

    yield from caches("nbn", "split", "1.605 0.714 1.884 0.945 2.958 2.099 6.885 5.618")
    yield from caches("nbn", "single", "1.541 0.648 0.667 1.636 0.792 0.798 2.216 1.175 1.189 4.616 4.547 3.173")
    yield from caches("dbd", "split", "3.109 1.310 3.325 1.482 4.133 2.008 5.808 3.654")
    yield from caches("dbd", "single", "2.985 1.175 1.212 3.149 1.256 1.294 3.465 1.490 1.502 4.233 2.110 2.579")
    yield from caches("ebe_node", "single", "1.019 0.800 0.826 1.251 0.894 0.944 1.267 1.148 1.175 1.812 1.789 1.815")
    yield from caches("ebe_dof", "single", "2.707 1.108 1.205 3.366 1.234 1.299 2.575 1.519 1.552 2.693 2.235 2.230")
    cube = {"body": "box", "elements": "110592", "newton": "3"}
    bracket = {"body": "l_bracket", "factor": "182", "newton": "7"}
    for words, where, on_gpu, on_core in (
            ("| cube, 110,592, 99.7", cube, "0.0516 0.0270 0.0493 0.1266 0.1773", "35.7 15.7 24.8 49.3 97.3"),
            ("| L-bracket, 103,488, 33.2 % |", bracket, "0.0508 0.0255 0.0478 0.1237 0.1740", "35.6 15.1 22.5 47.7 73.9")):
        yield from stress(words, on_gpu, device="NVIDIA H200", **where)
        yield from stress(words, on_core, device="1 CPU threads", **where)
    yield from stress("| cube, 1,520,875", "0.690 0.439 0.582 1.104 1.399", elements="1520875", newton="4")
    yield from matrices("| cube of 110,592", "0.014 4.600", "box", "1")
    yield from matrices("| L-bracket of 103,488, 120", "0.014 1.743", "l_bracket", "120")
    yield from matrices("| L-bracket of 103,488, 120", "0.019 4.743", "l_bracket", "182")
    yield from matrices("| plate of 50,400, 1.5", "0.010 0.645", "plate_with_holes", "0.8")
    yield from matrices("| plate of 50,400, 1.5", "0.012 1.847", "plate_with_holes", "1.03")
    for words, body, figures in (("| L-bracket of 103,488, Jacobi", "l_bracket", "10,105 10,105 1.931 2.040"),
                                 ("| plate of 50,400, Jacobi", "plate_with_holes", "11,373 11,374 1.698 1.734")):
        cells = [(column, operator) for column in ("cg", "linear_s") for operator in ("ebe_sym", "assembled")]
        for (column, operator), figure in zip(cells, figures.split()):
            yield Claim(words, figure, SYMMETRIC, column, body=body, operator=operator)

    yield teams("block (the default), 512 threads", "1.77e9", team="block", images="nearest")
    yield teams("block, boundary particles (positions", "1.25e9", team="block", images="boundary_particles")
    yield teams("cluster of 8 blocks", "1.06e9", team="cluster")
    for team, words, figures in (("block", "| block | 2.0e7", "2.0e7 2.0e7"), ("cluster", "| cluster | 6.6e7", "6.6e7 1.3e8 1.4e8 1.4e8"),
                                 ("device", "| device | 8.2e7", "8.2e7 5.4e8 1.04e9 1.13e9 1.19e9 1.24e9"),
                                 ("launches", "| launches, hash | 7.1e7", "7.1e7 2.4e8 2.9e8 2.2e8 2.1e8 2.1e8")):
        for particles, figure in zip(("2000", "16000", "54000", "128000", "432000", "1024000"), figures.split()):
            yield Claim(words, figure, DEM, "particle_steps_per_second", table="particles", team=team, particles=particles)
    for elements, figure in zip(("1", "10", "20", "50", "100"), "7.29 1.05 0.72 0.57 0.53".split()):
        yield Claim("as batches of", figure, SECTION_11, "seconds", table="section11_batches", elements=elements)
    yield teams("Sand did not change", "1.80e9", DEM_AFTER, team="block", images="nearest")
    yield teams("particles 1.30e9", "1.30e9", DEM_AFTER, team="block", images="boundary_particles")
    yield teams("particles 1.30e9", "1.06e9", DEM_AFTER, team="cluster")


def of_papers():
    """Figures of docs/papers.md; a pair of conjugates is 17.82 of Malahe's terms, counted over nine outputs."""
    terms = 1 / (9 * 1.98)
    for words, figure, series, x in (("| Table 3 | terms/s", "1.54e13", "AND", "1"), ("| Fig. 12 |", "1.54e13", "AND", "1"),
                                     ("| Fig. 12 |", "1.10e13", "modulo", "1"), ("| Fig. 12 |", "8.7e12", "none", "1"),
                                     ("| Fig. 12 |", "6.4e12", "none", "128")):
        yield Claim(words, figure, RESPONSE, "value", terms, PAPERS, table="range_reduction", series=series, x=x)
    yield Claim("6.43e9 crystal-steps/s", "6.43e9", RESPONSE, "value", document=PAPERS, table="solvers", series="terms 1024")
    for figure, series in (("0.231", "9 outputs; 4-D (paper)"), ("0.0388", "theta folded; by symmetry")):
        yield Quotation(PAPERS, "0.231 s a step in the paper's" if figure == "0.231" else "form, 0.0388", figure, BENCHMARKS,
                        "the like with the like", figure)
    cube = {"document": PAPERS, "body": "box", "elements": "1520875", "device": "NVIDIA H200"}
    for column, figure in (("tangent_s", "0.157"), ("stress_s", "0.009"), ("linear_s", "3.89"), ("wall_s", "4.45")):
        yield Claim("| Tables 3.2, 3.3 |", figure, ANALYSES, column, **cube, operator="assembled")
    yield Claim("| Tables 3.2, 3.3 |", "0.63", ANALYSES, "wall_s", **cube, operator="points", preconditioner="multigrid")
    for operator, figure in (("ebe_node", "0.816"), ("ebe_dof", "0.997"), ("nbn", "0.571"), ("dbd", "1.280")):
        yield Claim("| Tables 5.7, 5.8 |", figure, STAGING, "product_ms", document=PAPERS, operator=operator,
                    scatter="colours", staging="all")
    for body, figures in (("l_bracket", "1.93 2.04"), ("plate_with_holes", "1.70 1.73")):
        for operator, figure in zip(("ebe_sym", "assembled"), figures.split()):
            yield Claim("| Fig. 4.22 |", figure, SYMMETRIC, "linear_s", document=PAPERS, body=body, operator=operator)
    yield Quotation(PAPERS, "| Figs. 5.63 to 5.65 |", "22.0", BENCHMARKS, "H200: ebe_node improved, atomics")
    yield Quotation(PAPERS, "| Figs. 5.63 to 5.65 |", "43.0", BENCHMARKS, "H200: assembled | Jacobi")


def of_the_guide():
    finite, details = "docs/guide/finite-elements.md", "docs/details/finite-elements.md"
    yield Quotation(details, "unknowns, a third of it plastic, takes", "1.1", BENCHMARKS, "L-bracket, 7.1 million unknowns", "1.07")
    yield Quotation(details, "unknowns, a third of it plastic, takes", "1.4", BENCHMARKS, "L-bracket, 7.1 million unknowns", "1.42")


def of_the_page():
    """Figures of docs/benchmarks.md, which repeats those of the lab book."""
    for words, figures, there in (
            ("| elastoplastic, 12 slip systems", "4.4e6 4.6e6 52", "| elastoplastic, steps of 2 %, one thread"),
            ("| | H200 | 3.05e9", "3.05e9 1.54e9 8.78e8", "| 12 | 3.05e9"),
            ("| | H200 | 3.05e9", "78 2.95e9", "up to 255 registers, 8 warps"),
            ("| points with a loading each", "1.068e9", "2.85e9 and 2.92e9, rigid_plastic 4.17e9"),
            ("| rigid_plastic | H200", "5.14e9", "bench_gpu solvers families runs"),
            ("| grid, nearest, 256", "1.04e11", "| nearest, 256 | 9.37e10"),
            ("| grid, linear, 64", "4.5e7", "| grid, linear, 64 points a turn"),
            ("| the paper's step", "0.231 2.72 72", "| the like with the like"),
            ("| self-consistent, affine", "2.38e8", "| affine, of the polycrystal"),
            ("| self-consistent, affine", "28", "8.6e8. It is 28 % of the latter"),
            ("| the integrated model", "2.1e7 2.3e7 30", "| iterative, plane strain compression to strain 1"),
            ("| two GPUs", "99.9", "| 2e8, rigid_plastic"),
            ("Databases: the default one", "1.0 1.2 9.3 10.0", "| together | 16.9 to 17.7"),
            ("0.43 to 0.57 s (", "0.43 0.57", "| together | 16.9 to 17.7"),
            ("| r-values of seven angles", "7.4", "the section 11-22 to 0.05"),
            ("| forming limits, 15 paths", "2.73", "| forming limits, data/jobs/forming-limit.yaml --count 10000"),
            ("| the same, 500 crystals", "8.1", "to 11): on one thread"),
            ("| product of the tangent", "0.116 0.416", "| points | 0.116"),
            ("| product of the tangent", "26", "| points, elastic: vectors"),
            ("| product of the tangent", "65", "| points, all plastic | 1.07 GB"),
            ("| L-bracket, 7,083,840", "7,083,840", "| L-bracket L6, 120 Pa"),
            ("| L-bracket, 7,083,840", "32.9 1.07", "| 182 Pa |"),
            ("| cantilever, 103,680", "1.6 23.8", "| 100,000 elastoplastic elements on two CPU cores"),
            ("| upsetting by half", "14.7", "14.7 and 14.8 s in increments"),
            ("| upsetting by half", "20.2", "| upsetting, no friction, 50 x 50 x 50"),
            ("| upsetting by half", "89", "increments, linear solves included, 89 %"),
            ("| 1,000 grains on 64", "11.7", "| periodic, 64 x 64 x 64"),
            ("| a deck of C3D10", "0.39 1.18", "| tet10: a block, sheared"),
            ("| a deck of 279,936", "2.5 8.1", "| tet10: 279,936 C3D10"),
            ("| elastic product of C3D10", "0.296 3.02", "| C3D10, uniform"),
            ("| elastic product of C3D10", "2.343 2.10", "| C3D20, uniform"),
            ("| 131,072 points of 4,096 classes", "2.02e11", "by the clock, the least of three"),
            ("| 131,072 points of 4,096 classes", "41", "by the clock, the least of three"),
            ("| a step of one point", "3.3", "| CPU, µs a step of 1 point, a core"),
            ("| from how many points", "9 5 2 1", "| points a thread from which the GPU is reckoned"),
            ("| 100 elements of 2,000", "1.77e9 1.84e9", "block (the default), 512 threads"),
            ("| 100 elements of 2,000", "2.38e9", "of 0.65 and shearing to a strain of 0.2"),
            ("| 100 elements of 2,000", "26", "they take 104 µs (84 µs)"),
            ("| 2,000 spheres that roll", "5.1e6 1.5e6", "| 2,000, rolling and twisting"),
            ("| powder of metal", "5.5e8", "| metal alone |"),
            ("| powder of metal", "2.67e8", "| the same, elements asked together"),
            ("| powder of metal", "23", "it takes 182 µs, 23 and 20 %"),
            ("A call of the library costs", "4.2", "| 1 | 3.1 | 7.0 to 7.3"),
            ("A call of the library costs", "1,604 1,653 13,900", "| kwn, 10,000 s at 185")):
        for figure in figures.split():
            yield Quotation(PAGE, words, figure, BENCHMARKS, there)


def of_the_front_page():
    page = "README.md"
    for words, figures, of, there in (
            ("five crystals with families", "0.38 0.13 0.19 0.20 0.18", VALIDATION, "| Families of slip systems, Taylor, 512 grains"),
            ("five crystals with families", "2.95e9", BENCHMARKS, "elastoplastic, 1e8 crystals (36 bytes each)"),
            ("five crystals with families", "4.4e6", BENCHMARKS, "| elastoplastic, steps of 2 %, one thread"),
            ("by a database, grid", "1.04e11", BENCHMARKS, "| nearest, 256 | 9.37e10"),
            ("by a database, grid", "4.5e7", BENCHMARKS, "| grid, linear, 64 points a turn"),
            ("| vpsc, 13 folders", "0.16 1.08", VALIDATION, "ex03_FCC/roll"),
            ("| fem, public decks", "208 230", VALIDATION, "| 439 public decks"),
            ("| fem, public decks", "0.39 1.18", BENCHMARKS, "| tet10: a block, sheared"),
            ("| fem, necking of a bar", "0.25", VALIDATION, "| 10 | 59.359"),
            ("| fem, necking of a bar", "1.07", BENCHMARKS, "| 182 Pa |"),
            ("| fem, 100 resolved grains", "0.13", VALIDATION, "The same elements agree"),
            ("| fem, 100 resolved grains", "4.3 5.2", VALIDATION, "P₁₁ higher by"),
            ("| fem, 100 resolved grains", "66", VALIDATION, "Time to 1.05"),
            ("| fem, 100 resolved grains", "18", VALIDATION, "iterations), 18 min for DAMASK"),
            ("| kwn, Al-Zr", "0.5 0.2", VALIDATION, "| Al-Zr, 600 to 1.8e6 s, fine"),
            ("| kwn, Al-Zr", "2.02e11", BENCHMARKS, "by the clock, the least of three"),
            ("| dem, spheres that roll", "0.1", VALIDATION, "| with moments as printed in Table 2"),
            ("| dem, spheres that roll", "0.2", VALIDATION, "| with moments of Table 1"),
            ("| dem, spheres that roll", "3.5", BENCHMARKS, "| 2,000, rolling and twisting"),
            ("| dem, spheres that roll", "2.38e9", BENCHMARKS, "of 0.65 and shearing to a strain of 0.2"),
            ("| forming, r-values", "7.4", BENCHMARKS, "the section 11-22 to 0.05")):
        for figure in figures.split():
            yield Quotation(page, words, figure, of, there)


def read(file):
    """Rows as dictionaries, with their line's number."""
    rows, names = [], None
    with open(os.path.join(ROOT, "bench", "results", file), encoding="utf-8") as lines:
        for place, line in enumerate(lines, 1):
            if line.startswith("#"):
                continue
            fields = next(csv.reader([line]))
            if names is None:
                names = fields
            else:
                rows.append({**dict(zip(names, fields)), "line": place})
    return rows


def lines_of(document):
    """(number, text without marks) of its lines."""
    with open(os.path.join(ROOT, document), encoding="utf-8") as lines:
        return [(n, re.sub(r"[*`]", "", line)) for n, line in enumerate(lines, 1)]


def line_of(lines, words, figure):
    """Number of the first line that has both; None without."""
    pattern = re.compile(r"(?<![\d.])" + re.escape(figure) + r"(?![\d]|\.\d|e)")
    return next((n for n, line in lines if words in line and pattern.search(line)), None)


def matching(rows, where):
    named = {("unit" if key == "unit_column" else key): value for key, value in where.items()}
    return [row for row in rows if all(row[key] == value for key, value in named.items())]


def number(figure):
    return float(figure.replace(",", ""))


def agrees(figure, value):
    """Whether a figure is the value to its last digit."""
    mantissa, _, exponent = figure.replace(",", "").partition("e")
    digits = len(mantissa.partition(".")[2])
    return abs(number(figure) - value) <= 0.5000001 * 10.0 ** (int(exponent or 0) - digits)


def check(claim, read_table, read_lines):
    """What is wrong, or None; and the source."""
    here = line_of(read_lines(claim.document), claim.words, claim.figure)
    if not here:
        return f"{claim.document} has no line with '{claim.words}' and {claim.figure}", ""
    value, source, problem = claim.source(read_table, read_lines)
    if problem:
        return problem, ""
    return (None if agrees(claim.figure, value) else f"the source has {value:g}"), f"{claim.document}:{here}  {source}"


def checked():
    """(claim, what is wrong or None, source) of each."""
    read_table, read_lines = functools.cache(read), functools.cache(lines_of)
    return [(claim, *check(claim, read_table, read_lines)) for claim in (*all_claims(), *of_papers(), *of_the_guide(), *of_the_page(), *of_the_front_page())]


def main():
    claims = checked()
    wrong = [claim for claim in claims if claim[1] is not None]
    for claim, problem, source in wrong if "--quiet" in sys.argv else claims:
        print(f"{claim.words}: {claim.figure}{f': {problem}' if problem else ''}  {source}")
    print(f"{len(claims)} figures, {len(wrong)} that their sources do not have")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
