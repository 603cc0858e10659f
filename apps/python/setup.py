"""Builds the package from this tree: `pip install .`, with Debian's build tools and no network.

There is no pyproject.toml, for which pip would fetch build tools. The version is the library's. Where
NTUNE_MODULE names a compiled module, that is taken as it is.
"""

import os
import pathlib
import re
import shutil
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
VERSION = re.search(r"VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
BUILD = ROOT / "build/pip"  # nothing is left in the sources
BUILD.mkdir(parents=True, exist_ok=True)


class CMakeModule(build_ext):
    """The module of the CMake target ntune_python."""

    def build_extension(self, extension):
        target = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        module = os.environ.get("NTUNE_MODULE") or self.compile()
        shutil.copy(module, target)

    def compile(self):
        build = pathlib.Path(self.build_temp).resolve()
        options = ["-DCMAKE_BUILD_TYPE=Release", "-DNTUNE_PYTHON=ON", "-DNTUNE_BUILD_TESTS=OFF",
                   "-DNTUNE_BUILD_BENCHMARKS=OFF"]
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", *options], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "ntune_python"], check=True)
        return next((build / "python/ntune").glob("_ntune*.so"))


setup(
    name="ntune",
    version=VERSION,
    description="Tunes the parameters of noisy, expensive functions, agents of games above all",
    license="MIT",
    python_requires=">=3.9",
    packages=["ntune"],
    package_data={"ntune": ["*.pyi", "py.typed"]},
    ext_modules=[Extension("ntune._ntune", sources=[])],
    cmdclass={"build_ext": CMakeModule},
    zip_safe=False,
    options={"build": {"build_base": str(BUILD)}, "egg_info": {"egg_base": str(BUILD)}},
)
