"""read_goals.py TRIALS ROWS.csv

Reads with Optuna what `ntune export` has made of a study of several goals, and compares each trial with its
row of the export as CSV.
"""

import csv
import sys

import optuna
from optuna.storages import JournalFileStorage, JournalStorage


def main(trials, rows):
    storage = "sqlite:///" + trials if "sqlite" in trials else JournalStorage(JournalFileStorage(trials))
    name = optuna.study.get_all_study_summaries(storage)[0].study_name
    study = optuna.load_study(study_name=name, storage=storage)
    goals = study.user_attrs["goals"]
    with open(rows, encoding="utf-8") as file:
        wanted = list(csv.DictReader(file))
    assert len(study.trials) == len(wanted)
    for trial, row in zip(study.trials, wanted):
        values = [float(row[goal]) for goal in goals if row[goal]]
        assert (trial.values or []) == values, (trial.values, row)
        assert trial.state.name == ("COMPLETE" if values else "FAIL")
    assert study.best_trials
    print(", ".join(f"{goal} {direction.name}" for goal, direction in zip(goals, study.directions))
          + f": {len(study.trials)} trials")


main(*sys.argv[1:])
