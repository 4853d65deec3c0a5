/* resp.c - SUBSCRIBE and PUBLISH of Redis, as RESP2. */
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *bytes;
    int length;
} Text;

enum { PARTS = 3 };

static void append_text(Link *link, const char *text, size_t length) {
    char line[32];
    link_append(link, line, (size_t)sprintf(line, "$%zu\r\n", length));
    link_append(link, text, length);
    link_append(link, "\r\n", 2);
}

static void hello(Link *link) { (void)link; }

static void subscribe(Link *link, char (*names)[NAME_MAX_BYTES], int count) {
    char line[32];
    link_append(link, line, (size_t)sprintf(line, "*%d\r\n", count + 1));
    append_text(link, "SUBSCRIBE", 9);
    for (int i = 0; i < count; i++) append_text(link, names[i], strlen(names[i]));
    link->awaited += count;
}

static void publish(Link *link, const char *name, const char *payload, int length) {
    link_append(link, "*3\r\n", 4);
    append_text(link, "PUBLISH", 7);
    append_text(link, name, strlen(name));
    append_text(link, payload, (size_t)length);
}

/* The number of a line such as $5 or :1; where it ends, or 0 when it is not whole. */
static int number(const char *bytes, int length, int at, long *value) {
    const char *end = memchr(bytes + at, '\n', (size_t)(length - at));
    if (!end) return 0;
    *value = strtol(bytes + at + 1, NULL, 10);
    return (int)(end + 1 - bytes);
}

/* Three parts: the word, the channel, then a payload or how many subscriptions there are. */
static int array(Link *link, const char *bytes, int length, int at) {
    Text parts[PARTS] = {{NULL, 0}};
    long value;
    if (!(at = number(bytes, length, at, &value))) return 0;
    if (value != PARTS) fail("an array of %ld", value);
    for (int i = 0; i < PARTS; i++) {
        if (at >= length) return 0;
        char type = bytes[at];
        if (!(at = number(bytes, length, at, &value))) return 0;
        if (type == ':') continue;
        if (type != '$' || value < 0 || value > 1 << 20) fail("a part of type %c", type);
        if (at + value + 2 > length) return 0;
        parts[i] = (Text){bytes + at, (int)value};
        at += (int)value + 2;
    }
    if (parts[0].length == 7 && !memcmp(parts[0].bytes, "message", 7))
        ledger_delivery(link, parts[2].bytes, parts[2].length);
    else if (parts[0].length == 9 && !memcmp(parts[0].bytes, "subscribe", 9))
        link_answered(link, 1);
    else
        fail("the server says %.*s", parts[0].length, parts[0].bytes);
    return at;
}

static int read_replies(Link *link, const char *bytes, int length) {
    int at = 0, next;
    long value;
    while (at < length) {
        switch (bytes[at]) {
        case '*': next = array(link, bytes, length, at); break;
        case ':': /* to a PUBLISH: how many have it */
            next = number(bytes, length, at, &value);
            if (next) ledger.receivers_told += value;
            break;
        default: fail("the server says %.*s", length - at, bytes + at);
        }
        if (!next) return at;
        at = next;
    }
    return at;
}

const Protocol resp = {.name = "resp", .hello = hello, .subscribe = subscribe, .publish = publish,
                       .read = read_replies};
