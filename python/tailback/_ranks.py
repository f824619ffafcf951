"""The processes of an MPI job, in which one network is simulated together."""

from __future__ import annotations

import os
import sys
import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from mpi4py import MPI

# Where Open MPI, and MPICH, its descendants and srun, say how many processes they started.
SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE")

# Looks for a message before others are offered the core.
PATIENCE = 100


def started_together() -> Ranks | None:
    """Find the processes that mpirun or srun started this one with; None where there are none."""
    count = next((int(os.environ[name]) for name in SIZES if os.environ.get(name, "").isdigit()), 1)
    if count < 2:
        return None
    try:
        from mpi4py import MPI
    except (ImportError, RuntimeError) as error:
        _refuse(
            f"this is one of {count} processes, which needs mpi4py: {error}; "
            "pip install 'tailback[mpi]'"
        )
    comm = MPI.COMM_WORLD
    if comm.size != count:
        _refuse(
            f"mpirun has started {count} processes, and mpi4py knows of {comm.size}: "
            "they are of different MPIs"
        )
    return Ranks(comm)


def _refuse(message: str) -> NoReturn:
    print(f"error: {message}", file=sys.stderr)
    sys.exit(2)


class Ranks:
    """What the simulator asks of MPI. Called by several threads."""

    def __init__(self, comm: MPI.Intracomm) -> None:
        self._comm = comm
        self.rank = comm.rank
        self.count = comm.size
        self._lock = threading.Lock()
        # Sends that may not be finished, with what they send.
        self._sending: list[tuple[MPI.Request, bytes]] = []

    def __enter__(self) -> Ranks:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None:
            # The others wait for what will never come.
            sys.excepthook(type(error), error, trace)
            self.abort()
        for request, _ in self._sending:
            request.Wait()

    def send(self, to: int, tag: int, message: bytes) -> None:
        """Send without waiting."""
        request = self._comm.Isend([message, len(message)], dest=to, tag=tag)
        with self._lock:
            self._sending = [sending for sending in self._sending if not sending[0].Test()]
            self._sending.append((request, message))

    def receive(self, source: int, tag: int) -> bytes:
        """Wait for a message."""
        status, looks = _status(), 0
        while (waiting := self._comm.Improbe(source=source, tag=tag, status=status)) is None:
            looks += 1
            if looks > PATIENCE:
                # Where there are fewer cores than processes, the one waited for needs this one.
                time.sleep(0)
        message = bytearray(status.Get_count())
        waiting.Recv([message, len(message)])
        return bytes(message)

    def abort(self) -> None:
        """End all processes."""
        sys.stderr.flush()
        self._comm.Abort(1)


def _status() -> MPI.Status:
    from mpi4py import MPI

    return MPI.Status()
