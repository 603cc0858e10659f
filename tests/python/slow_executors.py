"""Executors of clusters: Dask's, with a worker that is killed, and mpi4py's."""

import concurrent.futures
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from test_parallel import dies_once, optimise

NTUNE = os.environ.get("NTUNE", "ntune")

PROGRAM_STUDY = """
objective: {command: [sh, -c, "sleep 0.2; echo $((1000 - $0 * $1 % 1000))", "{x}", "{seed}"], result: number}
space: {x: {integers: [1, 9], default: 5}}
budget: 60
hold_out: 10
parallel_evaluations: 3
seed: 1
"""


def free_port():
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


class Clusters(unittest.TestCase):
    def test_dask(self):
        try:
            import distributed
        except ImportError:
            self.skipTest("python3-distributed is not installed")
        with tempfile.TemporaryDirectory() as folder:
            mark = str(pathlib.Path(folder) / "mark")
            with distributed.LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None,
                                          processes=True, env={"NTUNE_TEST_MARK": mark}) as cluster:
                with distributed.Client(cluster) as client:
                    result = optimise(dies_once, parallel=client.get_executor())
            self.assertTrue(os.path.exists(mark))  # a worker was killed
            os.environ["NTUNE_TEST_MARK"] = mark
            self.assertEqual(result["recommendation"], optimise(dies_once)["recommendation"])

    def test_dask_runs_programs(self):
        """`ntune run --executor dask` gives the result of one machine, though the scheduler starts anew."""
        if shutil.which("dask-scheduler") is None:
            self.skipTest("python3-distributed is not installed")
        address = f"tcp://127.0.0.1:{free_port()}"
        with tempfile.TemporaryDirectory() as folder:
            study = pathlib.Path(folder) / "study.yaml"
            study.write_text(PROGRAM_STUDY)

            def run(out, *more):
                done = subprocess.run([NTUNE, "run", study, "--out", pathlib.Path(folder) / out, "--quiet", *more],
                                      capture_output=True, text=True, timeout=300)
                self.assertEqual(done.returncode, 0, done.stderr)
                return done.stdout, (pathlib.Path(folder) / out / "runs.csv").read_text()

            def begin(*words):
                program = subprocess.Popen([*words, "--no-dashboard"], stderr=subprocess.DEVNULL)
                self.addCleanup(program.wait)
                self.addCleanup(program.kill)
                return program

            def begin_cluster():
                scheduler = begin("dask-scheduler", "--host", "127.0.0.1", "--port", address.rpartition(":")[2])
                return scheduler, begin("dask-worker", address, "--no-nanny")

            scheduler, worker = begin_cluster()
            with concurrent.futures.ThreadPoolExecutor(1) as caller:
                result = caller.submit(run, "dask", "--executor", "dask", "--scheduler", address)
                journal = pathlib.Path(folder) / "dask/journal.log"
                while not result.done() and not (journal.exists() and journal.read_text().count("\n") > 8):
                    time.sleep(0.1)
                for program in (scheduler, worker):
                    program.kill()
                    program.wait()
                begin_cluster()
                self.assertEqual(result.result(), run("local"))

    def test_dask_takes_a_program_that_was_replaced(self):
        """A worker that has read an older program of the study reads it anew."""
        if shutil.which("dask-scheduler") is None:
            self.skipTest("python3-distributed is not installed")
        address = f"tcp://127.0.0.1:{free_port()}"
        with tempfile.TemporaryDirectory() as folder:
            play = pathlib.Path(folder) / "play.sh"
            study = pathlib.Path(folder) / "study.yaml"
            study.write_text('objective: {command: [sh, play.sh, "{x}", "{seed}"], result: number}\n'
                             "space: {x: {integers: [1, 9], default: 5}}\nbudget: 40\nseed: 1\n")

            def begin(*words):
                program = subprocess.Popen([*words, "--no-dashboard"], stderr=subprocess.DEVNULL)
                self.addCleanup(program.wait)
                self.addCleanup(program.kill)

            def run(out, *more):
                return subprocess.run([NTUNE, "run", study, "--out", pathlib.Path(folder) / out, "--quiet", *more],
                                      capture_output=True, text=True, timeout=300)

            begin("dask-scheduler", "--host", "127.0.0.1", "--port", address.rpartition(":")[2])
            begin("dask-worker", address, "--no-nanny")
            on_dask = ("--executor", "dask", "--scheduler", address)
            for out, text in (("first", "echo 0"), ("second", "echo $(( $1 * 10 + $2 % 5 ))")):
                play.write_text(text + "\n")
                for folder_name, more in ((out, on_dask), (out + "-local", ())):
                    done = run(folder_name, *more)
                    self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual((pathlib.Path(folder) / out / "runs.csv").read_text(),
                                 (pathlib.Path(folder) / f"{out}-local/runs.csv").read_text())

    def test_mpi(self):
        try:
            import mpi4py  # noqa: F401
        except ImportError:
            self.skipTest("python3-mpi4py is not installed")
        if shutil.which("mpirun") is None:
            self.skipTest("openmpi-bin is not installed")
        done = subprocess.run(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3", sys.executable, "-B",
                               "-m", "mpi4py.futures", __file__, "mpi"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.strip(), str(optimise()["recommendation"]))


if __name__ == "__main__":
    if sys.argv[1:] == ["mpi"]:
        from mpi4py.futures import MPIPoolExecutor

        with MPIPoolExecutor() as pool:
            print(optimise(parallel=pool)["recommendation"])
    else:
        unittest.main()
