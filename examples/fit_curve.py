# %% [markdown]
# # Hardening from a curve
# A published stress-strain curve of copper in plane strain compression, and the hardening law whose polycrystal has it:
# ds/dGamma = h0 (1 - s/s_s)^a. Run it cell by cell (the lines `# %%`) or as a whole: `python3 fit_curve.py [FIGURE]`.
# Needs slipwave, scipy and matplotlib.

# %%
import sys

import numpy as np
from scipy.optimize import least_squares

import slipwave

# %% [markdown]
# The points: sigma11 - sigma33 over true strain (Mihaila, Knezevic and Cardenas 2014). Their model says the three numbers
# that are sought here: h0 = 180 MPa, s_s = 148 MPa, a = 2.25.

# %%
strain = np.array([0.1, 0.2, 0.3, 0.5, 0.95])
stress = np.array([164.4, 227.9, 269.8, 322.0, 378.3])  # MPa

# %% [markdown]
# The material begins with hardening that is far off. Crystals are the same in each run, so that the curve changes with
# nothing but the three numbers.

# %%
start = slipwave.Material(slipwave.data("materials/copper-ofhc-isotropic.yaml")).replace(
    hardening={"initial_hardening_rate": 400e6, "saturation_resistance": 100e6, "exponent": 1.2})
crystals = slipwave.random_crystals(1000, start)
job = {"solver": "elastoplastic", "strain_increment": 0.02,
       "loading": [{"velocity_gradient": np.diag([1e-3, 0, -1e-3]), "duration": 960}]}


def material_of(parameters):
    """h0 and s_s in MPa, a."""
    h0, saturation, exponent = parameters
    return start.replace(hardening={"initial_hardening_rate": h0 * 1e6, "saturation_resistance": saturation * 1e6,
                                    "exponent": exponent})


def run_of(parameters):
    return slipwave.Taylor(job, material=material_of(parameters), crystals=crystals).run()


def misfit(parameters):
    history = run_of(parameters).history
    true_strain = history.time * 1e-3
    curve = (history.cauchy_stress[:, 0, 0] - history.cauchy_stress[:, 2, 2]) / 1e6
    return np.interp(strain, true_strain, curve) - stress


# %%
fit = least_squares(misfit, [400, 100, 1.2], x_scale=[100, 100, 1], diff_step=1e-3,
                    bounds=([1, 17, 1], [2000, 1000, 10]))
h0, saturation, exponent = fit.x
print(f"h0 = {h0:.0f} MPa, s_s = {saturation:.0f} MPa, a = {exponent:.2f} after {fit.nfev} evaluations")
print(f"largest misfit {np.abs(fit.fun).max():.1f} MPa of {stress.max():.0f}")

# %%
axes = slipwave.plot.stress_strain(run_of([400, 100, 1.2]), run_of(fit.x), labels=["start", "fitted"],
                                   references=[("Mihaila et al. 2014", strain, stress)])
slipwave.plot.save(axes.figure, sys.argv[1] if len(sys.argv) > 1 else "fit-curve.png")
