#!/usr/bin/env python3
"""mutants.py [--sample N] [--seed N] [--module NAMES] [--out FILE.csv] ...

Changes one place of a source of core, optim, objective or study, builds it, and runs the tests that execute that line:
do they notice? A mutant is a comparison, an operator of arithmetic or a constant that is another, a condition that is
negated, or a call that is left out. The sample is drawn uniformly from all mutants of lines that the default tests
execute.

The first run builds all programs in the folder, with shared libraries, the checks of the standard library and of Eigen,
and a call at each block of code. It notes which lines each test executes. A mutant then is one source, compiled alone
into the library that every program there loads first: its functions replace the original ones, in tests and in the
processes that they start, and nothing else is built. All sources of the sample are first tried so unchanged. Tests run
in namespaces of their own (as root, or where users may make them), with the file system read-only but for an empty
/tmp: a mutant may delete or kill anything.

OUT has one line a mutant, with the test that noticed it, and is continued where it is there. A test that takes ten
times as long as usual and 5 s more notices it too (`timeout`). What does not compile does not count. At most --seconds
of tests are run for a mutant: first those of its module, the shortest first.
"""

import argparse
import collections
import concurrent.futures
import csv
import hashlib
import itertools
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import threading
import time

import mutant_choice

ROOT = pathlib.Path(__file__).resolve().parents[1]
HERE = ROOT / "scripts/mutants"
SOURCES = ROOT / "lib/ntune"
MODULES = ("core", "optim", "objective", "study")
VERDICTS = ("killed", "timeout", "survived", "no build")
FIELDS = ["id", "file", "line", "kind", "before", "after", "verdict", "test", "seconds"]
MEMORY = 4 << 30
COMPILER = "g++"

# In a mount namespace: an empty /tmp, and no other file can be written.
READ_ONLY = """
set -e
mounts=$(cat /proc/self/mounts)
mount -t tmpfs -o size=2g,mode=1777 tmpfs /tmp
while read -r _ place kind _; do
  case $kind in tmpfs|proc|sysfs|dev*|cgroup*|binfmt_misc|mqueue) continue ;; esac
  mount -o remount,bind,ro "$place" 2>/dev/null || true
done <<END
$mounts
END
if [ -w "$1" ]; then echo "cannot make the file system read-only" >&2; exit 1; fi
shift
exec "$@"
"""


def stop(message):
    sys.exit(f"mutants.py: {message}")


def run(command, **options):
    outcome = subprocess.run([str(word) for word in command], **options)
    if outcome.returncode:
        stop(f"{shlex.join(str(word) for word in command)} ended with {outcome.returncode}")
    return outcome


def write_json(path, value):
    pathlib.Path(f"{path}.new").write_text(json.dumps(value), encoding="utf-8")
    os.replace(f"{path}.new", path)


def digest(text):
    return hashlib.sha1(text.encode()).hexdigest()


def wilson_interval(hits, n):
    """(share, low, high) with 95 % (Wilson 1927)."""
    z = 1.96
    centre = (hits + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * (hits * (n - hits) / n + z * z / 4) ** 0.5
    return hits / n, max(0.0, centre - half), min(1.0, centre + half)


# ---- The build, and the lines that each test executes

def build(folder, jobs):
    """All programs, each of which loads `libntune_mutant.so` (empty here) and `libntune_trace.so` before the others."""
    run([ROOT / "scripts/install_dependencies.sh", "build", "tests"])
    loaded = folder / "loaded"
    loaded.mkdir(parents=True, exist_ok=True)
    trace, empty = loaded / "libntune_trace.so", loaded / "libntune_mutant.so"
    if not trace.exists() or trace.stat().st_mtime < (HERE / "trace.cpp").stat().st_mtime:
        run([COMPILER, "-std=c++20", "-O2", "-fPIC", "-shared", "-Wl,-soname,libntune_trace.so", HERE / "trace.cpp",
             "-o", trace])
    if not empty.exists():
        run([COMPILER, "-shared", "-Wl,-soname,libntune_mutant.so", "-x", "c++", "/dev/null", "-o", empty])
    if not (folder / "build.ninja").exists():
        link = (f"-Wl,--push-state,--no-as-needed {empty} {trace} -Wl,--pop-state"
                f" -Wl,--enable-new-dtags -Wl,-rpath,{loaded}")
        options = {"CMAKE_BUILD_TYPE": "Release", "CMAKE_CXX_COMPILER": COMPILER,
                   "CMAKE_CXX_FLAGS_RELEASE": "-O1 -D_GLIBCXX_ASSERTIONS", "CMAKE_EXE_LINKER_FLAGS": link,
                   "CMAKE_EXPORT_COMPILE_COMMANDS": "ON", "CMAKE_PROJECT_ntune_INCLUDE": HERE / "trace.cmake",
                   "BUILD_SHARED_LIBS": "ON", "NTUNE_BUILD_TESTS": "ON", "NTUNE_BUILD_BENCHMARKS": "OFF",
                   "NTUNE_PYTHON": "OFF", "NTUNE_MPI": "OFF"}
        if shutil.which("ccache"):
            options["CMAKE_CXX_COMPILER_LAUNCHER"] = "ccache"
        run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja",
             *(f"-D{name}={value}" for name, value in options.items())], stdout=subprocess.DEVNULL)
    run(["cmake", "--build", folder, "-j", jobs])


def default_tests(folder):
    """{name: test} of what ctest runs by default of the programs."""
    text = run(["ctest", "--test-dir", folder, "--show-only=json-v1", "-LE", "slow|statistical|repository"],
               capture_output=True, text=True).stdout
    tests = {}
    for test in json.loads(text)["tests"]:
        properties = {item["name"]: item["value"] for item in test.get("properties", [])}
        if "command" not in test:
            stop(f"test '{test['name']}' is not built")
        tests[test["name"]] = {"command": test["command"],
                               "folder": properties.get("WORKING_DIRECTORY", str(folder)),
                               "environment": dict(entry.split("=", 1) for entry in properties.get("ENVIRONMENT", []))}
    return tests


def lines_of_blocks(library):
    """{address: {(file, line)}} of each block of a library, by the address that its call of the tracer returns to."""
    text = subprocess.Popen(["objdump", "-d", "-l", "--inlines", "--no-show-raw-insn", library], stdout=subprocess.PIPE,
                            text=True)
    instruction = re.compile(r"\s+([0-9a-f]+):\t(.*)")
    place = re.compile(rf"(?:inlined by )?{re.escape(str(SOURCES))}/(.*\.cpp):(\d+)(?: |$)")
    blocks, block, called = {}, None, False
    row, outer, called_rows = set(), set(), set()  # of the innermost function, of those around it, and at the call
    for line in text.stdout:
        found = instruction.match(line)
        if found:
            rows, outer = row | outer, set()
            if called:
                block = blocks.setdefault(int(found[1], 16), set())
                block |= called_rows
            called = found[2].startswith("call") and "<__sanitizer_cov_trace_pc@plt>" in found[2]
            if called:
                called_rows, block = rows, None
            elif block is not None:
                block |= rows
        elif line.endswith(">:\n"):
            block, called = None, False
        elif line.startswith(("/", "inlined by /")):
            found = place.match(line)
            rows = {(found[1], int(found[2]))} if found else set()
            if line.startswith("/"):
                row = rows
            else:
                outer |= rows
    if text.wait():
        stop(f"objdump cannot read {library}")
    return blocks


class Coverage:
    """Which tests execute a line, and what they take: seconds, and of these the processor's."""

    def __init__(self, folder):
        self.path = folder / "coverage.json"
        self.tests, self.lines, self.sources, self.failed = {}, {}, {}, []
        if self.path.exists():
            stored = json.loads(self.path.read_text(encoding="utf-8"))
            self.tests, self.sources, self.failed = stored["tests"], stored["sources"], stored["failed"]
            self.lines = {file: {int(line): int(bits, 16) for line, bits in lines.items()}
                          for file, lines in stored["lines"].items()}
        self.names = list(self.tests)

    def save(self):
        write_json(self.path, {"tests": self.tests, "sources": self.sources, "failed": self.failed, "lines":
                               {file: {line: hex(bits) for line, bits in lines.items()}
                                for file, lines in self.lines.items()}})

    def add(self, folder, tests, jobs):
        """Runs the tests that are not known yet."""
        new = {name: test for name, test in tests.items() if name not in self.tests and name not in self.failed}
        if not new:
            return
        new = dict(sorted(new.items(), key=lambda item: item[0].split(": ")[0] not in MODULES))
        blocks = {name: lines_of_blocks(folder / f"lib/libntune_{name}.so") for name in MODULES}
        for file in {file for found in blocks.values() for rows in found.values() for file, _ in rows}:
            self.sources.setdefault(file, digest((SOURCES / file).read_text(encoding="utf-8")))
        traces = folder / "trace"
        shutil.rmtree(traces, ignore_errors=True)
        traces.mkdir()
        lock = threading.Lock()
        numbers = itertools.count(1)

        def trace(item):
            name, test = item
            number = next(numbers)
            begin = time.monotonic()
            process = subprocess.Popen(test["command"], cwd=test["folder"], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(
                                           os.environ, **test["environment"], NTUNE_TRACE=str(traces / str(number))))
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            seconds = time.monotonic() - begin
            rows = set()
            for path in traces.glob(f"{number}.*"):
                known = blocks[path.name.split(".")[2].removeprefix("libntune_")]
                for hit in re.finditer(b"\1", path.read_bytes()):
                    rows |= known.get(hit.start(), set())
                path.unlink()
            with lock:
                if process.returncode not in (0, 77):
                    print(f"fails in this build, left out: {name}", flush=True)
                    self.failed.append(name)
                    return
                self.tests[name] = [round(seconds, 3), round(usage.ru_utime + usage.ru_stime, 3)]
                self.names.append(name)
                bit = 1 << (len(self.names) - 1)
                for file, line in rows:
                    lines = self.lines.setdefault(file, {})
                    lines[line] = lines.get(line, 0) | bit
                if number % 50 == 0:
                    self.save()
                    print(f"{number} of {len(new)} tests traced", flush=True)

        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(trace, new.items()))
        self.save()

    def cost(self, name):
        return self.tests[name][1]

    def limit(self, name):
        """Seconds, more of them on a machine that has much else to do."""
        return (10 * self.tests[name][0] + 5) * max(1.0, os.getloadavg()[0] / os.cpu_count())

    def tests_of(self, file, lines):
        bits = 0
        for line in lines:
            bits |= self.lines.get(file, {}).get(line, 0)
        return [name for i, name in enumerate(self.names) if bits >> i & 1]


# ---- Mutants

class Mutant:
    def __init__(self, file, change):
        self.file, self.change = file, change
        self.module = file.split("/")[0]
        self.id = f"{file}:{change.line}:{change.column}:{change.kind.split()[0]}"


def traced_mutants(coverage):
    """[(file, change)] of all sources, and the files whose lines were traced as they are now."""
    found, known = [], set()
    for file in sorted(path.relative_to(SOURCES).as_posix() for path in SOURCES.rglob("*.cpp")):
        if file.split("/")[0] not in MODULES:
            continue
        text = (SOURCES / file).read_text(encoding="utf-8")
        if file in coverage.lines and digest(text) == coverage.sources[file]:
            known.add(file)
        elif file in coverage.lines:
            print(f"left out: {file} has changed since its lines were traced (--retrace)", file=sys.stderr)
        found += [(file, change) for change in mutant_choice.mutants_of(text)]
    return found, known


def again(coverage, rows):
    """The mutants of these rows where they stand today: the same change, in the same file if it is there, nearest."""
    places = collections.defaultdict(list)
    found, known = traced_mutants(coverage)
    for file, change in found:
        places[change.kind, change.before, change.after].append((file, change))
    mutants = []
    for row in rows:
        near = min(places[row["kind"], row["before"], row["after"]], default=None, key=lambda place: (
            place[0] != row["file"], abs(place[1].line - int(row["line"]))))
        if near is None or near[0] not in known:
            print(f"is no more, or was not traced: {row['id']}", flush=True)
            continue
        mutants.append(Mutant(*near))
        mutants[-1].id = row["id"]
    return mutants


def all_mutants(coverage, modules, seed):
    """Of lines that a test executes, in an order that the seed draws; a test more or less leaves it as it is."""
    found, known = traced_mutants(coverage)
    random.Random(seed).shuffle(found)
    return [Mutant(file, change) for file, change in found
            if file.split("/")[0] in modules and file in known
            and any(line in coverage.lines[file] for line in change.lines)]


def chosen_tests(coverage, mutant, dropped, seconds):
    """Those of the module first, the shortest first, as many as fit."""
    names = [name for name in coverage.tests_of(mutant.file, mutant.change.lines) if name not in dropped]
    names.sort(key=lambda name: (not name.startswith(f"{mutant.module}: "), coverage.cost(name)))
    chosen, total = [], 0.0
    for name in names:
        total += coverage.cost(name)
        if chosen and total > seconds:
            break
        chosen.append(name)
    return chosen


class Workshop:
    """Compiles sources alone, and runs tests with what they give."""

    def __init__(self, folder, coverage, tests):
        self.folder, self.coverage, self.tests = folder, coverage, tests
        self.commands = {}
        for entry in json.loads((folder / "compile_commands.json").read_text(encoding="utf-8")):
            words = shlex.split(entry["command"])
            source = entry["file"]
            if os.path.basename(words[0]) == "ccache":
                words = words[1:]
            kept = []
            skip = False
            for word in words:
                if skip or word in ("-c", source, "-fsanitize-coverage=trace-pc", "-g1"):
                    skip = False
                elif word == "-o":
                    skip = True
                else:
                    kept.append(word)
            inside = [source]
            if "/Unity/" in source:
                inside = re.findall(r'#include "(.*)"', pathlib.Path(source).read_text(encoding="utf-8"))
            for name in inside:
                if name.startswith(f"{SOURCES}/"):
                    self.commands[name[len(f"{SOURCES}/"):]] = (kept, entry["directory"])

    def compile(self, file, text, folder):
        """The object of the text in place of the file, or None."""
        words, directory = self.commands[file]
        source, target = folder / pathlib.Path(file).name, folder / (file.replace("/", "_") + ".o")
        source.write_text(f'#line 1 "{SOURCES / file}"\n{text}', encoding="utf-8")
        outcome = subprocess.run([*words, "-iquote", str((SOURCES / file).parent), "-w", "-c", str(source), "-o",
                                  str(target)], cwd=directory, stderr=subprocess.DEVNULL)
        return None if outcome.returncode else target

    def link(self, objects, modules, folder):
        libraries = self.folder / "lib"
        outcome = subprocess.run([COMPILER, "-shared", "-Wl,-soname,libntune_mutant.so", "-Wl,--no-as-needed",
                                  *map(str, objects), f"-L{libraries}", f"-Wl,-rpath,{libraries}",
                                  f"-Wl,-rpath-link,{libraries}",
                                  *(f"-lntune_{name}" for name in modules), "-o", str(folder / "libntune_mutant.so")],
                                 stderr=subprocess.DEVNULL)
        return outcome.returncode == 0

    def test(self, names, loaded, stop_at_first):
        """[(name, outcome, seconds)] of tests whose programs load the library in the folder `loaded`."""
        tests = [dict(self.tests[name], limit=self.coverage.limit(name),
                      processor=int(10 * self.coverage.cost(name)) + 5,
                      environment={**self.tests[name]["environment"], "LD_LIBRARY_PATH": str(loaded)})
                 for name in names]
        space = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        if os.geteuid() != 0:
            space.append("--map-root-user")
        process = subprocess.run([*space, "sh", "-c", READ_ONLY, "sh", str(ROOT), sys.executable, "-B",
                                  str(HERE / "run_tests.py")], text=True, stdout=subprocess.PIPE,
                                 input=json.dumps({"tests": tests, "stop": stop_at_first, "memory": MEMORY}))
        outcomes = [json.loads(line) for line in process.stdout.splitlines()]
        if process.returncode:
            stop("tests cannot be run in namespaces of their own (unshare)")
        return [(names[i], outcome, seconds) for i, outcome, seconds in outcomes]


def control(workshop, sample, tests_of, jobs):
    """Tries all sources of the sample together, unchanged: (tests that fail so, files that make them fail)."""
    path = workshop.folder / "control.json"
    stored = json.loads(path.read_text()) if path.exists() else {"sources": {}}
    files = sorted({mutant.file for mutant in sample})
    sources = {file: workshop.coverage.sources[file] for file in files}
    if stored["sources"] != sources:
        stored = {"sources": sources, "tests": [], "dropped": [], "files": []}
    names = {name for mutant in sample for name in tests_of(mutant, ())} - set(stored["tests"])
    if not names:
        return stored["dropped"], stored["files"]
    names = sorted(names, key=workshop.coverage.cost)
    folder = workshop.folder / "control"
    folder.mkdir(exist_ok=True)
    print(f"{len(files)} sources are tried unchanged, with {len(names)} tests", flush=True)

    def compile_one(file):
        place = folder / file.replace("/", "_")
        place.mkdir(exist_ok=True)
        made = place / (file.replace("/", "_") + ".o")
        stamp = place / "source"
        if not made.exists() or not stamp.exists() or stamp.read_text() != sources[file]:
            if workshop.compile(file, (SOURCES / file).read_text(encoding="utf-8"), place) is None:
                return None
            stamp.write_text(sources[file])
        return made

    def failing(chosen, names):
        """Of the names, those that fail with these files."""
        place = folder / "loaded"
        place.mkdir(exist_ok=True)
        if not workshop.link([objects[file] for file in chosen], MODULES, place):
            stop(f"cannot link {' '.join(chosen)}")
        dealt = [part for part in (names[i::jobs] for i in range(jobs)) if part]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            parts = list(pool.map(lambda part: workshop.test(part, place, False), dealt))
        return [name for part in parts for name, outcome, _ in part if outcome != "passed"]

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        objects = dict(zip(files, pool.map(compile_one, files)))
    left_out = [file for file in files if objects[file] is None]
    for file in left_out:
        print(f"does not compile alone, left out: {file}", flush=True)
    files = [file for file in files if objects[file] is not None and file not in stored["files"]]
    failed = failing(files, names)
    dropped = failing([], failed) if failed else []
    for name in dropped:
        print(f"fails in a namespace of its own, left out: {name}", flush=True)
    failed = [name for name in failed if name not in dropped]
    while failed:
        guilty = files
        while len(guilty) > 1:
            half = guilty[:len(guilty) // 2]
            guilty = half if failing(half, failed) else guilty[len(guilty) // 2:]
        again = failing(guilty, failed)
        if not again:
            print(f"fails now and then, left out: {', '.join(failed)}", flush=True)
            dropped += failed
            break
        print(f"cannot be replaced, left out: {guilty[0]} ({again[0]})", flush=True)
        left_out += guilty
        files = [file for file in files if file not in guilty]
        failed = failing(files, failed)
    stored["tests"] += names
    stored["dropped"] += dropped
    stored["files"] = sorted({*stored["files"], *left_out})
    write_json(path, stored)
    return stored["dropped"], stored["files"]


def judge(workshop, mutant, names, folder):
    """(verdict, test)."""
    text = (SOURCES / mutant.file).read_text(encoding="utf-8")
    made = workshop.compile(mutant.file, mutant_choice.mutated(text, mutant.change), folder)
    if made is None or not workshop.link([made], [mutant.module], folder):
        return "no build", ""
    outcomes = workshop.test(names, folder, True)
    name, outcome, _ = outcomes[-1]
    if outcome == "passed":
        return "survived", ""
    return ("timeout" if outcome == "timeout" else "killed"), name


# ---- Results

def read_rows(path):
    """{id: row}, the last one of each; a torn line is none."""
    if not path.exists():
        return {}
    with open(path, newline="", encoding="utf-8") as file:
        return {row["id"]: row for row in csv.DictReader(file) if None not in row.values() and None not in row}


def summary(rows):
    """Lines of a table."""
    lines = ["| mutants | made | do not compile | killed | of these by time | survived | share killed |",
             "|---|---|---|---|---|---|---|"]
    groups = [("all", rows)]
    groups += [(f"`{module}`", [row for row in rows if row["file"].startswith(f"{module}/")]) for module in MODULES]
    groups += [(kind, [row for row in rows if row["kind"] == kind]) for kind in mutant_choice.KINDS]
    for name, group in groups:
        count = collections.Counter(row["verdict"] for row in group)
        killed = count["killed"] + count["timeout"]
        n = killed + count["survived"]
        share = "" if n == 0 else "{:.1%} [{:.1%}, {:.1%}]".format(*wilson_interval(killed, n)).replace("%", " %")
        lines.append(f"| {name} | {len(group)} | {count['no build']} | {killed} | {count['timeout']} |"
                     f" {count['survived']} | {share} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     usage=argparse.SUPPRESS)
    parser.add_argument("--sample", type=int, default=300, metavar="N", help="mutants to draw (300)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the sample (1)")
    parser.add_argument("--module", default=",".join(MODULES), metavar="NAMES", help="of these alone, as core,study")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/mutants", metavar="DIR",
                        help="of the build (build/mutants)")
    parser.add_argument("--out", type=pathlib.Path, metavar="FILE.csv", help="the results (DIR/mutants.csv)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="processes at a time (all)")
    parser.add_argument("--seconds", type=float, default=150.0, metavar="S", help="of tests a mutant (150)")
    parser.add_argument("--again", metavar="VERDICT",
                        help="try those of OUT with this verdict again, as survived, where their lines are now")
    parser.add_argument("--list", action="store_true", help="print the sample, and try none")
    parser.add_argument("--retrace", action="store_true", help="note anew which lines tests execute")
    options = parser.parse_args()
    for name in ("sample", "jobs", "seconds"):
        if not getattr(options, name) > 0:
            stop(f"--{name} is {getattr(options, name)}, a number above 0 is allowed")
    if options.again and options.again not in VERDICTS:
        stop(f"--again is '{options.again}'; there are {', '.join(VERDICTS)}")
    modules = options.module.split(",")
    if set(modules) - set(MODULES):
        stop(f"--module is '{options.module}'; there are {', '.join(MODULES)}")
    os.nice(max(0, 10 - os.nice(0)))
    folder = options.folder.resolve()
    if ROOT.is_relative_to("/tmp") or folder.is_relative_to("/tmp"):
        stop("the tree and the build may not stand below /tmp, which is empty for tests")
    out = (options.out or folder / "mutants.csv").resolve()

    build(folder, options.jobs)
    if options.retrace:
        (folder / "coverage.json").unlink(missing_ok=True)
    coverage = Coverage(folder)
    tests = default_tests(folder)
    coverage.add(folder, tests, options.jobs)
    rows = read_rows(out)
    if options.again:
        mutants = sample = again(coverage, [row for row in rows.values() if row["verdict"] == options.again])
    else:
        mutants = all_mutants(coverage, modules, options.seed)
        sample = mutants[:options.sample]
    print(f"{len(mutants)} mutants of lines that {len(coverage.tests)} tests execute; a sample of {len(sample)}",
          flush=True)
    if options.list:
        for mutant in sample:
            print(f"{mutant.id}\n  {mutant.change.before}\n  {mutant.change.after}")
        return

    workshop = Workshop(folder, coverage, tests)

    def tests_of(mutant, dropped):
        return [name for name in chosen_tests(coverage, mutant, dropped, options.seconds) if name in tests]

    todo = [mutant for mutant in sample if options.again or mutant.id not in rows]
    dropped, left_out = control(workshop, sample, tests_of, options.jobs) if todo else ([], [])
    dropped = set(dropped)
    todo = [mutant for mutant in todo if mutant.file not in left_out]
    lock = threading.Lock()
    places = [folder / "work" / str(i) for i in range(options.jobs)]
    for place in places:
        place.mkdir(parents=True, exist_ok=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    if not out.exists():
        out.write_text(",".join(FIELDS) + "\n", encoding="utf-8")
    count = itertools.count(1)

    def one(mutant):
        begin = time.monotonic()
        names = tests_of(mutant, dropped)
        with lock:
            place = places.pop()
        try:
            verdict, test = judge(workshop, mutant, names, place) if names else ("survived", "")
        finally:
            with lock:
                places.append(place)
        row = dict(zip(FIELDS, [mutant.id, mutant.file, mutant.change.line, mutant.change.kind, mutant.change.before,
                                mutant.change.after, verdict, test, f"{time.monotonic() - begin:.1f}"]))
        with lock:
            rows[mutant.id] = row
            with open(out, "a", newline="", encoding="utf-8") as file:
                csv.DictWriter(file, FIELDS, lineterminator="\n").writerow(row)
            print(f"{next(count)} of {len(todo)}: {verdict}: {mutant.id}" + (f" by {test}" if test else ""), flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, todo))

    order = {name: i for i, name in enumerate(rows if options.again else [mutant.id for mutant in sample])}
    kept = sorted(read_rows(out).values(), key=lambda row: order.get(row["id"], len(order)))
    temporary = out.with_suffix(".new")
    with open(temporary, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(kept)
    os.replace(temporary, out)
    print("\n".join(summary([row for row in kept if row["id"] in order])))


if __name__ == "__main__":
    main()
