// What the adapters for simulators with BookSim inside have in common: networks side by side, packets named by pointers, and the buffers
// between the clock of the network and that of the host. For C++11 and later.
#ifndef TAILBACK_SUBNETS_HPP
#define TAILBACK_SUBNETS_HPP

#include "tailback.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace tailback {

// The networks of a configuration that tb_open_inside takes. Devices are numbered cores first, then memories.
class Subnets {
public:
    Subnets(const std::string &file, std::uint32_t cores, std::uint32_t memories,
            const std::vector<std::string> &overrides = {}) {
        inside_ = tb_inside();
        networks_.push_back(Network::open_inside(file, overrides, cores, memories, places_, inside_));
        while (networks_.size() < inside_.subnets) {
            networks_.push_back(Network::open_inside(file, overrides, cores, memories, places_, inside_));
        }
        boundary_.assign(networks_.size(), std::vector<Boundary>(places_.size()));
        room_ = static_cast<std::uint64_t>(inside_.boundary_buffer_size) * inside_.channels;
    }

    const tb_inside &inside() const { return inside_; }
    std::uint32_t subnets() const { return static_cast<std::uint32_t>(networks_.size()); }
    std::uint32_t devices() const { return static_cast<std::uint32_t>(places_.size()); }
    std::uint64_t cycle() const { return networks_[0].cycle(); }

    // A network of one of them: for records, logs and whatever else tailback.hpp has.
    Network &network(std::uint32_t subnet) { return networks_.at(subnet); }
    const Network &network(std::uint32_t subnet) const { return networks_.at(subnet); }

    std::uint32_t flits(std::uint32_t bytes) const {
        std::uint64_t flits = (static_cast<std::uint64_t>(bytes) + inside_.flit_size - 1) / inside_.flit_size;
        return flits > 0 ? static_cast<std::uint32_t>(flits) : 1;
    }

    // Whether the input buffer of a device has room for a packet of so many bytes.
    bool has_room(std::uint32_t subnet, std::uint32_t device, std::uint32_t bytes) {
        Network &network = networks_.at(subnet);
        std::uint32_t node = places_.at(device), more = flits(bytes);
        return network.queued_flits(node) + more <= inside_.input_buffer_size && network.can_send(node, more);
    }

    // Sends a packet, which the network knows by a pointer. Throws an Error with TB_FULL where there is no room.
    void push(std::uint32_t subnet, std::uint32_t from, std::uint32_t to, void *packet, std::uint32_t bytes) {
        std::uint64_t tag = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(packet));
        bool room = has_room(subnet, from, bytes);
        if (!room || !networks_.at(subnet).send(places_.at(from), places_.at(to), flits(bytes), tag)) {
            throw Error(TB_FULL, tb_status_text(TB_FULL));
        }
        ++under_way_;
    }

    // Simulates a cycle. What has come goes on to the boundary buffers as far as these have room.
    void step() {
        for (Network &network : networks_) {
            network.advance(network.cycle() + 1);
        }
        fill();
    }

    // The packet that a device takes next; NULL where none waits.
    void *top(std::uint32_t subnet, std::uint32_t device) const {
        const Boundary &at = boundary_.at(subnet).at(device);
        return at.packets.empty() ? nullptr : at.packets.front().packet;
    }

    // Takes it.
    void *pop(std::uint32_t subnet, std::uint32_t device) {
        Boundary &at = boundary_.at(subnet).at(device);
        if (at.packets.empty()) {
            return nullptr;
        }
        Waiting first = at.packets.front();
        at.packets.pop_front();
        at.flits -= first.flits;
        --under_way_;
        return first.packet;
    }

    // Whether a packet is anywhere between push and pop.
    bool busy() const { return under_way_ > 0; }

private:
    struct Waiting {
        void *packet;
        std::uint32_t flits;
    };

    struct Boundary {
        std::deque<Waiting> packets;
        std::uint64_t flits = 0;
    };

    void fill() {
        for (std::size_t subnet = 0; subnet < networks_.size(); ++subnet) {
            Network &network = networks_[subnet];
            if (network.next_delivery() > network.cycle()) {
                continue;
            }
            for (std::size_t device = 0; device < places_.size(); ++device) {
                Boundary &at = boundary_[subnet][device];
                Delivery next;
                // A packet longer than the whole buffer goes there alone.
                while (network.peek(places_[device], next) && (at.flits == 0 || at.flits + next.flits <= room_)) {
                    network.receive(places_[device], next);
                    void *packet = reinterpret_cast<void *>(static_cast<std::uintptr_t>(next.tag));
                    at.packets.push_back(Waiting{packet, next.flits});
                    at.flits += next.flits;
                }
            }
        }
    }

    tb_inside inside_;
    std::vector<std::uint32_t> places_;
    std::vector<Network> networks_;
    std::vector<std::vector<Boundary>> boundary_;
    std::uint64_t room_ = 0;
    std::uint64_t under_way_ = 0;
};

} // namespace tailback

#endif
