#!/usr/bin/env python3
"""What is left when a program cannot go on: an allocation that fails, a kill, a full or a failing disk, at any point of a run.

    BUILD=build tests/faults/faults.py [--fault memory|kill|full|disk] [--most N] [--jobs N] [COMMAND ...]

Each trial is a small run in a folder of its own with an older results file in it, disturbed at one point by
failing_malloc.so (LD_PRELOAD) or at_write (ptrace). Then:

  memory  the run ends well, with the results of an undisturbed one, or with status 1, one line on stderr, and the older
          file as it was. What an allocation of a library brings about is counted by library.
  kill    what is under the results' name is the older file or the whole new one; the same command, with --resume where
          something to go on from is left, gives the results of an undisturbed run and leaves nothing else.
  full    as memory, and then as kill, when there is room again.
  disk    a file or folder cannot be brought to the disk (fsync), or a file not be renamed: the run ends with status 1 and one
          line, or, where that is its state, warns and ends well; then as kill.

All points are tried, or, evenly spread, --most of them. Exit status 1 when a trial went otherwise."""
import argparse
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.abspath(os.environ.get('BUILD', os.path.join(ROOT, 'build')))
OLDER = b'an older result\n'
SECONDS = 120  # a run that takes as long hangs: undisturbed ones take less than one

# ---- Small runs of every command ----

TAYLOR = '''database: db.h5
solver: terms
terms: 64
refinement: 4
crystals: {count: 5, texture: random, seed: 3}
initial_slip_resistance: 16.0e6
strain_increment: 0.02
loading: [{velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 100}]
output: {file: out.h5, orientations: [0, last], textures: [last]}
'''
# Long enough to keep what is finished, which happens every 0.1 s.
LONG_TAYLOR = TAYLOR.replace('count: 5', 'count: 60000').replace('solver: terms', 'solver: rigid_plastic').replace(
    'textures: [last]', 'textures: [], checkpoint: 0.1').replace('duration: 100', 'duration: 300')
SWEEP = '''databases: [db.h5]
vary: {terms: [64, 256]}
refinement: 4
reference: {solver: terms, terms: 512, refinement: 4}
crystals: {count: 5, seed: 3}
strain_increment: 0.02
loading: [{velocity_gradient: [[1.0e-3, 0, 0], [0, 0, 0], [0, 0, -1.0e-3]], duration: 100}]
output: {file: out.h5}
'''
FEM = '''mesh: {body: box, cells: [2, 2, 2]}
materials: [{young: 200.0e9, poisson: 0.3, yield_stress: 450.0e6, hardening: {law: linear, modulus: 66.0e9}}]
boundary: [{nodes: x_min, x: 0}, {nodes: y_min, y: 0}, {nodes: z_min, z: 0}]
loads: [{surface: z_max, traction: [0, 0, 600.0e6]}]
steps: [{factor: 1.0, increments: 3}]
device: cpu
solver: {preconditioner: block_jacobi}
output: {file: out.h5, fields: [all], restart: [2]}
'''
KWN = '''alloy: alloy.yaml
device: cpu
size_axis: {classes: 32}
initial_temperature: 803.0
temperature: [{quench_to: 458.0}, {hold: 200.0}]
output: {file: out.h5, times: [100.0], distributions: [100.0]}
'''
MAP = '''alloy: alloy.yaml
kind: ageing
device: cpu
size_axis: {classes: 32}
initial_temperature: 803.0
temperature: {from: 450.0, to: 460.0, count: 2}
time: {from: 10.0, to: 100.0, count: 2}
output: {file: out.h5}
'''
SAND = '''material: {young: 4.3e9, poisson: 0.5, friction: 0.5, density: 2600}
packing: {particles: 60, radii: {distribution: uniform, least: 5.0e-5, largest: 1.25e-4},
          pressure: 200.0e3, friction: 0.1, inertia_number: 0.1, seed: 4}
numerics: {control_interval: 10, servo_gain: 1.0}
loading: [{test: drained_triaxial, strain: 0.005, inertia_number: 1.0e-2}]
device: cpu
execution: {checkpoint: 0.1}
output: {file: out.h5, packings: [txt, vtkhdf]}
'''
LONG_SAND = SAND.replace('strain: 0.005, inertia_number: 1.0e-2', 'strain: 0.1, inertia_number: 2.0e-3').replace('packings: [txt, vtkhdf]', 'packings: [vtkhdf]')
FORMING = '''material: material.yaml
crystals: {count: 130, seed: 3}
r_values: {angles: [0, 45], strain: 0.002}
yield_surface: {sections: [{levels: [0.5], points: 4}], points: points.txt}
output: {file: out.h5}
'''
Run = collections.namedtuple('Run', 'program arguments job results')
ONE = ['-q', '-j', '1']
RUNS = {
    'generate': Run('slipwave-db', ['generate', *ONE, '--grid', '8,8,8,12', '--terms', 'all', '-o', 'out.h5', 'material.yaml'], None, ['out.h5']),
    'validate': Run('slipwave-db', ['validate', *ONE, '--points', '4', 'db.h5'], None, ['db.h5']),
    'certify': Run('slipwave', ['certify', *ONE, '--crystals', '4', 'db.h5'], None, ['db.h5']),
    'taylor': Run('slipwave', ['taylor', *ONE, 'job.yaml'], TAYLOR, ['out.h5']),
    'taylor-long': Run('slipwave', ['taylor', *ONE, 'job.yaml'], LONG_TAYLOR, ['out.h5']),
    'sweep': Run('slipwave', ['sweep', *ONE, 'job.yaml'], SWEEP, ['out.h5']),
    'fem': Run('slipwave', ['fem', *ONE, 'job.yaml'], FEM, ['out.h5', 'out-0001.vtkhdf', 'out-0003.vtkhdf', 'out-0002.restart.h5']),
    'kwn': Run('slipwave', ['kwn', *ONE, 'job.yaml'], KWN, ['out.h5']),
    'kwn-points': Run('slipwave', ['kwn', *ONE, '--points', '600', 'job.yaml'], KWN, ['out.h5']),
    'kwn-map': Run('slipwave', ['kwn', 'map', *ONE, 'job.yaml'], MAP, ['out.h5']),
    'forming': Run('slipwave', ['forming', *ONE, 'job.yaml'], FORMING, ['out.h5']),
    'dem': Run('slipwave', ['dem', *ONE, 'job.yaml'], SAND, ['out.h5', 'out-0000.vtkhdf']),
    'dem-long': Run('slipwave', ['dem', *ONE, 'job.yaml'], LONG_SAND, ['out.h5', 'out-0000.vtkhdf']),
}
# They crash, abort or exit when they find no memory, which nobody else can mend: docs/reliability.md. HDF5 under the name
# of each of its flavours (libhdf5_serial, libhdf5_openmpi).
THAT_END_PROGRAMS = {'libhdf5', 'libfftw3f', 'libgomp'}
# Times, and what a machine is called, differ from run to run.
VARYING = ('/seconds', '/set_up', '/generation', 'wall_time', 'run/blocks', 'run/digests', 'sweep/device')


def make_folder(run, inputs):
    folder = tempfile.mkdtemp(prefix='slipwave-fault-')
    for name in os.listdir(inputs):
        shutil.copy(os.path.join(inputs, name), folder)
    if run.job is not None:
        with open(os.path.join(folder, 'job.yaml'), 'w') as file:
            file.write(run.job)
    return folder


def put_older(run, folder):
    """An older file under the results' name; one that a command changes is there anyway."""
    path = os.path.join(folder, run.results[0])
    if not os.path.exists(path):
        with open(path, 'wb') as file:
            file.write(OLDER)
    with open(path, 'rb') as file:
        return file.read()


def call(run, folder, before=(), more=(), **settings):
    environment = {**os.environ, 'OMP_NUM_THREADS': '1', **settings}
    command = [*before, os.path.join(BUILD, run.program), *run.arguments, *more]
    try:
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 'hangs', b'', b'')


def read_sets(path):
    sets = {}

    def keep(name, item):
        if isinstance(item, h5py.Dataset) and not any(part in '/' + name for part in VARYING):
            sets[name] = item[()]
    with h5py.File(path, 'r') as file:
        file.visititems(keep)
    return sets


def verified(path):
    return subprocess.run([os.path.join(BUILD, 'slipwave-db'), 'inspect', '--verify', path], capture_output=True).returncode == 0


def difference(run, folder, expected):
    """None, or what of the results is not that of an undisturbed run."""
    for name in run.results:
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            return name + ' is missing'
        if not verified(path):
            return name + ' is damaged'
        found = read_sets(path)
        for key, data in expected[name].items():
            if key not in found or not numpy.array_equal(found[key], data, equal_nan=data.dtype.kind == 'f'):
                return '%s: %s differs' % (name, key)
    return None


def leftovers(folder, whole):
    return sorted(name for name in os.listdir(folder) if name not in whole)


# ---- Trials ----

class Subject:
    """A command, its undisturbed results, and the number of points at which it can be disturbed."""

    def __init__(self, name, inputs):
        self.name, self.run, self.inputs = name, RUNS[name], inputs
        folder = make_folder(self.run, inputs)
        put_older(self.run, folder)
        report = folder + '.report'
        done = call(self.run, folder, LD_PRELOAD=failing_malloc(), SW_FAULT_REPORT=report)
        if done.returncode != 0 or said(done):
            raise SystemExit('%s: status %s, %r' % (name, done.returncode, done.stderr))
        with open(report) as file:
            self.allocations = int(file.read().split()[-1])
        os.unlink(report)
        self.expected = {result: read_sets(os.path.join(folder, result)) for result in self.run.results}
        self.whole = set(os.listdir(folder))
        counted = call(self.run, folder, before=[at_write(), 'count', '0'])
        self.changes, self.settled = map(int, counted.stdout.split()[-2:]) if counted.returncode == 0 else (0, 0)
        shutil.rmtree(folder)

    def points(self, fault):
        return {'memory': self.allocations, 'disk': self.settled}.get(fault, self.changes)


def failing_malloc():
    return os.path.join(BUILD, 'tests/faults/failing_malloc.so')


def at_write():
    return os.path.join(BUILD, 'tests/faults/at_write')


def said(done):
    """Lines on stderr but warnings."""
    lines = done.stderr.decode(errors='replace').splitlines()
    return [line for line in lines if not line.startswith(('slipwave: warning: ', 'slipwave-db: warning: '))]


def is_told(done, by_library=False):
    """Status 1, and one line that begins with the program's name. A library may end the program, after lines of its own."""
    lines = said(done)
    if by_library and lines and ' as may happen when memory runs out; ' in lines[-1]:
        return lines[-1].startswith('slipwave')
    return done.returncode == 1 and len(lines) == 1 and lines[0].startswith('slipwave')


def older_or_new(subject, folder, older):
    """None, or what is wrong with what has the results' name."""
    path = os.path.join(folder, subject.run.results[0])
    if not os.path.exists(path):
        return subject.run.results[0] + ' is gone'
    with open(path, 'rb') as file:
        if file.read() == older:
            return None
    return None if verified(path) else subject.run.results[0] + ' is neither the older file nor a whole one'


def after_failure(subject, folder, done, older, whose=None):
    """Of a run that had to end, or could go on."""
    if done.returncode == 0:
        return difference(subject.run, folder, subject.expected)
    if not is_told(done, whose in THAT_END_PROGRAMS):
        return 'status %s, stderr %r' % (done.returncode, done.stderr[-300:])
    return older_or_new(subject, folder, older)


def again(subject, folder):
    """The same command once more, undisturbed."""
    left = [name for name in os.listdir(folder) if name.endswith(('.partial', '.checkpoint', '.sweeps'))]
    done = call(subject.run, folder, more=['--resume'] if left else [])
    if done.returncode != 0:
        return 'again%s: status %s, stderr %r' % (' with --resume' if left else '', done.returncode, done.stderr[-300:])
    wrong = difference(subject.run, folder, subject.expected)
    extra = leftovers(folder, subject.whole)
    return wrong or ('left over: ' + ', '.join(extra) if extra else None)


def memory_trial(subject, point, folder, older):
    report = folder + '.report'
    done = call(subject.run, folder, LD_PRELOAD=failing_malloc(), SW_FAULT_AT=str(point), SW_FAULT_REPORT=report)
    whose = 'nobody'
    with open(report) as file:
        for line in file:
            if line.startswith('failed '):
                whose = os.path.basename(line.split()[1])
    os.unlink(report)
    wrong = after_failure(subject, folder, done, older, re.sub('_(serial|openmpi|mpich)$', '', whose.split('.so')[0]))
    return whose, wrong or again(subject, folder)


def kill_trial(subject, point, folder, older):
    call(subject.run, folder, before=[at_write(), 'kill', str(point)])
    return 'kill', older_or_new(subject, folder, older) or again(subject, folder)


def full_trial(subject, point, folder, older):
    done = call(subject.run, folder, before=[at_write(), 'full', str(point)])
    return 'full disk', after_failure(subject, folder, done, older) or again(subject, folder)


def disk_trial(subject, point, folder, older):
    done = call(subject.run, folder, before=[at_write(), 'lose', str(point)])
    if done.returncode == 0 and (b'warning: the state is not kept: ' in done.stderr or b'at_write: not reached' in done.stdout):
        wrong = difference(subject.run, folder, subject.expected)
    elif not is_told(done):
        wrong = 'status %s, stderr %r' % (done.returncode, done.stderr[-300:])
    else:
        wrong = older_or_new(subject, folder, older)
    return 'disk', wrong or again(subject, folder)


TRIALS = {'memory': memory_trial, 'kill': kill_trial, 'full': full_trial, 'disk': disk_trial}


def trial(subject, fault, point):
    folder = make_folder(subject.run, subject.inputs)
    try:
        return TRIALS[fault](subject, point, folder, put_older(subject.run, folder))
    finally:
        shutil.rmtree(folder)


def choose(points, most):
    if not most or points <= most:
        return range(1, points + 1)
    return sorted({1 + i * (points - 1) // (most - 1) for i in range(most)})


def make_inputs(folder):
    shutil.copy(os.path.join(ROOT, 'data/materials/copper-ofhc.yaml'), os.path.join(folder, 'material.yaml'))
    shutil.copy(os.path.join(ROOT, 'data/alloys/al-mg-si-6082.yaml'), os.path.join(folder, 'alloy.yaml'))
    subprocess.run([os.path.join(BUILD, 'slipwave-db'), 'generate', *ONE, '--grid', '8,8,8,12', '--terms', 'all', '-o', 'db.h5',
                    'material.yaml'], cwd=folder, check=True, capture_output=True)


def try_all(subject, fault, most, workers, out=sys.stdout):
    """The number of trials and of those that went wrong, which are printed."""
    points = choose(subject.points(fault), most)
    wrong = collections.Counter()
    shown = 0
    for point, (whose, what) in zip(points, workers.map(lambda p: trial(subject, fault, p), points)):
        if what is None:
            continue
        wrong[whose] += 1
        if shown < 20:
            print('  %s %s %d (%s): %s' % (subject.name, fault, point, whose, what), file=out)
            shown += 1
    print('%s, %s: %d of %d points tried, %d went wrong%s' % (
        subject.name, fault, len(points), subject.points(fault), sum(wrong.values()),
        ': ' + ', '.join('%s %d' % pair for pair in wrong.most_common()) if wrong else ''), file=out, flush=True)
    return len(points), wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('command', nargs='*', help='one of ' + ', '.join(RUNS))
    parser.add_argument('--fault', choices=list(TRIALS), action='append')
    parser.add_argument('--most', type=int, default=0, help='points of a command (all)')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    unknown = [name for name in arguments.command if name not in RUNS]
    if unknown:
        parser.error('%s: need one of %s' % (unknown[0], ', '.join(RUNS)))
    inputs = tempfile.mkdtemp(prefix='slipwave-fault-')
    make_inputs(inputs)
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as workers:
        for name in arguments.command or RUNS:
            subject = Subject(name, inputs)
            for fault in arguments.fault or TRIALS:
                bad += sum(try_all(subject, fault, arguments.most, workers)[1].values())
    shutil.rmtree(inputs)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
