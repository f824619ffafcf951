"""Clusters for the command: ``tailback sweep --on``. Dask does the scheduling."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from tailback._errors import UsageError
from tailback._run import sweep
from tailback._spec import Spec
from tailback._table import extra

CONNECT_SECONDS = 20
INTERRUPTED = 130


def sweep_elsewhere(text: str, out: str, on: str, tasks: int, quiet: bool) -> bool:
    """Run what the folder ``out`` lacks of a spec; False after Ctrl-C.

    The command's own handlers of signals are replaced; it puts them back afterwards.
    """
    _on_ctrl_c(_stop)
    try:
        with _slurm(tasks) if on == "slurm" else _dask(on) as client:
            sweep(
                Spec.from_toml(text), store=out, executor=client, progress=False if quiet else None
            )
    except KeyboardInterrupt:
        return False
    return True


def _on_ctrl_c(handler: Callable[[int, FrameType | None], None]) -> None:
    for asked in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(asked, handler)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    # To take leave of a cluster may need a while: that it was heard is said at once.
    print("stopping; what is finished is kept (Ctrl-C again to quit at once)", file=sys.stderr)
    _on_ctrl_c(lambda _signal, _frame: os._exit(INTERRUPTED))
    raise KeyboardInterrupt


@contextmanager
def _dask(on: str) -> Iterator[Any]:
    """Connect to a scheduler that is there, ``dask://HOST:PORT``."""
    try:
        from distributed import Client
    except ImportError:
        raise extra("dask.distributed", "cluster") from None
    address = on.removeprefix("dask://")
    try:
        client = Client(f"tcp://{address}", timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise UsageError(f"no scheduler of Dask answers at {address}: {error}") from error
    with client:
        yield client


@contextmanager
def _slurm(jobs: int) -> Iterator[Any]:
    """Start workers as Slurm jobs; Dask's own configuration (jobqueue.yaml) says how."""
    try:
        import dask
        from dask_jobqueue import SLURMCluster
        from distributed import Client
    except ImportError:
        raise extra("dask_jobqueue", "cluster") from None
    # To import it replaces the handler of Ctrl-C by one that ends the program.
    _on_ctrl_c(_stop)
    needed = {"cores": 1, "memory": "2GiB"}
    given = {name: dask.config.get(f"jobqueue.slurm.{name}", None) for name in needed}
    sizes = {name: value for name, value in needed.items() if given[name] is None}
    with SLURMCluster(**sizes) as cluster, Client(cluster) as client:
        cluster.scale(jobs=jobs)
        yield client
