#!/usr/bin/env python3
"""Includes only go down, none goes into a paper's folder, no two files need each other, and each fits a reader's head:
check_layers.py [BUILD]

The list of folders is the table in docs/layout.md, lowest first. With BUILD, a folder of object files, circles of
files are looked for among the symbols that they define and use. Exit status 1 and a line for each fault."""

import collections
import os
import re
import subprocess
import sys

MOST_FILES, MOST_LINES = 20, 700
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CODE = (".c", ".h", ".cu", ".cuh")
TOPS = ("include", "common", "offline", "online", "programs")
OTHERS = ("bench", "examples", "python", "scripts", "tests")


def layers():
    """Folder -> its place in the list."""
    with open(os.path.join(ROOT, "docs/layout.md"), encoding="utf-8") as file:
        rows = re.findall(r"^\| `([\w/]+)/` \|", file.read(), re.MULTILINE)
    return {folder: place for place, folder in enumerate(rows)}


def papers():
    """Folders of strategies that `make PAPERS=` leaves out."""
    with open(os.path.join(ROOT, "docs/layout.md"), encoding="utf-8") as file:
        return set(re.findall(r"^\| `([\w/]+)/` \| papers: ", file.read(), re.MULTILINE))


def sources():
    for top in TOPS:
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for name in sorted(names):
                if name.endswith(CODE):
                    yield os.path.relpath(os.path.join(folder, name), ROOT)


def check_lengths():
    """Of all code, tests and scripts, which may have no suffix."""
    for top in TOPS + OTHERS:
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for name in sorted(names):
                path = os.path.join(folder, name)
                if name.endswith((*CODE, ".py")) or (top == "scripts" and "." not in name):
                    with open(path, encoding="utf-8") as file:
                        lines = sum(1 for _ in file)
                    if lines > MOST_LINES:
                        yield f"{os.path.relpath(path, ROOT)}: {lines} lines: need at most {MOST_LINES}"


def includes(path):
    """Line, opening sign and target of each include."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            found = re.match(r'\s*#\s*include\s+(["<])([^">]+)', line)
            if found:
                yield number, found[1], found[2]


def resolve(path, target):
    """Own folder, root, include/: as the compiler looks. None when it is not there."""
    for candidate in (os.path.join(os.path.dirname(path), target), target, os.path.join("include", target)):
        if os.path.isfile(os.path.join(ROOT, candidate)):
            return os.path.normpath(candidate)
    return None


def check_includes():
    place, apart = layers(), papers()
    count = collections.Counter()
    for path in sources():
        folder = os.path.dirname(path)
        count[folder] += 1
        if folder not in place:
            yield f"{path}: {folder}/ is not in docs/layout.md"
            continue
        for line, sign, target in includes(path):
            found = resolve(path, target)
            if found is None and sign == '"':
                yield f'{path}:{line}: "{target}" is not there'
            elif found is not None and place.get(os.path.dirname(found), -1) > place[folder]:
                yield f"{path}:{line}: includes {found}, which is higher: it stands below in docs/layout.md"
            elif found is not None and os.path.dirname(found) in apart - {folder}:
                yield f"{path}:{line}: includes {found}, which `make PAPERS=` leaves out"
    for folder, files in sorted(count.items()):
        if files > MOST_FILES:
            yield f"{folder}: {files} files: need at most {MOST_FILES}"
    for folder in place:
        if folder not in count:
            yield f"docs/layout.md: {folder}/ holds no code"


def inclusions():
    """Source file -> project files that it includes."""
    return {path: {resolve(path, target) for _, _, target in includes(path)} - {None} for path in sources()}


def symbols(build):
    """Object file -> object files that it uses symbols of."""
    defined, used = {}, {}
    for folder, _, names in os.walk(build):
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), build)
            if not name.endswith(".o") or not path.startswith(TOPS):
                continue
            used[path] = set()
            for line in subprocess.run(["nm", os.path.join(build, path)], capture_output=True, text=True,
                                       check=True).stdout.splitlines():
                words = line.split()
                if words[-2] == "U":
                    used[path].add(words[-1])
                elif words[-2] in "TDRBC":
                    defined[words[-1]] = path
    return {path: {defined[s] for s in names if s in defined} - {path} for path, names in used.items()}


def circles(uses):
    """Sets of files that reach each other, by Tarjan's algorithm."""
    number, least, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = least[node] = len(number)
        stack.append(node)
        for other in sorted(uses[node]):
            if other not in number:
                visit(other)
            if other in stack:
                least[node] = min(least[node], least[other])
        if least[node] == number[node]:
            component = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted(uses):
        if node not in number:
            visit(node)
    return found


def main():
    if len(sys.argv) > 2 or sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__)
        return 0 if len(sys.argv) == 2 else 1
    faults = [*check_includes(), *check_lengths()]
    faults += ["files that include each other: " + ", ".join(files) for files in circles(inclusions())]
    if len(sys.argv) == 2:
        uses = symbols(sys.argv[1])
        if not uses:
            faults.append(f"{sys.argv[1]}: holds no object files")
        faults += ["files that need each other: " + ", ".join(files) for files in circles(uses)]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
