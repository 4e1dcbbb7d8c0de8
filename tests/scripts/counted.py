"""Runs the tests of a script, and counts them as CMocka does, for scripts/dev/run-tests."""

import sys
import unittest


def main():
    outcome = unittest.main(exit=False, verbosity=2).result
    bad = len(outcome.failures) + len(outcome.errors)
    print(f"[  PASSED  ] {outcome.testsRun - bad - len(outcome.skipped)} test(s).")
    if outcome.skipped:
        print(f"[  SKIPPED ] {len(outcome.skipped)} test(s).")
    if bad:
        print(f"[  FAILED  ] {bad} test(s).")
    sys.exit(bad > 0)
