"""The plotting scripts, on results files whose answers are known. Counted as CMocka's by scripts/dev/run-tests.

Skipped where numpy, h5py or matplotlib is missing."""

import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True

try:
    import h5py
    import numpy as np
    from matplotlib.figure import Figure
except ImportError as missing:
    print(f"[  SKIPPED ] 1 test(s): {missing.name} is missing from {sys.executable}")
    sys.exit(0)

import counted  # noqa: E402
import plot_bench  # noqa: E402
import plot_dem  # noqa: E402
import plot_dem_bench  # noqa: E402
import plot_fit  # noqa: E402
import plot_forming  # noqa: E402
import yield_functions  # noqa: E402
import plot_forming_limit  # noqa: E402
import plot_kwn_bench  # noqa: E402
import plot_sweep  # noqa: E402
import plot_texture  # noqa: E402
import plot_upsetting  # noqa: E402
import texture_components  # noqa: E402
from slipwave.curves import fitted_curves, stress_strain  # noqa: E402
from slipwave.maps import extend_rim  # noqa: E402
from slipwave_results import SEAL, InputError, Results, check_seal, digest_of, label_log_axis, save  # noqa: E402

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
        """As many of the file in the repository as docs/benchmarks.md says, and dots for them in the picture."""
        tables = plot_kwn_bench.read([ROOT / "bench/results/kwn-h200-2026-11-21.csv"])
        for name, rows, extrapolated in (("large", 312, 239), ("small", 210, 183)):
            parts = [part for cells in tables[name].values() for _, part in cells.values()]
            self.assertEqual((len(parts), sum(part < 1 for part in parts)), (rows, extrapolated))
            plot_kwn_bench.draw(name, tables[name], self.folder)
            self.assertTrue((self.folder / f"bench-kwn-{name}.png").is_file())

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

    def test_sweeps_name_their_devices(self):
        cases = (([b"cuda, A", b"cuda, A", b"cpu, 2 threads"], "terms, grid: cuda, A; iterative: cpu, 2 threads"),
                 ([b"cpu, 2 threads"] * 3, "cpu, 2 threads"), (None, ""))
        for i, (devices, expected) in enumerate(cases):
            path = self.folder / f"sweep-{i}.h5"
            with h5py.File(path, "w") as file:
                file.attrs.update({"format": "slipwave-sweep", "version": 1.0})
                group = file.create_group("sweep")
                group.attrs.update({"vary": "cost", "reference": "iterative", "curve": "sigma12", "slope": np.nan,
                                    "coefficient": np.nan, "curve_slope": np.nan, "curve_coefficient": np.nan})
                for name in ("value", "error", "curve_error", "seconds_per_crystal_step"):
                    group[name] = [0.1, 0.2, 0.3]
                group["fitted"] = [1, 0, 0]
                group["solver"] = np.array([b"terms", b"grid", b"iterative"])
                if devices:
                    group["device"] = np.array(devices)
            sweep = plot_sweep.Sweep(path)
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
        loader = importlib.machinery.SourceFileLoader("slipwave_plot", str(command))
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader("slipwave_plot", loader))
        loader.exec_module(module)
        for kind, (name, _) in module.KINDS.items():
            self.assertIn(f"\n  {kind} ", help_)
            self.assertTrue(callable(importlib.import_module(name).main))
        complaint = "slipwave-plot stress-strain: "
        for arguments, message in ((("pole", "run.h5"), "slipwave-plot: kind 'pole': need one of stress-strain, "),
                                   (("stress-strain", "run.h5"), complaint + "the following arguments are required: -o"),
                                   (("stress-strain", "run.h5", "-o", "x", "--colour"), complaint + "unrecognized argum"),
                                   (("stress-strain", "run.h5", "-o", "x.xyz"), complaint + "x.xyz: need .png, .svg, .p"),
                                   (("kwn", "run.h5", "-o", "x"), "slipwave-plot kwn: run.h5: not a results file of ")):
            done = call(*arguments)
            self.assertEqual((done.returncode, done.stderr.startswith(message), done.stderr.count("\n")), (1, True, 1),
                             done.stderr)


UPSETTING = """# a billet of radius: 3
upsetting: {radius: 0.010, height: 0.030, reduction: 0.5, cells: [2, 3]}
materials:
  - young: 200.0e9  # steel
    poisson: 0.3
    yield_stress: 700.0e6
    hardening: {law: linear, modulus: 300.0e6}
output: {file: billet.h5}
"""



class DemCurves(unittest.TestCase):
    """Histories of one element after its beginning in stage 3, drawn by the test that the file names."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def results(self, tests, stage, first=4, job="", rate_sensitivity=0.01, **history):
        """A file of histories [n]; those not given are 0, of stresses 100 kPa."""
        path, n = self.folder / f"run-{len(list(self.folder.iterdir()))}.h5", len(stage)
        six = ["11", "22", "33", "23", "13", "12"]
        with h5py.File(path, "w") as file:
            file.attrs.update(format="slipwave-dem", version=1.0)
            rows = {f"strain_{c}": np.zeros(n) for c in six}
            rows.update({f"stress_{c}": np.full(n, 1e5 if c[0] == c[1] else 0.0) for c in six})
            rows.update(stage=stage, step=20.0 * np.arange(n), volume_strain=np.zeros(n), deviator=np.zeros(n),
                        void_ratio=np.full(n, 0.7), coordination=np.full(n, 4.0))
            rows.update({name: np.zeros(n) for name in plot_dem.compaction.NAMES if name not in rows})
            rows.update(history)
            rows["pressure"] = sum(np.asarray(rows[f"stress_{i}{i}"]) for i in (1, 2, 3)) / 3
            for name, values in rows.items():
                file[f"history/{name}"] = np.array([values], dtype=float)
            for name, value in (("variant", 0), ("status", 0), ("n_particles", 10),
                                ("rate_sensitivity", rate_sensitivity)):
                file[f"rve/{name}"] = [float(value)]
            file.create_group("run").attrs.update(tests=tests, first_loading_stage=float(first), failures="", job=job)
        one = plot_dem.DemResults(path)
        self.addCleanup(one.file.close)
        return one

    def panels(self, *results, **options):
        given = {"test": None, "axis": None, "deviator": False, "reference": [], **options}
        return plot_dem.plot_curves([(one, one.path.stem) for one in results], mock.Mock(**given)).axes

    def test_shear_there_and_back_is_drawn_over_gamma(self):
        strain, stress = [0, 0.05, 0.1, 0.05, 0.0], [0, 5e4, 6e4, -4e4, -6e4]
        panels = self.panels(self.results("4 simple_shear 13\n5 simple_shear 13\n", [3, 4, 4, 5, 5], strain_13=strain,
                                          stress_13=stress, volume_strain=[0, 0.01, 0.02, 0.01, 0]))
        np.testing.assert_allclose(panels[0].lines[0].get_data(), [[0, 10, 20, 10, 0], [0, 50, 60, -40, -60]])
        self.assertIn("gamma", panels[0].get_xlabel())
        np.testing.assert_allclose(panels[1].lines[0].get_ydata(), [0, 1, 2, 1, 0])

    def test_ensembles_turn_together(self):
        def one(scale):
            return {"gamma": scale * np.array([0, 10, 20, 10, 0.0]), "done": np.array([0, 0.5, 1, 1.5, 2])}
        mean, deviation = plot_dem.ensemble([one(1), one(3)], "gamma")
        self.assertAlmostEqual(mean["gamma"].max(), 40)
        self.assertAlmostEqual(mean["gamma"][-1], 0)
        self.assertAlmostEqual(deviation["gamma"].max(), np.sqrt(2) * 20)

    def test_p0_is_that_of_the_consolidation(self):
        stress = [1e5, 2e5, 4e5, 4e5, 4e5]
        run = self.results("4 isotropic -\n5 drained_triaxial 2\n", [3, 4, 4, 5, 5],
                           strain_22=[0, 0.01, 0.01, 0.02, 0.03], volume_strain=[0, 0.03, 0.03, 0.035, 0.036],
                           stress_11=stress, stress_33=stress,
                           stress_22=[1e5, 2e5, 4e5, 8e5, 12e5], deviator=[0, 0, 0, 4e5, 8e5])
        panels = self.panels(run)
        np.testing.assert_allclose(panels[0].lines[0].get_data(), [[0, 1, 2], [1, 2, 3]])
        slope = next(line for line in panels[2].lines if line.get_label() == "slope 3")
        np.testing.assert_allclose(slope.get_data(), [[400, 2000 / 3], [0, 800]])
        self.assertEqual(len(self.panels(run, test=1)[0].lines[0].get_xdata()), 5)  # on request from the first
        with self.assertRaisesRegex(InputError, "--test 3: .* has tests 1 to 2"):
            self.panels(run, test=3)

    def test_undrained_has_pore_pressure_and_no_slope(self):
        panels = self.panels(self.results("4 undrained_triaxial 3\n", [3, 4, 4], strain_33=[0, 0.01, 0.02],
                                          stress_11=[1e5, 6e4, 4e4], stress_22=[1e5, 6e4, 2e4],
                                          stress_33=[1e5, 1e5, 9e4], deviator=[0, 4e4, 6e4]))
        np.testing.assert_allclose(panels[1].lines[0].get_data(), [[0, 1, 2], [0, 40, 70]])
        self.assertEqual(len(panels[2].lines), 1)
        np.testing.assert_allclose(panels[3].lines[0].get_ydata(), [0, 4 / 7.3333333, 6 / 5], rtol=1e-6)

    def test_packing_alone(self):
        stress = [0, 1e3, 2e5]
        panels = self.panels(self.results("", [0, 0, 1], first=0, volume_strain=[0.1, 0.5, 0.8], stress_11=stress,
                                          stress_22=stress, stress_33=stress))
        np.testing.assert_allclose(panels[0].lines[0].get_data(), [[10, 50, 80], [0, 1, 200]])

    def test_several_files_of_one_kind(self):
        shear = self.results("4 simple_shear 13\n", [3, 4], strain_13=[0, 0.1])
        other = self.results("4 simple_shear 13\n", [3, 4], strain_13=[0, 0.2])
        self.assertEqual([text.get_text() for text in self.panels(shear, other)[0].get_legend().get_texts()],
                         [shear.path.stem, other.path.stem])
        with self.assertRaisesRegex(InputError, "need tests of one kind"):
            self.panels(shear, self.results("4 drained_triaxial 3\n", [3, 4], strain_33=[0, 0.1],
                                            volume_strain=[0, 0.01]))

    def test_yield_surfaces_leave_out_what_did_not_yield(self):
        run = self.results("4 compaction 3\n", [3, 4])
        with self.assertRaisesRegex(InputError, "has no probes"):
            plot_dem.plot_yield([(run, "run")], None)
        path = run.path
        run.file.close()
        with h5py.File(path, "a") as file:
            file["probes/angle"] = np.arange(4) * np.pi / 2
            file["probes/pressure"] = [[2e6, 1e6, np.nan, 1e6]]
            file["probes/deviator"] = [[0, 1e6, np.nan, -3e6]]
            file["probes/start_pressure"], file["probes/start_deviator"] = [2.5e6], [0.5e6]
        run = plot_dem.DemResults(path)
        line, start = plot_dem.plot_yield([(run, "run")], None).axes[0].lines[:2]
        np.testing.assert_allclose(line.get_data(), [[2, 1, 1], [0, 1, -3]])
        np.testing.assert_allclose(np.ravel(start.get_data()), [2.5, 0.5])

    def compaction(self, lateral=1.0, axis=3, **given):
        """Of metal with a strength of 100 MPa at 1e3 1/s, on axes other than `axis` at a part of its strain."""
        strain = np.array([0, 0.05, 0.1])
        history = {"relative_density": [0.64, 0.7, 0.8], "time": strain / 1e3, "strength": np.full(3, 1e8),
                   "stress_11": [1e6, 2e6, 3e6], "stress_22": [1e6, 4e6, 5e6], "stress_33": [1e6, 6e6, 10e6],
                   **{f"strain_{i}{i}": strain * (1 if i == axis else lateral) for i in (1, 2, 3)}, **given}
        return self.results("4 compaction -\n", [3, 4, 4], **history)

    def test_even_compaction_stands_beside_published_formulas(self):
        panels = self.panels(self.compaction(job="# time_scale: 1\nnumerics: {time_scale: 1.0e6, affine: no}\n"))
        self.assertEqual(len(panels), 4)  # none of crystals
        density = np.array([0.64, 0.7, 0.8])
        mean, fleck = (line.get_data() for line in panels[0].lines)
        np.testing.assert_allclose(mean, [density, [1, 4, 6]])
        flow = 100 * 1e-3**0.01  # MPa, at 1e3 1/s over the time scale
        np.testing.assert_allclose(fleck, [density, 3 * density**2 * (density - 0.64) / 0.36 * flow], atol=1e-12)
        arzt = panels[1].lines[1].get_ydata()
        self.assertAlmostEqual(arzt[0], 7.3)
        self.assertAlmostEqual(arzt[-1], 7.3 + 15.5 * (1.25**(1 / 3) - 1))

    def test_formula_of_pressure_is_of_one_metal_that_hardly_minds_the_rate(self):
        for given in ({"job": "material: {law: metal}\nothers:\n  - {part: 0.5}\n"}, {"rate_sensitivity": 0.3},
                      {"lateral": 0.5}):
            lines = self.panels(self.compaction(**given))[0].lines
            self.assertNotIn(":", [line.get_linestyle() for line in lines])
        unloaded = self.panels(self.compaction(relative_density=[0.64, 0.8, 0.79], time=[0, 1e-4, 2e-4]))[0].lines[1]
        np.testing.assert_array_equal(np.isfinite(unloaded.get_ydata()), [True, True, False])

    def test_a_die_has_an_axis_which_may_be_told(self):
        run = self.compaction(lateral=0.0, axis=1)
        mean, axial, lateral = (line.get_ydata() for line in self.panels(run)[0].lines)
        np.testing.assert_allclose([mean, axial, lateral], [[1, 4, 6], [1, 2, 3], [1, 5, 7.5]])
        np.testing.assert_allclose(self.panels(run, axis=3)[0].lines[1].get_ydata(), [1, 6, 10])

    def test_crystals_are_known_where_they_were_refreshed(self):
        run = self.compaction(lateral=0.0, slip_resistance=[2e7, 2e7, 4e7], particle_strain=[0.1, 0.1, 0.3],
                              deviator_strain=[0, 0.05, 0.1])
        other = self.compaction(lateral=0.0, deviator_strain=[0, 0.05, 0.1])  # without crystals
        panels = self.panels(run, other)
        self.assertEqual(len(panels), 6)
        np.testing.assert_allclose(panels[3].lines[0].get_ydata(), [20, 30, 40])
        np.testing.assert_allclose(panels[4].lines[0].get_ydata(), [10, 20, 30])
        self.assertFalse(np.isfinite(panels[3].lines[1].get_ydata()).any())
        np.testing.assert_allclose(plot_dem.compaction.between_refreshes(np.array([1.0, 1, 3, 3])), [1, 2, 3, np.nan])

    def test_compaction_goes_with_its_like(self):
        with self.assertRaisesRegex(InputError, "need tests of one kind"):
            self.panels(self.compaction(), self.results("4 simple_shear 13\n", [3, 4], strain_13=[0, 0.1]))
        with self.assertRaisesRegex(InputError, "--reference curve.csv: goes with drained triaxial"):
            self.panels(self.compaction(), reference=["curve.csv"])

    def test_strains_that_begin_anew(self):
        run = self.results("4 simple_shear 13\n5 simple_shear 13 zero\n", [3, 4, 4, 5, 5],
                           strain_13=[0, 0.05, 0.1, 0.05, 0.1])
        np.testing.assert_allclose(self.panels(run)[0].lines[0].get_xdata(), [0, 10, 20, 30, 40])


class Upsetting(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def history(self, displacement, force, job=UPSETTING, kinematics="axisymmetric", **attributes):
        """A results file of one tool: displacement and force [n][c]."""
        path = self.folder / f"run-{len(list(self.folder.iterdir()))}.h5"
        with h5py.File(path, "w") as file:
            file.attrs.update({"format": "slipwave-fem", "version": 1.0})
            file.create_group("run").attrs.update({"kinematics": kinematics, "job": job, "tools": "tool plate",
                                                   **attributes})
            file["history/tool_displacement"] = np.asarray(displacement)[:, None]
            file["history/tool_force"] = np.asarray(force)[:, None]
            file["history/tool_contact_area"] = np.full((len(force), 1), 3e-4)
        return path

    def opened(self, path):
        one = plot_upsetting.ToolHistory(path)
        self.addCleanup(one.file.close)
        return one

    def fields(self, name, points, cells, displacement, pressure=None):
        """A .vtkhdf file: plastic strain 0, 0.1, ... of elements."""
        path = str(self.folder / name)
        with h5py.File(path, "w") as file:
            grid = file.create_group("VTKHDF")
            grid["Points"], grid["Connectivity"] = np.asarray(points, dtype=float), np.ravel(cells)
            grid["Types"] = np.full(len(cells), 9 if len(cells[0]) == 4 else 12, dtype=np.uint8)
            grid["CellData/plastic_strain"] = 0.1 * np.arange(len(cells))
            grid["PointData/displacement"] = np.asarray(displacement, dtype=float)
            if pressure is not None:
                grid["PointData/contact_pressure"] = np.asarray(pressure, dtype=float)
        return path

    def billet(self, name="billet-0001.vtkhdf", height=0.5):
        """Two quadrilaterals of 10 by 10 mm side by side, pressed to this height without change of volume."""
        x, y = np.meshgrid([0, 0.01, 0.02], [0, 0.01])
        points = np.stack((x.ravel(), y.ravel(), 0 * x.ravel()), axis=1)
        displacement = points * [height**-0.5 - 1, height - 1, 0]
        return self.fields(name, points, [[0, 1, 4, 3], [1, 2, 5, 4]], displacement, [0, 0, 0, 2e8, 1e8, 3e8])

    def frames(self, *paths, mirror="auto", **options):
        options = {"field": "plastic_strain", "component": None, "azimuth": 30, "elevation": 25, **options}
        return plot_upsetting.read_frames(paths, mock.Mock(mirror=mirror, **options))

    def call(self, *arguments):
        with mock.patch.object(sys, "argv", ["plot_upsetting.py", *map(str, arguments)]):
            plot_upsetting.main()

    # ---- Force and stroke ----

    def test_closed_form(self):
        billet = plot_upsetting.Billet(UPSETTING, solid=False)
        e, y, h = 200e9, 700e6, 300e6
        for stroke in (0, 1e-5, 0.5 * 0.03 * (1 - np.exp(-y / e)), 1e-3, 7.5e-3):
            height = 0.03 - 2 * stroke
            strain, stress = np.log(0.03 / height), billet.force(stroke) * height / (0.03 * np.pi * 0.01**2)
            plastic = max(0, (stress - y) / h)
            # some ten roundings of a stress of up to 9e8 Pa, over H: 3e-15
            self.assertAlmostEqual(stress / e + plastic, strain, delta=1e-14)
        self.assertFalse(plot_upsetting.Billet(UPSETTING.replace("linear", "table"), False).has_closed_form())
        perfect = plot_upsetting.Billet(UPSETTING.replace("law: linear, modulus: 300.0e6", "law: none"), False)
        np.testing.assert_allclose(perfect.force(7.5e-3), 2 * y * np.pi * 0.01**2, rtol=1e-12)
        elastic = plot_upsetting.Billet(UPSETTING.replace("yield_stress: 700.0e6", ""), False)
        np.testing.assert_allclose(elastic.force(7.5e-3), 2 * e * np.log(2) * np.pi * 0.01**2, rtol=1e-12)

    def test_force_is_along_the_stroke(self):
        moves, forces = [[0, -1e-3], [0, -2e-3]], [[-9e5, -3e5], [-9e5, -4e5]]  # a ring's radial forces cancel
        (tool, stroke, force, _), = self.opened(self.history(moves, forces)).curves()
        self.assertEqual(tool, "plate")
        np.testing.assert_allclose(stroke, [0, 1e-3, 2e-3])
        np.testing.assert_allclose(force, [0, 3e5, 4e5])

    def test_whole_of_a_quarter(self):
        move, push = [[0, 0, -1e-3]], [[1e4, 1e4, -1e5]]
        for job, whole in ((UPSETTING, 4), (UPSETTING.replace("upsetting", "mesh"), 1)):
            (_, _, force, area), = self.opened(self.history(move, push, job, "solid")).curves()
            np.testing.assert_allclose([force[-1], area[-1]], [whole * 1e5, whole * 3e-4])

    def test_force_and_stroke_figure(self):
        histories = [self.opened(self.history([[0, -s]], [[0, -3e5]])) for s in (1e-3, 6e-3)]
        axes = plot_upsetting.plot_strokes(histories).axes[0]
        *runs, closed = axes.lines
        self.assertEqual([line.get_xdata()[-1] for line in runs], [1, 6])
        self.assertEqual((closed.get_linestyle(), closed.get_xdata()[-1]), ("--", 6))  # once, to the furthest
        np.testing.assert_allclose(closed.get_ydata()[-1], 1e-3 * histories[0].billet.force(6e-3))
        other = UPSETTING.replace("upsetting", "mesh")
        alone = plot_upsetting.plot_strokes([self.opened(self.history([[0, -1e-3]], [[0, -3e5]], other))])
        self.assertEqual(len(alone.axes[0].lines), 1)
        self.call(histories[0].path, histories[1].path, "-o", self.folder / "force.png")
        self.assertTrue((self.folder / "force.png").read_bytes().startswith(b"\x89PNG"))

    # ---- Shapes ----

    def test_mirrors(self):
        (frame,), label = self.frames(self.billet())
        self.assertEqual((frame.mirrors, label), ((0, 1), "equivalent plastic strain (%)"))
        np.testing.assert_allclose(frame.colour, [0, 10] * 4)
        wide = 20 / np.sqrt(0.5)
        np.testing.assert_allclose(frame.corner.reshape(-1, 2).min(axis=0), [-wide, -5])
        np.testing.assert_allclose(frame.corner.reshape(-1, 2).max(axis=0), [wide, 5])
        # nodes that touch, inwards to outwards
        np.testing.assert_allclose(frame.place, [0, wide / 2, wide])
        np.testing.assert_allclose(frame.pressure, [200, 100, 300])
        for mirror, faces in (("none", 2), ("x", 4), ("xy", 8)):
            self.assertEqual(len(self.frames(self.billet(), mirror=mirror)[0][0].corner), faces)
        (frame,), _ = self.frames(self.billet(), field="displacement", component="x")  # it has a sign
        np.testing.assert_allclose(frame.colour[:2], -frame.colour[2:4])
        np.testing.assert_allclose(frame.colour[:4], frame.colour[4:])
        self.assertGreater(frame.colour[0], 0)
        # what is clamped does not slide: no symmetry; nor is the side that is away from 0
        square = [[0, 1, 0], [1, 1, 0], [1, 2, 0], [0, 2, 0]]
        for move in ([[0, 0, 0], [0.1, 0, 0], [0.1, -0.1, 0], [0, 0, 0]], np.zeros((4, 3))):
            (frame,), _ = self.frames(self.fields("clamped.vtkhdf", square, [[0, 1, 2, 3]], move))
            self.assertEqual((frame.mirrors, frame.pressure), ((), None))

    def test_cut_of_a_solid(self):
        corner = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 2], [1, 0, 2], [1, 1, 2], [0, 1, 2]])
        points = np.concatenate((corner, corner - [0, 1, 0]))  # two elements with y = 0 between them
        cells = [list(range(8, 16)), list(range(8))]
        (frame,), _ = self.frames(self.fields("two.vtkhdf", points, cells, 0 * points))
        np.testing.assert_allclose(frame.values, [[0.1]])  # the one of positive y
        x, y = frame.corner[0].T
        area = 0.5 * (x @ np.roll(y, -1) - y @ np.roll(x, -1))
        np.testing.assert_allclose(area, 2e6)  # mm2, counter-clockwise
        # elsewhere the outside: the cube's three faces that face the eye
        away = self.fields("away.vtkhdf", corner + [0, 5, 0], [list(range(8))], 0 * corner)
        self.assertEqual(len(self.frames(away)[0][0].corner), 3)
        with self.assertRaisesRegex(InputError, "--mirror: .*away.vtkhdf has no faces on the plane y = 0"):
            self.frames(away, mirror="x")

    def test_series(self):
        paths = [self.billet(f"billet-000{i}.vtkhdf", 1 - 0.1 * i) for i in (1, 2, 3)]
        self.call(*paths, "-o", self.folder / "frames")
        pictures = sorted((self.folder / "frames").iterdir())
        self.assertEqual([path.name for path in pictures], [f"billet-000{i}.png" for i in (1, 2, 3)])
        self.assertTrue(all(path.read_bytes().startswith(b"\x89PNG") for path in pictures))
        gif = self.folder / "billet.gif"
        with mock.patch.dict(sys.modules, {"PIL": None}):
            with self.assertRaisesRegex(InputError, "billet.gif: Pillow, which writes GIFs, is missing from "):
                self.call(*paths, "-o", gif)
        self.assertFalse(gif.exists())
        try:
            from PIL import Image
        except ImportError:
            self.skipTest("Pillow is missing")
        self.call(*paths, "-o", gif, "--speed", "5")
        with Image.open(gif) as image:
            self.assertEqual((image.format, image.n_frames, image.info["duration"]), ("GIF", 3, 200))

    def test_bad_inputs(self):
        good, fields = self.history([[0, -1e-3]], [[0, -3e5]]), self.billet()
        still = self.history([[0, 0]], [[0, -3e5]])
        bare = self.history([[0, -1e-3]], [[0, -3e5]], tools="")
        less = self.history([[0, -1e-3]], [[0, -3e5]])
        with h5py.File(less, "a") as file:
            del file["history/tool_force"]
        for arguments, message in (
                ((bare, "-o", "x.png"), f"{bare.name}: no tools: need results of a job with"),
                ((less, "-o", "x.png"), f"{less.name}: /history/tool_force is missing"),
                ((still, "-o", "x.png"), f"{still.name}: /history/tool_displacement: no tool has moved"),
                ((good, fields, "-o", "x.png"), "billet-0001.vtkhdf: fields beside results"),
                ((fields, fields, "-o", "x.png"), "x.png: 2 files of fields: need .gif"),
                ((fields, fields, "-o", "frames"), "frames: two files of fields of one name"),
                ((fields, "-o", "x.png", "--field", "slip"), "billet-0001.vtkhdf has plastic_strain, "),
                ((fields, "-o", "x.gif", "--speed", "0"), "--speed 0: need 0.1 to 50"),
                ((fields, "-o", "x.png", "--range", "1", "0"), "--range 1 0: need finite numbers"),
                ((self.folder / "none.h5", "-o", "x.png"), "none.h5: No such file")):
            with self.assertRaises(InputError) as caught:
                self.call(*arguments)
            self.assertIn(message, str(caught.exception))


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
