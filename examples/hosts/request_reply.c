/* Eight clients ask eight servers across a network. Each server thinks before it replies, and each client before it asks again.
 *
 *     cc request_reply.c $(pkg-config --cflags --libs tailback) -o request_reply && ./request_reply mesh.toml
 */
#include <inttypes.h>
#include <stdio.h>
#include <tailback.h>

enum { NODES = 16, ROUNDS = 20, THINK = 7, REQUEST = 2, REPLY = 8 };
#define NEVER UINT64_MAX

int main(int argc, char **argv) {
    tb_error error;
    tb_network *network = tb_open(argc > 1 ? argv[1] : "mesh.toml", NULL, 0, &error);
    if (!network) {
        fprintf(stderr, "%s\n", error.message);
        tb_error_clear(&error);
        return 2;
    }
    uint64_t due[NODES], last = 0; /* when each node sends next */
    int rounds[NODES] = {0};
    for (int node = 0; node < NODES; node++) {
        due[node] = node < NODES / 2 ? 0 : NEVER;
    }
    for (;;) {
        uint64_t next = NEVER;
        for (int node = 0; node < NODES; node++) {
            if (due[node] == tb_cycle(network)) {
                uint32_t flits = node < NODES / 2 ? REQUEST : REPLY;
                tb_status status = tb_send(network, node, NODES - 1 - node, 0, flits, node);
                if (status != TB_OK) {
                    fprintf(stderr, "%s\n", tb_status_text(status));
                    return 1;
                }
                due[node] = NEVER;
            }
            next = due[node] < next ? due[node] : next;
        }
        if (next == NEVER && tb_idle(network)) {
            break;
        }
        tb_status status = tb_advance_until_delivery(network, next == NEVER ? tb_cycle(network) + 1000 : next);
        if (status != TB_OK) {
            fprintf(stderr, "%s\n", tb_status_text(status));
            return 1;
        }
        tb_delivery delivery;
        while (tb_receive_any(network, &delivery, 1)) {
            uint32_t node = delivery.destination;
            last = delivery.cycle;
            if (node >= NODES / 2 || ++rounds[node] < ROUNDS) {
                due[node] = delivery.cycle + THINK;
            }
        }
    }
    printf("completed in cycle %" PRIu64 "\n", last);
    tb_close(network);
    return 0;
}
