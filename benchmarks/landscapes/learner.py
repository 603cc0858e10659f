#!/usr/bin/env python3
"""learner.py MODEL: a learner of scikit-learn as a worker of ntune. An evaluation trains it on a random
half of its data and answers the share of the other half that it names correctly.

MODEL is svm (a support vector machine for 900 of scikit-learn's handwritten digits) or boosting (gradient
boosting for its breast cancer data). The seed of the request names the half.
"""

import argparse
import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

import numpy
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC
from worker_loop import answer_requests

SCALERS = {"none": None, "standard": StandardScaler, "range": MinMaxScaler}


def svm(params, _):
    model = SVC(C=params["c"], gamma=params["gamma"], kernel=params["kernel"])
    scaler = SCALERS[params["scaling"]]
    return make_pipeline(scaler(), model) if scaler else model


def boosting(params, seed):
    features = params["features"]
    return GradientBoostingClassifier(
        learning_rate=params["rate"], n_estimators=params["trees"], max_depth=params["depth"],
        subsample=params["sample"], max_features="sqrt" if features == "root" else None,
        random_state=seed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition(": ")[2])
    parser.add_argument("model", metavar="MODEL", choices=("svm", "boosting"), help="svm or boosting")
    model = parser.parse_args().model
    data, names = (load_digits if model == "svm" else load_breast_cancer)(return_X_y=True)
    data, names = data[:900], names[:900]
    model_of = {"svm": svm, "boosting": boosting}[model]

    def evaluate(request):
        seed = request["seed"] % 2**32
        halves = train_test_split(data, names, test_size=0.5, random_state=seed, stratify=names)
        learner = model_of(request["params"], seed).fit(halves[0], halves[2])
        return round(float(numpy.mean(learner.predict(halves[1]) == halves[3])), 4)

    answer_requests(evaluate)


if __name__ == "__main__":
    main()
