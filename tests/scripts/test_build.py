"""What scripts/build.sh and run.sh say and call, with a cmake that only prints what Ninja would."""

import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
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
        for name in ("build.sh", "run.sh", "help.sh"):
            shutil.copy(ROOT / "scripts" / name, self.tree / "scripts")
        for name in ("lib", "apps", "configs"):
            (self.tree / name).mkdir()
        for name in ("CMakeLists.txt", "CMakePresets.json"):
            (self.tree / name).touch()

    def build(self, cmake, *arguments):
        """Runs build.sh in its own tree, where cmake is this shell text."""
        self.make_cmake(cmake)
        return self.call(self.tree / "scripts/build.sh", *arguments)

    def make_cmake(self, cmake, version="3.25.1"):
        program = self.tree / "bin/cmake"
        program.parent.mkdir(exist_ok=True)
        program.write_text("#!/bin/bash\n"
                           f'[[ $1 != --version ]] || {{ echo "cmake version {version}" && exit; }}\n'
                           'echo "cmake $*" >>calls\n'
                           f'[[ $1 != --preset || -e full ]] || echo >build/release/build.ninja\n{cmake}')
        program.chmod(0o755)

    def call(self, *command, folder=None, **variables):
        path = f"{self.tree}/bin:{os.environ['PATH']}"
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, timeout=60,
                              env={**os.environ, "PATH": path, **variables})

    def write_cache(self, text, home=None, version="3.25.1"):
        """A folder that was configured, for this tree if none is given."""
        build = self.tree / "build/release"
        (build / "CMakeFiles" / version).mkdir(parents=True, exist_ok=True)
        (build / "CMakeCache.txt").write_text(
            f"CMAKE_HOME_DIRECTORY:INTERNAL={home or self.tree}\nCMAKE_GENERATOR:INTERNAL=Ninja\n"
            f"CMAKE_CXX_COMPILER:FILEPATH=/bin/sh\n{text}")
        (build / "build.ninja").touch()

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
        self.write_cache("NTUNE_GAMES:BOOL=OFF\n")
        self.build("exit 0", "games", "ntune")
        self.assertEqual(self.calls()[0], "cmake --preset games")
        self.write_cache("NTUNE_GAMES:BOOL=ON\n")
        self.build("exit 0", "games", "ntune")
        self.assertEqual(self.calls()[2:], ["cmake --build build/release --target ntune"])

    def test_a_folder_of_other_sources_or_another_system_is_made_anew(self):
        for how in ({"home": "/usr"}, {"version": "3.31.6"}):
            with self.subTest(**how):
                shutil.rmtree(self.tree / "build", ignore_errors=True)
                (self.tree / "calls").unlink(missing_ok=True)
                self.write_cache("", **how)
                done = self.build("exit 0", "release", "ntune")
                self.assertIn("made anew", done.stderr)
                self.assertEqual(self.calls()[0], "cmake --preset release --fresh")

    def test_a_full_disk_is_named(self):
        (self.tree / "full").touch()
        done = self.build("exit 0", "release", "ntune")
        self.assertEqual(done.returncode, 1)
        self.assertIn("is the disk full?", done.stderr.splitlines()[-1])

    def test_sources_of_tomorrow_are_named(self):
        tomorrow = time.time() + 86400
        os.utime(self.tree / "CMakeLists.txt", (tomorrow, tomorrow))
        done = self.build("exit 0", "release", "ntune")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^build.sh: CMakeLists.txt is dated later than now, .*\n$")
        self.assertFalse((self.tree / "build").exists())

    def test_a_path_that_cmake_does_not_take_is_named(self):
        for name in ('q"q', "a;b", "[x]", "a\\b", "a|b", "${x}", "a\nb"):
            with self.subTest(name=name):
                tree = self.tree / name
                shutil.copytree(self.tree / "scripts", tree / "scripts")
                done = self.call(tree / "scripts/build.sh", "release")
                self.assertEqual(done.returncode, 1)
                self.assertIn("build.sh: CMake cannot build below", done.stderr)

    def test_a_second_build_waits_and_says_so(self):
        self.make_cmake("sleep 0.5\necho ended >>calls")
        command = [self.tree / "scripts/build.sh", "games"]
        with concurrent.futures.ThreadPoolExecutor() as pool:
            done = list(pool.map(lambda _: self.call(*command), range(2)))
        self.assertEqual([0, 0], [one.returncode for one in done])
        self.assertEqual(1, sum("waiting for another build" in one.stderr for one in done))
        self.assertEqual(self.calls()[1::2], ["ended"] * 4)

    def run_study(self, *arguments, folder=None, **variables):
        """Runs run.sh with an ntune that prints its arguments."""
        self.make_cmake("mkdir -p build/release/apps && printf '#!/bin/bash\\necho $*' >build/release/apps/ntune &&"
                        " chmod +x build/release/apps/ntune")
        install = self.tree / "scripts/install_dependencies.sh"
        install.write_text("#!/bin/bash\n")
        install.chmod(0o755)
        (self.tree / "calls").unlink(missing_ok=True)
        return self.call("scripts/run.sh" if folder is None else self.tree / "scripts/run.sh", *arguments,
                         folder=folder or self.tree, **variables)

    def test_a_study_is_looked_for_before_anything_is_built(self):
        for name in ("none.yaml", "configs", ""):
            with self.subTest(name=name):
                done = self.run_study(name)
                self.assertEqual((2, 1), (done.returncode, done.stderr.count("\n")))
                self.assertFalse((self.tree / "build").exists())

    def test_a_study_with_games_is_known_from_any_folder_and_after_options(self):
        for text in ("objective: {game: bao}\n", '{"objective": {"game" : "bao"}}\n', "objective: {'game': bao}\n"):
            (self.tree / "configs/bao.yaml").write_text(text)
            with self.subTest(text=text), tempfile.TemporaryDirectory() as elsewhere:
                done = self.run_study("--quiet", "configs/bao.yaml", folder=elsewhere)
                self.assertEqual("run --quiet configs/bao.yaml\n", done.stdout, done.stderr)
                self.assertEqual("cmake --preset games", self.calls()[0])
                shutil.rmtree(self.tree / "build")

    def test_cdpath_leads_nowhere(self):
        (self.tree / "configs/s.yaml").touch()
        for path in (".", str(self.tree / "bin")):
            (self.tree / "bin/scripts").mkdir(parents=True, exist_ok=True)
            done = self.run_study("configs/s.yaml", CDPATH=path)
            self.assertEqual((0, "run configs/s.yaml\n"), (done.returncode, done.stdout), done.stderr)


if __name__ == "__main__":
    unittest.main()
