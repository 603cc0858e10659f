#!/usr/bin/env python3
"""Carries out what the guides from other programs show: their files, commands, and what these print.

A block of code that is named is written as that file. Lines of commands that begin with `$` are left out, since they
need programs of others. Each line of a block named `printed` must have been printed, or stand in a file, up to its end
or a comment.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NTUNE = ROOT / "build/release/apps/ntune"
GUIDES = ("engines", "irace", "tag")


def section_of(guide):
    """From the words `A case carried over whole` to the next heading."""
    text = (ROOT / f"configs/{guide}.md").read_text(encoding="utf-8")
    return re.split(r"^## ", text[text.index("A case carried over whole"):], maxsplit=1, flags=re.MULTILINE)[0]


class CarriedOver(unittest.TestCase):
    def carry_over(self, guide, folder):
        section = section_of(guide)
        files = re.findall(r"^```\w+ (\S+)\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
        expected = dict(files).pop("printed").split("\n")
        for name, text in files:
            (folder / name).write_text(text, encoding="utf-8")
        commands = re.findall(r"^    ([^ $].*)$", re.sub(r"^```.*?^```", "", section, flags=re.MULTILINE | re.DOTALL),
                              re.MULTILINE)
        self.assertGreater(len(commands), 1)
        environment = {**os.environ, "PATH": f"{NTUNE.parent}:{os.environ['PATH']}"}
        printed = ""
        for command in commands:
            done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True,
                                  timeout=60, check=False)
            self.assertEqual(done.returncode, 0, command + done.stderr)
            printed += done.stdout
        written = [path for path in folder.iterdir() if path.is_file()]
        lines = (printed + "\n".join(path.read_text(encoding="utf-8") for path in written)).split("\n")
        for line in filter(None, expected):
            self.assertIn(line, {found.partition("  # ")[0].rstrip() for found in lines}, guide)

    def test_guides(self):
        for guide in GUIDES:
            with self.subTest(guide=guide), tempfile.TemporaryDirectory() as folder:
                for part in ("configs", "benchmarks/irace"):
                    shutil.copytree(ROOT / part, pathlib.Path(folder, part))
                self.carry_over(guide, pathlib.Path(folder))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ntune", type=pathlib.Path, default=NTUNE)
    known, rest = parser.parse_known_args()
    NTUNE = known.ntune.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
