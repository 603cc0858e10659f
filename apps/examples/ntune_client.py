"""Lets a program ask ntune what to try next, where the package `ntune` is not installed.

Copy this file; it needs Python 3.8 and the command `ntune`.

    with ntune_client.Study("ntune", "serve", "study.yaml", "--out", "results") as study:
        for trial in study:
            study.tell(trial, play(**trial.params, seed=trial.seed))
        print(study.recommend()["params"])

Every answer is checked: what ntune refuses is a RuntimeError with its reason, and so is an ntune that
has ended. Its own messages appear on the standard error. Threads may share a study.
"""

import json
import subprocess
import threading
from collections import namedtuple


class Trial(namedtuple("Trial", "id params seed instance stage")):
    """An evaluation to be made: values by name, the seed of its random numbers, its instance or None.

    In a study of matches `opponent` has the values of the other player, else it is None.
    """

    _opponent = None
    _looked = False

    @property
    def opponent(self):
        self._looked = True
        return self._opponent



class Study:
    """A study that `ntune serve STUDY.yaml …`, given word by word, asks to have evaluated."""

    def __init__(self, *command):
        self._lock = threading.Lock()
        self._ntune = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       encoding="utf-8")

    def ask(self):
        """The next evaluation; None: the study is done. Refused while too many are in flight."""
        answer = self._call({"op": "ask"})
        if "done" in answer:
            return None
        if "wait" in answer:
            raise RuntimeError(f"tell of one of these evaluations first: {answer['wait']}")
        trial = Trial(_get(answer, "id", int), _get(answer, "params", dict), _get(answer, "seed", int),
                      answer.get("instance"), _get(answer, "stage", str))
        trial._opponent = answer.get("opponent")
        return trial

    def __iter__(self):
        return iter(self.ask, None)

    def tell(self, trial, *values):
        """The payoff of an evaluation, or the payoffs of its games.

        Refused for a match whose opponent the program has never looked at: it cannot have played it.
        """
        if trial._opponent is not None and not trial._looked:
            raise RuntimeError(f"evaluation {trial.id} is a match, to be played against trial.opponent")
        self._told(trial, {"op": "tell", "id": trial.id, "values": [float(value) for value in values]},
                   "told")

    def fail(self, trial, reason):
        """The evaluation has failed. What becomes of that is the study's key `fail`."""
        self._told(trial, {"op": "fail", "id": trial.id, "reason": str(reason)}, "failed")

    def recommend(self):
        """The best by all that was told: a dict with `params`, `estimate`, and `final` at the end.

        With fresh evaluations also `value` and `interval`. Refused where nothing was told.
        """
        answer = self._call({"op": "recommend"})
        _get(answer, "params", dict)
        return answer

    def close(self):
        """Ends ntune. With `--out` the same command goes on where this one was."""
        try:
            self._ntune.communicate('{"op": "quit"}\n')
        except OSError:  # it has ended by itself
            self._ntune.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _told(self, trial, request, key):
        number = _get(self._call(request), key, int)
        if number != trial.id:
            raise RuntimeError(f"ntune has taken evaluation {number} for {trial.id}")

    def _call(self, request):
        line = json.dumps(request, allow_nan=False)
        with self._lock:
            try:
                self._ntune.stdin.write(line + "\n")
                self._ntune.stdin.flush()
                text = self._ntune.stdout.readline()
            except OSError:
                text = ""
        if not text:
            raise RuntimeError("ntune has ended; its last words are on the standard error")
        try:
            answer = json.loads(text)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise RuntimeError(f"not an answer of ntune: {text!r:.200}")
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer


def _get(answer, name, kind):
    if not isinstance(answer.get(name), kind):
        raise RuntimeError(f"ntune's answer has no {name}: {answer}")
    return answer[name]
