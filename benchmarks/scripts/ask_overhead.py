#!/usr/bin/env python3
"""What `ask` and `tell` of Python cost beyond the search itself (benchmarks/results/overheads.md).

The measure is a study of the library's own function, whose search asks, evaluates and tells within the library. A loop
of Python asks for the same evaluations and tells the values that the study had. That it is asked for the same points is
checked first. Each figure is the least of several rounds, in processor time of all threads, as the
slope between a tenth of the evaluations and all of them. Needs the Python package (PYTHONPATH=build/release/python).
"""

import argparse
import time

import ntune

FUNCTION = {"function": "hartmann6", "noise": "none"}


def study_of(optimiser, evaluations, **keys):
    return ntune.Study(objective=FUNCTION, optimiser=optimiser, runs=1, iterations=evaluations, hold_out=0, **keys)


def optimiser_of(space, optimiser, evaluations):
    return ntune.Optimiser(space, evaluations=evaluations, optimiser=optimiser, noisy=False, payoffs=(0, 1))


def recorded(optimiser, evaluations):
    """The space of the function, and the points and values of the study."""
    result = study_of(optimiser, evaluations, record="evaluations").run()
    space = result.data["study"]["space"]
    return space, [({name: trial[name] for name in space}, trial["value"]) for trial in result.trials()]


def check(space, optimiser, trials):
    asked = optimiser_of(space, optimiser, len(trials))
    for number, (params, value) in enumerate(trials):
        trial = asked.ask()
        if trial.params != params:
            raise SystemExit(f"{optimiser}: evaluation {number} is {trial.params}, that of the study was {params}")
        asked.tell(trial, value)


def loop(space, optimiser, values):
    asked = optimiser_of(space, optimiser, len(values))
    for value in values:
        asked.tell(asked.ask(), value)


def slope(rounds, clock, count, call):
    """Microseconds an evaluation."""
    def least(size):
        times = []
        for _ in range(rounds):
            begin = clock()
            call(size)
            times.append(clock() - begin)
        return min(times)

    few = count // 10
    return 1e6 * (least(count) - least(few)) / (count - few)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--evaluations", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    count = arguments.evaluations
    print("| optimiser | in the library | by Python | beyond | by Python, on the clock |")
    print("|---|---|---|---|---|")
    for optimiser in ("random", "ntbea"):
        space, trials = recorded(optimiser, count)
        check(space, optimiser, trials)
        values = [value for _, value in trials]

        def library(size):
            study_of(optimiser, size).run(parallel=1)

        def python(size):
            loop(space, optimiser, values[:size])

        own, both = (slope(arguments.rounds, time.process_time, count, call) for call in (library, python))
        clock = slope(arguments.rounds, time.perf_counter, count, python)
        print(f"| `{optimiser}` | {own:.1f} us | {both:.1f} us | {both - own:.1f} us | {clock:.1f} us |")


if __name__ == "__main__":
    main()
