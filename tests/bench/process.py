# SPDX-License-Identifier: Apache-2.0
"""One worker process: started, asked line by line, ended."""

import contextlib
import json
import os
import selectors
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ANSWER_SECONDS = 300
END_SECONDS = 300  # the limit for a worker that has nothing more to do; it ends at once unless the machine is very busy


class AbsentError(Exception):
    """A peer, or something of it, that is not there; the message is the reason."""


class WorkerError(Exception):
    """A worker died, did not answer, or said that something failed."""


class Worker:
    def __init__(self, command: Sequence[str | Path], env: Mapping[str, str], log: Path) -> None:
        self.name = Path(command[-1]).name
        self._buffer = b""
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as errors:
            pipe = subprocess.PIPE
            # in the harness's process group: whatever stops that stops this
            self.process = subprocess.Popen(
                list(map(str, command)), stdin=pipe, stdout=pipe, stderr=errors, env=dict(env)
            )

    def ask(self, request: Mapping[str, Any], seconds: float = ANSWER_SECONDS) -> dict[str, Any]:
        """The answer; AbsentError for an operation that the peer has not, WorkerError for everything that went wrong."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise WorkerError(f"ended with code {self.process.wait()}") from None
        line = self._line(seconds)
        try:
            reply: dict[str, Any] = json.loads(line)
        except json.JSONDecodeError:
            raise WorkerError(f"answered {line[:80]!r}") from None
        if "absent" in reply:
            raise AbsentError(reply["absent"])
        if "error" in reply:
            raise WorkerError(reply["error"])
        return reply

    def _line(self, seconds: float) -> str:
        assert self.process.stdout is not None
        end = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                if not selector.select(max(0.0, end - time.monotonic())):
                    self.process.kill()
                    self.close()
                    raise WorkerError(f"no answer within {seconds:.0f} s")
                read = os.read(self.process.stdout.fileno(), 65536)
                if not read:
                    raise WorkerError(f"ended with code {self.process.wait()}")
                self._buffer += read
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line.decode()

    # ---- memory -----------------------------------------------------------------------------------------------------
    def _status(self, field: str) -> int:
        """Bytes, from the kernel: VmRSS now, VmHWM at its peak."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith(f"{field}:"):
                return 1024 * int(line.split()[1])
        raise WorkerError(f"the kernel does not tell {field}")

    def start_counting(self) -> int:
        """Resident bytes now, from which the peak is counted on."""
        try:
            Path(f"/proc/{self.process.pid}/clear_refs").write_text("5", encoding="ascii")  # peak := now
        except OSError as error:
            raise WorkerError(f"its peak of memory cannot be reset: {error.strerror}") from None
        return self._status("VmRSS")

    def peak(self) -> int:
        return self._status("VmHWM")

    def close(self) -> None:
        """End of input ends a worker; one that does not listen is killed."""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            self.process.wait(timeout=END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
