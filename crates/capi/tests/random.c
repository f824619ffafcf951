/* Random sequences of calls, half of them misuse, on networks of every data path. Arguments: how many sequences, a folder, and
 * where the draws begin, if not where they always do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tailback.h>

static uint64_t state = 88172645463325252u;

static uint32_t draw(uint32_t below) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % below;
}

static const char *const SPECS[] = {
    "router = { kind = \"cut_through\", buffer_flits = 16 }\n",
    "router = { kind = \"cut_through\", buffer_flits = 16, source_queue_packets = 2 }\ntraffic = { packet_flits = 8 }\n",
    "router = { kind = \"wormhole\", buffer_flits = 8 }\n",
    "router = { kind = \"wormhole\", buffer_flits = 8, source_queue_packets = 3 }\ntraffic = { packet_flits = 4 }\n",
    "router = { kind = \"adaptive_cut_through\", buffer_flits = 16 }\ntraffic = { packet_flits = 8 }\n",
    "router = { kind = \"input_queued\", buffer_flits = 8 }\ntraffic = { packet_flits = 4 }\n",
    "router = { kind = \"input_output_queued\" }\nqueueing = \"voq_net\"\n",
    "router = { kind = \"cut_through\", buffer_flits = 16, virtual_channels = 2, message_classes = 2, ejection_channels = 1, "
    "ejection_packets = 2 }\ntraffic = { packet_flits = 8 }\n",
    "router = { kind = \"input_queued\", buffer_flits = 8, virtual_channels = 2, message_classes = 2 }\n",
    "router = { kind = \"input_queued\", buffer_flits = 8, ejection_flits = 6 }\ntraffic = { packet_flits = 4 }\n",
    "topology = 9\n",
};

/* A node that is there, or, half of the time, any number. */
static uint32_t node(void) {
    return draw(4) ? draw(9) : draw(UINT32_MAX);
}

static void call(tb_network *network, const char *file) {
    tb_delivery out[3];
    uint64_t cycle = tb_cycle(network);
    switch (draw(16)) {
    case 0: tb_advance(network, cycle - draw(3)); break;
    case 1: tb_advance(network, draw(2) ? UINT64_MAX : cycle + draw(100000)); break;
    case 2: tb_receive(network, node(), draw(3), out, draw(4)); break;
    case 3: tb_peek(network, node(), draw(2), draw(2) ? out : NULL); break;
    case 4: tb_receive(network, node(), 0, NULL, 7); break;
    case 5: tb_receive_any(network, out, draw(4)); break;
    case 6: tb_can_send(network, node(), draw(2), draw(100)); break;
    case 7:
        if (draw(20) == 0) {
            tb_free(tb_record(network));
            tb_free(tb_why(network));
        }
        break;
    case 8:
        if (draw(20) == 0 && tb_checkpoint(network, file) == TB_OK) {
            tb_error error;
            tb_network *again = tb_restore(file, &error);
            if (!again || tb_cycle(again) != cycle) {
                fprintf(stderr, "a checkpoint was not restored: %s\n", error.message);
                exit(1);
            }
            tb_send(again, node(), node(), 0, draw(20), 1);
            tb_advance(again, cycle + draw(50));
            tb_close(again);
        }
        break;
    case 9: tb_send(network, node(), node(), draw(2), draw(2) ? draw(20) : draw(UINT32_MAX), 5); break;
    case 10: tb_advance_until_delivery(network, cycle + draw(300)); break;
    case 11:
        if (draw(20) == 0) {
            tb_log(network, draw(2) ? file : "/no such folder/log");
        } else if (draw(4) == 0) {
            tb_log_end(network);
        }
        if (draw(4) == 0) {
            tb_follow(network, 5);
        }
        tb_free(tb_story(network));
        tb_next_delivery(draw(2) ? network : NULL);
        tb_queued_flits(draw(2) ? network : NULL, node(), draw(3));
        break;
    default:
        tb_send(network, draw(9), draw(9), draw(2) % (tb_classes(network) + !network), 1 + draw(16), draw(1000));
        tb_advance(network, cycle + draw(3));
    }
}

int main(int argc, char **argv) {
    if (argc < 3 || argc > 4) {
        return 1;
    }
    state += argc == 4 ? strtoull(argv[3], NULL, 10) * 0x9E3779B97F4A7C15u : 0;
    char file[4096], spec[512];
    long sequences = atol(argv[1]);
    unsigned long all = 0;
    snprintf(file, sizeof file, "%s/checkpoint", argv[2]);
    tb_network *network = NULL;
    for (long n = 0; n < sequences; n++) {
        /* A network serves many sequences. */
        if (n % 50 == 0) {
            tb_close(network);
            const char *more = SPECS[draw(sizeof SPECS / sizeof *SPECS)];
            int wrong = strncmp(more, "topology", 8) == 0;
            snprintf(spec, sizeof spec, "%s%s", wrong ? "" : "topology = { kind = \"mesh\", radix = [3, 3] }\n", more);
            tb_error error;
            network = tb_open_text(spec, strlen(spec), &error);
            if (!network && !wrong) {
                fprintf(stderr, "%s\n%s\n", spec, error.message);
                return 1;
            }
            tb_error_clear(&error);
        }
        if (network && (!tb_classes(network) || tb_queued_flits(network, 9, 0))) {
            return 1;
        }
        for (uint32_t calls = draw(30); calls > 0; calls--, all++) {
            call(network, file);
        }
    }
    tb_close(network);
    printf("%ld sequences, %lu calls\n", sequences, all);
    return 0;
}
