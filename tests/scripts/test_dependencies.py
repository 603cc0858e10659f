"""What CMake looks for is in the packages that the scripts install, so that nothing is found by luck."""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What CMake calls it, and the package of Debian that brings it.
PACKAGES = {"Threads": "g++", "fmt": "libfmt-dev", "nlohmann_json": "nlohmann-json3-dev", "yaml-cpp": "libyaml-cpp-dev",
            "Boost": "libboost-dev", "Eigen3": "libeigen3-dev", "SQLite3": "libsqlite3-dev", "ZLIB": "zlib1g-dev",
            "TBB": "libtbb-dev", "CLI11": "libcli11-dev", "PkgConfig": "pkgconf", "cpp-httplib": "libcpp-httplib-dev", "OpenSSL": "libssl-dev",
            "re2": "libre2-dev", "MPI": "libopenmpi-dev", "pybind11": "pybind11-dev", "python3": "python3",
            "Catch2": "catch2", "benchmark": "libbenchmark-dev"}
# What a build does without; each is sought with a plain find_program.
OPTIONAL = {"ccache", "doxygen"}
# The folders of CMakeLists.txt whose needs are those of a group beside `build`.
GROUPS = {"apps/python": "python", "tests": "tests", "benchmarks": "tests"}

CALL = re.compile(r"^\s*(find_package|find_program|pkg_check_modules)\(([^)]*)\)", re.MULTILINE)


def group(name):
    """The packages of a group of install_dependencies.sh."""
    text = (ROOT / "scripts/install_dependencies.sh").read_text(encoding="utf-8")
    return set(re.search(rf"^{name}=\(([^)]*)\)", text, re.MULTILINE).group(1).split())


def sought():
    """(file, name, whether it is required) for everything that CMake looks for in the project."""
    files = subprocess.run(["git", "ls-files", "*CMakeLists.txt"], cwd=ROOT, capture_output=True, text=True).stdout.split()
    for file in files or [path.relative_to(ROOT) for path in ROOT.rglob("CMakeLists.txt")
                          if path.relative_to(ROOT).parts[0] != "build"]:
        if "consumer" in str(file):
            continue
        for kind, words in CALL.findall((ROOT / file).read_text(encoding="utf-8")):
            words = words.split()
            name = {"find_package": words[0], "find_program": words[1] if len(words) > 1 else "",
                    "pkg_check_modules": words[-1]}[kind]
            yield str(file), name, "REQUIRED" in words


class DependenciesTest(unittest.TestCase):
    def test_everything_is_in_its_group(self):
        found = list(sought())
        self.assertGreater(len(found), 15)
        for file, name, required in found:
            with self.subTest(file=file, name=name):
                self.assertNotEqual(required, name in OPTIONAL, "what is needed is REQUIRED, what is not is OPTIONAL")
                if not required:
                    continue
                self.assertIn(name, PACKAGES)
                own = next((group for folder, group in GROUPS.items() if file.startswith(folder)), None)
                packages = group("build") | (group(own) if own else set()) | (group("mpi") if name == "MPI" else set())
                self.assertIn(PACKAGES[name], packages)

    def test_the_default_build_needs_no_python(self):
        """Whoever wants a first result has no use for it."""
        self.assertFalse([package for package in group("build") if "python" in package])

    def test_tests_begin_without_what_they_can_skip(self):
        for heavy in ("chromium", "default-jdk-headless", "python3-optuna", "libopenmpi-dev", "librsvg2-bin"):
            self.assertNotIn(heavy, group("build") | group("tests") | group("python"))


if __name__ == "__main__":
    unittest.main()
