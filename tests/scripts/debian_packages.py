#!/usr/bin/env python3
"""Makes the Debian packages, installs them into an empty root of this Debian, and uses them there as a stranger would.

debian_packages.py [--packages FOLDER] [--root FOLDER]

--packages: those that are there, in place of new ones; --root: a root of this Debian to begin with, which is copied.
Prints how long installing and the first results took. Exits with 77 where it cannot run: it needs root, debootstrap,
lintian and a mirror of Debian (NTUNE_DEBIAN_MIRROR, or deb.debian.org).
"""

import argparse
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SUITE = platform.freedesktop_os_release()["VERSION_CODENAME"]
MIRROR = os.environ.get("NTUNE_DEBIAN_MIRROR", "http://deb.debian.org/debian")
NAMES = ("ntune", "libntune-dev", "python3-ntune")

# A program of a stranger, as lib/README.md says.
PROJECT = """\
cmake_minimum_required(VERSION 3.25)
project(mine LANGUAGES CXX)
find_package(ntune REQUIRED)
add_executable(mine /usr/share/ntune/apps/examples/lambda_objective.cpp)
target_link_libraries(mine PRIVATE ntune::ntune)
"""

MODULE = """\
import importlib.metadata, ntune
assert importlib.metadata.version("ntune") == ntune.__version__
result = ntune.maximise(lambda x, rng: x + rng.random(), {"x": range(8)}, evaluations=100, seed=1)
assert result.best == {"x": 7}, result
assert len(result.report("page.html")) > 0
print(ntune.__version__)
"""


class Root:
    """A root of Debian in a folder; nothing of it is mounted once a command has ended."""

    def __init__(self, folder):
        self.folder = folder

    def call(self, command):
        """A shell's command in an empty folder there."""
        # In a root of its own, as of other_machines.sh, / is no place of a mount, and what is around it is private.
        inner = ('mount --make-rprivate / 2>/dev/null; mount -t proc proc "$1/proc" &&'
                 ' exec chroot "$1" sh -c "mkdir -p /tmp/here && cd /tmp/here && $2"')
        return subprocess.run(["unshare", "--mount", "--propagation", "unchanged", "sh", "-c", inner, "sh", self.folder,
                               command],
                              capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
                                   "DEBIAN_FRONTEND": "noninteractive"})

    def run(self, command, code=0):
        """What it prints; ends the test if it ends otherwise. What it says on standard error, if it is to fail."""
        done = self.call(command)
        if done.returncode != code:
            sys.exit(f"{command}\nended with {done.returncode}, not {code}:\n{done.stdout}{done.stderr}")
        return done.stdout if code == 0 else done.stderr

    def install(self, *names):
        self.run("apt-get install -y --no-install-recommends " + " ".join(names))

    def has(self, path):
        return os.path.lexists(self.folder / path)


class Clock:
    """Prints how long steps take."""

    def __init__(self):
        self.begin = time.monotonic()

    def step(self, what):
        now = time.monotonic()
        print(f"{now - self.begin:6.1f} s  {what}", flush=True)
        self.begin = now


def check(good, what):
    if not good:
        sys.exit(f"wrong: {what}")


def check_lintian(packages):
    done = subprocess.run(["lintian", "--allow-root", *packages.glob("*.deb")], capture_output=True, text=True)
    check(done.returncode == 0 and not done.stdout + done.stderr, f"lintian:\n{done.stdout}{done.stderr}")


def use_command(root, clock):
    """The package ntune alone, without what it recommends."""
    root.install("/packages/ntune_*.deb")
    clock.step("ntune is installed")
    text = root.run("ntune run configs/hartmann6.yaml")
    clock.step("the first study, configs/hartmann6.yaml")
    check("Use this setting: it wins" in text and "value        0.7" in text, text)
    root.run("ntune run configs/hartmann6.yaml --out out --quiet && ntune report out -o page.html")
    check("<!doctype html>" in root.run("cat page.html"), "the page of a study")
    root.run("ntune plot out --figure convergence -o figure.svg")
    refused = root.run("ntune plot out --figure convergence -o figure.png", code=2)
    check("librsvg2-bin" in refused, refused)
    # What the laboratories bring with them, from a folder that has none of it.
    root.run("bao match default:depth=1 ga3:depth=1 --quiet")
    root.run("amazons coverage --variants TDS --nodes 10 --quiet")
    root.run("cd / && ntune check configs/pig.yaml configs/bao.yaml")
    for page in ("ntune", "ntune-run", "amazons-tds", "arcade", "bao", "slide3-four-solve"):
        check(root.has(f"usr/share/man/man1/{page}.1.gz"), f"man page {page}")
    check(root.has("usr/share/doc/ntune/documents/README.md"), "the documents")
    completed = root.run("bash -c '. /usr/share/bash-completion/completions/ntune; COMP_WORDS=(ntune ver); COMP_CWORD=1;"
                         " _ntune; echo ${COMPREPLY[@]}'")
    check(completed == "verify\n", completed)
    check(not root.has("usr/bin/python3"), "ntune needs Python")
    clock.step("laboratories, page, figures, completion")


def use_module(root, clock, version):
    root.install("/packages/python3-ntune_*.deb")
    clock.step("python3-ntune is installed")
    printed = root.run('python3 -c "import ntune; print(ntune.__version__)"').strip()
    check(printed == version, printed)
    (root.folder / "tmp/module.py").write_text(MODULE, encoding="utf-8")
    check(root.run("python3 /tmp/module.py").strip() == version, "the module")
    clock.step("a first result in Python")
    check(root.has("usr/lib/python3/dist-packages/ntune/__pycache__"), "modules are not compiled")
    root.run("ntune check --dry-run configs/pig.yaml")


def use_library(root, clock):
    root.install("/packages/libntune-dev_*.deb", "g++", "cmake", "make")
    clock.step("libntune-dev, g++, cmake and make are installed")
    project = root.folder / "tmp/mine"
    project.mkdir()
    (project / "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
    root.run("cmake -S /tmp/mine -B build && cmake --build build")
    text = root.run("build/mine")
    check("Use this setting: " in text, text)
    clock.step("the lambda example is compiled and has run")


def remove_all(root):
    root.run("apt-get purge -y " + " ".join(NAMES))
    left = [str(path) for folder in ("usr/share/ntune", "usr/lib/python3/dist-packages/ntune", "usr/include/ntune")
            for path in (root.folder / folder).rglob("*")]
    check(not left, f"left behind: {left[:5]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packages", type=pathlib.Path)
    parser.add_argument("--root", type=pathlib.Path)
    arguments = parser.parse_args()
    missing = [program for program in ("debootstrap", "lintian", "unshare", "dpkg-deb") if not shutil.which(program)]
    if missing or os.geteuid() != 0:
        print("skipped: needs " + (", ".join(missing) or "the rights of root"))
        return 77

    clock = Clock()
    with tempfile.TemporaryDirectory(prefix="ntune-root-") as scratch:
        packages = arguments.packages
        if packages is None:
            packages = pathlib.Path(scratch) / "packages"
            subprocess.run([SOURCE / "scripts/package.sh", packages], check=True)
            clock.step("packages are made")
        check(len(list(packages.glob("*.deb"))) == len(NAMES), f"{packages}: not {len(NAMES)} packages")
        version = subprocess.run(["dpkg-deb", "-f", next(packages.glob("ntune_*.deb")), "Version"],
                                 capture_output=True, text=True, check=True).stdout.split("-")[0].strip()
        check_lintian(packages)
        clock.step("lintian is quiet")

        folder = pathlib.Path(scratch) / "root"
        if arguments.root is not None:
            subprocess.run(["cp", "-a", arguments.root, folder], check=True)
        else:
            done = subprocess.run(["debootstrap", "--variant=minbase", SUITE, folder, MIRROR],
                                  capture_output=True, text=True)
            if done.returncode:
                print(f"skipped: no root of {SUITE} from {MIRROR}:\n{done.stdout[-500:]}{done.stderr[-500:]}")
                return 77
        shutil.copytree(packages, folder / "packages")
        root = Root(folder)
        root.run("apt-get update")
        clock.step(f"an empty root of {SUITE}")
        use_command(root, clock)
        use_module(root, clock, version)
        use_library(root, clock)
        remove_all(root)
        clock.step("all is removed again")
    return 0


if __name__ == "__main__":
    sys.exit(main())
