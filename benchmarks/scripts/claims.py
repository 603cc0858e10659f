#!/usr/bin/env python3
"""Writes the claims of configs/claims/LABORATORY.csv into the pages of results, as tables.

A page has the table between the lines `<!-- claims -->` and `<!-- end of claims -->`. With --check
nothing is written; exit status 1 where a page differs from its file.
"""

import argparse
import collections
import csv
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LABORATORIES = ("arcade", "slide3", "bao", "amazons")
BEGIN = "<!-- claims -->\n"
END = "<!-- end of claims -->\n"


def cell(text):
    return text.replace("|", "\\|")


def common_count(claims):
    """What n is in more than two of these claims, in most of them; empty where there is none."""
    n, times = collections.Counter(claim["n"] for claim in claims).most_common(1)[0]
    return n if times > 2 else ""


def measured(claim, common):
    """What was measured, with its n unless that is the common one."""
    if claim["n"] == common:
        return claim["measured"]
    return claim["measured"] + (f"; n = {claim['n']}" if claim["n"] else "; exact")


def paper_table(paper, claims):
    """The claims of a paper, with numbers of the commands, and the commands below."""
    common = common_count(claims)
    text = f"\n{paper}" + (f"; n = {common}, unless a row has another" if common else "")
    text += ":\n\n| claim | measured | verdict | command |\n|---|---|---|---|\n"
    commands = list(dict.fromkeys((claim["command"], claim["time"]) for claim in claims))
    for claim in claims:
        number = commands.index((claim["command"], claim["time"])) + 1
        text += (f"| {cell(claim['place'])}: {cell(claim['claim'])} | {cell(measured(claim, common))} | "
                 f"{claim['verdict']} | {number} |\n")
    return text + "\n" + "".join(f"{n}. `{command}`, {time}\n" for n, (command, time) in enumerate(commands, 1))


def table(claims):
    """The claims as tables in Markdown, one for each paper."""
    papers = dict.fromkeys(claim["paper"] for claim in claims)
    return "".join(paper_table(paper, [c for c in claims if c["paper"] == paper]) for paper in papers) + "\n"


def with_table(page, claims):
    """The page with the table of these claims."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("has no lines for the claims")
    return before + BEGIN + table(claims) + END + after


def read_claims(laboratory, root=ROOT):
    with open(root / "configs" / "claims" / f"{laboratory}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    different = []
    for laboratory in LABORATORIES:
        path = ROOT / "benchmarks" / "results" / f"{laboratory}.md"
        page = path.read_text(encoding="utf-8")
        new = with_table(page, read_claims(laboratory))
        if new != page:
            different.append(path.relative_to(ROOT))
            if not check:
                path.write_text(new, encoding="utf-8")
    if check and different:
        print("not as their claims say:", *different)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
