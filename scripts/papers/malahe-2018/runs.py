"""The runs of Malahe 2018, sections 4.1 and 4.2: its databases, crystals, steps and counts of terms."""

from common import database, job, slipwave

CRYSTALS = 65536
TESTS = {"simple-shear": "simple shear", "plane-strain-compression": "plane strain compression"}
HISTORY = "1e-3 1/s to t = 1000 s in steps of 0.02; paper: 1 1/s"


def deform(folder, test, solver, terms=None, refinement=128, crystals=CRYSTALS):
    """Results of a test: `terms` coefficients of the database of 128^4 points, refined; or of another solver."""
    name = f"{test}-{solver}" + (f"-{terms}-{refinement}" if terms else "")
    more = ["--terms", terms, "--refinement", refinement, "--database", database(folder, 128)] if terms else []
    return slipwave("taylor", folder, name, job(f"{test}.yaml"), "--solver", solver, "--count", crystals, *more)
