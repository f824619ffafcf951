// The class booksim2::Interconnect, which ONNXim, PyTorchSim and their descendants have as booksim2/Interconnect.hpp, over Tailback. For
// C++11 and later.
//
// Put a file booksim2/Interconnect.hpp that includes this one on the include path, and link libtailback in the place of booksim2.
#ifndef TAILBACK_BOOKSIM2_HPP
#define TAILBACK_BOOKSIM2_HPP

#include "tailback_subnets.hpp"

#include <cstdint>
#include <cstdio>
#include <string>

namespace booksim2 {

class Interconnect {
public:
    // What a packet is for. It has no effect on its way.
    enum class Type { READ, WRITE, READ_REPLY, WRITE_REPLY, ANY };

    // Every node may send to every other one. Node numbers are those of the network.
    Interconnect(const std::string file, int nodes)
        : subnets_(file, nodes > 0 ? static_cast<std::uint32_t>(nodes) : 0, 0, {"use_map = 0"}) {}

    // Simulates a cycle.
    void run() { subnets_.step(); }

    // Whether the input buffer of a node lacks the room for a packet of `size` bytes.
    bool is_full(std::uint32_t node, std::uint32_t subnet, std::uint32_t size) const {
        return !subnets_.has_room(subnet, node, size);
    }

    // Sends a packet. Where the buffer is full this throws tailback::Error.
    void push(void *packet, std::uint32_t subnet, std::uint64_t address, int bytes, Type type, int from, int to) {
        (void)address;
        (void)type;
        subnets_.push(subnet, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), packet,
                      bytes > 0 ? static_cast<std::uint32_t>(bytes) : 0);
    }

    bool is_empty(std::uint32_t node, std::uint32_t subnet) const { return subnets_.top(subnet, node) == nullptr; }
    const void *top(std::uint32_t node, std::uint32_t subnet) const { return subnets_.top(subnet, node); }
    void pop(std::uint32_t node, std::uint32_t subnet) { subnets_.pop(subnet, node); }

    std::uint32_t get_flit_size() const { return subnets_.inside().flit_size; }
    std::uint64_t get_cycle() const { return subnets_.cycle(); }
    bool busy() const { return subnets_.busy(); }

    // Why each network was the bottleneck. This prints, as the host expects.
    void print_stats() const {
        for (std::uint32_t subnet = 0; subnet < subnets_.subnets(); ++subnet) {
            std::printf("interconnect subnet %u: %s\n", subnet, subnets_.network(subnet).why().c_str());
        }
    }

    // For functions of tailback_subnets.hpp.
    tailback::Subnets &subnets() { return subnets_; }

private:
    // Looking whether there is room takes what has left off the books.
    mutable tailback::Subnets subnets_;
};

} // namespace booksim2

#endif
