"""What the programs say of payoffs does not depend on the unit of these."""

import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

#: A program that answers for every unit: `sys.argv` has the factor, what is added, and the kind of noise.
WORKER = """
import json, random, sys
factor, added, common = float(sys.argv[1]), float(sys.argv[2]), sys.argv[3] == "common"
for line in sys.stdin:
    asked = json.loads(line)
    x, y, seed = asked["params"]["x"], asked["params"]["y"], asked["seed"]
    noise = random.Random(seed if common else str((seed, x, y))).gauss(0, 1)
    value = factor * (-1.1 * (x - 5) ** 2 - 0.7 * abs(y - 3) + noise) + added
    print(json.dumps({"id": asked["id"], "value": value}), flush=True)
"""
STUDY = """
objective: {{command: ["{python}", "-S", "{file}", "{factor!r}", "{added!r}", "{kind}"], protocol: worker}}
space:
  x: {{integers: [0, 9], default: 2}}
  y: {{integers: [0, 5], default: 1}}
budget: 150
seed: 3
threads: 1
"""
NUMBER = re.compile(r"[-+]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?")


def printed(text):
    """A number of a text, and half of what its last digit is worth."""
    mantissa, _, exponent = text.replace(",", "").partition("e")
    places = len(mantissa.partition(".")[2])
    return float(text.replace(",", "")), 0.51 * 10.0 ** (int(exponent or 0) - places)


def page_text(page):
    """The words and tables of a page, and the numbers of its figures; not how these are drawn, nor times."""
    page = re.sub(r'(?s)<figure[^>]* data-figure="timeline".*?</figure>', "", page)
    page = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>", "", page)
    page = re.sub(r'(?s)<template class="data">.*?</template>', lambda data: data[0].replace(",", " "), page)
    return html.unescape(re.sub("<[^>]*>", "\n", page))


@unittest.skipIf("NTUNE" not in os.environ, "the command ntune is not built")
class Units(unittest.TestCase):
    """A study whose payoffs are multiplied and shifted, in the texts of every command."""

    maxDiff = None

    def texts(self, scratch, factor, added, kind):
        def run(*arguments):
            done = subprocess.run([os.environ["NTUNE"], *arguments], cwd=folder, capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 0, (arguments, done.stdout, done.stderr))
            return done.stdout

        folder = pathlib.Path(tempfile.mkdtemp(dir=scratch))
        (folder / "worker.py").write_text(WORKER)
        (folder / "study.yaml").write_text(STUDY.format(python=sys.executable, file="worker.py", factor=factor,
                                                        added=added, kind=kind))
        ran = run("run", "study.yaml", "--out", "out")
        run("report", "out", "-o", "page.html")
        return {"run": ran,
                "page": page_text((folder / "page.html").read_text(encoding="utf-8")),
                "recommend": run("recommend", "out"),
                "eval": run("eval", "study.yaml", "--set", "x=5", "--set", "y=3", "--times", "12"),
                "verify": run("verify", "out", "--evaluations", "80"),
                "deviations": run("deviations", "out")}

    @staticmethod
    def words(text):
        """The text without what may differ: numbers, widths, seconds and the names of folders."""
        text = re.sub(r"(?m)^(command|worker): .*$|^Result in .*$|^[\d.]+ s, .*$", "", text)
        text = re.sub("[├─●┤]", "", text)
        numbers = NUMBER.findall(text)
        return re.sub(r"[-\s]+", " ", NUMBER.sub("#", text)), numbers

    def check(self, kind):
        with tempfile.TemporaryDirectory() as scratch:
            plain = self.texts(scratch, 1.0, 0.0, kind)
            for factor, added in ((1e-9, 0.0), (1e9, 0.0), (1.0, 1e6), (1e-9, 1e-4)):
                scaled = self.texts(scratch, factor, added, kind)
                for command, text in plain.items():
                    with self.subTest(command=command, factor=factor, added=added):
                        self.same(text, scaled[command], factor, added)

    def same(self, plain, scaled, factor, added):
        (words, numbers), (other_words, others) = self.words(plain), self.words(scaled)
        self.assertEqual(words, other_words, (plain, scaled))
        self.assertEqual(len(numbers), len(others))
        for ours, theirs in zip(numbers, others):
            (one, about), (other, other_about) = printed(ours), printed(theirs)
            near = abs(factor) * about + other_about + 1e-6 * abs(factor * one)
            self.assertTrue(any(abs(other - wanted) <= near for wanted in (factor * one + added, factor * one))
                            or abs(other - one) <= about + other_about + 1e-9 * abs(one), (ours, theirs, plain, scaled))
            self.assertLess(len(theirs), 25)
            if factor * one and abs(other) < 1e-3:
                self.assertNotEqual(other, 0, (ours, theirs, scaled))

    def test_noise_of_each(self):
        self.check("own")

    def test_noise_in_common(self):
        """Differences are equal but for what rounding leaves."""
        self.check("common")


if __name__ == "__main__":
    unittest.main()
