"""Tests of scripts/layers.py on small trees made for the purpose, and as a command."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))

import layers  # noqa: E402


class LayersTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, path, *lines):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def violations(self, path, *lines):
        """Of a tree that holds this file alone."""
        self.write(path, *lines)
        violations = layers.check(self.root)[1]
        (self.root / path).unlink()
        return violations

    def assert_allowed(self, path, include):
        self.assertEqual(self.violations(path, f"#include {include}"), [])

    def assert_refused(self, path, include):
        folder = "apps" if path.startswith("apps/") else str(pathlib.PurePath(path).parent)[10:]
        self.assertEqual(
            self.violations(path, f"#include {include}"),
            [f'{path}:1: folder {folder} may not include {include.strip(chr(34) + "<>")}'],
        )

    def test_direction_of_use(self):
        may = {
            "core": {"core"},
            "space": {"core", "space"},
            "optim/models": {"core", "space", "optim/models"},
            "agents/turn_game": {"core", "agents/turn_game"},
            "objective": {"core", "space", "objective"},
            "games/two_player": {
                "core", "space", "agents/turn_game", "objective", "games/two_player"
            },
            "games/bao": {
                "core", "space", "agents/turn_game", "objective", "games/two_player", "games/bao"
            },
            "games/slide": {
                "core", "space", "agents/turn_game", "objective", "games/two_player", "games/slide"
            },
            "study/model": {"core", "space", "objective", "study/model"},
            "study/evaluation": {"core", "space", "objective", "study/model", "study/evaluation"},
            "study/journal": {
                "core", "space", "objective", "study/model", "study/evaluation", "study/journal"
            },
            "plot": {"core", "plot"},
            "report/data": {
                "core", "space", "objective", "study/model", "study/evaluation", "study/journal",
                "report/data"
            },
        }
        for user in may:
            for used in may:
                path = f"lib/ntune/{user}/file.cpp"
                with self.subTest(user=user, used=used):
                    check = self.assert_allowed if used in may[user] else self.assert_refused
                    check(path, f'"ntune/{used}/something.h"')
                    check(path, f"<ntune/{used}/something.h>")

    def test_apps_may_include_everything(self):
        for folder in layers.FOLDERS:
            self.assert_allowed("apps/ntune/main.cpp", f'"ntune/{folder}/something.h"')
        self.assert_allowed("apps/ntune/main.cpp", '"apps/ntune/commands.h"')

    def test_study_sees_the_interfaces_of_optim_and_objective(self):
        for name in ("optim/base/optimiser.h", "optim/optimisers.h"):
            self.assert_allowed("lib/ntune/study/model/study.h", f'"ntune/{name}"')
        for name in ("objective/objective.h", "catalogue/objectives.h"):
            self.assert_allowed("lib/ntune/study/keys/study_yaml.cpp", f'"ntune/{name}"')
        for name in ("optim/ntbea/ntbea.h", "optim/base/failures.h", "objective/command/command_objective.h"):
            self.assert_refused("lib/ntune/study/run/run.cpp", f'"ntune/{name}"')

    def test_rooms_of_one_game_have_an_order(self):
        self.assert_refused("lib/ntune/games/amazons/position.cpp", '"ntune/games/amazons/sums/sum.h"')
        self.assert_allowed("lib/ntune/games/amazons/sums/sum.cpp", '"ntune/games/amazons/position.h"')
        self.assert_allowed("lib/ntune/games/slide/objective/objective.cpp", '"ntune/games/slide/exact/database.h"')
        self.assert_refused("lib/ntune/games/slide/codes.cpp", '"ntune/games/slide/exact/database.h"')
        self.assert_refused("lib/ntune/games/bao/agent.cpp", '"ntune/games/slide/exact/database.h"')

    def test_the_table_has_an_order(self):
        self.assertEqual(list(layers.disorder(layers.FOLDERS)), [])
        for table in (
            {"a": ["b"], "b": ["a"]},
            {"a": ["b/part.h"], "b": []},
            {"a": ["b"], "b/inner": []},
            {"a": ["b/*"], "b": []},
        ):
            found = list(layers.disorder(table))
            self.assertEqual(len(found), 1, found)
            self.assertIn("folder a may include b, which does not stand above it", found[0])

    def test_folders_of_a_module_have_an_order(self):
        order = ["study/model", "study/evaluation", "study/run", "study/choice", "study", "study/journal"]
        for at, upper in enumerate(order):
            for lower in order[at + 1:]:
                self.assert_refused(f"lib/ntune/{upper}/file.cpp", f'"ntune/{lower}/file.h"')
        self.assert_refused("lib/ntune/optim/ntbea/ntbea.h", '"ntune/optim/optimisers.h"')

    def test_version_is_free_for_all(self):
        self.assert_allowed("lib/ntune/core/file.h", '"ntune/version.h"')

    def test_unknown_modules(self):
        self.assert_refused("lib/ntune/core/file.h", '"ntune/elsewhere/file.h"')
        self.assert_refused("apps/ntune/main.cpp", '"ntune/elsewhere/file.h"')
        violations = self.violations("lib/ntune/elsewhere/file.h")
        self.assertEqual(len(violations), 1)
        self.assertIn("lib/ntune/elsewhere/file.h:1: folder elsewhere is not in", violations[0])

    def test_no_way_around_by_a_relative_path(self):
        self.assert_refused("lib/ntune/core/file.h", '"../optim/ntbea.h"')
        self.assert_refused("lib/ntune/core/file.h", '"rng.h"')
        self.assert_refused("lib/ntune/core/file.h", '"apps/ntune/commands.h"')

    def test_other_libraries(self):
        cases = [
            ("<tbb/parallel_for.h>", "core/parallel.cpp", "core/files.cpp"),
            ("<oneapi/tbb.h>", "core/parallel.h", "study/run/run.cpp"),
            ("<execution>", "core/parallel.cpp", "core/statistics.cpp"),
            ("<Eigen/Dense>", "optim/gaussian.cpp", "core/statistics.cpp"),
            ("<yaml-cpp/yaml.h>", "core/yaml.cpp", "space/search_space.cpp"),
        ]
        for include, allowed, refused in cases:
            with self.subTest(include=include):
                self.assert_allowed(f"lib/ntune/{allowed}", include)
                self.assert_refused(f"lib/ntune/{refused}", include)
        self.assert_allowed("lib/ntune/core/statistics.cpp", "<boost/math/constants/constants.hpp>")
        for include in ("<boost/process.hpp>", "<boost/asio.hpp>", "<boost/filesystem.hpp>"):
            self.assert_refused("lib/ntune/core/process.cpp", include)

    def test_command_line_library_in_command_lines_only(self):
        self.assert_allowed("apps/common/flags.cpp", "<CLI/CLI.hpp>")
        self.assert_refused("apps/ntune/run_command.cpp", "<CLI/CLI.hpp>")
        self.assert_refused("lib/ntune/study/run/run.cpp", "<CLI/CLI.hpp>")

    def test_free_libraries(self):
        for include in ("<vector>", "<fmt/format.h>", "<nlohmann/json.hpp>", "<unistd.h>"):
            self.assert_allowed("lib/ntune/study/run/run.cpp", include)

    def test_lines_are_counted_and_comments_skipped(self):
        violations = self.violations(
            "lib/ntune/core/file.cpp",
            '// #include "ntune/study/model/study.h"',
            "/* for example",
            '#include "ntune/study/model/study.h"',
            '*/ const char* text = "/*";',
            '  #  include "ntune/study/model/study.h"  // why',
        )
        self.assertEqual(
            violations,
            ["lib/ntune/core/file.cpp:5: folder core may not include ntune/study/model/study.h"],
        )

    def test_standard_headers_are_used(self):
        self.write("tests/core/file.cpp", "#include <array>", "#include <cassert>  // std::vector", "#include <cmath>",
                   "#include <algorithm>", "#include <vector>", "#include <cstdint>", "#include <unistd.h>",
                   "// std::vector<int>", "uint8_t f(double x) { assert(x > 0); return std::ranges::max(x, y); }")
        self.assertEqual(
            list(layers.unused(self.root)),
            [f"tests/core/file.cpp:{line}: nothing of <{name}> is used"
             for line, name in ((1, "array"), (3, "cmath"), (5, "vector"))],
        )

    def run_command(self):
        command = [sys.executable, str(SCRIPTS / "layers.py"), str(self.root)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_command(self):
        self.write("lib/ntune/core/file.h", "#include <vector>", "std::vector<int> values;")
        fine = self.run_command()
        self.assertEqual(fine.returncode, 0)
        self.assertEqual(fine.stdout, "layers: the direction of use is kept (1 files)\n")
        self.write("lib/ntune/core/other.h", '#include "ntune/space/point.h"', "#include <vector>")
        wrong = self.run_command()
        self.assertEqual(wrong.returncode, 1)
        self.assertEqual(
            wrong.stdout,
            "lib/ntune/core/other.h:1: folder core may not include ntune/space/point.h\n"
            "lib/ntune/core/other.h:2: nothing of <vector> is used\n",
        )


if __name__ == "__main__":
    unittest.main()
