#!/usr/bin/env bash
# Builds ONNXim's own Interconnect.cc, unmodified, over Tailback, and drives it with ONNXim's configurations.
#
# usage: ONNXIM=path/to/checkout PREFIX=path/where/make-install/put/tailback verify/external/onnxim-icnt.sh [CONFIGURATION]
#
# CONFIGURATION is a file of configs/booksim2_configs in the checkout, fly_c4_m16.icnt without one. The simulator as a whole needs ONNX,
# protobuf and packages of conan, and is not built: Common.h is a stand-in here with the few names that Interconnect.cc uses. Nothing is
# fetched. Exit 0: all packets came; 1: something is missing, does not compile, or did not come.
set -euo pipefail
export LC_ALL=C

fail() {
  echo "onnxim-icnt: $*" >&2
  exit 1
}

[[ -f ${ONNXIM:-}/src/Interconnect.cc ]] || fail "set ONNXIM to a checkout of ONNXim"
[[ -f ${PREFIX:-}/include/tailback_booksim2.hpp ]] || fail "set PREFIX to where make install put Tailback"
command -v g++ >/dev/null || fail "g++ is needed"
configuration=${1:-fly_c4_m16.icnt}
nodes=$(sed -n 's/^ *k *= *\([0-9]*\).*/\1/p' "$ONNXIM/configs/booksim2_configs/$configuration" | head -1)
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

mkdir -p "$scratch/booksim2" "$scratch/helper"
cp "$ONNXIM"/src/Interconnect.{cc,h} "$scratch/"
cp "$ONNXIM"/src/helper/HelperFunctions.h "$scratch/helper/"
echo '#include <tailback_booksim2.hpp>' >"$scratch/booksim2/Interconnect.hpp"
cat >"$scratch/Common.h" <<'END'
#pragma once
#include <cassert>
#include <cstdint>
#include <memory>
#include <queue>
#include <string>
#include <vector>
typedef uint64_t cycle_type;
struct MemoryAccess { bool write, request; uint64_t size; unsigned from, to; };
struct SimulationConfig { uint32_t num_cores, dram_channels, icnt_injection_ports_per_core, icnt_latency; std::string icnt_config_path; };
namespace spdlog { template <typename... T> void info(const T &...) {} }
END
cat >"$scratch/driver.cc" <<'END'
#include "Interconnect.h"
#include <cstdio>
int main(int, char **argv) {
    unsigned nodes = std::atoi(argv[2]), memories = nodes / 2, sent = 0, got = 0;
    SimulationConfig config{nodes - memories, memories, 1, 0, argv[1]};
    Booksim2Interconnect network(config);
    for (unsigned cycle = 0; cycle < 20000; ++cycle) {
        for (unsigned node = 0; node < nodes && cycle < 2000; ++node) {
            unsigned to = (node + 1 + cycle % (nodes - 1)) % nodes;
            MemoryAccess *access = new MemoryAccess{cycle % 2 == 0, true, 64, node, to};
            if (network.is_full(node, access)) { delete access; continue; }
            network.push(node, to, access);
            ++sent;
        }
        network.cycle();
        for (unsigned node = 0; node < nodes; ++node) {
            if (!network.is_empty(node)) {
                MemoryAccess *access = network.top(node);
                if (access->to != node) return 1;
                network.pop(node);
                delete access;
                ++got;
            }
        }
    }
    std::printf("%u of %u packets came\n", got, sent);
    return got == sent && sent > 0 ? 0 : 1;
}
END
g++ -std=c++17 -O2 -w -I "$scratch" -I "$PREFIX/include" "$scratch/driver.cc" "$scratch/Interconnect.cc" -L "$PREFIX/lib" -ltailback \
  -Wl,-rpath,"$PREFIX/lib" -o "$scratch/driver" || fail "Interconnect.cc does not compile"
echo "$configuration, $nodes nodes: $(ONNXIM_HOME=$ONNXIM "$scratch/driver" "booksim2_configs/$configuration" "$nodes")" ||
  fail "packets are missing"
