"""Times of products with the tangent, from bench_fem: what Kiran 2023, chapters 4 and 5, calls kernel timings."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import bench, columns, np, where

SOURCE = "fem-products-h200-2026-11-22.csv"
# Table 5.4: body: cells of its meshes
MESHES = {"cantilever_with_cutout": "320 128 64", "l_bracket": "312 313 31", "plate_with_holes": "560 560 7"}
CANTILEVER, BRACKET, PLATE = MESHES
BEAM = "cantilever"  # section 5.2.2.2: in a table of its own
NAMES = {"cantilever_with_cutout": "cantilever with cut-out", "l_bracket": "L-bracket",
         "plate_with_holes": "plate with square holes"}
SHARES = "0,0.01,0.05,0.1,0.2,0.32,0.5"


def rows_of(chosen):
    """Of the finest mesh of each body, on a GPU; where they are from."""
    runs = [["products", body, *cells.split(), "cuda", SHARES] for body, cells in MESHES.items()]
    rows, source = bench(chosen, SOURCE, "bench_fem", *runs)
    return where(rows, device="cuda"), source


def finest(rows, body):
    mine = where(rows, body=body)
    return where(mine, elements=max(row["elements"] for row in mine))


def curve(rows, operator, storage, scatter="colours", value="product_ms"):
    """(plastic %, ms)"""
    found = columns(where(rows, operator=operator, storage=storage, scatter=scatter), "plastic_percent", value)
    return found if len(found[0]) else [np.array([np.nan])] * 2
