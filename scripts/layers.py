#!/usr/bin/env python3
"""Checks the direction of use between the folders of ntune, and that standard headers are used.

A folder is one of lib/ntune, such as `study` or `study/journal`. Reads every #include in lib/ntune
and apps and holds it to the tables below; in tests and benchmarks/programs the standard headers alone.
No two folders include each other, as the table of folders has an order.
Prints one line `file:line: folder x may not include y` or `file:line: nothing of <y> is used` per
violation and exits with 1, or one line of summary.
"""

import argparse
import pathlib
import re
import sys

# Folder: the folders that it may include, beside itself. "x/*" is x with all folders inside it; a name with
# a suffix is that file alone. A folder may include none but those above it: so no two include each other.
GAME = ["core", "space", "agents/*", "objective", "games/two_player"]
OPTIMISER = ["optim/base/optimiser.h"]
OPTIMISERS = OPTIMISER + ["optim/auto_choice.h", "optim/optimisers.h"]
CLAIMS = ["optim/claims/point_claims.h"]
STUDY = ["core", "space", "objective", "study/model"]
FOLDERS = {
    "core": [],
    "space": ["core"],
    "space/import": ["core", "space"],
    "optim/dense": [],
    "optim/models": ["core", "space"],
    "optim/gaussian": ["core", "space", "optim/models", "optim/dense"],
    "optim/base": ["core", "space", "optim/models", "optim/gaussian"],
    "optim/ntbea": ["core", "space", "optim/base", "optim/models"],
    "optim/racing": ["core", "space", "optim/base", "optim/models"],
    "optim/restarts": ["core", "space", "optim/base", "optim/models"],
    "optim/duels": ["core", "space", "optim/base", "optim/models", "optim/gaussian", "optim/dense"],
    "optim/rivals": ["core", "space", "optim/base", "optim/models", "optim/duels", "optim/dense"],
    "optim/bayesian": ["core", "space", "optim/base", "optim/models", "optim/gaussian"],
    "optim/goals": ["core", "space", "optim/base", "optim/models", "optim/gaussian", "optim/bayesian"],
    "optim/claims": ["core", "space", "optim/base", "optim/models", "optim/gaussian", "optim/dense"],
    "optim": ["core", "space", "optim/*"],
    "agents/turn_game": ["core"],
    "agents/forward_model": ["core"],
    "agents/combinatorial_game": ["core"],
    "objective": ["core", "space"],
    "objective/functions": ["core", "space", "objective"],
    "objective/command": ["core", "space", "objective"],
    "objective/recorded": ["core", "space", "objective"],
    "objective/match": ["core", "space", "objective"],
    "games/two_player": ["core", "space", "agents/turn_game", "objective"],
    "games/slide": GAME,
    "games/slide/exact": GAME + ["games/slide"],
    "games/slide/objective": GAME + ["games/slide", "games/slide/exact"],
    "games/bao": GAME,
    "games/amazons": GAME,
    "games/amazons/database": GAME + ["games/amazons"],
    "games/amazons/sums": GAME + ["games/amazons", "games/amazons/database"],
    "games/amazons/objective": GAME + ["games/amazons", "games/amazons/database", "games/amazons/sums"],
    "games/arcade": GAME,
    "catalogue": ["core", "space", "objective/*", "games/*"],
    "study/model": ["core", "space", "objective"] + OPTIMISERS,
    "study/evaluation": STUDY,
    "study/instances": STUDY + OPTIMISER + ["objective/recorded/foreign_observations.h"],
    "study/run": STUDY + OPTIMISER + CLAIMS + ["study/evaluation", "study/instances"],
    "study/choice": STUDY + ["study/evaluation", "study/run"],
    "study": STUDY + ["study/evaluation", "study/run", "study/choice"],
    "study/budget": STUDY + OPTIMISERS + ["study/evaluation", "study"],
    "study/keys": STUDY
    + OPTIMISERS
    + [
        "catalogue",
        "objective/command/goal_options.h",
        "objective/recorded/foreign_observations.h",
        "objective/recorded/observation_values.h",
        "study/instances",
    ],
    "study/results": STUDY + ["study/evaluation", "study/keys"],
    "study/journal": STUDY
    + [
        "objective/recorded/optuna_codes.h",
        "study/evaluation",
        "study/run",
        "study",
        "study/budget",
        "study/keys",
        "study/results",
    ],
    "study/export": STUDY
    + ["objective/recorded/optuna_codes.h", "study/evaluation", "study/keys", "study/results", "study/journal"],
    "study/followup": STUDY
    + CLAIMS
    + [
        "catalogue",
        "objective/recorded/foreign_observations.h",
        "objective/recorded/observation_table.h",
        "optim/optimisers.h",
        "study/evaluation",
        "study/choice",
        "study/keys",
        "study/results",
        "study/journal",
    ],
    "study/serve": STUDY
    + OPTIMISER
    + [
        "objective/command/result_parser.h",
        "study/evaluation",
        "study/run",
        "study",
        "study/results",
        "study/journal",
    ],
    "study/fleet": STUDY + ["study/evaluation", "study/keys", "study/serve"],
    "facts": STUDY + ["objective/recorded/foreign_observations.h", "study/evaluation", "study/keys", "study/results", "study/followup"],
    "plot": ["core"],
    "report/data": STUDY
    + CLAIMS
    + ["study/evaluation", "study/run", "study/keys", "study/results", "study/journal", "study/export", "facts"],
    "report/figures": STUDY + ["study/evaluation", "facts", "plot", "report/data"],
    "report/page": STUDY + ["study/evaluation", "facts", "plot", "report/data", "report/figures"],
    "mpi": STUDY + ["study/evaluation", "study/run"],
}
APPS = "apps"

# CLI11 is slow to compile: command lines alone include program.h, and flags.cpp has the options.
COMMAND_LINES = {"apps/common/program", "apps/common/flags"}

# Included name: the places that may include it. A place is a folder with all
# inside it, or a file without its suffix.
LIBRARIES = [
    (r"(oneapi/)?tbb(/|\.h$)|execution$", {"core/parallel"}),
    (r"CLI/", COMMAND_LINES),
    (r"Eigen/|unsupported/Eigen/", {"optim", "games/bao"}),
    (r"yaml-cpp/", {"core"}),
    (r"zlib\.h$", {"core/packed_bytes"}),
    (r"mpi\.h$", {"mpi"}),
    (r"pybind11/|Python\.h$", {"apps/python"}),
    (r"sqlite3(ext)?\.h$", {"study/export/export_sqlite"}),
    (r"re2/", {"core/pattern"}),
    (r"boost/(?!math(/|\.hpp$))", set()),
]

# Standard header: what it is included for, rather too much than too little. Before STD_NAMES stands "std::" or
# "std::ranges::"; the others are looked for as they are. A header in neither table is not checked.
STD_NAMES = {
    "algorithm": r"\w+_of|for_each\w*|(count|find|search|copy|fill|generate|reverse|rotate|shift)(_\w+)?|clamp"
    r"|unique(_copy)?|mismatch|equal(_range)?|\w+_backward|iter_swap|swap_ranges|transform|replace\w*|remove\w*|shuffle"
    r"|sample|\w*(partition|sort|merge)\w*|nth_element|\w+_(bound|search|find|permutation)|includes|set_\w+"
    r"|\w+_heap\w*|(min|max|minmax)(_element)?|lexico\w+|ranges::move",
    "atomic": r"atomic\w*|memory_order\w*",
    "bit": r"bit_\w+|has_single_bit|count[lr]_\w+|popcount|rot[lr]|endian",
    "charconv": r"(from|to)_chars\w*|chars_format",
    "fstream": r"\w*(fstream|filebuf)",
    "functional": r"function|bind\w*|c?ref|reference_wrapper|\w*invoke|hash|(less|greater|equal|not_equal|bit)\w*"
    r"|logical_\w+|plus|minus|multiplies|divides|modulus|negate|identity|not_fn|mem_fn|placeholders",
    "iterator": r"\w*(begin|end)|s?size|data|empty|next|prev|advance|distance|iter_\w+"
    r"|\w*(insert|iterator|sentinel)\w*",
    "limits": r"numeric_limits",
    "map": r"(multi)?map|erase_if",
    "memory": r"\w+_ptr\w*|make_(unique|shared)\w*|\w*(alloc|align|destroy)\w*|addressof|to_address|\w*pointer_\w+"
    r"|default_delete|enable_shared_from_this|uninitialized_\w+|construct_at|owner_\w+",
    "mutex": r"\w*mutex|\w*lock\w*|once_flag|call_once",
    "numeric": r"accumulate|\w*reduce|inner_product|partial_sum|adjacent_difference|\w+_scan|iota|gcd|lcm|midpoint",
    "optional": r"\w*optional\w*|nullopt\w*|in_place",
    "set": r"(multi)?set|erase_if",
    "span": r"span|as_\w*bytes|dynamic_extent",
    "sstream": r"\w*string(stream|buf)",
    "stdexcept": r"\w+_error|invalid_argument|out_of_range",
    "string": r"\w*string|to_w?string|sto\w+|char_traits|getline|\w*literals|erase(_if)?",
    "string_view": r"\w*string_view|\w*literals",
    "system_error": r"err\w*|\w+_category|system_error|\w+_error_\w+",
    "thread": r"\w*thread|stop_\w+",
    "tuple": r"\w*tuple\w*|tie|apply|get|ignore",
    "unordered_map": r"unordered_(multi)?map|erase_if",
    "unordered_set": r"unordered_(multi)?set|erase_if",
    "utility": r"move\w*|forward|swap|exchange|\w*pair|as_const|declval|\w+_sequence\w*|in_range|cmp_\w+|in_place\w*"
    r"|piecewise_construct|get|tuple_\w+",
    "variant": r"variant\w*|visit|get(_if)?|holds_alternative|monostate|bad_variant_access",
    "vector": r"vector|erase(_if)?",
} | {name: name for name in ("bitset", "deque", "numbers")}
OTHER_NAMES = {
    "array": r"std::(to_)?array\b",
    "cassert": r"\bassert\b",
    "cctype": r"\b(is(alnum|alpha|blank|cntrl|x?digit|graph|print|punct|space)|(is|to)(lower|upper))\b",
    "cerrno": r"\berrno\b|\bE[A-Z0-9]+\b",
    "chrono": r"chrono|literals|file_time",
    "cmath": r"\b(l?l?r(ound|int)|nearbyint|ceil|floor|trunc|f?abs|fma|fmod|remainder|remquo|f(max|min|dim)|exp2?|expm1"
    r"|i?log(1p|2|10|b)?|pow|sqrt|cbrt|hypot|a?(sin|cos|tan)h?|atan2|erfc?|[lt]gamma|frexp|ldexp|modf|scalbl?n|lerp"
    r"|next(after|toward)|copysign|nan|is(finite|inf|nan|normal)|signbit|NAN|INFINITY|HUGE_VAL|M_\w+)\b",
    "cstddef": r"\b(size_t|ptrdiff_t|nullptr_t|max_align_t|offsetof|NULL)\b|std::(byte|to_integer)",
    "cstdint": r"\bu?int\w*_t\b|\bU?INT\w+_",
    "cstring": r"\b(mem|str)[a-z]+\b",
    "filesystem": r"\bfs::|filesystem",
    "ostream": r"<<|std::(\w*stream|endl|flush|ends|ios)|\.(write|put|flush)\(",
}
USES = {name: re.compile(rf"\bstd::(ranges::)?({names})\b") for name, names in STD_NAMES.items()} | {
    name: re.compile(names) for name, names in OTHER_NAMES.items()
}

INCLUDE = re.compile(r'\s*#\s*include\s*(<([^>]+)>|"([^"]+)")')
COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def without_comments(text):
    """The text with comments blanked and every line still in its place."""

    def blank(match):
        found = match.group()
        return found if found.startswith('"') else "\n" * found.count("\n")

    return COMMENT.sub(blank, text)


def is_within(folder, place):
    """Whether the folder is the place, or inside it."""
    return folder == place or folder.startswith(place + "/")


def may_include_folder(folder, name):
    """Whether a file of the folder may include "ntune/<name>"."""
    owner, slash, _ = name.rpartition("/")
    if not slash:
        return True  # ntune/version.h
    if owner not in FOLDERS:
        return False
    if folder in (APPS, owner):
        return True
    return any(
        is_within(owner, entry[:-2]) if entry.endswith("/*") else entry in (owner, name)
        for entry in FOLDERS[folder]
    )


def disorder(folders):
    """What is wrong with the order of a table of folders: each may include those above it alone."""
    above = set()
    for folder, entries in folders.items():
        for entry in entries:
            if entry.endswith("/*"):
                named = {other for other in folders if is_within(other, entry[:-2])} - {folder}
            else:
                named = {entry.rpartition("/")[0] if "." in entry else entry}
            for other in sorted(named - above):
                yield f"scripts/layers.py:1: folder {folder} may include {other}, which does not stand above it"
        above.add(folder)


def may_include(folder, place, name, quoted):
    """Whether a file of the folder, at the place <folder>/<file>, may include the name."""
    if name.startswith("ntune/"):
        return may_include_folder(folder, name[len("ntune/") :])
    if quoted:
        # A path that is not "ntune/…" would go around the table.
        return folder == APPS and name.startswith("apps/")
    return all(
        any(is_within(place, allowed) for allowed in places)
        for pattern, places in LIBRARIES
        if re.match(pattern, name)
    )


def violations_of(root, path, folder, place):
    text = without_comments(path.read_text(encoding="utf-8"))
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        name = match.group(2) or match.group(3)
        if not may_include(folder, place, name, quoted=match.group(3) is not None):
            where = path.relative_to(root).as_posix()
            yield f"{where}:{number}: folder {folder} may not include {name}"


def sources(root):
    """(path, folder, place) of every source file below lib/ntune and apps."""
    for top in ("lib/ntune", "apps"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".h", ".cpp") or not path.is_file():
                continue
            inner = path.relative_to(root / top)
            if top == "apps":
                yield path, APPS, (pathlib.PurePosixPath(APPS) / inner).with_suffix("").as_posix()
            else:
                yield path, inner.parent.as_posix(), inner.with_suffix("").as_posix()


def check(root):
    """(number of files, list of violations) of the tree at root."""
    count = 0
    violations = list(disorder(FOLDERS))
    for path, folder, place in sources(root):
        count += 1
        if folder != APPS and folder not in FOLDERS:
            where = path.relative_to(root).as_posix()
            violations.append(f"{where}:1: folder {folder} is not in the table of layers.py")
            continue
        violations.extend(violations_of(root, path, folder, place))
    return count, violations


def unused(root):
    """The violations of the tree at root by standard headers of which nothing is used."""
    for top in ("lib/ntune", "apps", "tests", "benchmarks/programs"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in (".h", ".cpp") or not path.is_file():
                continue
            lines = without_comments(path.read_text(encoding="utf-8")).splitlines()
            includes = [INCLUDE.match(line) for line in lines]
            rest = "\n".join(line for line, include in zip(lines, includes) if not include)
            for number, include in enumerate(includes, 1):
                name = include and include.group(2)
                if name in USES and not USES[name].search(rest):
                    yield f"{path.relative_to(root).as_posix()}:{number}: nothing of <{name}> is used"


def listing(root):
    """Lines that say how large every folder is and which folders it uses, and a total."""
    files = {}
    lines = {}
    uses = {}
    for path, folder, _ in sources(root):
        files[folder] = files.get(folder, 0) + 1
        text = path.read_text(encoding="utf-8")
        lines[folder] = lines.get(folder, 0) + text.count("\n")
        for include in re.findall(r'#include "ntune/([^"]+)/[^/"]+"', text):
            if include != folder:
                uses.setdefault(folder, {}).setdefault(include, 0)
                uses[folder][include] += 1
    yield f"{'folder':30} {'files':>5} {'lines':>6}  uses"
    for folder in sorted(files):
        used = ", ".join(sorted(uses.get(folder, {})))
        yield f"{folder:30} {files[folder]:5} {lines[folder]:6}  {used}"
    arrows = sum(len(used) for used in uses.values())
    yield f"{len(files)} folders, {sum(files.values())} files, {sum(lines.values())} lines, {arrows} arrows"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    home = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=home)
    parser.add_argument("--list", action="store_true",
                        help="print every folder with its files, lines and the folders that it uses")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(listing(arguments.root.resolve())))
        return 0
    count, violations = check(arguments.root.resolve())
    violations.extend(unused(arguments.root.resolve()))
    for violation in violations:
        print(violation)
    if violations:
        return 1
    print(f"layers: the direction of use is kept ({count} files)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
