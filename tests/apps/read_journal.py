"""read_journal.py FILE EXPECTED

Reads with Optuna what `ntune export` has made, a journal or a database, and compares its trials with
EXPECTED, a JSON list of studies: name, direction and trials by "stage optimiser repeat run evaluation".
"""

import json
import math
import sys

import optuna
from optuna.storages import JournalFileStorage, JournalStorage, RDBStorage
from optuna.trial import TrialState

NAME = {"stage": "", "optimiser": "-", "repeat": 0, "run": "", "evaluation": ""}


def load(file):
    storage = (RDBStorage("sqlite:///" + file) if file.endswith(".db")
               else JournalStorage(JournalFileStorage(file)))
    summaries = optuna.study.get_all_study_summaries(storage)
    return [optuna.load_study(study_name=s.study_name, storage=storage) for s in summaries]


def same(a, b):
    if type(a) is not type(b) or a != b:
        return False
    return not isinstance(a, float) or math.copysign(1, a) == math.copysign(1, b)


def check(study, expected):
    assert study.study_name == expected["name"], study.study_name
    assert study.direction.name == expected["direction"], study.direction
    seen = set()
    for trial in study.trials:
        name = " ".join(str(trial.user_attrs.get(key, other)) for key, other in NAME.items())
        wanted = expected["trials"][name]
        assert name not in seen, name
        seen.add(name)
        assert trial.state.name == wanted["state"], (name, trial.state)
        assert same(trial.value, wanted["value"]), (name, trial.value, wanted["value"])
        assert sorted(trial.params) == sorted(wanted["params"]), (name, trial.params)
        for key, value in wanted["params"].items():
            assert same(trial.params[key], value), (name, key, trial.params[key], value)
            assert trial.distributions[key]._contains(
                trial.distributions[key].to_internal_repr(value)), (name, key)
        assert trial.datetime_start is not None
        assert trial.datetime_complete is not None
        if trial.state == TrialState.FAIL:
            assert trial.user_attrs["failure"], name
    assert len(seen) == len(expected["trials"]), (len(seen), len(expected["trials"]))
    values = [t["value"] for t in expected["trials"].values() if t["value"] is not None]
    if values:
        best = min(values) if expected["direction"] == "MINIMIZE" else max(values)
        assert study.best_value == best, (study.best_value, best)


def main():
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    file, expected = sys.argv[1], json.load(open(sys.argv[2]))
    studies = load(file)
    assert len(studies) == len(expected), studies
    for study, wanted in zip(studies, expected):
        check(study, wanted)
    print("ok", sum(len(study.trials) for study in studies))


main()
