/* Whatever a host does wrong is a status. Its argument is a folder to write to. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tailback.h>

#define CHECK(holds)                                                                                                   \
    do {                                                                                                               \
        if (!(holds)) {                                                                                                \
            fprintf(stderr, "line %d: %s\n", __LINE__, #holds);                                                        \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static const char SPEC[] = "topology = { kind = \"torus\", radix = [4, 4] }\n"
                           "router = { kind = \"cut_through\", buffer_flits = 32, source_queue_packets = 2 }\n";

static void null_everywhere(void) {
    tb_delivery out;
    CHECK(tb_nodes(NULL) == 0 && tb_classes(NULL) == 0 && tb_longest(NULL) == 0 && tb_cycle(NULL) == 0);
    CHECK(!tb_can_send(NULL, 0, 0, 1) && tb_send(NULL, 0, 1, 0, 1, 0) == TB_NULL);
    CHECK(tb_advance(NULL, 1) == TB_NULL && tb_advance_until_delivery(NULL, 1) == TB_NULL);
    CHECK(tb_next_delivery(NULL) == UINT64_MAX && tb_idle(NULL));
    CHECK(tb_receive(NULL, 0, 0, &out, 1) == 0 && tb_receive_any(NULL, &out, 1) == 0 && !tb_peek(NULL, 0, 0, &out));
    CHECK(!tb_record(NULL) && !tb_why(NULL) && !tb_story(NULL) && tb_follow(NULL, 7) == TB_NULL);
    CHECK(tb_checkpoint(NULL, "x") == TB_NULL && tb_log(NULL, "x") == TB_NULL && tb_log_end(NULL) == TB_NULL);
    tb_close(NULL);
    tb_free(NULL);
    tb_error_clear(NULL);
}

static void not_opened(const char *folder) {
    tb_error error;
    const char *lacks[] = {NULL};
    const char *no_text[] = {"\xff\xfe"};
    CHECK(!tb_open(NULL, NULL, 0, &error) && error.status == TB_NULL && error.message);
    tb_error_clear(&error);
    CHECK(error.status == TB_OK && !error.message);
    CHECK(!tb_open("no such file.toml", NULL, 0, &error) && error.status == TB_FILE);
    tb_error_clear(&error);
    CHECK(!tb_open(folder, NULL, 0, &error) && error.status == TB_FILE);
    tb_error_clear(&error);
    CHECK(!tb_open("x", lacks, 1, &error) && error.status == TB_NULL);
    tb_error_clear(&error);
    CHECK(!tb_open("x", NULL, 3, &error) && error.status == TB_NULL);
    tb_error_clear(&error);
    CHECK(!tb_open("x", no_text, 1, &error) && error.status == TB_TEXT);
    tb_error_clear(&error);
    CHECK(!tb_open_text("topology = 7", 12, &error) && error.status == TB_SPEC && strstr(error.message, "topology"));
    tb_error_clear(&error);
    CHECK(!tb_open_text("\xff", 1, &error) && error.status == TB_SPEC);
    tb_error_clear(&error);
    CHECK(!tb_open_text(NULL, 5, &error) && error.status == TB_NULL);
    tb_error_clear(&error);
    CHECK(!tb_restore("no such checkpoint", &error) && error.status == TB_DAMAGED);
    tb_error_clear(&error);
    CHECK(!tb_open_booksim("no such file", NULL, 0, &error) && error.status == TB_FILE);
    tb_error_clear(&error);
    CHECK(!tb_open("no such file.toml", NULL, 0, NULL));
}

static void calls(tb_network *network, const char *folder) {
    char file[4096];
    tb_delivery out[4];
    CHECK(tb_nodes(network) == 16 && tb_classes(network) == 1 && tb_longest(network) == 32);
    CHECK(tb_send(network, 16, 0, 0, 1, 0) == TB_NO_NODE && tb_send(network, 0, 16, 0, 1, 0) == TB_NO_NODE);
    CHECK(tb_send(network, UINT32_MAX, UINT32_MAX, 0, 1, 0) == TB_NO_NODE);
    CHECK(tb_send(network, 0, 1, 1, 1, 0) == TB_NO_CLASS && !tb_can_send(network, 0, 1, 1));
    CHECK(tb_send(network, 0, 1, 0, 0, 0) == TB_LENGTH && tb_send(network, 0, 1, 0, 33, 0) == TB_LENGTH);
    CHECK(tb_send(network, 0, 1, 0, UINT32_MAX, 0) == TB_LENGTH && !tb_can_send(network, 0, 0, 0));
    CHECK(!tb_can_send(network, 16, 0, 1));
    CHECK(tb_receive(network, 0, 0, out, 4) == 0 && tb_receive(network, 99, 0, out, 4) == 0);
    CHECK(tb_receive(network, 0, 7, out, 4) == 0 && tb_receive(network, 0, 0, NULL, 4) == 0);
    CHECK(tb_idle(network) && tb_next_delivery(network) == UINT64_MAX);
    snprintf(file, sizeof file, "%s/log", folder);
    CHECK(tb_log(network, "/no such folder/log") == TB_FILE && tb_log_end(network) == TB_FILE);
    CHECK(tb_log(network, file) == TB_OK && tb_log(network, NULL) == TB_NULL);
    /* Two packets fit the source queue. The second one is followed. */
    CHECK(tb_follow(network, 8) == TB_OK && !tb_story(network));
    CHECK(tb_send(network, 0, 5, 0, 32, 7) == TB_OK && tb_send(network, 0, 5, 0, 32, 8) == TB_OK);
    CHECK(!tb_can_send(network, 0, 0, 1) && tb_send(network, 0, 5, 0, 1, 9) == TB_FULL);
    CHECK(tb_advance(network, 10) == TB_OK && tb_advance(network, 9) == TB_TIME && tb_advance(network, UINT64_MAX) == TB_TIME);
    CHECK(tb_cycle(network) == 10 && !tb_idle(network) && tb_next_delivery(network) > 32);
    snprintf(file, sizeof file, "%s/checkpoint", folder);
    CHECK(tb_checkpoint(network, NULL) == TB_NULL && tb_checkpoint(network, "/no such folder/x") == TB_FILE);
    CHECK(tb_checkpoint(network, file) == TB_OK);
    tb_network *again = tb_restore(file, NULL);
    CHECK(again && tb_cycle(again) == 10);
    tb_network *both[] = {network, again};
    for (int n = 0; n < 2; n++) {
        CHECK(tb_advance(both[n], 200) == TB_OK && !tb_idle(both[n]) && tb_next_delivery(both[n]) == 200);
        CHECK(tb_peek(both[n], 5, 0, NULL) && tb_peek(both[n], 5, 0, out) && out->tag == 7);
        CHECK(tb_receive(both[n], 5, 0, out, 4) == 2 && out[0].tag == 7 && out[1].tag == 8 && tb_idle(both[n]));
        CHECK(out[0].source == 0 && out[0].destination == 5 && out[0].flits == 32 && out[0].sent == 0 && out[0].hops == 2);
    }
    char *story = tb_story(network);
    CHECK(story && strstr(story, "Message with tag 8: 32 flits from node 0 to node 5") && strstr(story, "delivered"));
    tb_free(story);
    CHECK(!tb_story(again));
    char *one = tb_record(network), *other = tb_record(again), *why = tb_why(network);
    CHECK(one && other && why && strstr(one, "\"digest\""));
    CHECK(strncmp(strstr(one, "\"digest\""), strstr(other, "\"digest\""), 70) == 0);
    tb_free(one);
    tb_free(other);
    tb_free(why);
    tb_close(again);
    CHECK(tb_log_end(network) == TB_OK && tb_log_end(network) == TB_FILE);
    /* A log replaces no file of another kind, and may begin at any time. */
    CHECK(tb_log(network, file) == TB_FILE);
    snprintf(file, sizeof file, "%s/log", folder);
    CHECK(tb_log(network, file) == TB_OK && tb_log(network, file) == TB_OK);
    /* A message to the own node, and a host that never receives. */
    CHECK(tb_send(network, 3, 3, 0, 4, 1) == TB_OK && tb_receive_any(network, out, 4) == 0);
    CHECK(tb_advance(network, 201) == TB_OK && tb_receive_any(network, out, 4) == 1 && out[0].cycle == 200);
    for (int n = 0; n < 1000; n++) {
        tb_send(network, n % 16, (n * 7 + 3) % 16, 0, 8, n);
        CHECK(tb_advance(network, tb_cycle(network) + 20) == TB_OK);
    }
    CHECK(!tb_idle(network));
    while (tb_receive_any(network, out, 4)) {
    }
    CHECK(tb_advance(network, tb_cycle(network) + 1000000000) == TB_OK);
    while (tb_receive_any(network, out, 4)) {
    }
    CHECK(tb_idle(network) && tb_log_end(network) == TB_OK);
    /* A file that is none of these. */
    tb_error error;
    snprintf(file, sizeof file, "%s/log", folder);
    CHECK(!tb_restore(file, &error) && error.status == TB_DAMAGED);
    tb_error_clear(&error);
}

int main(int argc, char **argv) {
    CHECK(argc == 2 && tb_version()[0] && tb_status_text(99)[0] && tb_status_text(-1)[0]);
    null_everywhere();
    not_opened(argv[1]);
    tb_network *network = tb_open_text(SPEC, sizeof SPEC - 1, NULL);
    CHECK(network);
    calls(network, argv[1]);
    tb_close(network);
    puts("all is well");
    return 0;
}
