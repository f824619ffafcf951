"""Specs. A spec says what is simulated."""

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
    """One run of a spec.

    Attributes
    ----------
    id
        16 hexadecimal digits that identify what is simulated.
    seed
        Seed of all random numbers of the run.
    swept
        Values of the swept parameters, by dotted path.
    spec
        The complete spec of this run alone.
    """

    id: str
    seed: int
    swept: Mapping[str, Any]
    spec: Spec


class Spec:
    """A spec, as it was written.

    A spec never changes: `set`, `with_` and `sweep` return a changed copy. The text is parsed when
    the spec is made, and the values are checked when it is used. `check` finds all problems.

    Examples
    --------
    >>> import tailback
    >>> spec = tailback.Spec.from_dict({"topology": {"kind": "torus", "radix": [4, 4]}})
    >>> other = spec.with_({"traffic.load": 0.3}).sweep({"admission": ["off", "alo"]})
    >>> [point.swept["admission"] for point in other.points()]
    ['off', 'alo']
    """

    __slots__ = ("_native",)

    _native: NativeSpec

    def __init__(self, native: NativeSpec) -> None:
        object.__setattr__(self, "_native", native)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a spec is immutable: `with_` returns a changed copy")

    @classmethod
    def from_toml(cls, text: str, *, name: str = "spec") -> Spec:
        """Parse the text of a spec.

        Parameters
        ----------
        text
            TOML with the sections and parameters that ``tailback list`` and docs/spec.md describe.
        name
            The name of the text in messages. If the spec names other files, they are searched in
            the folder of this name.

        Raises
        ------
        SpecError
            If the text is not TOML.
        """
        return cls(NativeSpec.from_toml(text, name))

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Spec:
        """Read a spec file.

        Raises
        ------
        UsageError
            If the file cannot be read.
        SpecError
            If the file is not TOML.
        """
        return cls(NativeSpec.from_file(os.fspath(path)))

    @classmethod
    def from_dict(cls, tables: Mapping[str, Any], *, name: str = "spec") -> Spec:
        """Make a spec from dictionaries, components of ``tailback.build`` and NumPy values.

        Messages point into the TOML of the same content. Arithmetic leaves noise in the last bits
        of a number: ``np.arange`` makes 0.30000000000000004. The spec takes the number that a
        person would write, 0.3.

        Parameters
        ----------
        tables
            The sections of the spec, by name.
        name
            The name of the spec in messages.

        Raises
        ------
        UsageError
            If tables nest deeper than 32 levels, or if a list or table is too long.
        TypeError
            If a key is not a text, or if a value has a type that a spec cannot hold.
        """
        return cls(NativeSpec.from_dict(plain(tables), name))

    @classmethod
    def of(cls, spec: SpecLike) -> Spec:
        """Return ``spec`` if it is a `Spec`. Otherwise make one from a path or a dictionary."""
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
        """Return a copy with changed values, which are written as for ``--set``.

        If the spec sweeps a path that is set, that sweep is removed.

        Parameters
        ----------
        *changes
            Texts such as ``"traffic.load=0.3"``.

        Raises
        ------
        SpecError
            If a text is not a change.
        """
        native = self._native
        for change in changes:
            native = native.set(change)
        return Spec(native)

    def with_(self, changes: Mapping[str, Any] | None = None, /, **tables: Any) -> Spec:
        """Return a copy with changed values.

        ``spec.with_({"traffic.load": 0.3}, admission=build.admission.alo())``

        Parameters
        ----------
        changes
            Values by dotted path. If the spec sweeps a path that is set, that sweep is removed.
        **tables
            Whole sections by their name. Each replaces the section of the spec.
        """
        native = self._native
        for path, value in {**(changes or {}), **tables}.items():
            absolute = os.path.abspath(value) if isinstance(value, os.PathLike) else value
            native = native.set_value(path, plain(absolute))
        return Spec(native)

    def sweep(self, axes: Mapping[str, Any] | None = None, /, **more: Any) -> Spec:
        """Return a copy that sweeps these values, such as ``{"traffic.load": [0.1, 0.2]}``.

        Parameters
        ----------
        axes, **more
            A list or a range of values for each dotted path. An axis that the spec already has is
            replaced. New axes come after the axes of the spec.
        """
        tables = self.to_dict()
        old = tables.get("sweep", {})
        tables["sweep"] = {**old, **plain({**(axes or {}), **more})}
        return Spec(NativeSpec.from_dict(tables, self.name))

    @property
    def name(self) -> str:
        """Name of the spec in messages: its file, or the name that it was given."""
        return self._native.name

    def to_toml(self) -> str:
        """Return the spec as TOML: as it was written, or without comments if it was changed."""
        return self._native.to_toml()

    def to_dict(self) -> dict[str, Any]:
        """Return what is written in the spec, as plain dictionaries, lists and values."""
        return self._native.to_dict()

    def resolved(self) -> dict[str, Any]:
        """Return all values of the spec and all defaults, without the sweep.

        Raises
        ------
        SpecError
            If the spec is wrong.
        """
        return self._native.resolved()

    def explain(self) -> str:
        """Return the spec as TOML, with every default and with the unit of every value.

        Raises
        ------
        SpecError
            If the spec is wrong.
        """
        return self._native.explain()

    def points(self) -> list[Point]:
        """Return the runs of the spec, in the order of the sweep.

        Each run has a spec of its own, which can be run alone on any machine. The results are the
        same bits.

        Raises
        ------
        SpecError
            If a point of the spec is wrong.
        """
        return [
            Point(id_, seed, swept, Spec.from_toml(toml, name=self.name))
            for id_, seed, swept, toml in self._native.expand()
        ]

    def check(self) -> Check:
        """Check every point, as `tailback.check` does."""
        from tailback._check import check

        return check(self)

    def run(self, *, threads: int | None = None, progress: ProgressLike = None) -> Result:
        """Run all points, as `tailback.run` does."""
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
    """Return a spec as TOML, with every default and with the unit of every value.

    Parameters
    ----------
    spec
        A spec, the path of a spec file, or a dictionary.

    Returns
    -------
    str
        TOML that can be run as it is.

    Raises
    ------
    SpecError
        If the spec is wrong.

    Examples
    --------
    >>> torus = {"topology": {"kind": "torus", "radix": [4, 4]}}
    >>> "virtual_channels = 2" in tailback.explain(torus)
    True
    """
    return Spec.of(spec).explain()
