#!/usr/bin/env bash
# BookSim 2 and Tailback, linked into one host: both get the messages of one call log, on meshes at about half of saturation.
#
# usage: BOOKSIM_SOURCE=path/to/checkout PREFIX=path/where/make-install/put/tailback verify/external/booksim-host.sh
#
# Builds BookSim in a copy of its folder src, which needs flex and bison. Nothing is fetched. Prints a line a network. Exit 0: mean latencies
# agree within 2 percent; 1: they do not, or something is missing or does not compile. Times are CPU times of the loops of both.
set -euo pipefail
export LC_ALL=C

fail() {
  echo "booksim-host: $*" >&2
  exit 1
}

[[ -f ${BOOKSIM_SOURCE:-}/src/trafficmanager.hpp ]] || fail "set BOOKSIM_SOURCE to a checkout of BookSim 2"
[[ -f ${PREFIX:-}/include/tailback.hpp ]] || fail "set PREFIX to where make install put Tailback"
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

cp -r "$BOOKSIM_SOURCE/src" "$scratch/src"
make -C "$scratch/src" -s -j"$(nproc)" >"$scratch/make.log" 2>&1 || fail "BookSim does not compile: $(tail -n 3 "$scratch/make.log")"
rm "$scratch/src/main.o"
inc=()
for folder in . arbiters allocators routers networks power; do
  inc+=(-I "$scratch/src/$folder")
done
mapfile -t objects < <(find "$scratch/src" -name '*.o')
g++ -std=c++11 -O3 -w "${inc[@]}" -I "$PREFIX/include" "$here/booksim_host.cpp" "${objects[@]}" -L "$PREFIX/lib" -ltailback \
  -Wl,-rpath,"$PREFIX/lib" -o "$scratch/host" || fail "the host does not compile"

ended=0
run() {
  printf '%s\n' "$3" >"$scratch/config"
  printf '%s: ' "$1"
  "$scratch/host" "$scratch/config" "${CYCLES:-10000}" "$2" "$scratch/log" || ended=1
}
common="topology = mesh; n = 2; routing_function = dor; vc_buf_size = 8; sim_type = latency; injection_rate = 0.1;"
run "8x8, single flits" 0.2 "$common k = 8; num_vcs = 4; packet_size = 1;"
run "8x8, packets of 4" 0.05 "$common k = 8; num_vcs = 4; packet_size = 4;"
run "16x16, packets of 5" 0.018 "$common k = 16; num_vcs = 4; packet_size = 5;"
run "32x32, single flits" 0.06 "$common k = 32; num_vcs = 4; packet_size = 1;"
exit "$ended"
