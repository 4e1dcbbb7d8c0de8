"""Documents against what they rest on. Counted as CMocka's by scripts/dev/run-tests."""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "dev"))
sys.dont_write_bytecode = True

import check_claims  # noqa: E402
import counted  # noqa: E402


class Documents(unittest.TestCase):
    def test_figures_of_benchmarks_are_their_files(self):
        wrong = [f"{claim.words}: {claim.figure}: {problem}" for claim, problem, _ in check_claims.checked() if problem]
        self.assertEqual(wrong, [])

    def test_figures_are_compared_to_their_last_digit(self):
        for figure, value, good in (("4.21e9", 4.2149e9, True), ("4.21e9", 4.2151e9, False), ("14,783", 14783, True),
                                    ("14,783", 14784, False), ("0.116", 0.11575, True), ("1.40", 1.41, False)):
            self.assertEqual(check_claims.agrees(figure, value), good, figure)


if __name__ == "__main__":
    counted.main()
