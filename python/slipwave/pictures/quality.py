"""How good the answer in a file is, by what the file itself says: residuals, balances, errors, resolution.

Of each kind of file a function that takes its h5py.File and yields Checks. What a file does not hold is not made up: a check that
needs another run (a finer mesh, smaller increments, more crystals) says which.
"""

from collections import namedtuple

import numpy as np

from ..results import text

# what: a line. found: text. verdict: GOOD, LOOK (worth a look), BAD, or TELLS (a number without a bound). why: a sentence.
Check = namedtuple("Check", "what found verdict why")
GOOD, LOOK, BAD, TELLS = "good", "look", "bad", "tells"

# Errors of the average stress of random crystals to a strain of 1 against `iterative`, curve and whole tensor: README.md
OF_SOLVERS = {"elastoplastic": ("0.01 to 0.2 %", "0.2 to 0.8 %"), "tabulated": ("0.1 to 0.4 %", "0.6 to 6 %"),
              "grid": ("0.1 to 0.7 %", "1 to 8 %"), "terms": ("0.1 % and more, by the terms", "1 % and more"),
              "rigid_plastic": ("0.1 to 0.5 %", "1.7 to 5 %"), "iterative": ("0: the reference", "0: the reference")}
SCATTER = (0.007, 0.025)  # of 1,000 random crystals: curve, tensor; with the root of their number
INERTIA_MOST, UNBALANCED_MOST, SERVO_MOST = 1e-2, 1e-2, 2e-2
BALANCE_MOST = 0.01  # of the work
ARTIFICIAL_MOST = 0.05  # of energies in elements


def number(attributes, name, otherwise=np.nan):
    """Of an attribute."""
    try:
        return float(np.ravel(attributes[name])[0])
    except (KeyError, IndexError, TypeError, ValueError):
        return otherwise


def percent(value):
    return f"{100 * value:.3g} %"


def at_most(what, value, bound, why, spell=percent):
    """A check of a number against the most that it should be."""
    good = value <= bound
    return Check(what, f"{spell(value)}, at most {spell(bound)}", GOOD if good else LOOK, why)


def of_taylor(file):
    run = file["run"].attrs
    solver = text(run.get("solver", "")).split(",")[0].split(" ")[0]
    crystals = number(run, "crystals")
    if np.isnan(crystals) and "state/crystals" in file:
        crystals = float(len(file["state/crystals"]))
    if solver in OF_SOLVERS:
        curve, tensor = OF_SOLVERS[solver]
        yield Check(f"Error of the solver {solver}: curve", curve, TELLS,
                    "Against `iterative`, random crystals of four metals to a strain of 1; `slipwave certify` measures yours")
        yield Check(f"Error of the solver {solver}: whole tensor", tensor, TELLS, "As above")
    for name, what in (("certified_error", "Error that the database's certificate has for this solver"),
                       ("resampling_error", "Error by drawing fewer crystals than the file has")):
        if np.isfinite(number(run, name)):
            yield Check(what, percent(number(run, name)), TELLS, "From the results")
    if crystals > 0:
        curve, tensor = (one * np.sqrt(1000 / crystals) for one in SCATTER)
        yield Check(f"Scatter of {crystals:,.0f} crystals", f"{percent(curve)} (curve), {percent(tensor)} (tensor)",
                    GOOD if curve < 0.01 else LOOK,
                    "If they are drawn at random: as much as another seed changes the answer; it falls with the root of their number")
    skipped = number(run, "crystals_skipped", 0)
    if skipped > 0:
        yield Check("Crystals of the file that were left out", f"{skipped:,.0f}", LOOK, "Points without an orientation, or below the "
                    "least confidence")
    if "history/twin_fraction" in file and np.max(file["history/twin_fraction"], initial=0) > 1:
        yield Check("Twins, the largest fraction", percent(np.max(file["history/twin_fraction"])), LOOK,
                    "More than there is: nothing turned in time. `twin_threshold` or `twin_transfer` in the family lets crystals turn")
    if "history/strain" in file and len(file["history/strain"]) > 1:
        step = np.diff(file["history/strain"][()])
        yield Check("Strain of a step, the largest", f"{step.max():.3g}", GOOD if step.max() <= 0.025 else LOOK,
                    "Half of it shows what it is worth: steps of 0.02 are what errors of solvers are given for")


def residuals(file, tolerance):
    """The last of each increment."""
    rows = file["history/residual"][()]
    ends = np.array([row[np.isfinite(row)][-1] if np.isfinite(row).any() else np.nan for row in rows])
    missed = int((~(ends <= tolerance)).sum())
    return Check("Residual of Newton's method at the end of increments, the largest", f"{np.nanmax(ends):.2g}, tolerance {tolerance:.2g}",
                 GOOD if missed == 0 else BAD, "All increments are in equilibrium" if missed == 0 else
                 f"{missed} of {len(ends)} increments ended above the tolerance")


def of_fem(file):
    run, history = file["run"].attrs, file["history"]
    if "residual" in history and len(history["residual"]):
        yield residuals(file, number(run, "tolerance"))
    if "cutbacks" in history:
        cutbacks = int(np.sum(history["cutbacks"]))
        yield Check("Increments cut", f"{cutbacks}", GOOD if cutbacks == 0 else LOOK,
                    "None had to be" if cutbacks == 0 else "Newton's method did not converge in them at first: smaller increments cost less")
    if "tool_stabilising_force" in history and history["tool_stabilising_force"].size:
        force = np.abs(history["tool_stabilising_force"][()]).max()
        largest = np.linalg.norm(history["tool_force"][()], axis=-1).max()
        if largest > 0:
            yield at_most("Stabilising force of tools, of the largest force", force / largest, BALANCE_MOST,
                          "What holds a loose body until tools touch it, and should be nothing beside their forces")
    yield Check("Elements", f"{number(run, 'elements'):,.0f}, {number(run, 'unknowns'):,.0f} unknowns", TELLS,
                "One result does not say what its mesh is worth: run it with half the size")


def balance(history, good):
    """|work - all that became of it| over the work, of each element."""
    parts = ("elastic_energy", "kinetic_energy", "friction_work", "rolling_work", "damping_work", "plastic_work")
    if not all(name in history for name in (*parts, "boundary_work")):
        return None

    def change(name):
        return np.array([row[np.isfinite(row)][-1] - row[np.isfinite(row)][0] for row in history[name][()][good]])
    work = change("boundary_work")
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.abs(work - sum(change(name) for name in parts)) / np.abs(work)


def of_dem(file):
    run, history = file["run"].attrs, file["history"]
    good = file["rve/status"][()] == 0
    failed = int((~good).sum())
    yield Check("Elements that failed", f"{failed} of {len(good)}", GOOD if failed == 0 else BAD,
                "None" if failed == 0 else text(run.get("failures", "")).strip().splitlines()[0])
    if failed == len(good):
        return
    stage = history["stage"][()][good]
    with np.errstate(invalid="ignore"):
        loading = stage >= number(run, "first_loading_stage", 0)
    for name, what, bound, why in (
            ("inertia_number", "Inertia number of the test, the largest", INERTIA_MOST, "Below 1e-2, better 1e-3, a test is quasi-static"),
            ("servo_error", "Error of the stresses held, the median", SERVO_MOST, "How far stresses are from what the test asks for"),
            ("unbalanced_force", "Unbalanced force of the test, the median", UNBALANCED_MOST,
             "What is left of the forces on a particle, over a contact's, means")):
        values = history[name][()][good][loading] if name in history and loading.any() else np.empty(0)
        values = values[np.isfinite(values)]
        if len(values):
            yield at_most(what, np.median(values) if "median" in what else values.max(), bound, why,
                          percent if name == "servo_error" else "{:.2g}".format)
    lost = balance(history, good)
    if lost is not None and np.isfinite(lost).any():
        yield at_most("Work that is in no account, of the boundary's work", float(np.nanmax(lost)), 0.05,
                      "Work of the boundary less elastic and kinetic energy, friction, rolling, damping, plastic work")
    particles = number(run, "particles")
    yield Check("Particles of an element", f"{np.median(file['rve/n_particles'][()]):,.0f}; {particles:,.0f} in all",
                GOOD if np.median(file["rve/n_particles"][()]) >= 1000 else LOOK,
                "Packings of a thousand scatter by 1 % in q/p and 3 % in volume strain; several seeds show it")


def of_kwn(file):
    run = file["run"].attrs
    classes = number(run, "classes")
    yield Check("Size classes", f"{classes:,.0f}", GOOD if classes >= 100 else LOOK, "Twice as many show what they are worth")
    changes = [(what, number(run, f"{what}_error")) for what in ("number", "radius", "fraction")]
    if number(run, "resolution_points", 0) > 0 and np.isfinite([value for _, value in changes]).all():
        yield at_most("Error of classes and steps, the largest", max(value for _, value in changes), 0.01,
                      "By runs twice and four times as coarse: " + ", ".join(f"{what} {percent(value)}" for what, value in changes))
    yield Check("Tolerance of the steps in time", f"{number(run, 'tolerance'):.2g}", TELLS, "Local error of a step")
    points = file.get("points") or file.get("map")
    if points is not None and "volume_fraction" in points:
        fraction = points["volume_fraction"][()]
        bad = int((~((fraction >= 0) & (fraction <= 1))).sum())
        yield Check("Volume fractions below 0 or above 1", f"{bad}", GOOD if bad == 0 else BAD, "Each is between 0 and 1")


def of_forming(file):
    if "run" in file and np.isfinite(number(file["run"].attrs, "crystals")):
        crystals = number(file["run"].attrs, "crystals")
        yield Check("Crystals", f"{crystals:,.0f}", GOOD if crystals >= 1000 else LOOK,
                    "r-values of a thousand random crystals scatter by some percent: another seed shows how much")
    for name in file.get("functions", ()):
        group = file["functions"][name]
        if hasattr(group, "attrs") and "largest_stress" in group.attrs:
            stress, r = number(group.attrs, "largest_stress"), number(group.attrs, "largest_r")
            yield Check(f"{text(group.attrs.get('title', name))}: off by at most", f"{percent(stress)} in yield stress, {r:.2g} in r/(1 + r)",
                        GOOD if stress <= 0.03 else LOOK, "Against the crystals, of tensions in the sheet")
            if not number(group.attrs, "convex", 1):
                yield Check(f"{name}: convex", "no", BAD, "A surface that is not convex is none of a plastic material")
    if "forming_limit" in file:
        ends = file["forming_limit/end"][()]
        yield Check("Paths that ended in a neck", f"{(ends == 0).sum()} of {len(ends)}", GOOD if (ends == 0).all() else LOOK,
                    "Others reached the strain limit, or lost equilibrium: their points are no limit")
    if "fit" in file:
        fit = file["fit"].attrs
        yield Check("Fit", "converged" if number(fit, "converged") else "not converged",
                    GOOD if number(fit, "converged") else BAD, f"{number(fit, 'parameter_sets'):.0f} parameter sets in "
                    f"{number(fit, 'iterations'):.0f} iterations")
        yield Check("Misfit over degrees of freedom", f"{number(fit, 'misfit'):.3g}",
                    TELLS if not number(fit, "deviations_known") else GOOD if number(fit, "misfit") <= 2 else LOOK,
                    "About 1 where deviations are known and the model is right; without deviations uncertainties are scaled by it")


def of_sweep(file):
    group = file["sweep"]
    yield Check("Error of the tensor, the least", percent(np.min(group["error"])), TELLS, f"Against {text(group.attrs.get('reference', ''))}")
    slope = number(group.attrs, "slope")
    if np.isfinite(slope):
        yield Check("Slope of the error", f"{slope:.2f}", TELLS, f"Over {text(group.attrs.get('vary', ''))}, of the fitted line")


def of_database(file):
    captured = file["accuracy/captured_variance"][()]
    yield Check("Variance captured, of the worst of nine quantities", f"{100 * captured.min():.6g} %",
                GOOD if captured.min() > 0.999 else LOOK, "By the terms kept; `slipwave-db validate` compares with the integrator")
    if "accuracy/solvers" in file:
        yield Check("Certificate", "yes", GOOD, "`slipwave certify` has measured errors of solvers by this database")
    else:
        yield Check("Certificate", "none", LOOK, "`slipwave certify` measures errors of solvers by this database")


def of_vpsc(file):
    rows = file["history/errors"][()]
    if len(rows):
        yield Check("Errors of the self-consistent scheme, last step", ", ".join(f"{one:.1e}" for one in np.ravel(rows[-1])), TELLS,
                    "Of grains' stresses, stress, strain rate, as VPSC8 counts them")


def of_deck(file):
    history = file["history"]
    parts = [name for name in history if name.endswith(("_energy", "_dissipation")) or name in ("thermal_work", "contact_work")]
    work = history["external_work"][()] if "external_work" in history else np.empty(0)
    if len(work) and np.max(np.abs(work)) > 0:
        yield at_most("Work that is in no account, of the loads' work",
                      float(abs(work[-1] - sum(history[name][-1] for name in parts)) / np.max(np.abs(work))), BALANCE_MOST,
                      "Work of loads and supports less all energies: with NLGEOM smaller increments leave less")
    by = ("elastic_energy", "plastic_dissipation", "creep_dissipation", "artificial_energy")
    if all(name in history and len(history[name]) for name in by):
        energy = sum(history[name][()] for name in by)
        artificial = history["artificial_energy"][()][np.argmax(energy)] / max(energy.max(), 1e-300)
        if artificial > 0:
            yield at_most("Energy of springs against hourglass modes, of all in elements", float(artificial), ARTIFICIAL_MOST,
                          "Reduced elements (C3D8R, CPS4R, S4R) that are bent answer by springs, not by their material: more of them across, or C3D8I, S4")
    step, newton = history["step"][()], history["newton"][()]
    if len(step):
        yield Check("Increments", f"{len(step):,.0f} of {int(step[-1])} step{'s' * int(step[-1] != 1)}, to time {history['time'][-1]:.6g}; "
                    f"{int(np.sum(newton)):,.0f} Newton iterations, {int(np.max(newton))} in one at most", TELLS,
                    "With NLGEOM, plasticity or friction half their size shows what they are worth")
    yield Check("Nodes", f"{len(file['nodes/label']):,.0f}", TELLS, "One result does not say what its mesh is worth: run it with half the size")


CHECKS = {"deck": of_deck, "slipwave-taylor": of_taylor, "slipwave-taylor-state": of_taylor, "slipwave-fem": of_fem, "slipwave-dem": of_dem,
          "slipwave-kwn": of_kwn, "slipwave-kwn-map": of_kwn, "slipwave-forming": of_forming, "slipwave-forming-tasks": of_forming,
          "slipwave-sweep": of_sweep, "slipwave-database": of_database, "slipwave-vpsc": of_vpsc}


def checks(file, contents):
    """[Check] of an h5py.File that holds `contents` (contents.FORMATS)."""
    return list(CHECKS[contents](file)) if contents in CHECKS else []
