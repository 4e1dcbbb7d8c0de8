"""Taylor polycrystals in memory: the jobs of `slipwave taylor`, step by step."""

from ctypes import POINTER, byref, c_char_p, c_double, c_int64, cast

import numpy as np

from .errors import ArgumentError
from .history import SHAPES, History, von_mises
from .library import (Handle, TaylorInputs, TaylorRows, address, call, library, number, numbers, opened, path_bytes,
                      resource_of, text_bytes, whole)
from .material import Database, Material, as_text

F32 = np.dtype(np.float32)


def _options(options):
    """[(name, value)] of keyword arguments, as the command line has them: error_of="tensor" is --error-of tensor."""
    listed = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        listed.append((name.replace("_", "-"), "" if value is True else str(value)))
    return listed


class Taylor(Handle):
    """A run of `slipwave taylor` in memory: no results file.

    job: the path of a job file, or a mapping of its keys (docs/file-formats.md), in which NaN stands for x, a component
    that is free. It needs no `output`. options: those of the command line that replace keys: count=1000,
    solver="grid".

    What is there already, instead of what the job names: database (a Database), material (a Material), crystals
    (float32 [N][4], copied; response.py) with weight (float32 [N]); the job then has no `crystals` and no
    `initial_slip_resistance`. Paths of a mapping are from the working folder on.

    Error names file, line, key, value and bound.

        run = Taylor({"solver": "elastoplastic", "strain_increment": 0.01, "crystals": {"count": 500}, "loading": [
            {"velocity_gradient": np.diag([1e-3, 0, -1e-3]), "duration": 300}]}, material=copper).run()
        run.history.cauchy_stress
    """

    def __init__(self, job, *, database=None, material=None, crystals=None, weight=None, **options):
        (from_database, kept), (from_material, kept_too) = (resource_of(database, "database", Database),
                                                            resource_of(material, "material", Material))
        inputs = TaylorInputs(from_database, from_material)
        if crystals is not None:
            inputs.crystal = address(crystals, "crystals", F32, (None, 4))
            inputs.crystals = crystals.shape[0]
        if weight is not None:
            if crystals is None:
                raise ArgumentError("weight: goes with crystals")
            inputs.weight = address(weight, "weight", F32, (crystals.shape[0],))
        is_mapping = isinstance(job, dict)
        path = b"job" if is_mapping else path_bytes(job)
        text = text_bytes(as_text(job, "job"), "job") if is_mapping else None
        given = [text_bytes(part, "options") for pair in _options(options) for part in pair]
        self._texts = (c_char_p * max(len(given), 1))(*given)  # which the run borrows
        super().__init__(opened("sw_taylor_end", "sw_taylor_begin", path, text, len(given) // 2,
                                cast(self._texts, POINTER(c_char_p)), byref(inputs),
                                keeps=(kept, kept_too, self._texts, given)))

    def _about(self):
        rows = self.history
        return {"crystals": library().sw_taylor_crystals(self.pointer), "steps": len(rows.time) - 1,
                "time": f"{rows.time[-1]:.6g} s", "strain": f"{rows.strain[-1]:.4g}",
                "von Mises stress": f"{von_mises(rows.cauchy_stress[-1:])[0] / 1e6:.4g} MPa",
                "slip resistance": f"{rows.slip_resistance[-1] / 1e6:.4g} MPa"}

    def advance(self, steps=1):
        """Up to so many more steps; returns how many came before the loading's end. Error where crystals have no answer,
        or stresses or a goal are not met: the steps before stand."""
        taken = c_int64()
        call("sw_taylor_advance", self.pointer, whole(steps, "steps"), byref(taken))
        return taken.value

    def run(self):
        """All steps that are left; returns itself. Ctrl-C stops between two of them. Error as of advance."""
        while self.advance():
            pass
        return self

    @property
    def history(self):
        """A History of the steps so far; new arrays."""
        rows = TaylorRows()
        library().sw_taylor_history(self.pointer, byref(rows))

        def values(name, *shape):
            if 0 in shape or not getattr(rows, name):
                return np.empty(shape if 0 in shape else 0)
            return np.ctypeslib.as_array(cast(getattr(rows, name), POINTER(c_double)), shape).copy()

        family = cast(rows.family, POINTER(c_char_p))
        names = [family[k].decode() for k in range(rows.families)]
        twins = names[rows.families - rows.twins:]
        by_family = {"family_slip": names, "twin_fraction": twins, "turned_fraction": twins}
        return History(*(dict(zip(by_family[name], values(name, rows.rows, len(by_family[name])).T)) if name in by_family else
                         values(name, rows.rows, *SHAPES.get(name, ())) for name in History._fields))

    @property
    def crystals(self):
        """The crystals as they are now: float32 [N][4]; a new array."""
        return self._copy()[0]

    @property
    def weight(self):
        """Their weights, float32 [N], 1 on average."""
        return self._copy()[1]

    def lattice_strain(self, plane, along, within=7.5):
        """The elastic strain that diffraction would find now: along a direction of the sample, mean of the crystals one of whose
        planes like (plane: h k l, of hexagonal crystals h k i l) has its normal within so many degrees of it; and their share of
        all, which 0 makes the strain 0. Of `elastoplastic` and `iterative`."""
        indices, direction = numbers(plane, "plane", (None,)), numbers(along, "along", (3,))
        strain, share = c_double(), c_double()
        call("sw_taylor_lattice_strain", self.pointer, len(indices), indices.ctypes.data, direction.ctypes.data,
             number(within, "within"), byref(strain), byref(share))
        return strain.value, share.value

    def _copy(self):
        n = library().sw_taylor_crystals(self.pointer)
        crystal, weight = np.empty((n, 4), F32), np.empty(n, F32)
        call("sw_taylor_copy_crystals", self.pointer, crystal.ctypes.data, weight.ctypes.data)
        return crystal, weight
