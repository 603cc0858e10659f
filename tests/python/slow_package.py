"""The types, and the package as pip makes it."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import ntune

HERE = pathlib.Path(__file__).resolve().parents[2] / "apps/python"


class Package(unittest.TestCase):
    def test_types(self):
        if importlib.util.find_spec("mypy") is None:
            self.skipTest("mypy is not installed")
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports",
                               "--allow-subclassing-any", "--cache-dir", os.devnull, HERE / "ntune"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_types_of_keywords(self):
        """Every key of a study file is one, and no other."""
        if importlib.util.find_spec("mypy") is None:
            self.skipTest("mypy is not installed")
        with self.assertRaises(ValueError) as caught:
            ntune.Study(space={"x": [1]}, zzz=1)
        keys = set(re.split(", | and ", str(caught.exception).partition("allowed: ")[2]))
        given = sorted(keys - {"objective", "objectives", "space", "seed", "published", "extended_from"})
        every = ", ".join(f"{key}=given" for key in given)
        lines = ["from typing import Any", "import ntune", "given: Any = 1", "space = {'x': [1]}",
                 f"one: ntune.Result = ntune.maximise(len, space, evaluations=1, parallel=2, match=True, {every})",
                 f"two: ntune.Result = ntune.minimise(len, space, evaluations=1, {every})",
                 f"ntune.Optimiser(space, evaluations=1, {every})", f"ntune.Study(space=space, {every})",
                 "ntune.maximise(len, space, evaluations=1, paralel=4)", "ntune.minimise(len, space, bugdet=4)",
                 "ntune.Optimiser(space, evalutions=4)", "ntune.Study(space=space, parallel=4)"]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "use.py"
            file.write_text("\n".join(lines))
            done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent",
                                   "--ignore-missing-imports", "--cache-dir", os.devnull, file],
                                  capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(HERE)})
        wrong = re.findall(r"use.py:(\d+): error: Unexpected keyword", done.stdout)
        self.assertEqual((wrong, done.stdout.count("error:")), (["9", "10", "11", "12"], 4), done.stdout)

    def test_wheel(self):
        if importlib.util.find_spec("pip") is None or importlib.util.find_spec("wheel") is None:
            self.skipTest("python3-pip and python3-wheel are not installed")
        with tempfile.TemporaryDirectory() as name:
            scratch = pathlib.Path(name)
            done = subprocess.run([sys.executable, "-m", "pip", "wheel", "--no-index", "--no-deps", "-w",
                                   scratch, HERE], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            wheel = next(scratch.glob("ntune-*.whl"))
            self.assertIn(f"ntune-{ntune.__version__}-", wheel.name)
            version = subprocess.run([sys.executable, "-c", "import ntune; print(ntune.__version__)"],
                                     env={**os.environ, "PYTHONPATH": self.unpacked(wheel, scratch)},
                                     capture_output=True, text=True)
            self.assertEqual(version.stdout.strip(), ntune.__version__, version.stderr)

    def test_install(self):
        """Into a virtual environment of its own."""
        if importlib.util.find_spec("ensurepip") is None:
            self.skipTest("python3-venv is not installed")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
            python = folder / "bin/python"
            done = subprocess.run([python, "-m", "pip", "install", "--no-index", HERE], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            elsewhere = {key: text for key, text in os.environ.items() if key != "PYTHONPATH"}
            where = subprocess.run([python, "-c", "import ntune; print(ntune.__version__, ntune.__file__)"],
                                   env=elsewhere, cwd=folder, capture_output=True, text=True)
            self.assertTrue(where.stdout.startswith(f"{ntune.__version__} {folder}"), where.stdout + where.stderr)

    @staticmethod
    def unpacked(wheel, scratch):
        import zipfile

        target = scratch / "unpacked"
        zipfile.ZipFile(wheel).extractall(target)
        return str(target)


if __name__ == "__main__":
    unittest.main()
