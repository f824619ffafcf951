"""Look into one point: its facts, its windows of time, its histogram, its space-time chart."""

import numpy as np

import tailback

spec = tailback.Spec.from_toml("""
[topology]
kind = "torus"
radix = [9, 9]
[traffic]
load = 0.6
pattern = "uniform"
size = { kind = "fixed", flits = 8 }
[workload]
kind = "steady"
warmup_cycles = 500
measure_cycles = 2000
drain_cycles = 0
[probes]
window_cycles = 100
space_time_cycles = 400
space_time_from_cycle = 2000
""")
facts = tailback.check(spec).facts[0]
print(f"{facts.nodes} nodes; {facts.busiest_link} is full at a load of {facts.channel_load_bound}")
run = tailback.run(spec)[0]
print(run.explanation)
windows = run.series["windows"]
print("accepted in the last window:", windows["accepted_load"][-1], windows.units["accepted_load"])
histogram = run.series["latency_histogram"]
share = np.cumsum(histogram["packets"]) / histogram["packets"].sum()
print(
    "half of all packets need at most", histogram["latency_high"][np.argmax(share >= 0.5)], "cycles"
)
east = run.space_time["E"]
print("full buffers towards the east, a row a cycle:", east.busy.shape, "mean", east.busy.mean())
