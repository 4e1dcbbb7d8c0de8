#!/usr/bin/env python3
"""A deck of two blocks of C3D8 that are pressed together, and its twin that is tied: what contact costs.

    scripts/dev/make_contact_deck.py FILE.inp [--elements 50000] [--tied] [--curved] [--friction 0.2]

A block of 10 x 10 x 10 and one of 8 x 8 x 8 upon it, whose meshes do not meet; the upper one's top goes down by 0.1 (curved: its
lower face bulges by 0.1, so that what touches grows), in two increments of NLGEOM. mm, N, MPa. Needs no library.
"""

import argparse


class Block:
    """n x n x n cells of a cube; labels of nodes and elements from first and first_element on."""

    def __init__(self, n, size, low, first, first_element, bulge=0.0):
        self.n, self.size, self.low, self.bulge = n, size, low, bulge
        self.first, self.first_element = first, first_element

    def label(self, i, j, k):
        return self.first + (k * (self.n + 1) + j) * (self.n + 1) + i

    def write(self, out, name):
        n, h, nodes = self.n, self.size / self.n, range(self.n + 1)
        out.write(f"*NODE, NSET=N{name}\n")
        for k in nodes:
            for j in nodes:
                y = 2 * j / n - 1
                lift = [self.bulge * ((2 * i / n - 1) ** 2 + y * y) * (1 - k / n) for i in nodes]
                out.write("".join(f"{self.label(i, j, k)}, {self.low[0] + i * h:.9g}, {self.low[1] + j * h:.9g}, "
                                  f"{self.low[2] + k * h + lift[i]:.9g}\n" for i in nodes))
        out.write(f"*ELEMENT, TYPE=C3D8, ELSET=E{name}\n")
        row, layer, at = n + 1, (n + 1) ** 2, self.first_element
        for k in range(n):
            for j in range(n):
                for i in range(n):
                    a = self.label(i, j, k)
                    b = a + layer
                    out.write(f"{at}, {a}, {a + 1}, {a + row + 1}, {a + row}, {b}, {b + 1}, {b + row + 1}, {b + row}\n")
                    at += 1
        out.write(f"*SOLID SECTION, ELSET=E{name}, MATERIAL=STEEL\n")

    def side(self, out, name, top):
        first = self.label(0, 0, self.n if top else 0)
        out.write(f"*NSET, NSET=N{name}, GENERATE\n{first}, {first + (self.n + 1) ** 2 - 1}\n")
        first = self.first_element + (self.n ** 2 * (self.n - 1) if top else 0)
        out.write(f"*ELSET, ELSET=E{name}, GENERATE\n{first}, {first + self.n ** 2 - 1}\n"
                  f"*SURFACE, NAME=S{name}\nE{name}, S{2 if top else 1}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--elements", type=int, default=50000, help="about so many (50000)")
    parser.add_argument("--tied", action="store_true", help="*TIE in place of *CONTACT PAIR")
    parser.add_argument("--curved", action="store_true", help="what touches grows")
    parser.add_argument("--friction", type=float, default=0, help="coefficient (0)")
    of = parser.parse_args()
    n = max(2, round((of.elements / 1.512) ** (1 / 3)))
    m = max(2, round(0.8 * n))
    low = Block(n, 10.0, (0, 0, 0), 1, 1)
    high = Block(m, 8.0, (1, 1, 10), (n + 1) ** 3 + 1, n ** 3 + 1, 0.05 if of.curved else 0.0)
    with open(of.file, "w") as out:
        out.write("*MATERIAL, NAME=STEEL\n*ELASTIC\n210000., 0.3\n")
        low.write(out, "LOW")
        high.write(out, "HIGH")
        for block, name, top in ((low, "FOOT", 0), (low, "MASTER", 1), (high, "SLAVE", 0), (high, "HEAD", 1)):
            block.side(out, name, top)
        if of.tied:
            out.write("*TIE, NAME=GLUE, POSITION TOLERANCE=0.2, ADJUST=NO\nSSLAVE, SMASTER\n")
        else:
            rub = f"*FRICTION\n{of.friction}\n" if of.friction > 0 else ""
            out.write(f"*SURFACE INTERACTION, NAME=BETWEEN\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=HARD\n{rub}"
                      "*CONTACT PAIR, INTERACTION=BETWEEN, TYPE=SURFACE TO SURFACE\nSSLAVE, SMASTER\n")
        out.write("*STEP, NLGEOM\n*STATIC\n0.5, 1., 0.01, 0.5\n*BOUNDARY\nNFOOT, 1, 3\nNHEAD, 1, 2\nNHEAD, 3, 3, -0.1\n"
                  "*NODE PRINT, NSET=NHEAD, TOTALS=ONLY\nRF\n*END STEP\n")


if __name__ == "__main__":
    main()
