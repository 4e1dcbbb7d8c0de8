"""Materials with families of slip systems in the package: their values, states of crystals, histories."""

import json
import math
import pickle
import re
import shutil
import tempfile
import unittest
from pathlib import Path

import package

package.need("numpy")

import numpy as np  # noqa: E402

import counted  # noqa: E402
import slipwave  # noqa: E402

# Magnesium of the tests in C
MAGNESIUM = {
    "name": "magnesium", "crystal_structure": "hexagonal", "c_over_a": 1.6235,
    "elasticity": {"C11": 59.3e9, "C33": 61.5e9, "C44": 16.4e9, "C12": 25.7e9, "C13": 21.4e9},
    "slip": {"reference_slip_rate": 1e-3, "rate_sensitivity": 0.05, "families": [
        {"family": "basal", "initial_slip_resistance": 10e6, "initial_hardening_rate": 0.5e9,
         "saturation_resistance": 40e6, "exponent": 2.25, "latent": [1, 1, 1, 1.5]},
        {"family": "prismatic", "initial_slip_resistance": 55e6, "initial_hardening_rate": 0.5e9,
         "saturation_resistance": 135e6, "exponent": 2.25},
        {"family": "pyramidal2_ca", "initial_slip_resistance": 60e6, "initial_hardening_rate": 0.5e9,
         "saturation_resistance": 150e6, "exponent": 2.25},
        {"family": "tension_twin", "initial_slip_resistance": 40e6, "initial_hardening_rate": 50e6,
         "hardening_by_slip": 50e6}]},
    "hardening": {"law": "phenopowerlaw"}}
SYSTEMS = {"basal": 3, "prismatic": 3, "pyramidal2_ca": 6, "tension_twin": 6}
PULLED = np.diag([1e-3, 0, -1e-3])
JOB = {"solver": "elastoplastic", "strain_increment": 0.005, "loading": [{"velocity_gradient": PULLED, "duration": 30}]}


def mean_of(resistances):
    return sum(SYSTEMS[name] * s for name, s in resistances.items()) / sum(SYSTEMS.values())


class Families(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.magnesium = slipwave.Material(MAGNESIUM)

    def test_values_come_back(self):
        self.assertEqual(self.magnesium.families, list(SYSTEMS))
        values = self.magnesium.values
        for one, other in zip(MAGNESIUM["slip"]["families"], values["slip"]["families"]):
            self.assertEqual(one, other)
        self.assertEqual(pickle.loads(pickle.dumps(self.magnesium)).values, values)
        initial = {one["family"]: one["initial_slip_resistance"] for one in MAGNESIUM["slip"]["families"]}
        self.assertAlmostEqual(self.magnesium.slip_resistance, mean_of(initial), delta=1e-6)
        families = [dict(one) for one in values["slip"]["families"]]
        families[1]["initial_slip_resistance"] = 75e6
        harder = self.magnesium.replace(slip={"families": families})
        self.assertAlmostEqual(harder.slip_resistance, mean_of({**initial, "prismatic": 75e6}), delta=1e-6)
        with self.assertRaisesRegex(slipwave.InputError, "need families of slip before twins"):
            self.magnesium.replace(slip={"families": families[::-1]})
        with self.assertRaisesRegex(slipwave.InputError, r"c_over_a = 16.2: need 1.4 to 2"):
            self.magnesium.replace(c_over_a=16.2)

    def test_long_materials_come_back(self):
        """All families that there are, with all digits."""
        names = ["basal", "prismatic", "pyramidal_a", "pyramidal_ca", "pyramidal2_ca", "tension_twin", "tension_twin2",
                 "compression_twin", "compression_twin2"]
        slips = [{"family": name, "initial_slip_resistance": 1e7 / 3, "latent": [k / 3 for k in range(9)], "self": 1 / 3,
                  "initial_hardening_rate": 1e9 / 3, "saturation_increase": 2e7 / 3, "final_hardening_rate": 1e7 / 3}
                 for name in names]
        slips = [one for one in slips if one["family"] not in ("pyramidal_ca", "compression_twin")]  # 48 systems at most
        for one in slips:
            one["latent"] = one["latent"][:len(slips)]
        long = slipwave.Material({**MAGNESIUM, "slip": {**MAGNESIUM["slip"], "families": slips},
                                  "hardening": {"law": "extended_voce"}})
        self.assertEqual(long.values["slip"]["families"], slips)

    def test_systems_come_back(self):
        """A family of indices of its own stays one of whole numbers."""
        systems = [[1, 1, -2, 2, -1, -1, 2, 3], [1, -2, 1, 2, -1, 2, -1, 3], [-2, 1, 1, 2, 2, -1, -1, 3],
                   [-1, -1, 2, 2, 1, 1, -2, 3], [-1, 2, -1, 2, 1, -2, 1, 3], [2, -1, -1, 2, -2, 1, 1, 3]]
        families = MAGNESIUM["slip"]["families"]
        own = slipwave.Material({**MAGNESIUM, "slip": {**MAGNESIUM["slip"], "families": [
            *families[:2], {**families[2], "family": "mine", "systems": systems}, families[3]]}})
        self.assertEqual(own.values["slip"]["families"][2]["systems"], systems)
        self.assertEqual(pickle.loads(pickle.dumps(own)).values, own.values)
        self.assertEqual(own.replace(c_over_a=1.61).families[2], "mine")

    def test_phases_of_results(self):
        """Of a file each is what its group holds, its own material and the run's solver with it; pictures of textures are of one."""
        try:
            import h5py
            from slipwave.pictures import texture
        except ImportError:
            return
        job = {"solver": "rigid_plastic", "strain_increment": 0.02, "loading": [{"velocity_gradient": PULLED.tolist(), "duration": 40}],
               "phases": [{"name": "mg", "material": "magnesium.yaml", "fraction": 0.4, "crystals": {"count": 30, "seed": 2}},
                          {"name": "cu", "material": str(slipwave.data("materials/copper-ofhc.yaml")), "fraction": 0.6, "crystals": {"count": 20}}],
               "output": {"file": "out.h5", "orientations": [0, "last"], "textures": ["last"]}}
        for name, values in (("magnesium.yaml", MAGNESIUM), ("job.yaml", job)):
            (self.folder / name).write_text(json.dumps(values), encoding="utf-8")
        package.run("slipwave", "taylor", "-q", "--device", "cpu", "job.yaml", folder=self.folder)
        path = self.folder / "out.h5"
        with slipwave.results.Results(path) as results, h5py.File(path) as file:
            self.assertEqual(results.steps(), [])
            for name, structure, count in (("mg", "hexagonal", 30), ("cu", "fcc", 20)):
                phase = results.phase(name)
                step = phase.steps()[-1]
                np.testing.assert_array_equal(phase.orientations()[0], file[f"phases/{name}/orientations/{step}/euler"][:])
                self.assertEqual((phase.structure(), len(phase.orientations(0)[0]), phase.label(), phase.loading()),
                                 (structure, count, "rigid_plastic", "plane strain"))
            self.assertEqual((results.phase("mg").c_over_a(), results.phase("cu").c_over_a()), (1.6235, None))
            with self.assertRaisesRegex(slipwave.InputError, "out.h5: no phase 'fe' in it: need one of cu, mg"):
                results.phase("fe")
            phase.close()
            phase.close()
        options = texture.arguments().parse_args([str(path), "--phase", "mg", "-o", "t.png"])
        texture.figure(options)
        self.assertEqual(options.poles, ["0002", "10-10", "10-11"])
        with self.assertRaisesRegex(slipwave.InputError, "out.h5: several phases: need --phase, one of cu, mg"):
            texture.figure(texture.arguments().parse_args([str(path), "-o", "t.png"]))

    def test_states_are_the_layouts(self):
        for solver in ("elastoplastic", "rigid_plastic"):
            response = slipwave.Response(solver, material=self.magnesium)
            self.assertEqual(sum(one.values for one in response.layout), response.kept)
            self.assertEqual([one.values for one in response.layout if one.name == "family_slip"], [4])
            self.assertGreater(response.kept, slipwave.solvers()[solver].kept + 4)
            crystals = slipwave.random_crystals(40, self.magnesium).reshape(2, 20, 4)
            kept = response.begin(crystals)
            self.assertEqual((kept.shape, kept.dtype), ((2, 20, response.kept), np.float32))
            self.assertTrue(kept.any())
            before = kept.copy()
            gradient = np.array([PULLED, -PULLED])
            tried = response.step_each(gradient, 3, crystals, kept=kept, commit=False, tangent=True)
            np.testing.assert_array_equal(kept, before)
            done = response.step_each(gradient, 3, crystals, kept=kept)
            np.testing.assert_array_equal(done.stress, tried.stress)
            names = [one.name for one in response.layout for _ in range(one.values)]
            own = kept.reshape(40, -1)[:, [name == "family_slip" for name in names]].astype(float)
            np.testing.assert_allclose(response.state_mean("family_slip", kept), own.mean(axis=0), rtol=1e-6)
            weight = np.linspace(0, 2, 40, dtype=np.float32).reshape(2, 20)
            np.testing.assert_allclose(response.state_mean("family_slip", kept, weight),
                                       np.average(own, axis=0, weights=weight.ravel()), rtol=1e-6)
            with self.assertRaisesRegex(slipwave.ArgumentError, "have no spin"):
                response.state_mean("spin", kept)
            with self.assertRaisesRegex(slipwave.ArgumentError, "kept"):
                response.step_each(gradient, 3, crystals, kept=kept[..., 1:].copy())
        copper = slipwave.Material(slipwave.data("materials/copper-ofhc.yaml"))
        plain = slipwave.Response("elastoplastic", material=copper)
        self.assertEqual([(one.name, one.values) for one in plain.layout], [("elastic_stress", 5)])
        self.assertFalse(plain.begin(slipwave.random_crystals(3, copper)).any())
        self.assertEqual(slipwave.Response("rigid_plastic", material=copper).layout, ())

    def test_histories_are_of_families(self):
        """Of a run in memory, of one by the program, and of steps by a response; a twin's fraction by hand."""
        text = re.sub(r"'", '"', str(MAGNESIUM))
        (self.folder / "magnesium.yaml").write_text(text, encoding="utf-8")
        job = {**JOB, "material": str(self.folder / "magnesium.yaml"), "crystals": {"count": 30, "seed": 2}}
        run = slipwave.Taylor(job).run()
        history = run.history
        self.assertEqual((list(history.family_slip), list(history.twin_fraction)), (list(SYSTEMS), ["tension_twin"]))
        c = MAGNESIUM["c_over_a"]
        np.testing.assert_allclose(history.twin_fraction["tension_twin"] * (3 - c**2) / (math.sqrt(3) * c),
                                   history.family_slip["tension_twin"], rtol=1e-12)
        self.assertTrue(all(slip[0] == 0 and slip[-1] > 1e-4 and (np.diff(slip) >= 0).all()
                            for slip in history.family_slip.values()))
        response = slipwave.Response("elastoplastic", material=self.magnesium)
        crystals = slipwave.random_crystals(30, self.magnesium, seed=2)
        for before, after in zip(history.time, history.time[1:]):
            mean = response.step(PULLED, float(after - before), crystals)
        np.testing.assert_array_equal(mean.stress, history.cauchy_stress[-1])
        np.testing.assert_array_equal(response.state_mean("family_slip"), [slip[-1] for slip in history.family_slip.values()])
        try:
            import h5py  # noqa: F401
        except ImportError:
            return
        lines = {**JOB, "loading": [{"velocity_gradient": PULLED.tolist(), "duration": 30}], "material": "magnesium.yaml",
                 "crystals": {"count": 30, "seed": 2}, "output": {"file": "out.h5"}}
        (self.folder / "job.yaml").write_text(re.sub(r"'", '"', str(lines)), encoding="utf-8")
        package.run("slipwave", "taylor", "-q", "--device", "cpu", "job.yaml", folder=self.folder)
        with slipwave.results.Results(self.folder / "out.h5") as results:
            kept = results.history
        for name in ("family_slip", "twin_fraction"):
            for family, values in getattr(kept, name).items():
                np.testing.assert_array_equal(values, getattr(history, name)[family])


if __name__ == "__main__":
    counted.main()
