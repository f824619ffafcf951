#!/usr/bin/env bash
# Speed of `tailback bench dor-16` beside FSIN on the same network, alternately, in one go.
#
# usage: FSIN=path/to/insee TAILBACK=path/to/tailback verify/external/fsin-dor-16.sh
#
# Prints a line a round, then the medians. Exit 0: measured; 1: a program is missing, failed, or
# printed something unexpected. What is compared, and what is not, is in README.md beside this file.
set -euo pipefail
export LC_ALL=C # a decimal comma would break the arithmetic

readonly ROUNDS=3
readonly NODES=256
# Batches of 1,000 cycles after the same warm-up; the difference of the two runs cancels start-up and warm-up.
readonly SHORT_BATCHES=5
readonly LONG_BATCHES=25

# `bsize` has to follow `topo`; the long messages, on by default, are switched off.
readonly FSIN_ARGS=(
  topo=torus_16_16 bsize=2 nways=2 nchan=2 ninj=1
  vc=dally rmode=trc routing=dim amode=rr cmode=multiple
  plength=16_4 tql=8 iql=8
  tpattern=uniform load=0.25 longmessages=1 lng_msg_ratio=0.0 rseed=13
  warm_up_period=3000 conv_period=1000 conv_thres=0 max_conv_time=1 sample_size=1000
  plevel=0 pheaders=0 output=fsin
)

fail() {
  echo "fsin-dor-16: $*" >&2
  exit 1
}

# Absolute path of the program named by variable $1, which is $3 in words; $2 is its value.
program() {
  [[ -n $2 ]] || fail "set $1 to the path of $3"
  [[ -f $2 && -x $2 ]] || fail "$1=$2 is not an executable file; set $1 to the path of $3"
  realpath -- "$2"
}

# Runs FSIN for $1 batches; prints "user_seconds cycles mean_distance accepted_load mean_latency".
# It runs in the scratch folder, because FSIN reads a `fsin.conf` from wherever it is started.
run_fsin() {
  local user
  TIMEFORMAT=%U
  user=$({ time (cd "$scratch" && "$fsin" "${FSIN_ARGS[@]}" "nsamples=$1" >out 2>err); } 2>&1) ||
    fail "FSIN failed: $(tail -n 3 "$scratch/err")"
  python3 -c '
import re, sys
text = open(sys.argv[1]).read()
clock = re.search(r"^Simulation clock[^:]*:\s*(\d+)", text, re.M)
means = re.search(r"^AVG,(.*)$", text, re.M)
if not clock or not means:
    sys.exit("fsin-dor-16: FSIN printed no summary; is it the INSEE/FSIN of README.md?")
field = means.group(1).split(",")  # BatchTime AvDistance InjLoad AccLoad Sent Rcvd Drop AvgDelay ...
print(sys.argv[2], clock.group(1), *(field[i].strip() for i in (1, 3, 7)))
' "$scratch/out" "$user"
}

# Runs tailback; prints "cycles_per_second flit_hops_per_second".
run_tailback() {
  "$tailback" bench dor-16 --json >"$scratch/json" 2>"$scratch/err" ||
    fail "tailback bench failed: $(tail -n 3 "$scratch/err")"
  python3 -c '
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1]) if line.lstrip().startswith("{")]
rows = [row for row in rows if {"cycles_per_second", "flit_hops_per_second"} <= row.keys()]
if not rows:
    sys.exit("fsin-dor-16: tailback bench dor-16 --json printed no line with both speeds")
print(rows[-1]["cycles_per_second"], rows[-1]["flit_hops_per_second"])
' "$scratch/json"
}

# Prints the report from lines "short: 5 fields, long: 5 fields, tailback: 2 fields", one a round.
report() {
  python3 -c '
import statistics, sys
nodes = int(sys.argv[1])
columns = ("FSIN cycles/s", "FSIN flit-hops/s", "tailback cycles/s", "tailback flit-hops/s", "ratio (cycles)",
           "ratio (flit-hops)")
print("round  " + "  ".join(columns))
def show(name, values):
    cells = [f"{v:,.0f}" for v in values[:4]] + [f"{v:.1f}" for v in values[4:]]
    print(f"{name:<6} " + " ".join(f"{c:>{len(h) + 1}}" for c, h in zip(cells, columns)))
table = []
for number, line in enumerate(sys.stdin, 1):
    user_0, clock_0, _, _, _, user_1, clock_1, distance, accepted, latency, cycles, hops = map(float, line.split())
    if user_1 <= user_0:
        sys.exit("fsin-dor-16: the long run of FSIN took no longer than the short one; the machine is too busy")
    speed = (clock_1 - clock_0) / (user_1 - user_0)
    per_cycle = nodes * accepted * distance
    table.append((speed, speed * per_cycle, cycles, hops, cycles / speed, hops / (speed * per_cycle)))
    show(str(number), table[-1])
median = [statistics.median(column) for column in zip(*table)]
show("median", median)
work = median[3] / median[2]
print(f"FSIN: accepted {accepted:.4f} phits/node/cycle, mean distance {distance:.3f} hops, "
      f"mean latency {latency:.1f} cycles")
print(f"work: {per_cycle:.0f} flit-hops a cycle in FSIN, {work:.0f} in tailback")
if not 0.95 < work / per_cycle < 1.05:
    print("warning: the two do not carry the same traffic; judge by the ratio of flit-hops")
' "$NODES"
}

fsin=$(program FSIN "${FSIN:-}" "a built FSIN (its program is called insee)")
tailback=$(program TAILBACK "${TAILBACK:-}" "a release build of tailback")
command -v python3 >/dev/null || fail "python3 is needed for the arithmetic"
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

for ((round = 1; round <= ROUNDS; round++)); do
  echo "round $round of $ROUNDS ..." >&2
  short=$(run_fsin "$SHORT_BATCHES")
  long=$(run_fsin "$LONG_BATCHES")
  ours=$(run_tailback)
  echo "$short $long $ours" >>"$scratch/rounds"
done
report <"$scratch/rounds"
