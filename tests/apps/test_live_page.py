"""`ntune watch --serve`: the page of a study while it goes on, for this machine alone."""

import fcntl
import http.client
import itertools
import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time
import unittest

NTUNE = os.environ["NTUNE"]
STUDY = {"objective": {"ask_tell": "agent"}, "space": {"x": {"integers": [1, 8]}}, "runs": 1, "iterations": 30,
         "hold_out": 0}


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class ServedFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "study.yaml").write_text(json.dumps(STUDY), encoding="utf-8")
        self.study = self.root / "study"
        self.step()

    def ntune(self, *arguments):
        return subprocess.run([NTUNE, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False)

    def step(self):
        asked = json.loads(self.ntune("ask", self.study, "--study", self.root / "study.yaml").stdout)
        told = self.ntune("tell", self.study, "--id", asked["id"], "--value", "0.5")
        self.assertEqual(told.returncode, 0, told.stderr)

    def files(self):
        return sorted(path.name for path in self.study.iterdir())

    def serve(self, folder=None):
        server = subprocess.Popen([NTUNE, "watch", folder or self.study, "--serve", "0", "--interval", "0.1"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (server.kill(), server.communicate()))
        return server, int(server.stdout.readline().partition("127.0.0.1:")[2].partition("/")[0])

    def get(self, port, path="/", method="GET", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.addCleanup(connection.close)
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8")


    def events(self, port, path="/events"):
        """The events of a stream as they come."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.addCleanup(connection.close)
        connection.request("GET", path)
        answer = connection.getresponse()
        self.assertEqual((answer.status, answer.headers["Content-Type"]), (200, "text/event-stream"))
        return (json.loads(line.removeprefix(b"data: ")) for line in answer if line.startswith(b"data: "))

    def soon(self, events, key, text):
        """The first of the next few events that has the text: `ask` and `tell` are an event each."""
        few = list(itertools.takewhile(lambda event: text not in event.get(key, ""), itertools.islice(events, 5)))
        self.assertLess(len(few), 5, few)


class EventsTest(ServedFolder):
    """What a page is told without asking."""

    def test_a_page_is_told_when_its_study_goes_on_and_not_before(self):
        server, port = self.serve()
        events = self.events(port)
        first = next(events)
        self.assertEqual(first, json.loads(self.get(port, "/state")[1]))
        begin = time.monotonic()
        used = processor_seconds(server.pid)
        time.sleep(2)
        self.assertLess(processor_seconds(server.pid) - used, 0.5)
        self.step()
        second = next(events)
        self.assertGreater(time.monotonic() - begin, 2)
        self.assertNotEqual(first["version"], second["version"])
        if "2 of 30 evaluations" not in second["line"]:
            self.soon(events, "line", "2 of 30 evaluations")

    def test_the_board_and_its_studies_have_streams(self):
        _, port = self.serve(self.root)
        self.assertEqual(next(self.events(port))["rows"][0]["key"], "study")
        self.assertIn("1 of 30 evaluations", next(self.events(port, "/events?of=study"))["line"])
        for key in ("..", "../study", "", "/etc"):
            self.assertEqual(self.get(port, "/events?of=" + key)[0], 404, key)
        self.assertEqual(self.get(port, "/events", Host="example.org")[0], 403)

    def test_a_study_that_cannot_be_read_is_told_as_a_problem(self):
        _, port = self.serve()
        events = self.events(port)
        next(events)
        (self.study / "journal.log").write_text("nonsense\n", encoding="utf-8")
        self.soon(events, "problem", "journal.log")

    def test_a_hundred_pages_leave_the_server_free_and_end_with_it(self):
        server, port = self.serve()
        streams = [self.events(port) for _ in range(100)]
        for events in streams:
            self.assertIn("line", next(events))
        self.assertEqual(self.get(port)[0], 200)
        # Those beyond the first four come again after the interval.
        for events in streams[4:]:
            self.assertIsNone(next(events, None))
        self.step()
        for events in streams[:4]:
            self.soon(events, "line", "2 of 30 evaluations")
        begin = time.monotonic()
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(timeout=30), 130)
        self.assertLess(time.monotonic() - begin, 5)

    def test_the_place_of_a_page_that_was_closed_is_free_again(self):
        _, port = self.serve()
        for _ in range(12):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("GET", "/events")
            answer = connection.getresponse()
            answer.readline()
            answer.close()
            connection.close()
        time.sleep(1)
        events = self.events(port)
        next(events)
        self.step()
        self.soon(events, "line", "2 of 30 evaluations")


class LivePageTest(ServedFolder):
    """The page of one study."""

    def test_the_page_and_the_state_follow_the_study(self):
        before = self.files()
        server, port = self.serve()
        status, page = self.get(port)
        self.assertEqual(status, 200)
        self.assertIn("</html>", page)
        self.assertIn("const live = ", page)
        first = json.loads(self.get(port, "/state")[1])
        self.assertIn("1 of 30 evaluations", first["line"])
        self.assertEqual(json.loads(self.get(port, "/state")[1])["version"], first["version"])
        self.step()
        second = json.loads(self.get(port, "/state")[1])
        self.assertIn("2 of 30 evaluations", second["line"])
        self.assertNotEqual(first["version"], second["version"])
        self.assertEqual(self.get(port)[0], 200)
        self.assertEqual(self.files(), before)
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(timeout=30), 130)

    def test_nothing_else_is_served(self):
        _, port = self.serve()
        for path in ("/journal.log", "/../study.yaml", "/state/", "/index.html"):
            self.assertEqual(self.get(port, path)[0], 404, path)
        self.assertEqual(self.get(port, method="POST")[0], 404)
        self.assertEqual(self.get(port, method="DELETE")[0], 404)
        for host in ("example.org", f"example.org:{port}", "127.0.0.1"):
            self.assertEqual(self.get(port, Host=host)[0], 403, host)
        self.assertEqual(self.get(port, Host=f"localhost:{port}")[0], 200)

    def test_the_workers_of_a_fleet_are_shown(self):
        fleet = [{"name": "anna", "state": "here", "cores": 4, "calls": 30, "seconds_each": 2.0},
                 {"name": "<b>", "state": "set aside", "cores": 2, "calls": 20, "seconds_each": 1.0, "failures": 3,
                  "refuted": 3, "reason": "no file"}]
        (self.study / "workers.json").write_text(json.dumps(fleet), encoding="utf-8")
        _, port = self.serve(self.root)
        with open(self.study / "lock", "a", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # as the server of the study
            said = json.loads(self.get(port, "/state?of=study")[1])
            board = json.loads(self.get(port, "/rows")[1])["rows"][0]["cells"][2]
            top = self.ntune("top", self.study, "--once").stdout
        self.assertIn("1 of 2 workers here, 1 set aside", said["line"])
        self.assertIn("1 of 2 workers here, 1 set aside", board)
        for text in (top, said["workers"]):
            self.assertIn("anna: here, 4 cores, 30 calls of 2 s each, 75 % of all their time\n", text)
            self.assertIn("<b>: set aside, 2 cores, 20 calls of 1 s each, 25 % of all their time, 3 failed, "
                          "3 failed here alone: no file\n", text)
        # A server that has ended has none, also where all were set aside.
        for workers in (fleet, fleet[1:], [{"name": "odd", "state": 3}, 7]):
            (self.study / "workers.json").write_text(json.dumps(workers), encoding="utf-8")
            for _ in range(50):  # a busy server looks a little later
                said = json.loads(self.get(port, "/state?of=study")[1])
                if said["workers"] == "":
                    break
                time.sleep(0.2)
            self.assertEqual(said["workers"], "")
            self.assertNotIn("worker", said["line"])
            self.assertIn("rows", json.loads(self.get(port, "/rows")[1]))

    def test_wrong_calls_are_one_line(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            used = self.ntune("watch", self.study, "--serve", port)
        self.assertEqual((used.returncode, used.stderr.count("\n")), (2, 1), used.stderr)
        self.assertIn(f"port {port} cannot be used", used.stderr)
        for wrong in (["--serve", "65536"], ["--serve", "-1"], ["--serve", "0", "--once"]):
            refused = self.ntune("watch", self.study, *wrong)
            self.assertEqual((refused.returncode, refused.stderr.count("\n")), (2, 1), refused.stderr)
        nowhere = self.ntune("watch", self.root / "nowhere", "--serve", "0")
        self.assertEqual((nowhere.returncode, nowhere.stderr.count("\n")), (2, 1), nowhere.stderr)


class BoardTest(ServedFolder):
    """The board of all studies below a folder."""

    def rows(self, port):
        status, text = self.get(port, "/rows")
        self.assertEqual(status, 200, text)
        return {row["key"]: row for row in json.loads(text)["rows"]}

    def finished_study(self, name, default):
        study = {"objective": {"function": "branin", "noise": "win_loss"}, "budget": 200, "hold_out": 60, "seed": 3,
                 "space": {"x1": {"range": [-5, 10], "step": 1, "default": default},
                           "x2": {"range": [0, 15], "step": 1, "default": default}}}
        (self.root / "finished.yaml").write_text(json.dumps(study), encoding="utf-8")
        done = self.ntune("run", self.root / "finished.yaml", "--out", self.root / name, "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_studies_appear_with_what_they_have_found(self):
        _, port = self.serve(self.root)
        self.assertIn('id="rows"', self.get(port)[1])
        self.assertEqual(list(self.rows(port)), ["study"])
        self.finished_study("deep/er/one <b>", 9)
        rows = self.rows(port)
        self.assertEqual(set(rows), {"study", "deep/er/one <b>"})
        state, name, budget, _, gain, finding = rows["deep/er/one <b>"]["cells"]
        self.assertIn(">better<", state)
        self.assertIn("one &lt;b&gt;", name)
        self.assertIn("200 calls", budget)
        self.assertIn("<circle", gain)
        self.assertRegex(finding, r"^\+[\d.]+ points \[.*; .*x[12] 9 → ")
        link = name.split('"')[1]
        page = self.get(port, "/" + link)[1]
        self.assertIn("Use the new setting", page)
        self.finished_study("two", 3)
        both = self.get(port, "/compare?of=two&of=" + link.partition("=")[2])[1]
        self.assertIn("2 studies", both)

    def test_a_study_that_cannot_be_read_comes_first(self):
        broken = self.root / "broken"
        broken.mkdir()
        (broken / "journal.log").write_text("nonsense\n", encoding="utf-8")
        _, port = self.serve(self.root)
        rows = self.rows(port)
        self.assertEqual(list(rows)[0], "broken")
        self.assertIn("unreadable", rows["broken"]["cells"][0])

    def test_a_note_is_kept_and_nothing_else_is_written(self):
        before = self.files()
        _, port = self.serve(self.root)
        self.rows(port)
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.addCleanup(connection.close)

        def post(path, body, **headers):
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            answer.read()
            return answer.status

        self.assertEqual(post("/note?of=study", "a note", **{"X-Ntune": "note"}), 200)
        self.assertEqual((self.study / "note.md").read_text(encoding="utf-8"), "a note\n")
        self.assertEqual(self.rows(port)["study"]["note"], "a note")
        self.assertEqual(post("/note?of=study", "of a stranger"), 404)
        for key in ("..", "../study", "", "/etc"):
            self.assertEqual(post("/note?of=" + key, "x", **{"X-Ntune": "note"}), 404, key)
            self.assertEqual(self.get(port, "/study?of=" + key)[0], 404, key)
        self.assertEqual(post("/note?of=study", "", **{"X-Ntune": "note"}), 200)
        self.assertEqual(self.files(), before)


if __name__ == "__main__":
    unittest.main()
