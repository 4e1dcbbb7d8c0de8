"""Upsetting, and whatever `slipwave fem` deforms by tools, without a display.

RESULT.h5... (or .partial): force of each tool that moves against its stroke, and the area that it touches. Stroke and
force are along its largest displacement. Of `upsetting` jobs the whole plate's, also where a quarter was computed, and
dashed the closed form without friction of linear hardening.

FIELDS.vtkhdf: the deformed body at true scale, coloured by a field, and beside it the contact pressure. Plane and
axisymmetric bodies as they are; of solids the plane y = 0, or, without faces there, their outside. Planes of symmetry
(x = 0 and the middle of the height) are mirrored: sides at 0 along which the body slides and which it does not leave.

FIELDS.vtkhdf... -o RUN.gif: these pictures one after the other; -o FOLDER: a PNG of each.
"""

import argparse
import io
import re
import sys
from contextlib import ExitStack
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from .fem import (COMPONENTS, FACES, Grid, History, colour_scale, draw_faces, edges_of, facing_eye, outer_faces,
                      scalar, tool_lines, view_axes)
from .common import COLOURS, InputError, argument_parser, make_folder, save, write_whole

ON_PLANE = 1e-9  # of the body's size: round-off of positions
GIF_DPI = 110
MIRRORS = {"auto": None, "none": (), "x": (0,), "y": (1,), "xy": (0, 1)}  # axes across the picture


# ---- Force and stroke ----


class Billet:
    """What the job of an upsetting says, SI units. Its keys have names that no other part of such a job has."""

    def __init__(self, job, solid):
        self.job = re.sub(r"(^|\s)#.*", "", job)
        self.radius, self.height = self.number("radius"), self.number("height")
        self.part = 4 if solid else 1  # a solid is a quarter of the billet
        self.young, self.yield_stress = self.number("young"), self.number("yield_stress")
        law = self.text("law") or "none"
        self.modulus = {"none": 0.0, "linear": self.number("modulus")}.get(law)

    def text(self, key):
        found = re.search(rf"(?<![\w-]){key}\s*:\s*([^\s,}}\]]+)", self.job)
        return found and found.group(1).strip("'\"")

    def number(self, key):
        try:
            return float(self.text(key))
        except (TypeError, ValueError):
            return None

    def constants(self):
        """Of the closed form."""
        return self.radius, self.height, self.young, self.yield_stress, self.modulus

    def has_closed_form(self):
        # without a yield stress it is elastic
        return None not in (self.radius, self.height, self.young, self.modulus)

    def force(self, stroke):
        """Of a plate (N) without friction, when it has moved by `stroke` (m) towards the middle: the Kirchhoff stress t
        at the logarithmic strain e over the present height h of the volume V at the start, t V / h."""
        height = self.height - 2 * stroke
        strain = np.log(self.height / height)
        stress = self.young * strain
        if self.yield_stress is not None:
            plastic = (self.yield_stress + self.modulus * strain) / (1 + self.modulus / self.young)
            stress = np.minimum(stress, plastic)
        return stress * np.pi * self.radius**2 * self.height / height


class ToolHistory(History):
    """A results file of a run with tools."""

    def __init__(self, path):
        super().__init__(path)
        try:
            self.tools = self.labels("tools") if "tools" in self.group("run").attrs else []
            if not self.tools:
                raise InputError(f"{path}: no tools: need results of a job with `tools` or `upsetting`")
            job = self.text("job")
            self.billet = None
            if re.search(r"(?m)^\s*\{?\s*upsetting\s*:", job):
                self.billet = Billet(job, self.text("kinematics") == "solid")
        except InputError:
            self.file.close()
            raise

    def part(self):
        return self.billet.part if self.billet else 1

    def curves(self):
        """[(label, stroke [n], force [n], area [n])] of tools that move, from the start; of the whole plate."""
        area = self.array("history/tool_contact_area", None, len(self.tools))
        curves = [(label.removeprefix("tool "), np.append(0, stroke), self.part() * np.append(0, force),
                   self.part() * np.append(0, area[:, self.tools.index(label)]))
                  for label, stroke, force in tool_lines(self)]
        if not curves:
            raise InputError(f"{self.path}: /history/tool_displacement: no tool has moved")
        return curves


def draw_closed_forms(axes, billets):
    """Each kind's once, as far as the furthest of its runs: [(billet, stroke)]."""
    kinds = {}
    for billet, stroke in billets:
        if billet is not None and billet.has_closed_form():
            _, so_far = kinds.get(billet.constants(), (billet, 0))
            kinds[billet.constants()] = billet, max(so_far, stroke)
    for i, (billet, furthest) in enumerate(kinds.values()):
        stroke = np.linspace(0, furthest, 400)
        axes.plot(1e3 * stroke, 1e-3 * billet.force(stroke), "k--", linewidth=1, zorder=3,
                  label=None if i else "closed form, no friction")


def add_reduction(axes, histories):
    """A second axis where all are billets of one height."""
    heights = {one.billet.height if one.billet else None for one in histories}
    if len(heights) == 1 and None not in heights:
        percent = 100 * 2e-3 / heights.pop()  # of a plate's millimetre: the other one moves as much
        top = axes.secondary_xaxis("top", functions=(lambda mm: percent * mm, lambda reduced: reduced / percent))
        top.set_xlabel("Reduction of height (%)")


def plot_strokes(histories):
    figure = Figure(figsize=(9, 4), layout="constrained")
    axes = figure.subplots(1, 2)
    furthest, drawn = [], 0
    for history in histories:
        curves = history.curves()
        furthest.append((history.billet, max(stroke.max() for _, stroke, _, _ in curves)))
        for tool, stroke, force, area in curves:
            label = history.path.stem + (f", {tool}" if len(curves) > 1 else "")
            label += ", 4 x a quarter" if history.part() == 4 else ""
            style = {"color": COLOURS[drawn % len(COLOURS)], "markersize": 2.5, "label": label}
            axes[0].plot(1e3 * stroke, 1e-3 * force, "o-", **style)
            axes[1].plot(1e3 * stroke, 1e6 * area, "o-", **style)
            drawn += 1
    draw_closed_forms(axes[0], furthest)
    for one, label in zip(axes, ("Force (kN)", "Contact area (mm$^2$)")):
        one.set(xlabel="Stroke of the tool (mm)", ylabel=label, xlim=(0, None))
        if one.dataLim.y0 >= 0:
            one.set_ylim(bottom=0)
        add_reduction(one, histories)
        one.grid(alpha=0.25)
    axes[0].legend(frameon=False)
    return figure


# ---- Deformed bodies ----


def faces_on(grid, axis):
    """(nodes [n][4], element [n]) of the faces in the plane 0 of this axis, before the deformation."""
    near = np.abs(grid.point[:, axis]) <= ON_PLANE * np.ptp(grid.point, axis=0).max()
    element = np.flatnonzero(near[grid.cell].sum(axis=1) == 4)
    side = grid.point[grid.cell[element], axis].mean(axis=1) > 0
    element = element[side if side.any() else ~side]  # in the middle of a body both sides have the face
    faces = grid.cell[element][:, FACES]
    return faces[near[faces].all(axis=2)], element


class Frame:
    """What is drawn of a file: corners [n][4][2] (mm), values [n][c] of the field, shades [n]; place [m] (mm) and
    pressure [m] (MPa) of nodes that touch, None without tools; cut, whether a plane is seen; mirrors, its sides of
    symmetry."""

    def __init__(self, path, options):
        grid = Grid(path)
        with grid.file:
            self.path, self.solid = grid.path, grid.solid
            of_cells, values = grid.field(options.field, options.field)
            displacement = grid.field("displacement")[1]
            point = grid.point + displacement
            self.faces(grid, point, displacement, options)
            self.values = values[self.element] if of_cells else values[self.face].mean(axis=1)
            self.place = self.pressure = None
            if "contact_pressure" in grid.names():
                pressure = grid.field("contact_pressure")[1][:, 0]
                touching = np.flatnonzero(pressure > 0)
                place = np.hypot(*point[touching, :2].T) if grid.solid else point[touching, 0]
                order = np.argsort(place, kind="stable")
                self.place, self.pressure = 1e3 * place[order], 1e-6 * pressure[touching[order]]

    def faces(self, grid, point, displacement, options):
        """Sets face, element, corner, shade and mirrors."""
        self.mirrors, self.cut, seen = (), True, (0, 1)
        self.face, self.element = grid.cell, np.arange(len(grid.cell))
        if grid.solid:
            seen = (0, 2)
            self.face, self.element = faces_on(grid, 1)
        self.shade = np.ones(len(self.face))
        if len(self.face):
            self.mirrors = self.symmetries(grid.point[:, seen], displacement[:, seen])
            self.corner = 1e3 * point[:, seen][self.face]
            return
        # no plane to see: the outside, from where fem.py looks, z upwards
        self.cut = False
        axes3 = view_axes(options.azimuth, options.elevation)[:, [2, 0, 1]]
        self.face, self.element = outer_faces(grid.cell)
        corner = (1e3 * point @ axes3.T)[self.face]
        front, self.shade = facing_eye(corner)
        self.face, self.element, self.corner = self.face[front], self.element[front], corner[front, :, :2]

    @staticmethod
    def symmetries(point, displacement):
        """Axes k [.] of [N][2] whose least side is at 0, stays there and slides."""
        small = ON_PLANE * np.ptp(point, axis=0).max()
        found = []
        for k in (0, 1):
            side = point[:, k] <= point[:, k].min() + small
            if (abs(point[side, k]).max() <= small and abs(displacement[side, k]).max() <= small
                    and abs(displacement[side, 1 - k]).max() > small):
                found.append(k)
        return tuple(found)

    def mirror(self, axes):
        if axes and not self.cut:
            raise InputError(f"--mirror: {self.path} has no faces on the plane y = 0")
        for k in axes:
            image = self.corner.copy()
            image[..., k] *= -1
            self.corner = np.concatenate((self.corner, image))
            letter = "z" if self.solid and k else "xy"[k]
            signs = [(-1)**name.count(letter) for name in COMPONENTS.get(self.values.shape[1], "1")]
            self.values = np.concatenate((self.values, self.values * signs))
            self.shade = np.concatenate((self.shade, self.shade))


def read_frames(paths, options):
    """(frames, what the field is called): mirrored as the last one allows, with one colour a face."""
    frames = [Frame(path, options) for path in paths]
    wanted = MIRRORS[options.mirror]
    for frame in frames:
        frame.mirror(frames[-1].mirrors if wanted is None else wanted)
    # all at once: they share the unit
    colour, label = scalar(np.concatenate([frame.values for frame in frames]), options.component, options.field)
    ends = np.cumsum([len(frame.values) for frame in frames])
    for frame, part in zip(frames, np.split(colour, ends[:-1])):
        frame.colour = part
    return frames, label


def draw_pressure(axes, frame, frames):
    axes.plot(frame.place, frame.pressure, "o" if frame.solid else "o-", markersize=3, color=COLOURS[0])
    axes.set(xlabel="Distance from the axis (mm)" if frame.solid else "x or radius (mm)",
             ylabel="Contact pressure (MPa)", xlim=(0, None), ylim=(0, None))
    touching = [one for one in frames if one.place is not None and len(one.place)]
    if touching:
        least = min(0, min(one.place.min() for one in touching))
        axes.set_xlim(1.05 * least, 1.05 * max(one.place.max() for one in touching))
        axes.set_ylim(0, 1.05 * max(one.pressure.max() for one in touching))
    axes.grid(alpha=0.25)


def plot_frame(frame, frames, label, options):
    """With the limits of all frames."""
    least, most = options.range or (min(one.colour.min() for one in frames), max(one.colour.max() for one in frames))
    scale = colour_scale(least, most)
    rgba = scale.to_rgba(frame.colour)
    rgba[:, :3] *= frame.shade[:, None]
    pressures = any(one.place is not None for one in frames)
    figure = Figure(figsize=(10 if pressures else 6.5, 4.5), layout="constrained")
    figure.get_layout_engine().set(wspace=0.05)
    axes = figure.subplots(1, 2 if pressures else 1, squeeze=False, width_ratios=[1.5, 1] if pressures else None)[0]
    draw_faces(axes[0], frame.corner, rgba, edges_of(len(frame.corner), options.edges),
               np.concatenate([one.corner.reshape(-1, 2) for one in frames]))
    if frame.cut:
        axes[0].set(xlabel="x (mm)", ylabel="z (mm)" if frame.solid else "y (mm)")
    else:
        axes[0].set_axis_off()
    figure.colorbar(scale, ax=axes[0], label=label, shrink=0.8)
    if pressures:
        if frame.place is None:
            raise InputError(f"{frame.path}: /VTKHDF/PointData/contact_pressure is missing: other files have it")
        draw_pressure(axes[1], frame, frames)
    figure.suptitle(frame.path.stem)
    return figure


# ---- Series ----


def palette():
    """256 colours (RGB, 0 to 255) for all pictures of a GIF: the fields', greys, and those of lines' edges. One chosen
    by the pictures would have bands where a field has few elements."""
    line = np.array(matplotlib.colors.to_rgb(COLOURS[0]))
    greys, edges = np.linspace(0, 1, 32)[:, None] * np.ones(3), np.linspace(line, np.ones(3), 32)
    colours = np.concatenate((matplotlib.colormaps["viridis"](np.linspace(0, 1, 192))[:, :3], greys, edges))
    return np.rint(255 * colours).astype(int).ravel().tolist()


def save_gif(figures, output, frames_a_second):
    try:
        from PIL import Image
    except ImportError:
        raise InputError(f"{output}: Pillow, which writes GIFs, is missing from {sys.executable}: "
                         "need it, or a folder for a PNG of each file") from None
    images = []
    colours = Image.new("P", (1, 1))
    colours.putpalette(palette())
    for figure in figures:
        figure.set_dpi(GIF_DPI)
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        image = Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3].copy())
        images.append(image.quantize(palette=colours, dither=0))
    gif = io.BytesIO()
    images[0].save(gif, format="GIF", save_all=True, append_images=images[1:], loop=0,
                   duration=round(1000 / frames_a_second))
    write_whole({Path(output): gif.getvalue()}, output)


def plot_shapes(options):
    output = Path(options.output)
    suffix = output.suffix.lower()
    several = len(options.results) > 1
    if several and suffix != ".gif" and suffix[1:2].isalpha():
        raise InputError(f"{output}: {len(options.results)} files of fields: need .gif, or a folder for a PNG of each")
    if several and suffix != ".gif" and len({Path(path).stem for path in options.results}) < len(options.results):
        raise InputError(f"{output}: two files of fields of one name: need names that differ for a PNG of each")
    frames, label = read_frames(options.results, options)
    figures = (plot_frame(frame, frames, label, options) for frame in frames)
    if suffix == ".gif":
        save_gif(figures, output, options.speed)
    elif several:
        make_folder(output)
        for frame, figure in zip(frames, figures):
            save(figure, output / f"{frame.path.stem}.png")
    else:
        save(next(figures), output)


def check(options):
    for name in ("azimuth", "elevation"):
        if not np.isfinite(getattr(options, name)):
            raise InputError(f"--{name} {getattr(options, name):g}: need a finite number")
    if not 0.1 <= options.speed <= 50:
        raise InputError(f"--speed {options.speed:g}: need 0.1 to 50 pictures a second")
    if options.range is not None:
        low, high = options.range
        if not (np.isfinite([low, high]).all() and low < high):
            raise InputError(f"--range {low:g} {high:g}: need finite numbers, the first one less")


def arguments():
    parser = argument_parser(__doc__, "RESULT.h5|FIELDS.vtkhdf")
    parser.add_argument("--field", metavar="NAME", default="plastic_strain", help="of the file (plastic_strain)")
    parser.add_argument("--component", metavar="NAME", help="x, y, z; xx, yy, zz, xy, yz, xz (a vector's length)")
    parser.add_argument("--range", type=float, nargs=2, metavar=("LOW", "HIGH"), help="of colours (all values)")
    parser.add_argument("--mirror", choices=MIRRORS, default="auto", help="across the picture (planes of symmetry)")
    parser.add_argument("--azimuth", type=float, default=30, metavar="DEGREES", help="of an outside, about z (30)")
    parser.add_argument("--elevation", type=float, default=25, metavar="DEGREES", help="above the x-y plane (25)")
    parser.add_argument("--edges", action=argparse.BooleanOptionalAction, default=None, help="of elements")
    parser.add_argument("--speed", type=float, default=10, metavar="N", help="pictures a second of a GIF (10)")
    return parser


def figure(options):
    """One picture: of fields that of the first file."""
    check(options)
    fields = [path.endswith(".vtkhdf") for path in options.results]
    if all(fields):
        frames, label = read_frames(options.results, options)
        return plot_frame(frames[0], frames, label, options)
    if any(fields):
        raise InputError(f"{options.results[fields.index(True)]}: fields beside results: need files of one kind")
    with ExitStack() as stack:
        histories = [stack.enter_context(ToolHistory(path)) for path in options.results]
        return plot_strokes(histories)


def main():
    options = arguments().parse_args()
    if all(path.endswith(".vtkhdf") for path in options.results):
        check(options)
        plot_shapes(options)
    else:
        save(figure(options), options.output)
