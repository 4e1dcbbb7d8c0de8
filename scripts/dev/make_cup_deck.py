#!/usr/bin/env python3
"""The cup of fem_cup_study.py as a deck: die, holder and punch are meshes of facets, the holder is pressed by a force.

    scripts/dev/make_cup_deck.py FILE.inp [--around 8] [--rings 13] [--layers 1] [--facets 12] [--stroke 45] [--type C3D8]

A quarter, von Mises' law with the sheet's curve, hard contact by its default stiffness. mm, N, MPa. The die has 6 rows of facets over
its flat, 10 over its edge and 8 over its wall, holder and punch likewise; a ring stops the holder when the rim has left it. Needs no library.
"""

import argparse
import math

from fem_cup_study import THICKNESS, mesh_of

STOP = 0.99 * THICKNESS  # of the holder, when the rim has left it


def arc(x, y, r, begin, end, n):
    """Places after the first of n pieces about a centre; degrees."""
    angles = [math.radians(begin + (end - begin) * k / n) for k in range(1, n + 1)]
    return [(x + r * math.cos(a), y + r * math.sin(a)) for a in angles]


def line(start, end, n):
    return [tuple(a + (b - a) * k / n for a, b in zip(start, end)) for k in range(1, n + 1)]


def profiles(scale=1.0):
    """(radius, z) of each tool, outward normals to the right of the way."""
    some = lambda n: max(1, round(scale * n))
    die = [(60, 0)] + line((60, 0), (41.2, 0), some(6)) + arc(41.2, -10, 10, 90, 180, some(10)) \
        + line((31.2, -10), (31.2, -55), some(8))
    holder = [(31, THICKNESS + 5)] + arc(36, THICKNESS + 5, 5, 180, 270, some(10)) \
        + line((36, THICKNESS), (60, THICKNESS), some(6))
    punch = [(2, THICKNESS)] + line((2, THICKNESS), (25, THICKNESS), some(6)) \
        + arc(25, THICKNESS + 5, 5, 270, 360, some(10)) + line((30, THICKNESS + 5), (30, THICKNESS + 50), some(8))
    stop = [(60, STOP), (56, STOP)]
    return (("DIE", die), ("HOLDER", holder), ("PUNCH", punch), ("STOP", stop))


def behind(profile):
    """Places a millimetre inside."""
    for k, (r, z) in enumerate(profile):
        (r0, z0), (r1, z1) = profile[max(k - 1, 0)], profile[min(k + 1, len(profile) - 1)]
        size = math.hypot(r1 - r0, z1 - z0)
        yield r - (z1 - z0) / size, z + (r1 - r0) / size


def write_tool(out, name, profile, facets, node, element):
    """A layer of C3D8 over a little more than a quarter. The first node and element after it."""
    low, high = -5.0, 95.0
    angles = [math.radians(low + (high - low) * m / facets) for m in range(facets + 1)]
    row, layer = facets + 1, (facets + 1) * len(profile)
    out.write(f"*NODE, NSET=N{name}\n")
    for first, places in ((node, profile), (node + layer, behind(profile))):
        for k, (r, z) in enumerate(places):
            out.write("".join(f"{first + k * row + m}, {r * math.cos(a):.9g}, {r * math.sin(a):.9g}, {z:.9g}\n"
                              for m, a in enumerate(angles)))
    out.write(f"*ELEMENT, TYPE=C3D8, ELSET={name}\n")
    for k in range(len(profile) - 1):
        for m in range(facets):
            a = node + k * row + m
            quad = [a, a + row, a + row + 1, a + 1]
            out.write(f"{element}, " + ", ".join(map(str, quad + [i + layer for i in quad])) + "\n")
            element += 1
    out.write(f"*SOLID SECTION, ELSET={name}, MATERIAL=STEEL\n*SURFACE, NAME=S{name}\n{name}, S1\n")
    return node + 2 * layer, element


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("file")
    add("--around", type=int, default=8)
    add("--rings", type=int, default=13)
    add("--layers", type=int, default=1)
    add("--facets", type=int, default=12, help="around a quarter; along a tool's profile twice as many")
    add("--stroke", type=float, default=45.0)
    add("--force", type=float, default=40e3, help="of the holder, the whole; N")
    add("--type", default="C3D8")
    add("--friction", type=float, default=0.09)
    add("--stiffness", type=float, help="N/mm3, in place of the default")
    of = parser.parse_args()
    of.function, of.core, of.stop, of.gap = None, 14.0, 0.0, True  # the sheet alone
    sheet = mesh_of(of).replace("TYPE=C3D8", f"TYPE={of.type}")
    with open(of.file, "w") as out:
        out.write("*MATERIAL, NAME=STEEL\n*ELASTIC\n210000., 0.3\n*MATERIAL, NAME=SHEET\n*ELASTIC\n70000., 0.33\n*PLASTIC\n")
        for p in (0, 0.005, 0.01, 0.02, 0.03, 0.045, 0.06, 0.08, 0.1, 0.13, 0.16, 0.2, 0.25, 0.3, 0.4, 0.6, 1.0):
            out.write(f"{125.95 + 189.03 * (1 - math.exp(-12.22 * p)):.6g}, {p:g}\n")
        out.write(sheet + "*SOLID SECTION, ELSET=BLANK, MATERIAL=SHEET\n")
        node, element = 100001, 100001
        for name, profile in profiles(of.facets / 12):
            node, element = write_tool(out, name, profile, of.facets, node, element)
        out.write(f"*NODE\n{node}, 0., 0., 50.\n{node + 1}, 0., 0., 50.\n"
                  f"*NSET, NSET=PRESS\n{node}\n*NSET, NSET=TURN\n{node + 1}\n"
                  f"*RIGID BODY, NSET=NHOLDER, REF NODE={node}, ROT NODE={node + 1}\n")
        law = f"*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n{of.stiffness:g}\n" if of.stiffness else ""
        rub = f"*FRICTION\n{of.friction:g}\n" if of.friction > 0 else ""
        out.write(f"*SURFACE INTERACTION, NAME=RUBS\n{law}{rub}")
        for side, name in (("BOTTOM", "DIE"), ("TOP", "HOLDER"), ("TOP", "PUNCH"), ("SSTOP", "HOLDER")):
            out.write(f"*CONTACT PAIR, INTERACTION=RUBS, TYPE=SURFACE TO SURFACE\n{side}, S{name}\n")
        out.write("*BOUNDARY\nX0, 1\nY0, 2\nNDIE, 1, 3\nNSTOP, 1, 3\nNPUNCH, 1, 3\nPRESS, 1, 2\nTURN, 1, 3\n")
        prints = "*NODE PRINT, NSET=NPUNCH, TOTALS=ONLY\nRF\n*NODE FILE\nU\n*END STEP\n"
        out.write(f"*STEP, NLGEOM\n*STATIC\n0.5, 1., 1e-5\n*CLOAD\nPRESS, 3, {-of.force / 4:g}\n" + prints)
        out.write(f"*STEP, NLGEOM, INC=1000\n*STATIC\n0.01, 1., 1e-5\n*BOUNDARY\nNPUNCH, 3, 3, {-of.stroke:g}\n" + prints)


if __name__ == "__main__":
    main()
