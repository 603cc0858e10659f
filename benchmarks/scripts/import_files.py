#!/usr/bin/env python3
"""What becomes of other people's files: one row a file.

usage: import_files.py NTUNE FOLDER > import_files.csv

Imports every file of the folder and checks the study that comes out. A space is checked with a
command that prints its parameters. Where the program or a folder that a scenario of irace names is
missing, an empty one stands in, since only the files are tried. The outcome is `checked`, or the message with
which the import or the check refuses the file.
"""

import argparse
import csv
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

REST = 'objective: {command: [echo, "{params:gnu}"]}\nbudget: 300\n'


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=120)


def first_line(text, folder):
    line = text.strip().split("\n")[0] if text.strip() else ""
    return line.replace(str(folder) + "/", "").replace(str(folder), ".")


def stand_in(message):
    """Makes the program or folder that this message misses; False where it is about other things."""
    folder = re.search(r"there is no folder '?([^']*)'?$", message)
    if folder:
        pathlib.Path(folder[1]).mkdir(parents=True)
        return True
    found = re.search(r"targetRunner: there is no file (.*)$", message)
    if not found:
        return False
    program = pathlib.Path(found[1])
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return True


def row(ntune, path, folder, work):
    name = str(path.relative_to(folder))
    imported = run(ntune, "import-space", str(path))
    while imported.returncode != 0 and stand_in(imported.stderr.strip()):
        imported = run(ntune, "import-space", str(path))
    if imported.returncode != 0:
        return [name, "", "", "", first_line(imported.stderr, folder)]
    heading = re.search(r"^# from .* \((.*?)\), ([\d,]+) parameters?,", imported.stdout, re.M)
    is_study = re.search(r"^objective:", imported.stdout, re.M)
    study = work / "study.yaml"
    study.write_text(imported.stdout + ("" if is_study else REST))
    checked = run(ntune, "check", str(study))
    notes = len(imported.stderr.strip().split("\n")) if imported.stderr.strip() else 0
    outcome = "checked" if checked.returncode == 0 else first_line(checked.stderr, folder)
    kind = heading[1] + (", a scenario" if is_study else "")
    return [name, kind, heading[2].replace(",", ""), notes, outcome]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ntune")
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(["file", "format", "parameters", "notes", "outcome"])
    with tempfile.TemporaryDirectory() as work:
        copy = pathlib.Path(work) / "files"
        shutil.copytree(arguments.folder, copy)
        for path in sorted(copy.rglob("*")):
            if path.is_file() and path.name != "SOURCE.txt":
                table.writerow(row(arguments.ntune, path, copy, pathlib.Path(work)))


main()
