/* Tailback inside other simulators: a network that a host steps.
 *
 * A host opens a network, sends messages into it, steps its clock, and receives what has been delivered:
 *
 *     tb_network *network = tb_open("mesh.toml", NULL, 0, NULL);
 *     tb_send(network, 0, 5, 0, 8, 77);
 *     tb_advance(network, 100);
 *     tb_delivery delivery;
 *     while (tb_receive(network, 5, 0, &delivery, 1)) ...
 *     tb_close(network);
 *
 * Time. What is sent while the clock stands at t is generated in cycle t, in the order of the calls. What is delivered in cycle t can be
 * received once the clock stands at t + 1.
 *
 * Errors are values. No function prints, exits, aborts or keeps global state. A NULL network is a status, or nothing.
 *
 * Threads. A process may have many networks. Each is used by one thread at a time, and may go from thread to thread.
 *
 * Ownership. Texts that the library gives are freed with tb_free, messages of errors with tb_error_clear, networks with tb_close. A pointer
 * that is not NULL must be one that the library gave and that was not freed, or memory of the stated size.
 */
#ifndef TAILBACK_H
#define TAILBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A network. */
typedef struct tb_network tb_network;

/* How a call ended. */
typedef enum tb_status {
    TB_OK = 0,          /* it was done */
    TB_NULL = 1,        /* an argument is NULL that must not be */
    TB_NO_NODE = 2,     /* there is no such node */
    TB_NO_CLASS = 3,    /* there is no such message class */
    TB_LENGTH = 4,      /* a message is longer or shorter than the network takes */
    TB_FULL = 5,        /* the source queue of the node is full; nothing was sent */
    TB_TIME = 6,        /* the clock does not go back, nor beyond cycle 2^34 */
    TB_DEADLOCKED = 7,  /* packets wait for each other forever; the clock stands still */
    TB_LIVELOCKED = 8,  /* packets go on and on, and none arrives; the clock stands still */
    TB_SPEC = 9,        /* the spec or the configuration is wrong */
    TB_FILE = 10,       /* a file cannot be read or written */
    TB_DAMAGED = 11,    /* a checkpoint is damaged, of another version, or of no network that a host stepped */
    TB_TEXT = 12,       /* a text is not UTF-8 */
    TB_BUG = 13         /* a bug of Tailback was met; the network is of no use any more, but for tb_close */
} tb_status;

/* Why a network was not opened. The message has lines with places; it is NULL where there is nothing to say. */
typedef struct tb_error {
    tb_status status;
    char *message;
} tb_error;

/* What a simulator with BookSim inside says of how it hands packets to the network, by keys of its own in the configuration. */
typedef struct tb_inside {
    uint32_t flit_size;            /* bytes of a flit */
    uint32_t subnets;              /* networks side by side, each of which is opened by itself */
    uint32_t channels;             /* virtual channels of a link */
    uint32_t input_buffer_size;    /* flits that a node holds at most which have not left it */
    uint32_t ejection_buffer_size; /* flits of each channel in the ejection buffer; 0: the key is not set */
    uint32_t boundary_buffer_size; /* flits of each channel that wait to be popped */
} tb_inside;

/* A message that has been delivered. */
typedef struct tb_delivery {
    uint64_t tag;           /* what the host calls the message */
    uint64_t sent;          /* cycle in which it was sent */
    uint64_t entered;       /* cycle in which the head of its last packet left the source */
    uint64_t cycle;         /* cycle in which its last tail was received */
    uint32_t source;        /* the node that sent it */
    uint32_t destination;   /* the node that receives it */
    uint32_t message_class; /* its message class */
    uint32_t flits;         /* its length in flits */
    uint32_t hops;          /* links between routers that its last packet took */
    uint32_t reserved;      /* 0 */
} tb_delivery;

/* Opens the network of a spec. `overrides` are `count` texts like "traffic.packet_flits=8". Returns NULL where that fails, and fills `error`
 * unless it is NULL; its bytes need not be set before. After a success its status is TB_OK. */
tb_network *tb_open(const char *file, const char *const *overrides, size_t count, tb_error *error);

/* The same of a spec of `length` bytes of TOML. The files that it names are looked for in the present folder. */
tb_network *tb_open_text(const char *toml, size_t length, tb_error *error);

/* The same of a BookSim 2 configuration, with overrides like "k=4". What it says of traffic has no effect. */
tb_network *tb_open_booksim(const char *file, const char *const *overrides, size_t count, tb_error *error);

/* One of the networks of a BookSim 2 configuration of GPGPU-Sim, Accel-Sim, ONNXim or PyTorchSim: with keys such as flit_size, use_map and
 * boundary_buffer_size, in either of their grammars. `places`, unless NULL, has room for cores + memories numbers, and gets the node of each of
 * these devices; `inside`, unless NULL, gets what the other keys say. tailback_gpgpusim.hpp and tailback_booksim2.hpp are hosts of it. */
tb_network *tb_open_inside(const char *file, const char *const *overrides, size_t count, uint32_t cores, uint32_t memories, uint32_t *places,
                           tb_inside *inside, tb_error *error);

/* Goes on from a checkpoint, with the same messages under way and deliveries waiting. */
tb_network *tb_restore(const char *file, tb_error *error);

/* Frees the message of an error, which may be used again. */
void tb_error_clear(tb_error *error);

/* Closes a network, and ends its call log. NULL is allowed. */
void tb_close(tb_network *network);

/* Nodes, numbered from 0. */
uint32_t tb_nodes(const tb_network *network);

/* Message classes, numbered from 0: router.message_classes of the spec. Each has queues, channels and ejection buffers of its own. */
uint32_t tb_classes(const tb_network *network);

/* The longest message that may be sent, in flits. */
uint32_t tb_longest(const tb_network *network);

/* The cycle in which the clock stands: all cycles before it have been simulated. */
uint64_t tb_cycle(const tb_network *network);

/* Whether `node` can send a message of so many flits now. False for a node or class that does not exist. */
bool tb_can_send(tb_network *network, uint32_t node, uint32_t message_class, uint32_t flits);

/* Flits of `node` that were sent and have not left it. Those of a packet count until its tail has left, and under input-queued routers until each
 * has left. 0 for what does not exist. */
uint64_t tb_queued_flits(tb_network *network, uint32_t node, uint32_t message_class);

/* Sends a message. The network hands `tag` through. A message from a node to itself never enters the network; it is delivered in this
 * cycle. */
tb_status tb_send(tb_network *network, uint32_t source, uint32_t destination, uint32_t message_class, uint32_t flits, uint64_t tag);

/* Simulates all cycles before `to_cycle`. A network in which nothing is under way leaves them out. */
tb_status tb_advance(tb_network *network, uint64_t to_cycle);

/* The same, but only until a delivery can be received. */
tb_status tb_advance_until_delivery(tb_network *network, uint64_t to_cycle);

/* Unless more is sent, no delivery can be received before the clock stands in this cycle; UINT64_MAX where nothing is under way or waits. Each
 * message counts with the time that it would take in an empty network. One that others have held up may come in any cycle. */
uint64_t tb_next_delivery(const tb_network *network);

/* Receives up to `room` deliveries of a node into `out`, and returns how many. They come in the order of their cycles, those of one cycle in
 * the order of their sources. 0 for a node or class that does not exist. */
size_t tb_receive(tb_network *network, uint32_t node, uint32_t message_class, tb_delivery *out, size_t room);

/* Receives up to `room` deliveries of all nodes, in the order of the nodes. */
size_t tb_receive_any(tb_network *network, tb_delivery *out, size_t room);

/* Copies the delivery that a node receives next into `out`, unless that is NULL. Returns whether there is one. */
bool tb_peek(const tb_network *network, uint32_t node, uint32_t message_class, tb_delivery *out);

/* Whether no message is under way and none waits to be received. */
bool tb_idle(const tb_network *network);

/* The record of `tailback run` as if the run ended now, as JSON; freed with tb_free. NULL after TB_BUG. */
char *tb_record(const tb_network *network);

/* Why the network was the bottleneck, in a paragraph; freed with tb_free. */
char *tb_why(const tb_network *network);

/* Follows the next message that is sent with this tag to another node: tb_story tells of its first packet. Until that has arrived, each
 * cycle costs a look at all packets. One message at a time is followed. */
tb_status tb_follow(tb_network *network, uint64_t tag);

/* Where the packet that is followed was in every cycle so far and what kept it there, in lines like those of `tailback trace`; freed with
 * tb_free. NULL before it has come to the front of its source queue. */
char *tb_story(const tb_network *network);

/* Frees a text that the library gave. NULL is allowed. */
void tb_free(char *text);

/* Writes a checkpoint, whole or not at all. It replaces a checkpoint of that name, and no other file. */
tb_status tb_checkpoint(const tb_network *network, const char *file);

/* Keeps a log of all calls from now on, which `tailback replay` repeats. The log that was kept until now ends. Where something
 * has happened already, the new log begins with a checkpoint. It replaces another log of that name, and no other file. */
tb_status tb_log(tb_network *network, const char *file);

/* Ends the log with the digest of what was simulated. tb_close does so, too, but cannot tell whether it was written. */
tb_status tb_log_end(tb_network *network);

/* A status in words; never NULL, and not to be freed. */
const char *tb_status_text(int32_t status);

/* The version of the library; not to be freed. */
const char *tb_version(void);

#ifdef __cplusplus
}
#endif

#endif
