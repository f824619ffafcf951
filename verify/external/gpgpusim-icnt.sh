#!/usr/bin/env bash
# Builds GPGPU-Sim's own interconnect wrapper, unmodified, over Tailback, and drives it with one of GPGPU-Sim's configurations.
#
# usage: GPGPUSIM=path/to/checkout PREFIX=path/where/make-install/put/tailback verify/external/gpgpusim-icnt.sh [CONFIGURATION]
#
# CONFIGURATION is a file *.icnt of the checkout; without one all of configs/tested-cfgs are driven. The simulator as a whole needs CUDA,
# and is not built. Nothing is fetched. Exit 0: all packets came; 1: something is missing, does not compile, or did not come.
set -euo pipefail
export LC_ALL=C

fail() {
  echo "gpgpusim-icnt: $*" >&2
  exit 1
}

[[ -f ${GPGPUSIM:-}/src/gpgpu-sim/icnt_wrapper.cc ]] || fail "set GPGPUSIM to a checkout of GPGPU-Sim"
[[ -f ${PREFIX:-}/include/tailback_gpgpusim.hpp ]] || fail "set PREFIX to where make install put Tailback"
command -v g++ >/dev/null || fail "g++ is needed"
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

mkdir -p "$scratch/src/gpgpu-sim" "$scratch/src/intersim2"
cp "$GPGPUSIM"/src/gpgpu-sim/{icnt_wrapper.cc,icnt_wrapper.h,local_interconnect.h} "$scratch/src/gpgpu-sim/"
cp "$GPGPUSIM"/src/option_parser.{cc,h} "$scratch/src/"
# In the place of BookSim's two headers.
echo '#include <tailback_gpgpusim.hpp>' >"$scratch/src/intersim2/interconnect_interface.hpp"
: >"$scratch/src/intersim2/globals.hpp"
cat >"$scratch/src/driver.cc" <<'END'
// Cores ask memories, and memories reply, through the function pointers of the wrapper.
#include "gpgpu-sim/icnt_wrapper.h"
#include <cstdio>
#include <cstdlib>
#include <tailback_gpgpusim.hpp>
#include <vector>
TAILBACK_GPGPUSIM_GLOBAL
extern char *g_network_config_filename;
struct Request { unsigned core, memory; bool reply; };
int main(int, char **argv) {
    const unsigned each = 200;
    unsigned cores = std::atoi(argv[2]), memories = std::atoi(argv[3]), asked = 0, done = 0;
    g_network_mode = INTERSIM;
    g_network_config_filename = argv[1];
    icnt_wrapper_init();
    icnt_create(cores, memories);
    icnt_init();
    std::vector<unsigned> sent(cores);
    std::vector<Request *> at(memories, nullptr);
    for (unsigned cycle = 0; cycle < 1000000 && done < cores * each; ++cycle) {
        for (unsigned core = 0; core < cores; ++core) {
            if (Request *got = static_cast<Request *>(icnt_pop(core))) {
                if (!got->reply || got->core != core) return 1;
                delete got;
                ++done;
            }
            if (sent[core] < each && icnt_has_buffer(core, 8)) {
                unsigned memory = (core * 5 + sent[core]++) % memories;
                icnt_push(core, cores + memory, new Request{core, memory, false}, 8);
                ++asked;
            }
        }
        for (unsigned memory = 0; memory < memories; ++memory) {
            if (at[memory] == nullptr) at[memory] = static_cast<Request *>(icnt_pop(cores + memory));
            Request *got = at[memory];
            if (got == nullptr) continue;
            if (got->reply || got->memory != memory) return 1;
            if (icnt_has_buffer(cores + memory, 136)) {
                got->reply = true;
                icnt_push(cores + memory, got->core, got, 136);
                at[memory] = nullptr;
            }
        }
        icnt_transfer();
    }
    std::printf("%u of %u replies by cycle %d, flits of %u bytes%s\n", done, asked, g_icnt_interface->GetIcntTime(),
                icnt_get_flit_size(), icnt_busy() ? ", still busy" : "");
    return done == cores * each && !icnt_busy() ? 0 : 1;
}
END
# The other interconnect of GPGPU-Sim, a crossbar without a network, is not asked for: its symbols stay open.
g++ -std=c++11 -O2 -w -I "$scratch/src" -I "$PREFIX/include" "$scratch"/src/{driver.cc,option_parser.cc,gpgpu-sim/icnt_wrapper.cc} \
  -L "$PREFIX/lib" -ltailback -Wl,-rpath,"$PREFIX/lib" -Wl,--unresolved-symbols=ignore-in-object-files -o "$scratch/driver" ||
  fail "the wrapper does not compile"

if (($# > 0)); then
  files=("$@")
else
  mapfile -t files < <(find "$GPGPUSIM/configs/tested-cfgs" -name '*.icnt' | sort)
fi
for file in "${files[@]}"; do
  nodes=$(sed -n 's,//.*,,; s/^ *k *= *\([0-9]*\).*/\1/p' "$file" | head -1)
  memories=$((nodes / 3))
  echo "$(basename "$file"), $((nodes - memories)) cores, $memories memories: $("$scratch/driver" "$file" $((nodes - memories)) "$memories")" ||
    fail "$file: packets are missing"
done
