"""Pictures of tests `compaction` of `slipwave dem`, which dem.py draws: everything over relative density D.

Stresses along and across the axis, and their mean; beside it, where all axes shrink alike and metal of one kind flows
nearly without regard to the rate, that of Fleck, Kuhn and McMeeking 1992, 3 D^2 (D - D0) / (1 - D0) times the flow
stress, that of the contacts' mean strength at the axis' rate. Contacts of a particle, with those of Arzt 1982,
7.3 + 15.5 ((D / D0)^(1/3) - 1). Area of contacts. Of crystals slip resistance and particles' strain. How far from
quasi-static the test is."""

import re

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from .common import COLOURS, draw_band

RANDOM_CLOSE = 0.64  # D0
MOST_SENSITIVE = 0.05  # rate sensitivity up to which a flow stress is drawn as of a perfectly plastic metal
NAMES = ["relative_density", "pressure", "coordination", "contact_area", "strength", "slip_resistance",
         "particle_strain", "deviator_strain", "inertia_number", "unbalanced_force", "stage", "step", "time",
         *[f"{what}_{i}{i}" for what in ("strain", "stress") for i in (1, 2, 3)]]
STRESSES = {"mean": "-", "axial": "--", "lateral": "-."}


def arzt(density):
    return 7.3 + 15.5 * ((density / RANDOM_CLOSE)**(1 / 3) - 1)


def fleck(density):
    """Pressure over the flow stress; none below D0."""
    return 3 * density**2 * np.maximum(density - RANDOM_CLOSE, 0) / (1 - RANDOM_CLOSE)


def number_in(job, key, otherwise):
    """Of a key that a job has once."""
    found = re.search(rf"^[^#\n]*\b{key}\s*:\s*([-+.0-9eE]+)", job, re.MULTILINE)
    return float(found[1]) if found else otherwise


def shrinkage(records):
    """Of each axis, to the densest record."""
    densest = np.argmax(records["relative_density"])
    return [records[f"strain_{i}{i}"][densest] - records[f"strain_{i}{i}"][0] for i in (1, 2, 3)]


def even(records):
    """All axes shrink alike."""
    change = shrinkage(records)
    return bool(min(change) > 0.99 * max(change))


def axis_of(records):
    """That shrinks most; 3 where all do alike."""
    return 3 if even(records) else int(np.argmax(shrinkage(records))) + 1


def flow_stress(records, axis, rate_sensitivity, job):
    """Pa, of the contacts' mean strength at the rate at which the axis shrinks; NaN where it does not. time_scale
    divides the rate: slip has this much more time than motion."""
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.diff(records[f"strain_{axis}{axis}"]) / np.diff(records["time"])
        rate = np.concatenate([rate[:1], rate]) / number_in(job, "time_scale", 1)
        return records["strength"] * np.where(rate > 0, rate, np.nan)**rate_sensitivity


def between_refreshes(values):
    """Crystals' numbers stay until the next refresh: straight lines between the records that follow one; NaN after the
    last. Of particles without crystals, whose numbers are 0, NaN."""
    fresh = np.concatenate([[0], np.flatnonzero(np.diff(values) != 0) + 1])
    at = np.arange(len(values))
    return np.where((at <= fresh[-1]) & (values.max() > 0), np.interp(at, fresh, values[fresh]), np.nan)


def quantities(records, rate_sensitivity, job, axis, done):
    """What is drawn of an element's records, which begin at the test: MPa, percent."""
    alike, axis = even(records), axis or axis_of(records)
    across = [records[f"stress_{i}{i}"] for i in (1, 2, 3) if i != axis]
    density = records["relative_density"]
    formula = np.full(len(density), np.nan)
    if alike and rate_sensitivity <= MOST_SENSITIVE and not re.search(r"^\s*others\s*:", job, re.MULTILINE):
        formula = fleck(density) * flow_stress(records, axis, rate_sensitivity, job)
        formula[density < np.maximum.accumulate(density)] = np.nan  # where it is unloaded
    crystals = np.where(records["slip_resistance"].max() > 0, 1.0, np.nan)
    return {"density": density, "axial": 1e-6 * records[f"stress_{axis}{axis}"],
            "lateral": 0.5e-6 * (across[0] + across[1]), "mean": 1e-6 * records["pressure"], "formula": 1e-6 * formula,
            "coordination": records["coordination"], "area": 100 * records["contact_area"],
            "resistance": 1e-6 * between_refreshes(records["slip_resistance"]),
            "strain": 100 * between_refreshes(records["particle_strain"]),
            "own": crystals * 100 * records["deviator_strain"], "inertia": records["inertia_number"],
            "unbalanced": records["unbalanced_force"], "done": done, "even": np.full(len(density), float(alike))}


# ---- Panels ----


def draw_lines(axes, curves, name, style="-", labels=False):
    for i, (label, mean, deviation) in enumerate(curves):
        draw_band(axes, "density", name, mean, deviation, COLOURS[i % len(COLOURS)], label if labels else None, style)


def style_legend(axes, labels, **place):
    """{label: style}: what dashes mean, whatever the colour."""
    handles = [Line2D([], [], color="0.2", linewidth=1.6 if style == ":" else 1.2, linestyle=style, label=label)
               for label, style in labels.items()]
    axes.legend(handles=handles, frameon=False, fontsize=7, **place)


def draw_stresses(axes, curves):
    """Of even compaction the mean alone."""
    used = {"mean, p": "-"}
    for i, (_, mean, deviation) in enumerate(curves):
        for name in ["mean"] if mean["even"][0] else STRESSES:
            used.setdefault("mean, p" if name == "mean" else name, STRESSES[name])
            draw_band(axes, "density", name, mean, deviation, COLOURS[i % len(COLOURS)], None, STRESSES[name])
        if np.isfinite(mean["formula"]).any():
            used["p, Fleck et al. 1992"] = ":"
            axes.plot(mean["density"], mean["formula"], ":", color=COLOURS[i % len(COLOURS)], linewidth=1.6)
    style_legend(axes, used, loc="upper left")
    axes.set(ylabel="Stress (MPa)", ylim=(0, None))


def draw_coordination(axes, curves):
    """With the curves' names: its corner is empty."""
    draw_lines(axes, curves, "coordination", labels=len(curves) > 1)
    ends = [mean["density"] for _, mean, _ in curves]
    density = np.linspace(max(min(one.min() for one in ends), RANDOM_CLOSE), max(one.max() for one in ends), 50)
    axes.plot(density, arzt(density), "k:", linewidth=1.6, label="Arzt 1982")
    axes.set(ylabel="Contacts of a particle, mean")
    axes.legend(frameon=False, fontsize=7, loc="upper left")


def draw_area(axes, curves):
    draw_lines(axes, curves, "area")
    axes.set(ylabel="Mean area of a contact\n(% of a particle's mid-section)", ylim=(0, None))


def draw_resistance(axes, curves):
    draw_lines(axes, curves, "resistance")
    axes.set(ylabel="Slip resistance (MPa)")


def draw_strain(axes, curves):
    draw_lines(axes, curves, "strain")
    draw_lines(axes, curves, "own", "--")
    style_legend(axes, {"particles, all slip": "-", "element, deviatoric": "--"}, loc="upper left")
    axes.set(ylabel="Equivalent strain (%)", ylim=(0, None))


def largest_near(values):
    """Largest among a twentieth of the records around each: crystals' refreshes jolt forces for a moment."""
    reach = len(values) // 40
    padded = np.pad(values, reach, constant_values=-np.inf)
    return np.lib.stride_tricks.sliding_window_view(padded, 2 * reach + 1).max(axis=1)


def draw_rate(axes, curves):
    """Both numbers of a quasi-static test; the first record is of rest."""
    for i, (_, mean, _) in enumerate(curves):
        for values, style in ((mean["inertia"], "-"), (largest_near(mean["unbalanced"]), "--")):
            shown = np.where(values > 0, values, np.nan)
            axes.plot(mean["density"][1:], shown[1:], style, color=COLOURS[i % len(COLOURS)], linewidth=1.2)
    axes.axhline(1e-2, color="0.5", linewidth=0.8)
    axes.set(yscale="log", ylabel="Distance from quasi-static")
    axes.yaxis.set_minor_locator(NullLocator())
    style_legend(axes, {"inertia number": "-", "unbalanced force, largest nearby": "--"})


def plot(curves, title):
    """[(label, mean, deviation)] of quantities over density."""
    crystals = any(np.isfinite(mean["resistance"]).any() for _, mean, _ in curves)
    panels = [draw_stresses, draw_coordination, draw_area, *([draw_resistance, draw_strain] if crystals else []),
              draw_rate]
    figure = Figure(figsize=(10.5, 6) if crystals else (8, 6), layout="constrained")
    places = figure.subplots(2, len(panels) // 2, sharex=True)
    for axes, draw in zip(places.ravel(), panels):
        draw(axes, curves)
        axes.grid(alpha=0.25)
    for axes in places[-1]:
        axes.set(xlabel="Relative density")
    if title:
        figure.suptitle(title)
    return figure
