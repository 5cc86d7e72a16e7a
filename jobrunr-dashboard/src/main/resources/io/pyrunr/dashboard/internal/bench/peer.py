"""Native Python, to compare with: speaks the same lines of JSON as peer.mjs. Only 'pyrunr bench' starts it."""
import ast
import json
import sys
import time


def job(code, params):
    names = {"__name__": "__main__", "params": params}
    tree = ast.parse(code)
    last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, "<job>", "exec"), names)
    return eval(compile(last, "<job>", "eval"), names)


def run(request):
    ms = []
    for _ in range(request["times"]):
        start = time.perf_counter()
        value = job(request["code"], request.get("params"))
        ms.append((time.perf_counter() - start) * 1000)
    return {"value": value, "ms": ms}


for line in sys.stdin:
    try:
        answer = run(json.loads(line))
    except Exception as error:
        answer = {"error": repr(error)}
    print(json.dumps(answer), flush=True)
