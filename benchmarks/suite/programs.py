# SPDX-License-Identifier: Apache-2.0
"""The C++ programs of the suite: bench_list says what the cases are, the others answer a case with its times."""
import json
import os
import subprocess
import tempfile


def list_cases(directory, seed, drawn):
    command = [str(directory / "bench_list"), "--seed", str(seed), "--drawn", str(drawn)]
    return [json.loads(line) for line in subprocess.check_output(command, text=True).splitlines()]


class Program:
    """A running bench_suite. One that dies is started again, and the case that killed it is reported as failed."""

    def __init__(self, path, samples, environment=None):
        self.command = [str(path), "--samples", str(samples)]
        self.variables = os.environ | (environment or {})
        self.start()

    def start(self):
        self.complaints = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.complaints, text=True, env=self.variables)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.command[0]} does not start: {self.last_complaint()}")
        self.environment = json.loads(line)

    def measure(self, key):
        try:
            self.process.stdin.write(key + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if line:
            return json.loads(line)
        why = f"the program ended with status {self.process.wait()}: {self.last_complaint()}"
        self.start()
        return {"key": key, "failed": why}

    def last_complaint(self):
        self.complaints.seek(0)
        return (self.complaints.read().splitlines() or [""])[-1]

    def close(self):
        self.process.stdin.close()
        self.process.wait()
