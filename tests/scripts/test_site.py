"""The site's pages and the map of the code, without mkdocs. Counted as CMocka's by scripts/dev/run-tests; skipped where numpy, h5py or
matplotlib is missing."""

import re
import sys
import tempfile
import unittest
from pathlib import Path

from plotting import ROOT  # first: it finds the scripts

sys.path.insert(0, str(ROOT / "scripts/dev"))

import code_map
import counted
import site_pages


class Site(unittest.TestCase):
    def test_links_of_pages(self):
        found = {"README.md": "index.md", "docs/guide/a.md": "guide/a.md", "docs/design/README.md": "design/README.md", "bench/LOG.md": "bench-log.md"}
        for text, name, expected in (
                ("[a](docs/guide/a.md#b)", "README.md", "[a](guide/a.md#b)"), ("[home](../../README.md)", "docs/guide/a.md", "[home](../index.md)"),
                ("[log](../../bench/LOG.md#x)", "docs/guide/a.md", "[log](../bench-log.md#x)"), ("[d](docs/design/)", "README.md", "[d](design/README.md)"),
                ("[`data/a.yaml`](../../data/jobs)", "docs/guide/a.md", "`data/a.yaml`"), ("[jobs](../../data/jobs)", "docs/guide/a.md", "jobs (`data/jobs`)"),
                ("[x](https://x.org/a) and [y](#z)", "README.md", "[x](https://x.org/a) and [y](#z)")):
            self.assertEqual(site_pages.relinked(text, name, found), expected)

    def test_formulas(self):
        """TeX is converted, its number beside it, but for code; what Markdown takes for its own is escaped."""
        text = "By\n\n$$ a^* = b_0 \\tag{3} $$\n\nand $x_1$ of `$HOME` or $5 and 6 $.\n\n```bash\necho $A $B\n```\n\n    $C$ $$D$$\n"
        made = site_pages.formulas(text, lambda tex, display: f"<math {display}>{tex}</math>")
        self.assertIn('<span class="formula"><math block>a^&#42; = b&#95;0</math><span class="number">(3)</span></span>', made)
        self.assertIn("and <math inline>x&#95;1</math> of `$HOME` or $5 and 6 $.", made)
        self.assertIn("echo $A $B\n```\n\n    $C$ $$D$$\n", made)

    def test_every_document_has_a_place(self):
        """In the table of what is shown first, of the guide and the design pages; and what the table names is there."""
        shown = set(re.findall(r": ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
        pages = {page for page in site_pages.places().values() if page.endswith(".md")} | {"api/c.md", "api/python.md"}
        self.assertEqual(shown - pages, set())
        hidden = {page for page in pages - shown if page.startswith(("guide/", "details/")) and not page.endswith("README.md")}
        self.assertEqual(hidden, set())

    def test_headers(self):
        """Every public function is on the page, under its header; comments are text, the guards of headers are nowhere."""
        page = site_pages.c_page()
        for path in (ROOT / "include/slipwave").glob("*.h"):
            part = page.split(f"## slipwave/{path.name}\n")[1].split("\n## slipwave/")[0]
            for name in re.findall(r"^SW_API [\w *]*?\b(sw_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE):
                self.assertIn(f"{name}(", part)
        self.assertNotIn("#ifndef SLIPWAVE", page)
        self.assertEqual(page.count("```") % 2, 0)

    def test_pages_are_laid_out(self):
        with tempfile.TemporaryDirectory() as folder:
            site_pages.lay_out(Path(folder))
            text = (Path(folder) / "index.md").read_text(encoding="utf-8")
            self.assertIn("](guide/", text)
            self.assertNotIn("](docs/", text)
            self.assertTrue((Path(folder) / "pictures/readme-texture.png").is_file())


class Map(unittest.TestCase):
    def test_nothing_includes_upwards(self):
        lines, includes = code_map.count()
        order = code_map.parts()
        self.assertGreater(sum(lines.values()), 100000)
        for (part, other), n in includes.items():
            self.assertGreater(order.index(part), order.index(other), f"{part} includes {other} {n} times")

    def test_parts(self):
        for path, part in (("common/math/six.h", "common/math"), ("online/fem/deck/problem/read.c", "online/fem"), ("online/check.c", "online"),
                           ("include/slipwave/dem.h", "include"), ("offline/spectrum.c", "offline")):
            self.assertEqual(code_map.part_of(path), part)


if __name__ == "__main__":
    counted.main()
