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
    uint64_t due[NODES], next = 0, last = 0; /* when each node sends next, and the first of them */
    int rounds[NODES] = {0};
    for (int node = 0; node < NODES; node++) {
        due[node] = node < NODES / 2 ? 0 : NEVER;
    }
    tb_status status = TB_OK;
    while (status == TB_OK && (next != NEVER || !tb_idle(network))) {
        next = NEVER;
        for (int node = 0; node < NODES && status == TB_OK; node++) {
            if (due[node] == tb_cycle(network)) {
                status = tb_send(network, node, NODES - 1 - node, 0, node < NODES / 2 ? REQUEST : REPLY, node);
                due[node] = NEVER;
            }
            next = due[node] < next ? due[node] : next;
        }
        if (status == TB_OK) {
            status = tb_advance_until_delivery(network, next == NEVER ? tb_cycle(network) + 1000 : next);
        }
        for (tb_delivery got; tb_receive_any(network, &got, 1);) {
            last = got.cycle;
            if (got.destination >= NODES / 2 || ++rounds[got.destination] < ROUNDS) {
                next = due[got.destination] = got.cycle + THINK;
            }
        }
    }
    fprintf(status == TB_OK ? stdout : stderr, "%s in cycle %" PRIu64 "\n",
            status == TB_OK ? "completed" : tb_status_text(status), last);
    tb_close(network);
    return status == TB_OK ? 0 : 1;
}
