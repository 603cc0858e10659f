"""Executors of clusters: Dask's, with a worker that is killed, and mpi4py's."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from test_parallel import dies_once, optimise


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
