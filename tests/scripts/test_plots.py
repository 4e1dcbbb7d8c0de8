"""The plotting scripts, on results files whose answers are known. Counted as CMocka's by scripts/dev/run-tests.

Skipped where numpy, h5py or matplotlib is missing."""

import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from plotting import ROOT  # first: it finds the scripts

import h5py
import numpy as np
from matplotlib.figure import Figure

import counted
from slipwave.pictures import KINDS
from slipwave.pictures import bench as plot_bench
from slipwave.pictures import dem_bench as plot_dem_bench
from slipwave.pictures import fit as plot_fit
from slipwave.pictures import fem as plot_fem
from slipwave.pictures import forming as plot_forming
from slipwave.pictures import yield_functions
from slipwave.pictures import forming_limit as plot_forming_limit
from slipwave.pictures import front as plot_front
from slipwave.pictures import kwn as plot_kwn
from slipwave.pictures import kwn_bench as plot_kwn_bench
from slipwave.pictures import sweep as plot_sweep
from slipwave.pictures import texture as plot_texture
from slipwave.pictures import texture_components
from slipwave.curves import fitted_curves, stress_strain
from slipwave.maps import extend_rim
from slipwave_results import SEAL, InputError, Results, check_seal, digest_of, label_log_axis, save

TENSION, SHEAR = np.diag([1e-3, -0.5e-3, -0.5e-3]), [[0, 1e-3, 0], [0, 0, 0], [0, 0, 0]]
PSC = np.diag([1e-3, 0, -1e-3])


class Plots(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def results(self, gradients, stress, structure=None, euler=None, **attributes):
        """A results file of steps of 10 s, opened."""
        path = self.folder / f"run-{len(list(self.folder.iterdir()))}.h5"
        steps = len(gradients)
        with h5py.File(path, "w") as file:
            file["history/time"] = 10.0 * np.arange(steps + 1)
            file["history/velocity_gradient"] = np.array([np.zeros((3, 3)), *gradients])
            file["history/cauchy_stress"] = np.array([np.zeros((3, 3)), *stress])
            file["history/strain"] = 0.01 * np.arange(steps + 1)
            file["history/slip_resistance"] = np.full(steps + 1, 16e6)
            file["history/slip_rate"] = np.zeros(steps + 1)
            file["history/deformation_gradient"] = np.tile(np.eye(3), (steps + 1, 1, 1))
            file.create_group("run").attrs["solver"] = "grid"
            if structure:
                file["run"].attrs["crystal_structure"] = structure
            file.create_group("texture/0")
            if euler is not None:
                file["orientations/0/euler"] = euler
            file.attrs.update(attributes)
        one = Results(path)
        self.addCleanup(one.file.close)
        return one

    def curve(self, results, name=None):
        """Axes and the first line of the plot."""
        axes = stress_strain(results, component=name, labels=["grid"])
        return axes, *axes.lines[0].get_data()

    # ---- Stress-strain curves ----

    def test_tension_has_free_sides(self):
        axes, strain, stress = self.curve(self.results([TENSION] * 2, [np.diag([166e6, -84e6, -82e6])] * 2))
        np.testing.assert_allclose(stress, 249)
        np.testing.assert_allclose(strain, [0.01, 0.02])  # not from (0, 0): the first step has no elastic ramp
        self.assertIn("_{22}", axes.get_ylabel())

    def test_compression_is_drawn_upwards(self):
        l = -np.roll(TENSION, (2, 2), (0, 1))  # along 3
        _, strain, stress = self.curve(self.results([l], [np.diag([80e6, 86e6, -166e6])]))
        np.testing.assert_allclose([strain[0], stress[0]], [0.01, 249])

    def test_one_component_is_called_a_deviator(self):
        axes, _, stress = self.curve(self.results([TENSION], [np.diag([266e6, 16e6, 18e6])]), "11")
        np.testing.assert_allclose(stress, 166)
        self.assertTrue(axes.get_ylabel().startswith("Deviatoric"))

    def test_shear_strain_after_compression(self):
        stress = np.zeros((3, 3))
        stress[0, 1] = stress[1, 0] = 100e6
        _, strain, values = self.curve(self.results([PSC] * 100 + [SHEAR] * 2, [stress] * 102), "12")
        np.testing.assert_allclose(strain[-2:], [0.01, 0.02], atol=1e-12)  # F12 would have been stretched by e
        self.assertTrue(np.isnan(values[100]))  # no line across the change of loading

    # ---- Sheets ----

    def sheet(self):
        """Results of `slipwave forming` of a sheet that yields as von Mises has it at 100 MPa."""
        path = self.folder / "sheet.h5"
        turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
        stress = np.zeros((12, 6))
        stress[:, 0], stress[:, 1] = np.cos(turn), np.sin(turn)
        stress *= 100e6 / plot_forming.mises(stress)[:, None]
        flow = stress - np.mean(stress[:, :3], axis=1, keepdims=True) * [1, 1, 1, 0, 0, 0]
        with h5py.File(path, "w") as file:
            file.attrs.update({"format": "slipwave-forming", "version": 1.0})
            file["r_values/angle"] = np.radians([0, 45, 90])
            file["r_values/stress"] = [100e6, 110e6, 105e6]
            file["r_values/r"] = [1.0, np.inf, 0.0]
            file["r_values"].attrs.update({"biaxial_stress": 100e6, "biaxial_r": 1.0})
            level = file.create_group("yield_surface/section-1/level-1")
            file["yield_surface"].attrs["yield_stress"] = 100e6
            file["yield_surface/curve"] = [[0.01, 90e6], [0.05, 100e6]]
            level.attrs.update({"plane": "components", "components": [0.0, 1.0, 5.0], "held": 0.0})
            level["stress"], level["strain_rate"] = stress, flow / np.linalg.norm(flow, axis=1)[:, None]
        sheet = plot_forming.Sheet(path)
        self.addCleanup(sheet.close)
        return sheet

    def test_r_from_zero_to_infinity_is_drawn(self):
        right = plot_forming.plot_r_values(self.sheet()).axes[1]
        np.testing.assert_allclose(right.lines[0].get_ydata(), [0.5, 1, 0])

    def test_arrows_are_normal_to_the_contour(self):
        axes = plot_forming.plot_yield_surface(self.sheet()).axes[0]
        x, y = axes.lines[-3].get_data()  # before the two axes
        arrows = next(item for item in axes.collections if hasattr(item, "U"))
        # of an ellipse x^2 - x y + y^2 the gradient
        np.testing.assert_allclose((2 * x - y)[:-1] * arrows.V, (2 * y - x)[:-1] * arrows.U, atol=1e-6)

    def test_isotropic_functions_are_von_mises(self):
        isotropic = {"hill48": ([0.5] * 3 + [1.5] * 3, 2), "yld2000_2d": ([1.0] * 8, 4), "yld2004_18p": ([1.0] * 18, 4)}
        stress = np.random.default_rng(1).normal(size=(50, 6))
        in_plane = stress * [1, 1, 1, 0, 0, 1]
        for name, (c, exponent) in isotropic.items():
            phi = yield_functions.FUNCTIONS[name](c, exponent, in_plane)
            np.testing.assert_allclose(phi, plot_forming.mises(in_plane), rtol=1e-12)
        self.assertTrue(np.isnan(yield_functions.yld2000_2d(*isotropic["yld2000_2d"], stress)).all())
        phi = yield_functions.yld2004_18p(*isotropic["yld2004_18p"], stress)
        np.testing.assert_allclose(phi, plot_forming.mises(stress), rtol=1e-12)

    def test_a_function_has_one_colour_in_all_pictures(self):
        sheet = self.sheet()
        path = sheet.path
        sheet.close()
        with h5py.File(path, "a") as file:
            group = file.create_group("functions/yld2004_18p")
            group.attrs.update({"title": "Yld", "exponent": 4.0, "reference_stress": 100e6})
            group["coefficient"] = np.ones(18)
            group["tension"] = [[0, 100e6, 0.5], [1.5, 100e6, 0.5]]
        with plot_forming.Sheet(path) as sheet:
            for plot in plot_forming.plot_r_values, plot_forming.plot_yield_surface:
                line, = [line for line in plot(sheet).axes[0].lines if line.get_label() == "Yld"]
                self.assertEqual(line.get_color(), plot_forming.LINES["yld2004_18p"]["color"])

    def test_what_a_job_did_not_ask_for_is_said(self):
        path = self.folder / "other.h5"
        with h5py.File(path, "w") as file:
            file.attrs.update({"format": "slipwave-forming", "version": 1.0})
        with self.assertRaisesRegex(InputError, "has no r_values: the job's section"):
            plot_forming.plot_r_values(plot_forming.Sheet(path))

    # ---- Textures ----

    def stored(self, names, gradient, structure, tolerance=15.0):
        """A results file with fractions 0.1, 0.2, ... of these components."""
        one = self.results([gradient], [np.zeros((3, 3))], structure)
        one.file.close()
        with h5py.File(one.path, "a") as file:
            for name, scale in (("component_fraction", 0.1), ("component_fraction_random", 0.01)):
                file[f"texture/0/{name}"] = scale * np.arange(1, len(names) + 1)
                file[f"texture/0/{name}"].attrs.update({"names": ",".join(names), "tolerance_degrees": tolerance})
        again = Results(one.path)
        self.addCleanup(again.file.close)
        return again, again.file["texture/0"]

    def test_components_are_those_of_structure_and_loading(self):
        bcc = ["alpha", "gamma", "rotated_cube", "I", "E", "F", "Goss", "Cube", "shear_111", "shear_110", "shear_E",
               "shear_D", "shear_J", "shear_F"]
        labels, found, random = plot_texture.read_fractions(*self.stored(bcc, PSC, "bcc24"))
        self.assertEqual([label.replace("\n", " ") for label in labels[:3]],
                         ["$\\alpha$ fibre <110> || RD", "$\\gamma$ fibre {111} || ND", "rotated cube {001} <110>"])
        np.testing.assert_allclose(found, 0.1 * np.arange(1, 9))
        np.testing.assert_allclose(random, 0.01 * np.arange(1, 9))
        labels, found, _ = plot_texture.read_fractions(*self.stored(bcc[::-1], SHEAR, "bcc"))
        self.assertEqual(labels[2], "shear E\n{110}\n<111>")
        np.testing.assert_allclose(found, 0.1 * np.arange(6, 0, -1))
        self.assertEqual(len(plot_texture.read_fractions(*self.stored(bcc, PSC + SHEAR, "bcc48"))[0]), 14)
        fcc = ["Cube", "Goss", "Brass", "Copper", "S", "Taylor", "A-bar"]
        self.assertEqual(plot_texture.read_fractions(*self.stored(fcc, PSC, "fcc"))[0], fcc[:6])
        self.assertIn("overline", plot_texture.read_fractions(*self.stored(fcc, PSC + SHEAR, "fcc"))[0][6])
        for names, structure, message in ((fcc, "bcc", "of bcc metals need alpha, gamma"), (fcc[:3], "fcc", "need Cube, Goss")):
            with self.assertRaisesRegex(InputError, message):
                plot_texture.read_fractions(*self.stored(names, PSC, structure))
        with self.assertRaisesRegex(InputError, "within 10 degrees"):
            plot_texture.read_fractions(*self.stored(fcc, PSC, "fcc", 10.0))

    def test_names_are_those_that_results_have(self):
        for lattice, loadings in texture_components.STORED.items():
            source = (ROOT / f"common/crystal/lattices/{lattice}.c").read_text(encoding="utf-8")
            for name in sum(loadings.values(), []) + list(texture_components.LABELS[lattice]):
                self.assertIn(f'{{"{name}"', source)

    def test_fibres_of_tension(self):
        """[100] and [110] along axis 1; fractions of a random texture are caps of 15 degrees about 6, 12, 8 directions,
        which do not overlap: 100,000 orientations find them to 0.005, three standard deviations."""
        euler = np.radians([[0, 0, 0], [45, 0, 0]])
        one = self.results([TENSION], [np.zeros((3, 3))], "bcc24", euler=euler)
        labels, found, random = plot_texture.read_fractions(one, plot_texture.find_step(one, "last"))
        self.assertEqual((labels[0], list(found)), ("<100> || axis 1", [0.5, 0.5, 0]))
        cap = (1 - np.cos(np.radians(15))) / 2
        np.testing.assert_allclose(random, np.array([6, 12, 8]) * cap, atol=0.005)

    def test_components_that_are_counted_need_orientations(self):
        one = self.results([TENSION], [np.zeros((3, 3))], "bcc")
        with self.assertRaisesRegex(InputError, "components in tension along 1 .*/orientations/0/euler"):
            plot_texture.read_fractions(one, one.file["texture/0"])

    def test_textures_of_element_sets(self):
        path = self.folder / "run-0003.textures.h5"
        with h5py.File(path, "w") as file:
            file.attrs.update({"format": "slipwave-fem-textures", "version": 1.0, "increment": 3.0})
            for k, name in enumerate(("all", "rim")):
                file.create_group(f"texture/{k}").attrs.update({"elements": name, "crystal_structure": "bcc24"})
        one = plot_texture.Textures(path)
        self.addCleanup(one.file.close)
        self.assertEqual((one.label(), one.structure()), ("increment 3", "bcc24"))
        rows = plot_texture.every_step([(one, one.label())], ["last"])
        self.assertEqual([(label, group.name[-1]) for _, label, group in rows], [("all", "0"), ("rim", "1")])
        rows = plot_texture.every_step([(one, "a"), (one, "b")], ["rim"])
        self.assertEqual([label for _, label, _ in rows], ["a, rim", "b, rim"])
        with self.assertRaisesRegex(InputError, "--step core: .*0003.textures.h5 has textures of the elements all, rim"):
            plot_texture.every_step([(one, "a")], ["core"])

    def test_components_are_counted_by_weight(self):
        euler = np.radians([[45, 0, 0], [0, 0, 0], [45, 0, 0]])
        one = self.results([TENSION], [np.zeros((3, 3))], "bcc", euler=euler)
        one.file.close()
        with h5py.File(one.path, "a") as file:
            file["orientations/weight"] = np.array([0.5, 2, 0.5])
        again = Results(one.path)
        self.addCleanup(again.file.close)
        _, found, _ = plot_texture.read_fractions(again, again.file["texture/0"])
        np.testing.assert_allclose(found, [2 / 3, 1 / 3, 0])

    def test_rim_of_pole_figures(self):
        y, x = np.meshgrid(*[np.linspace(-1, 1, 101)] * 2, indexing="ij")
        r2 = x**2 + y**2
        root = np.sqrt(np.maximum(2 - r2, 0))
        pole = np.array([0.8, 0.5, np.sqrt(1 - 0.64 - 0.25)])
        density = np.exp(5 * (np.tensordot(pole, [x * root, y * root, 1 - r2], 1)**2 - 1))  # p and -p alike
        filled = extend_rim(np.where(r2 > 1, np.nan, density))
        np.testing.assert_array_equal(filled[r2 <= 1], density[r2 <= 1])
        # linear interpolation: second derivatives of up to 40 by 0.02^2 / 8, in two directions
        self.assertLess(np.abs(filled - density)[r2 < 1.1].max(), 0.004)

    # ---- Files and axes ----

    def test_suffix_decides(self):
        figure = Figure()
        for name, files in (("a.pdf", ["a.pdf"]), ("b.png", ["b.png"]), ("c.svg", ["c.svg"]),
                            ("run.0.02", ["run.0.02.png", "run.0.02.svg"]), ("d", ["d.png", "d.svg"])):
            save(figure, self.folder / name)
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()), files)
            for path in self.folder.iterdir():
                path.unlink()
        for name in ("a.jpg", "a.xyz"):
            with self.assertRaisesRegex(InputError, f"{name}: need .png, .svg, .pdf"):
                save(figure, self.folder / name)

    def test_log_axes_have_labels(self):
        table = plot_bench.Table()
        for i, (rate, error) in enumerate(((1e8, 0.003), (1e10, 0.04), (2e10, 0.009))):
            table.add("", f"terms {i}", rate, error, "crystal-steps/s", float("nan"))
        axes = plot_bench.draw_error_rate(table).axes[0]
        low, high = axes.get_ylim()
        labels = [label.get_text() for label in axes.get_yticklabels() if low <= label.get_position()[1] <= high]
        self.assertLessEqual({"0.005", "0.01", "0.02"}, set(labels))
        for low, high in ((400, 2800), (200, 500), (0.7, 6), (3e5, 4e5)):
            axes = Figure().add_subplot(xscale="log", xlim=(low, high))
            label_log_axis(axes.xaxis)
            self.assertGreaterEqual(sum(low <= tick <= high for tick in axes.get_xticks()), 3)

    def test_pairs_of_former_benchmarks_are_terms(self):
        rows = ("table,series,x,value,unit,limit\nterms,folded,16,1e11,pairs/s,\nsolvers,terms 256,0,1e10,steps/s,\n"
                "crystals,folded,33,1e8,pairs/s,\n")
        for said, factor in (("a stored pair is 17.82 of the paper's terms", 2), ("terms are coefficients", 1)):
            path = self.folder / "bench.csv"
            path.write_text(f"# a GPU\n# {said}\n{rows}", encoding="utf-8")
            tables = plot_bench.read([path])
            self.assertEqual(tables["terms"].x, [16 * factor])
            self.assertEqual(tables["terms"].value, [1e11])
            self.assertEqual(tables["solvers"].series, [f"terms {256 * factor}"])
            self.assertEqual(tables["crystals"].x, [33])

    def test_extrapolated_rows_of_kwn_are_told(self):
        """As many of the file in the repository as bench/LOG.md says, and dots for them in the picture."""
        tables = plot_kwn_bench.read([ROOT / "bench/results/kwn-h200-2026-11-21.csv"])
        for name, rows, extrapolated in (("large", 312, 239), ("small", 210, 183)):
            parts = [part for cells in tables[name].values() for _, part in cells.values()]
            self.assertEqual((len(parts), sum(part < 1 for part in parts)), (rows, extrapolated))
            plot_kwn_bench.draw(name, tables[name], self.folder)
            self.assertTrue((self.folder / f"bench-kwn-{name}.png").is_file())

    def test_peaks_of_sparse_records_are_told_by_their_neighbours(self):
        """Within 1.5 in time and 1 % in strength a record is the peak; else it is the largest, and the peak between its neighbours."""
        strength = np.array([298.0, 300, 299])
        for time, values, dense in (([500, 700, 900], strength, True), ([500, 800, 900], strength, False), ([0, 700, 900], strength, False),
                                    ([500, 700, 900], np.array([296.0, 300, 299]), False)):
            self.assertEqual(plot_kwn.is_dense(np.array(time, float), values, 1), dense, time)
        self.assertEqual(plot_kwn.peak_text("300 MPa", 7200, True, 60, 86400), "peak: 300 MPa\nafter 2 h")
        self.assertEqual(plot_kwn.peak_text("300 MPa", 7200, False, 3000, 86400 * 2),
                         "largest record: 300 MPa at 2 h\npeak between 50 min and 2 d")
        self.assertTrue(plot_kwn.peak_text("300 MPa", 7200, False, 3000, np.inf).endswith("peak after 50 min"))

    def test_families_of_elements(self):
        """Fields of families by their names; of variants, six as tensors have components, one by its number."""
        one, six = np.array([[0.5], [0.25]]), np.arange(12.0).reshape(2, 6)
        values, label = plot_fem.scalar(one, None, "twin_fraction_tension_twin")
        self.assertEqual((values.tolist(), label), ([0.5, 0.25], "Fraction of tension twin"))
        values, label = plot_fem.scalar(six, "2", "twin_variants_tension_twin")
        self.assertEqual((values.tolist(), label), ([1, 7], "2: fraction of a variant of tension twin"))
        for component, message in ((None, "need --component, one of 1, 2, 3, 4, 5, 6"), ("xx", "--component xx: need one of 1, 2")):
            with self.assertRaisesRegex(InputError, message):
                plot_fem.scalar(six, component, "twin_variants_tension_twin")
        self.assertEqual(plot_fem.scalar(six, "xy", "stress")[0].tolist(), [3, 9])

    def test_section_11_of_dem(self):
        lines = [",".join(plot_dem_bench.COLUMNS)]
        for elements, particles in ((1, 2000), (1, 16000), (100, 2000)):
            for detection in ("hash", "bvh"):
                for table in ("section11_batches", "section11_particles", "section11_elements"):
                    row = f"launches,{detection},boundary_particles,{elements},{particles},1000"
                    lines.append(f"{table},{row},0.5,1e8,2600000")
                    lines += [f"{table}_stages/{stage},{row},{seconds},," for stage, seconds in
                              (("forces", 3), ("detection", 1))]
                    lines.append(f"{table}_stages/lists,{row},,,")
        path = self.folder / "bench.csv"
        path.write_text("\n".join(lines) + "\n")
        panels = plot_dem_bench.section11(plot_dem_bench.read([path])).axes
        bars = panels[2].patches
        self.assertEqual({round(bar.get_height()) for bar in bars}, {75, 25})  # per cent; lists are no stage
        memory = next(axes for axes in panels[5:] if axes.lines)
        self.assertAlmostEqual(max(memory.lines[0].get_ydata()), 1e-9 * 100 * 2600000)

    def test_seals_are_those_of_the_programs(self):
        """As common/files/seal.c makes and reads them; of a length that is no multiple of 8, and over several pieces."""
        program = Path(os.environ.get("SW_BIN", ROOT / "build"), "slipwave-db")
        path = self.folder / "sealed.bin"
        for size in (5, 8, (1 << 22) + 13):
            data = np.random.default_rng(size).bytes(size)
            digest = digest_of(data, 0) % 2**64
            for at, mended in ((None, True), (size // 2, False), (size + 9, False)):
                content = bytearray(data + SEAL.pack(b"SWSEAL01", size, digest))
                if at is not None:
                    content[at] ^= 4
                path.write_bytes(content)
                if mended:
                    check_seal(path)
                else:
                    self.assertRaises(InputError, check_seal, path)
                if program.exists():
                    said = subprocess.run([program, "inspect", "--verify", path], capture_output=True, check=False)
                    self.assertEqual(said.returncode == 0, mended, said)
            path.write_bytes(data)
            check_seal(path)
            with self.assertRaisesRegex(InputError, "sealed.bin: lost its seal: its end is damaged, or another program"):
                check_seal(path, announced=True)

    def test_lost_ends_are_found(self):
        path = self.folder / "lost.h5"
        for says, end, taken in ((True, b"", False), (True, bytes(24), False), (False, b"", True), (False, bytes(24), True)):
            with h5py.File(path, "w") as file:
                file.attrs.update({"format": "slipwave-taylor", "version": 1.0})
                if says:
                    file.attrs["slipwave_seal"] = "SWSEAL01"
            path.write_bytes(path.read_bytes() + end)
            if taken:
                Results(path).close()
            else:
                self.assertRaises(InputError, Results, path)

    def test_formats(self):
        self.results([PSC], [np.zeros((3, 3))], format="slipwave-taylor", version=1.0)
        for attributes, message in (({"format": "slipwave-kwn"}, "not a results file of `slipwave taylor`"),
                                    ({"format": "slipwave-taylor", "version": 2.0}, "version 2 of slipwave-taylor")):
            with self.assertRaisesRegex(InputError, message):
                self.results([PSC], [np.zeros((3, 3))], **attributes)

    def test_forming_limits_are_in_order_and_those_without_a_neck_open(self):
        path = self.folder / "limit.h5"
        with h5py.File(path, "w") as file:
            file.attrs["format"], file.attrs["version"] = "slipwave-forming", 1.0
            file.create_group("run").attrs.update({"solver": "elastoplastic", "crystals": 500.0})
        with self.assertRaisesRegex(InputError, "has no forming limits"):
            plot_forming_limit.Limits(path)
        with h5py.File(path, "a") as file:
            group = file.create_group("forming_limit")
            group.attrs["imperfection"] = 0.99
            group["ratio"], group["end"] = [1.0, -0.5], np.array([2, 0], np.int32)
            group["strain"] = [[0.6, 0.6], [0.4, -0.2]]
            group["angle"], group["final_angle"] = [np.nan, np.pi / 12], [np.nan, np.pi / 6]
        limits = plot_forming_limit.Limits(path)
        figure = plot_forming_limit.plot([(limits, "one")], ["one"], [])
        _, _, curve, necked, others = figure.axes[0].lines[:5]
        np.testing.assert_allclose(curve.get_data(), [[-0.2, 0.6], [0.4, 0.6]])
        np.testing.assert_allclose(necked.get_data(), [[-0.2], [0.4]])
        np.testing.assert_allclose(others.get_data(), [[0.6], [0.6]])
        self.assertEqual(others.get_markerfacecolor(), "white")
        np.testing.assert_allclose(figure.axes[1].lines[1].get_data(), [[-0.5, 1], [30, np.nan]])

    def sweep(self, name, error, seconds, attributes=(), **columns):
        """A sweep of cost of `terms`, `grid` and `iterative`."""
        path = self.folder / f"{name}.h5"
        with h5py.File(path, "w") as file:
            file.attrs.update({"format": "slipwave-sweep", "version": 1.0})
            group = file.create_group("sweep")
            group.attrs.update({"vary": "cost", "reference": "iterative", "curve": "sigma12", "slope": np.nan,
                                "coefficient": np.nan, "curve_slope": np.nan, "curve_coefficient": np.nan,
                                "crystals": 100.0, "steps": 10.0, **dict(attributes)})
            group["value"], group["error"], group["curve_error"] = [0.1, 0.2, 0.3], error, np.array(error) / 2
            group["seconds_per_crystal_step"], group["fitted"] = seconds, [1, 0, 0]
            group["solver"] = group["label"] = np.array([b"terms", b"grid", b"iterative"])
            for column, values in columns.items():
                group[column] = values
        return path

    def test_front(self):
        """By hand: 10 steps; 1e-6 s a step and no set-up, 1e-7 and 1 s and 100 s of making it, 1e-4. The worse error and the shorter
        time of two loadings."""
        of = {"material": "M", "scatter": 0.3, "curve_scatter": 0.2}
        files = [self.sweep("a", [0.03, 0.01, 0], [2e-6, 1e-7, 1e-4], of, set_up=[0, 1, 0], generation=[0, 100, 0]),
                 self.sweep("b", [0.01, 0.04, 0], [1e-6, 3e-7, 1e-4], of, set_up=[0, 2, 0], generation=[0, 100, 0]),
                 self.sweep("c", [1, 1, 0], [1, 1, 1], {**of, "material": "N"}, set_up=[0] * 3, generation=[0] * 3)]
        fronts = plot_front.read(files)
        self.assertEqual(list(fronts), ["M", "N"])
        front = fronts["M"]
        np.testing.assert_allclose(front.error, [[0.015, 0.02, 0], [0.03, 0.04, 0]])
        np.testing.assert_allclose(front.scatter, [2, 3])
        np.testing.assert_allclose(front.time(1e6), [10, 102, 1e3])
        for error, crystals, generated, expected in ((0.1, 1e6, True, 0), (0.1, 1e6, False, 1), (0.1, 1e8, True, 1),
                                                     (0.035, 1e8, True, 0), (0.01, 1e3, True, 2)):
            self.assertEqual(front.cheapest(1, error, crystals, generated), expected)
        asked = "| iterative: 1000 s | iterative: 1000 s | terms: 10 s (grid that is there: 2 s) |"
        self.assertIn(f"| 1e6 | M | 0.2 % / 0.3 % {asked}", plot_front.table(fronts))
        axes = plot_front.plot(fronts).axes
        line = axes[0].lines[0]
        np.testing.assert_allclose(line.get_xdata()[[0, -1]], [1e-2, 1e4])
        np.testing.assert_allclose(line.get_ydata()[0], np.hypot(0.015, 2 / 1e3**0.5))
        with self.assertRaisesRegex(InputError, "set-up times"):
            plot_front.read([self.sweep("d", [1, 1, 0], [1, 1, 1])])

    def test_sweeps_name_their_devices(self):
        cases = (([b"cuda, A", b"cuda, A", b"cpu, 2 threads"], "terms, grid: cuda, A; iterative: cpu, 2 threads"),
                 ([b"cpu, 2 threads"] * 3, "cpu, 2 threads"), (None, ""))
        for i, (devices, expected) in enumerate(cases):
            more = {"device": np.array(devices)} if devices else {}
            sweep = plot_sweep.Sweep(self.sweep(f"sweep-{i}", [0.1, 0.2, 0.3], [0.1, 0.2, 0.3], **more))
            self.assertEqual(sweep.devices(), expected)
            self.assertEqual(plot_sweep.plot(sweep).axes[0].get_title(), "\n".join(filter(None, (
                "against iterative", expected))))

    # ---- slipwave-plot ----

    def test_command(self):
        command = ROOT / "scripts/slipwave-plot"
        shutil.copy(self.results([PSC], [np.diag([1e6, 0, -1e6])]).path, self.folder / "run.h5")

        def call(*arguments):
            return subprocess.run([sys.executable, command, *arguments], cwd=self.folder, capture_output=True,
                                  text=True, check=False)

        done = call("stress-strain", "run.h5", "--output", "fig.pdf")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue((self.folder / "fig.pdf").read_bytes().startswith(b"%PDF"))
        help_ = call("--help").stdout
        for kind, (name, _) in KINDS.items():
            self.assertIn(f"\n  {kind} ", help_)
            self.assertTrue(callable(importlib.import_module(f"slipwave.pictures.{name}").main))
        complaint = "slipwave-plot stress-strain: "
        for arguments, message in ((("pole", "run.h5"), "slipwave-plot: kind 'pole': need a file, or one of stress-strain, "),
                                   (("stress-strain", "run.h5"), complaint + "the following arguments are required: -o"),
                                   (("stress-strain", "run.h5", "-o", "x", "--colour"), complaint + "unrecognized argum"),
                                   (("stress-strain", "run.h5", "-o", "x.xyz"), complaint + "x.xyz: need .png, .svg, .p"),
                                   (("kwn", "run.h5", "-o", "x"), "slipwave-plot kwn: run.h5: not a results file of ")):
            done = call(*arguments)
            self.assertEqual((done.returncode, done.stderr.startswith(message), done.stderr.count("\n")), (1, True, 1),
                             done.stderr)


class Fits(unittest.TestCase):
    """Fits of `slipwave forming`."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "fit.h5"

    def write(self, strain, stress, known=1.0, components=("33", "33")):
        with h5py.File(self.path, "w") as file:
            file.attrs.update(format="slipwave-forming", version=1.0)
            fit = file.create_group("fit")
            fit.attrs.update(parameters="hardening.exponent slip.initial_slip_resistance", units="1 Pa",
                             deviations_known=known)
            fit.update(value=[2.254, 16.057e6], uncertainty=[0.124, np.inf])
            curve = fit.create_group("curves/0")
            curve.attrs.update(file="a/some-curve.csv", strain_component=components[0], stress_component=components[1],
                               deviation=1.5e6)
            for name, values in (("strain", strain), ("stress", stress), ("residual", np.full(len(strain), 1e6)),
                                 ("model_strain", strain), ("model_stress", stress)):
                curve[name] = np.asarray(values, dtype=float)
        return plot_fit.Fit(self.path)

    def test_compression_is_drawn_upwards_with_its_band(self):
        with self.write([0, -0.1, -0.2], [-50e6, -100e6, -150e6]) as fit:
            curves = fit.curves()
            self.assertEqual((curves[0].label, curves[0].deviation), ("some-curve", 1.5))
            figure = fitted_curves(curves, fit.findings())
        above, below = figure.axes
        for line in above.lines:  # points and the line
            np.testing.assert_allclose(line.get_xydata(), [[0, 50], [0.1, 100], [0.2, 150]])
        np.testing.assert_allclose(below.lines[-1].get_ydata(), -1)  # turned, too
        self.assertEqual(len(below.patches), 1)
        self.assertGreater(below.get_ylim()[1], 1.5)
        self.assertEqual(above.texts[0].get_text(), "exponent = 2.25 ± 0.12\n"
                         "initial slip resistance = 16.057 ± inf MPa")
        self.assertEqual(above.get_ylabel(), r"Cauchy stress $\sigma_{33}$ (MPa)")

    def test_an_unknown_uncertainty_is_not_drawn(self):
        self.assertEqual(plot_fit.finding("hardening.exponent", "1", 2.254, np.nan), "exponent = 2.254")

    def test_without_deviations_there_is_no_band(self):
        with self.write([0, 0.1], [1e6, 2e6], known=0.0, components=("12", "11-33")) as fit:
            figure = fitted_curves(fit.curves())
        self.assertEqual(len(figure.axes[1].patches), 0)
        self.assertEqual(figure.axes[1].get_xlabel(), r"Shear strain $\gamma_{12}$")
        self.assertEqual(figure.axes[0].get_ylabel(), r"Cauchy stress $\sigma_{11}-\sigma_{33}$ (MPa)")
        self.assertEqual(len(figure.axes[0].texts), 0)

    def test_what_is_no_fit_is_refused(self):
        self.write([0, 0.1], [1e6, 2e6]).close()
        with h5py.File(self.path, "r+") as file:
            del file["fit/curves/0/residual"]
        with plot_fit.Fit(self.path) as fit, self.assertRaises(InputError) as caught:
            fit.curves()
        self.assertIn("/fit/curves/0/residual is missing", str(caught.exception))


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "Agg"
    counted.main()
