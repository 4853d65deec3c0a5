/* ledger.c - who must receive what: every delivery is checked and counted.
 *
 * A payload carries its number, and its text follows from the number, so a delivery is compared
 * byte by byte. One publisher, so a device gets numbers in growing order: one that is not above
 * the last is a duplicate (or out of order, which none of the servers may do).
 */
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    Kind kind;
    int target;
} Message;

static const char head[] = "{\"data\":{\"id\":\"", middle[] = "\",\"message\":\"", foot[] = "\"}}";
enum {
    HEAD = sizeof head - 1, NUMBER = 8, MIDDLE = sizeof middle - 1, FOOT = sizeof foot - 1,
    FRAME = HEAD + NUMBER + MIDDLE + FOOT, POOL = 1 << 16,
};

Ledger ledger;
static Message *messages;
static uint32_t published, capacity;
static char *pool;                     /* words; a payload's text is a slice of it */
static int segment_sizes[SEGMENTS];

static uint64_t mixed(uint64_t value) {
    value += 0x9E3779B97F4A7C15u;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
    return value ^ (value >> 31);
}

static void fill_pool(void) {
    static const char *words[] = {"market", "council", "launch", "river", "storm", "signal",
                                  "budget", "museum", "harbor", "treaty", "engine", "forest",
                                  "player", "record", "border", "summit"};
    size_t used = 0, all = POOL + (size_t)options.payload;
    pool = fresh(all + NAME_MAX_BYTES, 1);
    for (uint64_t step = 0; used < all; step++)
        used += (size_t)sprintf(pool + used, "%s ", words[mixed(step) % 16]);
}

void ledger_prepare(int count) {
    if (options.payload < FRAME + 8) fail("a payload has at least %d bytes", FRAME + 8);
    capacity = (uint32_t)count;
    messages = fresh(capacity, sizeof *messages);
    fill_pool();
    for (int device = 0; device < options.devices; device++)
        for (int choice = 0; choice < SEGMENTS_EACH; choice++)
            segment_sizes[segment_of(device, choice)]++;
}

/* Ten different ones for each device: the step and the number of segments share no factor. */
int segment_of(int device, int choice) {
    return (int)((mixed((uint64_t)device) + (uint64_t)choice * 97) % SEGMENTS);
}

void name_of(Kind kind, int target, char name[NAME_MAX_BYTES]) {
    switch (kind) {
    case BROADCAST: snprintf(name, NAME_MAX_BYTES, target ? "bench-other" : "bench"); break;
    case DEVICE: snprintf(name, NAME_MAX_BYTES, "device:%d", target); break;
    case SEGMENT: snprintf(name, NAME_MAX_BYTES, "segment:%d", target); break;
    }
}

int audience_of(Kind kind, int target) {
    switch (kind) {
    case BROADCAST: return options.devices;
    case DEVICE: return 1;
    case SEGMENT: return segment_sizes[target];
    }
    return 0;
}

static bool is_member(int device, const Message *message) {
    if (device < 0 || device >= options.devices) return false;
    if (message->kind == BROADCAST) return true;
    if (message->kind == DEVICE) return device == message->target;
    for (int choice = 0; choice < SEGMENTS_EACH; choice++)
        if (segment_of(device, choice) == message->target) return true;
    return false;
}

static const char *text_of(uint32_t number) { return pool + mixed(number) % POOL; }

void ledger_publish(Link *publisher, Kind kind, int target) {
    static char payload[65536];
    char name[NAME_MAX_BYTES];
    size_t text = (size_t)options.payload - FRAME;
    if (published == capacity) fail("more messages than were planned");
    messages[published] = (Message){kind, target};
    char *at = payload + sprintf(payload, "%s%08x%s", head, published, middle);
    memcpy(at, text_of(published), text);
    memcpy(at + text, foot, FOOT);
    published++;
    int audience = audience_of(kind, target);
    ledger.expected += audience;
    ledger.lost += audience;           /* until it arrives */
    name_of(kind, target, name);
    options.protocol->publish(publisher, name, payload, options.payload);
}

static bool is_intact(const char *payload, int length, uint32_t *number) {
    char digits[NUMBER + 1] = {0}, *end;
    int text = options.payload - FRAME;
    if (length != options.payload || memcmp(payload, head, HEAD)) return false;
    memcpy(digits, payload + HEAD, NUMBER);
    *number = (uint32_t)strtoul(digits, &end, 16);
    if (*end || *number >= published) return false;
    const char *at = payload + HEAD + NUMBER;
    return !memcmp(at, middle, MIDDLE) && !memcmp(at + MIDDLE, text_of(*number), (size_t)text)
        && !memcmp(at + MIDDLE + text, foot, FOOT);
}

void ledger_delivery(Link *link, const char *payload, int length) {
    uint32_t number;
    if (!is_intact(payload, length, &number) || !is_member(link->number, &messages[number])) {
        ledger.misrouted++;
    } else if (number < link->last) {
        ledger.duplicated++;
    } else {
        link->last = number + 1;
        ledger.delivered++;
        ledger.lost--;
    }
}
