"""synced_tells.py LIBRARY JOURNAL COMMAND...

Serves a study by the command, with the library preloaded that logs what has been synced to the disk.
Whenever a `tell` is acknowledged, the line that records it must have been synced already. Then the
server is killed: all that it has acknowledged must stand in the journal.
"""

import json
import os
import subprocess
import sys
import tempfile

library, journal, command = sys.argv[1], sys.argv[2], sys.argv[3:]
log = tempfile.NamedTemporaryFile()
environment = dict(os.environ, LD_PRELOAD=library, NTUNE_SYNC_LOG=log.name)
server = subprocess.Popen(
    command, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
)


def call(**request):
    server.stdin.write(json.dumps(request) + "\n")
    server.stdin.flush()
    return json.loads(server.stdout.readline())


def synced_bytes():
    sizes = [0]
    for line in open(log.name):
        name, size = line.rsplit(" ", 1)
        if os.path.realpath(name) == os.path.realpath(journal):
            sizes.append(int(size))
    return max(sizes)


def end_of_told(word):
    """Bytes of the journal up to the end of the last line that holds the word."""
    text = open(journal, "rb").read()
    begin = text.rindex(word.encode())
    return text.index(b"\n", begin) + 1


told = 0
for i in range(20):
    work = call(op="ask")
    value = 1000 + i
    assert call(op="tell", id=work["id"], value=value) == {"told": work["id"]}
    assert synced_bytes() >= end_of_told(f" {value} "), f"tell {i} was acknowledged before its sync"
    told += 1
value = 5000
assert call(op="tell", params={"a": 3}, value=value) == {"told": None}
assert synced_bytes() >= end_of_told(f" {value} "), "an offer was acknowledged before its sync"
server.kill()
server.wait()
text = open(journal).read()
assert all(f" {1000 + i} " in text for i in range(told)) and f" {value} " in text
print("ok", told)
