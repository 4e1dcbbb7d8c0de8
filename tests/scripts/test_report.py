"""slipwave-report: pages about results, whole in one file, and what they say of how good results are. Counted as CMocka's by
scripts/dev/run-tests. Skipped without $SW_BIN, numpy, h5py or matplotlib: the results are the programs'."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

from plotting import ROOT  # first: it finds the scripts

import h5py
import numpy as np

import counted
from slipwave.pictures import quality, report, tables

if "SW_BIN" not in os.environ:
    print("[  SKIPPED ] 1 test(s): no SW_BIN")
    sys.exit(0)
BIN, BESIDE = Path(os.environ["SW_BIN"]).resolve(), ROOT / "tests/fuzz/beside"
VOID = {"meta", "img", "br"}


class Page(HTMLParser):
    """Reads a page: that every element is closed, what leads elsewhere, its headings, ids and pictures."""

    def __init__(self, content):
        super().__init__()
        self.open, self.outside, self.ids, self.links, self.pictures, self.headings = [], [], set(), [], 0, []
        self.feed(content)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.open += [] if tag in VOID else [tag]
        self.ids.add(attributes.get("id"))
        for name in ("src", "href"):
            link = attributes.get(name, "#")
            if link.startswith("#"):
                self.links.append(link[1:])
            elif not link.startswith("data:"):
                self.outside.append(link)
        self.pictures += tag == "img"

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)


class Reports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        shutil.copytree(BESIDE, cls.folder, dirs_exist_ok=True)
        for command in ("slipwave-db generate -q --grid 8,4,8,12 --terms 64 copper.yaml -o copper.h5", "slipwave taylor -q taylor.yaml",
                        "slipwave fem -q fem.yaml --output body.h5", "slipwave kwn -q kwn.yaml", "slipwave dem -q pack.yaml"):
            words = command.split()
            done = subprocess.run([BIN / words[0], *words[1:]], cwd=cls.folder, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{command}: {done.stderr}"

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def call(self, *words):
        return subprocess.run([sys.executable, ROOT / "scripts/slipwave-report", *words], cwd=self.folder, capture_output=True,
                              text=True, check=False)

    def test_pages_are_whole(self):
        for name, pictures in (("copper", 1), ("taylor", 5), ("body", 1), ("kwn", 1), ("sand", 3)):
            done = self.call(f"{name}.h5", "-o", "page.html")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            content = (self.folder / "page.html").read_text(encoding="utf-8")
            page = Page(content)
            self.assertEqual((page.open, page.outside), ([], []), name)  # nothing from a network, nor from another file
            self.assertEqual(page.pictures, pictures, name)
            self.assertLessEqual(set(page.links) - {""}, page.ids)
            self.assertEqual(page.headings[:3], ["Notices", "Pictures", "How good the answer is"])
            self.assertEqual(page.headings[-1], "Settings")

    def test_several_files_and_the_same_page_again(self):
        for page in ("one.html", "two.html"):
            self.assertEqual(self.call("kwn.h5", "copper.h5", "-o", page).stderr, "")
        content = (self.folder / "one.html").read_bytes()
        self.assertEqual(content, (self.folder / "two.html").read_bytes())
        self.assertEqual(content.count(b"<h1>"), 2)
        done = self.call("kwn.h5")  # its own name, which is said
        self.assertEqual((done.stdout, done.stderr), ("kwn.html\n", ""))
        self.assertEqual((self.folder / "kwn.html").read_bytes().count(b"<h1>"), 1)

    def test_what_files_say_is_text(self):
        """Markup, quotes and control characters of a file are shown, not obeyed."""
        with h5py.File(self.folder / "taylor.h5") as whole, h5py.File(self.folder / "odd.h5", "w") as file:
            for name in whole:
                whole.copy(name, file)
            file.attrs.update(format="slipwave-taylor", version=1.0)
            file["run"].attrs["material"] = '<script>alert("1")</script>\x1b'
        self.assertEqual(self.call("odd.h5", "-o", "odd.html").stderr, "")
        content = (self.folder / "odd.html").read_text(encoding="utf-8")
        self.assertNotIn("<script", content)
        self.assertIn("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;\\x1b", content)

    def test_warnings_of_a_log(self):
        (self.folder / "run.log").write_bytes(b"50 %\r\x1b[Kslipwave: warning: steps of 0.5 <are> long\nslipwave: warning: steps of 0.5 <are> long\n"
                                              b"taylor: done\n\xff\n")
        self.assertEqual(report.warnings_in(self.folder / "run.log"), [("slipwave", "steps of 0.5 <are> long")])
        self.assertEqual(self.call("kwn.h5", "--log", "run.log", "-o", "log.html").stderr, "")
        content = (self.folder / "log.html").read_text(encoding="utf-8")
        self.assertEqual(Page(content).headings[0], "Warnings of the run")
        self.assertIn("<strong>slipwave warned:</strong> steps of 0.5 &lt;are&gt; long", content)
        self.assertIn("missing.log: ", self.call("kwn.h5", "--log", "missing.log", "-o", "x.html").stderr)

    @unittest.skipUnless(importlib.util.find_spec("plotly"), "plotly is missing")
    def test_interactive(self):
        self.assertEqual(self.call("taylor.h5", "--interactive", "-o", "chart.html").stderr, "")
        content = (self.folder / "chart.html").read_text(encoding="utf-8")
        self.assertIn('"cauchy_stress 11": {"unit": "Pa", "values": [', content)
        self.assertNotRegex(content, r'<script[^>]+src=')

    def test_bad_input(self):
        (self.folder / "empty.h5").write_bytes(b"")
        flipped = bytearray((self.folder / "taylor.h5").read_bytes())
        flipped[len(flipped) // 2] ^= 1
        (self.folder / "flipped.h5").write_bytes(flipped)
        lacking = "" if importlib.util.find_spec("plotly") else "--interactive: needs the Python package plotly"
        for words, message in ((["empty.h5", "-o", "x.html"], "empty.h5: not an HDF5 results file, or damaged"),
                               (["flipped.h5", "-o", "x.html"], "flipped.h5: damaged: its content is not what was written"),
                               (["missing.h5", "-o", "x.html"], "missing.h5: no such file"),
                               (["taylor.h5", "-o", "x.pdf"], "x.pdf: need .html"),
                               (["taylor.h5", "-o", "absent/x.html"], "absent/x.html: cannot be written: No such file or directory"),
                               (["copper.h5", "--interactive", "-o", "x.html"], lacking or "--interactive: copper.h5 has no history")):
            done = self.call(*words)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done.stderr)
            self.assertTrue(done.stderr.startswith(f"slipwave-report: {message}"), done.stderr)
            self.assertFalse((self.folder / "x.html").exists())


class Tables(unittest.TestCase):
    def test_of_a_sheet(self):
        with tempfile.TemporaryDirectory() as folder, h5py.File(Path(folder) / "one.h5", "w") as file:
            file["r_values/angle"], file["r_values/stress"], file["r_values/r"] = np.radians([0, 45.0]), [200e6, 210e6], [1.0, 3.0]
            file["r_values"].attrs.update(biaxial_r=0.9, biaxial_stress=205e6)
            file["forming_limit/ratio"], file["forming_limit/strain"], file["forming_limit/end"] = [0.0], [[0.35, 0.0]], [2.0]
            file["fit/value"], file["fit/uncertainty"] = [16e6, 2.25], [1e5, 0.1]
            file["fit"].attrs.update(parameters="slip.s0 hardening.a", units="Pa 1")
            file["peak/yield_stress"], file["peak/time"], file["axes/temperature"] = [300e6, 302e6], [3600.0, 7200.0], [453.15, 448.15]
            file["peak/fitted"], file["peak/from"], file["peak/to"] = [1.0, 0.0], [3000.0, 3600.0], [4000.0, np.inf]
            found = {title: rows for title, _, rows in tables.tables(file)}
            for name in ("fitted", "from", "to"):  # as maps were before
                del file["peak"][name]
            file["axes/time"], file["map/yield_stress"] = [1800.0, 3600.0, 9000.0], [[1.0, 3, 2], [1, 2, 3]]
            self.assertEqual([rows[-1] for rows in tables.peaks(file)[2]], ["0.5 to 2.5", "1 to inf"])
        self.assertEqual(found["Yield stresses and r-values"], [("0", "200.00", "1.000", "0.500"), ("45", "210.00", "3.000", "0.750"),
                                                                ("biaxial", "205.00", "0.900", "")])
        self.assertEqual(found["Forming limits"], [("0.000", "0.3500", "0.0000", "strain limit")])
        self.assertEqual(found["What the fit found"], [("slip.s0", "1.6e+07", "1e+05", "Pa"), ("hardening.a", "2.25", "0.1", "")])
        self.assertEqual(found["Peaks of strength"], [("180", "300.0", "1", ""), ("175", "302.0", "2", "1 to inf")])


class Checks(unittest.TestCase):
    """Of files whose faults are known."""

    def checks(self, contents, fill):
        with tempfile.TemporaryDirectory() as folder, h5py.File(Path(folder) / "one.h5", "w") as file:
            fill(file)
            return {one.what: one for one in quality.checks(file, contents)}

    def test_residuals(self):
        for last, verdict in ((1e-6, quality.GOOD), (1e-4, quality.BAD), (np.nan, quality.BAD)):
            def fill(file, last=last):
                file["history/residual"] = [[1.0, 1e-6, np.nan], [1.0, np.nan if np.isnan(last) else 0.1, last]]
                file["history/residual"][1] = [np.nan] * 3 if np.isnan(last) else [1.0, 0.1, last]
                file["history/cutbacks"] = [0.0, 2.0]
                file.create_group("run").attrs.update(tolerance=1e-5, elements=8.0, unknowns=81.0)
            found = self.checks("slipwave-fem", fill)
            residual = found["Residual of Newton's method at the end of increments, the largest"]
            self.assertEqual(residual.verdict, verdict)
            self.assertEqual(found["Increments cut"].verdict, quality.LOOK)

    def test_work_of_elements(self):
        """10 J of the boundary, of which 9.9 J or 8 J are accounted for."""
        for friction, verdict in ((9.9, quality.GOOD), (8.0, quality.LOOK)):
            def fill(file, friction=friction):
                zero = np.array([[0.0, 0.0, np.nan]])
                for name in ("elastic_energy", "kinetic_energy", "rolling_work", "damping_work", "plastic_work"):
                    file[f"history/{name}"] = zero
                file["history/boundary_work"], file["history/friction_work"] = [[0, 10.0, np.nan]], [[0, friction, np.nan]]
                file["history/stage"], file["history/inertia_number"] = [[0, 1.0, np.nan]], [[0.5, 5e-3, np.nan]]
                file["rve/status"], file["rve/n_particles"] = [0.0], [2000.0]
                file.create_group("run").attrs.update(first_loading_stage=1.0, particles=2000.0)
            found = self.checks("slipwave-dem", fill)
            self.assertEqual(found["Work that is in no account, of the boundary's work"].verdict, verdict)
            self.assertEqual(found["Inertia number of the test, the largest"].verdict, quality.GOOD)  # that of packing is none of it

    def test_scatter_falls_with_the_root(self):
        def fill(file):
            file.create_group("run").attrs.update(solver="grid", crystals=4000.0)
            file["history/strain"] = [0.0, 0.1]
        found = self.checks("slipwave-taylor", fill)
        self.assertEqual(found["Scatter of 4,000 crystals"].found, "0.35 % (curve), 1.25 % (tensor)")
        self.assertEqual(found["Strain of a step, the largest"].verdict, quality.LOOK)

    def test_columns(self):
        """Symmetric tensors have six, others nine; of elements and points the first."""
        with tempfile.TemporaryDirectory() as folder, h5py.File(Path(folder) / "one.h5", "w") as file:
            file["history/time"], file["history/stress"] = np.arange(2.0), np.ones((2, 3, 3))
            file["history/gradient"] = np.arange(18.0).reshape(2, 3, 3)
            names = list(report.columns(file))
        self.assertEqual(len([name for name in names if name.startswith("stress")]), 6)
        self.assertEqual(len([name for name in names if name.startswith("gradient")]), 9)
        self.assertTrue(all(re.fullmatch(r"time|\w+ [123][123]", name) for name in names))

    def test_columns_are_called_what_they_are_of(self):
        """Three boundaries of a body are no tensor; all of a dataset is in one unit, which a least component does not make smaller."""
        with tempfile.TemporaryDirectory() as folder, h5py.File(Path(folder) / "one.h5", "w") as file:
            file["history/time"] = np.arange(2.0)
            file["history/reaction"] = np.array([np.diag([1e-6, 2.0, 3.0])] * 2) * 1e3
            file["history/stress"] = np.array([[[2e6, 5.0, 0], [5.0, 0, 0], [0, 0, 0]]] * 2)
            file["history/family_slip"] = np.ones((2, 2))
            for name, unit in (("reaction", "N"), ("stress", "Pa")):
                file[f"history/{name}"].attrs["unit"] = unit
            file["history/family_slip"].attrs["families"] = "basal tension_twin"
            file.create_group("run").attrs.update(boundary="nodes x_min, nodes y_a, nodes z_min", wall_time=2.5, number_error=0.0,
                                                  initial_slip_resistance=16e6, resolution_points=0.0)
            rows = {row[0]: row[1:3] for row in report.numbers(file)}
            settings = dict(report.settings(file))
        self.assertEqual(rows["reaction, nodes y_a, y"], ("kN", "2"))
        self.assertEqual(rows["reaction, nodes x_min, x"], ("kN", "1e-06"))
        self.assertEqual((rows["stress 11"], rows["stress 12"]), (("MPa", "2"), ("MPa", "5e-06")))
        self.assertIn("family slip, tension_twin", rows)
        self.assertEqual((settings["wall time"], settings["initial slip resistance"]), ("2.5 s", "16 MPa"))
        self.assertNotIn("number error", settings)  # nobody looked

    def test_twins_of_more_than_there_is(self):
        for fraction, said in ((0.9, False), (1.4, True)):
            def fill(file, fraction=fraction):
                file.create_group("run").attrs.update(solver="grid", crystals=4000.0)
                file["history/twin_fraction"] = [[0.0], [fraction]]
            self.assertEqual("Twins, the largest fraction" in self.checks("slipwave-taylor", fill), said)


if __name__ == "__main__":
    counted.main()
