// A toy GPU, written to GPGPU-Sim's interconnect interface. Arguments: a configuration, cores, memories, how many requests each core makes, and
// from which cycle on memories answer.
#include <cstdio>
#include <cstdlib>
#include <tailback_gpgpusim.hpp>
#include <vector>

TAILBACK_GPGPUSIM_GLOBAL

struct Request {
    unsigned core;
    unsigned memory;
    bool is_reply;
};

int main(int argc, char **argv) {
    if (argc != 6) {
        return 1;
    }
    unsigned cores = std::atoi(argv[2]), memories = std::atoi(argv[3]), each = std::atoi(argv[4]);
    int begin = std::atoi(argv[5]);
    g_icnt_interface = InterconnectInterface::New(argv[1]);
    g_icnt_interface->CreateInterconnect(cores, memories);
    g_icnt_interface->Init();
    std::vector<unsigned> asked(cores), answered(cores);
    std::vector<Request *> served(memories, nullptr);
    unsigned refused = 0, most = 0, under_way = 0;
    for (int cycle = 0; cycle < 200000; ++cycle) {
        for (unsigned core = 0; core < cores; ++core) {
            Request *reply = static_cast<Request *>(g_icnt_interface->Pop(core));
            if (reply != nullptr) {
                if (!reply->is_reply || reply->core != core) {
                    std::printf("core %u got what is not its own\n", core);
                    return 1;
                }
                delete reply;
                ++answered[core];
                --under_way;
            }
            if (asked[core] < each) {
                unsigned memory = (core + asked[core]) % memories;
                if (g_icnt_interface->HasBuffer(core, 8)) {
                    g_icnt_interface->Push(core, cores + memory, new Request{core, memory, false}, 8);
                    ++asked[core];
                    most = ++under_way > most ? under_way : most;
                } else {
                    ++refused;
                }
            }
        }
        for (unsigned memory = 0; memory < memories && cycle >= begin; ++memory) {
            Request *&now = served[memory];
            if (now == nullptr) {
                now = static_cast<Request *>(g_icnt_interface->Pop(cores + memory));
                if (now != nullptr && (now->is_reply || now->memory != memory)) {
                    std::printf("memory %u got what is not its own\n", memory);
                    return 1;
                }
            }
            if (now != nullptr && g_icnt_interface->HasBuffer(cores + memory, 136)) {
                now->is_reply = true;
                g_icnt_interface->Push(cores + memory, now->core, now, 136);
                now = nullptr;
            }
        }
        if (!g_icnt_interface->Busy() && under_way == 0 && asked[cores - 1] == each) {
            unsigned all = 0;
            for (unsigned got : answered) {
                all += got;
            }
            std::printf("%u replies by cycle %d, flits of %u bytes, refused: %s, most under way: %u\n", all,
                        g_icnt_interface->GetIcntTime(), g_icnt_interface->GetFlitSize(), refused > 0 ? "yes" : "no", most);
            delete g_icnt_interface;
            return 0;
        }
        g_icnt_interface->Advance();
    }
    std::printf("it never ended: %u under way\n", under_way);
    return 1;
}
