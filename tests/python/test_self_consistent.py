"""Self-consistent polycrystals in the package, and against a scheme written here, from Lebensohn, Tome and Ponte Castaneda
2007: full tensors, a fixed point of the medium's compliance, Eshelby's tensor by a fine product quadrature."""

import unittest

import package

package.need("numpy")

import numpy as np  # noqa: E402

import counted  # noqa: E402
import slipwave  # noqa: E402

GRAINS, EXPONENT, RATE, RESISTANCE = 30, 10, 1e-3, 16e6
COPPER = {"name": "copper", "crystal_structure": "fcc", "elasticity": {"C11": 168.7e9, "C12": 121.7e9, "C44": 75e9},
          "slip": {"reference_slip_rate": RATE, "rate_sensitivity": 1 / EXPONENT, "initial_slip_resistance": RESISTANCE},
          "hardening": {"law": "voce", "initial_hardening_rate": 180e6, "saturation_resistance": 148e6, "exponent": 2.25}}
GRADIENT = RATE * np.array([[1, 0.6, 0], [0, -0.3, 0.2], [0, 0, -0.7]])
# orthonormal, of symmetric tensors without a trace: (11 - 22), (2 33 - 11 - 22), 23, 13, 12
BASIS = np.zeros((5, 3, 3))
BASIS[0] = np.diag([1, -1, 0]) / np.sqrt(2)
BASIS[1] = np.diag([-1, -1, 2]) / np.sqrt(6)
for number, (row, column) in enumerate([(1, 2), (0, 2), (0, 1)], 2):
    BASIS[number, row, column] = BASIS[number, column, row] = np.sqrt(0.5)


def vector(tensor):
    return np.einsum("aij,...ij->...a", BASIS, tensor)


def rotation(euler):
    """Crystal -> sample, of Bunge's angles."""
    (c1, c, c2), (s1, s, s2) = np.cos(euler), np.sin(euler)
    return np.array([[c1 * c2 - s1 * s2 * c, s1 * c2 + c1 * s2 * c, s2 * s],
                     [-c1 * s2 - s1 * c2 * c, -s1 * s2 + c1 * c2 * c, c2 * s],
                     [s1 * s, -c1 * s, c]]).T


def schmid_tensors(crystals):
    """[N][12][3][3], sample frame."""
    systems = [(np.array(b), np.array(n)) for n in [(1, 1, 1), (-1, 1, 1), (1, -1, 1), (1, 1, -1)]
               for b in [(0, 1, -1), (0, 1, 1), (1, 0, -1), (1, 0, 1), (1, -1, 0), (1, 1, 0)] if np.dot(b, n) == 0]
    tensors = np.array([np.outer(b, n) for b, n in systems]) / np.sqrt(6)
    turns = np.array([rotation(one[:3].astype(float)) for one in crystals])
    return np.einsum("gij,ajk,glk->gail", turns, tensors, turns)


def schmid_vectors(crystals):
    """[N][12][5] their symmetric parts."""
    return vector(schmid_tensors(crystals))


def eshelby(stiffness, nodes):
    """P [5][5] of a sphere in an incompressible medium [5][5], and of the spin in place of the strain rate [3][3][5]: means over
    directions of the answers to forces along them, by Gauss and Legendre along 3 and equal angles around it, half around as forces
    there and back have one answer."""
    z, share = np.polynomial.legendre.leggauss(nodes)
    angle = np.tile(np.pi * (np.arange(nodes) + 0.5) / nodes, nodes)
    z, share = np.repeat(z, nodes), np.repeat(share, nodes) / (2 * nodes)
    alpha = np.stack([np.sqrt(1 - z * z) * np.cos(angle), np.sqrt(1 - z * z) * np.sin(angle), z], 1)
    tensor = np.einsum("ab,aij,bkl->ijkl", stiffness, BASIS, BASIS)
    acoustic = np.zeros((len(z), 4, 4))  # with a pressure that keeps the volume
    acoustic[:, :3, :3] = np.einsum("ijkl,nj,nl->nik", tensor, alpha, alpha)
    acoustic[:, 3, :3] = acoustic[:, :3, 3] = alpha
    answer = np.linalg.inv(acoustic)[:, :3, :3]
    gamma = np.einsum("n,nik,nj,nl->ijkl", share, answer, alpha, alpha)
    by_force = np.einsum("bkl,ijkl->ijb", BASIS, gamma)
    return vector(np.moveaxis(by_force, 2, 0)).T, 0.5 * (by_force - by_force.swapaxes(0, 1))


def flow(schmid, stress, n):
    """Strain rate [N][5] and derivative [N][5][5], over the reference rate, of stresses over the resistance."""
    tau = np.einsum("gak,gk->ga", schmid, stress)
    power = np.abs(tau)**(n - 1)
    return (np.einsum("gak,ga->gk", schmid, power * tau),
            n * np.einsum("gak,ga,gal->gkl", schmid, power, schmid))


def meet(schmid, interaction, wanted, stress, n):
    """d(s) + M~ s = wanted of all grains, by Newton's method with halved steps."""
    for _ in range(200):
        rate, slope = flow(schmid, stress, n)
        left = wanted - rate - stress @ interaction
        if np.abs(left).max() < 1e-13:
            break
        step, part = np.linalg.solve(interaction + slope, left[..., None])[..., 0], np.ones(len(stress))
        for _ in range(30):
            tried = stress + part[:, None] * step
            worse = np.linalg.norm(wanted - flow(schmid, tried, n)[0] - tried @ interaction, axis=1) > np.linalg.norm(
                left, axis=1)
            if not worse.any():
                break
            part = np.where(worse, 0.5 * part, part)
        stress = stress + part[:, None] * step
    return stress


def scheme(schmid, rate, linearization, nodes, ns=(1, 2, 3, 5, 7, EXPONENT)):
    """Stress of the medium and of each grain, over the resistance, and the spin of spheres by their difference of strain rates,
    [3][3][5]; exponent after exponent. rate [5]: over the reference rate."""
    compliance, offset, stress = np.eye(5) * 0.5, np.zeros(5), np.zeros((len(schmid), 5))
    for n in ns:
        for _ in range(2000):
            stiffness = np.linalg.inv(compliance)
            p, of_spin = eshelby(stiffness, nodes)
            s = p @ stiffness
            interaction = np.linalg.solve(np.eye(5) - s, s) @ compliance
            interaction = 0.5 * (interaction + interaction.T)
            medium = stiffness @ (rate - offset)
            stress = meet(schmid, interaction, rate + interaction @ medium, stress, n)
            d, slope = flow(schmid, stress, n)
            own = slope / (n if linearization == "secant" else 1)
            own_offset = d - np.einsum("gkl,gl->gk", own, stress)
            localisation = np.linalg.inv(own + interaction)
            b = localisation @ (interaction + compliance)
            rest = np.einsum("gkl,gl->gk", localisation, offset - own_offset)
            renewed = np.mean(own @ b, 0) @ np.linalg.inv(np.mean(b, 0))
            renewed_offset = np.mean(np.einsum("gkl,gl->gk", own, rest) + own_offset, 0) - renewed @ np.mean(rest, 0)
            change = np.abs(renewed - compliance).max() / np.abs(compliance).max()
            # of tangents half, as they answer a softer medium by a stiffer one
            part = 1 if linearization == "secant" else 0.4
            compliance, offset = compliance + part * (renewed - compliance), offset + part * (renewed_offset - offset)
            if change < (1e-10 if n == ns[-1] else 1e-3):
                break
        else:
            raise AssertionError(f"n = {n}: {change}")
    return medium, stress, of_spin @ np.linalg.inv(p)


class SelfConsistent(unittest.TestCase):
    def setUp(self):
        self.copper = slipwave.Material(COPPER)
        self.crystals = slipwave.random_crystals(GRAINS, self.copper, seed=5)

    def opened(self, **scheme_of):
        return slipwave.Response("rigid_plastic", material=self.copper, homogenization="self_consistent",
                                 self_consistent=scheme_of)

    def test_sphere_of_an_isotropic_medium(self):
        """P L = 2/5: of the quadrature here."""
        np.testing.assert_allclose(eshelby(3 * np.eye(5), 24)[0] * 3, 0.4 * np.eye(5), atol=1e-12)

    def check_scheme(self, linearization, nodes, bound, of_crystals):
        """Bounds: of the stress of the polycrystal, and of those of its crystals, over their sizes."""
        schmid, rate = schmid_vectors(self.crystals), vector(0.5 * (GRADIENT + GRADIENT.T)) / RATE
        medium, stress, _ = scheme(schmid, rate, linearization, nodes)
        np.testing.assert_allclose(stress.mean(0), medium, atol=1e-8)
        response = self.opened(linearization=linearization, tolerance=1e-9)
        found = vector(response.mean(GRADIENT, self.crystals).stress) / RESISTANCE
        np.testing.assert_allclose(found, medium, rtol=0, atol=bound * np.linalg.norm(medium))
        points = self.crystals[None].copy()
        kept = response.begin(points)
        response.step_each(GRADIENT[None].copy(), 1e-6, points, kept=kept)  # stresses are kept as hardened as grains end
        self.assertEqual(response.layout[0].name, "grain_stress")
        np.testing.assert_allclose(kept[0, :, :5] / RESISTANCE, stress, rtol=0,
                                   atol=of_crystals * np.linalg.norm(stress, axis=1).mean())

    def test_stresses_of_a_scheme_written_anew(self):
        """With as many directions as the library takes of a sphere: states are in single precision. With all that make a
        difference: the medium of 30 crystals is far from isotropic, and 4e-6 and 2e-5 were seen."""
        for linearization, *of_directions in (("secant", 1e-5, 1e-4), ("affine", 4e-5, 3e-4)):
            with self.subTest(linearization):
                self.check_scheme(linearization, 16, 3e-7, 1e-6)
                self.check_scheme(linearization, 32, *of_directions)

    def test_crystals_turn_with_their_ellipsoids(self):
        """A step of 0.03: W, the sphere's spin, less that of slips, to its cube, 5e-6."""
        tensors, dt = schmid_tensors(self.crystals), 30
        _, stress, of_spin = scheme(vector(tensors), vector(0.5 * (GRADIENT + GRADIENT.T)) / RATE, "affine", 16)
        rate = flow(vector(tensors), stress, EXPONENT)[0] * RATE
        tau = np.einsum("gak,gk->ga", vector(tensors), stress)
        plastic = np.einsum("ga,gaij->gij", RATE * np.abs(tau)**EXPONENT * np.sign(tau), tensors)
        plastic = 0.5 * (plastic - plastic.swapaxes(1, 2))
        inclusion = np.einsum("ijk,gk->gij", of_spin, rate - rate.mean(0))
        turn = 0.5 * (GRADIENT - GRADIENT.T) + inclusion - plastic
        self.assertGreater(np.abs(inclusion).max() * dt, 3e-4)
        after = self.crystals.copy()
        self.opened(tolerance=1e-9).advance(GRADIENT, dt, after)
        for one, other, w in zip(self.crystals.astype(float), after.astype(float), turn):
            found = rotation(other[:3]) @ rotation(one[:3]).T
            np.testing.assert_allclose(0.5 * (found - found.T), w * dt, rtol=0, atol=1e-5)

    def test_what_is_said_is_what_is_done(self):
        """The same as of an option left out, where it is the standard's; else another answer."""
        stress = {}
        for name, given in {"": {}, "standard": {"linearization": "affine", "ellipsoids": "phase",
                                                 "tolerance": 1e-4}, "neff": {"linearization": "neff"},
                            "neff 3": {"linearization": "neff", "neff": 3}, "secant": {"linearization": "secant"},
                            "loose": {"tolerance": 1e-2}}.items():
            stress[name] = self.opened(**given).mean(GRADIENT, self.crystals).stress
        np.testing.assert_array_equal(stress[""], stress["standard"])
        values = [one[0, 0] for name, one in stress.items() if name]
        self.assertEqual(len(set(values)), len(values))
        without = slipwave.Response("rigid_plastic", material=self.copper, homogenization="self_consistent")
        np.testing.assert_array_equal(without.mean(GRADIENT, self.crystals).stress, stress[""])

    def test_points_are_the_polycrystal(self):
        """Of three points whose gradients differ; D at step_each is what step has."""
        gradient = np.stack([GRADIENT, 2 * GRADIENT, GRADIENT.T])
        response = self.opened(tolerance=1e-6)
        points = np.repeat(self.crystals[None], 3, 0)
        answer = response.step_each(gradient, 1e-6, points, kept=response.begin(points), commit=False, tangent=True)
        for p in range(3):
            mean = response.mean(gradient[p], self.crystals).stress
            np.testing.assert_allclose(answer.stress[p], mean[[0, 1, 2, 1, 0, 0], [0, 1, 2, 2, 2, 1]],
                                       atol=3e-6 * np.linalg.norm(mean))
        self.assertTrue(np.isfinite(answer.by_strain_rate).all())

    def test_complaints(self):
        def refused(message, homogenization="self_consistent", solver="rigid_plastic", **given):
            with self.assertRaisesRegex(slipwave.Error, message):
                slipwave.Response(solver, material=self.copper, homogenization=homogenization, **given)
        refused(r"need \"self_consistent\"", homogenization="taylor", self_consistent={})
        refused("self_consistent: str: need a dict", self_consistent="affine")
        refused("key of self_consistent = 'nef': need one of linearization", self_consistent={"nef": 1})
        refused(r"self_consistent\['neff'\] = 0: need more than 0", self_consistent={"neff": 0})
        refused(r"self_consistent\['tolerance'\] = 'x': need a number", self_consistent={"tolerance": "x"})
        refused("self_consistent.neff = -1: need 1e-06 to 1e\\+06", self_consistent={"neff": -1})
        refused("self_consistent.neff = 3 has no place beside linearization = affine", self_consistent={"neff": 3})
        refused(r"self_consistent\['neff'\] = True: need a number", self_consistent={"linearization": "neff", "neff": True})
        refused("self_consistent.neff = inf: need 1e-06 to 1e\\+06", self_consistent={"linearization": "neff", "neff": 10**5000})
        refused("self_consistent.tolerance = 1e-12: need 1e-11 to 0.01", self_consistent={"tolerance": 1e-12})
        refused("self_consistent.neff = nan", self_consistent={"neff": float("nan")})
        refused("self_consistent.tolerance = 1: need", self_consistent={"tolerance": 1})
        refused("self_consistent.linearization = second: there is none such", self_consistent={"linearization": "second"})
        refused("self_consistent.ellipsoids = all: there is none such", self_consistent={"ellipsoids": "all"})
        refused("self_consistent: solver = elastoplastic: need rigid_plastic", solver="elastoplastic")


if __name__ == "__main__":
    counted.main()
