"""Arrays of a GPU given to the package by __cuda_array_interface__: answers are those that arrays of the host give, to the
bit, as the library promises of crystals that live on the GPU and those that pass through it (tests/gpu).

Skipped without CuPy, without a GPU, and where the library has no GPU code. On a machine with a GPU:
    python3 tests/python/test_gpu_arrays.py
"""

import gc
import unittest

import package

package.need("numpy", "cupy")

import cupy  # noqa: E402
import numpy as np  # noqa: E402

import counted  # noqa: E402
import slipwave  # noqa: E402

COPPER = slipwave.Material(slipwave.data("materials/copper-ofhc.yaml"))
TENSION = np.diag([1e-3, -0.5e-3, -0.5e-3])
F32 = np.float32

try:
    if cupy.cuda.runtime.getDeviceCount() < 1:
        package.skip("there is no GPU")
    slipwave.Response("rigid_plastic", material=COPPER, device="cuda").close()
except cupy.cuda.runtime.CUDARuntimeError as missing:
    package.skip(f"there is no GPU: {missing}")
except slipwave.Error as missing:
    package.skip(str(missing))


class Locked:
    """An array that says it must not be written."""

    def __init__(self, array):
        self.array = array
        self.__cuda_array_interface__ = {**array.__cuda_array_interface__, "data": (array.data.ptr, True)}


class Arrays(unittest.TestCase):
    def response(self, solver="rigid_plastic"):
        return slipwave.Response(solver, material=COPPER, device="cuda")

    def setUp(self):
        self.host = slipwave.random_crystals(1000, COPPER)
        self.gpu = cupy.asarray(self.host)

    def same(self, found, expected):
        np.testing.assert_array_equal(cupy.asnumpy(found), expected)

    # ---- Steps ----

    def test_steps_are_made_in_place(self):
        place = self.gpu.data.ptr
        here, there = self.response(), self.response()
        for _ in range(3):
            found, expected = here.step(TENSION, 10, self.gpu), there.step(TENSION, 10, self.host)
        self.same(self.gpu, self.host)
        self.assertEqual(self.gpu.data.ptr, place)
        # sums of single numbers, of a thousand in another order at the worst
        np.testing.assert_allclose(found.stress, expected.stress, rtol=0, atol=1e-5 * np.abs(expected.stress).max())
        np.testing.assert_allclose(found.slip_resistance, expected.slip_resistance, rtol=1e-5)

    def test_they_are_those_of_the_cpu(self):
        """Newton's method to 1e-5 of s in single precision, on another machine."""
        found = self.response().step(TENSION, 10, self.gpu)
        expected = slipwave.Response("rigid_plastic", material=COPPER).step(TENSION, 10, self.host)
        np.testing.assert_allclose(found.stress, expected.stress, rtol=0, atol=1e-3 * np.abs(expected.stress).max())

    def test_a_part_of_an_array_is_that_part(self):
        before = self.host.copy()
        self.response().step(TENSION, 10, self.gpu[200:300])
        part = before[200:300].copy()
        self.response().step(TENSION, 10, part)
        before[200:300] = part
        self.same(self.gpu, before)

    def test_weights_may_be_on_either(self):
        weight = np.linspace(0.5, 1.5, 1000, dtype=F32)
        means = []
        for one in (weight, cupy.asarray(weight)):
            crystals = cupy.asarray(self.host)
            means.append(self.response().step(TENSION, 10, crystals, one))
            self.assertTrue(bool((crystals != self.gpu).any()))
        np.testing.assert_allclose(means[0].stress, means[1].stress, rtol=0, atol=1e-5 * np.abs(means[0].stress).max())

    # ---- Answers ----

    def test_answers_are_written_on_the_gpu(self):
        each = np.tile(F32([1e-3, -0.5e-3, -0.5e-3, 0, 1e-4, 0]), (1000, 1))
        for rate, rate_there in ((TENSION, TENSION), (cupy.asarray(each), each)):
            stress, spin, slip = cupy.zeros((1000, 6), F32), cupy.zeros((1000, 3), F32), cupy.zeros(1000, F32)
            answer = self.response().evaluate(rate, self.gpu, stress, spin, slip)
            expected = self.response().evaluate(rate_there, self.host)
            self.assertIs(answer.stress, stress)
            for found, wanted in zip(answer, expected):
                self.same(found, wanted)
        self.same(self.gpu, self.host)

    def test_points(self):
        p, n, kept = 50, 20, slipwave.solvers()["elastoplastic"].kept
        gradient = np.array([(1 + k / p) * TENSION for k in range(p)])
        states = np.zeros((p, n, kept), F32)
        expected = self.response("elastoplastic").step_each(gradient, 10, self.host.reshape(p, n, 4), kept=states,
                                                            tangent=True)
        answer = slipwave.PointAnswer(cupy.zeros((p, 6)), cupy.zeros(p), cupy.zeros(p), cupy.zeros((p, 6, 6)),
                                      cupy.zeros((p, 6, 3)))
        own = cupy.zeros((p, n, kept), F32)
        found = self.response("elastoplastic").step_each(cupy.asarray(gradient), 10, self.gpu.reshape(p, n, 4), kept=own,
                                                         tangent=True, answer=answer)
        for one, other in zip(found, expected):
            self.same(one, other)
        self.same(own, states)
        self.same(self.gpu, self.host)

    # ---- Who owns them, and when they are ready ----

    def test_what_its_stream_has_to_do_is_done_first(self):
        """Crystals are made by a stream that is not the default one, behind some milliseconds of other work."""
        stream, wanted = cupy.cuda.Stream(non_blocking=True), cupy.asarray(self.host)
        busy = cupy.ones(1 << 26, F32)
        made = cupy.full((1000, 4), cupy.nan, F32)
        cupy.cuda.Device().synchronize()
        with stream:
            for _ in range(50):  # 50 passes over 2 x 256 MB: 5 ms at 5 TB/s
                busy = cupy.sin(busy)
            made[:] = wanted
            mean = self.response().step(TENSION, 10, made)
        expected = self.response().step(TENSION, 10, self.host)
        np.testing.assert_allclose(mean.stress, expected.stress, rtol=0, atol=1e-5 * np.abs(expected.stress).max())
        self.same(made, self.host)

    def test_arrays_may_go_between_calls(self):
        """A response keeps no array of its caller's: a solver without a history steps others next."""
        response = self.response()
        response.step(TENSION, 10, self.gpu)
        del self.gpu
        gc.collect()
        cupy.get_default_memory_pool().free_all_blocks()
        other = cupy.asarray(self.host)
        response.step(TENSION, 10, other)
        response.step(TENSION, 10, self.host)
        self.same(other, self.host)

    def test_others_are_refused(self):
        response = self.response()
        for bad in (self.gpu.astype(float), self.gpu[:, ::-1], self.gpu[::2], cupy.asfortranarray(self.gpu), self.gpu[:, :3],
                    self.gpu.ravel(), Locked(self.gpu)):
            with self.assertRaisesRegex(slipwave.Error, r"crystals: .*: need float32 \[N\]\[4\], contiguous and writable"):
                response.step(TENSION, 1, bad)
        self.same(self.gpu, self.host)
        with self.assertRaisesRegex(slipwave.Error, "stress: need an array to fill, as crystals are on a GPU"):
            response.evaluate(TENSION, Locked(self.gpu))
        with self.assertRaisesRegex(slipwave.Error, "need all on the GPU, or all on the host"):
            response.evaluate(TENSION, self.gpu, np.empty((1000, 6), F32), np.empty((1000, 3), F32), np.empty(1000, F32))

    def test_tensors_of_pytorch(self):
        try:
            import torch
        except ImportError:
            self.skipTest("PyTorch is missing")
        if not torch.cuda.is_available():
            self.skipTest("PyTorch sees no GPU")
        tensor = torch.from_numpy(self.host.copy()).cuda()
        self.response().step(TENSION, 10, tensor)
        self.response().step(TENSION, 10, self.host)
        np.testing.assert_array_equal(tensor.cpu().numpy(), self.host)


if __name__ == "__main__":
    counted.main()
