#!/usr/bin/env python3
"""The files for Slurm in configs, on a cluster of this machine alone, with munged, slurmctld and slurmd of Debian.

slurm.py --ntune PROGRAM; exits with 77 where these are missing, or without root's rights.

Each way is ended by scancel, and by its time limit. Submitted again, it must give what an undisturbed run gives.
"""

import argparse
import contextlib
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

CONFIGS = pathlib.Path(__file__).resolve().parents[2] / "configs"
PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "scancel", "scontrol", "mpirun"]
PATH = os.environ["PATH"] + ":/usr/sbin"
CLUSTER = """ClusterName=loopback
SlurmctldHost=localhost
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
KillWait=5
NodeName=localhost CPUs=64
PartitionName=all Nodes=localhost Default=YES State=UP
"""
STUDY = """objective:
  command: [sh, -c, 'sleep 0.8; echo $(($1 * 3 + $2 % 7))', x, "{x}", "{seed}"]
space: {x: {integers: [0, 7]}}
runs: 2
iterations: 60
hold_out: 40
parallel_evaluations: 4
"""
WAYS = {"slurm_array.sbatch": ["--array=1", "--cpus-per-task=4"], "slurm_mpi.sbatch": ["--ntasks=4"]}


def expect(right, text, output=""):
    if not right:
        sys.exit(f"not so: {text}\n{output}")


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def wait_for(condition, what, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        expect(time.monotonic() < end, what)
        time.sleep(0.2)


class Cluster:
    """One node, with its daemons from the beginning to the end."""

    def __init__(self, folder, ntune):
        self.folder = folder
        for name in ("state", "spool", "bin"):
            (folder / name).mkdir()
        (folder / "bin/ntune").symlink_to(ntune)
        (folder / "slurm.conf").write_text(CLUSTER.format(folder=folder, ports=free_ports(2)))
        (folder / "munge.key").write_bytes(os.urandom(1024))
        (folder / "munge.key").chmod(0o400)
        self.environment = {**os.environ, "PATH": f"{folder}/bin:{PATH}", "SLURM_CONF": str(folder / "slurm.conf"),
                            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        munge = [f"--{name}-file={folder}/munge.{name}" for name in ("key", "pid", "log", "seed")]
        self.daemons = []
        self.start("munged", "--foreground", f"--socket={folder}/munge.socket", *munge)
        wait_for((folder / "munge.socket").exists, "munged runs")
        self.start("slurmctld", "-D")
        self.start("slurmd", "-D", "-N", "localhost")
        wait_for(lambda: "State=IDLE" in self.call("scontrol", "show", "node"), "the node is idle")

    def start(self, *command):
        self.daemons.append(subprocess.Popen(command, env=self.environment, stdout=subprocess.DEVNULL,
                                             stderr=subprocess.DEVNULL))

    def end(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            daemon.wait()

    def call(self, *command):
        return subprocess.run(command, env=self.environment, cwd=self.folder, capture_output=True, text=True,
                              check=False).stdout

    def submit(self, way, results, *options):
        job = self.call("sbatch", "--parsable", *WAYS[way], *options, CONFIGS / way, "study.yaml", results)
        expect(re.fullmatch(r"\d+\n", job), f"sbatch takes {way}", job)
        return job.strip()

    def state(self, job):
        return re.search(r"JobState=(\w+)", self.call("scontrol", "show", "job", job))[1]

    def state_at_end(self, job):
        wait_for(lambda: self.state(job) not in ("PENDING", "RUNNING", "COMPLETING"), f"job {job} ends", 300)
        return self.state(job)


def lines_of(path):
    return path.read_text().count("\n") if path.exists() else 0


def goes_on(cluster, way, name, cut_off):
    """The results of a job that `cut_off` has ended before its end, and that was submitted again."""
    end = "-1" if "array" in way else ""
    journal = cluster.folder / f"{name}{end}/journal.log"
    state = cut_off(name, journal)
    expect(state != "COMPLETED", f"{way}: {name} is cut off", state)
    done = lines_of(journal)
    state = cluster.state_at_end(cluster.submit(way, name))
    logs = "".join(log.read_text() for log in cluster.folder.glob("ntune-*.log"))
    expect(state == "COMPLETED", f"{way}: {name} goes on to its end", state + logs)
    print(f"{way}, {name}: {done} lines of the journal before, {lines_of(journal)} at the end")
    return journal.parent


def check_way(cluster, way, expected):
    def by_scancel(name, journal):
        job = cluster.submit(way, name)
        wait_for(lambda: lines_of(journal) > 30, f"{way} works")
        cluster.call("scancel", job)
        return cluster.state_at_end(job)

    def by_time(name, _):
        return cluster.state_at_end(cluster.submit(way, name, "--time=1"))  # TERM comes within half a minute

    for name, cut_off in (("cancelled", by_scancel), ("timed_out", by_time)):
        found = goes_on(cluster, way, f"{name}_{pathlib.Path(way).stem}", cut_off)
        for file in ("result.json", "runs.csv"):
            expect((found / file).read_text() == (expected / file).read_text(), f"{way}: {file} is that of one machine")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ntune", required=True)
    ntune = pathlib.Path(parser.parse_args().ntune).resolve()
    missing = [program for program in PROGRAMS if shutil.which(program, path=PATH) is None]
    if missing or os.geteuid() != 0:
        why = f"not installed: {', '.join(missing)}" if missing else "the daemons of Slurm need root's rights"
        print(f"skipped: {why}; scripts/install_dependencies.sh machines")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)  # munged wants everybody to reach its socket
        (folder / "study.yaml").write_text(STUDY)
        subprocess.run([ntune, "run", "study.yaml", "--quiet", "--threads", "4", "--out", "expected"], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
        cluster = Cluster(folder, ntune)
        try:
            check_way(cluster, "slurm_array.sbatch", folder / "expected")
            if "with MPI" in cluster.call("ntune", "--version"):
                check_way(cluster, "slurm_mpi.sbatch", folder / "expected")
        finally:
            cluster.end()


if __name__ == "__main__":
    main()
