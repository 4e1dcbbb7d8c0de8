"""What continuous integration runs is what anyone can: workflows, .ci/run and CONTRIBUTING.md name targets of the Makefile."""

import itertools
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*"))
sys.dont_write_bytecode = True

import counted  # noqa: E402

try:
    import yaml
except ImportError:
    yaml = None


def targets():
    """Of make's own list, with something to do. `help`: a goal for which it asks the machine nothing."""
    inherited = {name: value for name, value in os.environ.items() if not re.match("MAKE|MFLAGS|GNUMAKE", name)}
    listed = subprocess.run(["make", "-C", str(ROOT), "-rpq", "help"], check=False, capture_output=True, text=True,
                            env=inherited).stdout
    rules = re.findall(r"^([a-z][a-z-]*):(?!=)(.*(?:\n.+)*)", listed, re.M)
    return {name for name, rule in rules if "recipe to execute" in rule or rule.splitlines()[0].strip()}


def made(commands):
    """Goals of each `make` in shell commands, without its options, variables, and what follows it."""
    found = []
    for line in commands.splitlines():
        for words in re.findall(r"(?:^|[;&|]\s*|\b(?:if|step) )make\b([^;&|#]*)", line.strip()):
            found += [word for word in words.split() if not re.match(r"-|\w+=", word)]
    return found


def expand(text, matrix):
    """Text for every job of a matrix: ${{ matrix.NAME }} with each of its values."""
    name = r"\$\{\{ *matrix\.([\w-]+) *\}\}"
    rows = matrix.get("include") or [dict(zip(matrix, values)) for values in itertools.product(*matrix.values())]
    return {re.sub(name, lambda found, row=row: str(row[found[1]]), text) for row in rows}


def runs(job):
    """Shell commands of all jobs that this one stands for."""
    for step in job["steps"]:
        yield from expand(step.get("run", ""), job.get("strategy", {}).get("matrix", {}))


def goals(job):
    return {goal for commands in runs(job) for goal in made(commands)}


class Workflows(unittest.TestCase):
    def setUp(self):
        if yaml is None:
            self.skipTest(f"{sys.executable} has no PyYAML")
        if shutil.which("make") is None:
            self.skipTest("no make")

    def jobs(self):
        for path in WORKFLOWS:
            for name, job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].items():
                yield f"{path.name}: {name}", job

    def test_files_are_workflows(self):
        self.assertNotEqual(WORKFLOWS, [])
        for path in WORKFLOWS:
            self.assertEqual(path.suffix, ".yml")
            content = yaml.safe_load(path.read_text(encoding="utf-8"))
            self.assertEqual({"name", "jobs"} - set(content), set(), path.name)
            self.assertTrue("on" in content or True in content, path.name)  # YAML 1.1 takes `on` for a truth value
        for name, job in self.jobs():
            self.assertEqual({"runs-on", "steps", "timeout-minutes"} - set(job), set(), name)
            for step in job["steps"]:
                self.assertEqual(len({"uses", "run"} & set(step)), 1, f"{name}: {step}")

    def test_jobs_are_targets(self):
        there = targets()
        for name, job in self.jobs():
            self.assertNotEqual(goals(job), set(), name)
            self.assertEqual(goals(job) - there, set(), name)
            for commands in runs(job):
                for script in re.findall(r"(?:^|\s)((?:scripts|\.ci)/\S+)", commands):
                    self.assertTrue((ROOT / script).is_file(), f"{name}: {script}")

    def test_every_target_of_ci_is_a_job_and_documented(self):
        """And `make ci` runs all of them."""
        run = set().union(*(goals(job) for _, job in self.jobs()))
        self.assertEqual({name for name in targets() if name.startswith("ci-")} - run, set())
        told = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
        self.assertEqual({goal for goal in run if f"`{goal}`" not in told}, set())
        rule = re.search(r"^ci: \$\(ci_jobs\) (.*?) ##", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
        self.assertEqual({goal for goal in run if not goal.startswith("ci-")}, set(rule[1].split()))

    def test_the_short_run_makes_targets(self):
        short = set(made((ROOT / ".ci" / "run").read_text(encoding="utf-8")))
        self.assertEqual({"test", "layers", "check-format"} - short, set())
        self.assertEqual(short - targets(), set())

    def test_a_name_that_is_no_target_is_found(self):
        job = {"strategy": {"matrix": {"cc": ["gcc", "tcc"]}}, "steps": [{"run": "make -j2 ci-${{ matrix.cc }} ARCH=native\n"}]}
        self.assertEqual(goals(job), {"ci-gcc", "ci-tcc"})
        self.assertEqual(goals(job) - targets(), {"ci-tcc"})


if __name__ == "__main__":
    counted.main()
