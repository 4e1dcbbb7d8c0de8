#!/usr/bin/env python3
"""Calibrate the contact parameters of `slipwave dem` to a triaxial curve with GrainLearning.

    scripts/calibrate_triaxial.py data/jobs/dem-calibration.yaml --packing data/jobs/dem-calibration-packing.yaml \\
                                  -o calibration --hide young=4e9 friction=0.5 roll_strength=0.2
    scripts/calibrate_triaxial.py JOB.yaml -o FOLDER --reference CURVE.csv --parameter friction 0.2 0.9

GrainLearning (2.0.5 was used; `pip install grainlearning`) draws samples of the parameters, first evenly (Halton's
sequence), later where the previous ones were likely (one Gaussian: few samples do not tell more). Each time
`slipwave dem JOB --samples TABLE` computes all of them in one launch, and GrainLearning weighs them by how near they
are to the reference.

JOB: its section `samples` says at which values of which quantity (control, values) which quantities (columns) are
compared. --packing: a job that is computed first, once, and writes packing-0000.txt; JOB is then copied to FOLDER, from
where its packing.file is read. Samples of one packing differ by their parameters alone, not by chance.

--hide: the reference is computed, with these parameters; --hidden-seed: of another packing. --reference: a CSV with
columns of the same names, linear between rows.

In FOLDER: reference_sim.txt, sim/iter<K>/ (GrainLearning's own files), iter<K>.h5, calibration.png and .svg, and
posterior.csv: mean, coefficient of variation and the most probable sample's value of each parameter in each iteration.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

from plot_dem import read_table
from slipwave_results import COLOURS, InputError, run, save

from matplotlib.figure import Figure  # after slipwave_results has set it up
from matplotlib.ticker import MaxNLocator

try:
    from grainlearning import BayesianCalibration, IODynamicSystem, IterativeBayesianFilter
    from grainlearning.inference import SMC
    from grainlearning.sampling import GaussianMixtureModel
    from grainlearning.tools import get_keys_and_data, write_to_table
except ImportError:
    SMC = object

PARAMETERS = [["young", 1e9, 1e10], ["friction", 0.2, 0.9], ["roll_strength", 0.0, 0.5]]
NAME = "triaxial"
LEAST_ERROR = 0.01  # of a quantity's range: no curve of few particles is nearer to another one than that


class ByRange(SMC):
    """Weights with one standard deviation for the whole of a curve, in proportion to its range: a volume strain
    passes through zero, where a relative error means nothing. sigma is in units of LEAST_ERROR squared."""

    def get_covariance_matrices(self, sigma, system):
        deviation = LEAST_ERROR * np.ptp(system.obs_data, axis=1)
        return np.repeat(sigma * np.diag(deviation**2)[None], system.num_steps, axis=0)


# ---- The program ----


def slipwave(options, *arguments):
    command = [options.program, "dem", *map(str, arguments), "--quiet"]
    result = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    if result.returncode != 0:
        raise InputError(result.stderr.strip() or f"{' '.join(command)}: exit status {result.returncode}")
    sys.stderr.write(result.stderr)  # samples that failed


def prepare(options, folder, seed):
    """The packing, of a seed of its own if it is given, and the job beside it. The job to run, and its options."""
    arguments = [] if seed is None else ["--seed", seed]
    if options.packing is None:
        return options.job, arguments
    folder.mkdir(exist_ok=True)
    slipwave(options, options.packing, "--output", folder / "packing.h5", *arguments)
    return Path(shutil.copy(options.job, folder)).resolve(), []


def compute(options, job, table, output):
    """All samples of a table; their files come to the working folder."""
    slipwave(options, job[0], "--samples", table, "--output", output, *job[1])


def curve_of(path):
    """A _sim.txt file: its names, the control quantity first, and columns by name."""
    data = get_keys_and_data(str(path))
    return list(data), data


# ---- The reference ----


def one_sample(options, job, values):
    """The curve of one set of parameters, in reference_sim.txt."""
    names = list(values)
    table = Path("reference_Iter0_Samples.txt")
    write_to_table("reference", np.array([[values[name] for name in names]]), names)
    text = table.read_text(encoding="utf-8").replace("reference_Iter0_Sample0", "reference")
    table.write_text(text, encoding="utf-8")
    compute(options, job, table, "reference.h5")
    return curve_of("reference_sim.txt")


def make_reference(options, job):
    """reference_sim.txt with the curve to meet, at the job's control values. Its names, control first."""
    if options.hide:
        if options.hidden_seed is not None:
            job = prepare(options, Path("hidden"), options.hidden_seed)
        names, data = one_sample(options, job, options.hide)
        if not any(np.any(data[name]) for name in names[1:]):
            raise InputError("reference_sim.txt: the sample with the hidden parameters failed")
        return names
    # a run in the middle of the bounds tells at which values the job compares
    names, data = one_sample(options, job, {name: 0.5 * (low + high) for name, low, high in options.parameter})
    measured = read_table(options.reference)
    for name in names:
        if name not in measured.dtype.names or not np.isfinite(measured[name]).all():
            raise InputError(f"{options.reference}: need a column '{name}' of numbers, as the job's samples have")
    order = np.argsort(measured[names[0]])
    x, at = measured[names[0]][order], data[names[0]]
    if at.min() < x[0] or at.max() > x[-1]:
        raise InputError(f"{options.reference}: {names[0]} from {x[0]:g} to {x[-1]:g}: need {at.min():g} to "
                         f"{at.max():g}")
    columns = [at] + [np.interp(at, x, measured[name][order]) for name in names[1:]]
    np.savetxt("reference_sim.txt", np.transpose(columns), header=" ".join(names))
    return names


# ---- Calibration ----


def make_calibration(options, job, names):
    low, high = [p[1] for p in options.parameter], [p[2] for p in options.parameter]
    system = IODynamicSystem(
        sim_name=NAME, sim_data_dir="sim", sim_data_file_ext=".txt", obs_data_file="reference_sim.txt",
        obs_names=names[1:], ctrl_name=names[0], num_samples=options.samples, param_min=low, param_max=high,
        param_names=[p[0] for p in options.parameter], sigma_max=1e6, sigma_lower_bound=1.0)
    inference = IterativeBayesianFilter(
        Bayes_filter=ByRange(ess_target=options.effective),
        sampling=GaussianMixtureModel(max_num_components=1, covariance_type="full", n_init=10, random_state=0))
    return BayesianCalibration(
        system=system, inference=inference, num_iter=options.iterations, threads=options.threads,
        callback=lambda c: compute(options, job, c.system.param_data_file, f"iter{c.curr_iter}.h5"))


def report(options, k, system, best, rows):
    print(f"iteration {k}: {system.num_samples} samples")
    for i, (name, low, high) in enumerate(options.parameter):
        mean, variation = system.estimated_params[-1, i], system.estimated_params_cv[-1, i]
        rows.append((k, name, mean, variation, best[i]))
        line = f"  {name:16} {mean:11.4g}   variation {variation:7.2%}   most probable {best[i]:11.4g}"
        if options.hide:
            line += f"   hidden {options.hide[name]:11.4g}   off by {mean / options.hide[name] - 1:+8.2%}"
        print(line, flush=True)


def calibrate(options, job, names):
    """For each iteration samples, curves [n][quantities][steps] and weights; rows of posterior.csv."""
    calibration = make_calibration(options, job, names)
    system, iterations, rows = calibration.system, [], []
    for k in range(options.iterations):
        calibration.run_one_iteration()
        weight = calibration.inference.posterior
        iterations.append((system.param_data.copy(), system.sim_data.copy(), weight.copy()))
        report(options, k, system, system.param_data[np.argmax(weight)], rows)
    with open("posterior.csv", "w", encoding="utf-8") as file:
        file.write("iteration,parameter,mean,coefficient_of_variation,most_probable\n")
        for k, name, mean, variation, best in rows:
            file.write(f"{k},{name},{mean:.8g},{variation:.8g},{best:.8g}\n")
    return iterations


# ---- Figure ----


def draw_curves(axes, control, name, reference, i, iterations):
    for (_, curves, weight), colour, label in ((iterations[0], "0.8", "first samples"),
                                               (iterations[-1], COLOURS[5], "last samples")):
        lines = axes.plot(control[1], curves[:, i].T, color=colour, linewidth=0.6)
        lines[0].set_label(label)
    _, curves, weight = iterations[-1]
    axes.plot(control[1], weight @ curves[:, i], color=COLOURS[0], label="posterior mean")
    axes.plot(control[1], reference, "o", color=COLOURS[1], markersize=3, label="reference")
    axes.set(xlabel=control[0], ylabel=name)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.legend(frameon=False, fontsize=7)
    axes.grid(alpha=0.25)


def draw_samples(axes, options, i, j, iterations):
    for k, (samples, _, weight) in enumerate(iterations):
        axes.scatter(samples[:, i], samples[:, j], s=5 + 60 * weight / weight.max(), color=COLOURS[k % len(COLOURS)],
                     alpha=0.7, linewidths=0, label=f"iteration {k}")
    if options.hide:
        axes.plot(*[options.hide[options.parameter[n][0]] for n in (i, j)], "k*", markersize=11, label="hidden")
    axes.set(xlabel=options.parameter[i][0], ylabel=options.parameter[j][0])
    axes.grid(alpha=0.25)


def plot(options, names, iterations):
    data = curve_of("reference_sim.txt")[1]
    n = len(options.parameter)
    pairs = [(i, j) for i in range(n) for j in range(i + 1, n)]
    columns = max(len(names) - 1, len(pairs), 1)
    figure = Figure(figsize=(3.4 * columns, 6.2), layout="constrained")
    axes = figure.subplots(2, columns, squeeze=False)
    for one in axes.flat:
        one.set_axis_off()
    for i, name in enumerate(names[1:]):
        axes[0, i].set_axis_on()
        draw_curves(axes[0, i], (names[0], data[names[0]]), name, data[name], i, iterations)
    for k, (i, j) in enumerate(pairs):
        axes[1, k].set_axis_on()
        draw_samples(axes[1, k], options, i, j, iterations)
    if pairs:
        axes[1, 0].legend(frameon=False, fontsize=7)
    figure.suptitle(f"{options.job.stem}: {options.iterations} x {options.samples} samples")
    save(figure, "calibration")


# ---- Options ----


def hidden(words):
    values = {}
    for word in words:
        name, _, value = word.partition("=")
        try:
            values[name] = float(value)
        except ValueError:
            raise InputError(f"--hide {word}: need NAME=NUMBER") from None
    return values


def check(options):
    if SMC is object:
        raise InputError("GrainLearning is missing: pip install grainlearning")
    if (options.hide is None) == (options.reference is None):
        raise InputError("need --hide or --reference, and only one of them")
    options.parameter = [[name, float(low), float(high)] for name, low, high in options.parameter or PARAMETERS]
    for name, low, high in options.parameter:
        if not (np.isfinite([low, high]).all() and low < high):
            raise InputError(f"--parameter {name} {low:g} {high:g}: need finite numbers, the first one less")
    if options.hide:
        options.hide = hidden(options.hide)
        if sorted(options.hide) != sorted(p[0] for p in options.parameter):
            raise InputError(f"--hide {', '.join(options.hide)}: need a value for each of "
                             f"{', '.join(p[0] for p in options.parameter)}, and no others")
    least = 5 * len(options.parameter)
    if options.samples < least:
        raise InputError(f"--samples {options.samples}: need at least {least}, five a parameter")
    if options.iterations < 1:
        raise InputError(f"--iterations {options.iterations}: need 1 or more")
    if not 0 < options.effective < 1:
        raise InputError(f"--effective {options.effective:g}: need 0 < part < 1")
    for path in (options.job, options.packing, options.reference):
        if path is not None and not Path(path).is_file():
            raise InputError(f"{path}: no such file")
    if options.hidden_seed is not None and not options.hide:
        raise InputError(f"--hidden-seed {options.hidden_seed}: goes with --hide")
    program = shutil.which(options.program)
    if program is None:
        raise InputError(f"{options.program}: no such program: build it, or name it with --program")
    options.job, options.program = Path(options.job).resolve(), str(Path(program).resolve())
    for name in ("packing", "reference"):
        if getattr(options, name) is not None:
            setattr(options, name, Path(getattr(options, name)).resolve())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", metavar="JOB.yaml")
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="made if it is not there")
    parser.add_argument("--packing", metavar="PACKING.yaml", help="computed first")
    parser.add_argument("--hide", nargs="+", metavar="NAME=VALUE", help="compute the reference with these")
    parser.add_argument("--hidden-seed", type=int, metavar="N", help="of its packing (the job's)")
    parser.add_argument("--reference", metavar="CURVE.csv")
    parser.add_argument("--parameter", nargs=3, action="append", metavar=("NAME", "LOW", "HIGH"),
                        help="column of sample tables, and its bounds; may be repeated (" +
                        ", ".join(f"{p[0]} {p[1]:g} {p[2]:g}" for p in PARAMETERS) + ")")
    parser.add_argument("--samples", type=int, default=24, metavar="N", help="an iteration (24)")
    parser.add_argument("--iterations", type=int, default=3, metavar="N", help="(3)")
    parser.add_argument("--effective", type=float, default=0.2, metavar="PART",
                        help="effective samples: sets how much error a curve may have (0.2)")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), metavar="N", help="as the tables say")
    parser.add_argument("--program", default="build/slipwave", metavar="PATH", help="(build/slipwave)")
    options = parser.parse_args()
    check(options)
    folder = Path(options.output)
    if (folder / "sim").exists():
        raise InputError(f"{folder}: holds a calibration: need another folder")
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)  # where GrainLearning writes and looks
    job = prepare(options, Path("."), None)
    names = make_reference(options, job)
    iterations = calibrate(options, job, names)
    plot(options, names, iterations)


if __name__ == "__main__":
    run(main)
