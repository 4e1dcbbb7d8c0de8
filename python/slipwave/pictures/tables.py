"""Tables of what is no history: r-values, coefficients, ears, forming limits, fits, peaks of ageing, decks' contact."""

import numpy as np

from ..results import text
from .kwn import known_of_peaks

ENDS = ("neck", "no equilibrium", "strain limit")  # of paths to a forming limit


def r_values(file):
    group = file["r_values"]
    rows = [(f"{angle:.4g}", f"{stress / 1e6:.2f}", f"{r:.3f}", f"{r / (1 + r):.3f}") for angle, stress, r in
            zip(np.degrees(group["angle"][()]), group["stress"][()], group["r"][()])]
    if "biaxial_r" in group.attrs:
        stress, r = (float(np.ravel(group.attrs[f"biaxial_{name}"])[0]) for name in ("stress", "r"))
        rows.append(("biaxial", f"{stress / 1e6:.2f}", f"{r:.3f}", ""))
    return "Yield stresses and r-values", ("Angle to the rolling direction (°)", "Yield stress (MPa)", "r", "r / (1 + r)"), rows


def earing(file):
    rows = [(name, *(f"{float(np.ravel(one.attrs[what])[0]) * factor:.4g}" for what, factor in
                     (("ears", 1), ("percent", 1), ("mean_height", 1e3)))) for name, one in sorted(file["earing"].items())
            if "ears" in one.attrs]
    return "Ears of a cup", ("By", "Ears", "Height of ears (%)", "Mean height (mm)"), rows


def forming_limit(file):
    group = file["forming_limit"]
    rows = [(f"{ratio:.3f}", f"{major:.4f}", f"{minor:.4f}", ENDS[int(end)] if int(end) in range(len(ENDS)) else "") for ratio, (major, minor), end in
            zip(group["ratio"][()], group["strain"][()], group["end"][()])]
    return "Forming limits", ("Strain ratio", "Major strain", "Minor strain", "Ended by"), rows


def fit(file):
    group = file["fit"]
    names, units = (text(group.attrs[name]).split() if name in group.attrs else [] for name in ("parameters", "units"))
    rows = [(name, f"{value:.6g}", f"{uncertainty:.2g}", unit if unit != "1" else "") for name, unit, value, uncertainty in
            zip(names, units or [""] * len(names), group["value"][()], group["uncertainty"][()])]
    return "What the fit found", ("Parameter", "Value", "Standard uncertainty", "Unit"), rows


def peaks(file):
    """What no parabola was laid through is the largest of the records, and the peak between its neighbours."""
    group, kelvin = file["peak"], file["axes/temperature"][()]
    columns = [*(group[name][()] for name in ("yield_stress", "time")), *known_of_peaks(file)]
    rows = [(f"{one - 273.15:.4g}", f"{stress / 1e6:.1f}", f"{time / 3600:.4g}", "" if fitted else f"{start / 3600:.4g} to {end / 3600:.4g}")
            for one, stress, time, fitted, start, end in zip(kelvin, *columns)]
    return "Peaks of strength", ("Temperature (°C)", "Yield stress (MPa)", "After (h)", "Of records, the peak between (h)"), rows


SHOWN = {"FX": "Force x", "FY": "Force y", "FZ": "Force z", "AREA": "Area that presses", "PRESSURE": "Largest pressure",
         "PENETRATION": "Largest penetration"}  # of the columns of CF


def contact(file):
    """Of the deck's pairs at the end: CF of all, which every deck with contact has."""
    prints = [one for one in file["prints"].values() if text(one.attrs.get("quantity", "")) == "CF" and "columns" in one.attrs]
    all_pairs = [one for one in prints if text(one.attrs.get("set", "")) == "ALL"] or prints
    if not all_pairs or not len(all_pairs[-1]["value"]):
        return "", (), []
    one = all_pairs[-1]
    names = text(one.attrs["columns"]).split()
    columns = [(names.index(name), label) for name, label in SHOWN.items() if name in names]
    rows = [(str(k + 1), *(f"{row[place] + 0.0:.5g}" for place, _ in columns)) for k, row in enumerate(one["value"][-1])]
    return (f"Contact at time {float(one['time'][-1]):.6g}, forces on slaves, in the units of the deck",
            ("Pair, as the deck has them", *(label for _, label in columns)), rows)


TABLES = {"prints": contact, "r_values": r_values, "earing": earing, "forming_limit": forming_limit, "fit": fit, "peak": peaks}


def tables(file):
    """[(title, heads, rows of texts)] of an h5py.File."""
    found = [make(file) for name, make in TABLES.items() if name in file]
    return [one for one in found if one[2]]
