"""`ntune watch --serve`: the page of a study while it goes on, for this machine alone."""

import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import unittest

NTUNE = os.environ["NTUNE"]
STUDY = {"objective": {"ask_tell": "agent"}, "space": {"x": {"integers": [1, 8]}}, "runs": 1, "iterations": 30,
         "hold_out": 0}


class LivePageTest(unittest.TestCase):
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
        """Without the socket of the process that answers `ask` and `tell`."""
        return sorted(path.name for path in self.study.iterdir() if not path.name.startswith("."))

    def serve(self):
        server = subprocess.Popen([NTUNE, "watch", self.study, "--serve", "0", "--interval", "0.1"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: (server.kill(), server.communicate()))
        return server, int(server.stdout.readline().partition("127.0.0.1:")[2].partition("/")[0])

    def get(self, port, path="/", method="GET", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.addCleanup(connection.close)
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8")

    def test_the_page_and_the_state_follow_the_study(self):
        before = self.files()
        server, port = self.serve()
        status, page = self.get(port)
        self.assertEqual(status, 200)
        self.assertIn("</html>", page)
        self.assertIn('id="live"', page)
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


if __name__ == "__main__":
    unittest.main()
