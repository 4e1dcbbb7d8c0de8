#!/usr/bin/env python3
"""The documents as a searchable site in build/site, with the library by header and the package by name: `make site`. It is to be
served (python3 -m http.server -d build/site); from a file all but the search works.

    scripts/dev/site_pages.py BUILD     # needs mkdocs with the theme material, for formulas latex2mathml, of Python's packages

Pages are laid out in BUILD/site-pages: docs/, README.md as the first one, CONTRIBUTING and CHANGELOG. Links to them lead there, links to
files of the source that are no page become their names. Where doxygen is installed its reference of the library goes beside, under reference/.
"""

import importlib
import importlib.util
import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "CONTRIBUTING.md", "CHANGELOG.md": "CHANGELOG.md", "paper/paper.md": "paper.md",
         "bench/LOG.md": "bench-log.md"}
MODULES = ["", "results", "plot", "pictures"]  # of the package
STYLE = """.md-grid { max-width: 84rem; }
.md-typeset table:not([class]) { font-size: .68rem; display: table; }
.md-typeset table:not([class]) th { min-width: 4rem; }
.md-typeset .language-text code { white-space: pre-wrap; }
.md-typeset__scrollwrap { overflow-x: auto; }
.md-typeset img { max-height: 46rem; }
.md-typeset td code { word-break: keep-all; overflow-wrap: normal; }
.md-typeset .formula { display: flex; justify-content: space-between; align-items: center; overflow-x: auto; padding: .35rem 0; }
.md-typeset .formula math { margin: auto; padding: 0 .5rem; }
"""
# As the documents' links have headings: letters, digits and blanks, those as "-".
SLUG = """import re


def slug(text, separator):
    return re.sub(r"[^\\w\\- ]", "", text.lower()).replace(" ", separator)
"""


def places():
    """{file of the source: page}"""
    found = {name: page for name, page in PAGES.items() if (ROOT / name).exists()}
    for path in (ROOT / "docs").rglob("*"):
        if path.suffix in (".md", ".png", ".svg") and path.is_file():
            found[str(path.relative_to(ROOT))] = str(path.relative_to(ROOT / "docs"))
    return found


def relinked(text, name, found):
    """Of the document `name`, with links to pages where those are now, and others as names."""
    here, page = ROOT / name, Path(found[name])

    def link(match):
        mark, label, target = match[1], match[2], match[3]
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target) or not path:
            return match[0]
        source = os.path.relpath((here.parent / path).resolve(), ROOT)
        source = f"{source}/README.md" if f"{source}/README.md" in found else source
        if source not in found:
            return label if label.startswith("`") else f"{label} (`{source}`)"
        place = os.path.relpath(found[source], page.parent)
        return f"{mark}[{label}]({place}{'#' + anchor if anchor else ''})"
    return re.sub(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)", link, text)


CODE = re.compile(r"(^```.*?^```$|^ {4,}.*$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"\$\$(.+?)\$\$|(?<![\w$])\$(?!\s)([^$\n]+?)(?<!\s)\$(?![\w$])", re.DOTALL)


def formulas(text, convert):
    """With the TeX between dollars as MathML, which browsers show without a network: convert(TeX, "block" or "inline") makes it. Code
    stays as it is."""
    def formula(match):
        tex, *tag = re.split(r"\\tag\{(\w+)\}", (match[1] or match[2]).strip())
        written = convert(tex.strip(), "block" if match[1] else "inline")
        for character in "*_|":  # which Markdown would take for its own
            written = written.replace(character, f"&#{ord(character)};")
        number = f'<span class="number">({tag[0]})</span>' if tag else ""
        return f'<span class="formula">{written}{number}</span>' if match[1] else written
    parts = CODE.split(text)
    return "".join(part if k % 2 else FORMULA.sub(formula, part) for k, part in enumerate(parts))


def mathml():
    """convert of formulas by the package latex2mathml; None where it is missing: formulas then stay TeX."""
    if importlib.util.find_spec("latex2mathml") is None:
        print("site: latex2mathml is missing: formulas stay as TeX", file=sys.stderr)
        return None
    convert = importlib.import_module("latex2mathml.converter").convert
    return lambda tex, display: convert(tex, display=display)


def lay_out(folder, convert=None):
    found = places()
    for name, page in found.items():
        target = folder / page
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.suffix == ".md":
            text = re.sub(r"\A---\n.*?\n---\n", "", (ROOT / name).read_text(encoding="utf-8"), flags=re.DOTALL)
            text = relinked(text, name, found)
            target.write_text(formulas(text, convert) if convert else text, encoding="utf-8")
        else:
            shutil.copy(ROOT / name, target)
    (folder / "site.css").write_text(STYLE)


# ---- The library by header ----


def declarations(text):
    """(comment, code) of a header, in order; blank lines part them."""
    text = re.sub(r"#ifndef \w+_H\n#define \w+_H\n|#ifdef __cplusplus\nextern \"C\" \{\n#endif\n|#ifdef __cplusplus\n\}\n#endif\n|#endif\s*\Z", "", text)
    for block in re.split(r"\n\s*\n", text):
        match = re.match(r"\s*/\*(.*?)\*/\n?(.*)\Z", block, re.DOTALL)
        comment, code = (match[1], match[2]) if match else ("", block)
        comment = "\n".join(line.strip().removeprefix("*").strip() for line in comment.strip().splitlines())
        code = re.sub(r"^#include .*\n?", "", code, flags=re.MULTILINE)
        if comment.strip("- ") or code.strip():
            yield comment.strip("- \n"), code.rstrip()


def c_page():
    pages = ["# C, by header\n", "What a program includes: `#include <slipwave/response.h>`, linked by `pkg-config slipwave` "
             "([a program of your own](../guide/installing.md#a-program-of-your-own)).\n"]
    for path in sorted((ROOT / "include/slipwave").glob("*.h")):
        pages.append(f"\n## slipwave/{path.name}\n")
        for comment, code in declarations(path.read_text(encoding="utf-8")):
            pages += [f"\n```text\n{comment}\n```\n"] if comment else []
            pages += [f"\n```c\n{code}\n```\n"] if code.strip() else []
    return "".join(pages)


# ---- The package by name ----


def document(name, one, depth):
    """Markdown of a function or class."""
    try:
        signature = str(inspect.signature(one))
    except (TypeError, ValueError):
        signature = ""
    text = inspect.getdoc(one) or ""
    kind = "class " if inspect.isclass(one) else ""
    parts = [f"\n{'#' * depth} {name}\n\n```python\n{kind}{name}{signature}\n```\n\n```text\n{text}\n```\n" if text else
             f"\n{'#' * depth} {name}\n\n```python\n{kind}{name}{signature}\n```\n"]
    if inspect.isclass(one):
        for method, function in sorted(vars(one).items()):
            function = function.fget if isinstance(function, property) else getattr(function, "__func__", function)
            if not method.startswith("_") and inspect.isroutine(function) and inspect.getdoc(function):
                parts.append(document(f"{name}.{method}", function, depth + 1))
    return "".join(parts)


def python_page():
    pages = ["# Python, by name\n", "From the package's own texts; how they go together: [Slipwave in Python](../guide/python.md).\n"]
    for module in MODULES:
        path = f"slipwave.{module}" if module else "slipwave"
        one = importlib.import_module(path)
        names = getattr(one, "__all__", None) or [name for name, item in vars(one).items() if getattr(item, "__module__", "") == path]
        pages.append(f"\n## {path}\n\n```text\n{inspect.getdoc(one)}\n```\n")
        for name in sorted(names, key=str.lower):
            item = getattr(one, name)
            if (inspect.isclass(item) or inspect.isroutine(item)) and not name.startswith("_"):
                pages.append(document(name, item, 3))
    return "".join(pages)


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(f"usage: site_pages.py BUILD\n{__doc__}")
    build = Path(sys.argv[1]).resolve()
    if importlib.util.find_spec("mkdocs") is None or importlib.util.find_spec("material") is None:
        sys.exit(f"site: mkdocs or its theme material is missing from {sys.executable}: `pip install mkdocs-material latex2mathml` in a virtual "
                 "environment with numpy, h5py and matplotlib, and PYTHON=")
    pages = build / "site-pages"
    shutil.rmtree(pages, ignore_errors=True)
    lay_out(pages, mathml())
    (pages / "api").mkdir()
    (pages / "api" / "c.md").write_text(c_page(), encoding="utf-8")
    (pages / "api" / "python.md").write_text(python_page(), encoding="utf-8")
    (build / "slipwave_site.py").write_text(SLUG)
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").replace("build/site", str(build / "site"))
    (build / "mkdocs.yml").write_text(settings, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(build), os.environ.get("PYTHONPATH", "")]), "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "-q", "--strict", "-f", str(build / "mkdocs.yml")], env=environment, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    if shutil.which("doxygen"):
        subprocess.run(["make", "-C", str(ROOT), "-s", "docs", f"BUILD={build}"], check=True, stdout=subprocess.DEVNULL)
        shutil.copytree(build / "docs/html", build / "site/reference", dirs_exist_ok=True)
    print(f"site: {build / 'site/index.html'}")


if __name__ == "__main__":
    main()
