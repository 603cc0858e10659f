"""The examples of documents and docstrings, the notebook, the types, the package."""

import contextlib
import doctest
import importlib
import importlib.util
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import ntune

HERE = pathlib.Path(__file__).resolve().parents[2] / "apps/python"
MODULES = ("ntune", "ntune._plain", "ntune._space", "ntune._study", "ntune._result", "ntune._optimiser")


@contextlib.contextmanager
def folder():
    """Another current folder, for examples that write files."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        try:
            yield pathlib.Path(scratch)
        finally:
            os.chdir(before)


def execute(text, name):
    with folder() as scratch, contextlib.redirect_stdout(io.StringIO()):
        exec(compile(text, name, "exec"), {"__name__": "example"})  # pylint: disable=exec-used
        return {path.name for path in scratch.iterdir()}


class Documents(unittest.TestCase):
    def test_docstrings(self):
        for name in MODULES:
            found = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
            self.assertEqual(found.failed, 0, name)
        self.assertTrue(ntune.maximise.__doc__)

    def test_page(self):
        blocks = re.findall(r"^```python\n(.*?)^```", (HERE / "README.md").read_text(), re.M | re.S)
        self.assertGreater(len(blocks), 4)
        execute("\n".join(blocks), "README.md")

    def test_notebook(self):
        text = (HERE / "examples/notebook.py").read_text()
        self.assertGreater(text.count("# %%\n"), 3)
        self.assertIn("pig.html", execute(text, "notebook.py"))

    def test_types(self):
        if importlib.util.find_spec("mypy") is None:
            self.skipTest("mypy is not installed")
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports",
                               "--allow-subclassing-any", "--cache-dir", os.devnull, HERE / "ntune"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_wheel(self):
        if importlib.util.find_spec("pip") is None or importlib.util.find_spec("wheel") is None:
            self.skipTest("python3-pip and python3-wheel are not installed")
        with folder() as scratch:
            for name in ("ntune", "setup.py"):
                self.assertTrue((HERE / name).exists())
            done = subprocess.run([sys.executable, "-m", "pip", "wheel", "--no-index", "--no-deps", "-w",
                                   scratch, HERE], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            wheel = next(scratch.glob("ntune-*.whl"))
            self.assertIn(f"ntune-{ntune.__version__}-", wheel.name)
            version = subprocess.run([sys.executable, "-c", "import ntune; print(ntune.__version__)"],
                                     env={**os.environ, "PYTHONPATH": self.unpacked(wheel, scratch)},
                                     capture_output=True, text=True)
            self.assertEqual(version.stdout.strip(), ntune.__version__, version.stderr)

    @staticmethod
    def unpacked(wheel, scratch):
        import zipfile

        target = scratch / "unpacked"
        zipfile.ZipFile(wheel).extractall(target)
        return str(target)


if __name__ == "__main__":
    unittest.main()
