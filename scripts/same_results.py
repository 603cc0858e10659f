#!/usr/bin/env python3
"""Shows that a change of the code changes no result.

`keep` runs the commands of same_results_cases.py and keeps everything in DIR:
  cases/NAME/   the commands with their exit codes, what each printed, and the files that it left
  inputs/       what they read: studies and data of the source, and what cases have made for others
  times.json    how long each case took; the longest begin first

`compare` runs the same cases in a temporary folder. They read the inputs of DIR, so that files may
have moved in the source by then, and continue journals that the other programs have written. It
prints `same: N cases`, or the files that differ with their first lines. Only the cases tree_* look
at the source as it is now: they check that its studies and data are the same, and still work.
"""

import argparse
import concurrent.futures
import fnmatch
import glob
import hashlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

import same_results_cases as cases

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = ["ntune", "amazons", "arcade", "bao", "slide3"]
SCRATCH = "same_results."
LARGEST = 4_000_000  # bytes; a larger file is kept as its checksum

# What is never the same twice, and what stands in its place. Every expression names the words
# around the number, so that no result is masked.
TIME = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?"
MASKS = [(re.compile(pattern.encode(), re.MULTILINE), mask.encode()) for pattern, mask in [
    # The temporary folder, in messages that name a file or folder by its whole path.
    (re.escape(os.path.join(tempfile.gettempdir(), SCRATCH)) + r"\w+", "@SCRATCH"),
    # Journals and exports of them: when an evaluation began and ended, and how long it took.
    (r'("(?:datetime_(?:start|complete)|asked_again|time|end)":")' + TIME, r"\1TIME"),
    (r"^((?:\d+/\d+/)?[srho]-?\d+\.\d+ \S+ \S+) -?\d+(?:/-?\d+)?(?=[ \n])", r"\1 TIME"),
    # The numbers by which clients know their requests again are drawn.
    (r'("request":)\d+(?=[,}])', r"\1NUMBER"),
    (r"( TIME(?: \w\S*)*) q\d+", r"\1 qNUMBER"),
    (r'("seconds":)[0-9.e+-]+(?=[,}])', r"\1SECONDS"),
    # The last line of ntune run, slide3 autoplay and slide3 reproduce on standard error.
    (r"^\d+\.\d s, (?:[\d,]+ (evaluations|leaves) a second|[\d.e+-]+ s an (evaluation))$",
     r"SECONDS s, RATE"),
    (r"^\d+\.\d s$", r"SECONDS s"),
    # ntune check --dry-run.
    (r"^(took +)\d+\.\d+ s", r"\1SECONDS s"),
    (r"^([\d,]+ evaluations?), about .* at a time.*$", r"\1"),
    # amazons database.
    (r"^(Computed|Read) in \d+\.\d\d s with \d+ threads$", r"\1 in SECONDS s with N threads"),
    # What amazons keeps with --out: the last column is the processor time of a search.
    (r"^([0-9a-f]{16},[^,\n]+,[BW.#/]+,[01],[^,\n]+,[^,\n]+,\d+),[0-9.e-]+$", r"\1,SECONDS"),
    # amazons match: the column "ms a move".
    (r"^(\S+ +\d+ +\d+) +\d+\.\d\d(?= +\d+\.\d % +\d+\.\d %$)", r"\1  MS"),
    # The lock in a study's folder.
    (r"process \d+ on [\w.-]+", "process N on HOST"),
]]


class WrongUse(Exception):
    pass


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def read_text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write_bytes(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def files_below(folder, links=False):
    """The files below a folder as relative paths, sorted. Links to folders are not followed."""
    found = []
    for path, _, names in os.walk(folder):
        for name in names:
            whole = os.path.join(path, name)
            if os.path.isfile(whole) and (links or not os.path.islink(whole)):
                found.append(os.path.relpath(whole, folder))
    return sorted(found)


# --- Inputs: studies and data of the source folder


def source_files():
    """Every file of the source, relative to ROOT; not what builds have made."""
    found = []
    for path, folders, names in os.walk(ROOT):
        kept = "times.json" in names and "inputs" in folders  # a folder of ours
        skipped = cases.NO_SOURCE if path == ROOT else {"__pycache__"}
        folders[:] = [] if kept else sorted(f for f in folders if f not in skipped and f[0] != ".")
        found += [os.path.relpath(os.path.join(path, name), ROOT) for name in sorted(names)]
    return found


def without_comments(text):
    lines = (re.sub(r"(^|\s)#.*", "", line).rstrip() for line in text.splitlines())
    return "".join(line + "\n" for line in lines if line)


def studies_of(files):
    """Stem and path of the studies in configs and benchmarks, sorted by stem."""
    found = {}
    for path in files:
        if path.split(os.sep)[0] not in ("configs", "benchmarks") or not path.endswith(".yaml"):
            continue
        if re.search(r"^objectives?:", read_text(os.path.join(ROOT, path)), re.MULTILINE):
            stem = os.path.basename(path)[:-len(".yaml")]
            if stem in cases.OUTSIDE:
                continue
            if stem in found:
                raise WrongUse(f"{path} and {found[stem]} are two studies of one name")
            found[stem] = path
    return dict(sorted(found.items()))


def linked_to_data(text, path, data):
    """The text of a study without comments, whose files are those of the folder `data`."""
    folder = os.path.dirname(os.path.join(ROOT, path))
    used = []

    def replaced(match):
        if not os.path.isfile(os.path.join(folder, match[0])):
            return match[0]
        used.append(os.path.join(folder, match[0]))
        return f"{data}/{os.path.basename(match[0])}"

    pattern = r"(?<![\w./-])(?:\.\.?/)*(?:[\w-]+/)*[\w.-]+\.(?:csv|py|txt|yaml)(?![\w./-])"
    return re.sub(pattern, replaced, without_comments(text)), used


def shortened(text, stem):
    """A study with the top-level keys of SHORT, and with fewer objectives."""
    step = cases.ONE_OBJECTIVE_OF.get(stem, 1)
    if step > 1:
        block = re.search(r"^objectives:\n((?:  .*\n)+)", text, re.MULTILINE)
        lines = block[1].splitlines(keepends=True)[::step]
        text = text.replace(block[1], "".join(lines))
    for key, value in cases.SHORT.get(stem, cases.SHORT_ELSE).items():
        old = re.compile(rf"^{key}:.*\n(?:[ -].*\n)*", re.MULTILINE)
        text = old.sub("", text) + f"{key}: {value}\n"
    return text


def gather_inputs(inputs):
    """Copies studies, shortened, and data into the folder of the inputs."""
    files = source_files()
    by_name = {}
    for path in files:
        by_name.setdefault(os.path.basename(path), []).append(path)

    def place(name):
        paths = [p for p in by_name.get(name, []) if not cases.NOT_FROM.search(p)]
        if len(paths) != 1:
            raise WrongUse(f"the source has {len(paths)} files {name}, one is needed: {paths}")
        return os.path.join(ROOT, paths[0])

    data = os.path.join(inputs, "data")
    os.makedirs(data)
    for name in cases.DATA:
        shutil.copy(place(name), data)
    for name, folder in cases.FOLDERS.items():
        shutil.copytree(os.path.dirname(place(name)), os.path.join(inputs, folder))
    for stem, path in studies_of(files).items():
        text, used = linked_to_data(read_text(os.path.join(ROOT, path)), path, "../data")
        write_bytes(os.path.join(inputs, "studies", stem + ".yaml"), shortened(text, stem).encode())
        if cases.WHOLE.search(stem):
            whole, _ = linked_to_data(read_text(os.path.join(ROOT, path)), path, "../../data")
            write_bytes(os.path.join(inputs, "configs/papers", stem + ".yaml"), whole.encode())
        for one in used:
            shutil.copy(one, data)


# --- Running cases


def find_programs(folder, target):
    """Links in `target` to the programs, which are in the folder or in folders within it."""
    if not os.path.isdir(folder):
        raise WrongUse(f"--programs: {folder} is not a folder")
    os.makedirs(target)
    for name in PROGRAMS:
        places = [glob.glob(os.path.join(glob.escape(folder), *["*"] * depth, name))
                  for depth in range(3)]
        found = [p for p in sum(places, []) if os.path.isfile(p) and os.access(p, os.X_OK)]
        if not found:
            raise WrongUse(f"--programs: there is no program {name} in {folder}; build it first")
        os.symlink(os.path.abspath(found[0]), os.path.join(target, name))


def dump_of_database(path):
    """An SQLite file as text."""
    connection = sqlite3.connect(path)
    try:
        return "".join(line + "\n" for line in connection.iterdump()).encode()
    finally:
        connection.close()


def masked(content):
    for pattern, mask in MASKS:
        content = pattern.sub(mask, content)
    return content


class Runner:
    """Runs cases, each in a folder of its own."""

    def __init__(self, programs, inputs, scratch):
        self.inputs = inputs
        self.scratch = scratch
        self.running = set()  # process groups
        bin_folder = os.path.join(scratch, "bin")
        find_programs(programs, bin_folder)
        temporary = os.path.join(scratch, "tmp")
        os.makedirs(temporary)
        self.environment = {
            "PATH": f"{bin_folder}:/usr/bin:/bin", "HOME": temporary, "TMPDIR": temporary,
            "TERM": "dumb", "TZ": "UTC", "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": "0",
            "PYTHONDONTWRITEBYTECODE": "1", "ROOT": ROOT,
            "STUDIES": " ".join(studies_of(source_files()).values())}

    def command(self, line, folder, timeout):
        """Exit code, standard output and standard error of a line of bash."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen(
                ["/bin/bash", "-o", "pipefail", "-c", line], cwd=folder, env=self.environment,
                stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True)
            self.running.add(process.pid)
            try:
                code = process.wait(timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                code = f"none within {timeout} s"
            finally:
                self.running.discard(process.pid)
            out.seek(0)
            err.seek(0)
            return code, out.read(), err.read()

    def run(self, case):
        """Runs a case. Returns its folder, what it has brought by name, and what went wrong."""
        folder = os.path.join(self.scratch, "cases", case.name)
        os.makedirs(folder)
        os.symlink(self.inputs, os.path.join(folder, "inputs"))
        for name, text in case.files.items():
            write_bytes(os.path.join(folder, name), text.encode())
        found = {}
        problems = []
        protocol = ""
        for number, (line, fails) in enumerate(case.commands, 1):
            code, out, err = self.command(line, folder, case.timeout)
            protocol += f"{number:02} exit code {code}: {line}\n"
            # Not started, killed or too slow; the programs' own codes are 0, 2, 3 and 130.
            broken = not isinstance(code, int) or code < 0 or (code > 123 and code != 130)
            if broken or (code != 0) != fails:
                said = err.decode(errors="replace").strip().split("\n")[-1]
                problems.append(f"{case.name}: exit code {code}: {line}\n    {said[:300]}")
            found[f"{number:02}.out"] = out
            found[f"{number:02}.err"] = err
        found["commands.txt"] = protocol.encode()
        for name in files_below(folder):
            if name in case.files or any(fnmatch.fnmatch(name, glob) for glob in case.ignored):
                continue
            content = read_bytes(os.path.join(folder, name))
            if content.startswith(b"SQLite format 3\0"):
                name, content = name + ".dump", dump_of_database(os.path.join(folder, name))
            found["files/" + name] = content
        return folder, {name: self.kept_form(c) for name, c in found.items() if c}, problems

    @staticmethod
    def kept_form(content):
        content = masked(content)
        if len(content) <= LARGEST:
            return content
        return f"{len(content)} bytes, sha256 {hashlib.sha256(content).hexdigest()}\n".encode()


def show(progress):
    if sys.stderr.isatty():
        print(f"\r\033[K{progress}", end="", file=sys.stderr, flush=True)


def run_all(runner, selected, jobs, times, take):
    """Runs cases, the longest first; take(case, folder, results) after each. Returns problems."""
    lock = threading.Lock()
    problems = []
    done = 0

    def one(case):
        nonlocal done
        begin = time.monotonic()
        folder, results, wrong = runner.run(case)
        with lock:
            times[case.name] = round(time.monotonic() - begin, 2)
            problems.extend(wrong)
            take(case, folder, results)
            done += 1
            show(f"{done} of {len(selected)} cases")
        shutil.rmtree(folder)

    by_length = sorted(selected, key=lambda case: (-times.get(case.name, 1e9), case.name))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            for future in [pool.submit(one, case) for case in by_length]:
                future.result()
        except BaseException:  # Ctrl-C too
            pool.shutdown(wait=False, cancel_futures=True)
            for group in list(runner.running):
                os.killpg(group, signal.SIGKILL)
            raise
    show("")
    return problems


def chosen(all_cases, only):
    selected = [case for case in all_cases if only is None or fnmatch.fnmatch(case.name, only)]
    if not selected:
        raise WrongUse(f"--only: no case is called {only}")
    return selected


def load_times(folder):
    path = os.path.join(folder, "times.json")
    return json.loads(read_text(path)) if os.path.exists(path) else {}


# --- keep


def keep(arguments, scratch):
    folder = arguments.folder
    inputs = os.path.join(folder, "inputs")
    again = os.path.isdir(inputs)
    if again and arguments.only is None:
        raise WrongUse(f"{folder} holds results already; name another folder or delete it "
                       "(--only GLOB keeps some cases anew)")
    if not again and arguments.only is not None:
        raise WrongUse(f"--only: {folder} holds nothing yet; keep all cases first")
    runner = Runner(arguments.programs, inputs, scratch)
    if not again:
        gather_inputs(inputs)
    selected = chosen(cases.all_cases(inputs), arguments.only)
    times = load_times(folder)

    def take(case, own, results):
        if case.makes or case.keep_only:
            made = os.path.join(inputs, "made", case.name)
            shutil.rmtree(made, ignore_errors=True)
            shutil.copytree(own, made, symlinks=True, ignore=lambda path, names: ["inputs"])
        target = os.path.join(folder, "cases", case.name)
        shutil.rmtree(target, ignore_errors=True)
        if case.keep_only:
            return
        for name, content in results.items():
            write_bytes(os.path.join(target, name), content)

    first = [case for case in selected if case.makes or case.keep_only]
    rest = [case for case in selected if case not in first]
    problems = run_all(runner, first, arguments.jobs, times, take)
    problems += run_all(runner, rest, arguments.jobs, times, take)
    write_bytes(os.path.join(folder, "times.json"),
                (json.dumps(times, indent=1, sort_keys=True) + "\n").encode())
    for problem in problems:
        print(problem)
    if problems:
        print(f"{len(problems)} commands did not do what their cases expect; "
              "mend them and keep anew")
        return 1
    print(f"kept: {len(selected)} cases in {folder}")
    return 0


# --- compare


def first_lines(kept, now):
    """The first lines that differ of two texts, at most three of each."""
    if b"\0" in kept + now:
        return [f"  {len(kept)} bytes were kept, {len(now)} bytes now, not text"]
    old, new = kept.splitlines(keepends=True), now.splitlines(keepends=True)
    same = 0
    while same < min(len(old), len(new)) and old[same] == new[same]:
        same += 1
    lines = [f"  line {same + 1}"]
    for mark, some, other in (("-", old, new), ("+", new, old)):
        for number in range(same, min(same + 3, len(some))):
            facing = other[number] if number < len(other) else b""
            lines.append(f"  {mark} {window(some[number], common_length(some[number], facing))}")
    return lines


def common_length(a, b):
    return next((i for i in range(min(len(a), len(b))) if a[i] != b[i]), min(len(a), len(b)))


def window(line, at):
    """What of a line to show where it differs at a place."""
    begin = max(0, at - 60)
    text = line[begin:begin + 160].decode(errors="backslashreplace")
    end = "…" if len(line) > begin + 160 else "" if text.endswith("\n") else " (no end of line)"
    return ("…" if begin > 0 else "") + text.removesuffix("\n") + end


def differences(case, kept_folder, results):
    """Lines about what differs of a case: two files with their first lines, the names of others."""
    if not os.path.isdir(kept_folder):
        return [f"{case.name}: is not kept; keep it with --only {case.name}"]
    kept = {name: read_bytes(os.path.join(kept_folder, name)) for name in files_below(kept_folder)}
    names = sorted((kept.keys() | results.keys()) - {"commands.txt"})
    different = [name for name in ["commands.txt", *names] if kept.get(name) != results.get(name)]
    commands = kept.get("commands.txt", b"").decode().split("\n")
    lines = []
    for name in different[:2]:
        lines.append(f"{case.name}/{name}" + (": is new" if name not in kept else
                                              ": is missing" if name not in results else ""))
        number = re.match(r"(\d+)\.(out|err)$", name)
        if number and int(number[1]) <= len(commands):
            lines.append("  of " + commands[int(number[1]) - 1][:200])
        lines += first_lines(kept.get(name, b""), results.get(name, b""))
    if different[2:]:
        lines.append(f"  and {len(different) - 2} more: " + " ".join(different[2:12])
                     + (" …" if different[12:] else ""))
    return lines


def state_of(inputs):
    """Size and time of every input, to notice a case that writes to them."""
    return {name: os.stat(os.path.join(inputs, name))[6:9:2] for name in files_below(inputs)}


def compare(arguments, scratch):
    folder = arguments.folder
    inputs = os.path.join(folder, "inputs")
    kept_cases = os.path.join(folder, "cases")
    if not os.path.isdir(inputs) or not os.path.isdir(kept_cases):
        raise WrongUse(f"{folder}: holds nothing that was kept; begin with: same_results.sh keep")
    runner = Runner(arguments.programs, inputs, scratch)
    all_cases = [case for case in cases.all_cases(inputs) if not case.keep_only]
    selected = chosen(all_cases, arguments.only)
    before = state_of(inputs)
    found = {}

    def take(case, _, results):
        lines = differences(case, os.path.join(kept_cases, case.name), results)
        if lines:
            found[case.name] = lines

    run_all(runner, selected, arguments.jobs, load_times(folder), take)
    names = {case.name for case in all_cases}
    for name in sorted(os.listdir(kept_cases)):
        if name not in names and (arguments.only is None or fnmatch.fnmatch(name, arguments.only)):
            found[name] = [f"{name}: is kept, but no case any more"]
    if state_of(inputs) != before:
        found["inputs"] = [f"{inputs}: a case has changed the inputs; keep all anew"]
    if not found:
        print(f"same: {len(selected)} cases")
        return 0
    for number, name in enumerate(sorted(found)):
        print("\n".join(found[name] if number < arguments.show else found[name][:1]))
    print(f"different: {len(found)} of {len(selected)} cases")
    return 1


def positive(text):
    """For argparse: "30" -> 30."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"is '{text}', a whole number from 1 is allowed")
    return int(text)


def main():
    parser = argparse.ArgumentParser(
        prog="same_results.sh", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Exit codes: 0 the same, 1 something differs, 2 wrong use.")
    parser.add_argument("action", choices=["keep", "compare"])
    parser.add_argument("folder", metavar="DIR", help="where results are kept")
    parser.add_argument("--programs", default=os.path.join(ROOT, "build/release/apps"),
                        metavar="DIR", help="folder of the programs (default build/release/apps)")
    parser.add_argument("--only", metavar="GLOB", help="the cases of these names, such as 'bao_*'")
    parser.add_argument("--jobs", type=positive, default=2, metavar="N",
                        help="cases at a time (default 2)")
    parser.add_argument("--show", type=positive, default=20, metavar="N",
                        help="cases of which the first lines are shown (default 20)")
    arguments = parser.parse_args()
    arguments.folder = os.path.abspath(arguments.folder)
    scratch = tempfile.mkdtemp(prefix=SCRATCH)
    try:
        return (keep if arguments.action == "keep" else compare)(arguments, scratch)
    except WrongUse as error:
        print(f"same_results.sh: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
