"""Yield functions of online/forming/functions, for pictures: phi of stresses [...][6], components 11 22 33 23 13 12."""

import numpy as np


def tensor(stress):
    s = np.asarray(stress)
    return s[..., [[0, 5, 4], [5, 1, 3], [4, 3, 2]]]


def hill48(c, _, stress):
    s = np.moveaxis(stress, -1, 0)
    f, g, h, *shears = c
    square = f * (s[1] - s[2])**2 + g * (s[2] - s[0])**2 + h * (s[0] - s[1])**2
    return np.sqrt(np.maximum(square + 2 * sum(n * s[3 + k]**2 for k, n in enumerate(shears)), 0))


def yld2000_2d(c, a, stress):
    """NaN where the stress has 23 or 13"""
    s = np.moveaxis(stress, -1, 0)
    _, _, b3, b4, b5, b6, shear1, shear2 = c
    first = np.array([[2 * c[0], -c[0]], [-c[1], 2 * c[1]]]) / 3
    second = np.array([[-2 * b3 + 2 * b4 + 8 * b5 - 2 * b6, b3 - 4 * b4 - 4 * b5 + 4 * b6],
                       [4 * b3 - 4 * b4 - 4 * b5 + b6, -2 * b3 + 8 * b4 + 2 * b5 - 2 * b6]]) / 9

    def principal(matrix, shear):
        x, y = np.tensordot(matrix, np.array([s[0] - s[2], s[1] - s[2]]), 1)
        radius = np.hypot((x - y) / 2, shear * s[5])
        return (x + y) / 2 + radius, (x + y) / 2 - radius

    (x1, x2), (y1, y2) = principal(first, shear1), principal(second, shear2)
    phi = ((abs(x1 - x2)**a + abs(2 * y2 + y1)**a + abs(2 * y1 + y2)**a) / 2)**(1 / a)
    return np.where((s[3] == 0) & (s[4] == 0), phi, np.nan)


def yld2004_18p(c, a, stress):
    deviator = stress - np.mean(stress[..., :3], axis=-1, keepdims=True) * [1, 1, 1, 0, 0, 0]

    def principal(c12, c13, c21, c23, c31, c32, *shears):
        s = np.moveaxis(deviator, -1, 0)
        normal = [-c12 * s[1] - c13 * s[2], -c21 * s[0] - c23 * s[2], -c31 * s[0] - c32 * s[1]]
        return np.linalg.eigvalsh(tensor(np.stack(normal + [n * s[3 + k] for k, n in enumerate(shears)], -1)))

    pairs = principal(*c[:9])[..., :, None] - principal(*c[9:])[..., None, :]
    return ((abs(pairs)**a).sum(axis=(-2, -1)) / 4)**(1 / a)


FUNCTIONS = {"hill48": hill48, "yld2000_2d": yld2000_2d, "yld2004_18p": yld2004_18p}
