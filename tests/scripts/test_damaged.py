"""Plot scripts on damaged results: a picture or a line that says what is wrong, never a traceback. Counted as CMocka's by
scripts/dev/run-tests. The results are the programs', in $SW_BIN; skipped without it, numpy, h5py or matplotlib."""

import contextlib
import importlib.machinery
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "python")]
sys.dont_write_bytecode = True

try:
    import h5py
    import numpy as np
    from matplotlib.figure import Figure
except ImportError as missing:
    print(f"[  SKIPPED ] 1 test(s): {missing.name} is missing from {sys.executable}")
    sys.exit(0)
if "SW_BIN" not in os.environ:
    print("[  SKIPPED ] 1 test(s): no SW_BIN")
    sys.exit(0)

import counted  # noqa: E402
from slipwave.pictures import common  # noqa: E402

BIN, JOBS = Path(os.environ["SW_BIN"]).resolve(), ROOT / "tests/fuzz/beside"

# Script: what makes its file, that file, options
RESULTS = {
    "stress_strain": ("taylor -q taylor.yaml", "taylor.h5", []),
    "texture": ("taylor -q taylor.yaml", "taylor.h5", []),
    "families": ("taylor -q twins.yaml", "twins.h5", []),
    "cell": ("fem -q cell.yaml", "cell.h5", []),
    "particles": ("dem -q loose.yaml", "loose-0000.vtkhdf", []),
    "database": ("help", "copper.h5", []),
    "deck": ("fem -q deck.inp -o deck.h5", "deck.h5", []),
    "fem deck": ("fem -q deck.inp -o deck.h5", "deck-0001.vtkhdf", []),
    "report": ("fem -q upsetting.yaml", "upsetting.h5", ["-o"]),
    "command": ("taylor -q taylor.yaml", "taylor.h5", []),
    "slipwave-compare": ("taylor -q taylor.yaml", "taylor.h5", ["--reference", "taylor.h5"]),
    "kwn": ("kwn -q kwn.yaml", "kwn.h5", []),
    "kwn map": ("kwn map -q map.yaml -o map.h5", "map.h5", []),
    "fem": ("fem -q fem.yaml --output body.h5", "body.h5", []),
    "fem fields": ("fem -q fields.yaml", "fields-0001.vtkhdf", []),
    "upsetting": ("fem -q upsetting.yaml", "upsetting.h5", []),
    "dem": ("dem -q sheared.yaml", "sheared.h5", []),
    "sweep": ("sweep -q sweep.yaml", "sweep.h5", []),
    "front": ("sweep -q cost.yaml", "cost.h5", []),
}
FIELDS = """mesh: {body: box, cells: [1, 1, 1]}
materials: [{young: 200.0e9, poisson: 0.3}]
boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}, {nodes: z_min, z: 0}, {nodes: z_max, z: 1.0e-3}]
device: cpu
output: {file: fields.h5, fields: [last]}
"""
UPSETTING = """upsetting: {height: 0.015, radius: 0.005, cells: [2, 3], reduction: 0.02, friction: 0.1, increments: 2}
materials: [{young: 200.0e9, poisson: 0.3, yield_stress: 450.0e6, hardening: {law: linear, modulus: 66.0e9}}]
device: cpu
output: {file: upsetting.h5}
"""
SWEEP = """databases: [copper.h5]
vary: {terms: [8, 16, 32]}
refinement: 4
crystals: {count: 2, seed: 1}
reference: {solver: terms, terms: 64, refinement: 4}
strain_increment: 0.02
loading: [{velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 40}]
output: {file: sweep.h5}
"""
CELL = f"""mesh: {{body: box, cells: [2, 2, 2]}}
strain: finite
materials:
  - crystals: {{material: {ROOT}/data/materials/copper-ofhc.yaml, grains: {{voronoi: 2, seed: 1}}}}
periodic: {{mean_gradient: [[0.01, 0, 0], [0, x, 0], [0, 0, x]]}}
steps: [{{factor: 1.0, increments: 2, time: 10.0}}]
device: cpu
output: {{file: cell.h5, fields: [last], textures: [all]}}
"""
TWINS = f"""material: {ROOT}/data/materials/az31.yaml
solver: elastoplastic
crystals: {{count: 4}}
strain_increment: 0.01
loading: [{{velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 20}}]
output: {{file: twins.h5}}
"""
COST = SWEEP.replace("vary: {terms: [8, 16, 32]}\nrefinement: 4", "vary: {cost: {terms: [16]}}\nrefinement: 4").replace("sweep.h5", "cost.h5")


def load(name):
    if not name.startswith("slipwave-"):
        module = importlib.import_module(f"slipwave.pictures.{name}")
        module.run = common.run
        return module
    path = str(ROOT / "scripts" / name)
    spec = importlib.util.spec_from_loader(Path(name).stem.replace("-", "_"),
                                           importlib.machinery.SourceFileLoader(Path(name).stem.replace("-", "_"), path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def objects(path):
    """Names of all that is in a file, and of the attributes of each."""
    with h5py.File(path, "r") as file:
        names = ["/"]
        file.visit(names.append)
        return names, [(name, key) for name in names for key in file[name].attrs]


def open_unsealed(path):
    """As an older version wrote it, so that what is edited is read."""
    file = h5py.File(path, "r+")
    file.attrs.pop("slipwave_seal", None)
    return file


def replace(file, name, values):
    attributes = dict(file[name].attrs)
    del file[name]
    file.create_dataset(name, data=values).attrs.update(attributes)


def fill(value):
    def edit(file, name):
        if isinstance(file[name], h5py.Dataset) and file[name].dtype.kind in "fiu":
            with np.errstate(all="ignore"):
                replace(file, name, np.full(file[name].shape, value))
    return edit


def shorten(file, name):
    if isinstance(file[name], h5py.Dataset) and file[name].shape:
        replace(file, name, file[name][:-1])


def flatten(file, name):
    if isinstance(file[name], h5py.Dataset) and file[name].shape:
        replace(file, name, np.ravel(file[name][()]))


def remove(file, name):
    if name != "/":
        del file[name]


def make_text(file, name):
    if isinstance(file[name], h5py.Dataset):
        replace(file, name, b"\xff\x1b\n")


def make_group(file, name):
    if isinstance(file[name], h5py.Dataset):
        del file[name]
        file.create_group(name)


def empty(file, name):
    if isinstance(file[name], h5py.Dataset):
        replace(file, name, np.zeros((0,) * len(file[name].shape)))


EDITS = [remove, shorten, flatten, make_text, make_group, empty, fill(np.nan), fill(np.inf), fill(0.0), fill(-1e308),
         fill(2.0**62)]
ATTRIBUTES = [b"\xff\x1b\n", "", np.nan, -1e308, np.zeros(0), None]  # None: it is gone


class Damaged(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        shutil.copytree(JOBS, cls.folder, dirs_exist_ok=True)
        for name, content in (("fields.yaml", FIELDS), ("upsetting.yaml", UPSETTING), ("sweep.yaml", SWEEP),
                              ("cost.yaml", COST), ("cell.yaml", CELL), ("twins.yaml", TWINS)):
            (cls.folder / name).write_text(content)
        (cls.folder / "loose.yaml").write_text((cls.folder / "pack.yaml").read_text().replace("file: sand.h5", "file: loose.h5"))
        pack = (cls.folder / "pack.yaml").read_text()
        (cls.folder / "sheared.yaml").write_text(pack.replace("packings: [vtkhdf]", "file: sheared.h5").replace(
            "file: sand.h5, ", "") + "loading: [{test: drained_triaxial, strain: 0.01, inertia_number: 3.0e-2, most_servo_error: 10}]\n")
        cls.run_program("slipwave-db generate -q --grid 8,4,8,12 --terms 64 copper.yaml -o copper.h5")

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def run_program(cls, command):
        words = command.split()
        done = subprocess.run([BIN / words[0], *words[1:]], cwd=cls.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{command}: {done.stderr}"

    def draw(self, module, words):
        """What the script ends with: None, or its message."""
        with mock.patch.object(sys, "argv", [module.__name__, *words]), mock.patch.object(Figure, "savefig"), \
                contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                module.run(module.main)
            except SystemExit as end:
                return end.code
        return None

    def check(self, module, words, what):
        try:
            message = self.draw(module, words)
        except Exception as error:  # any: that is what a user would see
            self.fail(f"{module.__name__}: {what}: {type(error).__name__}: {error}")
        if message is not None:
            self.assertTrue(isinstance(message, str) and message.isprintable(), f"{what}: {message!r}")
        return message

    def damage(self, script):
        """The good file is drawn; then with each object and attribute edited in a way, the next one in another."""
        command, name, more = RESULTS[script]
        self.run_program(f"slipwave {command}")
        module = load(script.split()[0])
        good, bad = self.folder / name, self.folder / f"bad{Path(name).suffix}"
        words = [*more[:-1], *(str(self.folder / other) for other in more[-1:])]
        if script == "report":
            words = ["-o", str(self.folder / "page.html")]
        words += [] if script in ("slipwave-compare", "report") else ["-o", str(self.folder / "picture.png")]
        self.assertIsNone(self.check(module, [str(good), *words], "as it is"))
        names, attributes = objects(good)
        refused = 0
        for i, one in enumerate(names):
            if one == "/":
                continue
            shutil.copy(good, bad)
            with open_unsealed(bad) as file:
                EDITS[i % len(EDITS)](file, one)
            refused += self.check(module, [str(bad), *words], f"{one}, edit {i % len(EDITS)}") is not None
        for i, (one, key) in enumerate(a for a in attributes if a[1] != "unit"):
            shutil.copy(good, bad)
            with open_unsealed(bad) as file:
                value = ATTRIBUTES[i % len(ATTRIBUTES)]
                if value is None:
                    file[one].attrs.pop(key, None)
                else:
                    file[one].attrs[key] = value
            self.check(module, [str(bad), *words], f"attribute {key} of {one}")
        self.assertGreater(refused, 0)
        shutil.copy(good, bad)
        with open_unsealed(bad) as file:
            for one in names:
                fill(np.nan)(file, one)
        self.check(module, [str(bad), *words], "nothing but NaN")
        for end in (0, 100, good.stat().st_size // 2):
            bad.write_bytes(good.read_bytes()[:end])
            self.assertIsNotNone(self.check(module, [str(bad), *words], f"cut at {end}"))
        flipped = bytearray(good.read_bytes())
        flipped[len(flipped) // 2] ^= 1
        bad.write_bytes(flipped)
        self.assertIn("damaged", self.check(module, [str(bad), *words], "a flipped bit"))


    def test_runs_of_other_jobs(self):
        """Their differences are no solver's errors."""
        self.run_program("slipwave taylor -q taylor.yaml")
        module, good, other = load("slipwave-compare"), self.folder / "taylor.h5", self.folder / "other.h5"
        for name, value in (("material", "cheese"), ("seed", 77.0), ("initial_slip_resistance", 1e5), ("crystals", 3.0), (None, None)):
            shutil.copy(good, other)
            with open_unsealed(other) as file:
                if name is not None:
                    file["run"].attrs[name] = value
                else:
                    file["history/velocity_gradient"][...] = np.roll(file["history/velocity_gradient"][...], 1, axis=1)
            message = self.check(module, [str(other), "--reference", str(good)], name)
            self.assertIn(name or "another loading", message or "")


def add(script):
    setattr(Damaged, f"test_{script}", lambda self: self.damage(script))


for each in RESULTS:
    add(each)


TABLES = ["bench", "kwn_bench", "fem_bench", "dem_bench"]


class Tables(unittest.TestCase):
    def test_damaged_tables(self):
        kept = [path.read_bytes() for path in sorted((ROOT / "bench/results").glob("**/*.csv"))][:6]
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        path = folder / "table.csv"
        for script in TABLES:
            module = load(script)
            for content in [b"", b"\xff\x00\x1b", b"a,b\n1,2\n", *(one[:len(one) // 2] for one in kept),
                            *(one.replace(b"1", b"x") for one in kept), *(one.replace(b".", b"") for one in kept)]:
                path.write_bytes(content)
                Damaged.check(Damaged(), module, [str(path), "-o", str(folder / "pictures")], content[:40])


if __name__ == "__main__":
    counted.main()
