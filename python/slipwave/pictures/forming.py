"""What `slipwave forming` found out about a sheet.

--kind r-values: yield stress and r-value against the angle to the rolling direction, with the balanced biaxial point.
--kind earing: height around the rim of a drawn cup.
--kind yield-surface: its sections, with the direction of plastic flow at some points, and Tresca's and von Mises'
surfaces through the yield stress along the rolling direction.

Functions that the run has fitted (/functions) are drawn beside the crystals.
"""

import numpy as np
from matplotlib.figure import Figure

from .common import COLOURS, DASHES, InputError, Results, argument_parser, main_of
from .yield_functions import FUNCTIONS, tensor

COMPONENTS = ["11", "22", "33", "23", "13", "12"]
ARROWS = 24  # of a contour, at most
LINES = {name: {"color": COLOURS[1 + k], "linestyle": DASHES[1 + k], "linewidth": 1.3, "zorder": 4}
         for k, name in enumerate(FUNCTIONS)}  # a function's, in all pictures


class Sheet(Results):
    program, formats = "slipwave forming", {"slipwave-forming": 1, "slipwave-forming-tasks": None}

    def task(self, name):
        if name not in self.file:
            raise InputError(f"{self.path}: has no {name}: the job's section `{name}` asks for it")
        return self.group(name)

    def functions(self):
        """(name, title, group) of every fitted function"""
        group = self.file.get("functions", {})
        return [(name, self.text("title", group[name]), group[name]) for name in FUNCTIONS if name in group]


def legend_below(axes):
    axes.legend(frameon=False, fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncol=2)


# ---- r-values ----


def add_r_scale(axes):
    """r itself, at the right: q = r / (1 + r) is what is drawn, for r goes from 0 to infinity"""
    r = np.array([0, 0.2, 0.5, 1, 2, 5, np.inf])
    right = axes.twinx()
    right.set(ylim=axes.get_ylim(), ylabel="r")
    right.set_yticks(1 - 1 / (1 + r), [r"$\infty$" if np.isinf(one) else f"{one:g}" for one in r])


def plot_r_values(sheet):
    group = sheet.task("r_values")
    angle = sheet.array("angle", None, where=group)
    stress, r = (sheet.array(name, len(angle), where=group) for name in ("stress", "r"))
    biaxial, r_b = sheet.number("biaxial_stress", group), sheet.number("biaxial_r", group)
    figure = Figure(figsize=(7.2, 3.7), layout="constrained")
    left, right = figure.subplots(1, 2)
    for axes in (left, right):
        axes.set(xlabel="Angle to the rolling direction (°)", xticks=range(0, 181, 15 if angle.max() < 1.6 else 30))
    left.set_ylabel("Yield stress (MPa)")
    right.set(ylabel="q = r / (1 + r)", ylim=(-0.03, 1.03))
    order = np.argsort(angle)
    points = {"color": COLOURS[0], "marker": "o", "linestyle": "", "markersize": 4.5, "zorder": 5}
    left.plot(np.degrees(angle[order]), 1e-6 * stress[order], label="crystals", **points)
    right.plot(np.degrees(angle[order]), (1 - 1 / (1 + r))[order], **points)
    left.axhline(1e-6 * biaxial, color="0.5", linestyle=":", linewidth=1, label="balanced biaxial")
    right.axhline(1 - 1 / (1 + r_b), color="0.5", linestyle=":", linewidth=1)
    for name, title, group in sheet.functions():
        table = sheet.array("tension", None, 3, where=group)
        table = table[table[:, 0] <= angle.max() + 1e-9]
        left.plot(np.degrees(table[:, 0]), 1e-6 * table[:, 1], label=title, **LINES[name])
        right.plot(np.degrees(table[:, 0]), table[:, 2], **LINES[name])
    add_r_scale(right)
    legend_below(left)
    return figure


# ---- Yield surfaces ----


def contours_of(sheet):
    """[(plane, components, [(held, stress [n][6], flow [n][6])])] of all sections"""
    group = sheet.task("yield_surface")
    sections = []
    for i in range(1, 1 + sum(name.startswith("section-") for name in group)):
        levels = []
        section = group.get(f"section-{i}")
        if section is None:
            raise InputError(f"{sheet.path}: /yield_surface/section-{i} is missing")
        for j in range(1, len(section) + 1):
            level = sheet.group(f"yield_surface/section-{i}/level-{j}")
            stress = sheet.array("stress", None, 6, where=level)
            levels.append((sheet.number("held", level), stress,
                           sheet.array("strain_rate", len(stress), 6, where=level)))
            plane = sheet.text("plane", level)
            components = level.attrs["components"].astype(int)
        sections.append((plane, components, levels))
    return sections


def mises(stress):
    s = tensor(stress)
    s = s - np.trace(s, axis1=-2, axis2=-1)[..., None, None] / 3 * np.eye(3)
    return np.sqrt(1.5 * (s * s).sum(axis=(-2, -1)))


def tresca(stress):
    principal = np.linalg.eigvalsh(tensor(stress))
    return principal[..., 2] - principal[..., 0]


class Plane:
    """Where stresses are drawn: two of their components, or the pi-plane, axis 1 upwards."""

    def __init__(self, plane, components):
        self.pi = plane == "pi"
        self.x, self.y, self.z = components

    def place(self, tensors):
        """[n][6] -> [n], [n]"""
        t = np.asarray(tensors)
        if self.pi:
            return (t[:, 1] - t[:, 2]) / np.sqrt(2), (2 * t[:, 0] - t[:, 1] - t[:, 2]) / np.sqrt(6)
        return t[:, self.x], t[:, self.y]

    def flow(self, rate):
        """What is normal to the section's contour: shears count twice, as both of a pair do work"""
        if self.pi:
            return self.place(rate)
        return rate[:, self.x] * (1 if self.x < 3 else 2), rate[:, self.y] * (1 if self.y < 3 else 2)

    def stress(self, x, y, held):
        """Stresses [...][6] at places"""
        stress = np.zeros((*x.shape, 6))
        if self.pi:
            stress[..., 0] = np.sqrt(2 / 3) * y
            stress[..., 1] = -stress[..., 0] / 2 + x / np.sqrt(2)
            stress[..., 2] = -stress[..., 0] / 2 - x / np.sqrt(2)
        else:
            stress[..., self.x], stress[..., self.y], stress[..., self.z] = x, y, held
        return stress

    def labels(self):
        if self.pi:
            return (r"$(\sigma_{22} - \sigma_{33})/\sqrt{2}$ (MPa)",
                    r"$(2\sigma_{11} - \sigma_{22} - \sigma_{33})/\sqrt{6}$ (MPa)")
        return tuple(rf"$\sigma_{{{COMPONENTS[k]}}}$ (MPa)" for k in (self.x, self.y))


def draw_references(axes, plane, held, size, yield_stress):
    """Tresca's and von Mises' contours through the yield stress along the rolling direction"""
    side = np.linspace(-1.35 * size, 1.35 * size, 401)
    stress = plane.stress(*np.meshgrid(side, side), held)
    for of, style, label in ((tresca, ":", "Tresca"), (mises, "--", "von Mises")):
        axes.contour(1e-6 * side, 1e-6 * side, of(stress), [yield_stress], colors="0.5", linewidths=0.8, linestyles=style)
        axes.plot([], [], color="0.5", linewidth=0.8, linestyle=style, label=label)


def draw_contour(axes, plane, stress, flow, marker, length, label):
    x, y = plane.place(stress)
    colour = COLOURS[0]
    axes.plot(1e-6 * np.append(x, x[0]), 1e-6 * np.append(y, y[0]), marker, linestyle="", color=colour, markersize=2.6,
              label=label)
    some = slice(None, None, max(1, -(-len(x) // ARROWS)))
    u, v = np.array(plane.flow(flow))
    size = np.hypot(u, v)
    axes.quiver(1e-6 * x[some], 1e-6 * y[some], (u / size)[some] * length, (v / size)[some] * length, color=colour,
                angles="xy", scale_units="xy", scale=1, width=0.003, headwidth=4, headlength=5)


def label_of(plane, held):
    return "crystals" if plane.pi or held == 0 else rf"crystals, $\sigma_{{{COMPONENTS[plane.z]}}}$ = {1e-6 * held:.3g} MPa"


def draw_functions(axes, sheet, plane, levels, size):
    """Each on every level that it can answer: Yld2000-2d none with stress 23 or 13, none beyond its own yield stress"""
    side = np.linspace(-1.25 * size, 1.25 * size, 301)
    for name, title, group in sheet.functions():
        line = LINES[name]
        exponent = sheet.number("exponent", group) if "exponent" in group.attrs else 2
        for held, _, _ in levels:
            phi = FUNCTIONS[name](sheet.array("coefficient", None, where=group), exponent,
                                  plane.stress(*np.meshgrid(side, side), held))
            reference = sheet.number("reference_stress", group)
            if np.isfinite(phi).all() and phi.min() < reference:
                axes.contour(1e-6 * side, 1e-6 * side, phi, [reference], colors=[line["color"]],
                             linewidths=line["linewidth"], linestyles=[line["linestyle"]], zorder=line["zorder"])
        axes.plot([], [], label=title, **line)


def draw_section(axes, sheet, plane, levels, yield_stress):
    size = max(np.abs(plane.place(stress)).max() for _, stress, _ in levels)
    draw_references(axes, plane, min((held for held, _, _ in levels), key=abs), size, yield_stress)
    draw_functions(axes, sheet, plane, levels, size)
    for k, (held, stress, flow) in enumerate(levels):
        draw_contour(axes, plane, stress, flow, "osD^v"[k % 5], 0.13e-6 * size, label_of(plane, held))
    axes.axhline(0, color="0.8", linewidth=0.7, zorder=0)
    axes.axvline(0, color="0.8", linewidth=0.7, zorder=0)
    x, y = plane.labels()
    limit = 1.25e-6 * size
    axes.set(xlabel=x, ylabel=y, xlim=(-limit, limit), ylim=(-limit, limit))
    axes.set_aspect("equal")
    legend_below(axes)


def plot_yield_surface(sheet):
    sections = contours_of(sheet)
    yield_stress = sheet.number("yield_stress", sheet.task("yield_surface"))
    columns = min(len(sections), 3)
    rows = -(-len(sections) // columns)
    figure = Figure(figsize=(4.2 * columns, 4.9 * rows), layout="constrained")
    for axes, (plane, components, levels) in zip(figure.subplots(rows, columns, squeeze=False).flat, sections):
        draw_section(axes, sheet, Plane(plane, components), levels, yield_stress)
    for axes in figure.axes[len(sections):]:
        axes.remove()
    return figure


# ---- Earing ----


def plot_earing(sheet):
    """Of a cup drawn from the sheet: as each function has it, and as the crystals' r-values."""
    group = sheet.task("earing")
    angle = np.degrees(sheet.array("angle", None, where=group))
    figure = Figure(figsize=(6, 4.2), layout="constrained")
    axes = figure.add_subplot(xlabel="Angle to the rolling direction (°)", ylabel="Height of the cup (mm)",
                              xticks=range(0, 361, 45), xlim=(0, 360))
    titles = {name: title for name, title, _ in sheet.functions()}
    for name in ("r_values", *FUNCTIONS):
        if name not in group:
            continue
        style = LINES.get(name, {"color": COLOURS[0], "linewidth": 1.3})
        ears = f"{sheet.number('ears', group[name]):.0f} ears, {sheet.number('percent', group[name]):.1f} %"
        axes.plot(np.append(angle, 360), 1e3 * np.take(sheet.array("height", len(angle), where=group[name]), [*range(len(angle)), 0]),
                  label=f"{titles.get(name, 'r-values of the crystals')}: {ears}", **style)
    axes.grid(alpha=0.25)
    legend_below(axes)
    return figure


# ---- The program ----

KINDS = {"r-values": plot_r_values, "yield-surface": plot_yield_surface, "earing": plot_earing}


def arguments():
    parser = argument_parser(__doc__, "RESULT.h5", several=False)
    parser.add_argument("--kind", choices=KINDS, help="what is drawn (the first that the file has)")
    return parser


def figure(options):
    sheet = Sheet(options.results)
    kind = options.kind or ("r-values" if "r_values" in sheet.file else "yield-surface")
    return KINDS[kind](sheet)


main = main_of(arguments, figure)
