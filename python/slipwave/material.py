"""Materials and databases: what responses are computed from."""

import json
import math
import os
from ctypes import create_string_buffer
from pathlib import Path

import numpy as np

from .errors import ArgumentError, Error
from .library import HERE, Handle, Resource, call, library, opened, path_bytes, text_bytes, whole

TEXT_SIZE = 32768  # SW_MATERIAL_TEXT of slipwave/database.h


def data(name):
    """The path of a file of Slipwave's data folder: data("materials/copper-ofhc.yaml"). Materials and alloys come with the
    package; in the source tree and where Slipwave is installed there are jobs and published curves, too.

    Error where there is no such file.
    """
    name = os.fsdecode(path_bytes(name))
    folders = [HERE / "data", HERE.parents[1] / "data"]
    found = next((folder / name for folder in folders if (folder / name).is_file()), None)
    if found is None:
        raise Error(f"{name}: no such file in {' or '.join(map(str, folders))}", "SW_ERR_IO")
    return found


def as_text(values, name):
    """A mapping as JSON, which is YAML: arrays as lists, NaN as x, none given."""
    def plain(value):
        if isinstance(value, dict):
            return {str(key): plain(one) for key, one in value.items()}
        if isinstance(value, (list, tuple, np.ndarray)):
            return [plain(one) for one in value]
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, float) and math.isnan(value):
            return "x"
        return os.fspath(value) if isinstance(value, Path) else value
    try:
        return json.dumps(plain(values), ensure_ascii=False)
    except TypeError as error:
        raise ArgumentError(f"{name}: {error}") from None


class Material(Handle):
    """A crystal's constants: elasticity, slip, hardening.

    source: the path of a material file (YAML), or a mapping of the same keys in SI units; docs/file-formats.md has them.
    Error names file, line, key, value and bound.

        copper = Material(data("materials/copper-ofhc.yaml"))
        softer = copper.replace(hardening={"saturation_resistance": 120e6})
    """

    def __init__(self, source):
        if isinstance(source, dict):
            text = text_bytes(as_text(source, "material"), "material")
            super().__init__(opened("sw_material_close", "sw_material_parse_text", b"material", text))
        else:
            super().__init__(opened("sw_material_close", "sw_material_open", path_bytes(source)))

    def __reduce__(self):
        return Material, (self.values,)

    def _about(self):
        values = self.values
        return {"name": values["name"],
                **{name: f"{value / 1e9:.4g} GPa" for name, value in values["elasticity"].items()
                   if isinstance(value, float) and value >= 1e6},
                **({"families": ", ".join(self.families)} if self.families else {}),
                "slip resistance": f"{self.slip_resistance / 1e6:.4g} MPa"}

    @property
    def values(self):
        """Its keys and values, SI units: a new mapping that Material takes."""
        text = create_string_buffer(TEXT_SIZE)
        call("sw_material_write_text", self.pointer, TEXT_SIZE, text)
        values = json.loads(text.value.decode(), parse_int=float)
        for family in values["slip"].get("families", []):
            if "systems" in family:  # indices, the only whole numbers
                family["systems"] = [[int(index) for index in system] for system in family["systems"]]
        return values

    def replace(self, **sections):
        """Another material with some values replaced: replace(slip={"rate_sensitivity": 0.02}, name="other").

        Error as for a file, with the key, its value and the bound.
        """
        values = self.values
        for key, value in sections.items():
            if isinstance(value, dict) and isinstance(values.get(key), dict):
                value = {**values[key], **value}
            values[key] = value
        return Material(values)

    @property
    def slip_resistance(self):
        """s0, Pa: what resists slip in a crystal that has not been deformed; of slip.families the mean of their systems."""
        return library().sw_material_slip_resistance(self.pointer)

    @property
    def families(self):
        """Names of its slip.families, in their order; [] for a material without."""
        return [one["family"] for one in self.values["slip"].get("families", [])]

    @property
    def bulk_modulus(self):
        """K, Pa: of cubic crystals (C11 + 2 C12) / 3; of others the mean stress of crystals that all strain alike, over their volume strain."""
        return library().sw_material_bulk_modulus(self.pointer)


class Database(Handle):
    """A spectral database, open: its terms stay in the file, mapped into memory. Who cuts the file short or writes into it
    meanwhile changes answers.

    path: what slipwave-db wrote. terms: read the first so many (a conjugate pair is two); 0: all.
    Error for a file that is none, is damaged, or has fewer terms.
    """

    def __init__(self, path, terms=0):
        super().__init__(opened("sw_database_free", "sw_database_read", path_bytes(path), whole(terms, "terms")))
        self.path, self._asked = Path(path), terms

    def __reduce__(self):
        self.resource  # an Error where it is closed
        return Database, (self.path, self._asked)

    def _about(self):
        return {"file": self.path, "terms": self.terms, **self.material._about()}

    @property
    def terms(self):
        """Fourier coefficients that were read, two for every conjugate pair."""
        return library().sw_database_terms(self.pointer)

    @property
    def material(self):
        """The Material it was made from."""
        material = Material.__new__(Material)
        Handle.__init__(material, Resource(None, library().sw_database_material(self.pointer), (self.resource,)))
        return material
