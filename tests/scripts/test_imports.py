#!/usr/bin/env python3
"""What scripts take from each other is there. Counted as CMocka's by scripts/dev/run-tests."""

import ast
import unittest
from pathlib import Path

import counted

ROOT = Path(__file__).resolve().parents[2]


def top_names(path):
    """All that a module has at its top."""
    names = set()
    for node in ast.parse(path.read_text()).body:
        names |= {getattr(node, "name", "")} | {a.asname or a.name for a in getattr(node, "names", ())}
        for target in getattr(node, "targets", ()):
            names |= {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
    return names


class Imports(unittest.TestCase):
    def test_names_are_there(self):
        taken = 0
        for script in sorted(ROOT.glob("scripts/**/*.py")):
            for node in ast.walk(ast.parse(script.read_text())):
                other = script.parent / f"{getattr(node, 'module', None)}.py"
                if isinstance(node, ast.ImportFrom) and other.exists():
                    taken += 1
                    self.assertLessEqual({a.name for a in node.names}, top_names(other), f"{script} from {other.name}")
        self.assertGreater(taken, 0)


if __name__ == "__main__":
    counted.main()
