#!/usr/bin/env bash
# Speed of `tailback bench wormhole-16` beside BookSim 2 on the same network, alternately, in one go.
#
# usage: BOOKSIM=path/to/booksim TAILBACK=path/to/tailback verify/external/booksim-wormhole-16.sh
#
# Prints a line a round, then the medians. Exit 0: measured; 1: a program is missing, failed, or
# printed something unexpected. What is compared, and what is not, is in README.md beside this file.
set -euo pipefail
export LC_ALL=C # a decimal comma would break the arithmetic

readonly ROUNDS=3
readonly NODES=256
# Samples of 1,000 cycles after the same warm-up; the difference of the two runs cancels start-up and warm-up.
readonly SHORT_SAMPLES=2
readonly LONG_SAMPLES=6
readonly REPEAT=3

fail() {
  echo "booksim-wormhole-16: $*" >&2
  exit 1
}

# Absolute path of the program named by variable $1, which is $3 in words; $2 is its value.
program() {
  [[ -n $2 ]] || fail "set $1 to the path of $3"
  [[ -f $2 && -x $2 ]] || fail "$1=$2 is not an executable file; set $1 to the path of $3"
  realpath -- "$2"
}

# BookSim's configuration for $1 samples. No convergence is good enough, so that all samples are simulated.
configuration() {
  cat <<EOF
topology = torus; k = 16; n = 2;
routing_function = dim_order;
num_vcs = 4; vc_buf_size = 8; packet_size = 16;
traffic = uniform; injection_rate_uses_flits = 1; injection_rate = 0.25;
sim_type = latency; warmup_periods = 1; sample_period = 1000; max_samples = $1;
stopping_thres = 0.0; acc_stopping_thres = 0.0;
seed = 13;
EOF
}

# Runs BookSim for $1 samples; prints "user_seconds cycles mean_hops accepted_load mean_latency".
# Its exit status is not 0 after success either, so its output decides.
run_booksim() {
  local user
  configuration "$1" >"$scratch/config"
  TIMEFORMAT=%U
  user=$({ time ("$booksim" "$scratch/config" >"$scratch/out" 2>"$scratch/err" || true); } 2>&1)
  python3 -c '
import re, sys
text = open(sys.argv[1]).read()
clock = re.search(r"^Time taken is (\d+) cycles", text, re.M)
summary = text.partition("Overall Traffic Statistics")[2]
def mean(name):
    found = re.search(rf"^{name} average = ([0-9.]+)", summary, re.M)
    return found.group(1) if found else sys.exit("booksim-wormhole-16: BookSim printed no " + name.lower())
if not clock:
    sys.exit("booksim-wormhole-16: BookSim printed no summary; is it the BookSim 2 of README.md?")
hops = float(mean("Hops")) - 1  # it counts routers
print(sys.argv[2], clock.group(1), hops, mean("Accepted flit rate"), mean("Packet latency"))
' "$scratch/out" "$user"
}

# Runs tailback; prints "cycles_per_second flit_hops_per_second" by user CPU time, as BookSim's are: wall-clock time
# would count what else runs on the machine against one of the two.
run_tailback() {
  local user
  TIMEFORMAT=%U
  user=$({ time "$tailback" bench wormhole-16 --repeat "$REPEAT" --json >"$scratch/json" 2>"$scratch/err"; } 2>&1) ||
    fail "tailback bench failed: $(tail -n 3 "$scratch/err")"
  python3 -c '
import json, sys
user, runs = float(sys.argv[2]), int(sys.argv[3])
rows = [json.loads(line) for line in open(sys.argv[1]) if line.lstrip().startswith("{")]
rows = [row for row in rows if {"cycles", "wall_seconds", "flit_hops_per_second"} <= row.keys()]
if not rows or user <= 0:
    sys.exit("booksim-wormhole-16: tailback bench wormhole-16 --json printed no line with its work")
row = rows[-1]  # every run does the same work
print(runs * row["cycles"] / user, runs * row["flit_hops_per_second"] * row["wall_seconds"] / user)
' "$scratch/json" "$user" "$REPEAT"
}

# Prints the report from lines "short: 5 fields, long: 5 fields, tailback: 2 fields", one a round.
report() {
  python3 -c '
import statistics, sys
nodes = int(sys.argv[1])
columns = ("BookSim cycles/s", "BookSim flit-hops/s", "tailback cycles/s", "tailback flit-hops/s", "ratio (cycles)",
           "ratio (flit-hops)")
print("round  " + "  ".join(columns))
def show(name, values):
    cells = [f"{v:,.0f}" for v in values[:4]] + [f"{v:.1f}" for v in values[4:]]
    print(f"{name:<6} " + " ".join(f"{c:>{len(h) + 1}}" for c, h in zip(cells, columns)))
table = []
for number, line in enumerate(sys.stdin, 1):
    user_0, clock_0, _, _, _, user_1, clock_1, hops_each, accepted, latency, cycles, hops = map(float, line.split())
    if user_1 <= user_0:
        sys.exit("booksim-wormhole-16: the long run of BookSim took no longer than the short one; the machine is too busy")
    speed = (clock_1 - clock_0) / (user_1 - user_0)
    per_cycle = nodes * accepted * hops_each
    table.append((speed, speed * per_cycle, cycles, hops, cycles / speed, hops / (speed * per_cycle)))
    show(str(number), table[-1])
median = [statistics.median(column) for column in zip(*table)]
show("median", median)
work = median[3] / median[2]
print(f"BookSim: accepted {accepted:.4f} flits/node/cycle, mean distance {hops_each:.3f} hops, "
      f"mean latency {latency:.1f} cycles")
print(f"work: {per_cycle:.0f} flit-hops a cycle in BookSim, {work:.0f} in tailback")
if not 0.95 < work / per_cycle < 1.05:
    print("the two do not carry the same traffic; judge by the ratio of flit-hops")
' "$NODES"
}

booksim=$(program BOOKSIM "${BOOKSIM:-}" "a built BookSim 2 (its program is called booksim)")
tailback=$(program TAILBACK "${TAILBACK:-}" "a release build of tailback")
command -v python3 >/dev/null || fail "python3 is needed for the arithmetic"
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

for ((round = 1; round <= ROUNDS; round++)); do
  echo "round $round of $ROUNDS ..." >&2
  short=$(run_booksim "$SHORT_SAMPLES")
  long=$(run_booksim "$LONG_SAMPLES")
  ours=$(run_tailback)
  echo "$short $long $ours" >>"$scratch/rounds"
done
report <"$scratch/rounds"
