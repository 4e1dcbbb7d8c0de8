#!/usr/bin/env python3
"""A map of the code, drawn from the code: which parts include which, and how large they are.

    scripts/dev/code_map.py -o docs/pictures/code-map.png     # or .svg, .pdf; with --table a table on standard output

Parts are the folders of docs/layout.md, joined below common/ and online/ by their first name. Rows are in the order of that list, lowest
first: what a part includes lies left of the diagonal, and nothing right of it.
"""

import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from slipwave_results import Parser, run, save

SOURCES = (".c", ".h", ".cu", ".cuh")


def folders():
    """Of docs/layout.md, lowest first."""
    text = (ROOT / "docs/layout.md").read_text(encoding="utf-8")
    return [name.rstrip("/") for name in re.findall(r"^\| `([\w/]+/)` \|", text, re.MULTILINE)]


def part_of(path):
    """The part that a path of the source belongs to."""
    names = Path(path).parent.parts
    return "/".join(names[:2]) if names[:1] in (("common",), ("online",)) else names[0]


def parts():
    """In the order of the list: at the place of the last of their folders, where all that they need is below."""
    order = {}
    for place, folder in enumerate(folders()):
        order[part_of(f"{folder}/file")] = place
    return sorted(order, key=order.get)


def count():
    """{part: lines}, {(part, part that it includes): includes}"""
    lines, includes, known = Counter(), Counter(), set(parts())
    for path in (path for part in ("common", "offline", "online", "programs", "include") for path in (ROOT / part).rglob("*")):
        name = path.relative_to(ROOT)
        part = part_of(name)
        if path.suffix not in SOURCES or part not in known:
            continue
        text = path.read_text(encoding="utf-8")
        lines[part] += text.count("\n")
        for included in re.findall(r'^#include "([^"]+)"', text, re.MULTILINE):
            target = included if "/" in included and (ROOT / included).exists() else (
                f"include/{included}" if included.startswith("slipwave/") else str((name.parent / included)))
            other = part_of(target)
            if other in known and other != part:
                includes[part, other] += 1
    return lines, includes


def draw(lines, includes):
    order = [part for part in parts() if lines[part]]
    matrix = np.array([[includes[row, column] or np.nan for column in order] for row in order], dtype=float)
    n = len(order)
    figure = Figure(figsize=(10.5, 8.2), layout="constrained")
    axes, bars = figure.subplots(1, 2, width_ratios=(5, 1), sharey=True)
    image = axes.imshow(matrix, norm=LogNorm(1, np.nanmax(matrix)), cmap="viridis_r", aspect="auto")
    for i, row in enumerate(matrix):
        axes.add_patch(Rectangle((i - 0.5, i - 0.5), 1, 1, color="0.85"))
        for j, value in enumerate(row):
            if np.isfinite(value):
                axes.text(j, i, f"{value:.0f}", ha="center", va="center", fontsize=6, color="white" if value > 20 else "black")
    axes.set_xticks(range(n), order, rotation=60, ha="right", rotation_mode="anchor", fontsize=7.5)
    axes.set_yticks(range(n), order, fontsize=7.5)
    axes.set(title="A row includes headers of the columns: how many times", xticks=range(n))
    axes.set_xticks(np.arange(n + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(n + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="0.93", linewidth=0.5)
    axes.tick_params(which="minor", length=0)
    bars.barh(range(n), [lines[part] / 1000 for part in order], color="#0072B2")
    bars.set(xlabel="Thousand lines", title="Size")
    bars.grid(axis="x", alpha=0.25)
    figure.colorbar(image, ax=bars, label="includes", shrink=0.5)
    return figure


def main():
    parser = Parser(__doc__)
    parser.add_argument("-o", "--output", required=True, metavar="FIGURE")
    parser.add_argument("--table", action="store_true", help="print parts, lines and what they include")
    options = parser.parse_args()
    lines, includes = count()
    if options.table:
        for part in parts():
            below = ", ".join(f"{other} {includes[part, other]}" for other in parts() if includes[part, other])
            print(f"{part:24}{lines[part]:7,}  {below}")
    save(draw(lines, includes), options.output)


if __name__ == "__main__":
    run(main)
