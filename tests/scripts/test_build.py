"""What scripts/build.sh says, with a cmake that only prints what Ninja would."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

STEPS = r"""
echo 'ninja: Entering directory'
echo '[0/2] Re-checking globbed directories...'
echo '-- Configuring done'
for i in $(seq 1 40); do echo "[$i/40] Building CXX object file_$i.cpp.o"; done
"""


class Build(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        (self.tree / "scripts").mkdir()
        shutil.copy(ROOT / "scripts/build.sh", self.tree / "scripts")
        shutil.copy(ROOT / "scripts/help.sh", self.tree / "scripts")

    def build(self, cmake, *arguments):
        """Runs build.sh in its own tree, where cmake is this shell text."""
        program = self.tree / "bin/cmake"
        program.parent.mkdir(exist_ok=True)
        program.write_text(f'#!/bin/bash\necho "cmake $*" >>calls\n{cmake}')
        program.chmod(0o755)
        path = f"{program.parent}:{os.environ['PATH']}"
        return subprocess.run([self.tree / "scripts/build.sh", *arguments], capture_output=True,
                              text=True, check=False, env={**os.environ, "PATH": path})

    def calls(self):
        return (self.tree / "calls").read_text().splitlines()

    def test_progress_in_a_few_lines(self):
        done = self.build(f'[[ $1 == --build ]] || exit 0\n{STEPS}', "release", "ntune")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "")
        lines = done.stderr.splitlines()
        self.assertEqual(lines[0], "building ntune: configuring")
        self.assertRegex(lines[1], r"^building ntune: step 1 of 40, \d+ s$")
        self.assertRegex(lines[-1], r"^building ntune: step 40 of 40, \d+ s$")
        self.assertLess(len(lines), 15)
        self.assertEqual(self.calls(), ["cmake --preset release",
                                        "cmake --build build/release --target ntune"])

    def test_errors_in_full(self):
        cmake = """[[ $1 == --build ]] || exit 0
echo '[1/2] Building CXX object a.cpp.o'
echo 'FAILED: a.cpp.o'
echo 'a.cpp:1:1: error: no'
echo '  -- text -- of the compiler'
echo 'ninja: build stopped: subcommand failed.'
exit 1"""
        done = self.build(cmake, "test")
        self.assertEqual(done.returncode, 1)
        for line in ("FAILED: a.cpp.o", "a.cpp:1:1: error: no", "  -- text -- of the compiler",
                     "ninja: build stopped: subcommand failed."):
            self.assertIn(line, done.stderr.splitlines())
        self.assertEqual(self.calls()[1], "cmake --build build/release")

    def test_errors_of_cmake(self):
        done = self.build("echo 'CMake Error: no compiler'\nexit 1", "test")
        self.assertEqual(done.returncode, 1)
        self.assertIn("CMake Error: no compiler", done.stderr)

    def test_a_configured_folder_stays_for_release(self):
        (self.tree / "build/release").mkdir(parents=True)
        (self.tree / "build/release/build.ninja").touch()
        self.assertEqual(self.build("exit 0", "release", "ntune").stderr, "")
        self.assertEqual(self.calls(), ["cmake --build build/release --target ntune"])
        self.build("exit 0", "test")
        self.assertIn("cmake --preset test", self.calls())

    def test_games_are_added_once(self):
        cache = self.tree / "build/release/CMakeCache.txt"
        cache.parent.mkdir(parents=True)
        cache.write_text("NTUNE_GAMES:BOOL=OFF\n")
        self.build("exit 0", "games", "ntune")
        self.assertEqual(self.calls()[0], "cmake --preset games")
        cache.write_text("NTUNE_GAMES:BOOL=ON\n")
        self.build("exit 0", "games", "ntune")
        self.assertEqual(self.calls()[2:], ["cmake --build build/release --target ntune"])


if __name__ == "__main__":
    unittest.main()
