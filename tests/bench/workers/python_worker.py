# SPDX-License-Identifier: Apache-2.0
"""What the workers in Python share: the line protocol of tests/bench/peers/__init__.py and the clocks. Runs on Python 3.10, without packages."""

import gc
import json
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

Call = Callable[[], Any]
Operations = dict[str, Call]


def input_values(count: int) -> list[float]:
    """Values in [-1, 1), the same in every worker."""
    return [(i * 2654435761 % 2**32) / 2**31 - 1 for i in range(count)]


def input_integers(count: int, t: int) -> list[int]:
    """Integers modulo t, likewise."""
    return [(i * 0x9E3779B97F4A7C15 % 2**64) % t - t // 2 for i in range(1, count + 1)]


def largest_error(got: Any, truth: Sequence[float]) -> float:
    return max(abs(float(a) - b) for a, b in zip(got, truth, strict=True))


def measure(call: Call, request: dict[str, Any]) -> dict[str, Any]:
    """Nanoseconds per call of `runs` samples of `batch` calls each."""
    batch = request.get("batch", 1)
    cpu, wall = [], []
    for _ in range(request.get("runs", 1)):
        wall_start, cpu_start = time.perf_counter_ns(), time.process_time_ns()
        for _ in range(batch):
            call()
        cpu.append((time.process_time_ns() - cpu_start) / batch)
        wall.append((time.perf_counter_ns() - wall_start) / batch)
    return {"bytes": 0, "cpu": cpu, "wall": wall}


class Client:
    """One peer with one parameter set. The operations are made on first use, `session` does without them."""

    facts: dict[str, Any]

    def __init__(self, request: dict[str, Any]) -> None:
        self.set = request
        self.t = request.get("plain_modulus", 0)
        self.values = input_integers(request["n"], self.t) if self.t else input_values(request["n"] // 2)

    def session(self) -> None:
        """Set-up, keys, one encryption, one decryption: what the peak of memory is taken over."""
        raise NotImplementedError

    def operations(self) -> Operations:
        """By name; "check" returns the largest error of a value after encryption and decryption."""
        raise NotImplementedError

    def file_bytes(self, op: str) -> int:
        return 0


def serve(peer: type[Client]) -> None:
    gc.disable()
    client: Client | None = None
    operations: Operations | None = None
    for line in sys.stdin:
        request = json.loads(line)
        op = request["op"]
        try:
            if op == "start":
                client, operations = peer(request), None
                reply = client.facts
            elif client is None:
                reply = {"error": "start comes first"}
            elif op == "session":
                reply = measure(client.session, request)
            else:
                if operations is None:
                    operations = client.operations()
                if op not in operations:
                    reply = {"absent": "it has no such operation"}
                elif op == "check":
                    reply = {"value": operations[op]()}
                else:
                    reply = measure(operations[op], request)
                    reply["bytes"] = client.file_bytes(op)
        except Exception as error:  # whatever went wrong is the harness's to report
            reply = {"error": f"{type(error).__name__}: {' '.join(str(error).split())}"}
        gc.collect()
        print(json.dumps(reply), flush=True)
