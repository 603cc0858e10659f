"""read_export.py (FOLDER EVALUATIONS.log EVALUATIONS.db POINTS.log POINTS.db)...

Reads with Optuna what `ntune export` has made of the journal in each FOLDER. Both files of evaluations
are the same, and those of points agree with the statistics of their evaluations.
"""

import math
import statistics
import sys

import optuna
from optuna.storages import JournalFileStorage, JournalStorage, RDBStorage
from optuna.study import StudyDirection
from optuna.trial import TrialState

FINISHED = (TrialState.COMPLETE, TrialState.FAIL)


def load(path):
    if path.endswith(".db"):
        storage = RDBStorage("sqlite:///" + path)
    else:
        storage = JournalStorage(JournalFileStorage(path))
    names = [s.study_name for s in optuna.study.get_all_study_summaries(storage)]
    return [optuna.load_study(study_name=name, storage=storage) for name in names]


def typed(params):
    return {name: (type(value), value) for name, value in params.items()}


def compare_evaluations(study, base):
    """Every finished evaluation, in order, with all that the journal says of it."""
    wanted = [t for t in base.trials if t.state in FINISHED]
    assert len(study.trials) == len(wanted), (len(study.trials), len(wanted))
    for number, (trial, other) in enumerate(zip(study.trials, wanted)):
        assert trial.number == number
        assert trial.state == other.state
        assert trial.value == other.value, (trial.value, other.value)
        assert typed(trial.params) == typed(other.params), (trial.params, other.params)
        assert trial.distributions == other.distributions
        assert trial.datetime_start == other.datetime_start
        assert trial.datetime_complete == other.datetime_complete
        for key in ("stage", "run", "evaluation", "seconds", "failure"):
            assert trial.user_attrs.get(key) == other.user_attrs.get(key), key


def compare_points(study, base):
    """One trial for each distinct point, in order of their first evaluation."""
    groups = {}
    for trial in base.trials:
        if trial.state in FINISHED:
            groups.setdefault(tuple(sorted(typed(trial.params).items(), key=repr)), []).append(trial)
    assert len(study.trials) == len(groups), (len(study.trials), len(groups))
    means = []
    for trial, (params, evaluations) in zip(study.trials, groups.items()):
        values = [t.value for t in evaluations if t.state == TrialState.COMPLETE]
        attributes = trial.user_attrs
        assert typed(trial.params) == dict(params), (trial.params, params)
        assert attributes["n"] == len(values)
        assert attributes["failures"] == len(evaluations) - len(values)
        for stage in ("search", "re_evaluation", "hold_out"):
            assert attributes[stage] == sum(t.user_attrs["stage"] == stage for t in evaluations)
        assert trial.datetime_start == min(t.datetime_start for t in evaluations)
        assert trial.datetime_complete == max(t.datetime_complete for t in evaluations)
        assert (trial.state == TrialState.COMPLETE) == bool(values)
        if not values:
            assert trial.value is None
            continue
        means.append(statistics.fmean(values))
        assert math.isclose(trial.value, means[-1], rel_tol=1e-9, abs_tol=1e-12)
        if len(values) > 1:
            error = statistics.stdev(values) / math.sqrt(len(values))
            assert math.isclose(attributes["standard_error"], error, rel_tol=1e-9, abs_tol=1e-12)
            assert attributes["low"] <= trial.value <= attributes["high"]
        else:
            assert "standard_error" not in attributes
    best = min(means) if study.direction == StudyDirection.MINIMIZE else max(means)
    assert math.isclose(study.best_value, best), (study.best_value, best)


def main():
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    arguments = sys.argv[1:]
    trials = 0
    while arguments:
        evaluation_files, point_files = arguments[1:3], arguments[3:5]
        arguments = arguments[5:]
        bases = load(evaluation_files[0])
        for files, compare in ((evaluation_files, compare_evaluations),
                               (point_files, compare_points)):
            for file in files:
                studies = load(file)
                assert len(studies) == len(bases)
                for study, base in zip(studies, bases):
                    assert study.study_name == base.study_name, study.study_name
                    assert study.direction == base.direction
                    assert study.user_attrs["ntune"] and "seed" in study.user_attrs
                    compare(study, base)
                    trials += len(study.trials)
        # Optuna goes on with an export.
        study = load(evaluation_files[1])[0]
        study.add_trial(study.trials[0])
        study.ask(fixed_distributions=study.trials[0].distributions)
    print("ok", trials)


main()
