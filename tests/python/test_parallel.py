"""Threads, processes, executors: the same result for any of them."""

import concurrent.futures
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
import warnings

import ntune
from ntune._elsewhere import StudyCall

SPACE = {"x": range(8), "y": [0.5, 1.5]}


def value(x, y, rng):
    return x * y + rng.random()


def slow_at_times(x, y, rng):
    time.sleep(0.01 * rng.random())
    return x * y + rng.random()


def dies_once(x, y, rng, seed):
    """Kills its process the first time that it is called at x = 3."""
    mark = pathlib.Path(os.environ["NTUNE_TEST_MARK"])
    if x == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return value(x, y, rng)


class Odd(Exception):
    """Cannot be made again from what it was pickled as."""

    def __init__(self, text, more):
        super().__init__(text)


class Textless(Exception):
    def __str__(self):
        raise ValueError("no text")


def raises_odd(x, y):
    if x == 3:
        raise Odd("too deep", 3)
    return x


def raises_textless(x, y):
    if x == 3:
        raise Textless
    return x


def optimise(function=value, **keys):
    return ntune.maximise(function, SPACE, evaluations=100, seed=5, **keys).data


class Workers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.alone = optimise()

    def same(self, result):
        for key in ("recommendation", "evaluations", "budget"):
            self.assertEqual(result[key], self.alone[key])

    def test_threads(self):
        for count in (1, 2, 5):
            self.same(optimise(parallel=count))

    def test_order_of_ends(self):
        slow = optimise(slow_at_times)
        self.assertEqual(optimise(slow_at_times, parallel=4)["recommendation"], slow["recommendation"])

    def test_odd_exceptions(self):
        """Exceptions that cannot be sent or have no text are failures as any other."""
        for function, cause in ((raises_odd, "Odd: too deep"), (raises_textless, "Textless: ")):
            for parallel in (None, 2, "processes:2"):
                failures = optimise(function, parallel=parallel, fail="skip")["failures"]
                self.assertGreater(failures["count"], 0)
                for found in failures["causes"]:
                    self.assertIn(cause, found["cause"])

    def test_processes(self):
        for parallel in ("processes:1", "processes:2"):
            self.same(optimise(parallel=parallel))

    def test_executor(self):
        with concurrent.futures.ThreadPoolExecutor(3) as executor:
            self.same(optimise(parallel=executor))

    def test_a_study_of_a_program(self):
        """Where the study has an objective of its own, an executor's machines carry that out."""
        study = ntune.Study(objective={"function": "hartmann6"}, runs=2, iterations=40, hold_out=20, seed=3)
        alone = study.run().data
        with concurrent.futures.ProcessPoolExecutor(2) as executor:
            self.assertEqual(study.run(parallel=executor).data, alone)
        with self.assertRaisesRegex(ValueError, "^function: the study has an objective of its own"):
            study.run(value)
        with self.assertRaisesRegex(ValueError, "^parallel: is 'processes'; a number of threads or an executor"):
            study.run(parallel="processes")

    def test_a_process_that_dies(self):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["NTUNE_TEST_MARK"] = str(pathlib.Path(folder) / "mark")
            self.assertEqual(optimise(dies_once, parallel="processes:2")["recommendation"],
                             optimise(dies_once)["recommendation"])

    def test_function_that_cannot_be_sent(self):
        with self.assertRaisesRegex(ValueError, "^function: cannot be sent"):
            ntune.maximise(lambda x, y: x, SPACE, evaluations=20, parallel="processes:2")

    def test_more_workers_than_work(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.same(optimise(parallel=20))
        self.assertIn("parallel_evaluations=20", str(caught[0].message))


class PressedWithin(concurrent.futures.Executor):
    """An executor in whose own code Ctrl-C is pressed: `where` says in which call."""

    def __init__(self, where):
        self.where = where
        self.broken = False

    def press(self, where):
        if where != self.where:
            return
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:  # as where a lock is given back that is not held
            self.broken = True
            raise RuntimeError("release unlocked lock") from None

    def submit(self, function, *arguments):
        self.press("submit")
        future = concurrent.futures.Future()
        future.set_result(function(*arguments))
        result = future.result
        future.result = lambda: (self.press("result"), result())[1]
        return future


class OtherMachines(unittest.TestCase):
    def test_another_program_carries_nothing_out(self):
        """A machine whose program is another file than where the study is run says so: no point has failed there."""
        with tempfile.TemporaryDirectory() as folder:
            play = pathlib.Path(folder) / "play.sh"
            play.write_text("echo $(( $1 + 1 ))\n")
            study = json.dumps({"objective": {"command": ["sh", "play.sh", "{x}", "{seed}"]}, "space": {"x": [1, 2]},
                                "budget": 20})
            call = StudyCall(study, str(pathlib.Path(folder) / "study.yaml"))
            request = json.dumps({"stream": 7, "objective": 0, "stage": 0, "repeat": 0, "run": 0, "index": 0,
                                  "point": [1]})
            play.write_text("echo 0\n")
            outcome = json.loads(call(request))["outcome"]
            self.assertIn("the file 'play.sh' is another one than the server's: digest ", outcome["failure"])
            self.assertEqual(outcome["blame"], 1)  # the machine's, which ends a study
            play.write_text("echo $(( $1 + 1 ))\n")
            self.assertEqual(json.loads(call(request))["outcome"]["payoff"], 3.0)


class FromTheKeyboard(unittest.TestCase):
    def test_within_the_executor(self):
        for where in ("submit", "result"):
            executor = PressedWithin(where)
            with self.subTest(where), tempfile.TemporaryDirectory() as folder:
                with self.assertRaises(ntune.Interrupted):
                    optimise(parallel=executor, folder=folder)
                self.assertEqual(executor.broken, where == "result")
                self.assertNotIn("unlocked", pathlib.Path(folder, "journal.log").read_text())
            self.assertIs(signal.getsignal(signal.SIGINT), signal.default_int_handler)

    def stopped(self, parallel):
        """A study whose evaluations take a minute, stopped once the first has begun."""
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program.py"
            program.write_text(textwrap.dedent(f"""\
                import os
                import time
                import ntune

                def function(x):
                    os.write(1, b"begun\\n")  # a whole line from every thread
                    time.sleep(60)
                    return x

                try:
                    ntune.maximise(function, {{"x": [1, 2]}}, evaluations=20, parallel={parallel!r})
                except ntune.Interrupted as stopped:
                    print(f"stopped {{time.time()}}", flush=True)
                    os._exit(0)  # threads of Python cannot be ended
                """))
            with subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, text=True) as child:
                self.assertEqual(child.stdout.readline(), "begun\n")
                begin = time.time()
                child.send_signal(signal.SIGINT)
                line = ""
                while not line.startswith("stopped"):
                    line = child.stdout.readline()
                    self.assertTrue(line)
                return float(line.split()[1]) - begin

    def test_at_once(self):
        for parallel in (None, 2, "processes:2"):
            self.assertLess(self.stopped(parallel), 1.0, parallel)


if __name__ == "__main__":
    unittest.main()
