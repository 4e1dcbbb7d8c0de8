"""Measured curves from texts of columns. docs/file-formats.md, section Measured curves, states the grammar; the programs read
the same one (online/forming/fit/curve_file.c), and both are held to tests/curves/examples.txt."""

import math
import re
from collections import namedtuple

import numpy as np

from .errors import TEXT_LONGEST, InputError, check_plain

STRAIN, STRESS, OTHER = "strain", "stress", "other"
Unit = namedtuple("Unit", "text factor kind bracketed", defaults=(False,))
PSI = 6894.757293168  # Pa
# Forces, lengths and the like are known so that they are not taken for strains and stresses.
UNITS = [Unit("%", 0.01, STRAIN), Unit("percent", 0.01, STRAIN), Unit("pct", 0.01, STRAIN), Unit("mm/mm", 1, STRAIN),
         Unit("m/m", 1, STRAIN), Unit("in/in", 1, STRAIN), Unit("microstrain", 1e-6, STRAIN), Unit("1", 1, STRAIN, True),
         Unit("-", 1, STRAIN, True), Unit("Pa", 1, STRESS), Unit("kPa", 1e3, STRESS), Unit("MPa", 1e6, STRESS),
         Unit("GPa", 1e9, STRESS), Unit("N/mm2", 1e6, STRESS), Unit("N/mm^2", 1e6, STRESS), Unit("N/mm\u00b2", 1e6, STRESS),
         Unit("psi", PSI, STRESS), Unit("ksi", 1e3 * PSI, STRESS), Unit("N", 1, OTHER), Unit("kN", 1e3, OTHER),
         Unit("lbf", 4.4482216152605, OTHER), Unit("mm", 1e-3, OTHER), Unit("m", 1, OTHER, True), Unit("in", 0.0254, OTHER, True),
         Unit("s", 1, OTHER), Unit("min", 60, OTHER), Unit("h", 3600, OTHER)]
TRUE, ENGINEERING = {"true", "logarithmic", "log", "cauchy"}, {"engineering", "eng", "nominal", "technical"}
WORDS = 64  # of a row, at most
BLANKS = " \t\r"
REAL = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
OFF = 100  # a curve that is so many times what is computed is in another unit


# ---- Names ----


def _find(text, bracketed):
    return next((unit for unit in UNITS if unit.text.lower() == text.lower() and (bracketed or not unit.bracketed)), None)


def _brackets(name):
    """What stands in the last brackets of a name that ends in them, and where they open."""
    at = name.rfind({")": "(", "]": "["}.get(name[-1:], "\0"))
    return (name[at + 1:-1], at) if at >= 0 else (None, -1)


def find_unit(text):
    """A Unit by its text, in brackets or not; None: it is none."""
    inside, at = _brackets(text)
    return _find(inside if at == 0 else text, True)


def unit_of_name(name):
    """The Unit of "stress (MPa)", "stress [MPa]", "stress_MPa", "stress/MPa", "stress in MPa", "MPa"; None: it says none."""
    inside, at = _brackets(name)
    if at >= 0:
        return _find(inside, True)
    ends = [name] + [name[i + 1:] for i, c in enumerate(name) if c in " _/"]
    return next(filter(None, (_find(end, False) for end in ends)), None)


def base_of_name(name):
    """A name without its unit: "stress_11" of "stress_11_Pa" and of "stress_11 (kPa)"."""
    if unit_of_name(name) is None:
        return name
    _, at = _brackets(name)
    if at >= 0:
        return name[:at].strip(BLANKS)
    starts = (i for i, c in enumerate(name) if c in " _/" and _find(name[i + 1:], False))
    return name[:next(starts, 0)]


def measure_of_name(name):
    """True: engineering, False: true; None: the name does not say."""
    words = set(re.findall("[a-z]+", name.lower()))
    return True if words & ENGINEERING else False if words & TRUE else None


# ---- Words ----


def _bare(line):
    return line.split("#", 1)[0].strip(BLANKS)


def _cut(separator, line):
    words = []
    while line:
        if line[0] == '"' and '"' in line[1:]:
            word, _, line = line[1:].partition('"')
            _, parted, line = _part(separator, line)
        else:
            word, parted, line = _part(separator, line)
        words.append(word.strip(BLANKS))
        line = line.lstrip(BLANKS if separator == " " else " \r") if parted else ""
    return words


def _part(separator, line):
    at = min((line.find(c) for c in (" \t" if separator == " " else separator) if c in line), default=-1)
    return (line, "", "") if at < 0 else (line[:at], line[at], line[at + 1:])


def _parse(separator, text):
    """A number, and its decimal mark or "". ValueError says what is needed."""
    mark = "," if "," in text and separator != "," else "." if "." in text else ""
    if mark == ",":
        if len(text) >= 64 or not re.fullmatch(r"[^,.]*[0-9],[0-9][^,.]*", text):
            raise ValueError("a number with one decimal mark and nothing between thousands")
        text = text.replace(",", ".")
    if not REAL.fullmatch(text):
        raise ValueError("a number")
    if not math.isfinite(float(text)):
        raise ValueError("a finite number")
    return float(text), mark


def _is_number(separator, word):
    try:
        _parse(separator, word)
        return True
    except ValueError:
        return False


# ---- The separator ----


def _commas_are_decimal(lines):
    """Whether blanks part numbers, and commas are decimal marks in them: "0,05 81,5"."""
    rows = [line for line in lines if line[:1] and line[0] in "+-.0123456789"]
    return (bool(rows) and not any("," in line for line in lines if line not in rows) and
            all(2 <= len(words) <= WORDS and all(_is_number(" ", word) for word in words)
                for words in (_cut(" ", row) for row in rows)))


def _separator(lines):
    for separator in ";\t":
        if any(separator in line for line in lines):
            return separator
    return "," if any("," in line for line in lines) and not _commas_are_decimal(lines) else " "


# ---- Tables ----


class Table:
    """Columns of a text. names: of the first line, [] without it; rows: [(line, words)]; units: Unit or None of each column.

    InputError names file and line.
    """

    def __init__(self, path, pairs=True):
        self.path, self.names, self.units, self.rows, self.mark = str(path), [], [], [], ""
        lines = [_bare(line) for line in _text(path).split("\n")]
        self.separator = _separator(lines)
        for number, line in enumerate(lines, 1):
            words = _cut(self.separator, line)
            if len(words) > WORDS:
                raise InputError(f"{self.path}:{number}: more than {WORDS} columns")
            if words:
                self._take(number, words)
        if not self.rows:
            raise InputError(f"{self.path}: no rows: need strains and stresses")
        if pairs:
            self._check_pairs(lines)

    def _take(self, line, words):
        row = any(_is_number(self.separator, word) for word in words)
        if not self.names and not self.rows:
            self.width, self.first, self.unit_line = len(words), line, 0
            if not row:
                self.names, self.units = words, [unit_of_name(word) for word in words]
                self.said = [(word, line) for word in words]
                return
            self.units = [None] * len(words)
        elif self.names and not self.rows and not row and not self.unit_line:
            self._take_units(line, words)
            return
        if len(words) > self.width or (not self.names and len(words) < self.width):
            hint = ": decimal commas? need points, or semicolons between columns" if self.separator == "," else ""
            of = "the line of names" if self.names else "the first row"
            raise InputError(f"{self.path}:{line}: {len(words)} columns, {of} has {self.width}{hint}")
        self.rows.append((line, words + [""] * (self.width - len(words))))

    def _take_units(self, line, words):
        for word in words:
            if word and find_unit(word) is None:
                raise InputError(f"{self.path}:{line}: '{word[:40]}': need a row of numbers, or of units, after the names")
        self.unit_line = line
        self.said = [(word, line) if word else said for word, said in zip(words + [""] * self.width, self.said)]
        self.units = [find_unit(word) if word else unit for word, unit in zip(words + [""] * self.width, self.units)]

    def _check_pairs(self, lines):
        """Without names "0,05,81,5" has as many columns in every row as four whole numbers: nothing tells which it is."""
        if (self.separator == "," and not self.names and self.width >= 4 and self.width % 2 == 0 and
                not any("." in line for line in lines)):
            raise InputError(f"{self.path}:{self.first}: {self.width} columns of whole numbers: decimal commas? need points, or "
                             "semicolons between columns")

    def column(self, wanted, quantity):
        """The place of a column by its name, or its number from 1 on."""
        number = int(wanted) if re.fullmatch("0|-?[1-9][0-9]*", str(wanted)) else None
        if number is not None and not 1 <= number <= self.width:
            raise InputError(f"{self.path}:{self.first}: {self.width} columns: need a column {number}, of {quantity}")
        if number is None and wanted not in self.names:
            raise InputError(f"{self.path}:{self.first}: no column '{wanted}': need it in the first line, or a number from 1 on")
        return self.names.index(wanted) if number is None else number - 1

    def unit(self, k, quantity, default=None):
        """The Unit of column k, or default; a force is no stress, and a stress no strain."""
        unit = self.units[k]
        if unit is not None and unit.kind != quantity:
            word, line = self.said[k]
            raise InputError(f"{self.path}:{line}: column {k + 1}, '{word}', is in {unit.text}: need a {quantity}")
        return unit or default

    def measure(self, k):
        return measure_of_name(self.names[k]) if self.names else None

    def number(self, line, k, text, quantity):
        try:
            value, mark = _parse(self.separator, text)
        except ValueError as need:
            raise InputError(f"{self.path}:{line}: column {k + 1} = '{text[:40]}': need {need}, of {quantity}") from None
        if mark and self.mark and mark != self.mark:
            raise InputError(f"{self.path}:{line}: column {k + 1} = '{text[:40]}': decimal points and commas: need one of them")
        self.mark = mark or self.mark
        return value

    def numbers(self, k, quantity, empty=False):
        """Of column k, [n]; where it may be empty, NaN there."""
        return np.array([np.nan if empty and not words[k] else self.number(line, k, words[k], quantity)
                         for line, words in self.rows])

    def si(self, name, quantity=None, empty=False):
        """Of the column of a name, with a unit after it or without, in SI units (without one: as they are), [n]."""
        found = [k for k, one in enumerate(self.names) if name in (one, base_of_name(one))]
        if not found:
            raise InputError(f"{self.path}: need a column '{name}' of numbers, has {', '.join(self.names) or 'no names'}")
        k = found[0]
        unit = self.unit(k, quantity) if quantity else self.units[k]
        return self.numbers(k, quantity or name, empty) * (unit.factor if unit else 1)

    def place(self, row):
        """Of a row from 0 on: "curve.csv:7"."""
        return f"{self.path}:{self.rows[row][0]}"


def _text(path):
    check_plain(path, TEXT_LONGEST)
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    if b"\0" in data:
        raise InputError(f"{path}:{data[:data.index(0)].count(10) + 1}: a NUL byte: need a text in UTF-8")
    return data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")


Measured = namedtuple("Measured", "strain stress strain_unit stress_unit engineering lines")
Measured.__doc__ = """A curve as its file has it: strain, stress [n]; Units, None: not said; engineering: None, True or False of
both; lines [n] of the file."""


def read_curve(path, columns=None):
    """A Measured curve; columns: names or numbers, from 1 on, of strain and stress; None: the first two."""
    table = Table(path, pairs=columns is None)
    places = [table.column(wanted, what) for wanted, what in zip(columns or (1, 2), (STRAIN, STRESS))]
    units = [table.unit(k, what) for k, what in zip(places, (STRAIN, STRESS))]
    found = [[table.number(line, k, words[k], what) for k, what in zip(places, (STRAIN, STRESS))]
             for line, words in table.rows]
    return Measured(*np.array(found).T, *units, tuple(table.measure(k) for k in places), [line for line, _ in table.rows])


# ---- Against what is computed ----


def likely_unit(number, expected):
    """The Unit of stress in which a number is nearest to what is expected (Pa), over ratios."""
    return min((unit for unit in UNITS if unit.kind == STRESS),
               key=lambda unit: abs(math.log(abs(number) * unit.factor / expected)))


def check_strain(table, values, computed):
    """values [n] of a table's rows, of which nothing says that they are percent: InputError where they must be."""
    known = np.abs(np.nan_to_num(values))
    row, largest = int(np.argmax(known)), float(np.max(known))
    expected = float(np.nanmax(np.abs(computed), initial=0))
    if largest > max(1, 20 * expected):
        unit = "percent" if largest < 1e4 * expected else "microstrain"
        raise InputError(f"{table.place(row)}: strain = {largest:g}: computed are up to {expected:.4g}: is it in {unit}? need a "
                         f"unit in the column's name, strain_{unit} or strain (1)")


def check_stress(table, values, unit, computed):
    """values [n]: of a table's rows, in a unit. InputError where they are far from what is computed (Pa): names the row of the
    largest and the unit that is suspected."""
    known = np.abs(np.nan_to_num(values))
    row, largest = int(np.argmax(known)), float(np.max(known))
    expected = float(np.nanmax(np.abs(computed), initial=0))
    if not (largest > 0 and expected > 0) or 1 / OFF <= largest * unit.factor / expected <= OFF:
        return
    raise InputError(f"{table.place(row)}: stress = {largest:g} {unit.text}: computed are up to {expected / unit.factor:.4g} "
                     f"{unit.text}: is it in {likely_unit(largest, expected).text}?")
