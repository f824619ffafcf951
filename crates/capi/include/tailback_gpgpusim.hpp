// The interconnect of GPGPU-Sim and Accel-Sim: the class that its wrapper calls, over Tailback. For C++11 and later.
//
// In src/gpgpu-sim/icnt_wrapper.cc include this file in the place of intersim2/globals.hpp and intersim2/interconnect_interface.hpp, put
// TAILBACK_GPGPUSIM_GLOBAL once into a source file, and link libtailback in the place of libintersim. The *.icnt files stay as they are.
#ifndef TAILBACK_GPGPUSIM_HPP
#define TAILBACK_GPGPUSIM_HPP

#include "tailback_subnets.hpp"

#include <cstdio>
#include <memory>
#include <string>

// Requests of cores go through subnet 0, replies of memories through subnet 1, or both through the only one.
class InterconnectInterface {
public:
    static InterconnectInterface *New(const char *const config_file) {
        if (config_file == nullptr) {
            throw tailback::Error(TB_NULL, "an interconnect needs a configuration file");
        }
        return new InterconnectInterface(config_file);
    }

    virtual ~InterconnectInterface() {}

    // Opens the networks for n_shader cores, whose device numbers come first, and n_mem memories.
    virtual void CreateInterconnect(unsigned n_shader, unsigned n_mem) {
        cores_ = n_shader;
        memories_ = n_mem;
        subnets_.reset(new tailback::Subnets(file_, n_shader, n_mem));
        if (subnets_->subnets() > 2) {
            throw tailback::Error(TB_SPEC, "a GPU has one subnet, or one for requests and one for replies");
        }
    }

    // The clock stands at cycle 0, and nothing is under way.
    virtual void Init() {
        if (subnets_ && subnets_->cycle() > 0) {
            CreateInterconnect(cores_, memories_);
        }
    }

    virtual bool HasBuffer(unsigned device, unsigned int size) const {
        return subnets_->has_room(sends(device), device, size);
    }

    virtual void Push(unsigned input, unsigned output, void *data, unsigned int size) {
        subnets_->push(sends(input), input, output, data, size);
    }

    virtual void *Pop(unsigned output) { return subnets_->pop(receives(output), output); }

    virtual void Advance() { subnets_->step(); }
    virtual bool Busy() const { return subnets_->busy(); }
    unsigned GetFlitSize() const { return subnets_->inside().flit_size; }
    int GetIcntTime() const { return static_cast<int>(subnets_->cycle()); }

    // Why each network was the bottleneck, and its record as JSON. These print, as the host expects.
    virtual void DisplayStats() const { DisplayState(stdout); }
    virtual void DisplayOverallStats() const {
        for (unsigned subnet = 0; subnet < subnets_->subnets(); ++subnet) {
            std::printf("interconnect subnet %u: %s\n", subnet, subnets_->network(subnet).record().c_str());
        }
    }
    virtual void DisplayState(FILE *to) const {
        for (unsigned subnet = 0; subnet < subnets_->subnets(); ++subnet) {
            std::fprintf(to, "interconnect subnet %u: %s\n", subnet, subnets_->network(subnet).why().c_str());
        }
    }

    // For functions of tailback_subnets.hpp.
    tailback::Subnets &subnets() { return *subnets_; }

private:
    explicit InterconnectInterface(const char *file) : file_(file) {}

    unsigned sends(unsigned device) const { return subnets_->subnets() > 1 && device >= cores_ ? 1 : 0; }
    unsigned receives(unsigned device) const { return subnets_->subnets() > 1 && device < cores_ ? 1 : 0; }

    std::string file_;
    unsigned cores_ = 0;
    unsigned memories_ = 0;
    std::unique_ptr<tailback::Subnets> subnets_;
};

// The one interconnect of GPGPU-Sim.
extern InterconnectInterface *g_icnt_interface;

#define TAILBACK_GPGPUSIM_GLOBAL InterconnectInterface *g_icnt_interface = nullptr;

#endif
