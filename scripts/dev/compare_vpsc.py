#!/usr/bin/env python3
"""Run inputs of VPSC8 by slipwave vpsc and by VPSC8 itself, and print how far their outputs are apart.

compare_vpsc.py --program VPSC8 [--slipwave build/slipwave] [--keep FOLDER] INPUT.in ...

A table a file: of STR_STR.OUT the largest difference of a column over the column's largest number (of a stress all six
stresses', of a strain all six strains'), and the share of rows within 1e-4; rows of RERR.OUT whose iterations are the
same; of ACT_PHn.OUT the largest difference; of LANKFORD.OUT the largest relative difference of r; of PCYS.OUT of the
stresses over the largest; of the last block of TEX_PHn.OUT angles between orientations, degrees: median, 95 %, largest."""

import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile


def find(name, folder):
    """A file that an input names, with backslashes and in any case of letters, here or in a folder above."""
    parts = [p for p in name.replace("\\", "/").split("/") if p]
    for _ in range(5):
        path = folder
        for part in parts:
            found = [e for e in (os.listdir(path) if os.path.isdir(path) else []) if e.lower() == part.lower()]
            if not found:
                break
            path = os.path.join(path, part if part in found else found[0])
        else:
            if os.path.isfile(path):
                return path
        folder = os.path.join(folder, "..")
    return None


def prepare(source, folder):
    """VPSC8.in in a folder, with copies of all files that it names, under short names."""
    with open(source, encoding="latin-1") as file:
        lines = file.read().replace("\x1a", "").splitlines()
    for i, line in enumerate(lines):
        path = find(line.strip(), os.path.dirname(os.path.abspath(source))) if line.strip() else None
        if path:
            lines[i] = f"file{i}"
            shutil.copyfile(path, os.path.join(folder, lines[i]))
    ideals = find("cubcomp.in", os.path.dirname(os.path.abspath(source)))
    if ideals:
        shutil.copyfile(ideals, os.path.join(folder, "CUBCOMP.IN"))
    kept = find("postmort.in", os.path.dirname(os.path.abspath(source)))
    if kept:
        shutil.copyfile(kept, os.path.join(folder, "POSTMORT.IN"))
    with open(os.path.join(folder, "VPSC8.in"), "w", encoding="latin-1") as file:
        file.write("\n".join(lines) + "\n")


def run(command, folder):
    done = subprocess.run(command, cwd=folder, input="c\n" * 100, capture_output=True, text=True,
                          encoding="latin-1", check=False)
    return done.returncode, (done.stdout[-300:] + done.stderr[-600:]).strip()


def numbers(path):
    """Rows of numbers, text rows left out."""
    rows = []
    if os.path.exists(path):
        with open(path, encoding="latin-1") as file:
            for line in file:
                try:
                    rows.append([float(w) for w in line.split()])
                except ValueError:
                    continue
    return [r for r in rows if r]


def compare_columns(a, b, groups):
    """Differences over the largest number of each group of columns; the share of rows within 1e-4."""
    if not a or len(a) != len(b):
        return f"rows {len(a)} and {len(b)}"
    worst, good = [], 0
    size = [max(abs(r[c]) for r in b for c in group if c < len(r)) or 1 for group in groups]
    for x, y in zip(a, b):
        row = [max((abs(x[c] - y[c]) for c in group if c < min(len(x), len(y))), default=0) / s
               for group, s in zip(groups, size)]
        worst.append(row)
        good += all(d <= 1e-4 for d in row)
    return " ".join(f"{max(w[i] for w in worst):.1e}" for i in range(len(groups))) + f", {100 * good / len(a):.0f} %"


def angle(x, y):
    """Between two orientations by Bunge's angles in degrees."""
    def matrix(e):
        a, b, c = (math.radians(v) for v in e[:3])
        ca, sa, cb, sb, cc, sc = math.cos(a), math.sin(a), math.cos(b), math.sin(b), math.cos(c), math.sin(c)
        return [[ca * cc - sa * sc * cb, -ca * sc - sa * cc * cb, sa * sb],
                [sa * cc + ca * sc * cb, -sa * sc + ca * cc * cb, -ca * sb],
                [sc * sb, cc * sb, cb]]
    p, q = matrix(x), matrix(y)
    chord = math.sqrt(sum((p[i][j] - q[i][j]) ** 2 for i in range(3) for j in range(3)))
    return math.degrees(2 * math.asin(min(1, chord / math.sqrt(8))))


def last_block(path):
    rows = []
    if os.path.exists(path):
        with open(path, encoding="latin-1") as file:
            for line in file:
                if line.startswith(("TEXTURE", "MORPHOLOGY")):
                    rows = []
                elif "<--" not in line and not line.startswith("B"):
                    rows.append([float(w) for w in line.split()])
    return rows


def compare_texture(a, b):
    x, y = last_block(a), last_block(b)
    if not x or len(x) != len(y):
        return f"rows {len(x)} and {len(y)}"
    off = sorted(angle(p, q) for p, q in zip(x, y))
    return f"{off[len(off) // 2]:.3f} {off[int(0.95 * (len(off) - 1))]:.3f} {off[-1]:.3f}"


def iterations(path):
    """The rows below each step's title, of iterations and errors."""
    return [int(r[0]) for r in numbers(path) if len(r) == 4]


def compare(ours, theirs):
    """Name and verdict of each file that either has."""
    names = sorted(set(os.listdir(ours)) | set(os.listdir(theirs)))
    for name in names:
        a, b = os.path.join(ours, name), os.path.join(theirs, name)
        if name == "STR_STR.OUT":
            x, y = numbers(a), numbers(b)
            yield name, compare_columns(x, y, [[0], [1], range(2, 8), range(8, 14), [16], [17], [18, 19]])
        elif name == "STR_STR_STATS.OUT":
            yield name, compare_columns(numbers(a), numbers(b), [range(2, 8), range(8, 14)])
        elif name == "RERR.OUT":
            x, y = iterations(a), iterations(b)
            yield name, f"{sum(p == q for p, q in zip(x, y))} of {len(y)} alike" + ("" if len(x) == len(y) else f", {len(x)} rows")
        elif name.startswith(("ACT_", "STAT_AXES", "CUBCOMP", "TW_")) and name.endswith(".OUT"):
            x, y = numbers(a), numbers(b)
            yield name, (f"{max(abs(p - q) for r, s in zip(x, y) for p, q in zip(r, s)):.4f}" if x and len(x) == len(y)
                         else f"rows {len(x)} and {len(y)}")
        elif name == "LANKFORD.OUT":
            x, y = numbers(a), numbers(b)
            yield name, (f"r {max(abs(p[2] - q[2]) / abs(q[2]) for p, q in zip(x, y)):.1e}, Young "
                         f"{max(abs(p[1] - q[1]) / abs(q[1]) for p, q in zip(x, y)):.1e}" if x and len(x) == len(y) else "rows")
        elif name.startswith("PCYS"):
            x, y = ([r for r in numbers(p) if len(r) > 1] for p in (a, b))
            columns = range(4, 9) if x and len(x[0]) == 9 else range(0, 2)
            yield name, compare_columns(x, y, [columns])
        elif name.startswith("TEX_") or name.startswith("MOR_"):
            yield name, compare_texture(a, b)
        elif name.endswith(".OUT") and name != "RUN_LOG.OUT":
            x, y = numbers(a), numbers(b)
            yield name, compare_columns(x, y, [range(len(y[0]))]) if x and y else f"rows {len(x)} and {len(y)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", nargs="+", metavar="INPUT.in")
    parser.add_argument("--program", required=True, help="VPSC8, built")
    parser.add_argument("--slipwave", default="build/slipwave")
    parser.add_argument("--keep", help="folder for what both write")
    arguments = parser.parse_args()
    for i, source in enumerate(arguments.inputs):
        top = os.path.abspath(arguments.keep) if arguments.keep else tempfile.mkdtemp()
        theirs, ours = (os.path.join(top, f"{i}-{n}") for n in ("vpsc8", "slipwave"))
        for folder in (theirs, ours):
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
        prepare(source, theirs)
        print(f"{source}")
        code, said = run([os.path.abspath(arguments.slipwave), "vpsc", os.path.join(theirs, "VPSC8.in"), "-o", ours, "-q"], top)
        if code != 0:
            print(f"  slipwave: {said}")
            continue
        _, of_theirs = run([os.path.abspath(arguments.program)], theirs)
        print(f"  {said.splitlines()[-1]}")
        print(f"  VPSC8: {of_theirs.splitlines()[-1] if of_theirs else ''}")
        for name, verdict in compare(ours, theirs):
            print(f"  {name:32s} {verdict}")
        if not arguments.keep:
            shutil.rmtree(top)
    return 0


if __name__ == "__main__":
    sys.exit(main())
