/* main.c - a load client for message brokers, over TLS 1.3 with AES-128-GCM.
 *
 *   load -P mqtt|nats|resp -p PORT -S PID [-n DEVICES=1000] [-c CONTROLS=DEVICES/100]
 *        [-l PAYLOAD=256] [-w REST_MS=20] [-o OPENINGS=64] [-T DEADLINE_S=60] [-q QOS=0]
 *        [-r ROUNDS=20] [-W WARMUP=3] [-g GAP_MS=100] [-I IDLE_S=15]
 *        [-B BURSTS=0] [-k IN_A_BURST=64] [-t TARGETED=0] [-i WINDOW=1000]
 *        [-s SEGMENT_SENDS=0] [-j SEGMENT_WINDOW=1000]
 *
 * Plays devices and one publisher on 127.0.0.1:PORT and prints, as JSON, what the server, process
 * PID, used of CPU and memory. Each device subscribes to two names: one that all share and one of
 * its own; with -s to ten of 1,000 segments more. Controls subscribe to something else and must
 * receive nothing. Phases, in this order, those with a count above 0:
 *
 *   -r  one message to all, ROUNDS times; the next when all have it, and GAP_MS later
 *   -B  IN_A_BURST messages at once to all, BURSTS times
 *   -t  messages to single devices by lot; at most WINDOW deliveries are on their way
 *   -s  messages to segments by lot; at most SEGMENT_WINDOW deliveries are on their way
 *
 * Memory is read after IDLE_S seconds without traffic: servers give back what they needed for the
 * handshakes only after a while (Redis in steps, the last after some 12 s).
 *
 * Whatever is lost, doubled, misrouted or changed makes it fail, as does anything that takes
 * longer than DEADLINE_S. Between looks at the sockets it rests REST_MS, so that the server does
 * not pay for waking it. One process, one thread, epoll.
 */
#include "load.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

Options options = {.devices = 1000, .controls = -1, .payload = 256, .rest = 20, .openings = 64,
                   .deadline = 60, .rounds = 20, .warmup = 3, .gap = 100, .idle = 15,
                   .burst = 64, .window = 1000, .segment_window = 1000};

static const Protocol *protocol_named(const char *name) {
    const Protocol *all[] = {&mqtt, &nats, &resp};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(all[i]->name, name)) return all[i];
    return NULL;
}

static int *field(int option) {
    switch (option) {
    case 'p': return &options.port;
    case 'S': return &options.server;
    case 'n': return &options.devices;
    case 'c': return &options.controls;
    case 'l': return &options.payload;
    case 'w': return &options.rest;
    case 'o': return &options.openings;
    case 'T': return &options.deadline;
    case 'q': return &options.qos;
    case 'r': return &options.rounds;
    case 'W': return &options.warmup;
    case 'g': return &options.gap;
    case 'I': return &options.idle;
    case 'B': return &options.bursts;
    case 'k': return &options.burst;
    case 't': return &options.targeted;
    case 'i': return &options.window;
    case 's': return &options.segments;
    case 'j': return &options.segment_window;
    default: return NULL;
    }
}

static bool read_options(int count, char **arguments) {
    int option;
    while ((option = getopt(count, arguments, "P:p:S:n:c:l:w:o:T:q:r:W:g:I:B:k:t:i:s:j:")) != -1) {
        int *value = field(option);
        char *end = NULL;
        if (option == 'P') options.protocol = protocol_named(optarg);
        else if (!value) return false;
        else *value = (int)strtol(optarg, &end, 10);
        if (end && (*end || *value < 0)) return false;
    }
    if (options.controls < 0) options.controls = options.devices / 100 + 1;
    return options.protocol && options.port && options.server && options.devices
        && options.payload <= 8192 && options.qos <= 1 && options.window && options.segment_window;
}

/* Warm-ups are a twentieth of what follows, and one more. */
static int messages_planned(void) {
    return options.warmup + options.rounds + (options.bursts + 1) * options.burst
        + options.targeted * 21 / 20 + options.segments * 21 / 20 + 4;
}

int main(int count, char **arguments) {
    if (!read_options(count, arguments)) {
        fputs("load: the begin of main.c says what may be asked for\n", stderr);
        return 2;
    }
    int all = options.devices + options.controls + 1;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < (rlim_t)all + 20)
        fail("%d open files are needed, %lu allowed", all + 20, (unsigned long)limit.rlim_cur);
    signal(SIGPIPE, SIG_IGN);
    srandom(1);
    links_prepare(all);
    ledger_prepare(messages_planned());
    phases_run();
    return 0;
}
