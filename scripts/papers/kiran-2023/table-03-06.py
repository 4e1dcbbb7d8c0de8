#!/usr/bin/env python3
"""Kiran 2023, Table 3.6: conjugate gradients with a diagonal preconditioner to 1e-7 by outside programs over ours, of the
same elastic system, which bench_fem writes: SciPy on one core (the thesis: CUSP and Ginkgo on a GPU), with --run
CuPy on the GPU at hand. Iterations are counted in both, solutions compared."""

import sys
from inspect import signature
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import ROOT, InputError, csv_names, csv_rows, np, number, options, run, start, table
import h5py

# body: a factor far from yield, cells on a CPU, cells of the thesis's meshes on a GPU
BODIES = {"box": (1e-3, [24, 48], [48, 60, 76, 96, 115]),
          "l_bracket": (1, [(56, 56, 5), (112, 112, 11)], [(112, 112, 11), (142, 143, 14), (312, 313, 31)]),
          "plate_with_holes": (0.1, [(80, 80, 2), (160, 160, 2)], [(160, 160, 2), (240, 240, 3), (560, 560, 7)])}
GINKGO = {"box": "1.15 to 1.83", "l_bracket": "1.43 to 2.49", "plate_with_holes": "1.32 to 2.03"}
TOLERANCE = 1e-7


def outside(gpu):
    """(name, arrays, sparse matrices, cg, wait)"""
    try:
        if gpu:
            import cupy
            import cupyx.scipy.sparse as sparse
            from cupyx.scipy.sparse.linalg import cg
            return f"CuPy {cupy.__version__}", cupy, sparse, cg, cupy.cuda.Device().synchronize
        import scipy
        import scipy.sparse as sparse
        from scipy.sparse.linalg import cg
        return f"SciPy {scipy.__version__}", np, sparse, cg, lambda: None
    except ImportError as error:
        raise InputError(f"{error.name} is missing: need {'CuPy' if gpu else 'SciPy'} for this table") from error


def read(path):
    with h5py.File(path) as file:
        return [file[name][()] for name in ("row", "column", "value", "force", "fixed", "displacement")]


def solve(gpu, path):
    """(name, iterations, s, difference from our solution, relative)"""
    name, xp, sparse, cg, wait = outside(gpu)
    row, column, value, force, fixed, ours = read(path)
    n = len(force)
    free = np.ones(n)
    free[fixed] = 0
    rows = np.repeat(free, np.diff(row))
    value = value * rows * free[column]
    matrix = sparse.csr_matrix((xp.asarray(value), xp.asarray(column), xp.asarray(row)), shape=(n, n))
    matrix = (matrix + sparse.diags(xp.asarray(1 - free)).tocsr()).tocsr()
    right = xp.asarray(force * free)
    jacobi = sparse.diags(1 / matrix.diagonal()).tocsr()
    limit = "rtol" if "rtol" in signature(cg).parameters else "tol"
    times, count = [], []
    for _ in range(3):
        count.clear()
        wait()
        begin = perf_counter()
        x, failed = cg(matrix, right, M=jacobi, maxiter=20000, atol=0, callback=lambda _: count.append(1),
                       **{limit: TOLERANCE})
        wait()
        times.append(perf_counter() - begin)
        if failed:
            raise InputError(f"{name}: {failed} iterations and no solution")
    x = xp.asnumpy(x) if gpu else x
    return name, len(count), min(times), np.linalg.norm(x - ours) / np.linalg.norm(ours)


def ours(body, cells, device, factor, path):
    """The fastest of three of bench_fem."""
    rows = []
    for _ in range(3):
        path.with_suffix(".csv").write_text(start("bench/bench_fem", "matrix", body, *cells, device, factor, path,
                                                  folder=ROOT), encoding="utf-8")
        (_, cells_of_row), = csv_rows(path.with_suffix(".csv"), csv_names(path.with_suffix(".csv")))
        rows.append({column: number(cell) for column, cell in cells_of_row.items()})
    return min(rows, key=lambda row: row["linear_s"])


def main():
    chosen = options(__doc__, bench=True, more=[("--meshes", "of each body, from the coarsest on", 1)])
    lines = []
    for body, (factor, coarse, fine) in BODIES.items():
        for mesh in (fine if chosen.run else coarse)[:chosen.meshes]:
            path = chosen.folder / f"table-03-06-{body}.h5"
            cells = mesh if isinstance(mesh, tuple) else [mesh] * 3
            mine = ours(body, cells, "cuda" if chosen.run else 1, factor, path)
            name, iterations, seconds, difference = solve(chosen.run, path)
            path.unlink()
            lines.append((body, f"{mine['unknowns']:.0f}", f"{mine['cg']:.0f}", f"{mine['linear_s']:.4f}", name, iterations,
                          f"{seconds:.4f}", f"{difference:.1e}", f"{mine['linear_s'] / seconds:.2f}", GINKGO[body]))
    table(chosen, "table-03-06", ["body", "unknowns", "CG", "s", "outside", "its CG", "its s",
                                  "solutions differ by", "ours over outside", "thesis: CUSP over Ginkgo"], lines)


if __name__ == "__main__":
    run(main)
