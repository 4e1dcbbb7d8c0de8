#!/usr/bin/env python3
"""Change one thing in a source file, and see whether a test notices.

    scripts/dev/mutants.py FILE... --tests tests/online/dem/probes/test_probes ... [--count 50] [--seed 1] [-o OUT.tsv]
    scripts/dev/mutants.py --only FILE:LINE:KIND ...          that one again

A mutant is a copy of a file with one operator, comparison, number, sign or statement changed (KINDS). It is built in a
folder of its own (build-mutants, -O1), which is compiled once before; the tests named run one after the other until one
fails. Those that do not compile or whose machine code is the original's are not counted. A line of OUT.tsv each: file, line,
kind, what was there, what is there now, `dead` and by which test, or `alive`. Files are as they were at the end, whatever
stops it; it goes on with OUT.tsv where it was stopped.
"""
import argparse
import os
import random
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BUILD = "build-mutants"
# (name, what is looked for, what takes its place)
KINDS = [
    ("plus", r" \+ ", " - "), ("minus", r" - ", " + "), ("times", r" \* ", " / "), ("over", r" / ", " * "),
    ("less", r" < ", " <= "), ("at most", r" <= ", " < "), ("more", r" > ", " >= "), ("at least", r" >= ", " > "),
    ("opposite", r" < ", " > "), ("turned", r" > ", " < "),
    ("equal", r" == ", " != "), ("unequal", r" != ", " == "), ("and", r" && ", " || "), ("or", r" \|\| ", " && "),
    ("add to", r" \+= ", " -= "), ("take from", r" -= ", " += "), ("scale by", r" \*= ", " /= "),
    ("half", r"\b0\.5\b", "0.55"), ("one", r"(?<![\w.\[])1\.0\b", "1.1"), ("two", r"(?<![\w.\[])2 \*", "2.2 *"),
    ("three", r"(?<![\w.\[])3 \*", "3.3 *"), ("first", r"\[0\]", "[1]"), ("second", r"\[1\]", "[0]"),
    ("not", r"\(!", "("), ("minimum", r"\bfmin\(", "fmax("), ("maximum", r"\bfmax\(", "fmin("),
    ("sine", r"\bsin\(", "cos("), ("square root", r"\bsqrt\(", "fabs("), ("nothing", r"^( +)[\w\[\]>.-]+(\[\w+\])* [+*/-]?= .*;$", r"\1;"),
    ("no call", r"^( +)(?!free|\w*(close|destroy|release|progress|warn))(\w+\(.*\));$", r"\1;"),  # leaks are the sanitizers'
]


def make(*targets):
    command = ["make", "-s", f"BUILD={BUILD}", "OPT=-O1", "NVCC=", "MPI=", "GMSH=", "HYPRE=", "UMFPACK=", "METIS=",
               f"PYTHON={sys.executable}", *targets]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def code(path):
    """Machine code and data of the objects that a change of this file may change."""
    if path.endswith(".h"):
        return None
    kept = os.path.join(ROOT, BUILD, "stripped.o")
    subprocess.run(["objcopy", "-g", os.path.join(ROOT, BUILD, path[:-2] + ".o"), kept], check=True)
    with open(kept, "rb") as file:
        return file.read()


def places(path):
    """(path, line, kind, text now, text then) of every mutant of a file."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        lines = file.read().split("\n")
    comment = False
    for n, line in enumerate(lines):
        bare = line.strip()
        starts = comment or bare.startswith(("/*", "//", "#", "*", "static_assert", "typedef"))
        comment = ("/*" in line or comment) and "*/" not in line
        if starts or not bare or not line.startswith(" ") or "sw_error" in line:
            continue
        text = re.sub(r"/\*.*?\*/", lambda m: "~" * len(m[0]), re.sub(r'"[^"]*"', lambda m: "~" * len(m[0]), line))
        for kind, pattern, new in KINDS:
            for found in re.finditer(pattern, text):
                then = line[:found.start()] + found.expand(new) + line[found.end():]
                if "~" not in found[0]:
                    yield path, n + 1, kind, line, then


def outcome(mutant, original, tests):
    """What became of it: "dead", with the test; "alive"; None where it is no mutant."""
    path, n, _, _, then = mutant
    whole = os.path.join(ROOT, path)
    with open(whole, encoding="utf-8") as file:
        text = file.read()
    lines = text.split("\n")
    lines[n - 1] = then
    try:
        with open(whole, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        targets = [f"{BUILD}/{test}" for test in tests if not test.endswith(".py")]
        needs_programs = any(test.startswith(("tests/programs", "tests/validation")) or test.endswith(".py") for test in tests)
        if make(*targets, *([f"{BUILD}/slipwave", f"{BUILD}/slipwave-db"] if needs_programs else [])).returncode != 0:
            return None
        if original is not None and code(path) == original:
            return None
        environment = {**os.environ, "SW_BIN": os.path.join(ROOT, BUILD), "SW_DATA": os.path.join(ROOT, "data"),
                       "OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive", "PYTHON": sys.executable}
        for test in tests:
            program = [sys.executable, test] if test.endswith(".py") else [os.path.join(ROOT, BUILD, test)]
            try:
                if subprocess.run(program, cwd=ROOT, env=environment, capture_output=True, timeout=300).returncode != 0:
                    return f"dead\t{test}"
            except subprocess.TimeoutExpired:
                return f"dead\t{test} (300 s)"
        return "alive\t"
    finally:
        with open(whole, "w", encoding="utf-8") as file:
            file.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--tests", nargs="+", required=True)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=[], metavar="FILE:LINE:KIND")
    parser.add_argument("-o", "--output")
    chosen = parser.parse_args()

    names = chosen.files or sorted({one.split(":")[0] for one in chosen.only})
    mutants = [mutant for name in names for mutant in places(os.path.relpath(os.path.join(ROOT, name), ROOT))]
    if chosen.only:
        mutants = [m for m in mutants if f"{m[0]}:{m[1]}:{m[2]}" in chosen.only]
    else:
        random.Random(chosen.seed).shuffle(mutants)
    seen, counted = set(), {"dead": 0, "alive": 0}
    if chosen.output and os.path.exists(chosen.output):
        with open(chosen.output, encoding="utf-8") as file:
            for row in (line.rstrip("\n").split("\t") for line in file):
                seen.add((row[0], int(row[1]), row[2], row[4]))
                counted[row[5]] = counted.get(row[5], 0) + 1
    built = make(*(f"{BUILD}/{test}" for test in chosen.tests if not test.endswith(".py")), f"{BUILD}/slipwave", f"{BUILD}/slipwave-db")
    if built.returncode != 0:
        sys.exit(built.stderr)
    original = {name: code(name) for name in {m[0] for m in mutants}}
    for mutant in mutants:
        if counted["dead"] + counted["alive"] >= chosen.count:
            break
        path, n, kind, line, then = mutant
        if (path, n, kind, then.strip()) in seen:
            continue
        end = outcome(mutant, original[path], chosen.tests) or "none\t"
        counted[end.split("\t")[0]] = counted.get(end.split("\t")[0], 0) + 1
        row = "\t".join((path, str(n), kind, line.strip(), then.strip(), end))
        print(row, flush=True)
        if chosen.output:
            with open(chosen.output, "a", encoding="utf-8") as file:
                file.write(row + "\n")
    print(f"{counted['dead'] + counted['alive']} mutants, {counted['dead']} dead, {counted['alive']} alive")


if __name__ == "__main__":
    main()
