"""What a command left in memory: its files, arrays of its results, what it said."""

import io
import os
from collections.abc import Mapping
from ctypes import c_uint8
from html import escape
from pathlib import Path

import numpy as np

from .errors import ArgumentError, InputError
from .library import library


class _Bytes(io.RawIOBase):
    """Memory as a file that is read, without a copy of it."""

    def __init__(self, view):
        self.view, self.at = view, 0

    def readable(self):
        return True

    def seekable(self):
        return True

    def tell(self):
        return self.at

    def seek(self, offset, whence=os.SEEK_SET):
        self.at = offset + (0, self.at, len(self.view))[whence]
        return self.at

    def readinto(self, buffer):
        n = max(min(len(buffer), len(self.view) - self.at), 0)
        buffer[:n] = self.view[self.at:self.at + n]
        self.at += n
        return n


class Group(Mapping):
    """A group of a results file: its datasets as arrays, by name or attribute, each read when it is asked for; and groups."""

    def __init__(self, group, name):
        self._group, self._name = group, name

    def __getitem__(self, name):
        try:
            found = self._group[name]
        except KeyError:
            raise KeyError(f"{name}: need one of {', '.join(self._group)}") from None
        return found[()] if hasattr(found, "dtype") else Group(found, name)

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._group:
            raise AttributeError(f"{self._name} has no '{name}': need one of {', '.join(self._group)}")
        return self[name]

    def __dir__(self):
        return [*super().__dir__(), *self._group]

    def __iter__(self):
        return iter(self._group)

    def __len__(self):
        return len(self._group)

    def __repr__(self):
        return f"<{self._name}: {_spell_all(self._group.values(), len(self._group))}>"


def _spell_all(items, most=6):
    """The first of them, and how many there are."""
    items = list(items)
    return ", ".join(map(_spell, items[:most])) + (f", ... ({len(items)})" if len(items) > most else "")


def _unit(item):
    unit = item.attrs.get("unit", "")
    return unit.decode() if isinstance(unit, bytes) else str(unit)


def _spell(item):
    """"time [10] s" of a dataset, "history" of a group."""
    name = item.name.rpartition("/")[2]
    if not hasattr(item, "dtype"):
        return f"{name}/"
    return f"{name} {list(item.shape)} {_unit(item)}".strip()


class Run(Mapping):
    """A finished run of a command. As a mapping: the groups and datasets of its results file, run["history/time"],
    run.history.time; each dataset is read into a new array when it is asked for, the file itself is never copied.

    files: names of all that it would have written. said: what it would have printed at its end.
    """

    def __init__(self, command, resource):
        self.command, self._resource = command, resource  # which every view of a file keeps
        self._view = {}
        for i in range(library().sw_call_files(resource.pointer)):
            file = library().sw_call_file(resource.pointer, i)
            memory = (c_uint8 * file.size).from_address(file.bytes)
            memory.resource = resource
            self._view[os.fsdecode(file.name)] = memoryview(memory).cast("B").toreadonly()
        self.files = sorted(self._view)
        self.said = library().sw_call_said(resource.pointer).decode(errors="replace").strip()
        self._results = None

    def bytes(self, name):
        """A file as it would be on the disk: a memoryview, of the run's own memory."""
        if name not in self._view:
            raise ArgumentError(f"name = {name!r}: need one of {', '.join(self.files) or 'none: there are no files'}")
        return self._view[name]

    def text(self, name):
        """A file of text."""
        return str(self.bytes(name), "utf-8", "replace")

    def file(self, name):
        """An HDF5 file, results or VTKHDF, as a new h5py.File that is read from memory."""
        try:
            import h5py
        except ModuleNotFoundError:
            raise ImportError("results as arrays need h5py: install slipwave[plot]", name="h5py") from None
        view = self.bytes(name)
        try:
            return h5py.File(io.BufferedReader(_Bytes(view), 1 << 16), "r")
        except OSError:
            raise InputError(f"{name}: a text: need an HDF5 file; Run.text reads it") from None

    @property
    def results(self):
        """The results file, an h5py.File. InputError of a command that writes none."""
        if self._results is None:
            names = [name for name in self.files if name.endswith(".h5")]
            if not names:
                raise InputError(f"slipwave {self.command}: has no results file; .said and .files are what there is")
            self._results = self.file(min(names, key=len))
        return self._results

    def __getitem__(self, name):
        return Group(self.results, "results")[name]

    def _groups(self):
        """What is in its results; AttributeError of a run without them."""
        try:
            return Group(self.results, f"slipwave {self.command}")
        except (InputError, ImportError) as error:
            raise AttributeError(str(error)) from error

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._groups(), name)

    def __dir__(self):
        try:
            return [*super().__dir__(), *self._groups()]
        except AttributeError:
            return super().__dir__()

    def __iter__(self):
        return iter(self.results)

    def __len__(self):
        return len(self.results)

    def __bool__(self):
        return True

    def _rows(self, group):
        """Shape of a group's times, or of its first dataset's first dimension, and the datasets that begin with it."""
        items = {name: item for name, item in self.results[group].items() if hasattr(item, "dtype") and item.shape}
        if not items:
            raise InputError(f"{group}: has no datasets: need one of {', '.join(self)}")
        shape = items["time"].shape if "time" in items else next(iter(items.values())).shape[:1]
        return shape, {name: item for name, item in items.items() if item.shape[:len(shape)] == shape}

    def to_pandas(self, group="history"):
        """A group as a pandas.DataFrame, a row for each time (of dem: for each element and time); datasets of several numbers are
        columns each, "cauchy_stress[0,1]"."""
        import pandas
        shape, items = self._rows(group)
        index = pandas.MultiIndex.from_product(map(range, shape)) if len(shape) > 1 else None
        return pandas.DataFrame({name + (f"[{','.join(map(str, place))}]" if place else ""):
                                 item[()][(*[slice(None)] * len(shape), *place)].ravel()
                                 for name, item in items.items() for place in np.ndindex(item.shape[len(shape):])}, index)

    def to_xarray(self, group="history"):
        """A group as an xarray.Dataset: dimension "row" (of dem "element" and "row"), and others by the name of the dataset;
        attribute unit."""
        import xarray
        shape, items = self._rows(group)
        rows = ("element", "row")[-len(shape):]
        return xarray.Dataset({name: ((*rows, *(f"{name}_{i}" for i in range(item.ndim - len(rows)))), item[()],
                                      {"unit": _unit(item)}) for name, item in items.items()})

    def save(self, folder="."):
        """Write its files below a folder, which is made where it is not there; returns their paths. InputError, and nothing is
        written, where the name of one leads out of it."""
        for name in self.files:
            if Path(name).is_absolute() or os.path.normpath(name).split(os.sep)[0] == os.pardir:
                raise InputError(f"{name}: is not below a folder: .bytes({name!r}) is what is in it")
        paths = [Path(folder) / name for name in self.files]
        for path, name in zip(paths, self.files):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self._view[name])
        return paths

    def __reduce__(self):
        raise TypeError("Run: cannot be copied or pickled: take its arrays, or .save() it")

    def _lines(self, most=6):
        """(file, what is in it) of the first files, and how many there are."""
        if len(self.files) > most:
            yield f"{len(self.files)} files", "the first are"
        for name in self.files[:most]:
            if not name.endswith((".h5", ".vtkhdf")):
                yield name, f"{len(self._view[name])} bytes"
                continue
            try:
                with self.file(name) as file:
                    yield name, "; ".join(f"{key}: {_spell_all(group.values())}" if hasattr(group, "values") and len(group) > 0
                                          else _spell(group) for key, group in file.items())
            except ImportError:
                yield name, f"{len(self._view[name])} bytes"

    def __repr__(self):
        return "\n".join([f"<slipwave {self.command}: {self.said}", *(f"  {name}: {what}" for name, what in self._lines())]) + ">"

    def _repr_html_(self):
        rows = "".join(f"<tr><td>{escape(name)}</td><td>{escape(what)}</td></tr>" for name, what in self._lines())
        return f"<p><b>slipwave {escape(self.command)}</b> {escape(self.said)}</p><table>{rows}</table>"
