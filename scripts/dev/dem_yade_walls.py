"""Yade's answer to what `slipwave dem` computes of walls, gravity, cohesion and clumps: compare_dem_walls.py runs both.

    yade -n -x -j1 scripts/dev/dem_yade_walls.py CASE PACKING... --set NAME=VALUE ...

Runs within Yade (2023.02a of Debian 12 was used), with DISPLAY unset. A line `result NAME VALUE ...` for each packing,
whose last value is the seconds of the processor.

settle      spheres fall into a box with rough walls; after a time: height of the centre of mass, coordination, mean of the
            stresses times volume of all contacts (Love and Weber, to walls from the centres), 33 and 11.
triaxial    six platens compress spheres to a pressure, then two of them approach; q / p and volume strain, means over the
            last half of the strain.
cohesion    a periodic cell of spheres that pull (Hertz and DMT's constant force), without friction: compressed to a
            pressure, then evenly extended; void ratio and coordination there, mean stress and largest tension on the way.
clumps      as settle, of clumps.
hopper      spheres fall into the hopper of triangles that is beside the packing, hopper.stl, in mm (facets): height over its
            floor, coordination, what presses the facets down over the weight.

Laws: K_N = E 2 r_a r_b / (r_a + r_b), K_T = nu K_N; at walls, which are rigid, 2 E r: Yade makes that of a wall's modulus
that is a million times the spheres'.
"""

import argparse
import math
import time
from pathlib import Path

from yade import O
from yade._utils import getStress
from yade.minieigenHP import Matrix3, Vector3
from yade.utils import box, facet, sphere, wall
from yade.wrapper import (Bo1_Facet_Aabb, Bo1_Sphere_Aabb, Bo1_Wall_Aabb, ForceResetter, FrictMat, Ig2_Facet_Sphere_ScGeom,
                          Ig2_Sphere_Sphere_ScGeom, Ig2_Wall_Sphere_ScGeom, InsertionSortCollider, InteractionLoop,
                          Ip2_FrictMat_FrictMat_FrictPhys, Ip2_FrictMat_FrictMat_MindlinPhys,
                          Law2_ScGeom_FrictPhys_CundallStrack, Law2_ScGeom_MindlinPhys_Mindlin, NewtonIntegrator,
                          PyRunner, Sphere, Wall)

CALLED = [None]
RIGID = 1e6


def read_packing(path):
    """Lengths of an upright cell, [(centre, radius)], clumps as lists of numbers; m."""
    spheres, clumps, lengths = [], [], None
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split("#")[0].split()
            if words and words[0] == "cell":
                h = [float(word) for word in words[1:]]
                lengths = Vector3(h[0], h[4], h[8])
            elif words and words[0] == "clump":
                clumps.append([int(word) for word in words[1:]])
            elif words:
                x, y, z, radius = [float(word) for word in words[:4]]
                spheres.append((Vector3(x, y, z), radius))
    return lengths, spheres, clumps


def begin(args, path, periodic=False):
    O.reset()
    lengths, spheres, clumps = read_packing(path)
    angle = math.atan(args.friction)
    O.materials.append(FrictMat(young=args.young, poisson=args.poisson, density=args.density, frictionAngle=angle))
    O.materials.append(FrictMat(young=args.young * RIGID, poisson=args.poisson, density=args.density,
                                frictionAngle=math.atan(args.wall_friction)))
    if periodic:
        O.periodic = True
        O.cell.setBox(*lengths)
    free = set(range(len(spheres))) - {i for clump in clumps for i in clump}
    for i in sorted(free):
        O.bodies.append(sphere(*spheres[i], material=0))
    for clump in clumps:
        O.bodies.appendClumped([sphere(*spheres[i], material=0) for i in clump], discretization=args.fine)
    least = min(radius for _, radius in spheres)
    O.dt = 0.5 * least * math.sqrt(args.density / args.young)
    return lengths


def engines(args, law, bounds, geometry, physics, gravity=(0, 0, 0)):
    O.engines = [ForceResetter(), InsertionSortCollider(bounds, verletDist=-0.3),
                 InteractionLoop(geometry, [physics], [law]), NewtonIntegrator(damping=args.damping, gravity=gravity),
                 PyRunner(command="CALLED[0]()", iterPeriod=20, dead=True)]


def with_walls(args, lengths, gravity=(0, 0, 0)):
    for axis in range(3):
        O.bodies.append(wall(0, axis=axis, sense=1, material=1))
        O.bodies.append(wall(lengths[axis], axis=axis, sense=-1, material=1))
    engines(args, Law2_ScGeom_FrictPhys_CundallStrack(), [Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()],
            [Ig2_Sphere_Sphere_ScGeom(avoidGranularRatcheting=False), Ig2_Wall_Sphere_ScGeom()],
            Ip2_FrictMat_FrictMat_FrictPhys(), gravity)


def is_sphere(body):
    return isinstance(body.shape, Sphere)


def centre_of(body):
    """Of the clump where it is in one."""
    return O.bodies[body.clumpId].state.pos if body.isClumpMember else body.state.pos


def love_weber():
    """Sum over contacts of force times branch, compression positive, 11 22 33, J; contacts of spheres, those with walls."""
    total, pairs, walls = [0, 0, 0], 0, 0
    for contact in O.interactions:
        a, b = O.bodies[contact.id1], O.bodies[contact.id2]
        force = contact.phys.normalForce + contact.phys.shearForce  # on b
        if is_sphere(a) and is_sphere(b):
            branch = centre_of(b) - centre_of(a)
            pairs += 1
        else:  # the normal points from a to b, be it the wall
            one, sign = (a, 1) if is_sphere(a) else (b, -1)
            branch = ((one.shape.radius - contact.geom.penetrationDepth) * contact.geom.normal
                      + sign * (one.state.pos - centre_of(one)))
            walls += 1
        for i in range(3):
            total[i] += force[i] * branch[i]
    return total, pairs, walls


def solid(bodies):
    return sum(4 / 3 * math.pi * b.shape.radius**3 for b in bodies)


def settle(args, path):
    lengths = begin(args, path)
    with_walls(args, lengths, (0, 0, -args.gravity))
    O.run(round(args.time / O.dt), True)
    bodies = [b for b in O.bodies if b.isClump or (is_sphere(b) and not b.isClumpMember)]
    mass = sum(b.state.mass for b in bodies)
    centre = sum(b.state.mass * b.state.pos[2] for b in bodies) / mass
    total, pairs, _ = love_weber()
    weight = mass * args.gravity
    return {"centre": centre, "coordination": 2 * pairs / len(bodies), "axial": total[2] / (weight * centre),
            "lateral": total[0] / (weight * centre)}


def hopper(args, path):
    begin(args, path)
    corners = [Vector3(*(1e-3 * float(word) for word in line.split()[1:])) for line in
               (Path(path).parent / "hopper.stl").read_text(encoding="utf-8").splitlines() if line.split()[0] == "vertex"]
    facets = [O.bodies.append(facet(corners[i:i + 3], material=1)) for i in range(0, len(corners), 3)]
    engines(args, Law2_ScGeom_FrictPhys_CundallStrack(), [Bo1_Sphere_Aabb(), Bo1_Facet_Aabb()],
            [Ig2_Sphere_Sphere_ScGeom(avoidGranularRatcheting=False), Ig2_Facet_Sphere_ScGeom()],
            Ip2_FrictMat_FrictMat_FrictPhys(), (0, 0, -args.gravity))
    O.run(round(args.time / O.dt), True)
    bodies = [b for b in O.bodies if is_sphere(b)]
    mass = sum(b.state.mass for b in bodies)
    pairs = sum(1 for c in O.interactions if is_sphere(O.bodies[c.id1]) and is_sphere(O.bodies[c.id2]))
    return {"centre": sum(b.state.mass * b.state.pos[2] for b in bodies) / mass - min(c[2] for c in corners),
            "coordination": 2 * pairs / len(bodies),
            "on_walls": -sum(O.forces.f(i)[2] for i in facets) / (mass * args.gravity)}


class Platens:
    """Six walls by a servo like slipwave's: sides follow the pressure at rates up to `sides`, the third pair approaches at
    the rate `ends` (None: follows too); 1/s."""

    def __init__(self, args, pressure, sides, ends):
        self.args, self.pressure, self.sides, self.ends, self.learnt = args, pressure, sides, ends, [0, 0, 0]
        CALLED[0] = self
        O.engines[-1].dead = False

    def lengths(self):
        walls = [b for b in O.bodies if isinstance(b.shape, Wall)]
        return [walls[2 * k + 1].state.pos[k] - walls[2 * k].state.pos[k] for k in range(3)]

    def stress(self):
        length = self.lengths()
        total, _, _ = love_weber()
        volume = length[0] * length[1] * length[2]
        return [t / volume for t in total], volume

    def __call__(self):
        stress, volume = self.stress()
        walls, length = [b for b in O.bodies if isinstance(b.shape, Wall)], self.lengths()
        stiff = 1e-3 * self.args.young * volume
        for contact in O.interactions:
            both = is_sphere(O.bodies[contact.id1]) and is_sphere(O.bodies[contact.id2])
            reach = contact.geom.refR1 + (contact.geom.refR2 if both else 0) - contact.geom.penetrationDepth
            stiff += contact.phys.kn * reach**2
        stiff *= 20 * O.dt / (5 * volume)
        for k in range(3):
            rate = self.ends if k == 2 and self.ends is not None else None
            if rate is None:
                part = self.args.gain * (self.pressure - stress[k]) / stiff
                rate = min(max(part + self.learnt[k], -self.sides), self.sides)
                if rate == part + self.learnt[k]:
                    self.learnt[k] += self.args.gain / 12 * part
            walls[2 * k + 1].state.vel = Vector3(*[-rate * length[k] if i == k else 0 for i in range(3)])


def unbalanced():
    forces = [contact.phys.normalForce + contact.phys.shearForce for contact in O.interactions]
    mean = sum(force.norm() for force in forces) / max(1, len(forces))
    loose = [O.forces.f(b.id).norm() for b in O.bodies if is_sphere(b)]
    return sum(loose) / len(loose) / mean if mean > 0 else 1


def triaxial(args, path):
    lengths = begin(args, path)
    with_walls(args, lengths)
    radii = [b.shape.radius for b in O.bodies if is_sphere(b)]
    rate = args.inertia / (2 * sum(radii) / len(radii) * math.sqrt(args.density / args.pressure))
    servo = Platens(args, args.pressure, 10 * rate, None)
    for _ in range(2000):
        O.run(1000, True)
        stress, volume = servo.stress()
        if max(abs(s / args.pressure - 1) for s in stress) <= 0.01 and unbalanced() <= 0.01:
            break
    height, before = servo.lengths()[2], volume
    ratio = solid([b for b in O.bodies if is_sphere(b)])
    Platens(args, args.pressure, 5 * rate, rate)
    found = []
    while servo.lengths()[2] > height * math.exp(-args.strain):
        O.run(100, True)
        if servo.lengths()[2] < height * math.exp(-args.strain / 2):
            s, volume = servo.stress()
            found.append((3 * (s[2] - (s[0] + s[1]) / 2) / sum(s), math.log(before / volume)))
    return {"q_over_p": sum(f[0] for f in found) / len(found), "volume_strain": sum(f[1] for f in found) / len(found),
            "void_ratio": before / ratio - 1}


class Cell:
    """Even strain rate of a periodic cell; or to a pressure, by a servo."""

    def __init__(self, args, pressure, most):
        self.args, self.pressure, self.most, self.learnt = args, pressure, most, [0, 0, 0]
        CALLED[0] = self
        O.engines[-1].dead = False

    def __call__(self):
        stress, volume = -getStress(O.cell.volume), O.cell.volume
        stiff = 1e-3 * self.args.young * volume
        for contact in O.interactions:
            stiff += contact.phys.kn * (contact.geom.refR1 + contact.geom.refR2 - contact.geom.penetrationDepth)**2
        stiff *= 20 * O.dt / (5 * volume)
        rate = [0, 0, 0]
        for k in range(3):
            part = self.args.gain * (stress[k, k] - self.pressure) / stiff
            rate[k] = min(max(part + self.learnt[k], -self.most), self.most)
            if rate[k] == part + self.learnt[k]:
                self.learnt[k] += self.args.gain / 12 * part
        O.cell.velGrad = Matrix3(rate[0], 0, 0, 0, rate[1], 0, 0, 0, rate[2])


def cohesion(args, path):
    begin(args, path, periodic=True)
    engines(args, Law2_ScGeom_MindlinPhys_Mindlin(includeAdhesion=True), [Bo1_Sphere_Aabb()],
            [Ig2_Sphere_Sphere_ScGeom(avoidGranularRatcheting=False)],
            Ip2_FrictMat_FrictMat_MindlinPhys(gamma=args.adhesion / 2))
    rate = args.inertia / (2 * args.mean * math.sqrt(args.density / args.pressure))
    Cell(args, args.pressure, rate)
    O.run(round(args.press_time / O.dt), True)
    ratio, coordination = O.cell.volume / solid(O.bodies) - 1, 2 * sum(1 for _ in O.interactions) / len(O.bodies)
    O.engines[-1].dead = True
    O.cell.velGrad = rate * Matrix3.Identity
    first, pulls = O.cell.volume, []
    while O.cell.volume < first * math.exp(3 * args.strain):
        O.run(40, True)
        pulls.append(getStress(O.cell.volume).trace() / 3)
    return {"void_ratio": ratio, "coordination": coordination, "mean_stress": -sum(pulls) / len(pulls), "largest_tension": max(pulls)}


def main():
    import sys
    parser = argparse.ArgumentParser()
    parser.add_argument("case", choices=("settle", "triaxial", "cohesion", "clumps", "hopper"))
    parser.add_argument("packing", nargs="+")
    parser.add_argument("--set", action="append", default=[], help="NAME=VALUE")
    args = parser.parse_args(sys.argv[1:])
    args.gain, args.fine = 0.5, 40
    for pair in args.set:
        name, value = pair.split("=")
        setattr(args, name, float(value))
    for path in args.packing:
        started = time.process_time()
        found = {"settle": settle, "triaxial": triaxial, "cohesion": cohesion, "clumps": settle, "hopper": hopper}[args.case](args, path)
        found["seconds"] = time.process_time() - started
        print("result", " ".join(f"{name} {value:.8g}" for name, value in found.items()), flush=True)


main()
