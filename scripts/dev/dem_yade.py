"""Yade's answer to what `slipwave dem` computes: the same packings, law, parameters and time step, by another code.

    yade -n -x -j1 scripts/dev/dem_yade.py pack -o packing.txt --seed 1
    yade -n -x -j1 scripts/dev/dem_yade.py triaxial packing-1.txt packing-2.txt packing-3.txt -o curve.csv [--rolling]
    yade -n -x -j1 scripts/dev/dem_yade.py rate packing.txt [--rolling] [--copies 2 2 1]

Runs within Yade (2023.02a of Debian 12 was used), with DISPLAY unset.

pack      spheres at random, frictionless, are compressed to a pressure and come to rest. Without friction there are
          no tangential forces, so positions and radii say all: whoever reads the packing starts from equilibrium.
triaxial  isotropic consolidation, then drained triaxial compression along 3. Rows of the table are means over equal
          intervals of strain; compression is positive.
rate      particle-steps per second of the compression: a line rate,LAW,PARTICLES,STEPS,WALL s,PROCESSOR s,
          PARTICLE-STEPS per s of the processor. PROCESSOR is without the servo, which is Python.

Laws: FrictMat's (Cundall and Strack), or with --rolling CohFrictMat's without cohesion, whose rolling and twisting
stiffnesses are eta K_T r_a r_b (`moment_radius: product` of a job of slipwave), and whose moments end at
alpha min(r_a, r_b) F_N. Yade names the stiffness factor eta alphaKr and the strength factor alpha etaRoll. Both have
K_N = E 2 r_a r_b / (r_a + r_b) and K_T = nu K_N.

Arms of forces and of sliding end at the middle of the overlap (avoidGranularRatcheting off, which differs by a part of
1e-4 here). Yade's velocities contain the mean field's; what it damps are fluctuations, against sign(v + a dt / 2).
"""

import argparse
import itertools
import math
import sys
import time

from yade import O, config, pack
from yade._utils import getStress, unbalancedForce
from yade.minieigenHP import Matrix3, Vector3
from yade.utils import sphere
from yade.wrapper import (Bo1_Sphere_Aabb, CohFrictMat, ForceResetter, FrictMat, Ig2_Sphere_Sphere_ScGeom,
                          Ig2_Sphere_Sphere_ScGeom6D, InsertionSortCollider, InteractionLoop,
                          Ip2_CohFrictMat_CohFrictMat_CohFrictPhys, Ip2_FrictMat_FrictMat_FrictPhys,
                          Law2_ScGeom6D_CohFrictPhys_CohesionMoment, Law2_ScGeom_FrictPhys_CundallStrack,
                          NewtonIntegrator, PyRunner)

LOOSEST = 0.25  # fraction of solid of spheres thrown in at random
SAMPLES = 20  # of a row of the table
SKINS = (0.5, 0.4, 0.3, 0.6)  # of the least radius: Yade's verletDist, which changes the order of sums and no more
COLUMNS = ("packing,axial_strain,volume_strain,void_ratio,stress_11_Pa,stress_22_Pa,stress_33_Pa,"
           "stress_ratio_spread,volume_strain_spread")
CALLED = [None, None]  # what Yade calls now and then: its PyRunner takes a command


# ---- Packings as text: `cell` and its three vectors, then a line a particle ----

def read_packing(path):
    """Matrix of cell vectors (columns), [(centre, radius)]; m."""
    cell, spheres = None, []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.split("#")[0].split()
            if not words:
                continue
            if words[0] == "cell" and len(words) == 10:
                h = [float(word) for word in words[1:]]  # Matrix3 takes rows
                cell = Matrix3(h[0], h[3], h[6], h[1], h[4], h[7], h[2], h[5], h[8])
            elif len(words) in (4, 10):
                x, y, z, radius = [float(word) for word in words[:4]]
                spheres.append((Vector3(x, y, z), radius))
            else:
                sys.exit(f"{path}:{number}: need 'cell' and 9 numbers, or x y z radius [vx vy vz wx wy wz]")
    if cell is None or not spheres:
        sys.exit(f"{path}: no cell or no particles")
    return cell, spheres


def write_packing(path, comments):
    h = O.cell.hSize
    with open(path, "w", encoding="utf-8") as file:
        for line in comments:
            file.write(f"# {line}\n")
        file.write("cell " + " ".join(f"{h[i, j]:.10g}" for j in range(3) for i in range(3)) + "\n")
        for body in O.bodies:
            x = O.cell.wrap(body.state.pos)
            file.write(f"{x[0]:.10g} {x[1]:.10g} {x[2]:.10g} {body.shape.radius:.10g}\n")


def repeat(cell, spheres, copies):
    """The same element beside itself, copies[i] times along the cell's vector i."""
    shifts = [cell * Vector3(*place) for place in itertools.product(*map(range, copies))]
    scale = Matrix3(copies[0], 0, 0, 0, copies[1], 0, 0, 0, copies[2])
    return cell * scale, [(x + shift, radius) for shift in shifts for x, radius in spheres]


# ---- The model ----

def material(args, friction_angle):
    same = {"young": args.young, "poisson": args.poisson, "density": args.density, "frictionAngle": friction_angle}
    if args.rolling:
        return CohFrictMat(alphaKr=args.roll_stiffness, alphaKtw=args.twist_stiffness, etaRoll=args.roll_strength,
                           etaTwist=args.twist_strength, momentRotationLaw=True, isCohesive=False, normalCohesion=0,
                           shearCohesion=0, **same)
    return FrictMat(**same)


def loop(args):
    if args.rolling:
        law = Law2_ScGeom6D_CohFrictPhys_CohesionMoment(always_use_moment_law=True, useIncrementalForm=True)
        return InteractionLoop([Ig2_Sphere_Sphere_ScGeom6D(avoidGranularRatcheting=False)],
                               [Ip2_CohFrictMat_CohFrictMat_CohFrictPhys()], [law])
    return InteractionLoop([Ig2_Sphere_Sphere_ScGeom(avoidGranularRatcheting=False)],
                           [Ip2_FrictMat_FrictMat_FrictPhys()], [Law2_ScGeom_FrictPhys_CundallStrack()])


def rate_of(args, radii, pressure):
    """Strain rate of the inertia number: I = |D| 2 r sqrt(rho / p)."""
    return args.inertia / (2 * sum(radii) / len(radii) * math.sqrt(args.density / pressure))


def build(args, cell, spheres):
    O.reset()
    O.periodic = True
    O.cell.hSize = cell
    O.materials.append(material(args, math.radians(args.friction_angle)))
    for centre, radius in spheres:
        O.bodies.append(sphere(centre, radius))
    start(args)


def start(args):
    O.engines = [ForceResetter(), InsertionSortCollider([Bo1_Sphere_Aabb()], verletDist=-args.skin), loop(args),
                 NewtonIntegrator(damping=args.damping),
                 PyRunner(command="CALLED[0]()", iterPeriod=args.update, dead=True),
                 PyRunner(command="CALLED[1]()", iterPeriod=1, dead=True)]
    least = min(body.shape.radius for body in O.bodies)
    O.dt = args.time_step or 0.5 * least * math.sqrt(args.density / args.young)


def call(which, function, period):
    """Have Yade call a function every so many steps; None: no more."""
    CALLED[which] = function
    runner = O.engines[-2 + which]
    runner.iterPeriod, runner.dead = period, function is None


def solid_volume():
    return sum(4 / 3 * math.pi * body.shape.radius**3 for body in O.bodies)


def stress():
    """Love-Weber, compression positive: Matrix3, Pa."""
    return -getStress(O.cell.volume)


class Servo:
    """Deforms the cell: directions 1 and 2 (3 too when ends is None) follow the pressure at rates up to `sides`,
    direction 3 is compressed at the rate `ends`; 1/s. A part of the rate would correct `gain` of the stress error in
    one interval, the sum of past ones learns a steady rate: what slipwave's own servo does. (Yade's
    PeriTriaxController adds numbers of different dimensions: in a cell of a millimetre it goes astray.)

    seconds: of the processor, that it took."""

    def __init__(self, args, pressure, sides, ends):
        self.args, self.pressure, self.sides, self.ends = args, pressure, sides, ends
        self.learnt, self.calls, self.stiff, self.seconds = [0, 0, 0], 0, 0, 0
        call(0, self, args.update)

    def affine_modulus(self):
        """Of an isotropic network whose contacts all move affinely, as stiff along as across; Pa."""
        total = 1e-3 * self.args.young * solid_volume()  # where nothing touches
        for contact in O.interactions:
            distance = contact.geom.refR1 + contact.geom.refR2 - contact.geom.penetrationDepth
            total += contact.phys.kn * distance**2
        return total / (5 * O.cell.volume)

    def __call__(self):
        started = time.thread_time()
        self.follow()
        self.seconds += time.thread_time() - started

    def follow(self):
        if self.calls % 50 == 0:
            self.stiff = self.affine_modulus() * self.args.update * O.dt
        self.calls += 1
        s, rate = stress(), [0, 0, 0 if self.ends is None else -self.ends]
        for i in range(3 if self.ends is None else 2):
            part = self.args.gain * (s[i, i] - self.pressure) / self.stiff
            rate[i] = min(max(part + self.learnt[i], -self.sides), self.sides)
            if rate[i] == part + self.learnt[i]:
                self.learnt[i] += self.args.gain / 12 * part
        O.cell.velGrad = Matrix3(rate[0], 0, 0, 0, rate[1], 0, 0, 0, rate[2])


def settle(args, pressure, rate, limit=10**6):
    """Isotropic compression until stresses and unbalanced force are within the tolerance."""
    Servo(args, pressure, rate, None)
    first = O.iter
    while O.iter - first < limit:
        O.run(1000, True)
        s = stress()
        error = max(abs(s[i, i] / pressure - 1) for i in range(3))
        if error <= args.tolerance and unbalancedForce() <= args.tolerance:
            return
    sys.exit(f"no equilibrium at {pressure:g} Pa in {limit} steps: stresses within {error:.2g}, unbalanced force "
             f"{unbalancedForce():.2g}")


# ---- What is done ----

def make_packing(args):
    O.reset()
    O.periodic = True
    least, largest = args.radius
    mean_cube = (largest**4 - least**4) / (4 * (largest - least))
    side = (args.particles * 4 / 3 * math.pi * mean_cube / LOOSEST)**(1 / 3)
    O.cell.setBox(side, side, side)
    O.materials.append(material(args, 0))
    cloud = pack.SpherePack()
    made = cloud.makeCloud((0, 0, 0), (side, side, side), rMean=(least + largest) / 2,
                           rRelFuzz=(largest - least) / (largest + least), num=args.particles, periodic=True,
                           seed=args.seed)
    if made != args.particles:
        sys.exit(f"only {made} of {args.particles} particles found a place")
    cloud.toSimulation(material=0)
    start(args)
    rate = rate_of(args, [body.shape.radius for body in O.bodies], args.pressure)
    O.cell.velGrad = -10 * rate * Matrix3.Identity
    O.run(math.ceil(math.log(args.loose / LOOSEST) / 30 / rate / O.dt), True)
    settle(args, args.pressure, rate)
    s = stress()
    void_ratio = O.cell.volume / solid_volume() - 1
    write_packing(args.output, [
        f"{args.particles} spheres, radii uniform from {least:g} to {largest:g} m, at rest at "
        f"{args.pressure:g} Pa without friction.",
        f"Yade {config.version}: scripts/dev/dem_yade.py pack --particles {args.particles} --seed {args.seed} "
        f"--pressure {args.pressure:g} --young {args.young:g}",
        f"Void ratio {void_ratio:.4f}; stresses {s[0, 0]:.6g} {s[1, 1]:.6g} {s[2, 2]:.6g} Pa; "
        f"unbalanced force {unbalancedForce():.1e} of the mean contact force.",
        "cell: its three vectors; then x y z radius. m."])
    print(f"{args.output}: void ratio {void_ratio:.4f}, {O.iter} steps")


def one_curve(args, path):
    """[(mean of the samples of a row)], consolidated void ratio, particle-steps per second of the processor."""
    cell, spheres = read_packing(path)
    build(args, cell, spheres)
    rate = rate_of(args, [radius for _, radius in spheres], args.pressure)
    settle(args, args.pressure, rate)
    Servo(args, args.pressure, 5 * rate, rate)
    height, volume, solid = O.cell.hSize[2, 2], O.cell.volume, solid_volume()
    samples = []

    def take():
        s, h = stress(), O.cell.hSize[2, 2]
        samples.append((math.log(height / h), math.log(volume / O.cell.volume), O.cell.volume / solid - 1,
                        s[0, 0], s[1, 1], s[2, 2]))

    period = max(1, round(args.strain / (rate * O.dt)) // (args.rows * SAMPLES))
    call(1, take, period)
    started, first = time.process_time(), O.iter
    while not samples or samples[-1][0] < args.strain:
        O.run(period * SAMPLES, True)
    speed = len(O.bodies) * (O.iter - first) / (time.process_time() - started)
    width, rows = args.strain / args.rows, []
    for k in range(args.rows):
        inside = [s for s in samples if k * width <= s[0] < (k + 1) * width]
        rows.append([sum(column) / len(inside) for column in zip(*inside)])
    return rows, volume / solid - 1, speed


def stress_ratio(row):
    """q / p"""
    return 3 * (row[5] - (row[3] + row[4]) / 2) / (row[3] + row[4] + row[5])


def spread(values):
    """Standard deviation; 0 of one value."""
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean)**2 for value in values) / max(1, len(values) - 1))


def triaxial(args):
    skins = SKINS[:args.runs] if args.runs > 1 else [args.skin]
    law = "friction only"
    if args.rolling:
        law = (f"eta_roll {args.roll_stiffness:g}, eta_twist {args.twist_stiffness:g}, alpha_roll "
               f"{args.roll_strength:g}, alpha_twist {args.twist_strength:g}, stiffness from r_a r_b")
    header = f"""\
# Drained triaxial compression by another code: Yade {config.version}. Not a measurement.
#
# Command: yade -n -x -j1 scripts/dev/dem_yade.py {' '.join(sys.argv[1:])}
# Law:     linear, E {args.young:g} Pa, K_T / K_N {args.poisson:g}, phi {args.friction_angle:g} deg;
#          {law}. Density {args.density:g} kg/m3.
# Run:     from the packing, without tangential forces, to {args.pressure:g} Pa on all sides until stresses and
#          unbalanced force are within {args.tolerance:g}; then strained along 3 at the inertia number {args.inertia:g},
#          1 and 2 at {args.pressure:g} Pa. Damping {args.damping:g}; time step half of r_min sqrt(rho / E).
# Values:  means over {args.rows} equal intervals of axial strain, {SAMPLES} samples each, and over runs that differ in
#          round-off only (verletDist {', '.join(map(str, skins))} of the least radius). Strains are
#          logarithmic, from the consolidated state; compression is positive. Spread: standard deviation of a run's
#          q/p and volume strain.
{COLUMNS}
"""
    with open(args.output, "w", encoding="utf-8") as file:
        file.write(header)
        for path_number, path in enumerate(args.packing, 1):
            curves = []
            for run, args.skin in enumerate(skins, 1):
                rows, void_ratio, speed = one_curve(args, path)
                curves.append(rows)
                sides = max(abs((row[3] + row[4]) / 2 / args.pressure - 1) for row in rows)
                print(f"{path}, run {run}: void ratio {void_ratio:.4f}; sides within {100 * sides:.2f} % of the "
                      f"pressure; {speed:.4g} particle-steps/s of the processor, samples included", flush=True)
            for runs in zip(*curves):
                mean = [sum(column) / args.runs for column in zip(*runs)]
                strains, stresses = [f"{x:.6f}" for x in mean[:3]], [f"{x:.1f}" for x in mean[3:]]
                spreads = f"{spread([stress_ratio(r) for r in runs]):.5f}", f"{spread([r[1] for r in runs]):.6f}"
                file.write(",".join([str(path_number), *strains, *stresses, *spreads]) + "\n")


def measure_rate(args):
    cell, spheres = read_packing(args.packing)
    build(args, *repeat(cell, spheres, args.copies))
    rate = rate_of(args, [radius for _, radius in spheres], args.pressure)
    settle(args, args.pressure, rate)
    follower = Servo(args, args.pressure, 5 * rate, rate)
    steps = round(args.strain / (rate * O.dt))
    O.run(steps // 10, True)  # warm up
    follower.seconds = 0
    started, used = time.perf_counter(), time.process_time()
    O.run(steps, True)
    seconds, used = time.perf_counter() - started, time.process_time() - used - follower.seconds
    print(f"rate,{'moments' if args.rolling else 'friction'},{len(O.bodies)},{steps},{seconds:.3f},{used:.3f},"
          f"{len(O.bodies) * steps / used:.4g}", flush=True)


def common(parser, inertia, tolerance):
    """Quartz of Lubbe et al. 2022, Table 2."""
    parser.add_argument("--young", type=float, default=4.3e9, help="Pa")
    parser.add_argument("--poisson", type=float, default=0.5, help="K_T / K_N")
    parser.add_argument("--density", type=float, default=2600.0, help="kg/m3")
    parser.add_argument("--rolling", action="store_true", help="rolling and twisting resistance")
    parser.add_argument("--roll-stiffness", type=float, default=1.8, help="eta")
    parser.add_argument("--twist-stiffness", type=float, default=1.7, help="eta")
    parser.add_argument("--roll-strength", type=float, default=1.9, help="alpha")
    parser.add_argument("--twist-strength", type=float, default=1.3, help="alpha")
    parser.add_argument("--damping", type=float, default=0.2)
    parser.add_argument("--time-step", type=float, help="s; else half of r_min sqrt(rho / E)")
    parser.add_argument("--inertia", type=float, default=inertia, help="inertia number")
    parser.add_argument("--tolerance", type=float, default=tolerance, help="of equilibrium")
    parser.add_argument("--update", type=int, default=20, help="steps between the servo's measurements")
    parser.add_argument("--gain", type=float, default=0.5, help="part of a stress error that the servo corrects then")
    parser.add_argument("--skin", type=float, default=SKINS[0], help="of the least radius (Yade's verletDist)")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    commands = parser.add_subparsers(required=True)

    one = commands.add_parser("pack")
    one.add_argument("-o", "--output", required=True)
    one.add_argument("--particles", type=int, default=500)
    one.add_argument("--radius", type=float, nargs=2, default=(5e-5, 1.25e-4), help="m")
    one.add_argument("--pressure", type=float, default=1e5, help="Pa")
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--loose", type=float, default=0.57, help="fraction of solid compressed to quickly")
    common(one, 3e-3, 1e-4)
    one.set_defaults(run=make_packing, damping=0.3)

    one = commands.add_parser("triaxial")
    one.add_argument("packing", nargs="+")
    one.add_argument("-o", "--output", required=True)
    one.add_argument("--pressure", type=float, default=2e5, help="Pa")
    one.add_argument("--friction-angle", type=float, default=33.4, help="degrees")
    one.add_argument("--strain", type=float, default=0.1, help="logarithmic, at the end")
    one.add_argument("--rows", type=int, default=50)
    one.add_argument("--runs", type=int, default=1, choices=(1, 2, 3, 4))
    common(one, 2e-3, 1e-3)
    one.set_defaults(run=triaxial)

    one = commands.add_parser("rate")
    one.add_argument("packing")
    one.add_argument("--pressure", type=float, default=2e5, help="Pa")
    one.add_argument("--friction-angle", type=float, default=33.4, help="degrees")
    one.add_argument("--copies", type=int, nargs=3, default=(1, 1, 1))
    one.add_argument("--strain", type=float, default=0.03, help="that is timed")
    common(one, 2e-3, 1e-3)
    one.set_defaults(run=measure_rate)

    args = parser.parse_args()
    args.run(args)


main()
