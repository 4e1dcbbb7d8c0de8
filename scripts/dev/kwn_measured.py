#!/usr/bin/env python3
"""What `slipwave kwn` predicts beside what was measured: the series of data/reference that there are as numbers.

    scripts/dev/kwn_measured.py --slipwave build/slipwave [-o docs/pictures/kwn-measured.png]

Resistivity while nitride forms in Fe-N, held and heated in steps; primary gamma' of Rene 65 dissolving; 6061 and 6063 overageing. Sources and what
they do not say are in the files; no constant was chosen beside what is compared here, but for what data/alloys says of Fe-N and of Rene 65. Writes tables
to standard output, and with -o a picture (matplotlib)."""
import argparse
import csv
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLUE, RED, GREY = "#2266aa", "#bb3322", "#888888"


def rows(path):
    with open(path) as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def reference(name):
    return rows(ROOT / "data/reference" / name)


def alloy(name, *changes):
    text = (ROOT / "data/alloys" / name).read_text()
    for old, new in changes:
        if text.count(old) != 1:
            sys.exit(f"kwn_measured: {name}: {text.count(old)} times '{old}'")
        text = text.replace(old, new)
    return text


def run(options, alloy_text, job):
    """Columns of the results, by the beginning of their names."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "alloy.yaml").write_text(alloy_text)
        (Path(folder) / "job.yaml").write_text(f"alloy: alloy.yaml\ndevice: cpu\naccuracy: 0\n{job}\n")
        status = subprocess.run([options.slipwave, "kwn", "job.yaml", "--csv", "out.csv", "-q"], cwd=folder, check=False,
                                stdout=subprocess.DEVNULL).returncode
        if status != 0:
            sys.exit(f"kwn_measured: {options.slipwave} kwn: exit status {status}")
        table = rows(Path(folder) / "out.csv")

    def column(start):
        name = next(c for c in table[0] if c.startswith(start))
        return [float(r[name]) for r in table]
    return column


def between(x, y, value):
    """x where y first passes value, linear between rows."""
    for a, b, p, q in zip(x, x[1:], y, y[1:]):
        if (p - value) * (q - value) <= 0 and p != q:
            return a + (b - a) * (value - p) / (q - p)
    return float("nan")


PARTS = (0.1, 0.25, 0.5, 0.75, 0.9)


def held_fe_n(options, axes):
    measured = [(float(r["time_min"]), float(r["value"])) for r in reference("fe-n-resistivity.csv")
                if r["series"] == "abiko"]
    times, values = zip(*measured)
    fall = [(v - values[0]) / (values[-1] - values[0]) for v in values]
    column = run(options, alloy("fe-n.yaml"),
                 "initial_temperature: 500\ntemperature: [{quench_to: 373}, {hold: 1.2e5}]\n"
                 "output: {file: out.h5, per_decade: 40, first: 10}")
    minutes, c = [t / 60 for t in column("time_s")], column("matrix_composition")
    computed = [(v - c[0]) / (c[-1] - c[0]) for v in c]
    print("Fe-880 ppm N, 373 K: min to a part of the fall of the resistivity")
    for label, x, y in (("measured", times, fall), ("computed", minutes, computed)):
        print(f"    {label:9s}", *(f"{100 * p:.0f} % {between(x, y, p):6.0f}" for p in PARTS))
    axes.plot(times, fall, "o", color=RED, mfc="none", label="Abiko and Imai 1977")
    axes.plot(minutes[1:], computed[1:], color=BLUE, label="computed")
    axes.set(xscale="log", xlim=(1, 2000), xlabel="Time (min)", ylabel="Part of the resistivity's fall",
             title="Fe-880 ppm N, 373 K")


def heated_fe_n(options, axes):
    measured = [(float(r["temperature_K"]), float(r["value"])) for r in reference("fe-n-resistivity.csv")
                if r["series"] == "isochronal"]
    kelvin, values = zip(*measured)
    steps = ", ".join(f"{{quench_to: {t}}}, {{hold: 300}}" for t in kelvin)
    column = run(options, alloy("fe-n.yaml", ("8.8e-4 ", "4.8e-4 "), ("interfacial_energy: 0.058", "interfacial_energy: 0.056"),
                                ("incubation: kampmann_wagner", "incubation: none\n      zeldovich: 0.05")),
                 f"initial_temperature: 600\ntemperature: [{steps}]\n"
                 f"output: {{file: out.h5, times: {[300.0 * (i + 1) for i in range(len(kelvin))]}}}")
    c = dict(zip(column("time_s"), column("matrix_composition")))
    computed = [c[300.0 * (i + 1)] for i in range(len(kelvin))]
    print("Fe-480 ppm N, 5 min at each temperature: half gone, least, half back (K); computed with pcpsim's laws")
    for label, y in (("measured", values), ("computed", computed)):
        low = min(range(len(y)), key=lambda i: y[i])
        half = 0.5 * (y[0] + y[low])
        print(f"    {label:9s} {between(kelvin[:low + 1], y[:low + 1], half):.0f} {kelvin[low]:.0f} "
              f"{between(kelvin[low:], y[low:], half):.0f}")
        part = [(v - y[low]) / (y[0] - y[low]) for v in y]
        style = {"measured": {"marker": "o", "ls": "", "color": RED, "mfc": "none", "label": "pcpsim's authors"},
                 "computed": {"color": BLUE, "label": "computed, pcpsim's laws"}}[label]
        axes.plot(kelvin, part, **style)
    axes.set(xlabel="Temperature (K)", ylabel="Resistivity, least to first", title="Fe-480 ppm N, 5 min each")


def dissolving_gamma_prime(options, axes):
    table = reference("rene-65-dissolution.csv")
    diameters = [(float(r["time_s"]), float(r["value"])) for r in table if r["series"] == "diameter_um"]  # at 1110 C
    print("Rene 65: % of gamma' (D in Ni-Al; KWN-deformation's D)")
    for celsius, colour in ((1090, BLUE), (1110, RED)):
        found, sizes = {}, {}
        points = [(float(r["time_s"]), float(r["value"])) for r in table
                  if r["series"] == "fraction" and float(r["temperature_C"]) == celsius]
        for label, d in (("", None), ("their D", "{prefactor: 4.3e-6, activation_energy: 256.0e3}")):
            text = alloy("rene-65.yaml", *([("{prefactor: 3.0e-4, activation_energy: 269.3e3}", d)] if d else []))
            column = run(options, text, f"temperature_unit: celsius\ninitial_temperature: {celsius}\n"
                         "initial_distribution: [{phase: gamma-prime, shape: lognormal, mean_radius: 1.264e-6, "
                         "standard_deviation: 0.253e-6, volume_fraction: 0.125}]\n"
                         "temperature: [{hold: 16000}]\noutput: {file: out.h5, count: 640}")
            seconds, percent = column("time_s"), [100 * f for f in column("volume_fraction")]
            found[label] = [between(percent, seconds, t) for t, _ in points]
            micrometres = [2e6 * r for r in column("mean_radius")]
            sizes[label] = [between(micrometres, seconds, t) for t, _ in diameters]
            axes.plot(seconds, percent, color=colour, ls="--" if d else "-",
                      label=None if d else f"computed, {celsius} °C")
        axes.plot(*zip(*((t, 100 * f) for t, f in points)), "o", color=colour, mfc="none",
                  label="measured" if celsius == 1110 else None)
        for (t, f), ours, theirs in zip(points, found[""], found["their D"]):
            print(f"    {celsius} C {t:6.0f} s: measured {100 * f:5.2f}, computed {ours:5.2f}; {theirs:5.2f}")
    for (t, d), ours, theirs in zip(diameters, sizes[""], sizes["their D"]):
        print(f"    1110 C {t:6.0f} s: diameter, um: measured {d:.3f}, computed {ours:.3f} ({100 * (ours / d - 1):+.0f} %); {theirs:.3f}")
    axes.plot([], [], color=GREY, ls="--", label="with KWN-deformation's D")
    axes.set(xlabel="Time (s)", ylabel="γ′ (% of volume)", title="René 65, primary γ′")


def overageing(options, axes):
    print("6061, 6063 from T6 (530 C, 8 h at 177 C): h until the yield stress is below the bound")
    for name, mg, si, colour in (("6061", 1.0, 0.6, BLUE), ("6063", 0.675, 0.4, RED)):
        text = alloy("al-mg-si-6082.yaml", ("concentration: 1.0 ", f"concentration: {si} "),
                     ("concentration: 0.63 ", f"concentration: {mg} "))
        for r in (r for r in reference("al-6061-overageing.csv") if r["series"] == name):
            celsius, bound = float(r["temperature_C"]), float(r["bound_MPa"])
            column = run(options, text, f"temperature_unit: celsius\ninitial_temperature: 530\n"
                         f"temperature: [{{quench_to: 177}}, {{hold: 28800}}, {{quench_to: {celsius}}}, "
                         "{hold: 3.6e6}]\noutput: {file: out.h5, per_decade: 20, first: 100}")
            hours = [t / 3600 - 8 for t in column("time_s")]
            strength = [s / 1e6 for s in column("yield_stress")]
            start = next(i for i, h in enumerate(hours) if h >= 0)
            hours, strength = hours[start:], strength[start:]
            print(f"    {name} {celsius:.0f} C: measured {r['after_h']} to {r['below_h']}, computed "
                  f"{between(hours, strength, bound):.3g}; T6 {strength[0]:.0f} MPa, bound {bound:.0f}")
            if name == "6061":
                shade = {176.7: "#99bbdd", 198.9: BLUE, 218.3: "#113355"}[celsius]
                axes.plot(hours[1:], strength[1:], color=shade, label=f"computed, {celsius:.0f} °C")
                if r["below_h"] != "inf":
                    axes.plot([float(r["after_h"]), float(r["below_h"])], [bound, bound], color=shade, lw=5,
                              alpha=0.6, solid_capstyle="butt")
    axes.plot([], [], color=GREY, lw=5, alpha=0.6, label="measured: falls below 35 ksi here")
    axes.set(xscale="log", xlim=(0.1, 1000), xlabel="Time after T6 (h)", ylabel="Yield stress (MPa)", title="6061 overageing")


class NoAxes:
    """Takes what axes are told, where no picture is wanted."""

    def __getattr__(self, _):
        return lambda *_, **__: None


DRAWN = (held_fe_n, heated_fe_n, dissolving_gamma_prime, overageing)


def draw(options, plt):
    figure, axes = plt.subplots(2, 2, figsize=(9, 6.5))
    for one, part in zip(DRAWN, axes.flat):
        one(options, part)
        part.legend(frameon=False, fontsize=7)
        part.title.set_fontsize(10)
    figure.tight_layout()
    figure.savefig(options.output, dpi=110)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slipwave", required=True)
    parser.add_argument("-o", "--output", metavar="PICTURE.png")
    options = parser.parse_args()
    if shutil.which(str(Path(options.slipwave).resolve())) is None:
        parser.error(f"--slipwave {options.slipwave}: need a program")
    options.slipwave = str(Path(options.slipwave).resolve())
    if not options.output:
        for one in DRAWN:
            one(options, NoAxes())
        return
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError as missing:
        parser.error(f"-o {options.output}: {missing}")
    try:
        draw(options, plt)
    except (OSError, ValueError) as fault:  # of savefig: no such folder or kind of picture
        sys.exit(f"kwn_measured: {options.output}: {fault}")


if __name__ == "__main__":
    main()
