// A toy accelerator, written to the class that ONNXim and PyTorchSim call. Arguments: a configuration, and nodes.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <tailback_booksim2.hpp>
#include <vector>

struct Access {
    unsigned from;
    unsigned to;
};

int main(int argc, char **argv) {
    if (argc != 3) {
        return 1;
    }
    unsigned nodes = std::atoi(argv[2]), sent = 0, got = 0;
    booksim2::Interconnect network(argv[1], static_cast<int>(nodes));
    std::vector<std::unique_ptr<Access>> all;
    bool was_full = false;
    for (unsigned cycle = 0; cycle < 5000; ++cycle) {
        for (unsigned node = 0; node < nodes && cycle < 500; ++node) {
            unsigned to = (node + 1 + cycle % (nodes - 1)) % nodes;
            if (network.is_full(node, 0, 64)) {
                was_full = true;
                continue;
            }
            all.emplace_back(new Access{node, to});
            network.push(all.back().get(), 0, 0, 64, booksim2::Interconnect::Type::READ_REPLY, node, to);
            ++sent;
        }
        network.run();
        for (unsigned node = 0; node < nodes; ++node) {
            while (!network.is_empty(node, 0)) {
                const Access *access = static_cast<const Access *>(network.top(node, 0));
                if (access->to != node) {
                    std::printf("node %u got what is not its own\n", node);
                    return 1;
                }
                network.pop(node, 0);
                ++got;
            }
        }
    }
    std::printf("%s, cycle %llu, full: %s\n", sent == got && sent > 0 && !network.busy() ? "all came" : "some are missing",
                static_cast<unsigned long long>(network.get_cycle()), was_full ? "yes" : "no");
    return 0;
}
