"""Lets a program ask ntune what to try next, where the package `ntune` is not installed.

Copy this file; it needs Python 3.8 and the command `ntune`.

    with ntune_client.Study("ntune", "serve", "study.yaml", "--out", "results") as study:
        for trial in study:
            study.tell(trial, play(**trial.params, seed=trial.seed))
        print(study.recommend()["params"])

On a machine without ntune the same program works for a study that another one serves:

    with ntune_client.Worker("https://192.168.1.10:8765", "home.token", "study.yaml") as worker:
        for trial in worker:
            worker.tell(trial, play(**trial.params, seed=trial.seed))

Every answer is checked: what ntune refuses is a RuntimeError with its reason, and so is an ntune that
has ended. Its own messages appear on the standard error. Threads may share a study or a worker.
"""

import http.client
import json
import os
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.parse
from collections import namedtuple


class Trial(namedtuple("Trial", "id params seed instance stage")):
    """An evaluation to be made: values by name, the seed of its random numbers, its instance or None.

    In a study of matches `opponent` has the values of the other player, else it is None. With seats
    `games` has the `seed` and the `seats` of each game, the values of the player in every seat.
    """

    _opponent = None
    _games = None
    _looked = False

    @property
    def opponent(self):
        self._looked = True
        return self._opponent

    @property
    def games(self):
        self._looked = True
        return self._games


class _Asking:
    """Asks and tells; `_call` takes a request and has its answer."""

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
        trial._games = answer.get("games")
        return trial

    def __iter__(self):
        return iter(self.ask, None)

    def tell(self, trial, *values, cost=None):
        """The payoff of an evaluation, or the payoffs of its games; what it cost, in a budget of costs.

        Refused for a match whose opponent the program has never looked at: it cannot have played it.
        """
        self._tell(trial, cost, values=[float(value) for value in values])

    def tell_games(self, trial, wins=None, draws=0, losses=None, pairs=None, cost=None):
        """Counts of games; wins and losses must be given. `pairs`: how many pairs had 0, 1/2, 1, 3/2 and 2 points, both colours of an opening."""
        given = {"wins": wins, "draws": draws, "losses": losses}
        counts = {key: count for key, count in given.items() if count is not None}
        self._tell(trial, cost, **counts, **({} if pairs is None else {"pentanomial": list(pairs)}))

    def tell_seats(self, trial, results, cost=None):
        """Of each of `trial.games` a dict with `ranks` or `scores` of all seats, or the `winner`, from 1."""
        self._tell(trial, cost, games=list(results))

    def fail(self, trial, reason, cost=None):
        """The evaluation has failed. What becomes of that is the study's key `fail`."""
        self._told(trial, cost, "failed", op="fail", reason=str(reason))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _tell(self, trial, cost, **told):
        if trial._opponent is not None and not trial._looked:
            raise RuntimeError(f"evaluation {trial.id} is a match, to be played against trial.opponent")
        self._told(trial, cost, "told", op="tell", **told)

    def _told(self, trial, cost, key, **request):
        request["id"] = trial.id
        if cost is not None:
            request["cost"] = float(cost)
        number = _get(self._call(request), key, int)
        if number != trial.id:
            raise RuntimeError(f"ntune has taken evaluation {number} for {trial.id}")


class Study(_Asking):
    """A study that `ntune serve STUDY.yaml …`, given word by word, asks to have evaluated."""

    def __init__(self, *command):
        self._lock = threading.Lock()
        self._ntune = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       encoding="utf-8")

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
        return _checked(text)


class Worker(_Asking):
    """Evaluates for a study with `ask_tell:` that `ntune serve --listen` serves, until it is done.

    `token` is the token file and `study` the study file, copies of the server's. The server refuses
    another study, and another `program` than that of its first worker: a file, by default this script.
    What is silent is evaluated by others; so answers may come too late, and are left out.
    """

    def __init__(self, url, token, study, program=None, name=None, patience=300.0):
        with open(token, encoding="ascii") as file:
            word, _, certificate = file.read().partition("\n")
        place = urllib.parse.urlsplit(url)
        if place.scheme == "https":
            tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            tls.check_hostname = False  # the server is known by its certificate alone
            tls.load_verify_locations(cadata=certificate)
            self._connect = lambda: http.client.HTTPSConnection(place.hostname, place.port, timeout=20, context=tls)
        elif place.scheme == "http" and place.hostname in ("localhost", "127.0.0.1", "::1"):
            self._connect = lambda: http.client.HTTPConnection(place.hostname, place.port, timeout=20)
        else:
            raise RuntimeError(f"{url} would send the token for all to read; https:// is allowed")
        self._url, self._patience = url, patience
        self._headers = {"Authorization": f"Bearer {word.strip()}", "Connection": "close"}
        self._identity = {"op": "join", "name": name or socket.gethostname(), "cores": os.cpu_count() or 1,
                          "study": _digest(study), "program": _digest(program or sys.argv[0])}
        self._lock = threading.Lock()
        self._number = None
        self._held = {}  # by lease: the text of the request, and when it was begun
        self._closed = threading.Event()
        self._join(None)
        threading.Thread(target=self._renew, daemon=True).start()

    def close(self):
        """Gives back what has not been told."""
        self._closed.set()
        try:
            self._send({"op": "leave", "worker": self._number})
        except (OSError, http.client.HTTPException):  # the server has ended
            pass

    def _call(self, request):
        if request["op"] == "ask":
            return self._take()
        if request["id"] not in self._held:
            raise RuntimeError(f"there is no open evaluation with id {request['id']}")
        text, begin = self._held[request["id"]]
        answer = {"lease": request["id"], "request": text, "told": request, "seconds": time.monotonic() - begin}
        self._exchange({"op": "answer", "answer": answer})
        self._held.pop(request["id"], None)
        return {"told" if request["op"] == "tell" else "failed": request["id"]}

    def _take(self):
        while True:
            answer = self._exchange({"op": "work", "wait": 1.0})
            if "lease" in answer:
                self._held[answer["lease"]] = answer["request"], time.monotonic()
                return dict(_get(answer, "trial", dict), id=answer["lease"])
            if "done" in answer:
                return answer

    def _exchange(self, message):
        """As a worker that the server knows: one that was started anew has forgotten it."""
        while True:
            number = self._number
            answer = self._post(dict(message, worker=number))
            if "unknown" not in answer:
                return answer
            self._join(number)

    def _join(self, before):
        with self._lock:
            if self._number == before:
                answer = self._post(self._identity)
                self._number, self._lease = _get(answer, "worker", int), answer["lease"]

    def _renew(self):
        """Keeps what is evaluated here."""
        while not self._closed.wait(min(2.0, self._lease / 4)):
            try:
                self._send({"op": "renew", "worker": self._number, "leases": list(self._held)})
            except (OSError, RuntimeError, http.client.HTTPException):
                pass  # the next one may arrive

    def _post(self, message):
        """The answer to a message, which is sent again for as long as there is patience."""
        pause, begin = 0.1, time.monotonic()
        while True:
            try:
                return self._send(message)
            except ssl.SSLCertVerificationError:
                raise RuntimeError(f"{self._url}: the server has another certificate than that of the token file")
            except (OSError, http.client.HTTPException):
                if time.monotonic() - begin + pause > self._patience:
                    raise RuntimeError(f"{self._url}: the server has not answered for {self._patience:g} s")
            time.sleep(pause)
            pause = min(2 * pause, 10.0)

    def _send(self, message):
        connection = self._connect()
        try:
            connection.request("POST", "/", json.dumps(message, allow_nan=False), self._headers)
            response = connection.getresponse()
            text = response.read()
        finally:
            connection.close()
        if response.status == 401:
            raise RuntimeError(f"{self._url}: the server has another token")
        return _checked(text)


def _digest(path):
    """FNV-1a of 64 bits, by which the server knows a file."""
    value = 0xCBF29CE484222325
    with open(path, "rb") as file:
        for byte in file.read():
            value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


def _checked(text):
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
