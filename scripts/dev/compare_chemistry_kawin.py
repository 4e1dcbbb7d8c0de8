#!/usr/bin/env python3
"""slipwave-chemistry's driving forces, tracer diffusivities and resistances beside kawin's, for Ni-Al-Cr and Al-Mg-Si with the
databases that come with kawin. Needs kawin (which brings pycalphad) and PyYAML. Fails above 0.1 %."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile

import numpy as np
from kawin.tests.databases import ALMGSI_DB, NICRAL_TDB
from kawin.thermo import MulticomponentThermodynamics
from pycalphad import Database

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("chemistry",
                                              str(pathlib.Path(__file__).parents[1] / "slipwave-chemistry"))
chemistry = importlib.util.module_from_spec(importlib.util.spec_from_loader("chemistry", loader))
loader.exec_module(chemistry)

CASES = [(NICRAL_TDB, ["AL", "CR", "NI"], "FCC_L12", [(1073.15, [0.098, 0.083]), (973.15, [0.12, 0.05])]),
         (ALMGSI_DB, ["MG", "SI", "AL"], "MG5SI6_B_DP", [(448.15, [0.0072, 0.0057]), (523.15, [0.01, 0.004])]),
         (ALMGSI_DB, ["MG", "SI", "AL"], "MGSI_B_P", [(473.15, [0.0072, 0.0057])])]
worst = 0
for text, elements, phase, states in CASES:
    with tempfile.NamedTemporaryFile("w", suffix=".tdb") as file:
        file.write(text)
        file.flush()
        theirs = MulticomponentThermodynamics(file.name, elements[-1:] + elements[:-1], ["FCC_A1", phase],
                                              drivingForceMethod="tangent")
        database = Database(file.name)
    matrix = chemistry.Matrix(database, elements, "FCC_A1")

    def whole(fractions):
        return np.append(fractions, 1 - np.sum(fractions))

    for temperature, composition in states:
        driving, taken = theirs.getDrivingForce(composition, temperature, precPhase=phase)[:2]
        rates = theirs.curvatureFactor(composition, temperature, precPhase=phase)
        energy = chemistry.phase_energy(database, elements, phase, whole(taken), np.array([temperature]))[0]
        ours = whole(taken) @ matrix.potentials(temperature, whole(composition)) - energy
        surface = whole(rates.c_eq_alpha)
        resistance, _ = chemistry.resistance(whole(rates.c_eq_beta), surface,
                                             matrix.diffusivities(temperature, surface, {}))
        pairs = [(ours, float(driving) / (chemistry.R * temperature)),
                 (1 / (resistance * chemistry.R * temperature), float(rates.mc))]
        print(f"{phase} {temperature} K {composition}: g/RT {pairs[0][0]:.6g} kawin {pairs[0][1]:.6g}; "
              f"1 / (R RT) {pairs[1][0]:.6g} kawin {pairs[1][1]:.6g}")
        worst = max(worst, *(abs(a / b - 1) for a, b in pairs))
print(f"largest difference {100 * worst:.3g} %")
sys.exit(worst > 1e-3)
