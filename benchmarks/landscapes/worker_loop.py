"""What the workers of this folder share: the requests of ntune, answered one by one."""

import json
import sys


def answer_requests(evaluate):
    """Answers each request on standard input with `evaluate(request)`, or with its exception."""
    for line in sys.stdin:
        request = json.loads(line)
        answer = {"id": request["id"]}
        try:
            answer["value"] = evaluate(request)
        except Exception as error:  # the study goes on, and says why this evaluation failed
            answer["error"] = repr(error)
        print(json.dumps(answer), flush=True)
