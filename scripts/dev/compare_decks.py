#!/usr/bin/env python3
"""Decks run by `slipwave fem DECK.inp` and by CalculiX: displacements at the end of the last step.

    scripts/dev/compare_decks.py --list LIST [--slipwave build/slipwave] [--ccx ccx] [--kept FOLDER] [--only TEXT ...]
    scripts/dev/compare_decks.py --root FOLDER ...

LIST: a path of a deck a line; what follows a tab is a note on it, which the table repeats. --root: where repositories lie, each in
a folder of its name, FOLDER/calculix/CalculiX-Examples; a line of LIST, unless told decks.tsv beside this script, is then
repository, path in it and note, with tabs between; lines that begin with # are none. --kept: where CalculiX's answers
stay, so that a second run needs none of them (FOLDER/K of the K-th deck). --only: of decks whose path or note has one of
these texts.

CalculiX gets a copy that asks for displacements at the end of every step. The difference is the largest of any node's
displacement over the largest displacement; seconds are those of the processes, on one thread.

Writes a row a deck: difference (or why there is none), seconds of both, path, note; then how many ran, agree within 1e-3,
were refused, failed. Exit status 1 where a deck runs and differs by more than 1e-3.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np

BOUND = 1e-3
# CalculiX ends Newton's iterations at 0.5 % of the mean force: where little hardens that is 3 % of the displacement.
TIGHT = "*CONTROLS, PARAMETERS=FIELD\n1e-6, 1e-4\n*CONTROLS, PARAMETERS=TIME INCREMENTATION\n8, 12, 9, 40, 10, 4, , 10\n"


def with_displacements(text, more):
    """A deck that asks for displacements in every step, of its own nodes, and for no other mesh."""
    text = re.sub(r"(?im)^\s*\*\s*refine\s*mesh.*\n([^*].*\n)*", "", text)
    text = re.sub(r"(?i)output\s*=\s*3d", "OUTPUT=2D", text)
    return re.sub(r"(?im)^\s*\*\s*end\s*step", f"{more}*NODE FILE, FREQUENCY=1, OUTPUT=2D\nU\n*END STEP", text)


def ask_ccx(deck, folder, ccx, limit, more):
    """Seconds, and why there is no answer."""
    (folder / deck.name).write_text(with_displacements(deck.read_text(errors="replace"), more), errors="replace")
    begun = time.time()
    try:
        done = subprocess.run([ccx, "-i", deck.stem], cwd=folder, capture_output=True, text=True, errors="replace",
                              timeout=limit, env={**os.environ, "OMP_NUM_THREADS": "1"})
        good, said = "Job finished" in done.stdout, done.stdout
    except subprocess.TimeoutExpired:
        good, said = False, f"*ERROR: more than {limit} s"
    why = "" if good else next((line.strip() for line in said.splitlines() if "ERROR" in line), "stopped")
    return time.time() - begun, why


def run_ccx(deck, folder, ccx, limit):
    """Its files, with what it said: with iterations to the end, or as the deck has it where that fails."""
    for name in os.listdir(deck.parent):
        source = deck.parent / name
        if source.is_file() and source != deck and not (folder / name).exists():
            os.symlink(source, folder / name)
    seconds, why = ask_ccx(deck, folder, ccx, limit, TIGHT)
    if why:
        seconds, why = ask_ccx(deck, folder, ccx, limit, "")
    for path in folder.iterdir():
        if path.is_symlink() or path.suffix not in (".frd", ".dat"):
            path.unlink()
    (folder / "said.txt").write_text(f"{seconds:.2f}\n{why}\n")


def read_frd(path):
    """The last displacements of a .frd file."""
    found, block = {}, None
    with open(path, errors="replace") as file:
        for line in file:
            if line.startswith(" -4"):
                block = {} if line.split()[1] == "DISP" else None
            elif line.startswith(" -1") and block is not None:
                block[int(line[3:13])] = [float(line[13 + 12 * i:25 + 12 * i]) for i in range(3)]
            elif line.startswith(" -3") and block:
                found, block = block, None
    return found


def reference_of(deck, folder, ccx, limit):
    if not (folder / "said.txt").exists():
        folder.mkdir(parents=True, exist_ok=True)
        run_ccx(deck, folder, ccx, limit)
    seconds, why = (folder / "said.txt").read_text().split("\n")[:2]
    frd = folder / (deck.stem + ".frd")
    return (read_frd(frd) if frd.exists() and not why else {}), why, float(seconds)


def ours_of(deck, slipwave, limit):
    """Displacements {label: 3}, what was said where there are none, seconds."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "out.h5"
        begun = time.time()
        try:
            done = subprocess.run([slipwave, "fem", str(deck), "--dialect", "calculix", "--quiet", "--threads", "1", "-o", str(output)],
                                  capture_output=True, text=True, errors="replace", timeout=limit)
        except subprocess.TimeoutExpired:
            return {}, f"more than {limit} s", limit
        seconds = time.time() - begun
        if done.returncode != 0 or not output.exists():
            return {}, f"exit {done.returncode}: {done.stderr.strip().splitlines()[-1] if done.stderr.strip() else ''}", seconds
        with h5py.File(output) as file:
            labels = file["nodes/label"][()]
            last = sorted(file["fields"])[-1]
            values = file[f"fields/{last}/displacement"][()]
    return {int(label): value for label, value in zip(labels, values) if label > 0}, "", seconds


def compare(ours, theirs):
    both = sorted(set(ours) & set(theirs))
    if not both:
        return None
    a, b = np.array([ours[n] for n in both]), np.array([theirs[n] for n in both])
    size = np.abs(b).max()
    return np.abs(a - b).max() / size if size > 0 else np.abs(a).max()


def listed(path, root):
    """(line, deck, note)"""
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            continue
        *parts, note = [*line.split("\t"), ""][:3 if root else 2]
        yield line, (root or Path()).joinpath(*parts), note


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", type=Path)
    parser.add_argument("--root", type=Path)
    parser.add_argument("--slipwave", default="build/slipwave")
    parser.add_argument("--ccx", default="ccx")
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--limit", type=float, default=60, help="seconds of a run at most")
    parser.add_argument("--only", nargs="*", default=[])
    arguments = parser.parse_args()
    if not (arguments.list or arguments.root):
        parser.error("need --list or --root")
    if shutil.which(arguments.ccx) is None:
        parser.error(f"there is no {arguments.ccx}: Debian's calculix-ccx")
    kept = arguments.kept or Path(tempfile.mkdtemp())
    count = {"agree": 0, "differ": 0, "ran without a reference": 0, "refused": 0, "failed": 0}
    decks = arguments.list or Path(__file__).with_name("decks.tsv")
    for k, (line, deck, note) in enumerate(listed(decks, arguments.root)):
        if arguments.only and not any(text in line for text in arguments.only):
            continue
        ours, said, seconds = ours_of(deck, arguments.slipwave, arguments.limit)
        theirs, why, their_seconds = (reference_of(deck, kept / str(k), arguments.ccx, arguments.limit) if ours
                                      else ({}, "not asked", 0))
        if not ours:
            kind = "refused" if said.startswith("exit") and re.search(r":\d+: ", said) else "failed"
            shown = said.replace(str(deck.parent) + "/", "")[:150]
        elif not theirs:
            kind, shown = "ran without a reference", f"ccx: {why or 'no displacements'}"[:100]
        else:
            difference = compare(ours, theirs)
            kind = "agree" if difference is not None and difference <= BOUND else "differ"
            shown = "no common nodes" if difference is None else f"{difference:.1e}"
        count[kind] += 1
        print(f"{k:4d} {kind[:7]:8s} {shown:10s} {seconds:6.2f} {their_seconds:6.2f}  {deck.parent.name}/{deck.name}  [{note}]",
              flush=True)
    print(", ".join(f"{number} {kind}" for kind, number in count.items()))
    return count["differ"] > 0


if __name__ == "__main__":
    sys.exit(main())
