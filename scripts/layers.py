#!/usr/bin/env python3
"""Checks the direction of use between the modules of ntune.

Reads every #include in lib/ntune and apps and holds it to the tables below. Prints one line
`file:line: module x may not include y` per violation and exits with 1, or one line of summary.
"""

import argparse
import pathlib
import re
import sys

# Module: what it may include, beside itself. A module with a set of files lends those alone.
MODULES = {
    "core": {},
    "space": {"core": None},
    "optim": {"core": None, "space": None},
    "game": {"core": None},
    "search": {"core": None, "game": None},
    "objective": {"core": None, "space": None, "game": None, "search": None},
    "study": {
        "core": None,
        "space": None,
        "optim": {"auto_choice.h", "optimiser.h", "optimisers.h"},
        "objective": {
            "foreign_observations.h",
            "objective.h",
            "objectives.h",
            "observation_table.h",
        },
    },
    "plot": {"core": None},
    "report": {
        "core": None,
        "space": None,
        "objective": {"objective.h"},
        "study": None,
        "plot": None,
    },
    "mpi": {"core": None, "space": None, "study": None},
}
APPS = "apps"

# Included name: the places that may include it. A place is a module, or a file without its suffix.
LIBRARIES = [
    (r"(oneapi/)?tbb(/|\.h$)|execution$", {"core/parallel"}),
    (r"CLI/", {APPS}),
    (r"Eigen/|unsupported/Eigen/", {"optim", "search"}),
    (r"yaml-cpp/", {"core"}),
    (r"mpi\.h$", {"mpi"}),
    (r"sqlite3(ext)?\.h$", {"study/export_sqlite"}),
    (r"boost/(process|asio|filesystem)(/|\.hpp$)", {"core/process"}),
    (r"boost/(?!(math|process|asio|filesystem)(/|\.hpp$))", set()),
]

INCLUDE = re.compile(r'\s*#\s*include\s*(<([^>]+)>|"([^"]+)")')
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def without_comments(text):
    """The text with comments blanked and every line still in its place."""

    def blank(match):
        found = match.group()
        return found if found.startswith('"') else "\n" * found.count("\n")

    return COMMENT.sub(blank, text)


def may_include_own(module, name):
    """Whether the module may include "ntune/<name>"."""
    owner, slash, file_name = name.partition("/")
    if not slash:
        return True  # ntune/version.h
    if owner not in MODULES:
        return False
    if module in (APPS, owner):
        return True
    if owner not in MODULES[module]:
        return False
    lent = MODULES[module][owner]
    return lent is None or file_name in lent


def may_include(module, place, name, quoted):
    """Whether a file of the module, at the place <module>/<file>, may include the name."""
    if name.startswith("ntune/"):
        return may_include_own(module, name[len("ntune/") :])
    if quoted:
        # A path that is not "ntune/…" would go around the table.
        return module == APPS and name.startswith("apps/")
    return all(
        module in places or place in places
        for pattern, places in LIBRARIES
        if re.match(pattern, name)
    )


def violations_of(root, path, module, place):
    text = without_comments(path.read_text(encoding="utf-8"))
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        name = match.group(2) or match.group(3)
        if not may_include(module, place, name, quoted=match.group(3) is not None):
            where = path.relative_to(root).as_posix()
            yield f"{where}:{number}: module {module} may not include {name}"


def sources(root):
    """(path, module, place) of every source file below lib/ntune and apps."""
    for folder in ("lib/ntune", "apps"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in (".h", ".cpp") or not path.is_file():
                continue
            inner = path.relative_to(root / folder)
            module = APPS if folder == "apps" else inner.parts[0]
            yield path, module, inner.with_suffix("").as_posix()


def check(root):
    """(number of files, list of violations) of the tree at root."""
    count = 0
    violations = []
    for path, module, place in sources(root):
        count += 1
        if module != APPS and module not in MODULES:
            where = path.relative_to(root).as_posix()
            violations.append(f"{where}:1: module {module} is not in the table of layers.py")
            continue
        violations.extend(violations_of(root, path, module, place))
    return count, violations


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    home = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=home)
    count, violations = check(parser.parse_args().root.resolve())
    for violation in violations:
        print(violation)
    if violations:
        return 1
    print(f"layers: the direction of use is kept ({count} files)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
