"""What goes wrong, and what the library has to say beside that."""

import re
from pathlib import Path

# "psc.yaml:3: strain_increment = 0: need 0 < strain_increment <= 0.1", "psc.yaml: crystals.count is missing: need ...", "--terms =
# 0: need terms >= 1", "psc.yaml:1: unknown key 'solvr': did you mean 'solver'?"; common/job/job.h
KEY = r"[A-Za-z_]\w*(?:\[\d+\]|\.\w+)*"
PLACE = re.compile(rf"""
    (?:(?P<file>[^\n]+?):(?:(?P<line>\d+):)?[ ])??
    (?:unknown[ ]key[ ]'(?P<unknown>[^']*)' | --(?P<option>[\w-]+) | (?P<key>{KEY})(?=[ ](?:=|is|has|beside)[ ]))
    (?:[ ]=[ ](?P<value>.*?)(?=:[ ]|$))?
    (?:.*?\bneed[ ](?P<bound>.*)|.*)$""", re.VERBOSE | re.DOTALL)
TEXT_LONGEST = 64 << 20  # bytes, as of the programs' readers


class Error(Exception):
    """A complaint of the library or about arguments, one sentence: it names file, line, key, value and bound.

    code: the name of its status in slipwave/status.h, as "SW_ERR_INPUT". Of a key of a job or another file, else None: key (its
    path, "loading[0].duration"), value (as text), bound (what it needs, in words), file, line; option (of the command line).
    """

    def __init__(self, message, code="SW_ERR_RANGE"):
        super().__init__(message)
        self.code = code
        found = PLACE.match(message)
        place = found.groupdict() if found else {}
        self.file, self.line = place.get("file"), int(place["line"]) if place.get("line") else None
        self.key, self.option = place.get("unknown") or place.get("key"), place.get("option")
        self.value, self.bound = place.get("value"), place.get("bound")


class ArgumentError(Error, ValueError):
    """An argument of a type, shape or value that a function here, or the library, does not take: its name, what it is and
    what is needed. code: "SW_ERR_RANGE"."""


class InputError(Error, ValueError):
    """A file, a mapping of keys, or what is to be drawn, that cannot be used. code: "SW_ERR_INPUT", or "SW_ERR_FORMAT" of a data
    file that is of another kind, or damaged."""

    def __init__(self, message, code="SW_ERR_INPUT"):
        super().__init__(message, code)


class Notice(UserWarning):
    """A warning of the library: an input that may not mean what it says. Notes go to the logger "slipwave"."""


def check_plain(path, most=None):
    """InputError for a pipe or a device, which may never end, and for a file of more than `most` bytes."""
    path = Path(path)
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise InputError(f"{path}: a pipe or a device, which may never end: need a plain file")
    if most is not None and path.is_file() and path.stat().st_size > most:
        raise InputError(f"{path}: more than {most} bytes: not a text that people write")
