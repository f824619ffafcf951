"""Results as arrays, tables of data frame libraries, datasets and pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tailback
from tailback import Result, Spec, UsageError, build

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")


def test_columns_are_arrays_with_units(result: Result) -> None:
    records = result.records
    assert records.names[:2] == ("traffic.load", "admission")
    np.testing.assert_array_equal(records["traffic.load"], [0.1, 0.1, 0.3, 0.3])
    assert records["admission"].tolist() == ["off", "alo", "off", "alo"]
    assert records["latency_mean"].dtype == np.float64
    assert records["cycles"].dtype == np.uint64
    assert records["ideal"].dtype == np.bool_
    assert np.isnan(records["duration"]).all()
    assert records.units["latency_mean"] == "cycles"
    assert records.units["traffic.load"] == "flits/node/cycle"
    assert "mean time" in records.meanings["latency_mean"]
    with pytest.raises(ValueError, match="read-only"):
        records["latency_mean"][0] = 1.0
    with pytest.raises(KeyError, match="latency_mean"):
        records["latency"]
    assert [column.name for column in tailback.columns()] == list(records.names[2:])


def test_every_frame_library_takes_the_table(result: Result) -> None:
    records = result.records
    expected = records["latency_mean"].tolist()
    table = pyarrow.table(records)
    assert table["latency_mean"].to_pylist() == expected
    assert table["duration"].null_count == 4
    assert table.schema.field("latency_mean").metadata[b"unit"] == b"cycles"
    assert pyarrow.schema(records) == table.schema
    assert polars.DataFrame(records)["latency_mean"].to_list() == expected
    assert pyarrow.table(result).equals(table)
    assert pandas.DataFrame.from_arrow(records)["latency_mean"].tolist() == expected
    frame = result.to_pandas()
    assert frame["latency_mean"].tolist() == expected
    assert frame.attrs["units"]["latency_mean"] == "cycles"
    assert result.to_polars()["status"].to_list() == ["steady"] * 4
    assert records.to_pyarrow().equals(table)


def test_arrow_copies_nothing(result: Result) -> None:
    first, second = (pyarrow.table(result.records)["latency_mean"].chunk(0) for _ in range(2))
    assert first.buffers()[1].address == second.buffers()[1].address


def test_duckdb_takes_the_table(result: Result) -> None:
    duckdb = pytest.importorskip("duckdb")
    records = result.records  # noqa: F841 - named in the query
    mean = 'SELECT avg(latency_mean) FROM records WHERE "traffic.load" < 0.2'
    expected = result.records["latency_mean"][:2].mean()
    assert duckdb.sql(mean).fetchall()[0][0] == pytest.approx(expected)


def test_rows_are_records(result: Result) -> None:
    rows = list(result.records.rows())
    assert rows[0]["duration"] is None
    assert rows[3]["admission"] == "alo"
    run = result[3]
    assert run.record == rows[3]
    assert run["seed"] == 1
    assert run.status == "steady"
    assert "The network accepts what is offered" in run.explanation
    assert len(list(result)) == len(result) == 4
    with pytest.raises(IndexError):
        result[4]


def test_series_are_arrays(result: Result) -> None:
    windows = result[0].series["windows"]
    assert windows.x_name == "cycle"
    assert windows.units["accepted_load"] == "flits/node/cycle"
    assert windows["accepted_load"].shape == windows.x.shape
    assert np.nanmean(windows["accepted_load"]) == pytest.approx(0.1, rel=0.2)
    histogram = result[0].series["latency_histogram"]
    assert histogram["packets"].sum() == result[0]["packets_generated"]
    assert polars.DataFrame(windows).shape == (len(windows), len(windows.names))
    assert set(result[0].series) >= {"windows", "latency_histogram"}
    with pytest.raises(KeyError, match="probes"):
        result[0].series["links"]


def test_axes_become_dimensions(result: Result) -> None:
    data = result.to_xarray()
    assert dict(data.sizes) == {"traffic.load": 2, "admission": 2}
    chosen = data.sel({"traffic.load": 0.3, "admission": "alo"})
    assert float(chosen.latency_mean) == result[3]["latency_mean"]
    assert data.latency_mean.attrs["units"] == "cycles"
    assert data.cycles.dtype == np.uint64
    series = result.to_xarray("windows")
    assert series.accepted_load.dims == ("traffic.load", "admission", "cycle")
    np.testing.assert_array_equal(
        series.accepted_load[1, 0], result[2].series["windows"]["accepted_load"]
    )
    with pytest.raises(UsageError, match="different axes"):
        result.to_xarray("latency_histogram")


def test_zipped_axes_seeds_and_components(small: Spec) -> None:
    spec = small.with_({"run.replicas": 3}).sweep(
        {
            "traffic.load": [0.1, 0.2],
            "router.buffer_flits": [16, 32],
            "admission": ["off", build.admission.spth(margin_flits=4)],
        },
        zip=[["traffic.load", "router.buffer_flits"]],
    )
    data = tailback.run(spec).to_xarray()
    assert dict(data.sizes) == {"traffic.load": 2, "admission": 2, "replica": 3}
    assert data["router.buffer_flits"].dims == ("traffic.load",)
    assert data["router.buffer_flits"].values.tolist() == [16, 32]
    assert data.seed[0, 0].values.tolist() == [1, 2, 3]
    assert data["admission"].values.tolist() == ["off", "spth margin_flits=4"]
    np.testing.assert_array_equal(data["admission.margin_flits"], [np.nan, 4])
    assert not np.isnan(data.latency_mean).any()


def test_points_that_did_not_run_are_nan(small: Spec, tmp_path: Path) -> None:
    tailback.sweep(small, store=tmp_path)
    lines = (tmp_path / "records.jsonl").read_text(encoding="utf-8").splitlines()
    (tmp_path / "records.jsonl").write_text("\n".join(lines[:3]) + "\n", encoding="utf-8")
    data = tailback.load(tmp_path).to_xarray()
    assert np.isnan(data.latency_mean.values).sum() == 1


def test_space_time_charts() -> None:
    spec = Spec.from_file(Path(__file__).parents[2] / "examples" / "space_time.toml")
    short = spec.with_(
        {"probes.space_time_cycles": 300, "topology.radix": [8, 8], "traffic.load": 2.0}
    )
    result = tailback.run(short)
    charts = result[0].space_time
    assert list(charts) == ["N", "E", "S", "W"]
    east = charts["E"]
    assert east.masks.shape == east.busy.shape == (300, 8)
    assert east.cycles[0] == east.first_cycle
    channels = sum(east.channel(c).astype(int) for c in range(16))
    np.testing.assert_array_equal(channels, east.busy)
    assert sum(int(chart.busy.sum()) for chart in charts.values()) > 0
    figure = result.plot.space_time()
    assert [axes.get_title() for axes in figure.axes[:4]] == list(charts)


def test_variants_that_are_identical_are_named(small: Spec, result: Result) -> None:
    assert result.identical == (("off", "alo"),)
    at_one_load = tailback.run(small.set("traffic.load=0.6"))
    assert at_one_load.identical == (("off", "alo"),), "there need be no axis"
    assert tailback.run(small.set("admission=off")).identical == (), "loads are no variants"


def test_curves_without_a_library(result: Result, tmp_path: Path) -> None:
    result.draw(tmp_path / "curve.svg")
    text = (tmp_path / "curve.svg").read_text(encoding="utf-8")
    assert "Accepted load" in text
    assert "Mean latency" in text
    result.draw(tmp_path / "p99.png", "latency_p99", x="accepted_load")
    assert (tmp_path / "p99.png").read_bytes()[:4] == b"\x89PNG"
    for path, column, words in [
        ("a.pdf", None, "svg or .png"),
        ("a.svg", "duration", "no record has a number"),
        ("a.svg", "no_such", "no_such"),
    ]:
        with pytest.raises(UsageError, match=words):
            result.draw(tmp_path / path, column)


def test_a_file_of_another_kind_is_not_replaced(result: Result, tmp_path: Path) -> None:
    mine = tmp_path / "mine.svg"
    mine.write_text("not a picture")
    with pytest.raises(UsageError, match="something other than an SVG picture"):
        result.draw(mine)
    with pytest.raises(UsageError, match="something other than a capsule"):
        result[0].write_capsule(mine)
    assert mine.read_text() == "not a picture"
    result.draw(mine, force=True)
    result.draw(mine)
    link = tmp_path / "link.svg"
    link.symlink_to(mine)
    result.draw(link, "latency_p99")
    assert link.is_symlink()
    assert "p99" in mine.read_text()
    with pytest.raises(UsageError, match="a device"):
        result[0].write_capsule("/dev/null", force=True)
    with pytest.raises(UsageError, match="no folder"):
        result[0].write_capsule(tmp_path / "none" / "a.json")


def test_tables_show_themselves(result: Result) -> None:
    names, units, *rows = repr(result).splitlines()[1:]
    assert "latency_mean" in names
    assert "[cycles]" in units
    assert len(rows) == 4
    assert rows[0].split() == ["0.1", "off", *rows[0].split()[2:4], "1", "steady"]
    assert "<th>latency_mean<br>[cycles]</th>" in result._repr_html_()
