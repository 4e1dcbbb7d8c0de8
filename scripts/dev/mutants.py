#!/usr/bin/env python3
"""Change one thing in a source file, and see whether a test notices.

    scripts/dev/mutants.py FILE... --tests tests/online/dem/probes/test_probes ... [--count 50] [--seed 1] [-o OUT.tsv]
    scripts/dev/mutants.py --only FILE:LINE:KIND ... --tests ...     those alone

A mutant is a copy of a file with one operator, comparison, number, sign or statement changed (KINDS). It is built in a
folder of its own (build-mutants, -O1), which is compiled once before; the tests named must pass there first, and then run
one after the other until one fails, or takes ten times as long as it did. Those that do not compile or whose machine code
is the original's are not counted. A line of OUT.tsv each: file, line, kind, what was there, what is there now, `dead` and by
which test, or `alive`. Files are as they were at the end, whatever stops it; it goes on with OUT.tsv where it was stopped,
and with --again runs the survivors of OUT.tsv against the tests named. --sanitize: built with the sanitizers, which see
what is read or written beyond an array.
"""
import argparse
import os
import random
import re
import signal
import subprocess
import sys
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BUILD, SANITIZE = "build-mutants", ""
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
    command = ["make", "-s", f"BUILD={BUILD}", "OPT=-O1", f"SANITIZE={SANITIZE}", "NVCC=", "MPI=", "GMSH=", "UMFPACK=", "METIS=",
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


def build(tests):
    programs = any(test.startswith(("tests/programs", "tests/validation")) or test.endswith(".py") for test in tests)
    return make(*(f"{BUILD}/{test}" for test in tests if not test.endswith(".py")),
                *([f"{BUILD}/slipwave", f"{BUILD}/slipwave-db"] if programs else []))


def fails(test, limit):
    """Whether a test fails, or takes longer than so many seconds: "" if it does neither."""
    environment = {**os.environ, "SW_BIN": os.path.join(ROOT, BUILD), "SW_DATA": os.path.join(ROOT, "data"),
                   "OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive", "PYTHON": sys.executable}
    program = [sys.executable, test] if test.endswith(".py") else [os.path.join(ROOT, BUILD, test)]
    try:
        done = subprocess.run(program, cwd=ROOT, env=environment, capture_output=True, timeout=limit)
        return test if done.returncode != 0 else ""
    except subprocess.TimeoutExpired:
        return f"{test} ({limit:.0f} s)"


def limits(tests):
    """(test, seconds that it may take): ten times what it takes without a mutant, which all of them have to pass."""
    built = build(tests)
    if built.returncode != 0:
        sys.exit(built.stderr)
    found = []
    for test in tests:
        start = time.monotonic()
        if fails(test, 600):
            sys.exit(f"{test} fails without a mutant")
        found.append((test, 10 + 10 * (time.monotonic() - start)))
    return found


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
        if build([test for test, _ in tests]).returncode != 0 or (original is not None and code(path) == original):
            return None
        killer = next(filter(None, (fails(test, limit) for test, limit in tests)), None)
        return f"dead\t{killer}" if killer else "alive\t"
    finally:
        with open(whole, "w", encoding="utf-8") as file:
            file.write(text)


def recorded(path):
    """Rows of an OUT.tsv."""
    if not path or not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def main():
    global BUILD, SANITIZE
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--tests", nargs="+", required=True)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=[], metavar="FILE:LINE:KIND")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("-o", "--output")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # through the finally of a mutant

    if chosen.sanitize:
        BUILD, SANITIZE = BUILD + "-sanitized", "address,undefined"

    rows = {tuple(row[:5]): row for row in recorded(chosen.output)}

    def count(*ends):
        return sum(row[5] in ends for row in rows.values())

    names = chosen.files or sorted({one.split(":")[0] for one in chosen.only} | {row[0] for row in rows.values()})
    mutants = [mutant for name in names for mutant in places(os.path.relpath(os.path.join(ROOT, name), ROOT))]
    if chosen.only:
        mutants = [m for m in mutants if f"{m[0]}:{m[1]}:{m[2]}" in chosen.only]
    else:
        random.Random(chosen.seed).shuffle(mutants)
    tests = limits(chosen.tests)
    original = {name: code(name) for name in {m[0] for m in mutants}}
    for path, n, kind, line, then in mutants:
        key = (path, str(n), kind, line.strip(), then.strip())
        if chosen.again:
            if key not in rows or rows[key][5] != "alive":
                continue
        elif key in rows:
            continue
        elif count("dead", "alive") >= chosen.count:
            break
        rows[key] = [*key, *(outcome((path, n, kind, line, then), original[path], tests) or "none\t").split("\t")]
        print("\t".join(rows[key]), flush=True)
        if chosen.output:
            with open(chosen.output, "w", encoding="utf-8") as file:
                file.writelines("\t".join(row) + "\n" for row in rows.values())
    print(f"{count('dead', 'alive')} mutants, {count('dead')} dead, {count('alive')} alive")


if __name__ == "__main__":
    main()
