"""Documents against what they rest on. Counted as CMocka's by scripts/dev/run-tests."""

import functools
import re
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "dev"))
sys.dont_write_bytecode = True

import check_claims  # noqa: E402
import counted  # noqa: E402


@functools.cache
def anchors(document):
    """Of a document's headings, as they are made on the web: letters, digits and blanks, as "-"; those that come again numbered."""
    found = {}
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    for heading in re.findall(r"^#+ +(.*?) *$", text, re.MULTILINE):
        heading = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found[name] = found.get(name, -1) + 1
    return {f"{name}-{k}" if k else name for name, last in found.items() for k in range(last + 1)}


class Documents(unittest.TestCase):
    def test_figures_of_documents_are_their_sources(self):
        wrong = [f"{claim.words}: {claim.figure}: {problem}" for claim, problem, _ in check_claims.checked() if problem]
        self.assertEqual(wrong, [])

    def test_a_figure_that_is_not_its_source_is_found(self):
        tables, lines = check_claims.read, check_claims.lines_of
        claims = [*check_claims.all_claims(), *check_claims.of_papers(), *check_claims.of_the_guide()]
        for document in (check_claims.BENCHMARKS, check_claims.PAPERS, "docs/details/finite-elements.md"):
            claim = next(claim for claim in claims if claim.document == document)
            self.assertIsNone(check_claims.check(claim, tables, lines)[0])

            def altered(name, document=document, claim=claim):
                return [(n, line.replace(claim.figure, "7.77") if name == document else line) for n, line in lines(name)]
            self.assertIn("no line", check_claims.check(claim, tables, altered)[0])

            def other(name, claim=claim):
                rows = tables(name)
                return [{**row, claim.column: float(row[claim.column]) * 1.5} for row in rows]
            if isinstance(claim, check_claims.Claim):
                self.assertIn("the source has", check_claims.check(claim, other, lines)[0])

    def test_figures_are_compared_to_their_last_digit(self):
        for figure, value, good in (("4.21e9", 4.2149e9, True), ("4.21e9", 4.2151e9, False), ("14,783", 14783, True),
                                    ("14,783", 14784, False), ("0.116", 0.11575, True), ("1.40", 1.41, False)):
            self.assertEqual(check_claims.agrees(figure, value), good, figure)

    def test_links_lead_somewhere(self):
        """Of all documents to files of the source, and to headings where one is named."""
        documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "bench").glob("*.md"), *(ROOT / "paper").glob("*.md")]
        wrong, links = [], 0
        for document in documents:
            text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
            for link in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text)):
                if re.match(r"[a-z]+:", link):
                    continue
                links += 1
                path, _, anchor = link.partition("#")
                target = document.parent / path if path else document
                if not target.exists() or (anchor and anchor not in anchors(target)):
                    wrong.append(f"{document.relative_to(ROOT)}: {link}")
        self.assertEqual(wrong, [])
        self.assertGreater(links, 300)

    def test_tests_that_are_named_are_there(self):
        """With their folders, from tests/ on or below it, or without; * for any part, NAME for one that the reader chooses."""
        missing, named = [], 0
        for document in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "bench/LOG.md"]:
            text = document.read_text(encoding="utf-8")
            for name in re.findall(r"(?<![\w./*-])(?:build/)?((?:[\w*-]+/)*test_[\w*]+(?:\.\w+)?|tests/[\w./*-]*\w)", text):
                below = name.removeprefix("tests/").replace("NAME", "*")
                found = (ROOT / "tests").glob if "/" in name else (ROOT / "tests").rglob
                named += 1
                if not any(any(found(below + end)) for end in ("", ".c", ".py")):
                    missing.append(f"{document.relative_to(ROOT)}: {name}")
        self.assertEqual(missing, [])
        self.assertGreater(named, 200)


if __name__ == "__main__":
    counted.main()
