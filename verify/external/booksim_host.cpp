// BookSim 2 and Tailback in one host: Tailback is stepped and its calls are logged, then BookSim gets the messages of the log.
// booksim-host.sh builds this with the objects of a BookSim checkout. Arguments: configuration, cycles, packets per node and cycle.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <fstream>
#include <sstream>
#include <string>
#include <tailback.hpp>
#include <vector>

#include "booksim.hpp"
#include "booksim_config.hpp"
#include "injection.hpp"
#include "network.hpp"
#include "routefunc.hpp"
#include "traffic.hpp"
#include "trafficmanager.hpp"

// BookSim's own globals, which its main file has otherwise.
TrafficManager *trafficManager = NULL;
bool gPrintActivity = false, gTrace = false;
int gK, gN, gC, gNodes;
std::ostream *gWatchOut = NULL;
int GetSimTime() { return trafficManager->getTime(); }
Stats *GetStats(const std::string &name) { return trafficManager->getStats(name); }

struct Message {
    int cycle, destination;
};

typedef std::vector<std::deque<Message> > Queues;

// A node sends when its next message is due, and to where that goes.
struct Due : InjectionProcess {
    Queues *queues;
    std::vector<int> asked;
    Due(int nodes, Queues *queues) : InjectionProcess(nodes, 0.0), queues(queues), asked(nodes, 0) {}
    bool test(int source) {
        int now = asked[source]++;
        return !(*queues)[source].empty() && (*queues)[source].front().cycle == now;
    }
};

struct There : TrafficPattern {
    Queues *queues;
    There(int nodes, Queues *queues) : TrafficPattern(nodes), queues(queues) {}
    int dest(int source) {
        int destination = (*queues)[source].front().destination;
        (*queues)[source].pop_front();
        return destination;
    }
};

struct Replayed : TrafficManager {
    double latency;
    long arrived;
    Replayed(const Configuration &config, const std::vector<Network *> &net, Queues *queues)
        : TrafficManager(config, net), latency(0.0), arrived(0) {
        _injection_process[0] = new Due(_nodes, queues);
        _traffic_pattern[0] = new There(_nodes, queues);
        _requestsOutstanding.assign(_nodes, 0);
        for (int node = 0; node < _nodes; ++node) {
            _qtime[node].assign(_classes, 0);
            _qdrained[node].assign(_classes, false);
        }
        _time = 0;
        _sim_state = running;
        _ClearStats();
    }
    void step() { _Step(); }
    void _RetireFlit(Flit *flit, int node) {
        if (flit->tail) {
            latency += flit->atime - flit->ctime;
            ++arrived;
        }
        TrafficManager::_RetireFlit(flit, node);
    }
};

static double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

static uint64_t state = 88172645463325252u;
static double draw() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<double>(state >> 11) / 9007199254740992.0;
}

int main(int argc, char **argv) {
    if (argc != 5) {
        std::fprintf(stderr, "usage: booksim_host CONFIGURATION CYCLES RATE LOG\n");
        return 2;
    }
    std::string file = argv[1], log = argv[4];
    int cycles = std::atoi(argv[2]);
    double rate = std::atof(argv[3]);
    BookSimConfig config;
    config.ParseFile(file);
    unsigned flits = config.GetInt("packet_size");

    // Tailback, with a log, and once more without, for the time.
    double times[2], sum = 0.0;
    long arrived = 0, sent = 0;
    for (int timed = 0; timed < 2; ++timed) {
        tailback::Network network = tailback::Network::open_booksim(file);
        unsigned nodes = network.nodes();
        if (!timed) {
            network.log(log);
        }
        state = 88172645463325252u;
        sum = 0.0;
        arrived = sent = 0;
        double start = seconds();
        tailback::Delivery got;
        while (network.cycle() < static_cast<uint64_t>(cycles) || !network.idle()) {
            for (unsigned node = 0; node < nodes && network.cycle() < static_cast<uint64_t>(cycles); ++node) {
                unsigned to = static_cast<unsigned>(draw() * nodes);
                if (draw() < rate && to != node) {
                    network.send(node, to, flits, static_cast<uint64_t>(sent++));
                }
            }
            network.advance(network.cycle() + 1);
            while (network.receive_any(got)) {
                sum += static_cast<double>(got.cycle - got.sent);
                ++arrived;
            }
        }
        times[timed] = seconds() - start;
        if (!timed) {
            network.end_log();
        }
    }

    // BookSim, with the messages of the log.
    InitializeRoutingMap(config);
    std::vector<Network *> net(1, Network::New(config, "network_0"));
    Queues queues(net[0]->NumNodes());
    std::ifstream calls(log.c_str());
    std::string line;
    long now = 0, read = 0;
    while (std::getline(calls, line)) {
        std::istringstream words(line);
        std::string word;
        long a, b;
        words >> word;
        if (word == "send" && words >> a >> b) {
            Message message = {static_cast<int>(now), static_cast<int>(b)};
            queues[a].push_back(message);
            ++read;
        } else if (word == "advance" && words >> a) {
            now = a;
        }
    }
    Replayed booksim(config, net, &queues);
    trafficManager = &booksim;
    double start = seconds();
    long steps = 0;
    while (booksim.arrived < read && steps < 10L * cycles) {
        booksim.step();
        ++steps;
    }
    double time = seconds() - start;
    if (read != sent || arrived != sent || booksim.arrived != read) {
        std::fprintf(stderr, "packets are missing: %ld sent, %ld read, %ld and %ld arrived\n", sent, read, arrived, booksim.arrived);
        return 1;
    }
    double ours = sum / arrived, theirs = booksim.latency / booksim.arrived;
    std::printf("%ld packets; mean latency %.2f in BookSim, %.2f in Tailback (%+.2f %%); %.2f s and %.3f s, %.0f times as fast\n", sent,
                theirs, ours, 100.0 * (ours / theirs - 1.0), time, times[1], time / times[1]);
    std::fflush(stdout);
    // BookSim's own end takes long and is of no interest.
    std::_Exit(std::abs(ours / theirs - 1.0) < 0.02 ? 0 : 1);
}
