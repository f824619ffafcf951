"""Specs: what is simulated."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from tailback import _html
from tailback._component import plain
from tailback._errors import UsageError
from tailback._native import Spec as NativeSpec
from tailback._native import shown_lines

if TYPE_CHECKING:
    from tailback._check import Check
    from tailback._progress import ProgressLike
    from tailback._result import Result

SpecLike: TypeAlias = "Spec | str | os.PathLike[str] | Mapping[str, Any]"
"""A spec, the path of its file, or a dictionary of its tables."""


@dataclass(frozen=True, slots=True)
class Point:
    """One run that a spec asks for.

    Attributes
    ----------
    id
        16 hexadecimal digits that identify what is simulated.
    seed
        Seed of every random stream.
    swept
        What the sweep chose, by dotted path.
    spec
        The spec of this run alone, complete.
    """

    id: str
    seed: int
    swept: Mapping[str, Any]
    spec: Spec


class Spec:
    """A spec as it was written, immutable: ``with_`` and ``set`` answer changed ones.

    It is parsed when it is made and checked when it is used; ``check`` finds all that is wrong.
    """

    __slots__ = ("_native",)

    _native: NativeSpec

    def __init__(self, native: NativeSpec) -> None:
        object.__setattr__(self, "_native", native)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a spec is immutable: `with_` answers a changed one")

    @classmethod
    def from_toml(cls, text: str, *, name: str = "spec") -> Spec:
        """Parse the text of a spec.

        Parameters
        ----------
        text
            TOML, as ``tailback list`` and docs/spec.md describe it.
        name
            What errors call the text. Files that the spec names are looked for beside a file of
            this name.

        Raises
        ------
        SpecError
            For what is no TOML.
        """
        return cls(NativeSpec.from_toml(text, name))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Spec:
        """Read a spec file.

        Raises
        ------
        UsageError
            For a file that cannot be read.
        SpecError
            For what is no TOML.
        """
        return cls(NativeSpec.from_file(os.fspath(path)))

    @classmethod
    def from_dict(cls, tables: Mapping[str, Any], *, name: str = "spec") -> Spec:
        """Make a spec of dictionaries, components of ``tailback.build`` or NumPy values.

        Errors point into the TOML that says the same. A number that arithmetic made, such as the
        0.30000000000000004 of ``np.arange``, is taken as the number that a person would write, 0.3.
        """
        return cls(NativeSpec.from_dict(plain(tables), name))

    @classmethod
    def of(cls, spec: SpecLike) -> Spec:
        """Return a spec itself, or make it of the path of its file or of a dictionary."""
        if isinstance(spec, Spec):
            return spec
        if isinstance(spec, Mapping):
            return cls.from_dict(spec)
        if isinstance(spec, str | os.PathLike):
            if isinstance(spec, str) and "\n" in spec:
                raise UsageError("a text stands for a file; Spec.from_toml parses TOML")
            return cls.from_file(spec)
        raise TypeError(f"a spec, the path of one or a dictionary, not {type(spec).__name__}")

    def set(self, *changes: str) -> Spec:
        """Change values as ``--set`` does: ``spec.set("traffic.load=0.3")``.

        Sweeps of the path give way.

        Raises
        ------
        SpecError
            For what is no change.
        """
        native = self._native
        for change in changes:
            native = native.set(change)
        return Spec(native)

    def with_(self, changes: Mapping[str, Any] | None = None, /, **tables: Any) -> Spec:
        """Change values: ``spec.with_({"traffic.load": 0.3}, admission=build.admission.alo())``.

        Parameters
        ----------
        changes
            Values by dotted path. Sweeps of a path give way.
        **tables
            Whole tables by their name.
        """
        native = self._native
        for path, value in {**(changes or {}), **tables}.items():
            absolute = os.path.abspath(value) if isinstance(value, os.PathLike) else value
            native = native.set_value(path, plain(absolute))
        return Spec(native)

    def sweep(self, axes: Mapping[str, Any] | None = None, /, **more: Any) -> Spec:
        """Sweep values: ``spec.sweep({"traffic.load": [0.1, 0.2]})``.

        Axes that the spec has already are replaced, others are added after them.
        """
        tables = self.to_dict()
        old = tables.get("sweep", {})
        tables["sweep"] = {**old, **plain({**(axes or {}), **more})}
        return Spec(NativeSpec.from_dict(tables, self.name))

    @property
    def name(self) -> str:
        """What errors call it: its file."""
        return self._native.name

    def to_toml(self) -> str:
        """Return the spec as TOML: as it was written or, once changed, without comments."""
        return self._native.to_toml()

    def to_dict(self) -> dict[str, Any]:
        """Return what is written, as plain values."""
        return self._native.to_dict()

    def resolved(self) -> dict[str, Any]:
        """Return every value with defaults filled in, as plain values; without the sweep.

        Raises
        ------
        SpecError
        """
        return self._native.resolved()

    def explain(self) -> str:
        """Return the spec as TOML with every default filled in and every unit beside it.

        Raises
        ------
        SpecError
        """
        return self._native.explain()

    def points(self) -> list[Point]:
        """Return the runs that the spec asks for, checked, in the order of the sweep.

        Each can be run alone, anywhere: the same bits come out.

        Raises
        ------
        SpecError
        """
        return [
            Point(id_, seed, swept, Spec.from_toml(toml, name=self.name))
            for id_, seed, swept, toml in self._native.expand()
        ]

    def check(self) -> Check:
        """Check every point; see `tailback.check`."""
        from tailback._check import check

        return check(self)

    def run(self, *, threads: int | None = None, progress: ProgressLike = None) -> Result:
        """Run all points; see `tailback.run`."""
        from tailback._run import run

        return run(self, threads=threads, progress=progress)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Spec):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(repr(self.to_dict()))

    def __reduce__(self) -> tuple[object, ...]:
        return (_again, (self.to_toml(), self.name))

    def __repr__(self) -> str:
        return f"<tailback.Spec {self.name!r}>\n{shown_lines(self.to_toml())}"

    def _repr_html_(self) -> str:
        tables = self.to_dict()
        swept = tables.pop("sweep", {})
        beside = str(tables.pop("description", ""))
        head = _html.title(f"Spec {tables.pop('name', self.name)}", beside)
        rows = [(name, _inline(value)) for name, value in tables.items()]
        rows += [(f"sweep {name}", _inline(value)) for name, value in swept.items()]
        picture = _html.network(tables.get("topology", {}))
        body = _html.side_by_side((_html.table((), rows), picture))
        return head + body + _html.fold("TOML", self.to_toml())


def _inline(value: Any) -> str:
    """Return a table of a spec on one line: its kind, then its parameters."""
    if isinstance(value, Mapping):
        pairs = [f"{key} = {_inline(inner)}" for key, inner in value.items() if key != "kind"]
        return ", ".join([*([str(value["kind"])] if "kind" in value else []), *pairs])
    if isinstance(value, list):
        shown = [_inline(one) for one in value[:12]] + (["..."] if len(value) > 12 else [])
        return f"[{', '.join(shown)}]"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _again(text: str, name: str) -> Spec:
    return Spec.from_toml(text, name=name)


def explain(spec: SpecLike) -> str:
    """Return a spec as TOML with every default filled in and every unit beside it.

    Raises
    ------
    SpecError
    """
    return Spec.of(spec).explain()
