"""Pictures of what the programs write.

    for picture in slipwave.pictures.pictures("run.h5"):
        slipwave.plot.save(picture.draw(), f"{picture.name}.png")

contents.py finds out what a file holds, by a table of pictures; a kind of picture is a module here: arguments() makes the
parser of its options, figure(options) matplotlib's Figure. Needs h5py and matplotlib.
"""

from .contents import Picture, contents_of, pictures

# kind: module here, what it draws
KINDS = {
    "stress-strain": ("stress_strain", "stress-strain curves of `slipwave taylor`"),
    "texture": ("texture", "pole figures, inverse ones, ODF sections, component fractions of `slipwave taylor`"),
    "families": ("families", "slip of families, twin fractions of `slipwave taylor`"),
    "vpsc": ("vpsc", "stress-strain curves of `slipwave vpsc`"),
    "sweep": ("sweep", "errors that `slipwave sweep` found"),
    "front": ("front", "which solver for how many crystals, from cost sweeps of `slipwave sweep`; a table"),
    "database": ("database", "terms of a database of `slipwave-db`, and what they capture"),
    "kwn": ("kwn", "precipitates and strength of `slipwave kwn`; its maps"),
    "fem": ("fem", "bodies, load-displacement curves and convergence of `slipwave fem`"),
    "deck": ("deck", "energies, displacements and stresses of decks of `slipwave fem`"),
    "cell": ("cell", "mean stress and strain of cells that repeat, of `slipwave fem`"),
    "upsetting": ("upsetting", "force and stroke of tools, deformed shapes, animations of `slipwave fem`"),
    "forming": ("forming", "r-values, yield surfaces and earing of `slipwave forming`"),
    "forming-limit": ("forming_limit", "forming limit diagrams of `slipwave forming`, with a part's strains"),
    "fit": ("fit", "fits of `slipwave forming`: measured and fitted curves, residuals"),
    "dem": ("dem", "stress-strain curves, contact orientations and sizes of `slipwave dem`"),
    "particles": ("particles", "packings of `slipwave dem`, coloured by a field"),
    "bench": ("bench", "what bench_gpu prints"),
    "bench-kwn": ("kwn_bench", "what bench_kwn prints"),
    "bench-fem": ("fem_bench", "what bench_fem prints"),
    "bench-dem": ("dem_bench", "what bench_dem prints"),
}

__all__ = ["KINDS", "Picture", "contents_of", "page", "pictures"]


def page(paths, interactive=False, logs=()):
    """The HTML of a page about files, as `slipwave report` makes it: text. InputError for files that are none of ours."""
    from .report import page as make
    return make(paths, interactive, logs)
