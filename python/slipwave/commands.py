"""The commands of `slipwave` as calls: a job is a mapping or a file, results are in memory. The keys come from the library's own
tables, so there is a call for each command, and a keyword for each key, that it has."""

import functools
import json
import os
import re
import threading
from ctypes import byref, c_char_p, c_void_p, cast, create_string_buffer
from difflib import get_close_matches

import numpy as np

from .errors import ArgumentError, Error
from .library import WATCHER, CallInputs, File, Resource, call, library, path_bytes, text_bytes
from .material import Material, as_text
from .run import Run

JOB = "job"  # what messages call the file of a mapping


# ---- What there is ----


@functools.lru_cache(maxsize=None)
def commands():
    """{name in Python: the command's name}: "kwn_map": "kwn map"."""
    names, found = [], library().sw_command_name(0)
    while found is not None:
        names.append(found.decode())
        found = library().sw_command_name(len(names))
    return {name.replace(" ", "_"): name for name in names}


@functools.lru_cache(maxsize=None)
def table(command):
    """What a command is and the table of its keys, a dict: its `keys` are dicts of name, option, type, unit, bound (in words),
    least, most, words, needed, standard, help, and of a mapping, or a list of them, keys. `files`: likewise, of further files that
    it reads."""
    if command not in commands():
        near = get_close_matches(str(command), commands(), 1)
        raise ArgumentError(f"command = {command!r}: " +
                            (f"did you mean {near[0]!r}?" if near else f"need one of {', '.join(commands())}"))
    name = commands()[command].encode()
    size = library().sw_command_keys(name, 0, None)
    text = create_string_buffer(size)
    library().sw_command_keys(name, size, text)
    return json.loads(text.value)


def rows(keys, prefix=""):
    """(path, row) of all rows of a table: "output.file", "loading[].duration"; of an option that is no key "--resume"."""
    for row in keys:
        path = prefix + row["name"] if "name" in row else "--" + row["option"]
        yield path, row
        yield from rows(row.get("keys", ()), path + ("[]." if row["type"] == "list" else "."))


# ---- A job as the library takes it ----


class _Files:
    """Those that a call reads in memory: names and what is in them."""

    def __init__(self, given):
        self.content = {}
        for name, value in (given or {}).items():
            self.add(os.fsdecode(path_bytes(name)), value)

    def add(self, name, value):
        if isinstance(value, Material):
            value = value.values
        if isinstance(value, dict):
            value = as_text(value, name)
        if isinstance(value, str):
            value = value.encode(errors="surrogateescape")
        try:
            self.content[name] = np.frombuffer(value, np.uint8)  # no copy
        except (BufferError, TypeError, ValueError):
            raise ArgumentError(f"files[{name!r}]: {type(value).__name__}: need a mapping, a text, bytes or a Material") from None

    def pointer(self):
        """A File [n], and what it borrows from."""
        names = [os.fsencode(name) for name in self.content]
        return (File * max(len(names), 1))(*(File(name, bytes_.ctypes.data, bytes_.size)
                                             for name, bytes_ in zip(names, self.content.values())))


def _with_materials(value, path, files):
    """The job with names of files in the place of Materials."""
    if isinstance(value, Material):
        name = f"{path}.yaml"
        files.add(name, value)
        return name
    if isinstance(value, dict):
        return {key: _with_materials(one, f"{path}.{key}" if path else str(key), files) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_with_materials(one, f"{path}[{i}]", files) for i, one in enumerate(value)]
    return value


def _with_outputs(job, keys, command):
    """The job with a name for each file that the program cannot do without, and a call can."""
    for row in keys:
        if row["type"] == "section" and any(one["type"] == "output" and one.get("needed") for one in row["keys"]):
            inner = job.get(row["name"], {})
            if isinstance(inner, dict):
                job = {**job, row["name"]: _with_outputs(inner, row["keys"], command)}
        elif row["type"] == "output" and row.get("needed") and "name" in row:
            job = {row["name"]: f"{command}.h5", **job}
    return job


def _spell(value):
    """A value of an option as the command line has it."""
    if value is True:
        return "yes"
    if value is False:
        return "no"
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(_spell(one) for one in value)
    return repr(float(value)) if isinstance(value, np.floating) else str(value)


@functools.lru_cache(maxsize=None)
def _keywords(command):
    """Keys of the top of its job, and the rows of its options by their names in Python."""
    about = table(command)
    return ([row["name"] for row in about["keys"] if "name" in row] if about.get("with_file") else [],
            {row["option"].replace("-", "_"): row for _, row in rows(about["keys"]) if "option" in row})


def _sort_keywords(command, keywords, is_mapping):
    """(keys of the top of the job, [(option, value)]) of keyword arguments. ArgumentError for what is neither."""
    top, options = _keywords(command)
    keys, given = {}, []
    for name, value in keywords.items():
        if value is None:
            continue
        if name in top and (is_mapping or name not in options):
            if not is_mapping:
                raise ArgumentError(f"{name}: a key beside a job file: need an option, one of {', '.join(options)}")
            keys[name] = value
        elif name in options:
            row = options[name]
            if row["type"] == "yes" and "name" not in row:  # it has no value
                given += [(row["option"], "")] if value else []
            elif row["type"] == "list" and row["entry"] in ("text", "path") and isinstance(value, (list, tuple)):
                given += [(row["option"], _spell(one)) for one in value]
            else:
                given.append((row["option"], _spell(value)))
        else:
            every = dict.fromkeys([*top, *options])
            near = get_close_matches(name, every, 1)
            raise ArgumentError(f"{name}: unknown keyword: " +
                                (f"did you mean {near[0]!r}?" if near else f"need one of {', '.join(every)}"))
    return keys, given


# ---- A call ----

_turn = threading.Lock()  # one call at a time in a process
_here = threading.local()  # watching: this thread is within a caller's function


def _renew_turn():
    global _turn
    _turn = threading.Lock()


os.register_at_fork(after_in_child=_renew_turn)


class _Watch:
    """The caller's function as the library's watcher; what it raises is kept, and stops the run."""

    def __init__(self, function):
        self.function, self.error, self.asked = function, None, False
        self.watcher = WATCHER(self.look) if function is not None else WATCHER()

    def look(self, _, task, unit, done, total):
        if self.error is not None:
            return 1
        _here.watching = True
        try:
            going = self.function(task.decode(), done, total or None, unit.decode())
            self.asked = isinstance(going, (bool, np.bool_)) and not going
            return self.asked
        except BaseException as error:
            self.error = error
            return 1
        finally:
            _here.watching = False


def _run(command, path, options, files, progress):
    texts = [text_bytes(part, "options") for pair in options for part in pair]
    option = (c_char_p * max(len(texts), 1))(*texts)
    pointer = files.pointer()
    watch = _Watch(progress)
    inputs = CallInputs(command.encode(), path, len(options), cast(option, c_void_p), len(files.content), cast(pointer, c_void_p),
                        threading.current_thread() is threading.main_thread())
    resource = Resource(library().sw_call_close)
    library().sw_watch(watch.watcher, None)
    try:
        call("sw_call_command", byref(inputs), byref(resource.pointer))
    except Error as error:
        if watch.error is None and error.code == "SW_ERR_INTERRUPTED" and not watch.asked:
            raise KeyboardInterrupt from None  # which came while a function of Python's was called from within
        if watch.error is None:
            raise
    finally:
        library().sw_watch(WATCHER(), None)
    if watch.error is not None:
        raise watch.error
    return Run(command, resource)


def _blame(error, command, is_mapping):
    """The key of an option that a message names, by the table; and no line of a text that nobody wrote."""
    every = dict(rows(table(command)["keys"]))
    if error.option is not None:
        error.key = next((path for path, row in every.items() if row.get("option") == error.option), None)
    elif error.key is not None and not str(error).endswith("?"):  # a word before "is" may be no key
        known = {*every, *(path for file in table(command)["files"] for path, _ in rows(file["keys"]))}
        if re.sub(r"\[\d+\]", "[]", error.key) not in {*known, *(path.replace("[]", "") for path in known)}:
            error.key = error.value = None
    if is_mapping and error.file is not None and os.path.basename(error.file) == JOB:
        error.file = error.line = None


def run(command, job=None, *, folder=None, files=None, progress=None, **keys):
    """Run a command of `slipwave` in memory; returns a Run.

    command: "fem", "dem", "forming", "kwn", "kwn_map", "taylor", "point", "vpsc", ...: slipwave.fem(...) is
    slipwave.run("fem", ...).

    job: a mapping of the keys of its job file (docs/file-formats.md) in SI units, arrays where lists stand, NaN for x; or the
    path of such a file; of "vpsc" and "export" always a path. A Material may stand where the name of its file does. keys: those
    of the top of a mapping, in its place or beside it, and the options of the command line: slipwave.fem("job.yaml",
    solver="...", threads=2); None is none.

    folder: where the files that a mapping names are, the working folder unless told. files: {name: mapping, text, bytes or
    Material} of files that are read in place of the disk's. What would be written stays in memory, under its name: Run.save
    writes it.

    progress: a function of (task, done, total or None, unit), called at every step, of dem a few times a second; False stops the
    run, and what it raises comes through. Ctrl-C stops it, too. Warnings come as Notice, notes go to the logger "slipwave".

    Error carries .key, .value, .bound, .option, .file and .line, where the message has them. One run at a time: other threads
    wait. Python's lock is released. A process that was forked off may run, and computes on one thread.
    """
    about, is_mapping = table(command), job is None or isinstance(job, dict)
    if progress is not None and not callable(progress):
        raise ArgumentError(f"progress: {type(progress).__name__}: need a function")
    if is_mapping and not about.get("with_file"):
        raise ArgumentError(f"job: {type(job).__name__}: need the path of an {about['kind']}" if job is not None else
                            f"job: need the path of its {about['kind']}")
    memory = _Files(files)
    top, options = _sort_keywords(command, keys, is_mapping)
    if is_mapping:
        full = _with_materials({**(job or {}), **top}, "", memory)
        path = os.path.join(os.fsdecode(path_bytes(folder)), JOB) if folder is not None else JOB
        memory.add(path, as_text(_with_outputs(full, about["keys"], command), "job"))
    else:
        if folder is not None:
            raise ArgumentError("folder: goes with a mapping: the files of a job file are beside it")
        path = job
    if getattr(_here, "watching", False):
        raise Error("a run within another one's progress: one at a time in a process", "SW_ERR_UNAVAILABLE")
    try:
        with _turn:
            return _run(about["name"], path_bytes(path), options, memory, progress)
    except Error as error:
        _blame(error, command, is_mapping)
        raise


def function_of(command):
    """slipwave.fem of "fem": run() of that command, which says its keys."""
    about = table(command)

    def ran(job=None, *, folder=None, files=None, progress=None, **keys):
        return run(command, job, folder=folder, files=files, progress=progress, **keys)

    ran.__name__ = ran.__qualname__ = command
    ran.__module__ = "slipwave"
    ran.__doc__ = describe(command)
    ran.keys = dict(rows(about["keys"]))
    return ran


INSTEAD = {"taylor": "slipwave.Taylor takes the same jobs step by step, with crystals as arrays."}


def describe(command):
    """What slipwave.COMMAND is, with its keys: help(slipwave.fem)."""
    about = table(command)
    lines = [f"`slipwave {about['name']}` in memory: {about['summary']}; returns a Run.", "", about["about"], "",
             "Arguments and errors are slipwave.run's. " + INSTEAD.get(command, ""), "",
             "Keys:" if about.get("with_file") else "Options:"]
    for path, row in rows(about["keys"]):
        if row["type"] == "section":
            continue
        said = [part for part in (row.get("bound"), "needed" if row.get("needed") else row.get("otherwise") and
                                  f"otherwise {row['otherwise']}", row.get("help")) if part]
        lines.append(f"    {path}: {'; '.join(said)}")
    return "\n".join(lines)
