"""read_journal.py FOLDER EXPECTED [COMMAND...]

Reads FOLDER/journal.log with Optuna and compares its trials with EXPECTED, a JSON list of studies:
name, direction and trials by "stage cell repeat run evaluation". With a COMMAND: goes on with the
study as Optuna does, runs the command, which is to append to the journal, and reads it again.
"""

import json
import math
import subprocess
import sys

import optuna
from optuna.storages import JournalFileStorage, JournalStorage
from optuna.trial import TrialState

NAME = ["stage", "cell", "repeat", "run", "evaluation"]


def load(folder):
    storage = JournalStorage(JournalFileStorage(folder + "/journal.log"))
    summaries = optuna.study.get_all_study_summaries(storage)
    return storage, [optuna.load_study(study_name=s.study_name, storage=storage) for s in summaries]


def same(a, b):
    if type(a) is not type(b) or a != b:
        return False
    return not isinstance(a, float) or math.copysign(1, a) == math.copysign(1, b)


def check(study, expected, complete):
    assert study.study_name == expected["name"], study.study_name
    assert study.direction.name == expected["direction"], study.direction
    seen = set()
    for trial in study.trials:
        if "stage" not in trial.user_attrs:
            continue
        name = " ".join(str(trial.user_attrs[key]) for key in NAME)
        wanted = expected["trials"][name]
        assert name not in seen, name
        seen.add(name)
        assert trial.state.name == wanted["state"], (name, trial.state)
        assert same(trial.value, wanted["value"]), (name, trial.value, wanted["value"])
        assert list(trial.params) == list(wanted["params"]), (name, trial.params)
        for key, value in wanted["params"].items():
            assert same(trial.params[key], value), (name, key, trial.params[key], value)
            assert trial.distributions[key]._contains(
                trial.distributions[key].to_internal_repr(value)), (name, key)
        assert trial.datetime_start is not None
        finished = trial.state != TrialState.RUNNING
        assert (trial.datetime_complete is not None) == finished
        if trial.state == TrialState.FAIL:
            assert trial.user_attrs["failure"], name
    if complete:
        assert len(seen) == len(expected["trials"]), (len(seen), len(expected["trials"]))
    values = [t["value"] for t in expected["trials"].values() if t["value"] is not None]
    if complete and values:
        best = min(values) if expected["direction"] == "MINIMIZE" else max(values)
        assert study.best_value == best, (study.best_value, best)


def go_on(study):
    """What a user of Optuna may do with the study."""
    study.set_user_attr("note", "caf\u00e9 \"quoted\"")
    study.set_user_attr("none", float("nan"))
    distributions = next(t for t in study.trials if len(t.params) > 1).distributions
    trial = study.ask(fixed_distributions=distributions)
    study.tell(trial, 1e6 if study.direction.name == "MINIMIZE" else -1e6)
    trial = study.ask(fixed_distributions=distributions)
    trial.report(float("inf"), 1)
    study.tell(trial, float("inf") if study.direction.name == "MINIMIZE" else float("-inf"))
    study.tell(study.ask(fixed_distributions=distributions), state=TrialState.FAIL)
    study.ask(fixed_distributions=distributions)


def main():
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    folder, expected, command = sys.argv[1], json.load(open(sys.argv[2])), sys.argv[3:]
    _, studies = load(folder)
    assert len(studies) == len(expected), studies
    for study, wanted in zip(studies, expected):
        check(study, wanted, complete=not command)
    if command:
        before = [len(study.trials) for study in studies]
        for study in studies:
            go_on(study)
        subprocess.run(command, check=True)
        _, studies = load(folder)
        for study, wanted, trials in zip(studies, expected, before):
            check(study, wanted, complete=True)
            assert len(study.trials) == len(wanted["trials"]) + 4, (len(study.trials), trials)
    print("ok", sum(len(study.trials) for study in studies))


main()
