#!/usr/bin/env python3
"""Bring tables of keys in a document up to date: update_key_tables.py BUILD DOCUMENT.md

What stands between <!-- keys: PROGRAM COMMAND [FILE] [; SECTION ...] --> and <!-- end of keys --> becomes a table of what
`BUILD/PROGRAM help COMMAND [FILE] keys` prints: of those sections, or of all that no other marker of that command names.
Each key is told once: one that another table, or another place of its own, tells in the same words is named with a link
there. tests/scripts/test_key_tables.py holds the document to it.
"""

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

MARKED = re.compile(r"(<!-- keys: (\S+) ([a-z0-9 ]+?)(?:; ([\w ]+))? -->\n).*?(<!-- end of keys -->)", re.DOTALL)
HEAD = "Key | Values (otherwise) | Meaning\n---|---|---\n"
ONE_OF = "one of these"  # whose words the meaning tells
FIRST = ("generate material", "taylor", "fem", "dem", "kwn alloy", "kwn")  # commands that tell what others have, too


@dataclass
class Row:
    """A key: its path, values, what holds without it, its option, what it means; and where it is told, itself or another."""

    key: str
    values: str
    otherwise: str
    option: str
    meaning: str
    told: "Row" = None
    table: list = None
    anchor: str = ""
    title: str = ""

    @property
    def parent(self):
        return self.key.rpartition(".")[0]

    @property
    def name(self):
        return self.key.rpartition(".")[2]


def rows_of(build, program, words):
    printed = subprocess.run([build / program, "help", *words, "keys"], check=True, capture_output=True, text=True).stdout
    cells = ([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in printed.splitlines()[2:])
    rows = [Row(key.strip("`"), *others) for key, *others in cells]
    said = {(row.parent, row.name): choices(row.values) for row in rows}
    for row in rows:
        row.meaning = re.sub(r"with (\w+) (`[^`]+`(?: \(needed\))?(?:, `[^`]+`(?: \(needed\))?)*)",
                             lambda found, row=row: companions(found[1], found[2], said.get((row.parent, found[1]), [])), row.meaning)
        row.table = rows
        told = all(f"`{word}`: " in row.meaning for word in choices(row.values))
        row.values = ONE_OF if told else shorter(row.values)
        absent = re.fullmatch(r"(?:(.*); )?([\w']+) when absent", row.meaning)
        if absent and not row.otherwise:
            row.meaning, row.otherwise = absent[1] or "", absent[2]
    return rows


def choices(values):
    return re.split(r", | or ", values)


def companions(name, text, words):
    """ "with law `a` (needed), `b`": "needed with law `a`; with `b`"; with most of its words: those that it is not with."""
    found = re.findall(r"`([^`]+)`( \(needed\))?", text)
    needed, taken = ([word for word, mark in found if bool(mark) == wanted] for wanted in (True, False))
    parts = []
    for before, listed in (("needed with", needed), ("with", taken)):
        left = [word for word in words if word not in listed]
        if listed and len(words) == len(listed) > 2:
            parts.append(f"{before} any {name}")
        elif len(listed) > 3 and 0 < len(left) < 3 and not (needed and taken):
            parts.append(f"{before} any {name} but " + ", ".join(f"`{word}`" for word in left))
        elif listed:
            parts.append(f"{before} {name} " + ", ".join(f"`{word}`" for word in listed))
    return "; ".join(parts)


def shorter(values):
    """ "Pa, from 1 to 2": "1..2 Pa"; "1 <= name <= 2": "1..2"; "list of mappings": "list"."""
    number = r"[-+.\de^]+"
    values = values.replace("yes or no", "yes/no").replace("list of mappings", "list")
    values = re.sub(rf"({number}) <= \w+ <= ({number})", r"\1..\2", values)
    return re.sub(rf"^((?:list: )?)((?!a )[^\s,;]+(?: [^\s,;]+)?), (0 or )?from ({number}) to ({number})", r"\1\3\4..\5 \2", values)


def tell(command, rows, told):
    """Find for each row the one that tells it: the first of the same name and words; of few words, of the same key."""
    by_key = {row.key: row for row in rows}
    for row in rows:
        same = (row.name, row.values, row.otherwise, row.meaning)
        if len(row.meaning.split()) < 3:
            same += (command.split()[:2], re.sub(r"\.\d+(?=\.|$)", "", row.key))
        row.told = told.setdefault(str(same), row)
        if not row.meaning and row.told is row and row.otherwise in ("the job's", "the first material's"):
            keys = [f"{section}.{row.name}" for section in ("material", "numerics", "packing")] + [row.name.replace("packing_", "packing.")]
            row.told = next((by_key[key] for key in keys if key in by_key and by_key[key].values == row.values), row)


def names(rows):
    """Keys, each with what of its path differs from the one before; all of a mapping, where another tells as many: PATH.*"""
    text, parent, whole = [], None, ""
    for row in rows:
        if whole and row.key.startswith(whole):
            continue
        whole = whole_of(row, rows)
        option = f", {row.option}" if row.option and not row.told.option else ""
        text.append(f"`{whole}*`" if whole else f"`{'.' + row.name if row.parent == parent and parent else row.key}`{option}")
        parent = row.parent
    return ", ".join(text)


def whole_of(row, rows):
    """The widest mapping that a row is in all of whose keys are among rows, under another of the same ones; "" for none."""
    mine, others = row.key.split("."), row.told.key.split(".")
    for depth in range(1, len(mine)):
        under, there = ".".join(mine[:depth]) + ".", ".".join(others[:depth + len(others) - len(mine)]) + "."
        keys = {other.key for other in row.table if other.key.startswith(under)}
        told = {other.key for other in row.told.table if other.key.startswith(there)}
        if len(keys) > 2 and keys <= {other.key for other in rows} and {under + key.removeprefix(there) for key in told} == keys:
            return under
    return ""


def place_of(row):
    if row.told.anchor != row.anchor:
        return f"[{row.told.title}](#{row.told.anchor})"
    mine, others = row.key.split("."), row.told.key.split(".")
    if row.parent == row.told.parent:
        return f"as `{row.told.key}`"
    return f"as of `{others[0] if mine[0] != others[0] else row.told.parent}`"


def lines_of(rows):
    own, told = {}, {}
    for row in rows:
        if row.told is row:
            alone = row.option or row.meaning
            own.setdefault(row.key if alone else (row.parent, row.values, row.otherwise), []).append(row)
        else:
            told.setdefault((place_of(row), "" if row.otherwise == row.told.otherwise else row.otherwise), []).append(row)
    for alike in own.values():
        row = alike[0]
        option = f", {row.option}" if row.option else ""
        meaning = re.sub(r"; (?=`[^`]+`: )", "<br> ", row.meaning) if row.values == ONE_OF else row.meaning  # a choice a line
        yield f"{names(alike) if len(alike) > 1 else f'`{row.key}`' + option} | {row.values}{f' ({row.otherwise})' if row.otherwise else ''} | {meaning}".strip() + "\n"
    for (place, other), alike in told.items():
        yield f"{names(alike)} | {place}{f' ({other})' if other else ''} |\n"


def updated(build, document):
    tables, whole = [], {}
    for found in MARKED.finditer(document):
        command = f"{found[2]} {found[3]}"
        if command not in whole:
            whole[command] = rows_of(build, found[2], found[3].split())
        tables.append((found, command, (found[4] or "").split()))
    for found, command, sections in tables:
        named = {section for _, other, others in tables if other == command for section in others}
        heading = re.findall(r"^#+ (.*)$", document[:found.start()], re.MULTILINE)[-1]
        for row in whole[command]:
            top = re.split(r"[.\[]", row.key)[0]
            if top in sections if sections else top not in named:
                row.title, row.anchor = heading, re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    told = {}
    for command in sorted(whole, key=lambda command: next((k for k, first in enumerate(FIRST) if command.endswith(first)), len(FIRST))):
        tell(command, whole[command], told)

    def table(found):
        command, sections = f"{found[2]} {found[3]}", (found[4] or "").split()
        named = {section for _, other, others in tables if other == command for section in others}
        rows = [row for row in whole[command] if (re.split(r"[.\[]", row.key)[0] in sections if sections
                                                  else re.split(r"[.\[]", row.key)[0] not in named)]
        return found[1] + HEAD + "".join(lines_of(rows)) + found[5]

    return MARKED.sub(table, document)


def main():
    build, path = Path(sys.argv[1]), Path(sys.argv[2])
    before = path.read_text(encoding="utf-8")
    after = updated(build, before)
    if after != before:
        path.write_text(after, encoding="utf-8")
        print(f"{path}: brought up to date")


if __name__ == "__main__":
    main()
