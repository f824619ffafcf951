// Sixteen toy cores on a torus with adaptive routing. Each core computes, then asks another core's memory for a line and waits for it.
//
//     c++ cores.cpp $(pkg-config --cflags --libs tailback) -o cores && ./cores torus.toml
#include <cstdint>
#include <iostream>
#include <tailback.hpp>
#include <vector>

enum { REQUEST, REPLY }; // message classes

struct Core {
    std::uint64_t ready = 0; // when it has computed
    bool waits = false;
    unsigned lines = 0;
};

int main(int argc, char **argv) try {
    auto network = tailback::Network::open(argc > 1 ? argv[1] : "torus.toml");
    std::vector<Core> cores(network.nodes());
    const unsigned each = 100;
    unsigned done = 0;
    while (done < cores.size()) {
        for (std::uint32_t n = 0; n < cores.size(); n++) {
            Core &core = cores[n];
            tailback::Delivery got;
            // The memory beside each core replies at once, if its reply finds room.
            while (network.can_send(n, 8, REPLY) && network.receive(n, got, REQUEST)) {
                network.send(n, got.source, 8, got.tag, REPLY);
            }
            if (network.receive(n, got, REPLY)) {
                core.waits = false;
                core.ready = network.cycle() + 5 + n % 4;
                done += ++core.lines == each;
            }
            std::uint32_t home = (n * 7 + core.lines * 5 + 1) % cores.size();
            if (!core.waits && core.lines < each && core.ready <= network.cycle()) {
                core.waits = network.send(n, home, 1, core.lines, REQUEST);
            }
        }
        network.advance(network.cycle() + 1);
    }
    std::cout << done << " cores done in cycle " << network.cycle() << std::endl;
    std::cout << network.why() << std::endl;
} catch (const tailback::Error &error) {
    std::cerr << error.what() << std::endl;
    return 2;
}
