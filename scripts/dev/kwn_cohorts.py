#!/usr/bin/env python3
"""Al-0.18 at% Sc at 350 C by cohorts: a reference for `slipwave kwn` without classes of size.

    scripts/dev/kwn_cohorts.py [--finer 1] > data/reference/al-sc-cohorts.csv

Each step's nuclei are a cohort of one size, which grows by itself, by its own steps (Heun), until it is gone: nothing spreads
over sizes. Laws and constants of data/alloys/al-sc.yaml, nuclei of r* + sqrt(kT / pi gamma) / 2. --finer halves, or more, what a
step may change."""
import argparse
import sys

import numpy as np

R, N_A, K_B = 8.31446261815324, 6.02214076e23, 1.380649e-23
T, GAMMA, V_M, V_MATRIX, A = 623.15, 0.096, 4.1596e-5, 9.9983e-6, 4.0496e-10
D, C_E, C_0, C_P = 2.34e-4 * np.exp(-167e3 / (R * T)), 14.435 * np.exp(-67593 / (R * T)), 1.8e-3, V_MATRIX / V_M
ALPHA = 2 * GAMMA * V_M / (R * T)
TIMES = [30, 60, 90, 120, 200, 300, 600, 1000, 3000, 6000, 12000, 30000, 60000]


def matrix(r, n):
    fraction = 4 / 3 * np.pi * np.dot(n, r**3)
    return (C_0 - fraction * C_P) / (1 - fraction), fraction


def velocity(r, c):
    surface = np.minimum(C_E * np.exp(np.minimum(ALPHA / r, 50)), 0.9 * C_P)
    return D / r * (c - surface) / (C_P - surface)


def nucleation(c, n, theta):
    """J, radius of nuclei, d theta / dt."""
    critical = ALPHA / np.log(c / C_E)
    zeldovich = V_M / 4 / N_A / (2 * np.pi * critical**2) * np.sqrt(GAMMA / (K_B * T))
    attached = 4 * np.pi * critical**2 * D * c / A**4
    rate = (N_A / V_MATRIX - n) * zeldovich * attached * np.exp(-4 / 3 * np.pi * GAMMA * critical**2 / (K_B * T))
    waiting = np.exp(-1 / theta) if theta > 0 else 0.0
    return rate * waiting, critical + 0.5 * np.sqrt(K_B * T / (np.pi * GAMMA)), 2 * zeldovich**2 * attached


def finer(text):
    value = float(text)
    if not 0.1 <= value <= 100:
        raise argparse.ArgumentTypeError(f"{text}: need 0.1 to 100")
    return value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--finer", type=finer, default=1.0)
    part = 1 / parser.parse_args().finer
    r, n = np.zeros(0), np.zeros(0)
    now, theta, step, steps = 0.0, 0.0, 1e-3, 0
    print("time_s,number_density,mean_radius,volume_fraction,matrix_concentration")
    for end in TIMES:
        while now < end:
            c, _ = matrix(r, n)
            rate, nucleus, per_second = nucleation(c, n.sum(), theta)
            step = min(step, end - now)
            while True:  # Heun, where no cohort that counts changes too much, nor the matrix
                v = velocity(r, c)
                guess = np.maximum(r + v * step, 1e-11)
                c_end, _ = matrix(guess, n)
                if not c_end > C_E or abs(c_end / c - 1) > 0.004 * part:
                    step *= 0.5
                    continue
                grown = r + 0.5 * step * (v + velocity(guess, c_end))
                alive = grown > 0.1 * ALPHA / np.log(c / C_E)  # smaller ones vanish at once
                c_end, _ = matrix(grown[alive], n[alive])
                theta_end = theta + per_second * step
                rate_end, _, per_end = nucleation(c_end, n.sum(), theta_end)
                if len(r) and np.dot(n, abs(v) * step) > 0.01 * part * np.dot(n, r):
                    step *= 0.5
                    continue
                if abs(rate_end - rate) * step > 1e-3 * part * max(n.sum(), 1e15) and step > 1e-4 * part:
                    step *= 0.5
                    continue
                break
            r, n = grown[alive], n[alive]
            theta += 0.5 * step * (per_second + per_end)
            born = 0.5 * step * (rate + rate_end)
            if born > 1e-9 * n.sum() and born > 1e5:
                r, n = np.append(r, nucleus), np.append(n, born)
            now, steps, step = now + step, steps + 1, min(1.3 * step, 0.02 * part * (now + step) + 1e-3)
        c, fraction = matrix(r, n)
        print(f"{end},{n.sum():.4e},{np.dot(n, r) / n.sum():.4e},{fraction:.4e},{c:.4e}", flush=True)
    print(f"{steps} steps, {len(r)} cohorts", file=sys.stderr)


if __name__ == "__main__":
    main()
