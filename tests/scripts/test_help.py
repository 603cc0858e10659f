"""Every shell script says what it does, and does nothing else, when asked for help."""

import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class HelpTest(unittest.TestCase):
    def test_help_names_the_script_and_makes_nothing(self):
        scripts = sorted(path for path in (ROOT / "scripts").glob("*.sh") if path.name != "help.sh")
        self.assertGreater(len(scripts), 10)
        for script in scripts:
            for option in ("--help", "-h"):
                with self.subTest(script=script.name, option=option):
                    before = sorted(ROOT.iterdir())
                    outcome = subprocess.run([script, option], cwd=ROOT, capture_output=True, text=True, timeout=60)
                    self.assertEqual(outcome.returncode, 0, outcome.stderr)
                    self.assertEqual(outcome.stderr, "")
                    name = "arena.py" if script.name == "arena.sh" else script.name
                    self.assertIn(name, outcome.stdout.splitlines()[0])
                    self.assertEqual(sorted(ROOT.iterdir()), before)


if __name__ == "__main__":
    unittest.main()
