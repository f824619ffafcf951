// Eight clients ask eight servers across a network. Each server thinks before it replies, and each client before it asks again.
//
//     c++ request_reply.cpp $(pkg-config --cflags --libs tailback) -o request_reply && ./request_reply mesh.toml
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <tailback.hpp>
#include <vector>

int main(int argc, char **argv) try {
    const int nodes = 16, rounds = 20, think = 7;
    const std::uint64_t never = UINT64_MAX;
    auto network = tailback::Network::open(argc > 1 ? argv[1] : "mesh.toml");
    std::vector<std::uint64_t> due(nodes, never); // when each node sends next
    std::vector<int> done(nodes, 0);
    std::fill(due.begin(), due.begin() + nodes / 2, 0);
    std::uint64_t last = 0;
    for (;;) {
        for (int node = 0; node < nodes; node++) {
            if (due[node] == network.cycle()) {
                network.send(node, nodes - 1 - node, node < nodes / 2 ? 2 : 8, node);
                due[node] = never;
            }
        }
        std::uint64_t next = *std::min_element(due.begin(), due.end());
        if (next == never && network.idle()) {
            break;
        }
        network.advance_until_delivery(next == never ? network.cycle() + 1000 : next);
        tailback::Delivery delivery;
        while (network.receive_any(delivery)) {
            std::uint32_t node = delivery.destination;
            last = delivery.cycle;
            if (node >= nodes / 2 || ++done[node] < rounds) {
                due[node] = delivery.cycle + think;
            }
        }
    }
    std::cout << "completed in cycle " << last << std::endl;
} catch (const tailback::Error &error) {
    std::cerr << error.what() << std::endl;
    return 2;
}
