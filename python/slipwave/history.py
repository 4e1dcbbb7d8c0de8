"""What a polycrystal went through, and what its stress tensors are called."""

from collections import namedtuple

import numpy as np

from .library import numbers

History = namedtuple("History", "time strain slip_resistance slip_rate deformation_gradient velocity_gradient "
                     "cauchy_stress family_slip twin_fraction turned_fraction temperature")
History.__doc__ = """A row a step, the first before any; means over the crystals, sample frame.

time [n]: s. strain [n]: integral of ||D|| dt. slip_resistance [n]: Pa. slip_rate [n]: 1/s. deformation_gradient
[n][3][3]. velocity_gradient [n][3][3]: of the step that ends there, 1/s. cauchy_stress [n][3][3]: Pa; deviatoric but for
the solver iterative and where stresses are given. Slip rate and stress are those of the row's crystals under its velocity
gradient or, where stresses are given and the solver has no history, under the one that meets them there; 0 in the first
row, which nothing deforms yet. family_slip: of materials with slip.families {name: [n]}, the sizes of slips so far, summed
over a family's systems; slip_resistance then is the mean of all systems. twin_fraction: likewise of twins, that over their
shear; turned_fraction: of the crystals that they have turned. Empty for other materials. temperature [n]: K, where the loading changes it; else empty."""

FAMILIES = ("family_slip", "twin_fraction", "turned_fraction")

SHAPES = {name: (3, 3) for name in History._fields if name.endswith(("gradient", "stress"))}

# Velocity gradients, but for a positive factor, that have a name
LOADINGS = {
    "plane strain": np.diag([1, 0, -1]),
    "shear": [[0, 1, 0], [0, 0, 0], [0, 0, 0]],
    **{f"{name} along {axis + 1}": sign * np.diag(np.roll([1, -0.5, -0.5], axis))
       for name, sign in (("tension", 1), ("compression", -1)) for axis in range(3)},
}

FREE = 1e-3  # of the axial stress: what solvers leave of lateral ones that are to be 0


def loading_of(velocity_gradients):
    """What the first of [n][3][3] that moves does: a name of LOADINGS, or "other"."""
    for gradient in velocity_gradients:
        scale = np.abs(gradient).max()
        if scale > 0:
            return next((name for name, pattern in LOADINGS.items()
                         if np.allclose(gradient / scale, pattern, atol=1e-6)), "other")
    return "other"


def loading_by_stress(stresses):
    """"tension along 1" and the like of the first of [n][3][3] that is not 0, where lateral sides are free; else "other"."""
    for stress in stresses:
        normal = np.diag(stress)
        axis = int(np.argmax(np.abs(normal)))
        if normal[axis] != 0:
            free = np.all(np.abs(np.delete(normal, axis)) <= FREE * abs(normal[axis])) and np.abs(stress).max() == abs(normal[axis])
            return f"{'tension' if normal[axis] > 0 else 'compression'} along {axis + 1}" if free else "other"
    return "other"


# ---- Stress tensors [n][3][3] ----


def deviator(stress):
    """Of stress tensors [n][3][3], in any unit: [n][3][3] without their trace. ArgumentError for another shape."""
    stress = numbers(stress, "stress", (None, 3, 3))
    return stress - np.trace(stress, axis1=1, axis2=2)[:, None, None] / 3 * np.eye(3)


def von_mises(stress):
    """Equivalent stress of tensors [n][3][3], in their unit: [n]. ArgumentError for another shape."""
    return np.sqrt(1.5 * np.sum(deviator(stress)**2, axis=(1, 2)))
