"""The hook that checks messages of commits."""

import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HOOK = ROOT / "scripts/commit_msg.sh"


class CommitMessage(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        self.git("init", "-q")
        self.git("config", "user.name", "a")
        self.git("config", "user.email", "a@localhost")

    def git(self, *arguments):
        subprocess.run(["git", *arguments], cwd=self.tree, check=True, capture_output=True)

    def hook(self, message):
        file = self.tree / "message"
        file.write_text(message, encoding="utf-8")
        return subprocess.run([HOOK, file], cwd=self.tree, capture_output=True, text=True)

    def test_good_messages(self):
        for message in ("study: stratified means\n", "study, facts: one list\n\nWhy it is so.\n", "Merge branch 'a'\n",
                        "games/bao: rules\n# a comment of git\n", "fixup! study: stratified means\n",
                        "study: Pérez-Liébana, Ménard, Hölder, Gödel in a subject of 72 çharacter\n",
                        "study: means\r\n\r\nWhy.\r\n", "\n\nstudy: means\n", ".ci: two jobs\n",
                        "study: means\n# ------------------------ >8 ------------------------\ndiff\nmore\n"):
            with self.subTest(message=message):
                done = self.hook(message)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_bad_messages(self):
        for message, text in (("stratified means\n", "begins with the module"), ("study: " + "x" * 66, "has 73 characters"),
                              ("study: a\nbody\n", "an empty line"), ("", "begins with the module"),
                              ("Merge the tables of two papers into one\n", "begins with the module"),
                              ("Revert the sign of costs\n", "begins with the module"), (" : x\n", "begins with the module")):
            with self.subTest(message=message):
                done = self.hook(message)
                self.assertEqual(done.returncode, 1)
                self.assertIn(text, done.stderr)

    def test_many_files(self):
        for i in range(101):
            (self.tree / f"{i}.txt").write_text(f"{i} {'line ' * i}\n", encoding="utf-8")
        self.git("add", ".")
        self.assertIn("changes 101 files", self.hook("study: much\n").stderr)
        self.git("commit", "-qm", "study: much", "--no-verify")
        (self.tree / "folder").mkdir()
        self.git("mv", *[f"{i}.txt" for i in range(101)], "folder")
        self.assertEqual(self.hook("study: a move\n").returncode, 0)
        self.git("commit", "-qm", "study: a move", "--no-verify")
        ranged = subprocess.run([HOOK, "--range", "HEAD~1..HEAD"], cwd=self.tree, capture_output=True, text=True)
        self.assertEqual((ranged.returncode, ranged.stderr), (0, ""))
        whole = self.range("HEAD")
        self.assertEqual(whole.returncode, 1)
        self.assertEqual(len(whole.stderr.splitlines()), 1)
        self.assertIn("changes 101 files", whole.stderr)

    def range(self, *arguments):
        return subprocess.run([HOOK, "--range", *arguments], cwd=self.tree, capture_output=True, text=True)

    def test_wrong_ranges(self):
        (self.tree / "a.txt").write_text("a", encoding="utf-8")
        self.git("add", ".")
        self.git("commit", "-qm", "study: a", "--no-verify")
        for arguments in ((), ("nonsense..HEAD",), ("-h",), ("HEAD", "HEAD")):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.range(*arguments).returncode, 2)
        self.assertEqual(self.range("HEAD").returncode, 0)


if __name__ == "__main__":
    unittest.main()
