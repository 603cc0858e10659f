"""Which places of a source mutants change, and what counts as killed."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import mutant_choice  # noqa: E402
import mutants  # noqa: E402


def changes(text):
    return [(mutant.kind, mutant.before, mutant.after) for mutant in mutant_choice.mutants_of(text)]


class Choice(unittest.TestCase):
    def test_each_kind(self):
        text = """\
int f(int n) {
  if (n < 1 && !g(n)) {
    h::notify(n,
              2);
  }
  return n % 3;
}
"""
        self.assertEqual(changes(text), [
            ("negated condition", "if (n < 1 && !g(n))", "if (!(n < 1 && !g(n)))"),
            ("comparison", "if (n < 1 && !g(n)) {", "if (n <= 1 && !g(n)) {"),
            ("constant", "if (n < 1 && !g(n)) {", "if (n < 2 && !g(n)) {"),
            ("removed call", "h::notify(n, 2);", ";"),
            ("constant", "2);", "3);"),
            ("arithmetic", "return n % 3;", "return n * 3;"),
            ("constant", "return n % 3;", "return n % 4;")])
        removed = next(mutant for mutant in mutant_choice.mutants_of(text) if mutant.kind == "removed call")
        self.assertEqual((removed.line, removed.column, removed.lines), (3, 5, (3, 4)))
        changed = mutant_choice.mutated(text, removed)
        self.assertEqual(changed.count("\n"), text.count("\n"))
        self.assertNotIn("notify", changed)

    def test_what_is_no_expression_is_left_alone(self):
        for text in ('#include <a> // 1 < 2\n', '/* 1 + 2 */ f(x), "a < 1"; ', 'static_assert(sizeof(int) == 4);',
                     'template <int N> struct A;', 'bool operator<(A a, A b);', '[[maybe_unused]] std::array<int, 3> a;',
                     'const char* f(std::string& a);', 'R"(if (a < 1))";', "'<';", "std::lock_guard lock(mutex);",
                     'text = "a" + name + "b";', "if (const auto found = find(a)) {", "constexpr double kHalf = 0.5;",
                     "namespace a::b {", "return f(x);", "throw Error(x);", "a->b = f(x);"):
            with self.subTest(text=text):
                self.assertEqual(changes(text), [])

    def test_numbers(self):
        for before, after in (("0", "1"), ("9U", "10U"), ("1'000", "1001"), ("0x0f", "0x10"), ("017", "020"),
                              ("0.0", "1.0"), ("1e-9", "2e-09"), ("0.5F", "1.0F"), ("2.", "4.0")):
            with self.subTest(number=before):
                self.assertEqual(mutant_choice.changed_number(before), after)

    def test_calls_are_whole_statements(self):
        removed = [before for kind, before, _ in changes("""\
void f() {
  if (a) b(c);
  for (int i : all) d.e<int>(i).g[0](i);
  x = y(z);
  return;
}
""") if kind == "removed call"]
        self.assertEqual(removed, ["b(c);", "d.e<int>(i).g[0](i);"])

    def test_a_condition_behind_an_initialiser(self):
        self.assertEqual([change[1:] for change in changes("if (auto x = f(); x.ok) y = 1;")
                          if change[0] == "negated condition"], [("if (x.ok)", "if (!(x.ok))")])


class FakeWorkshop:
    """Where the test `broken` fails always, and `replaced` where core/b.cpp is replaced."""

    class coverage:
        sources = {name: "" for name in ("core/a.cpp", "core/b.cpp", "core/c.cpp", "core/d.cpp")}

        @staticmethod
        def cost(_):
            return 1.0

    def __init__(self, folder):
        self.folder, self.loaded, self.calls = folder, [], 0

    def compile(self, file, _text, folder):
        return None if file == "core/d.cpp" else folder / file

    def link(self, objects, _modules, _folder):
        self.loaded = [str(made) for made in objects]
        return True

    def test(self, names, _loaded, _stop):
        self.calls += 1
        replaced = any("core_b.cpp" in name for name in self.loaded)
        return [(name, "failed" if name == "broken" or name == "replaced" and replaced else "passed", 1.0)
                for name in names]


class Control(unittest.TestCase):
    def test_what_fails_unchanged_is_left_out(self):
        with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(io.StringIO()) as said:
            folder = pathlib.Path(name)
            for file in FakeWorkshop.coverage.sources:
                (folder / file).parent.mkdir(exist_ok=True)
                (folder / file).write_text("")
            workshop = FakeWorkshop(folder)
            sample = [mutants.Mutant(file, mutant_choice.mutants_of("x = 1;")[0]) for file in workshop.coverage.sources]
            with unittest.mock.patch.object(mutants, "SOURCES", folder):
                for _ in range(2):
                    self.assertEqual(mutants.control(workshop, sample, lambda *_: ["good", "broken", "replaced"], 1),
                                     (["broken"], ["core/b.cpp", "core/d.cpp"]))
            calls = workshop.calls
            self.assertIn("does not compile alone, left out: core/d.cpp", said.getvalue())
            self.assertIn("cannot be replaced, left out: core/b.cpp (replaced)", said.getvalue())
            self.assertGreater(calls, 2)


class Summary(unittest.TestCase):
    def test_what_does_not_compile_does_not_count(self):
        rows = [{"file": "core/a.cpp", "kind": "constant", "verdict": verdict}
                for verdict in ["killed"] * 8 + ["timeout"] + ["survived"] + ["no build"] * 5]
        lines = mutants.summary(rows)
        self.assertEqual(lines[2], "| all | 15 | 5 | 9 | 1 | 1 | 90.0 % [59.6 %, 98.2 %] |")
        self.assertEqual(lines[4], "| `optim` | 0 | 0 | 0 | 0 | 0 |  |")


if __name__ == "__main__":
    unittest.main()
