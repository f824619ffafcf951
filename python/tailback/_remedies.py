"""Tries changes to a point that does not carry its load, and measures what each gains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from tailback import _native
from tailback._progress import Display, ProgressLike
from tailback._spec import Spec, SpecLike


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change of one parameter, and what it gains.

    Attributes
    ----------
    setting : str
        The change, as a spec has it: ``routing.tie = "alternate"``.
    outcome : str
        ``"measured"`` if the gain is known, and ``"same"`` if every run is the same, bit for bit.
        ``"refused"`` if the change does not fit this point, and ``"not"`` if the trial was stopped.
    gain : float or None
        Accepted load of the changed point over that of the point, minus 1: 0.31 is 31 % more. For
        a workload that ends it is the time to completion, and a negative gain is better.
    low, high : float or None
        The 95 % interval of the gain; None with fewer than 3 seeds.
    shown : bool
        Whether a difference is shown at the 5 % level, after Holm's correction over all changes.
    words : str
        What the change changes, or why it was refused.
    """

    setting: str
    outcome: Literal["measured", "same", "not", "refused"]
    gain: float | None
    low: float | None
    high: float | None
    shown: bool
    words: str

    @classmethod
    def _of(cls, row: dict[str, Any]) -> Remedy:
        tried = row["tried"]
        ratio, interval = tried.get("ratio"), tried.get("interval")
        low, high = interval if interval is not None else (None, None)
        return cls(
            setting=row["setting"],
            outcome=tried["outcome"],
            gain=_less_one(ratio),
            low=_less_one(low),
            high=_less_one(high),
            shown=tried.get("shown", False),
            words=tried.get("reason", row["words"]),
        )


def remedies(
    spec: SpecLike,
    *,
    seeds: int = 3,
    threads: int | None = None,
    progress: ProgressLike = None,
) -> tuple[Remedy, ...]:
    """Try a list of changes to a point, and measure what each gains.

    Each change sets one parameter: of ties, channels, buffers, admission, ejection, routing or
    queueing, for example. The point and every change run with the same seeds, so the traffic is
    the same.

    Parameters
    ----------
    spec
        A spec of one point, the path of a spec file, or a dictionary.
    seeds
        Number of runs of the point and of every change, at least 1. Intervals need 3.
    threads, progress
        As for `run`.

    Returns
    -------
    tuple of Remedy
        The best change first. Changes that do not fit the point are last.

    Raises
    ------
    SpecError
        If the spec is wrong. It lists all problems, and nothing has run.
    UsageError
        If the spec has several points.
    KeyboardInterrupt
        After Ctrl-C.

    Examples
    --------
    >>> spec = {
    ...     "topology": {"kind": "torus", "radix": [4, 4]},
    ...     "traffic": {"load": 0.8},
    ...     "workload": {"kind": "steady", "warmup_cycles": 500, "measure_cycles": 1000},
    ... }
    >>> best = tailback.remedies(spec, seeds=1)[0]
    >>> best.outcome, best.gain > 0
    ('measured', True)
    """
    if seeds < 1:
        raise ValueError(f"seeds must be at least 1, not {seeds}")
    if threads is not None and threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    with Display(progress) as display:
        rows, stopped = _native.remedies(Spec.of(spec)._native, seeds, threads or 0, display.told)
    if stopped is not None:
        raise stopped
    return tuple(Remedy._of(row) for row in rows)


def _less_one(ratio: float | None) -> float | None:
    return None if ratio is None else ratio - 1
