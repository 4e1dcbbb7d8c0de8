"""Slipwave: textures and stresses of polycrystals.

    import slipwave
    copper = slipwave.Material(slipwave.data("materials/copper-ofhc.yaml"))
    run = slipwave.Taylor({"solver": "elastoplastic", "crystals": {"count": 500}, "loading": [
        {"velocity_gradient": [[1e-3, 0, 0], [0, 0, 0], [0, 0, -1e-3]], "duration": 700}]}, material=copper).run()
    slipwave.plot.pole_figure(slipwave.pole_figure(run.crystals, "111"), title="{111}").figure.savefig("poles.png")

SI units; tensors and orientations in the sample frame, as docs/conventions.md has them. Needs numpy, and libslipwave.so,
which comes with the package; slipwave.results needs h5py, too, slipwave.plot matplotlib, slipwave.pictures both. Errors are slipwave.Error,
of arguments slipwave.ArgumentError, a ValueError as well.
"""

import importlib
import importlib.util

from .calibration import Calibration, Fit, Posterior
from .colours import orientation_colours
from .commands import commands, function_of, run, table
from .errors import ArgumentError, Error, InputError, Notice
from .history import History, deviator, von_mises
from .library import VERSION as __version__
from .material import Database, Material, data
from .polycrystal import Taylor
from .precipitation import Alloy, Precipitates, Precipitation, Strength
from .response import Answer, Average, Field, PointAnswer, Response, Solver, crystals, random_crystals, solvers
from .run import Run
from .texture import (disk, disorientation, inverse_pole_figure, kearns_factors, odf, odf_section,
                      pole_figure)

__all__ = [
    "Alloy", "Answer", "ArgumentError", "Average", "Calibration", "Database", "Error", "Field", "Fit", "History", "InputError", "Material", "Notice",
    "PointAnswer", "Posterior", "Precipitates", "Precipitation", "Response", "Run", "Solver", "Strength", "Taylor", "commands", "crystals", "data", "deviator",
    "disk", "disorientation", "inverse_pole_figure", "kearns_factors", "odf", "odf_section", "orientation_colours", "pictures", "plot",
    "pole_figure", "random_crystals", "results", "run", "solvers", "table", "von_mises",
]


def __getattr__(name):
    """Parts that need h5py and matplotlib, and commands, when they are asked for. Other files of the package are what `from
    slipwave import maps` finds by itself: the library, which knows the commands, need not be there for them."""
    is_file = importlib.util.find_spec(f"{__name__}.{name}") is not None
    if not name.startswith("_") and not is_file and name in commands():
        globals()[name] = function_of(name)
        return globals()[name]
    if name in ("pictures", "plot", "results"):
        try:
            return importlib.import_module(f".{name}", __name__)
        except ModuleNotFoundError as error:
            package = error.name.partition(".")[0]
            if package not in ("h5py", "matplotlib"):
                raise
            raise ImportError(f"slipwave.{name} needs {package}: install slipwave[plot]", name=package) from None
    raise AttributeError(f"module 'slipwave' has no attribute '{name}'")
