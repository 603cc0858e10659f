"""The examples of documents and docstrings, the notebook."""

import contextlib
import doctest
import importlib.util
import io
import os
import pathlib
import re
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

    @unittest.skipUnless(importlib.util.find_spec("optuna"), "skipped: optuna is not installed")
    def test_from_optuna(self):
        text = (HERE.parents[1] / "configs/optuna.md").read_text()
        blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
        self.assertEqual(len(blocks), 3)
        execute("\n".join(blocks), "optuna.md")

    def test_first_page(self):
        text = (HERE.parents[1] / "README.md").read_text()
        block = re.search(r"^```python\n(.*?)^```", text, re.M | re.S).group(1)
        shown = re.search(r"^print\(result\)  # (.*)$", block, re.M).group(1)
        sys.path.insert(0, str(HERE.parent / "examples"))
        try:
            scope = {"__name__": "example"}
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(compile(block, "README.md", "exec"), scope)  # pylint: disable=exec-used
        finally:
            sys.path.pop(0)
        self.assertEqual(printed.getvalue().strip(), shown)

    def test_notebook(self):
        text = (HERE / "examples/notebook.py").read_text()
        self.assertGreater(text.count("# %%\n"), 3)
        self.assertIn("pig.html", execute(text, "notebook.py"))


if __name__ == "__main__":
    unittest.main()
