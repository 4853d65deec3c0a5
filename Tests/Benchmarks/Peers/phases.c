/* phases.c - what is measured, one phase after another over the same connections.
 *
 * Each prints what the server's process used from its first message until 0.4 s after its last
 * delivery, divided by deliveries: the same span as that of `belfry bench`.
 */
#include "load.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double cpu, at;
    long delivered;
} Start;

static Link *publisher(void) { return &links[options.devices + options.controls]; }

static void wait_until_delivered(long in_flight_max) {
    double deadline = now() + options.deadline;
    while (ledger.lost > in_flight_max) {
        links_turn(options.rest, 100);
        if (now() > deadline)
            fail("%ld deliveries are missing after %d s (%ld doubled, %ld misrouted)", ledger.lost,
                 options.deadline, ledger.duplicated, ledger.misrouted);
    }
}

static void quiet(double seconds) {
    double end = now() + seconds;
    while (now() < end) links_turn(options.rest, 20);
}

static void send_burst(int count) {
    for (int i = 0; i < count; i++) ledger_publish(publisher(), BROADCAST, 0);
    link_flush(publisher());
    wait_until_delivered(0);
}

static Start begin(const char *name) {
    note("%s", name);
    quiet(0.4);
    return (Start){server_cpu(), now(), ledger.delivered};
}

static void end(const char *name, Start start) {
    wait_until_delivered(0);
    double seconds = now() - start.at;
    quiet(0.4);
    double count = (double)(ledger.delivered - start.delivered);
    double cpu = (server_cpu() - start.cpu) / count;
    printf(",\n \"%s\": {\"cpuPerDelivery\": %.4f, \"deliveries\": %.0f, ", name, cpu, count);
    printf("\"perSecond\": %.0f}", count / seconds);
    note("%s: %.2f us of CPU for each of %.0f deliveries", name, cpu, count);
}

static void broadcast(void) {
    for (int i = 0; i < options.warmup; i++) send_burst(1);
    Start start = begin("broadcast");
    for (int i = 0; i < options.rounds; i++) {
        send_burst(1);
        quiet(options.gap * 1e-3);
    }
    end("broadcast", start);
}

static void bursts(void) {
    send_burst(options.burst);
    Start start = begin("burst");
    for (int i = 0; i < options.bursts; i++) {
        send_burst(options.burst);
        quiet(options.gap * 1e-3);
    }
    end("burst", start);
}

/* At most so many deliveries are on their way; a target with a larger audience goes alone. */
static void windowed(Kind kind, int targets, int messages, int window) {
    for (int sent = 0; sent < messages; sent++) {
        int target = (int)(random() % targets), audience = audience_of(kind, target);
        if (ledger.lost + audience > window) {
            link_flush(publisher());
            wait_until_delivered(audience > window ? 0 : window - audience);
        }
        ledger_publish(publisher(), kind, target);
    }
    link_flush(publisher());
    wait_until_delivered(0);
}

static void targeted(void) {
    windowed(DEVICE, options.devices, options.targeted / 20 + 1, options.window);
    Start start = begin("targeted");
    windowed(DEVICE, options.devices, options.targeted, options.window);
    end("targeted", start);
}

static void subscribe_to_segments(void) {
    char names[SEGMENTS_EACH][NAME_MAX_BYTES];
    double deadline = now() + options.deadline, cpu = server_cpu();
    for (int device = 0; device < options.devices; device++) {
        for (int choice = 0; choice < SEGMENTS_EACH; choice++)
            name_of(SEGMENT, segment_of(device, choice), names[choice]);
        link_subscribe(&links[device], names, SEGMENTS_EACH);
        bool is_last = device == options.devices - 1;
        while (links_awaiting() >= (is_last ? 1 : options.openings)) {
            links_turn(0, 100);
            if (now() > deadline) fail("%d devices have no answer", links_awaiting());
        }
    }
    printf(",\n \"cpuPerTenSubscriptions\": %.2f", (server_cpu() - cpu) / options.devices);
}

/* Before any message, which may leave buffers behind. */
static void ten_tags(double bytes_before) {
    note("ten segments for each device");
    subscribe_to_segments();
    quiet(options.idle);
    printf(",\n \"bytesPerConnectionTenTags\": %.0f",
           (server_bytes() - bytes_before) / (options.devices + options.controls));
}

static void segments(void) {
    windowed(SEGMENT, SEGMENTS, options.segments / 20 + 1, options.segment_window);
    Start start = begin("segments");
    windowed(SEGMENT, SEGMENTS, options.segments, options.segment_window);
    end("segments", start);
}

/* The publisher connects first and counts as the server's own. */
static double ramp(void) {
    int devices = options.devices + options.controls;
    double bytes = server_bytes(), cpu = server_cpu(), at = now();
    links_connect(devices + 1);
    double used = server_cpu() - cpu, seconds = now() - at;
    quiet(options.idle);
    double each = (server_bytes() - bytes) / (devices + 1);
    printf(",\n \"cpuPerConnection\": %.2f,\n \"bytesPerConnection\": %.0f,\n"
           " \"rampSeconds\": %.2f", used / (devices + 1), each, seconds);
    note("%d connected in %.1f s, %.0f us of CPU and %.0f bytes each", devices, seconds,
         used / (devices + 1), each);
    return bytes;
}

void phases_run(void) {
    printf("{\"protocol\": \"%s\",\n \"devices\": %d, \"controls\": %d, \"payload\": %d, "
           "\"qos\": %d", options.protocol->name, options.devices, options.controls,
           options.payload, options.qos);
    double bytes_before = ramp();
    if (options.segments) ten_tags(bytes_before);
    if (options.rounds) broadcast();
    if (options.bursts) bursts();
    if (options.targeted) targeted();
    if (options.segments) segments();
    bool is_told = options.protocol == &resp;
    if (is_told && ledger.receivers_told != ledger.expected)
        fail("the server says %ld receivers, not %ld", ledger.receivers_told, ledger.expected);
    printf(",\n \"expected\": %ld, \"delivered\": %ld, \"lost\": %ld, \"duplicated\": %ld, "
           "\"misrouted\": %ld}\n", ledger.expected, ledger.delivered, ledger.lost,
           ledger.duplicated, ledger.misrouted);
    if (ledger.lost || ledger.duplicated || ledger.misrouted)
        fail("%ld lost, %ld doubled, %ld misrouted", ledger.lost, ledger.duplicated,
             ledger.misrouted);
}
