"""Commands in memory: the bits of the program, every key of every table, what errors carry, who stops a run, whose memory it is."""

import gc
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from importlib.util import find_spec
from pathlib import Path

import package

package.need("numpy", "h5py")

import numpy as np  # noqa: E402
import h5py  # noqa: E402

import counted  # noqa: E402
import slipwave  # noqa: E402
from slipwave.commands import rows  # noqa: E402
from slipwave.material import as_text  # noqa: E402

MATERIAL, ALLOY = slipwave.data("materials/copper-ofhc.yaml"), slipwave.data("alloys/al-mg-si-6082.yaml")
CUBE = {"mesh": {"body": "box", "cells": [2, 2, 2], "size": [1.0, 1.0, 1.0]},
        "materials": [{"young": 200e9, "poisson": 0.3, "yield_stress": 450e6, "hardening": {"law": "linear", "modulus": 66e9}}],
        "boundary": [{"nodes": f"{x}_min", x: 0} for x in "xyz"],
        "loads": [{"surface": "z_max", "traction": [0, 0, 600e6]}], "steps": [{"factor": 1.0, "increments": 4}],
        "output": {"file": "out.h5", "restart": [2]}}
JOBS = {
    "fem": CUBE,
    "dem": {"material": {"law": "linear", "young": 4.3e9, "poisson": 0.5, "friction": 0.5, "density": 2600},
            "packing": {"particles": 60, "radii": {"distribution": "uniform", "least": 5e-5, "largest": 1.25e-4}, "seed": 1,
                        "pressure": 200e3},
            "loading": [{"test": "isotropic", "pressure": 300e3, "inertia_number": 0.02}], "output": {"file": "out.h5"}},
    "forming": {"material": str(MATERIAL), "solver": "elastoplastic", "crystals": {"count": 125, "seed": 1},
                "r_values": {"angles": [0, 90], "strain": 0.005},
                "yield_surface": {"strain": 0.005, "points": "points.txt", "sections": [{"x": 11, "y": 22, "points": 8}]},
                "output": {"file": "out.h5"}},
    "taylor": {"material": str(MATERIAL), "solver": "elastoplastic", "crystals": {"count": 50, "seed": 3},
               "loading": [{"velocity_gradient": np.diag([1e-3, 0, -1e-3]), "duration": 20}],
               "output": {"file": "out.h5", "orientations": ["all"]}},
    "kwn": {"alloy": str(ALLOY), "initial_temperature": 803.15, "temperature": [{"quench_to": 458.15}, {"hold": 1e4}],
            "output": {"file": "out.h5", "per_decade": 5, "first": 10.0}},
    "kwn_map": {"alloy": str(ALLOY), "kind": "ageing", "initial_temperature": 803.15,
                "temperature": {"from": 423.15, "to": 483.15, "count": 3}, "time": {"from": 10.0, "to": 1e5, "count": 11},
                "output": {"file": "out.h5"}},
    "point": {"material": str(MATERIAL), "solver": "elastoplastic", "crystals": {"count": 10, "seed": 1}},
}
CLOCKS = ("seconds", "_per_second", "_time", "run/blocks", "run/digests")  # of kwn: with the seconds of each block


def contents(file):
    """{path: array} of datasets and attributes, without what clocks say."""
    found = {}

    def add(name, item):
        found.update({f"{name}@{key}": np.asarray(value) for key, value in item.attrs.items()})
        if hasattr(item, "dtype"):
            found[name] = item[()]

    file.visititems(add)
    add("", file)
    return found


def nested(command, path, value):
    """A job of one key: "loading[].duration" -> {"loading": [{"duration": value}]}."""
    name, _, rest = path.partition(".")
    row = next(one for one in slipwave.table(command)["keys"] if one.get("name") == name.removesuffix("[]"))
    return {**({"kind": "ageing"} if command == "kwn_map" else {}), row["name"]: _nested(row, name, rest, value)}


def _nested(row, name, rest, value):
    if not rest:
        return value
    inner, _, further = rest.partition(".")
    below = next(one for one in row["keys"] if one.get("name") == inner.removesuffix("[]"))
    made = {below["name"]: _nested(below, inner, further, value)}
    return [made] * max(row.get("shortest", 1), 1) if name.endswith("[]") else made


def is_scalar(row):
    return row["type"] in ("word", "yes", "whole", "real") and "keys" not in row


def wrong_values(row):
    """Of another type, and beyond the bounds."""
    kind = "whole" if row.get("whole") else row["type"]
    if kind in ("text", "path", "output", "name"):
        return [[1], {"a": 1}]
    if kind in ("section", "tensor"):
        return [3]
    if kind == "list":
        return [{"a": 1}]
    if kind in ("word", "yes"):
        return ["no such word"]
    values = ["text"] + ([0.5] if kind == "whole" else [])
    step = 1 if kind == "whole" else None
    for end, away in (("least", -np.inf), ("most", np.inf)):
        if end in row and abs(row[end]) < 2.0**53:
            bound = row[end]
            beyond = int(bound + np.sign(away)) if step else float(np.nextafter(bound, away))
            is_open = row.get("open", 0) & (1 if end == "least" else 2)
            values += [beyond] + ([bound] if is_open and not step else [])
    return values


def right_values(row):
    """Its bounds, its words."""
    kind = row["type"]
    kind = "whole" if row.get("whole") else kind
    if kind in ("whole", "real"):
        ends = [row[end] for end, is_open in (("least", 1), ("most", 2))
                if end in row and not row.get("open", 0) & is_open and abs(row[end]) < 2.0**53]
        return [int(end) if kind == "whole" else end for end in ends]
    if kind == "word":
        return row["words"]
    return {"yes": [True, False], "text": ["a"], "path": ["a"], "output": ["a"], "name": ["a"],
            "tensor": [np.eye(3)]}.get(kind, [])


class Commands(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def refused(self, command, job=None, **named):
        with self.assertRaises(slipwave.Error) as caught, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            slipwave.run(command, job, **named)
        return caught.exception

    # ---- The program's numbers ----

    def same_as_the_program(self, command, job):
        job = {"threads": 2, **job}
        run = slipwave.run(command, job)
        self.assertEqual(os.listdir(), [])
        Path("job").write_text(as_text(job, "job"), encoding="utf-8")
        package.run("slipwave", *slipwave.table(command)["name"].split(), "job", folder=self.folder)
        os.remove("job")
        self.assertEqual(run.files, sorted(os.listdir()))
        for name in run.files:
            if not name.endswith((".h5", ".vtkhdf")):
                self.assertEqual(bytes(run.bytes(name)), Path(name).read_bytes())
                continue
            with h5py.File(name) as ours, run.file(name) as theirs:
                ours, theirs = contents(ours), contents(theirs)
            self.assertEqual(set(ours), set(theirs))
            differ = [key for key, value in ours.items() if value.tobytes() != theirs[key].tobytes()]
            self.assertEqual([key for key in differ if not any(clock in key for clock in CLOCKS)], [], name)
        return run

    def test_bits_of_fem(self):
        run = self.same_as_the_program("fem", CUBE)
        self.assertEqual(run.files, ["out-0002.restart.h5", "out-0004.vtkhdf", "out.h5", "out.vtkhdf.series"])
        # Kiran 2023, section 3.2.1.1: uniaxial stress, 600e6 / 200e9 + (600e6 - 450e6) / 66e9 along it
        np.testing.assert_allclose(run.history.load_displacement[-1, 0, 2], 5.2727272727e-3, rtol=1e-6)

    def test_bits_of_dem(self):
        self.same_as_the_program("dem", JOBS["dem"])

    def test_bits_of_forming(self):
        self.assertIn("points.txt", self.same_as_the_program("forming", JOBS["forming"]).files)

    def test_bits_of_taylor(self):
        run = self.same_as_the_program("taylor", JOBS["taylor"])
        stepped = slipwave.Taylor(JOBS["taylor"]).run()
        np.testing.assert_array_equal(run.history.cauchy_stress, stepped.history.cauchy_stress)

    def test_bits_of_kwn(self):
        self.same_as_the_program("kwn", JOBS["kwn"])

    def test_bits_of_maps(self):
        self.same_as_the_program("kwn_map", JOBS["kwn_map"])

    def test_bits_of_vpsc(self):
        """Its files, too, may be in memory, and where its outputs would go need not be there."""
        fuzz = package.ROOT / "tests/fuzz"
        inputs = {"VPSC8.in": (fuzz / "corpus/vpsc/rolled").read_text(),
                  **{f"vpsc.{end}": (fuzz / f"beside/vpsc.{end}").read_bytes() for end in ("sx", "tex", "load")}}
        run = slipwave.vpsc("in/VPSC8.in", files={f"in/{name}": content for name, content in inputs.items()}, output="out")
        self.assertEqual(os.listdir(), [])
        os.mkdir("out")
        os.mkdir("in")
        for name, content in inputs.items():
            Path("in", name).write_bytes(content.encode() if isinstance(content, str) else content)
        package.run("slipwave", "vpsc", "in/VPSC8.in", "--output", "out", folder=self.folder)
        self.assertEqual(run.files, sorted(f"out/{name}" for name in os.listdir("out")))
        self.assertIn("out/STR_STR.OUT", run.files)
        for name in run.files:
            if name.endswith(".OUT"):
                self.assertEqual(bytes(run.bytes(name)), Path(name).read_bytes(), name)

    # ---- Every key of every table ----

    def test_every_key_can_be_set_and_says_its_bound(self):
        count = 0
        for command in slipwave.commands():
            if not slipwave.table(command).get("with_file"):
                continue
            for path, row in rows(slipwave.table(command)["keys"]):
                if path.startswith("--") or row["type"] == "note":
                    continue
                with self.subTest(command=command, key=path):
                    place = path.replace("[]", "[0]")
                    for value in wrong_values(row):
                        error = self.refused(command, nested(command, path, value))
                        self.assertEqual((error.code, error.key), ("SW_ERR_INPUT", place), error)
                        if is_scalar(row) and error.value is not None and value not in ("text", 0.5):
                            self.assertTrue(row["bound"].startswith(error.bound), (error, row["bound"]))
                    for value in right_values(row):
                        error = self.refused(command, nested(command, path, value))  # the rest of the job is missing
                        self.assertFalse(error.key == place and error.bound == row.get("bound") and error.value is not None, error)
                        self.assertNotIn("unknown key", str(error))
                    count += 1
        self.assertGreater(count, 400)

    def test_every_option_is_a_keyword(self):
        count = 0
        for command in slipwave.commands():
            Path("job.yaml").write_text("{}")
            for path, row in rows(slipwave.table(command)["keys"]):
                if "option" not in row or (row["type"] == "yes" and "name" not in row) or {"path", "output", "text"} & {row["type"], row.get("entry")}:
                    continue
                with self.subTest(command=command, option=row["option"]):
                    wrong = "perhaps" if row["type"] in ("yes", "word") or row.get("entry") else wrong_values(row)[0]
                    error = self.refused(command, "job.yaml", **{row["option"].replace("-", "_"): wrong})
                    self.assertEqual((error.option, error.key), (row["option"], path), error)
                    count += 1
        self.assertGreater(count, 60)

    def test_unknown_keys_are_refused_with_the_nearest(self):
        error = self.refused("fem", {**CUBE, "solver": {"tolerence": 1e-6}})
        self.assertEqual(error.key, "solver.tolerence")
        self.assertIn("did you mean 'solver.tolerance'?", str(error))
        with self.assertRaisesRegex(slipwave.ArgumentError, "thread: unknown keyword: did you mean 'threads'"):
            slipwave.fem(CUBE, thread=2)
        with self.assertRaisesRegex(slipwave.ArgumentError, "command = 'fme': did you mean 'fem'"):
            slipwave.run("fme", CUBE)
        with self.assertRaisesRegex(slipwave.ArgumentError, "command = 3: need one of taylor, certify"):
            slipwave.run(3, CUBE)
        with self.assertRaisesRegex(slipwave.ArgumentError, "progress: int: need a function"):
            slipwave.fem(CUBE, progress=3)
        with self.assertRaisesRegex(slipwave.ArgumentError, "path: int: need a text or a Path"):
            slipwave.fem(3)
        with self.assertRaisesRegex(slipwave.ArgumentError, "mesh: a key beside a job file: need an option"):
            slipwave.fem("job.yaml", mesh=CUBE["mesh"])
        with self.assertRaisesRegex(AttributeError, "has no attribute 'fme'"):
            getattr(slipwave, "fme")

    def test_errors_of_files_carry_file_and_line(self):
        Path("soft.yaml").write_text(MATERIAL.read_text().replace("rate_sensitivity: ", "rate_sensitivity: -"))
        error = self.refused("point", {**JOBS["point"], "material": "soft.yaml"})
        self.assertEqual((error.file, error.key), ("soft.yaml", "slip.rate_sensitivity"), error)
        line = Path("soft.yaml").read_text().splitlines()[error.line - 1]
        self.assertIn("rate_sensitivity: -", line)
        self.assertIn("1e-4 <= rate_sensitivity <= 1", error.bound)
        Path("job.yaml").write_text("mesh: {body: box}\nb_bar: perhaps\n")
        error = self.refused("fem", "job.yaml")
        self.assertEqual((error.file, error.line, error.key, error.value, error.bound),
                         ("job.yaml", 2, "b_bar", "perhaps", "yes or no"))
        error = self.refused("fem", "absent.yaml")
        self.assertEqual((error.code, error.key), ("SW_ERR_IO", None))

    # ---- Progress, and stopping ----

    def test_progress_is_each_step(self):
        seen = []
        slipwave.fem(CUBE, progress=lambda *step: seen.append(step))
        self.assertEqual(seen, [("fem", n, 4, "increments") for n in (1, 2, 3, 4)])

    def test_progress_stops_a_run_and_its_errors_come_through(self):
        for command in ("fem", "forming", "taylor", "kwn", "kwn_map"):
            error = self.refused(command, JOBS[command], progress=lambda task, done, *_: (np.bool_ if task == "fem" else bool)(done < 2))
            self.assertEqual((error.code, str(error)), ("SW_ERR_INTERRUPTED", "interrupted"))

        def fails(task, done, *_):
            raise KeyError(done)

        with self.assertRaisesRegex(KeyError, "1"):
            slipwave.fem(CUBE, progress=fails)
        self.assertEqual(slipwave.fem(CUBE).history.step.size, 4)  # and the next one runs
        self.assertEqual(os.listdir(), [])

    def test_control_c_stops_a_run(self):
        done = []

        def interrupt(*step):
            done.append(step)
            if len(done) == 2:
                os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            slipwave.fem(CUBE, progress=interrupt)
        self.assertEqual(len(done), 2)
        self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)
        slipwave.fem(CUBE)

    def test_control_c_stops_a_run_that_nobody_watches(self):
        """Of some minutes, were it not stopped; by another thread of Python, whose lock is released."""
        program = ("import slipwave, os, threading, signal\n"
                   "threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
                   "try: slipwave.taylor({'material': %r, 'crystals': {'count': 20000}, 'solver': 'elastoplastic', 'loading': [\n"
                   "    {'velocity_gradient': [[1e-3, 0, 0], [0, 0, 0], [0, 0, -1e-3]], 'duration': 700}] * 100})\n"
                   "except KeyboardInterrupt: print('stopped')" % str(MATERIAL))
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False,
                              env={**os.environ, "PYTHONPATH": str(package.ROOT / "python")})
        self.assertEqual((done.stdout, done.stderr), ("stopped\n", ""))

    def test_one_at_a_time(self):
        """A run within another is refused; those of other threads wait."""
        errors, ran = [], []

        def within(*_):
            try:
                slipwave.fem(CUBE)
            except slipwave.Error as error:
                errors.append(error.code)

        slipwave.fem(CUBE, progress=within)
        self.assertEqual(errors, ["SW_ERR_UNAVAILABLE"] * 4)
        threads = [threading.Thread(target=lambda: ran.append(slipwave.fem(CUBE).history.step.size)) for _ in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        self.assertEqual(ran, [4] * 4)

    def test_processes_that_are_forked_off(self):
        slipwave.fem(CUBE)
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            try:
                os._exit(slipwave.fem(CUBE, threads=2).history.step.size)
            finally:
                os._exit(99)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 4)

    # ---- What goes in and comes out ----

    def test_files_in_memory_and_materials(self):
        copper = slipwave.Material(MATERIAL)
        alike = [slipwave.point({**JOBS["point"], **given}, **more).said for given, more in (
            ({}, {}), ({"material": copper}, {}), ({"material": "a.yaml"}, {"files": {"a.yaml": copper}}),
            ({"material": "b.yaml"}, {"files": {"b.yaml": MATERIAL.read_bytes()}}),
            ({"material": MATERIAL.name}, {"folder": MATERIAL.parent}), ({}, {"files": {MATERIAL.name: "not read"}}))]
        self.assertEqual([said.replace(str(MATERIAL.parent) + "/", "") for said in alike], [alike[0]] * 6)
        soft = self.refused("point", JOBS["point"], files={str(MATERIAL): "slip: 3"})
        self.assertEqual(soft.key, "slip")
        self.assertIn("empty", str(self.refused("point", JOBS["point"], files={str(MATERIAL): ""})))
        with self.assertRaisesRegex(slipwave.ArgumentError, "files\\['a'\\]: int: need a mapping, a text"):
            slipwave.point(JOBS["point"], files={"a": 3})
        with self.assertRaisesRegex(slipwave.ArgumentError, "folder: goes with a mapping"):
            slipwave.fem("job.yaml", folder=".")
        with self.assertRaisesRegex(slipwave.ArgumentError, "job: need the path of its input file of VPSC8"):
            slipwave.vpsc()

    def test_decks_include_files_in_memory(self):
        """Beside the file that names them."""
        deck = ("*INCLUDE, INPUT=parts/mesh.inc\n*MATERIAL, NAME=M\n*ELASTIC\n210000., .3\n*SOLID SECTION, ELSET=E, MATERIAL=M\n"
                "*BOUNDARY\n1, 1, 3\n2, 2, 3\n3, 3\n4, 3\n*STEP\n*STATIC\n*BOUNDARY\n5, 3, 3, .1\n*END STEP\n")
        parts = {"in/parts/mesh.inc": "*NODE\n*INCLUDE, INPUT=nodes.inc\n*ELEMENT, TYPE=C3D8, ELSET=E\n1, 1, 2, 3, 4, 5, 6, 7, 8\n",
                 "in/parts/nodes.inc": "1\n2, 1\n3, 1, 1\n4, , 1\n5, 0, 0, 1\n6, 1, 0, 1\n7, 1, 1, 1\n8, 0, 1, 1\n"}
        run = slipwave.fem("in/cube.inp", files={"in/cube.inp": deck, **parts})
        alone = slipwave.fem("in/cube.inp", files={"in/cube.inp": deck.replace("*INCLUDE, INPUT=parts/mesh.inc\n", "".join(
            parts["in/parts/mesh.inc"].replace("*INCLUDE, INPUT=nodes.inc\n", parts["in/parts/nodes.inc"])))})
        self.assertEqual(run.said, alone.said)
        self.assertEqual(os.listdir(), [])
        itself = {**parts, "in/parts/nodes.inc": "*INCLUDE, INPUT=mesh.inc\n"}
        with self.assertRaisesRegex(slipwave.InputError, "nodes.inc:1: \\*INCLUDE: in/parts/mesh.inc includes itself"):
            slipwave.fem("in/cube.inp", files={"in/cube.inp": deck, **itself})
        with self.assertRaisesRegex(slipwave.InputError, "in/cube.inp:1: \\*INCLUDE: there is no file in/parts/mesh.inc"):
            slipwave.fem("in/cube.inp", files={"in/cube.inp": deck})

    def test_results_of_one_are_inputs_of_another(self):
        """Restart files, from memory."""
        first = slipwave.fem(CUBE)
        again = slipwave.fem({**CUBE, "output": {"file": "again.h5"}}, restart="half.h5",
                             files={"half.h5": first.bytes("out-0002.restart.h5")})
        np.testing.assert_array_equal(again.history.load_displacement, first.history.load_displacement)
        rolled = slipwave.taylor(JOBS["taylor"])
        written = slipwave.export("out.h5", output="rolled.ori", files={"out.h5": rolled.bytes("out.h5")})
        self.assertEqual(len(np.loadtxt(written.text("rolled.ori").splitlines())), 50)
        again = slipwave.taylor({**JOBS["taylor"], "crystals": {"file": "rolled.ori"}},
                                files={"rolled.ori": written.bytes("rolled.ori")})
        # the angles have 6 digits behind the point, which single precision does not tell apart at 360 degrees
        np.testing.assert_allclose(again["orientations/0/euler"], rolled[f"orientations/{len(rolled.history.time) - 1}/euler"], rtol=0,
                                   atol=4e-7 * 2 * np.pi)
        self.assertEqual(os.listdir(), [])

    def test_what_a_run_is(self):
        run = slipwave.fem(CUBE)
        self.assertIn("out.h5: 4 increments", run.said)
        self.assertEqual(list(run), ["history", "run"])
        np.testing.assert_array_equal(run["history/time"], run["history"]["time"])
        self.assertIn("time [4] s", repr(run.history))
        self.assertIn("history: boundary_displacement [4, 3, 3] m", repr(run))
        self.assertIn("<table>", run._repr_html_())
        self.assertIn("load_factor", dir(run.history))
        with self.assertRaisesRegex(AttributeError, "history has no 'tme': need one of boundary_displacement"):
            getattr(run.history, "tme")
        with self.assertRaisesRegex(slipwave.ArgumentError, "name = 'x': need one of out-0002.restart.h5"):
            run.bytes("x")
        self.assertLessEqual({"history", "files", "save"}, set(dir(run)))
        pointed = slipwave.point(JOBS["point"])
        with self.assertRaisesRegex(slipwave.InputError, "slipwave point: has no results file"):
            pointed.results
        with self.assertRaisesRegex(AttributeError, "slipwave point: has no results file"):
            getattr(pointed, "history")
        self.assertEqual((hasattr(pointed, "history"), "said" in dir(pointed)), (False, True))
        with self.assertRaisesRegex(TypeError, "cannot be copied or pickled"):
            pickle.dumps(run)
        paths = run.save("made/here")
        self.assertEqual(sorted(os.listdir("made/here")), run.files)
        with h5py.File(paths[run.files.index("out.h5")]) as file:
            self.assertEqual(file["history/step"].shape, (4,))

    def test_what_is_saved_is_below_the_folder(self):
        for name in ("../out.h5", "made/../../out.h5", str(self.folder / "out.h5")):
            run = slipwave.fem({**CUBE, "output": {"file": name}})
            with self.assertRaisesRegex(slipwave.InputError, "out.*: is not below a folder: .bytes"):
                run.save("below")
        self.assertEqual(os.listdir(), [])
        run = slipwave.fem({**CUBE, "output": {"file": "made/out.h5"}})
        self.assertEqual([str(path) for path in run.save("below")], [f"below/{name}" for name in run.files])

    def test_names_of_results_may_be_left_out(self):
        job = {key: value for key, value in CUBE.items() if key != "output"}
        self.assertEqual(slipwave.fem(job).files, ["fem-0004.vtkhdf", "fem.h5", "fem.vtkhdf.series"])
        self.assertEqual(slipwave.fem(**job).files, ["fem-0004.vtkhdf", "fem.h5", "fem.vtkhdf.series"])

    def test_saved_results_have_their_seal(self):
        """As slipwave.results checks them."""
        slipwave.taylor(JOBS["taylor"]).save()
        with slipwave.results.Results("out.h5") as file:
            self.assertEqual(file.steps(), [0, *range(1, len(file.history.time))])
        data = bytearray(Path("out.h5").read_bytes())
        data[len(data) // 2] ^= 1
        Path("out.h5").write_bytes(data)
        with self.assertRaisesRegex(slipwave.InputError, "damaged"):
            slipwave.results.Results("out.h5")

    @unittest.skipUnless(find_spec("pandas"), "pandas is missing")
    def test_tables_of_pandas(self):
        run = slipwave.taylor(JOBS["taylor"])
        table = run.to_pandas()
        self.assertEqual(len(table), len(run.history.time))
        np.testing.assert_array_equal(table["cauchy_stress[0,2]"], run.history.cauchy_stress[:, 0, 2])
        run = slipwave.dem(JOBS["dem"])
        table = run.to_pandas()
        np.testing.assert_array_equal(table.loc[0, "stress_11"], run.history.stress_11[0])
        with self.assertRaisesRegex(slipwave.InputError, "run: has no datasets: need one of"):
            run.to_pandas("run")

    @unittest.skipUnless(find_spec("xarray"), "xarray is missing")
    def test_sets_of_xarray(self):
        run = slipwave.dem(JOBS["dem"])
        found = run.to_xarray()
        np.testing.assert_array_equal(found.stress_11.isel(element=0), run.history.stress_11[0])
        self.assertEqual(found.stress_11.unit, "Pa")
        found = slipwave.fem(CUBE).to_xarray()
        self.assertEqual(found.load_force.dims, ("row", "load_force_0", "load_force_1"))

    def test_each_command_says_what_it_takes(self):
        for command in slipwave.commands():
            function = getattr(slipwave, command)
            self.assertIn("returns a Run", function.__doc__)
            for path in function.keys:
                if function.keys[path]["type"] != "section":
                    self.assertIn(f"    {path}: ", function.__doc__)
        self.assertIn("slipwave.Taylor", slipwave.taylor.__doc__)

    # ---- Memory ----

    def test_results_are_not_copied(self):
        """What HDF5 wrote into is what bytes() shows: more fields take their size once, and what their writing takes in the
        program, too, a fifth of it; a copy would take it twice."""
        run = slipwave.fem(CUBE)
        views = [np.frombuffer(run.bytes("out.h5"), np.uint8) for _ in range(2)]
        self.assertTrue(np.shares_memory(*views))
        self.assertFalse(views[0].flags.writeable)
        program = r"""
import resource, slipwave
def run(fields):
    made = slipwave.fem({
        "mesh": {"body": "box", "cells": [20, 20, 20], "size": [1.0, 1.0, 1.0]},
        "materials": [{"young": 200e9, "poisson": 0.3, "yield_stress": 450e6}],
        "boundary": [{"nodes": f"{x}_min", x: 0} for x in "xyz"], "loads": [{"surface": "z_max", "traction": [0, 0, 100e6]}],
        "steps": [{"factor": 1.0, "increments": 20}], "output": {"fields": fields}})
    return made, sum(len(made.bytes(name)) for name in made.files), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
_, few, before = run(["last"])
made, many, during = run(["all"])
print(many - few, during - before)
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONPATH": str(package.ROOT / "python")})
        self.assertEqual(done.stderr, "")
        more, grown = map(int, done.stdout.split())
        self.assertGreater(more, 20 << 20)
        self.assertLess(grown, 1.6 * more)

    def test_steps_take_what_they_write(self):
        """Each step's texture takes 10 MB meanwhile, and 0.4 MB of the file. Measured: 0.5 MB a step; 6 where gaps are not filled."""
        program = f"""
import resource, slipwave
def run(steps):
    slipwave.taylor({{"material": {str(MATERIAL)!r}, "solver": "elastoplastic", "crystals": {{"count": 50}}, "loading": [
        {{"velocity_gradient": [[1e-3, 0, 0], [0, 0, 0], [0, 0, -1e-3]], "duration": steps, "steps": steps}}],
        "output": {{"orientations": ["all"]}}}})
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before = run(10)
print(run(40) - before)
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONPATH": str(package.ROOT / "python")})
        self.assertEqual(done.stderr, "")
        self.assertLess(int(done.stdout), 30 * (2 << 20))

    def test_views_outlive_the_run(self):
        view = slipwave.fem(CUBE).bytes("out.h5")
        gc.collect()
        self.assertEqual(bytes(view[:4]), b"\x89HDF")


if __name__ == "__main__":
    counted.main()
