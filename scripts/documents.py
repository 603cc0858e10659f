#!/usr/bin/env python3
"""Reports what is wrong with the documents of this tree: every file that ends in .md.

Checked are the length of sentences, links, files that are named, the version that has made a page, and with
--programs the commands and options of our programs. Exit status 1 where anything is wrong.
"""

import argparse
import functools
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys

LONGEST = 30  # words of a sentence
FIRST_PAGE = 130  # lines of README.md
PROGRAMS = ("ntune", "bao", "slide3", "amazons", "arcade")
SKIPPED_FOLDERS = {"build", ".git", "results", "node_modules"}
# Files that programs write, or that belong to other programs or to the reader.
FOREIGN_FILES = re.compile(
    r"""(.*/)?(
        result(-\d+)?\.json | workers\.json | runs\.csv | journal\.log | trials\.log | (train|first)\.txt | levels\.csv
        | (my|old|study|STUDY|lab|splits|nob|hartmann6_large)\.ya?ml | FILE.* | [A-Z]+\.(csv|svg|html|json|yaml)
        | (page|report|\w)\.html | (agent|hard|scenario|arena|summary|peers|table_s1)\.\w+ | CMakeLists\.txt
        | (convergence|ranks|own|my\w*|trace|values|weights|out)\.\w+ )""",
    re.VERBOSE)
FILE_NAME = re.compile(r"[\w./*-]*\w\.(md|py|sh|yaml|csv|h|cpp|in|json|txt|svg|png|java|sbatch|epd|cmake)")
TOP_FOLDERS = ("apps", "benchmarks", "configs", "lib", "scripts", "tests")
OPTIONS_OF_OTHERS = {"--break-system-packages"}


class Document:
    """A file with its prose, its code blocks and its spans in back quotes, each with its line."""

    def __init__(self, root, path):
        self.root = root
        self.path = path
        self.name = path.relative_to(root).as_posix()
        self.text = path.read_text(encoding="utf-8")
        self.prose = []  # (line, paragraph)
        self.code = []  # (line, text), continued lines joined
        self.cells = []  # (line, row of a table)
        self.headings = set()
        self._read()
        self.spans = [(line, span) for line, text in self.prose + self.cells
                      for span in re.findall(r"`+([^`]+)`+", text)]

    def _read(self):
        paragraph, begin, fenced, listed = [], 0, False, False

        def flush():
            if paragraph:
                self.prose.append((begin, " ".join(paragraph)))
                paragraph.clear()

        for number, line in enumerate(self.text.split("\n"), 1):
            stripped = line.strip()
            if stripped.startswith("```"):
                flush()
                fenced = not fenced
            elif fenced or (line.startswith("    ") and not paragraph and not listed):
                self._add_code(number, stripped)
            elif not stripped:
                flush()
                listed = listed and not paragraph
            elif stripped.startswith("#"):
                flush()
                title = stripped.lstrip("# ")
                self.headings.add(anchor(title))
                self.prose.append((number, title))
            elif stripped.startswith("|"):
                flush()
                self.cells.append((number, stripped.replace("\\|", "\0")))
            else:
                item = re.match(r"([-*]|\d+\.) ", stripped)
                if item:
                    flush()
                    stripped = stripped[item.end():]
                if not paragraph:
                    begin = number
                paragraph.append(stripped)
        flush()

    def _add_code(self, number, text):
        if self.code and self.code[-1][1].endswith("\\"):
            line, before = self.code[-1]
            self.code[-1] = (line, before[:-1] + text)
        else:
            self.code.append((number, text))

    def at(self, line, message):
        return f"{self.name}:{line}: {message}"


def anchor(title):
    """The name by which a heading can be linked to."""
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "")
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def sentences(paragraph):
    """Its sentences. What stands in back quotes is one word, a link is its text."""
    plain = re.sub(r"`+[^`]+`+", "code", paragraph)
    plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", plain)
    plain = re.sub(r"\b(et al|vs|ca|e\.g|i\.e|Fig|No)\.", r"\1", plain)
    return re.split(r"(?<=[.!?])[)*_\"']*\s+(?=\W*[\w])", plain)


def words(sentence):
    return sum(1 for word in sentence.split() if re.search(r"\w", word))


def long_sentences(document):
    for line, paragraph in document.prose:
        for sentence in sentences(paragraph):
            if words(sentence) > LONGEST:
                yield document.at(line, f"a sentence of {words(sentence)} words: {sentence[:70]}…")


def dead_links(document, documents):
    for line, text in document.prose + document.cells:
        for target in re.findall(r"\]\(([^)]+)\)", re.sub(r"`+[^`]+`+", "", text)):
            if re.match(r"\w+:", target):
                continue
            name, _, fragment = target.partition("#")
            path = (document.path.parent / name).resolve() if name else document.path
            if not path.exists():
                yield document.at(line, f"the link to {target} is dead")
            elif fragment and path in documents and fragment not in documents[path].headings:
                yield document.at(line, f"{name or 'this page'} has no heading #{fragment}")


def missing_files(document, files):
    for line, span in document.spans:
        name = span.split(" ")[0].removeprefix("./").rstrip("/")
        while name.startswith("../"):
            name = name[3:]
        is_path = name.startswith(tuple(f"{folder}/" for folder in TOP_FOLDERS))
        if not (FILE_NAME.fullmatch(name) or (is_path and re.fullmatch(r"[\w./-]+", name))):
            continue
        if name.startswith("build/") or re.search(r"[*{}<>]", name) or FOREIGN_FILES.fullmatch(name):
            continue
        if f"/{name}" not in files:
            yield document.at(line, f"`{name}` is no file of this tree")


class Programs:
    """The commands and options of the programs in a folder, as their help has them."""

    def __init__(self, folder):
        self.folder = folder

    @functools.lru_cache(maxsize=None)
    def help(self, program, *command):
        arguments = [self.folder / program, *command, "--help"]
        result = subprocess.run(arguments, capture_output=True, text=True, timeout=60, check=False)
        return result.stdout if result.returncode == 0 else ""

    @functools.lru_cache(maxsize=None)
    def commands(self, program, *command):
        # Commands stand in groups below the options, each group under a title of its own.
        listed = self.help(program, *command).partition("Options:")[2]
        return set(re.findall(r"^  (\w[\w-]*)\s", listed, re.MULTILINE))

    def options(self, program, *command):
        return set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", self.help(program, *command)))

    def all_options(self):
        return {option for program in PROGRAMS
                for command in [(), *((name,) for name in self.commands(program))]
                for option in self.options(program, *command)}


def command_lines(document):
    """(line, words) of every command line that names one of our programs."""
    places = document.code + document.spans
    for line, text in places:
        text = re.sub(r"(^|\s)#.*", "", text)
        for part in re.split(r"&&|\|\|?|;|\$\(|<\(", text):
            tokens = re.sub(r"[\[\]()]", " ", part.replace("…", " ")).split()
            for at, token in enumerate(tokens):
                if pathlib.PurePath(token).name in PROGRAMS and re.match(r"[\w./$-]+$", token):
                    follows = tokens[at + 1] if at + 1 < len(tokens) else ""
                    if re.match(r"[a-z]", follows):
                        yield line, [pathlib.PurePath(token).name, *tokens[at + 1:]]
                    break


def is_command_line(tokens):
    """False for prose or YAML that begins with the name of a program, such as `[bao, file]`."""
    return not tokens[1].endswith((":", ",")) and re.fullmatch(r"[a-z][\w\0-]*", tokens[1])


def unknown_commands(document, programs):
    for line, tokens in command_lines(document):
        program = tokens[0]
        if not is_command_line(tokens):
            continue
        names = tokens[1].split("\0")
        unknown = [name for name in names if name not in programs.commands(program)]
        if unknown:
            yield document.at(line, f"{program} has no command '{unknown[0]}'")
            continue
        known = set().union(*(programs.options(program, name) for name in names))
        if len(tokens) > 2 and len(names) == 1 and tokens[2] in programs.commands(program, names[0]):
            known |= programs.options(program, names[0], tokens[2])
        own = tokens[:tokens.index("--")] if "--" in tokens else tokens  # behind it stands another program
        for token in own[2:]:
            for option in token.split("\0"):
                match = re.match(r"--?[a-zA-Z][\w-]*", option)
                if match and match.group() not in known:
                    yield document.at(line, f"{program} {tokens[1]} has no option '{match.group()}'")


def unknown_options(document, known, sources):
    """Options that stand alone in back quotes, and that no program and no script has."""
    for line, span in document.spans:
        match = re.fullmatch(r"(--[a-z][\w-]+)([ =].*)?", span)
        if match and match.group(1) not in known and match.group(1) not in sources:
            yield document.at(line, f"no program has the option '{match.group(1)}'")


def missing_keys(root):
    """Keys of a study file that the guide to study files does not name."""
    schema = json.loads((root / "configs/study.schema.json").read_text(encoding="utf-8"))
    guide = (root / "configs/README.md").read_text(encoding="utf-8")
    return [f"configs/README.md:1: does not name the key '{key}'" for key in schema["properties"]
            if not re.search(rf"`{key}[`:]", guide)]


def project_version(root):
    return re.search(r"^\s*VERSION ([\d.]+)$", (root / "CMakeLists.txt").read_text(encoding="utf-8"),
                     re.MULTILINE).group(1)


def version_of_changes(root):
    """The first version in CHANGES.md is that of the project."""
    newest = re.search(r"^## ([\d.]+)$", (root / "CHANGES.md").read_text(encoding="utf-8"), re.MULTILINE)
    if not newest or newest.group(1) != project_version(root):
        return ["CHANGES.md:1: its first version is not that of CMakeLists.txt"]
    return []


def made_by_other_versions(root):
    """Pages that ntune has written, and headers of journals in documents, that another version has made."""
    recorded = re.compile(r'<meta name="generator" content="[^"]*ntune ([\d.]+)"|\{"ntune":\{[^}]*"version":"([\d.]+)"')
    version = project_version(root)
    for path in sorted(path for path in root.rglob("*.*") if path.suffix in (".html", ".md")):
        name = path.relative_to(root)
        if SKIPPED_FOLDERS & set(name.parts[:1]):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            found = recorded.search(line)
            if found and version not in found.groups():
                yield f"{name.as_posix()}:{number}: was made by version {found.group(1) or found.group(2)}"


def read_documents(root):
    paths = sorted(path for path in root.rglob("*.md")
                   if not SKIPPED_FOLDERS & set(path.relative_to(root).parts[:1]))
    return {path: Document(root, path) for path in paths}


def names_of_files(root):
    """Every path of the tree and every end of it, with and without extension; folders too."""
    names = set()
    for path in root.rglob("*"):
        inside = path.relative_to(root)
        if SKIPPED_FOLDERS & {inside.parts[0]}:
            continue
        parts = inside.parts
        for at in range(len(parts)):
            end = "/" + "/".join(parts[at:])
            names.update((end, end.removesuffix(path.suffix)))
    return names


def texts_of_programs(root):
    """Scripts, examples and benchmarks, in which their options stand."""
    folders = ("scripts", "benchmarks", "apps/examples", "tests", "apps/python")
    paths = (path for folder in folders for path in (root / folder).rglob("*")
             if path.suffix in (".py", ".sh", ".cpp", ".java"))
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def check(root, programs=None):
    """(documents, list of what is wrong) of the tree at root."""
    documents = read_documents(root)
    files = names_of_files(root)
    wrong = []
    for document in documents.values():
        wrong.extend(long_sentences(document))
        wrong.extend(dead_links(document, documents))
        wrong.extend(missing_files(document, files))
        if programs:
            wrong.extend(unknown_commands(document, programs))
    if programs:
        known = programs.all_options() | OPTIONS_OF_OTHERS
        sources = texts_of_programs(root)
        for document in documents.values():
            wrong.extend(unknown_options(document, known, sources))
    first = documents.get(root / "README.md")
    if first and first.text.count("\n") > FIRST_PAGE:
        wrong.append(f"README.md:{FIRST_PAGE}: has more than {FIRST_PAGE} lines")
    if (root / "configs/study.schema.json").exists():
        wrong.extend(missing_keys(root))
    if (root / "CHANGES.md").exists():
        wrong.extend(version_of_changes(root))
        wrong.extend(made_by_other_versions(root))
    return documents, wrong


def lengths(documents):
    return [words(sentence) for document in documents for _, paragraph in document.prose
            for sentence in sentences(paragraph) if words(sentence) > 2]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    home = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("root", nargs="?", type=pathlib.Path, default=home)
    parser.add_argument("--programs", type=pathlib.Path, metavar="DIR",
                        help="folder of the built programs, whose commands and options are compared")
    parser.add_argument("--lengths", action="store_true", help="print the median length by document")
    arguments = parser.parse_args()
    programs = None
    if arguments.programs:
        absent = [name for name in PROGRAMS if not shutil.which(arguments.programs / name)]
        if absent:
            sys.exit(f"{arguments.programs}: has no program {absent[0]}")
        programs = Programs(arguments.programs.resolve())
    documents, wrong = check(arguments.root.resolve(), programs)
    if arguments.lengths:
        for document in documents.values():
            found = lengths([document])
            if found:
                print(f"{statistics.median(found):5.1f} {max(found):4} {document.name}")
    for message in wrong:
        print(message)
    found = lengths(documents.values())
    print(f"documents: {len(documents)}, {len(found)} sentences, {statistics.median(found):g} words in the "
          f"median, {max(found)} at most; {len(wrong)} to mend")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
