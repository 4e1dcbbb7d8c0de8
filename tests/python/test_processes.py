"""The package slipwave in processes that are forked off, and what of it is pickled for them."""

import copy
import multiprocessing
import os
import pickle
import shutil
import signal
import tempfile
import time
import unittest
from pathlib import Path

import package

package.need("numpy")

import numpy as np  # noqa: E402

import counted  # noqa: E402
import slipwave  # noqa: E402

TENSION = np.diag([1e-3, -0.5e-3, -0.5e-3])
JOB = {"solver": "elastoplastic", "crystals": {"count": 20000}, "strain_increment": 0.02,
       "loading": [{"velocity_gradient": TENSION, "duration": 200}]}
LIMIT_S = 30  # of what takes a tenth of a second: what waits for ever fails


def in_a_fork(function):
    """What a function returns in a process that is forked off; None where that does not end, or fails."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, pickle.dumps(function()))
        finally:
            os._exit(0)
    os.close(writing)
    until = time.monotonic() + LIMIT_S
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
        time.sleep(0.01)
    with os.fdopen(reading, "rb") as file:
        answer = file.read()
    return pickle.loads(answer) if answer else None


class Processes(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.copper = slipwave.Material(slipwave.data("materials/copper-ofhc.yaml"))
        self.alloy = slipwave.Alloy(slipwave.data("alloys/al-mg-si-6082.yaml"))
        self.crystals = slipwave.random_crystals(20000, self.copper)  # enough for all threads

    def database(self):
        package.run("slipwave-db", "generate", "-q", "--grid", "8,8,8,12", "--terms", "all", "-o", "db.h5",
                    slipwave.data("materials/copper-ofhc.yaml"), folder=self.folder)
        return slipwave.Database(self.folder / "db.h5", terms=100)

    def stress(self, response):
        return response.step(TENSION, 1, self.crystals.copy()).stress

    def test_forked_processes_step(self):
        """Whatever was opened, and whichever threads were started, before."""
        database = self.database()
        for solver in ("rigid_plastic", "elastoplastic", "iterative", "grid", "terms"):
            given = {"database": database} if solver in ("grid", "terms") else {"material": self.copper}
            response = slipwave.Response(solver, **given)
            self.stress(response)
            found = in_a_fork(lambda: self.stress(slipwave.Response(solver, **given)))
            self.assertIsNotNone(found, solver)
            expected = self.stress(slipwave.Response(solver, **given))
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-3, err_msg=solver)  # Pa; sums in another order
            self.assertIsNotNone(in_a_fork(lambda: self.stress(response)), solver)
            self.assertIsNotNone(in_a_fork(lambda: self.stress(response)), solver)  # the parent goes on as before

    def test_forked_processes_do_the_rest(self):
        run = slipwave.Taylor(JOB, material=self.copper)
        run.advance()
        aged = slipwave.Precipitation(self.alloy, 8, temperature=803.15)
        aged.advance([0, 0, 100], [803.15, 458.15, 458.15])
        slipwave.pole_figure(self.crystals, "111")

        def rest():
            run.advance()
            aged.advance([100, 200], [458.15, 458.15])
            return (run.history.cauchy_stress[-1], aged.state.number, slipwave.pole_figure(self.crystals, "111")[50],
                    slipwave.Database(self.folder / "db.h5").terms)
        self.database()
        found = in_a_fork(rest)
        self.assertIsNotNone(found)
        for one, other in zip(found, rest()):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-3)
        self.assertTrue(in_a_fork(lambda: aged.close() or True))

    def test_a_pool_of_processes(self):
        self.stress(slipwave.Response("rigid_plastic", material=self.copper))
        with multiprocessing.get_context("fork").Pool(2) as pool:
            found = pool.map_async(plastic, [self.copper] * 3).get(LIMIT_S)
        np.testing.assert_array_equal(found, [plastic(self.copper)] * 3)

    def test_a_fork_has_no_gpu(self):
        """What is on one says so there, and is not closed; the process that made it goes on."""
        response = slipwave.Response("rigid_plastic", material=self.copper)
        slipwave.library._on_gpus.add(response)  # as if

        def refusal():
            with self.assertRaisesRegex(slipwave.Error, "this Response is on a GPU, .* make it here"):
                self.stress(response)
            response.close()
            return True
        self.assertTrue(in_a_fork(refusal))
        self.assertIsNotNone(self.stress(response))

    def test_pickled(self):
        self.assertEqual(pickle.loads(pickle.dumps(self.copper)).values, self.copper.values)
        self.assertEqual(copy.deepcopy(self.copper).slip_resistance, 16e6)
        database = self.database()
        again = pickle.loads(pickle.dumps(database))
        self.assertEqual((again.terms, again.path), (database.terms, database.path))
        self.assertEqual(pickle.loads(pickle.dumps(database.material)).values, database.material.values)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(self.alloy)).concentration, self.alloy.concentration)
        error = pickle.loads(pickle.dumps(slipwave.InputError("job: wrong", "SW_ERR_FORMAT")))
        self.assertEqual((str(error), error.code), ("job: wrong", "SW_ERR_FORMAT"))

    def test_what_is_not_pickled_says_so(self):
        for one in (slipwave.Response("rigid_plastic", material=self.copper), slipwave.Taylor(JOB, material=self.copper),
                    slipwave.Precipitation(self.alloy, temperature=803.15)):
            for function in (pickle.dumps, copy.copy, copy.deepcopy):
                with self.assertRaisesRegex(TypeError, f"{type(one).__name__}: cannot be copied or pickled"):
                    function(one)
        self.copper.close()
        self.alloy.close()
        for closed in (self.copper, self.alloy):
            with self.assertRaisesRegex(slipwave.Error, f"this {type(closed).__name__} is closed"):
                pickle.dumps(closed)

    def test_former_names_of_solvers(self):
        """As jobs read them."""
        response = slipwave.Response("polish", material=self.copper)
        self.assertEqual(response.solver, "rigid_plastic")
        np.testing.assert_array_equal(self.stress(response),
                                      self.stress(slipwave.Response("rigid_plastic", material=self.copper)))
        with self.assertRaisesRegex(slipwave.ArgumentError, "solver = polished: need one of"):
            slipwave.Response("polished", material=self.copper)


def plastic(material):
    crystals = slipwave.random_crystals(20000, material)
    return slipwave.Response("rigid_plastic", material=material).step(TENSION, 1, crystals).slip_rate


if __name__ == "__main__":
    counted.main()
