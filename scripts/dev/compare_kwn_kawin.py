#!/usr/bin/env python3
"""`slipwave kwn` beside kawin 0.5.0 on five problems, with the seconds that both take.

    scripts/dev/compare_kwn_kawin.py --slipwave build/slipwave [--finer 2] [--same] [PROBLEM ...]

Problems:
    hold, steps, ramp   Al-0.4 Zr of data/alloys, an ideal solution in both: 450 C, 50 h; 420 C, 10 h, in half an hour to 480 C;
                        400 to 500 C in 20 h, 10 h there
    ni-al-cr            Ni-9.4 Al-8.3 Cr at 1073 K, by the database that comes with kawin
    al-mg-si            beta'' of Al-0.72 Mg-0.57 Si, 175 to 200 C, likewise

None has incubation. kawin: explicit Euler, steps of 2e-4 of the time at most, 400 classes; --finer divides both. --same makes
the same what is known to differ: sites of lines that a particle takes (one each), surfaces of another temperature (renewed every
step), the composition of nuclei of ni-al-cr (kawin's), resistances of al-mg-si (those at rest, of first order).

Needs kawin, PyYAML and h5py; `slipwave-chemistry` makes the tables. Writes a table to standard output, of kawin's differences
from ours at nine times, the smallest and the largest."""
import argparse
import csv
import importlib.machinery
import importlib.util
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import warnings

MISSING = None
try:
    import numpy as np
    import yaml
    from kawin.precipitation import (MatrixParameters, PrecipitateModel, PrecipitateParameters, TemperatureParameters,
                                     VolumeParameter)
    from kawin.solver import explicitEulerIterator
    from kawin.tests.databases import ALMGSI_DB, ALZR_TDB, NICRAL_TDB
    from kawin.thermo import BinaryThermodynamics, MulticomponentThermodynamics
    from pycalphad import Database
except ImportError as missing:  # told by main, after --help
    MISSING, ALMGSI_DB, NICRAL_TDB = missing, None, None
    BinaryThermodynamics = PrecipitateModel = object

warnings.filterwarnings("ignore")
sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
R, N_A = 8.31446261815324, 6.02214076e23
HOUR = 3600.0
# Temperatures (K) at times (s).
HISTORIES = {"hold": [(0, 723.15), (50 * HOUR, 723.15)],
             "steps": [(0, 693.15), (10 * HOUR, 693.15), (10.5 * HOUR, 753.15), (20 * HOUR, 753.15)],
             "ramp": [(0, 673.15), (20 * HOUR, 773.15), (30 * HOUR, 773.15)],
             "ni-al-cr": [(0, 1073.0), (1e5, 1073.0)],
             "al-mg-si": [(0, 448.15), (HOUR, 473.15), (5 * HOUR, 473.15)]}
# Of the two with a database: text, solutes then the matrix, phase, atomic volume, interface energy, fractions, the phase's
# composition (solutes first) in 100 atoms, sites, tables.
CALPHAD = {"ni-al-cr": (NICRAL_TDB, ["AL", "CR", "NI"], "FCC_L12", 0.352e-9**3 / 4, 0.023, [0.094, 0.083],
                        {"Ni": 76.35, "Al": 17.52, "Cr": 6.13}, 1e29,
                        "--temperature 1060 1085 3 --concentration Al 0.06 0.1 41 --concentration Cr 0.08 0.09 6"),
           "al-mg-si": (ALMGSI_DB, ["MG", "SI", "AL"], "MG5SI6_B_DP", 1e-5 / N_A, 0.15, [0.0072, 0.0057],
                        {"Mg": 5.0, "Si": 6.0}, N_A / 1e-5,
                        "--temperature 440 480 5 --concentration Mg 5e-5 7.5e-3 25 --concentration Si 1e-4 6e-3 25")}
MASS = {"Ni": 58.69e-3, "Al": 26.98e-3, "Cr": 52.0e-3, "Mg": 24.3e-3, "Si": 28.1e-3}


def read_alloy(path):
    """PyYAML takes 2.0e3, without a sign, for a text."""
    def numbers(of):
        if isinstance(of, dict):
            return {k: numbers(v) for k, v in of.items()}
        if isinstance(of, list):
            return [numbers(v) for v in of]
        try:
            return float(of) if isinstance(of, str) else of
        except ValueError:
            return of
    return numbers(yaml.safe_load(open(path)))


def chemistry_script():
    loader = importlib.machinery.SourceFileLoader("chemistry", str(ROOT / "scripts/slipwave-chemistry"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("chemistry", loader))
    loader.exec_module(module)
    return module


# ---- kawin ----

class Ideal(BinaryThermodynamics):
    """A dilute ideal matrix beside a compound A_m B of an alloy file: RT ln(c / c_e) of a formula unit."""

    def __init__(self, alloy):
        phase, solute = alloy["phases"][0], alloy["solutes"][0]
        super().__init__(ALZR_TDB, ["AL", "ZR"], ["FCC_A1", "AL3ZR"], drivingForceMethod="tangent")
        self.part = 1 / sum(s["count"] for s in phase["stoichiometry"])
        self.atoms, solvus = round(1 / self.part), phase["solvus"]
        if "table" in solvus:
            rows = sorted((1 / r["temperature"], np.log(r["product"])) for r in solvus["table"])
            self.log_soluble = lambda t: np.interp(1 / np.asarray(t, float), *np.transpose(rows))
        else:
            self.log_soluble = lambda t: np.log(solvus["prefactor"]) - solvus["enthalpy"] / (R * np.asarray(t, float))
        d = solute["diffusivity"]
        self.setDiffusivity(lambda t: d["prefactor"] * np.exp(-d["activation_energy"] / (R * t)), "FCC_A1")

    def getDrivingForce(self, x, T, precPhase=None, removeCache=False, *_, **__):
        x, T = np.atleast_1d(np.squeeze(x)), np.atleast_1d(T)
        force = R * T * (np.log(np.maximum(x, 1e-30)) - self.log_soluble(T)) * self.part
        return np.squeeze(force), np.squeeze(self.part * np.ones(x.shape))

    def getInterfacialComposition(self, T, gExtra=0, precPhase=None):
        raised = self.log_soluble(T) + np.minimum(self.atoms * np.asarray(gExtra, float) / (R * np.asarray(T)), 20)
        surface = np.minimum(np.exp(raised), 0.96 * self.part)
        return np.squeeze(surface), np.squeeze(self.part * np.ones(np.shape(surface)))


def theirs(name, finer, same, alloy):
    """Rows of time, number, mean radius, fraction; CPU seconds, steps."""
    history, largest = HISTORIES[name], 4e-9
    end = history[-1][0]
    if name in CALPHAD:
        text, elements, phase, volume, gamma, fractions, _, sites, _ = CALPHAD[name]
        thermo = MulticomponentThermodynamics(text, elements[-1:] + elements[:-1], ["FCC_A1", phase],
                                              drivingForceMethod="tangent")
        thermo.setDFSamplingDensity(2000)
        thermo.setEQSamplingDensity(500)
        matrix, precipitate = MatrixParameters(elements[:-1]), PrecipitateParameters(phase)
        matrix.initComposition, precipitate.gamma, largest = fractions, gamma, 1e-8
        volumes = (volume * N_A, volume * N_A)
        kind = "bulk"
    else:
        thermo, phase = Ideal(alloy), alloy["phases"][0]
        matrix, precipitate = MatrixParameters(["ZR"]), PrecipitateParameters("AL3ZR")
        matrix.initComposition = alloy["solutes"][0]["concentration"]
        precipitate.gamma = phase["interfacial_energy"]
        volumes = (alloy["matrix"]["molar_volume"], phase["molar_volume"] * thermo.part)
        kind = "dislocations" if phase["nucleation"]["sites"] == "dislocations" else "bulk"
        sites = phase["nucleation"].get("dislocation_density", N_A / volumes[0])
    for of, molar in zip((matrix, precipitate), volumes):
        of.volume.setVolume(molar, VolumeParameter.MOLAR_VOLUME, 4)
    if kind == "dislocations":
        matrix.nucleationSites.setNucleationDensity(grainSize=1, dislocationDensity=sites)
    else:
        matrix.nucleationSites.setBulkDensity(sites)
    precipitate.nucleation.setNucleationType(kind)
    matrix.theta, matrix.effectiveDiffusion.isEnabled = 1e30, False
    at, kelvin = np.transpose(history)
    temperature = TemperatureParameters(kelvin[0]) if np.ptp(kelvin) == 0 else TemperatureParameters(
        list(at / HOUR), list(kelvin))
    model = (OneSiteEach if same else PrecipitateModel)(matrix, [precipitate], thermo, temperature)
    bins = int(400 * finer)
    model.setPBMParameters(cMin=1e-10, cMax=largest, bins=bins, minBins=int(0.75 * bins), maxBins=int(1.5 * bins))
    model.setConstraints(maxDTFraction=2e-4 / finer, minDTFraction=1e-9, maxNucleationRateChange=0.05 / finer,
                         maxRcritChange=0.003 / finer, maxVolumeChange=0.0005 / finer,
                         **({"maxTempChange": 1e-9} if same else {}))
    start = time.process_time()
    model.solve(end, iterator=explicitEulerIterator, verbose=False, maxDtFrac=2e-4 / finer)
    seconds, data = time.process_time() - start, model.data
    times = np.geomspace(end / 300, end, 9)
    columns = [np.interp(times, data.time, c[:, 0]) for c in (data.precipitateDensity, data.Ravg, data.volFrac)]
    columns[2] = columns[2] * volumes[1] / volumes[0]  # its fraction is one of moles
    return np.transpose([times, *columns]), seconds, len(data.time)


class OneSiteEach(PrecipitateModel):
    """A particle takes one site."""

    def _calcNucleationSites(self, t, x, p):
        of = self.matrix.nucleationSites
        lines = "Dislocation" in type(self.precipitates[p].nucleation.description).__name__
        return max((of.dislocationN0 if lines else of.bulkN0) - self.PBM[p].zeroMoment(N=x[p]), 0)


# ---- Slipwave ----

def ideal_alloy():
    alloy = read_alloy(ROOT / "data/alloys/al-zr.yaml")
    alloy["phases"][0]["nucleation"].update(incubation="none", nucleus="thermal")
    del alloy["phases"][0]["nucleation"]["nucleus_multiple"]
    return alloy


def alloy_with_tables(name, folder, same):
    text, elements, phase, volume, gamma, fractions, formula, sites, ranges = CALPHAD[name]
    solutes = [e.capitalize() for e in elements[:-1]]
    if same and name == "ni-al-cr":  # the composition of greatest driving force
        thermo = MulticomponentThermodynamics(text, elements[-1:] + elements[:-1], ["FCC_A1", phase],
                                              drivingForceMethod="tangent")
        al, cr = map(float, np.ravel(thermo.getDrivingForce(fractions, HISTORIES[name][0][1], precPhase=phase)[1]))
        formula = {"Ni": 100 * (1 - al - cr), "Al": 100 * al, "Cr": 100 * cr}
    atoms = sum(formula.values())
    alloy = {"name": name, "source": "databases that come with kawin",
             "matrix": {"element": elements[-1].capitalize(), "molar_volume": volume * N_A,
                        "molar_mass": MASS[elements[-1].capitalize()], "lattice_parameter": (4 * volume)**(1 / 3)},
             "concentration_unit": "mole_fraction",
             "solutes": [{"element": e, "molar_mass": MASS[e], "concentration": c,
                          "diffusivity": {"prefactor": 1e-4, "activation_energy": 1.3e5}}
                         for e, c in zip(solutes, fractions)],
             "phases": [{"name": "precipitate", "stoichiometry": [{"element": e, "count": float(n)}
                                                                  for e, n in formula.items()],
                         "molar_volume": atoms * volume * N_A, "interfacial_energy": gamma,
                         "solvus": {"constant": 1e-3},
                         "nucleation": {"law": "classical", "sites": "given", "site_density": float(sites),
                                        "incubation": "none", "nucleus": "thermal", "attachment": "balance"}}]}
    (folder / "base.yaml").write_text(yaml.safe_dump(alloy))
    (folder / "base.tdb").write_text(text)
    subprocess.run([sys.executable, str(ROOT / "scripts/slipwave-chemistry"), str(folder / "base.tdb"),
                    str(folder / "base.yaml"), "--matrix", "FCC_A1", "--phase", f"precipitate={phase}",
                    *ranges.split(), "-o", str(folder / "tables.yaml")], check=True, stderr=subprocess.DEVNULL)
    alloy = read_alloy(folder / "tables.yaml")
    if same and name == "al-mg-si":
        at_rest(text, elements, phase, alloy["phases"][0]["chemistry"], folder)
    return alloy


def at_rest(text, elements, phase, table, folder):
    """Resistances of the matrix in equilibrium with the phase, as kawin's growth has them, and no second order."""
    chemistry = chemistry_script()
    thermo = MulticomponentThermodynamics(text, elements[-1:] + elements[:-1], ["FCC_A1", phase],
                                          drivingForceMethod="tangent")
    matrix = chemistry.Matrix(Database(str(folder / "base.tdb")), elements, "FCC_A1")
    low, high, count = (table["temperature"][k] for k in ("lowest", "highest", "count"))
    axes = [np.exp(np.linspace(np.log(a["lowest"]), np.log(a["highest"]), a["count"]))
            for a in table["concentration"]]
    found, last = [], None
    for kelvin in 1 / np.linspace(1 / low, 1 / high, count):
        for x in np.stack(np.meshgrid(*axes, indexing="ij"), -1).reshape(-1, len(axes)):
            try:
                last = thermo.curvatureFactor(x, kelvin, precPhase=phase, removeCache=True) or last
            except Exception:  # no equilibrium of the two phases: that of the node before
                pass
            if last is None:
                found.append(np.nan)
                continue
            whole = [np.append(c, 1 - np.sum(c)) for c in (last.c_eq_alpha, last.c_eq_beta)]
            found.append(float(np.log(chemistry.resistance(whole[1], whole[0],
                                                           matrix.diffusivities(kelvin, whole[0], {}))[0])))
    first = next(v for v in found if np.isfinite(v))
    table["resistance"] = [v if np.isfinite(v) else first for v in found]
    table["breadth"] = [1e3] * len(found)


def ours(alloy, history, times, slipwave, folder, settings):
    """Rows as of theirs, and seconds of the computation. The standard looks at its own classes; `settings` are of a job."""
    (folder / "alloy.yaml").write_text(yaml.safe_dump(alloy))
    job = {"alloy": "alloy.yaml", "temperature_table": [[float(t), float(k)] for t, k in history],
           "output": {"file": "out.h5", "times": [float(t) for t in times], "csv": "out.csv"}, **settings}
    (folder / "job.yaml").write_text(yaml.safe_dump(job))
    start = time.perf_counter()
    subprocess.run([slipwave, "kwn", "job.yaml", "--device", "cpu", "--quiet", "--threads", "1"], cwd=folder,
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds = time.perf_counter() - start
    with open(folder / "out.csv") as file:
        rows = list(csv.DictReader(file))
    columns = [next(c for c in rows[0] if c.startswith(q)) for q in
               ("time_s", "number_density", "mean_radius", "volume_fraction")]
    table = np.array([[float(r[c]) for c in columns] for r in rows])
    return table[[int(np.argmin(abs(table[:, 0] - t))) for t in times]], seconds


FINE = {"size_axis": {"classes": 3584}, "tolerance": 2e-5, "largest_temperature_change": 0.5, "accuracy": 0}


def compare(name, options, folder):
    alloy = alloy_with_tables(name, folder, options.same) if name in CALPHAD else ideal_alloy()
    rows, seconds, steps = theirs(name, options.finer, options.same, alloy)
    times = rows[:, 0]
    mine, own_seconds = ours(alloy, HISTORIES[name], times, options.slipwave, folder, {"accuracy": 0})
    fine, _ = ours(alloy, HISTORIES[name], times, options.slipwave, folder, FINE)
    line = [f"{name}{', same laws' if options.same else ''}"]
    for a, b in ((rows, fine), (mine, fine)):
        for q in (1, 2, 3):
            d = 100 * (a[:, q] / b[:, q] - 1)
            line.append(f"{d.min():+.1f} to {d.max():+.1f} %")
    print(" | ".join(line), "|", f"{seconds:.1f} s, {steps} steps | {own_seconds:.3f} s", flush=True)
    if options.verbose:
        for a, b in zip(rows, fine):
            print("   ", *(f"{v:.6g}" for v in a), "|", *(f"{v:.6g}" for v in b))


def finer(text):
    value = float(text)
    if not 0.1 <= value <= 100:
        raise argparse.ArgumentTypeError(f"{text}: need 0.1 to 100")
    return value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", nargs="*", metavar="PROBLEM", help="of " + ", ".join(HISTORIES))
    parser.add_argument("--slipwave", required=True)
    parser.add_argument("--finer", type=finer, default=1.0, metavar="TIMES")
    parser.add_argument("--same", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="numbers at each time, too")
    options = parser.parse_args()
    options.slipwave = str(pathlib.Path(options.slipwave).resolve())
    if shutil.which(options.slipwave) is None:
        parser.error(f"--slipwave {options.slipwave}: need a program")
    unknown = set(options.problems) - set(HISTORIES)
    if unknown:
        parser.error(f"unknown problem {' '.join(sorted(unknown))}")
    if MISSING is not None:
        parser.error(f"needs kawin, PyYAML and h5py: {MISSING}")
    print("problem | kawin, number | mean radius | fraction | standard classes, number | mean radius | fraction | "
          "kawin | Slipwave")
    for name in options.problems or HISTORIES:
        with tempfile.TemporaryDirectory() as folder:
            compare(name, options, pathlib.Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
