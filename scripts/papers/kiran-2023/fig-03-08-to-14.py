#!/usr/bin/env python3
"""Kiran 2023, Figs. 3.8, 3.11 and 3.14: speed-ups of the GPU over one core, of assembly, stress and internal forces,
against the plastic part: a coarse mesh of each body, of voxels. Tables fem-one-core and fem-stress of
scripts/dev/run-gpu-papers. The wall clock is not drawn: in the thesis the CPU's program solves on the GPU."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from common import COLOURS, PAPER, figure, finish, measured, not_measured, np, options, run, table, where
from kernels import NAMES

# The text's speed-ups (section 3.2.1): least and most over all meshes and loads
BODIES = {"box": ("3.8", (56.6, 69.7), (56.4, 66.1), (53.7, 62.5)),
          "l_bracket": ("3.11", (20.4, 35.1), (47.3, 56.7), None),
          "plate_with_holes": ("3.14", (21.7, 28.7), (47.2, 59.4), (55.4, 67.3))}
STAGES = ["assembly", "stress", "internal forces"]
STRESS = ["predictor_ms", "deviator_ms", "corrector_ms"]


def times(analyses, stresses, **one):
    """s of the stages of an analysis on one device, its plastic part, %; None: not measured."""
    analysis, iterations = where(analyses, **one), where(stresses, **one)
    if not analysis or not iterations:
        return None
    parts = [analysis[0]["tangent_s"], *(1e-3 * sum(row[name] for row in iterations for name in names)
                                         for names in (STRESS, ["forces_ms"]))]
    return np.array(parts), analysis[0]["plastic_percent"]


def main():
    chosen = options(__doc__, bench=True)
    (analyses, source), (stresses, _) = (measured(chosen, name) for name in ("fem-one-core", "fem-stress"))
    lines = []
    for body in BODIES:
        for factor in sorted({row["factor"] for row in where(analyses, body=body)}):
            found = {row["device"]: times(analyses, stresses, body=body, factor=factor, device=row["device"],
                                          elements=row["elements"]) for row in where(analyses, body=body, factor=factor)}
            core = found.pop("1 CPU threads", None)
            for device, gpu in found.items():
                if core and gpu:
                    lines.append((body, factor, core[1], *core[0], *gpu[0], *(core[0] / gpu[0])))
    if not lines:
        not_measured("Figs. 3.8, 3.11, 3.14")
        return
    head = ["body", "factor", "plastic %", *(f"{stage}, {unit}" for unit in ("core, s", "GPU, s", "times") for stage in STAGES)]
    table(chosen, "fig-03-08-to-14", head, [[f"{c:.4g}" if isinstance(c, float) else c for c in line] for line in lines])
    drawn, panels = figure(3, width=3.4, sharey=True)
    for panel, (body, (number, *stated)) in zip(panels, BODIES.items()):
        own = np.array([line[2:3] + line[-3:] for line in lines if line[0] == body], dtype=float).reshape(-1, 4)
        for colour, stage, ratio, range_ in zip(COLOURS, STAGES, own.T[1:], stated):
            panel.plot(own[:, 0], ratio, "o-", markersize=3, color=colour, label=stage)
            for bound in range_ or ():
                panel.axhline(bound, **{**PAPER, "color": colour})
        panel.set(title=f"Fig. {number}: {NAMES.get(body, 'cube')}", xlabel="plastic elements (%)", yscale="log")
    panels[0].set_ylabel("core over GPU")
    panels[0].legend(frameon=False, fontsize=7)
    finish(drawn, chosen, "fig-03-08-to-14", f"{source}: one core beside the GPU, sums over Newton's iterations; dotted: the "
           "text's least and most of all meshes, K40c over an E5-2650")


if __name__ == "__main__":
    run(main)
