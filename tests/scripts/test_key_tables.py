"""Tables of keys in docs/file-formats.md against the programs: up to date, and each key of each command is there, told once. Counted as CMocka's
by scripts/dev/run-tests."""

import functools
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SW_BIN", ROOT / "build")).resolve()
sys.path.insert(0, str(ROOT / "scripts" / "dev"))
sys.dont_write_bytecode = True

import counted  # noqa: E402
import update_key_tables as tables  # noqa: E402

TEXT = (ROOT / "docs/file-formats.md").read_text(encoding="utf-8")
TABLE = re.compile(r"<!-- keys: (\S+) ([a-z0-9 ]+?)(?:; [\w ]+)? -->\n(.*?)<!-- end of keys -->", re.DOTALL)


@functools.cache
def printed(program, words):
    """Cells of each key as the program prints them: values, otherwise, option, meaning."""
    out = subprocess.run([BUILD / program, "help", *words.split(), "keys"], check=True, capture_output=True, text=True).stdout
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in out.splitlines()[2:]]
    return {row[0].strip("`"): row[1:] for row in rows}


def named(cell, keys):
    """Keys that the first cell of a row names: `a.b`, `.c` beside it, `d.*`."""
    found, parent = [], ""
    for name in re.findall(r"`([^`]+)`", cell):
        if name.startswith("--"):
            continue
        if name.endswith("*"):
            found += [key for key in keys if key.startswith(name[:-1])]
            continue
        key = parent + name if name.startswith(".") else name
        found.append(key)
        parent = key.rpartition(".")[0]
    return found


class KeyTables(unittest.TestCase):
    def setUp(self):
        self.rows = {}  # of a command: [keys], and the two other cells
        for program, words, body in TABLE.findall(TEXT):
            keys = printed(program, words)
            for line in body.splitlines()[2:]:
                cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)]
                self.rows.setdefault((program, words), []).append((named(cells[0], keys), *cells[1:3]))

    def test_they_are_up_to_date(self):
        self.assertEqual(tables.updated(BUILD, TEXT), TEXT, "make docs-keys")
        self.assertNotIn("`one of these`", TEXT)

    def test_every_key_is_there_once(self):
        self.assertGreaterEqual(len(self.rows), 10)
        for command, rows in self.rows.items():
            self.assertEqual(sorted(key for keys, *_ in rows for key in keys), sorted(printed(*command)), command)

    def test_what_is_told_elsewhere_is_told_there(self):
        """A row that leads elsewhere is of keys that a row of the heading it names, or of this command, tells with their values."""
        sections = {}
        for body in re.split(r"^#+ ", TEXT, flags=re.MULTILINE)[1:]:
            sections[re.sub(r"[^\w\- ]", "", body.partition("\n")[0].lower()).replace(" ", "-")] = body
        links = 0
        for command, rows in self.rows.items():
            for keys, place, meaning in rows:
                link = re.match(r"\[.*\]\(#(.*?)\)", place)
                if not link:
                    continue
                links += 1
                self.assertEqual(meaning, "")
                for key in keys:
                    values = tables.shorter(printed(*command)[key][0])
                    last = key.rpartition(".")[2].removeprefix("packing_")
                    self.assertRegex(sections[link[1]], rf"(?m)^[^|]*[`.]{last}`[^|]*\| (?:one of these|{re.escape(values)})", key)
        self.assertGreater(links, 8)

    def test_tables_are_whole(self):
        """Of the document: each row behind a head has as many cells, or one that is empty less."""
        lines = TEXT.split("\n")
        heads = [k for k, line in enumerate(lines) if re.fullmatch(r"\|?---[-|]*", line)]
        self.assertGreater(len(heads), 40)
        for k in heads:
            cells = len(re.split(r"(?<!\\)\|", lines[k].strip("|")))
            self.assertIn(" |", lines[k + 1], lines[k - 1])
            for line in [lines[k - 1], *lines[k + 1:lines.index("", k) if "" in lines[k:] else None]]:
                if not line.startswith("<!--"):
                    self.assertIn(len(re.split(r"(?<!\\)\|", line.removeprefix("|").rstrip().removesuffix("|"))), (cells, cells - 1), line)

    def test_bounds_are_shorter(self):
        for values, short in (("1e-4 <= rate <= 1", "1e-4..1"), ("Pa, from 1e4 to 1e11", "1e4..1e11 Pa"), ("list: m, from -1 to 2", "list: -1..2 m"),
                              ("Pa, 0 or from 1000 to 1e13", "0 or 1000..1e13 Pa"), ("0 < part <= 1", "0 < part <= 1"), ("yes or no", "yes/no"),
                              ("a tangent, from 0 to 10", "a tangent, from 0 to 10"), ("Pa, from 1 to 9; or a mapping", "1..9 Pa; or a mapping")):
            self.assertEqual(tables.shorter(values), short)

    def test_words_that_a_key_goes_with(self):
        for text, words, short in (("`a` (needed), `b`", "abc", "needed with law `a`; with law `b`"), ("`a`, `b`, `c`", "abc", "with any law"),
                                   ("`a`, `b`, `c`, `d`", "abcde", "with any law but `e`"), ("`a` (needed)", "ab", "needed with law `a`")):
            self.assertEqual(tables.companions("law", text, list(words)), short)


if __name__ == "__main__":
    counted.main()
