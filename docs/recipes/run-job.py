"""Run a workflow by a gateway, with nothing but Python's standard library.

    PROMPTWIRE_GATEWAY=http://127.0.0.1:8189 PROMPTWIRE_TOKEN=... python3 run-job.py workflow.json pictures

The workflow is in API format. The job is submitted once, whatever becomes of the answers, and followed by its events; the files of its
outputs go into the folder.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid
from http.client import HTTPException

GATEWAY = os.environ.get("PROMPTWIRE_GATEWAY", "http://127.0.0.1:8189")
TOKEN = os.environ.get("PROMPTWIRE_TOKEN", "")
ENDED = {"completed", "failed", "cancelled", "untraceable", "unknown"}


def call(method, path, body=None, headers=None):
    """Opens a request; a refusal is an HTTPError whose body is JSON with `code` and `detail`."""
    request = urllib.request.Request(GATEWAY + path, method=method, headers=headers or {})
    if TOKEN:
        request.add_header("Authorization", f"Bearer {TOKEN}")
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    return urllib.request.urlopen(request, timeout=60)


def submit(workflow):
    """Sends the same key with each try, so that the gateway makes one job of them."""
    key = {"Idempotency-Key": str(uuid.uuid4()), "Idempotency-Replay": "true"}
    for attempt in range(5):
        try:
            with call("POST", "/api/v2/jobs", {"workflow": workflow}, key) as answer:
                return json.load(answer)["id"]
        except urllib.error.HTTPError as refusal:
            if refusal.code not in (429, 502, 503, 504):
                raise
            pause = float(refusal.headers.get("Retry-After", 2**attempt))
        except (urllib.error.URLError, HTTPException, OSError):
            pause = 2**attempt
        time.sleep(pause)
    raise SystemExit("the gateway does not answer")


def events(job):
    """Yields the events of a job to its last one; a stream that is cut goes on where it was."""
    last = None
    while True:
        headers = {"Accept": "application/x-ndjson"}
        if last is not None:
            headers["Last-Event-ID"] = last
        try:
            with call("GET", f"/jobs/{job}/events", headers=headers) as stream:
                if stream.status == 204:
                    return
                for line in stream:
                    # A line without an event is a sign of life.
                    if line.strip():
                        event = json.loads(line)
                        last = event["id"]
                        yield event["event"], event["data"]
        except urllib.error.HTTPError:
            raise
        except (urllib.error.URLError, HTTPException, OSError, ValueError):
            time.sleep(1)


def phase_of(event, data):
    """The phase that an event tells of, or None."""
    if event == "snapshot":
        return data["jobs"][0]["state"]["phase"]
    if event in ("submitted", "status"):
        return data["state" if event == "submitted" else "status"]["phase"]
    return None


def run(workflow, folder):
    job = submit(workflow)
    phase = None
    for event, data in events(job):
        if event == "progress":
            print(f"{data['progress']['progress']:.0%}")
        phase = phase_of(event, data) or phase
        if phase in ENDED:
            break
    print(phase)
    os.makedirs(folder, exist_ok=True)
    with call("GET", f"/jobs/{job}") as answer:
        shown = json.load(answer)
    for number, file in enumerate(shown["files"]):
        with call("GET", f"/jobs/{job}/outputs/{file['id']}") as answer:
            name = f"{number} {os.path.basename(file['filename'])}"
            with open(os.path.join(folder, name), "wb") as target:
                target.write(answer.read())
        print(name)
    return 0 if phase == "completed" else 1


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as source:
        sys.exit(run(json.load(source), sys.argv[2] if len(sys.argv) > 2 else "."))
