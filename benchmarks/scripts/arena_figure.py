#!/usr/bin/env python3
"""Draws arena.svg from arena_parts.csv: what `auto` gains on NTBEA on every landscape.

    benchmarks/scripts/arena_figure.py benchmarks/results/arena.svg

Needs matplotlib. A dot is a difference of mean true values, paired by run, with its 95 % interval.
"""

import argparse
import sys

import arena_tables

COLOURS = {"win_loss": "#1f5fa8", "gaussian0.2": "#c2571a"}
UNNAMED = {"gaussian_landscape4": "random 4 x 10", "gaussian_landscape6": "random 6 x 5",
           "gaussian_landscape10": "random 10 x 6"}


def label(landscape):
    stem, _, seed = landscape.partition("_s")
    if stem in UNNAMED:
        return f"{UNNAMED[stem]}, {seed}"
    return arena_tables.LANDSCAPES[landscape]


def draw(pyplot, path):
    cells = arena_tables.read_cells()
    names = list(arena_tables.LANDSCAPES)
    figure, panels = pyplot.subplots(1, 4, figsize=(10, 5), sharey=True, sharex=True)
    for axes, budget in zip(panels, arena_tables.BUDGETS):
        for offset, noise in zip((-0.15, 0.15), arena_tables.NOISES):
            rows = [cells[budget, name, noise]["auto"] for name in names]
            gains, lows, highs = ([float(row[key]) for row in rows]
                                  for key in ("difference", "difference_low", "difference_high"))
            axes.errorbar(gains, [place + offset for place in range(len(names))],
                          xerr=[[gain - low for gain, low in zip(gains, lows)],
                                [high - gain for gain, high in zip(gains, highs)]],
                          fmt="o", markersize=3, linewidth=1.1, color=COLOURS[noise],
                          label=arena_tables.NOISES[noise])
        axes.axvline(0.0, color="#888888", linewidth=0.8)
        axes.set_title(f"{budget:,} evaluations", fontsize=10)
        axes.tick_params(labelsize=8)
    panels[0].set_yticks(range(len(names)), [label(name) for name in names])
    panels[0].invert_yaxis()
    panels[0].legend(loc="lower left", bbox_to_anchor=(0.0, 1.07), ncol=2, frameon=False, fontsize=9)
    figure.supxlabel("true value of what auto recommends, less NTBEA's; 95 % interval", fontsize=9)
    figure.subplots_adjust(left=0.19, right=0.99, top=0.84, bottom=0.12, wspace=0.06)
    figure.savefig(path, facecolor="white", metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE.svg")
    file = parser.parse_args().file
    try:
        import matplotlib
    except ImportError:
        sys.exit("arena_figure.py: needs matplotlib: scripts/install_dependencies.sh arena")
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "ntune"
    matplotlib.rcParams["svg.fonttype"] = "none"
    from matplotlib import pyplot
    draw(pyplot, file)


if __name__ == "__main__":
    main()
