"""Types of `tailback.build`, written by tools/python_stubs.py from the catalogue."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from tailback import _kinds
from tailback._spec import Spec

topology: Final[_kinds.Topology]
router: Final[_kinds.Router]
flow_control: Final[_kinds.FlowControl]
routing: Final[_kinds.Routing]
selection: Final[_kinds.Selection]
arbiter: Final[_kinds.Arbiter]
recovery: Final[_kinds.Recovery]
interface: Final[_kinds.Interface]
queueing: Final[_kinds.Queueing]
admission: Final[_kinds.Admission]
traffic: Final[_kinds.Traffic]
workload: Final[_kinds.Workload]
clock: Final[_kinds.Clock]
probes: Final[_kinds.Probes]
run: Final[_kinds.Run]

def presets() -> dict[str, str]: ...
def spec(
    *,
    name: str | None = ...,
    description: str | None = ...,
    preset: Literal['bubble_dor_2d', 'vc_dor_2d', 'vc_adaptive_2d', 'bubble_adaptive_2d', 'bubble_dor_3d', 'vc_dor_3d', 'vc_adaptive_3d', 'bubble_adaptive_3d', 'mesh_1_traffic_1', 'mesh_1_traffic_2', 'mesh_1_traffic_3', 'mesh_2_traffic_1', 'mesh_2_traffic_2', 'mesh_2_traffic_3', 'mesh_3_traffic_1', 'mesh_3_traffic_2', 'mesh_3_traffic_3', 'mesh_4_traffic_1', 'mesh_4_traffic_2', 'mesh_4_traffic_3', 'mesh_5_traffic_1', 'mesh_5_traffic_2', 'mesh_5_traffic_3'] | None = ...,
    sweep: Mapping[str, Any] | None = ...,
    topology: _kinds.TopologyLike | None = ...,
    router: _kinds.RouterLike | None = ...,
    flow_control: _kinds.FlowControlLike | None = ...,
    routing: _kinds.RoutingLike | None = ...,
    selection: _kinds.SelectionLike | None = ...,
    arbiter: _kinds.ArbiterLike | None = ...,
    recovery: _kinds.RecoveryLike | None = ...,
    interface: _kinds.InterfaceLike | None = ...,
    queueing: _kinds.QueueingLike | None = ...,
    admission: _kinds.AdmissionLike | None = ...,
    traffic: _kinds.TrafficLike | None = ...,
    workload: _kinds.WorkloadLike | None = ...,
    clock: _kinds.ClockLike | None = ...,
    probes: _kinds.ProbesLike | None = ...,
    run: _kinds.RunLike | None = ...,
) -> Spec:
    """Make a spec of its tables; see the module."""
