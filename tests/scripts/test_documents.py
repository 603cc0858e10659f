"""Tests of scripts/documents.py on small trees made for the purpose."""

import pathlib
import stat
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))

import documents  # noqa: E402

HELP = """#!/bin/sh
case "$1" in
  run) echo "Usage: ntune run [OPTIONS] study"; echo "  --out DIR"; echo "  -h,--help" ;;
  *) echo "Options:"; echo "  -h,--help"; echo; echo "Run it:"; echo "  run    run a study" ;;
esac
"""


class DocumentsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.programs = self.root / "build"
        for name in documents.PROGRAMS:
            self.write(f"build/{name}", HELP)
            (self.programs / name).chmod(stat.S_IRWXU)

    def write(self, path, text):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def wrong(self, text):
        """What is wrong with a document of this text."""
        self.write("lib/README.md", text)
        return documents.check(self.root, documents.Programs(self.programs))[1]

    def test_long_sentences(self):
        self.assertEqual(self.wrong("word " * 29 + "`a b c`.\n"), [])
        self.assertEqual(self.wrong("word " * 20 + "end. " + "word " * 20 + "\n"), [])
        found = self.wrong("# Title\n\nShort.\n\n" + "word " * 31 + "\n")
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith("lib/README.md:5: a sentence of 31 words"))

    def test_version_of_changes(self):
        self.write("CMakeLists.txt", "project(\n  ntune\n  VERSION 0.2.0\n  LANGUAGES CXX)\n")
        self.write("CHANGES.md", "# Changes\n\n## 0.2.0\n\n## 0.1.0\n")
        self.assertEqual(self.wrong("# Title\n"), [])
        self.write("CHANGES.md", "# Changes\n\n## 0.1.0\n")
        self.assertEqual(self.wrong("# Title\n"),
                         ["CHANGES.md:1: its first version is not that of CMakeLists.txt"])

    def test_pages_of_other_versions(self):
        self.write("CMakeLists.txt", "project(\n  ntune\n  VERSION 0.2.0\n  LANGUAGES CXX)\n")
        self.write("CHANGES.md", "# Changes\n\n## 0.2.0\n")
        self.write("configs/page.html", '<html>\n<meta name="generator" content="bao of ntune 0.2.0">\n')
        journal = '    {"ntune":{"format":2,"version":"%s","study":{}}}\n'
        self.assertEqual(self.wrong(journal % "0.2.0"), [])
        self.assertEqual(self.wrong("\n" + journal % "0.1.0"), ["lib/README.md:2: was made by version 0.1.0"])
        self.write("configs/page.html", '<html>\n<meta name="generator" content="ntune 0.1.0">\n')
        self.assertEqual(self.wrong("# Title\n"), ["configs/page.html:2: was made by version 0.1.0"])

    def test_lines_of_a_paragraph_are_one_text_and_code_is_none(self):
        self.assertEqual(len(self.wrong("word " * 16 + "\n" + "word " * 16 + "\n")), 1)
        self.assertEqual(self.wrong("    " + "word " * 40 + "\n"), [])
        self.assertEqual(self.wrong("```\n" + "word " * 40 + "\n```\n"), [])
        self.assertEqual(self.wrong("- " + "word " * 16 + "\n- " + "word " * 16 + "\n"), [])

    def test_links(self):
        self.write("configs/other.md", "# A heading, `code` and all\n")
        self.assertEqual(self.wrong("[x](../configs/other.md#a-heading-code-and-all)\n"), [])
        self.assertEqual(self.wrong("[x](https://example.org)\n"), [])
        self.assertEqual(self.wrong("[x](other.md)\n"), ["lib/README.md:1: the link to other.md is dead"])
        self.assertEqual(self.wrong("[x](../configs/other.md#b)\n"),
                         ["lib/README.md:1: ../configs/other.md has no heading #b"])
        self.assertEqual(self.wrong("![x](none.svg)\n"), ["lib/README.md:1: the link to none.svg is dead"])

    def test_files_in_back_quotes(self):
        self.write("scripts/there.py", "")
        self.assertEqual(self.wrong("`there.py`, `scripts/there.py`, `scripts/`, `result.json`\n"), [])
        self.assertEqual(self.wrong("`scripts/gone.py`\n"),
                         ["lib/README.md:1: `scripts/gone.py` is no file of this tree"])
        self.assertEqual(self.wrong("`lib/gone/`\n"), ["lib/README.md:1: `lib/gone` is no file of this tree"])

    def test_commands(self):
        self.assertEqual(self.wrong("`ntune run STUDY.yaml [--out DIR]`\n"), [])
        self.assertEqual(self.wrong("    ntune run a.yaml \\\n      --out b && ls --all\n"), [])
        self.assertEqual(self.wrong("    build/release/apps/ntune go a.yaml\n"),
                         ["lib/README.md:1: ntune has no command 'go'"])
        self.assertEqual(self.wrong("`ntune run a.yaml --gone 3`\n"),
                         ["lib/README.md:1: ntune run has no option '--gone'"])
        self.assertEqual(self.wrong("| `ntune run\\|go DIR` | x |\n"),
                         ["lib/README.md:1: ntune has no command 'go'"])
        self.assertEqual(self.wrong("`--gone`\n"), ["lib/README.md:1: no program has the option '--gone'"])

    def test_first_page_and_keys(self):
        self.write("README.md", "x\n\n" * 70)
        self.write("configs/study.schema.json", '{"properties": {"runs": {}, "seed": {}}}')
        self.write("configs/README.md", "`runs`\n")
        self.assertEqual(self.wrong("x\n"), ["README.md:130: has more than 130 lines",
                                             "configs/README.md:1: does not name the key 'seed'"])

    def test_the_study_of_the_first_page_is_the_file(self):
        root = SCRIPTS.parent
        page = (root / "README.md").read_text(encoding="utf-8")
        study = page.partition("```yaml\n")[2].partition("```")[0]
        self.assertGreater(study.count("\n"), 8)
        self.assertTrue((root / "configs/pig.yaml").read_text(encoding="utf-8").endswith(study))


if __name__ == "__main__":
    unittest.main()
