"""Compare throttles on a small torus, with a spec that is written in Python.

python throttles.py [FOLDER]

Run it again, and only what the folder does not hold yet is simulated.
"""

import sys

import numpy as np

import tailback
from tailback import build

folder = sys.argv[1] if len(sys.argv) > 1 else "throttles"
spec = build.spec(
    name="throttles",
    topology=build.topology.torus(radix=[8, 8]),
    router=build.router.cut_through(virtual_channels=3, buffer_flits=32),
    traffic=build.traffic(
        load=0.1,
        pattern=build.traffic.pattern.tornado(),
        size=build.traffic.size.fixed(flits=8),
    ),
    workload=build.workload.steady(warmup_cycles=500, measure_cycles=2000, drain_cycles=0),
    run=build.run(replicas=2),
    sweep={
        "admission": [build.admission.off(), build.admission.spth(margin_flits=8)],
        "traffic.load": np.round(np.arange(0.1, 0.7, 0.2), 3),
    },
)
for warning in tailback.check(spec).warnings:
    print("warning:", warning)
result = tailback.sweep(spec, store=folder)
data = result.to_xarray()
print(data["accepted_load"].mean("replica"))
result.plot.curve().savefig(f"{folder}/curve.pdf")
