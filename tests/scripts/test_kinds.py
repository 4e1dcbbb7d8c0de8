"""slipwave-plot without a kind: what is found in files, and the pictures of it. Counted as CMocka's by scripts/dev/run-tests.

Skipped without $SW_BIN, numpy, h5py or matplotlib: the results are the programs'."""

import contextlib
import importlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from plotting import ROOT  # first: it finds the scripts

import h5py
import numpy as np
from matplotlib.figure import Figure

import counted
from slipwave.errors import InputError
from slipwave.figures import unit_of
from slipwave.pictures import KINDS, cell, command, contents, deck, families, fem, forming_limit, particles, pictures, report
from slipwave.pictures.fem import colour_scale, textures_beside

if "SW_BIN" not in os.environ:
    print("[  SKIPPED ] 1 test(s): no SW_BIN")
    sys.exit(0)
BIN, BESIDE = Path(os.environ["SW_BIN"]).resolve(), ROOT / "tests/fuzz/beside"

CELL = f"""mesh: {{body: box, cells: [2, 2, 2]}}
strain: finite
materials:
  - crystals: {{material: {ROOT}/data/materials/copper-ofhc.yaml, grains: {{voronoi: 2, seed: 1}}}}
periodic: {{mean_gradient: [[0.01, 0, 0], [0, x, 0], [0, 0, x]]}}
steps: [{{factor: 1.0, increments: 2, time: 10.0}}]
device: cpu
output: {{file: cell.h5, fields: [last], textures: [all]}}
"""
TEXTURES = ["poles", "inverse", "odf", "components"]


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        shutil.copytree(BESIDE, cls.folder, dirs_exist_ok=True)
        (cls.folder / "cell.yaml").write_text(CELL)
        for command in ("slipwave-db generate -q --grid 8,4,8,12 --terms 64 copper.yaml -o copper.h5",
                        "slipwave taylor -q taylor.yaml", "slipwave fem -q cell.yaml", "slipwave kwn -q kwn.yaml",
                        "slipwave kwn map -q map.yaml -o map.h5", "slipwave fem -q deck.inp -o deck.h5", "slipwave dem -q pack.yaml"):
            words = command.split()
            done = subprocess.run([BIN / words[0], *words[1:]], cwd=cls.folder, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{command}: {done.stderr}"

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def test_what_only_later_files_have(self):
        """Of files of one kind: a picture that the first has not is drawn of those that have it; those with other steps apart."""
        with h5py.File(self.folder / "taylor.h5") as whole, h5py.File(self.folder / "bare.h5", "w") as file:
            whole.copy("history", file)
            whole.copy("run", file)
            file.attrs.update(format="slipwave-taylor", version=1.0)
        found = {one.name: [Path(path).name for path in one.arguments if path.endswith(".h5")]
                 for one in pictures(self.folder / "bare.h5", self.folder / "taylor.h5")}
        self.assertEqual(found["stress-strain"], ["bare.h5", "taylor.h5"])
        self.assertEqual(found["poles"], ["taylor.h5"])

    def test_points_of_a_stopped_run(self):
        """What is not computed yet is all 0, and no temperature is."""
        with h5py.File(self.folder / "kwn.h5") as whole, h5py.File(self.folder / "some.h5", "w") as file:
            for name in whole:
                whole.copy(name, file)
            file.attrs.update(format="slipwave-kwn", version=1.0)
            for name in list(file["points"]):
                values = file[f"points/{name}"][()]
                del file[f"points/{name}"]
                file[f"points/{name}"] = np.concatenate([0 * values[:1], values[:1]])
            for step in file["distribution"].values():
                for name in ("radius", "number", "width"):
                    for phase in step.values():
                        if name in phase:
                            values = phase[name][()]
                            del phase[name]
                            phase[name] = np.concatenate([0 * values[:1], values[:1]])
        drawn = pictures(self.folder / "some.h5")[0].draw()
        self.assertIn("point 1", drawn._suptitle.get_text())
        with h5py.File(self.folder / "some.h5") as file:
            least = next(float(row[4]) for row in report.numbers(file) if row[0] == "temperature")
        self.assertGreater(least, 0)
        done = self.call("kwn", "some.h5", "--point", "0", "-o", "x.png")
        self.assertIn("point 0: not computed when the run was stopped: 1 of 2 are", done.stderr)

    def test_decks(self):
        """Of nodes, in the deck's units, whose temperature of 0 everywhere is none."""
        last = sorted(self.folder.glob("deck-*.vtkhdf"))[-1]
        with h5py.File(last) as file, h5py.File(self.folder / "deck.h5") as results:
            mine = results[f"fields/{last.stem[-4:]}/stress"][()]
            grid = fem.open_fields(last)
            of_cells, mises = grid.field("von_mises")
            grid.close()
            a, b, c, d, e, f = mine.T  # 11 22 33 23 13 12
            np.testing.assert_allclose(mises[:, 0], np.sqrt(((a - b)**2 + (b - c)**2 + (c - a)**2) / 2 + 3 * (d**2 + e**2 + f**2)))
            self.assertFalse(of_cells)
            self.assertGreater(mises.max(), 1)
        self.assertEqual(fem.scalar(mises, None, "von_mises", False)[1], "Von Mises stress (units of the deck)")
        done = subprocess.run([sys.executable, ROOT / "scripts/slipwave-report", "deck.h5"], cwd=self.folder, capture_output=True,
                              text=True, check=False)
        self.assertEqual((done.stdout, done.stderr), ("deck.html\n", ""))

    def test_bodies_say_where_they_lie_and_how_long_they_are(self):
        """In m, of a deck in its units. The box of the cell is 1 m: a diagonal of its picture of some 1.5 m has a fifth of 0.2 m."""
        for name, length in (("cell-0002.vtkhdf", "200 mm"), ("deck-0001.vtkhdf", "0.2")):
            picture = next(one for one in pictures(self.folder / name) if one.name == "stress")
            axes = picture.draw().axes[0]
            self.assertEqual([text.get_text() for text in axes.texts if text.get_text()], ["x", "y", "z", length])
            bar = axes.lines[-1].get_xdata()
            self.assertAlmostEqual(bar[1] - bar[0], 0.2)

    def call(self, *words):
        return subprocess.run([sys.executable, ROOT / "scripts/slipwave-plot", *words], cwd=self.folder, capture_output=True,
                              text=True, check=False)

    def names(self, *files):
        return [one.name for one in pictures(*(self.folder / file for file in files))]

    def test_what_is_found(self):
        for file, kind, names in (("copper.h5", "slipwave-database", ["database"]),
                                  ("taylor.h5", "slipwave-taylor", ["stress-strain", *TEXTURES]),
                                  ("cell.h5", "slipwave-fem", ["cell", "history"]),
                                  ("cell-0002.textures.h5", "slipwave-fem-textures", TEXTURES),
                                  ("cell-0002.vtkhdf", "fields", ["stress", "strain", "ipf", "euler", "grain", "resistance",
                                                                  "taylor-factor"]),
                                  ("deck.h5", "deck", ["history"]),
                                  ("deck-0001.vtkhdf", "deck-fields", ["stress", "displacement"]),
                                  ("kwn.h5", "slipwave-kwn", ["precipitates"]), ("map.h5", "slipwave-kwn-map", ["map"]),
                                  ("sand.h5", "slipwave-dem", ["curves", "roses"]), ("sand-0000.vtkhdf", "particles", ["packing"])):
            self.assertEqual(contents.contents_of(self.folder / file), kind)
            self.assertEqual(self.names(file), names, file)
            for picture in pictures(self.folder / file):
                self.assertTrue(picture.draw().axes, f"{file}: {picture.name}")

    def test_forces_on_walls(self):
        """In the unit that suits them, of walls that something presses."""
        path = self.folder / "walls.h5"
        with h5py.File(self.folder / "sand.h5") as whole, h5py.File(path, "w") as file:
            for name in whole:
                whole.copy(name, file)
            file.attrs.update(format="slipwave-dem", version=1.0)
            time = file["history/time"][()]
            for wall, force in ((1, 0.0), (2, 3e-4)):
                for name, value in (("force", force), ("travel", 1e-6)):
                    file["history"].pop(f"wall_{name}_{wall}", None)
                    file[f"history/wall_{name}_{wall}"] = value + 0 * time
        picture = next(one for one in pictures(path) if one.name == "walls")
        left, right = picture.draw().axes
        self.assertEqual((left.get_ylabel(), right.get_xlabel()), ("Force on the wall (µN)", "Travel of the wall (µm)"))
        self.assertEqual([text.get_text() for text in left.get_legend().get_texts()], ["wall 2"])
        np.testing.assert_allclose(left.lines[0].get_ydata()[np.isfinite(time[0])], 300)  # round-off of a product

    def test_rest_is_over_time(self):
        """A test that only waits: no stress to divide by."""
        path = self.folder / "rest.h5"
        with h5py.File(self.folder / "sand.h5") as whole, h5py.File(path, "w") as file:
            for name in whole:
                whole.copy(name, file)
            file.attrs.update(format="slipwave-dem", version=1.0)
            file["run"].attrs["tests"] = np.bytes_("1 rest -\n")
            file["history/pressure"][:, 0] = 0
        axes = pictures(path)[0].draw().axes
        self.assertEqual([one.get_xlabel() for one in axes], ["Time (s)"] * 4)
        self.assertEqual(axes[0].get_yscale(), "log")

    def test_files_of_one_kind_are_compared(self):
        shutil.copy(self.folder / "taylor.h5", self.folder / "other.h5")
        found = pictures(self.folder / "taylor.h5", self.folder / "other.h5")
        self.assertEqual([one.name for one in found], ["stress-strain", *TEXTURES])
        self.assertEqual(len(found[0].draw().axes[0].lines), 2)
        self.assertEqual([(one.stem, one.name) for one in pictures(self.folder / "taylor.h5", self.folder / "kwn.h5")][-2:],
                         [("taylor", "components"), ("kwn", "precipitates")])
        done = self.call("taylor.h5", "kwn.h5", "--show", "precipitates", "odf", "-o", "several/")
        self.assertEqual(done.stderr, "")
        self.assertEqual(sorted(path.name for path in (self.folder / "several").iterdir()), ["kwn-precipitates.png", "taylor-odf.png"])

    def test_what_a_stopped_run_left(self):
        """As `slipwave taylor` leaves it, but for the state: the same history, another format."""
        path = self.folder / "stopped.h5.partial"
        with h5py.File(self.folder / "taylor.h5") as whole, h5py.File(path, "w") as file:
            for name in whole:
                whole.copy(name, file)
            file.attrs.update(format="slipwave-taylor-state", version=5.0)
        self.assertEqual(self.names("stopped.h5.partial"), ["stress-strain", *TEXTURES])
        legend = pictures(path)[0].draw().axes[0].get_legend().get_texts()[0].get_text()
        self.assertTrue(legend.endswith(", stopped"), legend)

    def test_commands(self):
        done = self.call("taylor.h5", "--list")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.splitlines()[0], "taylor.h5: results of `slipwave taylor`")
        done = self.call("taylor.h5", "-o", "all/")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(sorted(path.name for path in (self.folder / "all").iterdir()),
                         sorted(f"taylor-{name}.png" for name in ("stress-strain", *TEXTURES)))
        done = self.call("taylor.h5", "--show", "odf", "-o", "one.svg")
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", ""))
        self.assertTrue((self.folder / "one.svg").read_bytes().startswith(b"<?xml"))

    def test_bad_input(self):
        (self.folder / "empty.h5").write_bytes(b"")
        (self.folder / "text.h5").write_text("1 2 3\n")
        with h5py.File(self.folder / "none.h5", "w") as file:
            file.attrs["format"] = "another"
        with h5py.File(self.folder / "bare.h5", "w"):
            pass
        with h5py.File(self.folder / "state.h5.partial", "w") as file:
            file.attrs["format"] = "slipwave-dem-state"
        with h5py.File(self.folder / "hollow.h5", "w") as file:
            file.attrs.update(format="slipwave-sweep", version=1.0)
        for words, message in ((["empty.h5"], "empty.h5: not an HDF5 results file, or damaged"),
                               (["text.h5"], "text.h5: not an HDF5 results file, or damaged"),
                               (["missing.h5"], "missing.h5: no such file"), (["."], ".: no such file"),
                               (["none.h5"], "none.h5: format 'another': need one of slipwave-taylor, "),
                               (["bare.h5"], "bare.h5: no format: need one of slipwave-taylor, "),
                               (["state.h5.partial"], "state.h5.partial: the state of a stopped `slipwave dem`, which holds no"),
                               (["hollow.h5"], "hollow.h5: the group /sweep is missing"),
                               (["taylor.h5", "--show", "pole"], "--show pole: need one of stress-strain, poles, "),
                               (["taylor.h5", "-o", "x.bmp"], "x.bmp: need .png, .svg, .pdf"),
                               (["taylor.h5", "--show", "odf", "poles", "-o", "x.png"], "--output x.png: 2 pictures: need one file"),
                               (["nothing"], "kind 'nothing': need a file, or one of stress-strain, ")):
            before = sorted(self.folder.iterdir())
            done = self.call(*words)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), f"{words}: {done.stderr}")
            self.assertTrue(done.stderr.startswith(f"slipwave-plot: {message}"), done.stderr)
            self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_round_off_has_one_colour(self):
        """A field that is the same all over, to 15 digits, and one that is not."""
        for least in (6.0e8, -6.0e8, 0.0):
            most = least + 1e-15 * abs(least)
            np.testing.assert_allclose(*colour_scale(least, most).to_rgba([least, most]), atol=0.02)  # neighbours of 256 at most
        self.assertGreater(np.abs(np.subtract(*colour_scale(1.0, 1.01).to_rgba([1.0, 1.01]))).max(), 0.5)

    def test_tables_name_what_is_there(self):
        modules = {name for name, _ in KINDS.values()}
        for rows in contents.PICTURES.values():
            self.assertEqual(len({row[0] for row in rows}), len(rows))
            for _, _, module, _ in rows:
                self.assertIn(module, modules)
                one = importlib.import_module(f"slipwave.pictures.{module}")
                self.assertTrue(callable(one.arguments) and callable(one.figure))
        self.assertEqual(set(contents.FORMATS), set(contents.PICTURES))

    def test_lines_of_documents_are_understood(self):
        """Every `slipwave plot` that a document has as a command: its kind and options are there."""
        count = 0
        for document in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
            text = document.read_text(encoding="utf-8").replace("\\\n", " ")
            for line in re.findall(r"^(?:    )?build/slipwave[- ]plot (.*?)(?: +#.*)?$", text, re.MULTILINE):
                words = shlex.split(line)
                parser = command.arguments()
                if words[0] in KINDS:
                    parser = importlib.import_module(f"slipwave.pictures.{KINDS[words.pop(0)][0]}").arguments()
                parser.parse_args(words)  # InputError for another
                count += 1
        self.assertGreater(count, 25)

    def test_orientations_are_the_elements_own(self):
        """Two grains of one orientation each: as many as the field `grain` has, turned by 1 % of strain at most."""
        euler, group = textures_beside(self.folder / "cell-0002.vtkhdf", 8)
        with h5py.File(self.folder / "cell-0002.vtkhdf") as file:
            grain = file["VTKHDF/CellData/grain"][()]
        self.assertEqual(group, "432")
        for number in np.unique(grain):
            own = euler[grain == number]
            self.assertLess(np.abs(own - own[0]).max(), 0.1)
        self.assertGreater(np.abs(euler[grain == grain[0]][0] - euler[grain != grain[0]][0]).max(), 0.1)


class Outsides(unittest.TestCase):
    def test_of_tetrahedra_a_wedge_and_a_brick(self):
        """A quadratic brick with a wedge on its side x = 1, on whose side two tetrahedra lie beside each other: what two have is inside."""
        brick = [0, 1, 2, 3, 4, 5, 6, 7] + [40] * 12
        wedge = [1, 8, 5, 2, 9, 6]  # shares 1 2 6 5 with the brick
        tetrahedra = [[1, 8, 5, 10], [8, 5, 10, 11]]
        nodes = [brick, wedge, *tetrahedra]
        grid = {"Types": [25, 13, 10, 10], "Offsets": np.cumsum([0, *map(len, nodes)]), "Connectivity": np.concatenate(nodes),
                "Points": np.zeros((41, 3))}
        face, cell, solid = deck.outside(grid, lambda name: np.asarray(grid[name], dtype=float))
        self.assertTrue(solid)
        self.assertEqual(np.bincount(cell).tolist(), [5, 3, 2, 3])  # of 6, 5, 4 and 4
        self.assertNotIn({1, 8, 5}, [set(one) for one in face.tolist()])
        with self.assertRaisesRegex(InputError, "nodes that are not there"):
            beyond = {**grid, "Connectivity": grid["Connectivity"] + 1}
            deck.outside(beyond, lambda name: np.asarray(beyond[name], dtype=float))
        bars = {**grid, "Types": [3, 3, 3, 3]}
        face, cell, solid = deck.outside(bars, lambda name: np.asarray(bars[name], dtype=float))
        self.assertEqual((face.tolist(), cell.tolist(), solid), ([[one[0], one[1], one[1], one[0]] for one in nodes], [0, 1, 2, 3], False))
        points = {**grid, "Types": [1, 1, 1, 1]}
        with self.assertRaisesRegex(InputError, "no cells but points"):
            deck.outside(points, lambda name: np.asarray(points[name], dtype=float))


class Contacts(unittest.TestCase):
    def write(self, path, solid):
        """Two squares or cubes one above the other, apart by nothing, the upper one's lower nodes slaves under a pressure of 0.25."""
        square = np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]])
        height = (0, 1, 1, 2)
        if solid:
            points = np.concatenate([np.column_stack([square[:, 0], np.full(4, h), square[:, 1]]) for h in height])
            cells, kind, slave = [[0, 1, 2, 3, 4, 5, 6, 7], [8, 9, 10, 11, 12, 13, 14, 15]], 12, slice(8, 12)
        else:
            points = np.array([[x, h, 0] for h in height for x in (0, 1.0)])
            cells, kind, slave = [[0, 1, 3, 2], [4, 5, 7, 6]], 9, slice(4, 6)
        n = len(points)
        pressure, displacement = np.zeros(n), np.zeros((n, 3))
        pressure[slave], displacement[:, 1] = 0.25, 1e-3 * points[:, 1]
        with h5py.File(path, "w") as file:
            grid = file.create_group("VTKHDF")
            for name, values in (("Points", points), ("Types", np.full(2, kind)), ("Offsets", len(cells[0]) * np.arange(3)),
                                 ("Connectivity", np.ravel(cells)), ("PointData/displacement", displacement),
                                 ("PointData/stress", np.zeros((n, 6))), ("PointData/energy_density", np.zeros(n)),
                                 ("PointData/contact_pressure", pressure), ("PointData/contact_gap", -1e-9 * (pressure > 0))):
                grid[name] = values

    def test_pressures_are_those_of_slaves(self):
        """Not means with nodes off the surface, whose 0 is none; bodies as they lie, since magnified they would part."""
        with tempfile.TemporaryDirectory() as folder:
            for solid in (False, True):
                path = Path(folder, f"pair-{int(solid)}.vtkhdf")
                self.write(path, solid)
                axes, bar = next(one for one in pictures(path) if one.name == "contact").draw().axes
                bodies, slaves = axes.collections
                self.assertEqual(len(slaves.get_paths()), 1)
                scale = fem.colour_scale(0.25, 0.25)
                colours = slaves.get_facecolor() if solid else slaves.get_edgecolor()
                np.testing.assert_allclose(colours[0], scale.to_rgba(0.25))
                self.assertLess(np.ptp(bodies.get_facecolor()[:, :3], axis=1).max(), 1e-12)  # greys
                low, high = bar.get_ylim()
                self.assertTrue(low < 0.25 < high and low > 0.2)
                self.assertNotIn("×", axes.get_title())
                self.assertIn("slave's side", axes.get_title())
                self.assertEqual("through the bodies" in axes.get_title(), solid)


    def test_an_index_is_its_last_file(self):
        with tempfile.TemporaryDirectory() as folder:
            index = Path(folder, "pair.vtkhdf.series")
            self.write(Path(folder, "pair-0002.vtkhdf"), False)
            index.write_text('{"files": [{"name": "pair-0001.vtkhdf", "time": 1}, {"name": "pair-0002.vtkhdf", "time": 2}]}')
            self.assertEqual({one.stem for one in pictures(index)}, {"pair-0002"})
            drawn = fem.figure(fem.arguments().parse_args([str(index), "-o", "x.png"]))
            self.assertIn("pair-0002", drawn.axes[0].get_title())
            for damaged in ("", "[]", '{"files": []}', '{"files": [{"name": 3}]}'):
                index.write_text(damaged)
                with self.assertRaisesRegex(InputError, "pair.vtkhdf.series: lists no files"):
                    pictures(index)

    def test_other_pictures_are_named_with_their_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in "ab":
                self.write(Path(folder, f"{name}.vtkhdf"), False)
            words = ["slipwave-plot", *(str(Path(folder, name)) for name in ("a.vtkhdf", "b.vtkhdf")), "-o", str(Path(folder, "x.svg"))]
            with mock.patch.object(sys, "argv", words), contextlib.redirect_stdout(io.StringIO()) as printed:
                command.main()
            self.assertTrue(printed.getvalue().endswith("x.svg: stress of a; others by --show: displacement of a, contact of a, stress of b, "
                                                        "displacement of b, contact of b\n"))

    def test_curves_of_an_increment(self):
        """The loads' work is seen beside the elastic energy that all of it is; one increment's bar is no wall."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "deck.h5")
            with h5py.File(path, "w") as file:
                file.create_group("run").attrs["deck"] = "deck.inp"
                for name, value in (("time", 1.0), ("newton", 4), ("elastic_energy", 2.0), ("external_work", 2.0)):
                    file[f"history/{name}"] = [value]
            energies, _, _, iterations = pictures(path)[0].draw().axes
            loads, elastic = energies.lines
            self.assertEqual(loads.get_label(), "work of loads")
            self.assertGreater(loads.get_zorder(), elastic.get_zorder())
            self.assertEqual((loads.get_linestyle(), loads.get_markerfacecolor()), ("--", "none"))
            low, high = iterations.get_xlim()
            self.assertLess(iterations.patches[0].get_width(), 0.2 * (high - low))

    def test_letters_of_axes_are_beside_each_other(self):
        """z up, y along it and shorter, as at 70 degrees from below."""
        drawn = Figure().subplots()
        fem.draw_directions(drawn, fem.view_axes(0, -70), True)
        places = np.array([one.get_position() for one in drawn.texts if one.get_text() in "xyz" and one.get_text()])
        self.assertEqual(len(places), 3)
        self.assertGreater(abs(places[1, 0] - places[2, 0]), 0.01)

    def test_no_cells_are_told_once(self):
        """Springs alone."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "pair.vtkhdf")
            self.write(path, False)
            with h5py.File(path, "a") as file:
                for name, values in (("Types", []), ("Offsets", [0]), ("Connectivity", []), ("PointData/contact_pressure", np.zeros(8))):
                    del file[f"VTKHDF/{name}"]
                    file[f"VTKHDF/{name}"] = np.asarray(values)
            self.assertEqual([one.name for one in pictures(path)], ["stress"])

    def test_reports_have_what_pairs_bear(self):
        """And numbers without those of the computation, which are told beside the quality."""
        with tempfile.TemporaryDirectory() as folder, h5py.File(Path(folder, "deck.h5"), "w") as file:
            file.create_group("run").attrs["deck"] = "deck.inp"
            for name, values in (("time", [0.5, 1.0]), ("step", [1, 2]), ("newton", [3, 5]), ("elastic_energy", [2.0, 4.0]),
                                 ("external_work", [2.0, 4.0])):
                file[f"history/{name}"] = values
            file["nodes/label"] = [1, 2]
            for number, quantity, columns, value in ((1, "U", "", np.zeros((1, 2, 4))),
                                                     (2, "CF", "FX FY FZ MX MY MZ AREA PRESSURE PENETRATION SLIP", np.array(
                                                         [[np.arange(10.0)], [[1, -2, 3, 9, 9, 9, 0.5, 8, 1e-6, 7]]]))):
                one = file.create_group(f"prints/{number:04}")
                one.attrs.update(quantity=quantity, set="ALL", **({"columns": columns} if columns else {}))
                one["time"], one["value"] = [0.5, 1.0], value
            (title, heads, rows), = report.tables(file)
            self.assertEqual(rows, [("1", "1", "-2", "3", "0.5", "8", "1e-06")])
            self.assertTrue("time 1," in title and len(heads) == 7)
            self.assertEqual([row[0] for row in report.numbers(file)], ["elastic energy", "external work"])
            told = {one.what: one.found for one in report.checks(file, "deck")}
            self.assertEqual(told["Increments"], "2 of 2 steps, to time 1; 8 Newton iterations, 5 in one at most")


class Numbers(unittest.TestCase):
    def test_units(self):
        for values, expected in (([3e-5, -1e-6], (1e6, "µN")), ([0.0], (1, "N")), ([], (1, "N")), ([1000.0], (1e-3, "kN")),
                                 ([999.0, np.nan, np.inf], (1, "N")), ([1e-12], (1e9, "nN")), ([5e12], (1e-9, "GN"))):
            factor, unit = unit_of(values, "N")
            self.assertEqual(unit, expected[1])
            self.assertAlmostEqual(factor / expected[0], 1)

    def test_strains_of_cells(self):
        stretch, turn = np.diag([1.2, 0.9, 1.0]), np.array([[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]])
        strain = cell.strain_of(np.array([stretch, turn @ stretch @ turn.T, stretch @ turn]), True)
        logarithm = np.diag(np.log([1.2, 0.9, 1.0]))
        # round-off of an eigenvalue problem of numbers about 1
        np.testing.assert_allclose(strain, [logarithm, turn @ logarithm @ turn.T, logarithm], atol=1e-14)
        shear = np.eye(3) + [[0, 0.01, 0], [0, 0, 0], [0, 0, 0]]
        small = cell.strain_of(shear[None], False)
        np.testing.assert_allclose(cell.values_of("12", small), 0.01, atol=1e-16)  # the engineering one
        with self.assertRaisesRegex(InputError, "none of a body"):
            cell.strain_of(np.array([np.diag([-1.0, 1, 1])]), True)

    def test_strains_of_parts(self):
        """Drawn, turned by 30 degrees in the plane of the sheet, and above or below a limit of 0.3 at every ratio; then bent up
        by 90 degrees about axis 1, or sheared along it by 1, where ln V is of V V = F F^T."""
        c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        tensor = turn @ np.diag([0.4, -0.1, -0.3]) @ turn.T
        components = [[tensor[i, j] for i, j in forming_limit.VOIGT], [0.2, 0.1, -0.3, 0, 0, 0], [0.1, 0.1, -0.2, 0, 0, 0]]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "part.vtkhdf"
            with h5py.File(path, "w") as file:
                group = file.create_group("VTKHDF")
                group["Points"] = np.array([[i & 1, i >> 1 & 1, i >> 2] for i in (0, 1, 3, 2, 4, 5, 7, 6)] * 3, dtype=float)
                group["Types"], group["Connectivity"] = np.full(3, 12, "u1"), np.arange(24)
                group["CellData/logarithmic_strain"] = np.array(components)
                group["PointData/displacement"] = np.zeros((24, 3))
            points = forming_limit.principal_strains(path, 3)
            np.testing.assert_allclose(points, [[-0.1, 0.4], [0.1, 0.2], [0.1, 0.1]], atol=1e-15)
            across = forming_limit.principal_strains(path, 1)
            np.testing.assert_allclose(across[1], [-0.3, 0.1], atol=1e-15)
            stretch, up = np.exp([0.4, -0.1, -0.3]), np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
            shear = np.eye(3) + [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
            for gradient, expected in ((up @ np.diag(stretch), [-0.1, 0.4]), (shear, None)):
                values, axes = np.linalg.eigh(gradient @ gradient.T)
                logarithm = axes @ np.diag(np.log(values) / 2) @ axes.T
                with h5py.File(path, "r+") as file:
                    group = file["VTKHDF"]
                    group["PointData/displacement"][...] = group["Points"][()] @ (gradient - np.eye(3)).T
                    group["CellData/logarithmic_strain"][...] = [[logarithm[i, j] for i, j in forming_limit.VOIGT]] * 3
                if expected is None:  # the plane stays that of axes 1 and 2
                    expected = np.linalg.eigvalsh(logarithm[:2, :2])
                np.testing.assert_allclose(forming_limit.principal_strains(path, 3), [expected] * 3, atol=1e-14)

        class Limits:
            ratio, strain = np.array([-0.5, 0, 1]), np.array([[0.3, -0.15], [0.3, 0], [0.3, 0.3]])
        np.testing.assert_array_equal(forming_limit.beyond(points, Limits), [True, False, False])

    def test_shares_of_families(self):
        """Of steps in which nothing slips there is none; else they are parts of a whole."""
        from matplotlib.figure import Figure
        axes = Figure().add_subplot()
        families.draw_shares(axes, np.arange(4.0), {"a": np.array([0, 1, 1, 2.0]), "b": np.array([0, 3, 3, 3.0])})
        tops = [np.unique(np.round(area.get_paths()[0].vertices[:, 1], 9)).tolist() for area in axes.collections]
        self.assertEqual(tops, [[0, 25, 100], [0, 25, 100]])

    def test_spheres_hide_what_is_behind(self):
        """A disc fills pi/4 of its square, to a rim of pixels; the nearer one, of another colour, is seen whole."""
        image = particles.image_of(np.array([[0, 0, 1.0], [0, 0, -1.0]]), np.array([0.5, 1.0]), np.array([[1.0, 0, 0], [0, 1.0, 0]]),
                                   np.array([-1.0, -1.0]), np.array([1.0, 1.0]), 400)
        filled = image[..., 3].mean()
        self.assertAlmostEqual(filled, np.pi / 4, delta=4 * np.pi / 400)
        self.assertAlmostEqual((image[..., 0] > 0).mean(), np.pi / 16, delta=2 * np.pi / 400)
        self.assertEqual(((image[..., 0] > 0) & (image[..., 1] > 0)).sum(), 0)


if __name__ == "__main__":
    counted.main()
