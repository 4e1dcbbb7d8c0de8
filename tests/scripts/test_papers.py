"""docs/papers.md against scripts/papers/: what it names exists, what exists is named, no figure or table is missing;
the scripts load. Counted as CMocka's by scripts/dev/run-tests."""

import importlib.util
import re
import sys
import unittest
from pathlib import Path

import counted

ROOT = Path(__file__).resolve().parents[2]
PAPERS = ROOT / "scripts" / "papers"
sys.dont_write_bytecode = True

LIBRARIES = ("h5py", "matplotlib", "numpy")
# Folder: heading, how many figures and tables of each chapter the paper has; "": no chapters
FOLDERS = {
    "malahe-2018": ("Malahe 2018", {"": 12}, {"": 3}),
    "kiran-2023": ("Kiran 2023", {"2.": 1, "3.": 16, "4.": 22, "5.": 65, "A.": 1, "C.": 1},
                   {"2.": 1, "3.": 6, "4.": 3, "5.": 8}),
    "jensen-2016": ("Jensen et al. 2016", {"": 6}, {"": 1}),
    "demeshko-2011": ("Demeshko et al. 2011", {"": 8}, {}),
    "lubbe-2022": ("Lubbe et al. 2022", {"": 15}, {"": 2}),
}
STATUS = ("**same**", "**not confirmed**", "**other hardware**", "**partly**", "**drawing**", "**not to be had**")


def sections():
    """{heading: text}"""
    parts = re.split(r"^## (.*)\n", (ROOT / "docs" / "papers.md").read_text(encoding="utf-8"), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def rows_of(section):
    """[[cell]] of the table."""
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines[1:]]


def numbered(cell):
    """{(kind, number)}: "Fig. 3.16", "Tables 3.2, 3.3", "Figs. 5.10 to 5.12"."""
    found = set()
    for kind, numbers in re.findall(r"(Fig|Table)s?\.? ([^FT]*)", cell):
        for part in re.split(r", ?", numbers.strip(" ,")):
            first, _, last = part.partition(" to ")
            chapter, _, number = first.rpartition(".")
            chapter += "." if chapter else ""
            for n in range(int(number), int((last or first).rpartition(".")[2]) + 1):
                found.add((kind, f"{chapter}{n}"))
    return found


class Papers(unittest.TestCase):
    def test_every_figure_and_table_has_a_row(self):
        for heading, figures, tables in FOLDERS.values():
            with self.subTest(heading):
                found = [one for row in rows_of(sections()[heading]) for one in numbered(row[0])]
                wanted = {(kind, f"{chapter}{n}") for kind, counts in (("Fig", figures), ("Table", tables))
                          for chapter, count in counts.items() for n in range(1, count + 1)}
                self.assertEqual(set(found), wanted)
                self.assertEqual(len(found), len(wanted), "a number stands in two rows")

    def test_no_row_is_empty(self):
        for heading, *_ in FOLDERS.values():
            for number, shows, command, status in rows_of(sections()[heading]):
                with self.subTest(f"{heading}, {number}"):
                    self.assertTrue(shows)
                    self.assertTrue(status.startswith(STATUS), status)
                    self.assertNotRegex(status, r"^\*\*(same|other hardware)\*\*,( and)? not confirmed", "one or the other")
                    self.assertTrue(command or status.startswith(("**drawing**", "**not to be had**"))
                                    or number in ("Table 1", "Table 2.1"), "no command")

    def test_scripts_are_those_that_are_named(self):
        for folder, (heading, *_) in FOLDERS.items():
            with self.subTest(folder):
                named = {name for *_, command, _ in rows_of(sections()[heading])
                         for name in re.findall(r"`([\w-]+\.py)", command)}
                self.assertEqual(named, {path.name for path in (PAPERS / folder).glob("*-*.py")})

    def test_links_lead_somewhere(self):
        for target in re.findall(r"\]\(([^)#]+)", (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")):
            with self.subTest(target):
                self.assertTrue((ROOT / "docs" / target).exists())

    @unittest.skipUnless(all(map(importlib.util.find_spec, LIBRARIES)), "no numpy, h5py or matplotlib")
    def test_scripts_load(self):
        for path in sorted(PAPERS.glob("*/*-*.py")):
            with self.subTest(path.relative_to(PAPERS)):
                sys.path.insert(0, str(path.parent))
                self.addCleanup(sys.path.remove, str(path.parent))
                for name in ("runs", "kernels", "thesis_tables"):
                    sys.modules.pop(name, None)
                spec = importlib.util.spec_from_file_location("script", path)
                module = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(module)
                self.assertTrue(callable(module.main))


if __name__ == "__main__":
    counted.main()
