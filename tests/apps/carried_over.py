#!/usr/bin/env python3
"""Carries out what guides show: of those from other programs files, commands, and what these print; a study; a fleet.

A block of code that is named is written as that file. Lines of commands that begin with `$` are left out, since they
need programs of others. Each line of a block named `printed` must have been printed, or stand in a file, up to its end
or a comment.
"""

import argparse
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NTUNE = ROOT / "build/release/apps/ntune"
GUIDES = ("engines", "irace", "tag")


def section_of(guide):
    """From the words `A case carried over whole` to the next heading."""
    text = (ROOT / f"configs/{guide}.md").read_text(encoding="utf-8")
    return re.split(r"^## ", text[text.index("A case carried over whole"):], maxsplit=1, flags=re.MULTILINE)[0]


def begin(command, folder):
    environment = {**os.environ, "PATH": f"{NTUNE.parent}:{os.environ['PATH']}"}
    return subprocess.Popen(["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class CarriedOver(unittest.TestCase):
    def output_of(self, command, folder):
        return self.end(begin(command, folder))

    def end(self, process):
        try:
            out, errors = process.communicate(timeout=60)
        finally:
            process.kill()
        self.assertEqual(process.returncode, 0, f"{process.args}: {errors}")
        return out

    def carry_over(self, guide, folder):
        section = section_of(guide)
        files = re.findall(r"^```\w+ (\S+)\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
        expected = dict(files).pop("printed").split("\n")
        for name, text in files:
            (folder / name).write_text(text, encoding="utf-8")
        commands = re.findall(r"^    ([^ $].*)$", re.sub(r"^```.*?^```", "", section, flags=re.MULTILINE | re.DOTALL),
                              re.MULTILINE)
        self.assertGreater(len(commands), 1)
        printed = "".join(self.output_of(command, folder) for command in commands)
        written = [path for path in folder.iterdir() if path.is_file()]
        lines = (printed + "\n".join(path.read_text(encoding="utf-8") for path in written)).split("\n")
        for line in filter(None, expected):
            self.assertIn(line, {found.partition("  # ")[0].rstrip() for found in lines}, guide)

    def test_guides(self):
        for guide in GUIDES:
            with self.subTest(guide=guide), tempfile.TemporaryDirectory() as folder:
                for part in ("configs", "benchmarks/irace", "apps/examples"):
                    shutil.copytree(ROOT / part, pathlib.Path(folder, part))
                self.carry_over(guide, pathlib.Path(folder))

    def test_the_study_of_the_first_page(self):
        """The guide to study files begins with one, in a block without a name."""
        text = (ROOT / "configs/README.md").read_text(encoding="utf-8")
        block = re.search(r"(?:^    .*\n)+", text, re.MULTILINE).group()
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "study.yaml").write_text(block, encoding="utf-8")
            self.assertIn("ntbea weighting=inverse_root: 10 x 1,000", self.output_of("ntune check study.yaml", folder))

    def test_fleet(self):
        """The server and a worker of the machines at home, both here."""
        guide = (ROOT / "configs/clusters.md").read_text(encoding="utf-8")
        home = f"127.0.0.1:{free_port()}"
        serve, work = (re.search(rf"^    (ntune {name} .*)$", guide, re.MULTILINE).group(1)
                       .replace("https://192.168.1.10:8765", f"http://{home}").replace("192.168.1.10:8765", home)
                       for name in ("serve study.yaml", "work"))
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            self.output_of("ntune init --budget 20 -- echo {x:1..8=4}", folder)
            server = begin(f"exec {serve}", folder)
            self.addCleanup(server.kill)
            for _ in range(600):
                if (folder / "home.token").exists():
                    break
                time.sleep(0.1)
            self.output_of(work, folder)
            self.end(server)
            self.assertIn("20 calls", self.output_of("ntune status results/home", folder))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ntune", type=pathlib.Path, default=NTUNE)
    known, rest = parser.parse_known_args()
    NTUNE = known.ntune.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
