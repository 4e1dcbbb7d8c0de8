#!/usr/bin/env python3
"""Bring tables of keys in a document up to date: update_key_tables.py BUILD DOCUMENT.md

What stands between <!-- keys: PROGRAM COMMAND [FILE] --> and <!-- end of keys --> becomes what
`BUILD/PROGRAM help COMMAND [FILE] keys` prints. tests/programs/test_command_lines.c compares them.
"""

import re
import subprocess
import sys
from pathlib import Path

MARKED = re.compile(r"(<!-- keys: (\S+) ([a-z0-9 ]+) -->\n).*?(<!-- end of keys -->)", re.DOTALL)


def main():
    build, document = Path(sys.argv[1]), Path(sys.argv[2])

    def table(match):
        program, words = match[2], match[3].split()
        command = [build / program, "help", *words, "keys"]
        keys = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return match[1] + keys + match[4]

    before = document.read_text()
    after = MARKED.sub(table, before)
    if after != before:
        document.write_text(after)
        print(f"{document}: brought up to date")


if __name__ == "__main__":
    main()
