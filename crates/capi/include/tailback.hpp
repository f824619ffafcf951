// Tailback inside other simulators, for C++11 and later: tailback.h with owners and exceptions. It needs nothing but the standard library.
#ifndef TAILBACK_HPP
#define TAILBACK_HPP

#include "tailback.h"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tailback {

// A call that could not be done.
class Error : public std::runtime_error {
public:
    Error(tb_status status, const std::string &words) : std::runtime_error(words), status_(status) {}
    tb_status status() const { return status_; }

private:
    tb_status status_;
};

using Delivery = tb_delivery;

// A network. It can be moved, and not copied.
class Network {
public:
    static Network open(const std::string &file, const std::vector<std::string> &overrides = {}) {
        std::vector<const char *> texts = pointers(overrides);
        tb_error error;
        tb_network *network = tb_open(file.c_str(), texts.data(), texts.size(), &error);
        return Network(network, error);
    }

    static Network open_text(const std::string &toml) {
        tb_error error;
        tb_network *network = tb_open_text(toml.data(), toml.size(), &error);
        return Network(network, error);
    }

    static Network open_booksim(const std::string &file, const std::vector<std::string> &overrides = {}) {
        std::vector<const char *> texts = pointers(overrides);
        tb_error error;
        tb_network *network = tb_open_booksim(file.c_str(), texts.data(), texts.size(), &error);
        return Network(network, error);
    }

    // As tb_open_inside: `places` gets the node of each device.
    static Network open_inside(const std::string &file, const std::vector<std::string> &overrides, std::uint32_t cores,
                               std::uint32_t memories, std::vector<std::uint32_t> &places, tb_inside &inside) {
        std::vector<const char *> texts = pointers(overrides);
        tb_error error;
        places.assign(static_cast<std::size_t>(cores) + memories, 0);
        tb_network *network = tb_open_inside(file.c_str(), texts.data(), texts.size(), cores, memories, places.data(),
                                             &inside, &error);
        return Network(network, error);
    }

    static Network restore(const std::string &file) {
        tb_error error;
        tb_network *network = tb_restore(file.c_str(), &error);
        return Network(network, error);
    }

    std::uint32_t nodes() const { return tb_nodes(get()); }
    std::uint32_t longest() const { return tb_longest(get()); }
    std::uint64_t cycle() const { return tb_cycle(get()); }
    bool idle() const { return tb_idle(get()); }
    std::uint64_t next_delivery() const { return tb_next_delivery(get()); }

    std::uint32_t classes() const { return tb_classes(get()); }
    std::uint64_t queued_flits(std::uint32_t node, std::uint32_t message_class = 0) {
        return tb_queued_flits(get(), node, message_class);
    }

    bool can_send(std::uint32_t node, std::uint32_t flits, std::uint32_t message_class = 0) {
        return tb_can_send(get(), node, message_class, flits);
    }

    // Sends a message; false where the source queue is full.
    bool send(std::uint32_t source, std::uint32_t destination, std::uint32_t flits, std::uint64_t tag,
              std::uint32_t message_class = 0) {
        tb_status status = tb_send(get(), source, destination, message_class, flits, tag);
        if (status == TB_FULL) {
            return false;
        }
        check(status);
        return true;
    }

    void advance(std::uint64_t to_cycle) { check(tb_advance(get(), to_cycle)); }
    void advance_until_delivery(std::uint64_t to_cycle) { check(tb_advance_until_delivery(get(), to_cycle)); }

    bool receive(std::uint32_t node, Delivery &out, std::uint32_t message_class = 0) {
        return tb_receive(get(), node, message_class, &out, 1) == 1;
    }

    bool receive_any(Delivery &out) { return tb_receive_any(get(), &out, 1) == 1; }

    bool peek(std::uint32_t node, Delivery &out, std::uint32_t message_class = 0) const {
        return tb_peek(get(), node, message_class, &out);
    }

    std::string record() const { return owned(tb_record(get())); }
    std::string why() const { return owned(tb_why(get())); }

    // Follows the next message with this tag. Its story is empty before its first packet has come to the front of its source queue.
    void follow(std::uint64_t tag) { check(tb_follow(get(), tag)); }
    std::string story() const { return owned(tb_story(get())); }
    void checkpoint(const std::string &file) const { check(tb_checkpoint(get(), file.c_str())); }
    void log(const std::string &file) { check(tb_log(get(), file.c_str())); }
    void end_log() { check(tb_log_end(get())); }

    // For functions of tailback.h.
    tb_network *get() const { return network_.get(); }

private:
    struct Close {
        void operator()(tb_network *network) const { tb_close(network); }
    };

    Network(tb_network *network, tb_error &error) : network_(network) {
        if (network == nullptr) {
            std::string words = error.message != nullptr ? error.message : tb_status_text(error.status);
            tb_status status = error.status;
            tb_error_clear(&error);
            throw Error(status, words);
        }
    }

    static std::vector<const char *> pointers(const std::vector<std::string> &texts) {
        std::vector<const char *> all;
        for (const std::string &text : texts) {
            all.push_back(text.c_str());
        }
        return all;
    }

    static void check(tb_status status) {
        if (status != TB_OK) {
            throw Error(status, tb_status_text(status));
        }
    }

    static std::string owned(char *text) {
        std::string copy = text != nullptr ? text : "";
        tb_free(text);
        return copy;
    }

    std::unique_ptr<tb_network, Close> network_;
};

} // namespace tailback

#endif
