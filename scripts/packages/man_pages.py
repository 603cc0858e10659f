#!/usr/bin/env python3
"""Makes man pages of programs and of each of their commands from their help texts, with help2man.

man_pages.py --out FOLDER PROGRAM...

`ntune` becomes ntune.1, `ntune run` ntune-run.1. The date is SOURCE_DATE_EPOCH where that is set.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile


def commands_in(text):
    """The names and one-line descriptions of the commands that a help text lists."""
    if not re.search(r"^Usage: .*\bSUBCOMMAND\b", text, re.M):
        return []
    sections = re.split(r"^(\S.*):$", text, flags=re.M)[1:]
    return [entry for title, body in zip(sections[::2], sections[1::2]) if title != "Options"
            for entry in re.findall(r"^  ([a-z][\w-]*) {2,}(\S.*)$", body, re.M)]


def first_line(text):
    """What a program is, from the first sentence of its help, without its name."""
    sentence = re.split(r"[.:](?=\s|$)", " ".join(text.split("Usage:")[0].split()))[0]
    return re.sub(r"^\w+ (is )?", "", sentence)


def make_page(program, path, description, version, out, others):
    """One page of a command, which is the path of names below a program."""
    name = "-".join([program.name, *path])
    with tempfile.NamedTemporaryFile("w", suffix=".h2m") as include:
        seen = ", ".join(f"\\fB{other}\\fR(1)" for other in sorted(set(others) - {name}))
        include.write(f"[see also]\n{seen}\n.PP\nThe documents are in /usr/share/doc/ntune/documents, from README.md on.\n")
        include.flush()
        done = subprocess.run(
            ["help2man", "--no-info", "--locale=C.UTF-8", f"--version-string={version}", f"--source=ntune {version}",
             "--name=NAME", f"--include={include.name}", " ".join([str(program), *path])],
            capture_output=True, text=True, encoding="utf-8")
    if done.returncode:
        sys.exit(f"{name}: {done.stderr.strip()}")
    page = re.sub(r'^\.TH .*? "1"', f'.TH {name.upper()} "1"', done.stdout, count=1, flags=re.M)
    # help2man reads --name as Latin 1, and takes a command for its program.
    page = re.sub(r"^\.SH NAME\n.*$", lambda _: f".SH NAME\n{name} \\- {description}", page, count=1, flags=re.M)
    (out / f"{name}.1").write_text(page, encoding="utf-8")


def make_pages(program, out):
    """The pages of a program and of all its commands."""
    def run(*arguments):
        return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout

    version = re.search(r"\d+(\.\d+)+", run("--version")).group()
    pages = {}  # path of names: description

    def walk(path, description):
        text = run(*path, "--help")
        pages[path] = description or first_line(text)
        for command, help_line in commands_in(text):
            walk((*path, command), help_line)

    walk((), "")
    for path, description in pages.items():
        near = [other for other in pages if other[:-1] == path or other == path[:-1]]
        make_page(program, path, description, version, out, ["-".join([program.name, *other]) for other in near])
    return len(pages)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("programs", nargs="+", type=pathlib.Path, metavar="PROGRAM")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    count = sum(make_pages(program.resolve(), arguments.out) for program in arguments.programs)
    print(f"{count} man pages in {arguments.out}")


if __name__ == "__main__":
    main()
