"""slipwave-plot: pictures of what slipwave writes."""

import importlib
import signal
import sys
from pathlib import Path

from . import KINDS
from .common import InputError, Parser, files_of, make_folder, run, save
from .contents import FORMATS, contents_of, pictures

NAME = "slipwave-plot"


def usage():
    rows = "\n".join(f"  {kind:15}{draws}" for kind, (_, draws) in KINDS.items())
    return (f"usage: {NAME} FILE... [-o FIGURE|FOLDER] [--show NAME...] [--list]\n       {NAME} KIND FILE... -o FIGURE\n\n"
            "Pictures of what slipwave writes. Without a KIND what is in the files says which: all of them, FILE-NAME.png in\n"
            "this folder or in FOLDER; with -o FIGURE the first, or the one that --show names. KIND, which has options of its own:\n\n"
            f"{rows}\n\nFIGURE: .png, .svg or .pdf; without a suffix a .png and a .svg; a folder for the bench kinds.\n"
            f"`{NAME} KIND --help` lists the options of a kind.")


def arguments():
    parser = Parser("Pictures of what files hold.")
    parser.add_argument("results", nargs="+", metavar="FILE")
    parser.add_argument("-o", "--output", metavar="FIGURE|FOLDER", help="one picture; a folder: all")
    parser.add_argument("--show", nargs="+", metavar="NAME", help="these pictures (all)")
    parser.add_argument("--list", action="store_true", help="print what the files hold and which pictures there are")
    return parser


def chosen(found, names):
    there = list(dict.fromkeys(picture.name for picture in found))
    for name in names or ():
        if name not in there:
            raise InputError(f"--show {name}: need one of {', '.join(there)}")
    return [picture for picture in found if not names or picture.name in names]


def is_folder(output):
    return output.endswith("/") or Path(output).is_dir()


def main():
    """Of the command without a kind."""
    options = arguments().parse_args()
    found = chosen(pictures(*options.results), options.show)
    if options.list:
        stems = {picture.stem for picture in found}
        for path in options.results:
            print(f"{path}: {FORMATS[contents_of(path)]}")
        for picture in found:
            print(f"  {picture.name:15} {picture.caption}{'' if len(stems) == 1 else f' ({picture.stem})'}")
        return
    if options.output and not is_folder(options.output):
        if options.show and len(found) > 1:
            raise InputError(f"--output {options.output}: {len(found)} pictures: need one file and one name in --show, or a folder")
        files_of(options.output)  # which says what is wrong with it
        save(found[0].draw(), options.output)
        if len(found) > 1:
            several = len({one.stem for one in found}) > 1
            others = ", ".join(f"{one.name} of {one.stem}" if several else one.name for one in found[1:])
            print(f"{options.output}: {found[0].name}{f' of {found[0].stem}' if several else ''}; others by --show: {others}")
        return
    folder = Path(options.output or ".")
    make_folder(folder)
    for picture in found:
        output = folder / f"{picture.stem}-{picture.name}.png"
        save(picture.draw(), output)
        print(f"{output}: {picture.caption}")


def run_command():
    """Of the program."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    kind = sys.argv[1] if len(sys.argv) > 1 else ""
    if kind in ("-h", "--help", "help"):
        print(usage())
    elif kind in KINDS:
        sys.argv[:2] = [f"{NAME} {kind}"]
        run(importlib.import_module(f".{KINDS[kind][0]}", __package__).main)
    elif kind and (kind.startswith("-") or "." in kind or "/" in kind or Path(kind).exists()):
        sys.argv[0] = NAME
        run(main)
    else:
        sys.exit(f"{NAME}: {f'kind {kind!r}' if kind else 'no kind and no file'}: need a file, or one of {', '.join(KINDS)}")
