"""Tables and the rank plot of the arena from one row a run (also used by compare_peers.py)."""

import csv
import math
import os
from collections import defaultdict

Z = 1.959964  # 95 % of a normal distribution


def interval(values):
    """Mean and half of its 95 % interval (normal; 0 below two values)."""
    n = len(values)
    mean = sum(values) / n
    if n < 2:
        return mean, 0.0
    variance = sum((value - mean) ** 2 for value in values) / (n - 1)
    return mean, Z * math.sqrt(variance / n)


def read_cells(rows):
    """{(landscape, noise, budget): {optimiser: {(seed, run): value}}}, seconds and optima."""
    cells = defaultdict(lambda: defaultdict(dict))
    seconds = defaultdict(list)
    optima = {}
    best = defaultdict(lambda: -math.inf)
    for row in rows:
        cell = row["landscape"], row["noise"], int(row["budget"])
        value = float(row["true_value"])
        cells[cell][row["optimiser"]][row["seed"], row["run"]] = value
        if row["seconds"]:
            seconds[cell, row["optimiser"]].append(float(row["seconds"]))
        best[cell[:2]] = max(best[cell[:2]], value)
        if row["optimum"]:
            optima[cell[:2]] = float(row["optimum"])
    for key, value in best.items():
        optima.setdefault(key, value)
    return cells, seconds, optima


def paired(values, reference):
    common = values.keys() & reference.keys()
    return interval([values[key] - reference[key] for key in common]) if common else None


def rank(mean, means):
    """1 for the highest of the means, of which it is one; ties share theirs."""
    higher = sum(other > mean for other in means)
    ties = sum(other == mean for other in means)
    return higher + (ties + 1) / 2


def summarise(rows, reference):
    """One dictionary a cell and optimiser, best mean first within a cell."""
    cells, seconds, optima = read_cells(rows)
    table = []
    for cell, results in cells.items():
        overhead = seconds.get((cell, "random"))
        overhead = sum(overhead) / len(overhead) if overhead else 0.0
        lines = []
        for optimiser, values in results.items():
            mean, half = interval(list(values.values()))
            own = seconds.get((cell, optimiser))
            line = {"landscape": cell[0], "noise": cell[1], "budget": cell[2],
                    "optimiser": optimiser, "n": len(values), "mean": mean, "low": mean - half,
                    "high": mean + half, "regret": optima[cell[:2]] - mean,
                    "seconds": max(0.0, sum(own) / len(own) - overhead) if own else None}
            against = paired(values, results[reference]) if reference in results else None
            if against and optimiser != reference:
                line.update(difference=against[0], difference_low=against[0] - against[1],
                            difference_high=against[0] + against[1])
            lines.append(line)
        lines.sort(key=lambda line: -line["mean"])
        top = results[lines[0]["optimiser"]]
        means = [line["mean"] for line in lines]
        for line in lines:
            line["rank"] = rank(line["mean"], means)
            against = paired(results[line["optimiser"]], top)
            line["level"] = against is None or against[0] + against[1] >= 0.0
        table += lines
    return table


FIELDS = ["landscape", "noise", "budget", "optimiser", "n", "mean", "low", "high", "regret",
          "difference", "difference_low", "difference_high", "rank", "level", "seconds"]


def number(value, digits=4):
    return "" if value is None else f"{value:.{digits}f}" if abs(value) < 100 else f"{value:.1f}"


def text_table(header, rows):
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    lines = ["  ".join(field.ljust(width) for field, width in zip(row, widths)).rstrip()
             for row in [header, ["-" * width for width in widths], *rows]]
    return "\n".join(lines) + "\n"


def cell_text(table, reference, names):
    rows = []
    previous = None
    for line in table:
        cell = line["landscape"], line["noise"], line["budget"]
        difference = ""
        if "difference" in line:
            difference = (f"{line['difference']:+.4f} [{number(line['difference_low'])}, "
                          f"{number(line['difference_high'])}]")
        rows.append([*([str(part) for part in cell] if cell != previous else ["", "", ""]),
                     names.get((*cell, line["optimiser"]), line["optimiser"]) +
                     (" *" if line["level"] else ""), str(line["n"]),
                     number(line["mean"]), f"[{number(line['low'])}, {number(line['high'])}]",
                     number(line["regret"]), difference,
                     "" if line["seconds"] is None else f"{1e3 * line['seconds']:.3f}"])
        previous = cell
    return text_table(["landscape", "noise", "budget", "optimiser", "n", "mean",
                       "95 % interval", "regret", f"difference to {reference}", "ms"], rows)


def mean_ranks(table):
    """{(budget, optimiser): (mean rank, half of its interval, cells)} over the cells of a budget
    that all of its optimisers have."""
    cells = defaultdict(list)
    names = defaultdict(set)
    for line in table:
        cells[line["budget"], line["landscape"], line["noise"]].append(line)
        names[line["budget"]].add(line["optimiser"])
    ranks = defaultdict(list)
    for (budget, *_), lines in cells.items():
        if {line["optimiser"] for line in lines} == names[budget]:
            for line in lines:
                ranks[budget, line["optimiser"]].append(line["rank"])
    return {key: (*interval(values), len(values)) for key, values in ranks.items()}


def rank_text(table, reference):
    ranks = mean_ranks(table)
    counts = defaultdict(lambda: [0, 0, 0, 0])
    for line in table:
        count = counts[line["budget"], line["optimiser"]]
        count[0] += 1
        count[1] += line["level"]
        count[2] += line.get("difference_low", 0.0) > 0.0
        count[3] += line.get("difference_high", 0.0) < 0.0
    rows = []
    for (budget, name), (mean, half, _) in sorted(ranks.items(), key=lambda item: (
            item[0][0], item[1][0])):
        count = counts[budget, name]
        rows.append([str(budget), name, f"{mean:.2f}", f"[{mean - half:.2f}, {mean + half:.2f}]",
                     *map(str, count)])
    return text_table(["budget", "optimiser", "mean rank", "95 % interval", "cells",
                       "level with best", f"above {reference}", f"below {reference}"], rows)


def plot_ranks(table, path):
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "ntune"
    from matplotlib import pyplot
    ranks = mean_ranks(table)
    figure, axes = pyplot.subplots(figsize=(8, 5))
    final = {}
    for budget, name in sorted(ranks):
        final[name] = ranks[budget, name][0]
    for i, name in enumerate(sorted(final, key=final.get)):
        points = [(budget, *ranks[budget, label][:2]) for budget, label in sorted(ranks)
                  if label == name]
        shift = 1.0 + 0.01 * (i - len(final) / 2)  # so that intervals do not hide one another
        axes.errorbar([shift * point[0] for point in points], [point[1] for point in points],
                      [point[2] for point in points], marker="os^vD<>p*X"[i % 10], capsize=2,
                      linewidth=1.2, label=name, color=pyplot.get_cmap("tab20")(i % 20))
    axes.set_xscale("log")
    budgets = sorted({budget for budget, _ in ranks})
    axes.set_xticks(budgets, [str(budget) for budget in budgets])
    axes.minorticks_off()
    axes.set_xlabel("evaluations")
    axes.set_ylabel("mean rank over landscapes (1: best), 95 % interval")
    axes.invert_yaxis()
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
    return True


def write(rows, folder, reference, plot=True, names=None, pairing="paired"):
    """Writes summary.csv, summary.txt and ranks.svg into the folder, and prints the second. `names`
    may give an optimiser another name in a cell: {(landscape, noise, budget, optimiser): name};
    `pairing` is what the footer calls differences."""
    if not rows:
        print("nothing has been run")
        return
    table = summarise(rows, reference)
    with open(os.path.join(folder, "summary.csv"), "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, restval="")
        writer.writeheader()
        writer.writerows(table)
    text = (cell_text(table, reference, names or {}) +
            "\nmean: true value of what a run recommends; regret: to the optimum, or to the best "
            "value seen where\nthat is not known; *: no worse than the best mean of the cell "
            f"({pairing}, 95 %); ms: processor time of a\nsuggestion, less that of random search\n\n" +
            rank_text(table, reference))
    with open(os.path.join(folder, "summary.txt"), "w", encoding="utf-8") as file:
        file.write(text)
    print(text, end="")
    if plot and not plot_ranks(table, os.path.join(folder, "ranks.svg")):
        print("no ranks.svg: python3-matplotlib is not installed")
