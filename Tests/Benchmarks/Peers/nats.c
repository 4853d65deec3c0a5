/* nats.c - the client side of NATS; TLS begins after the server's INFO line. */
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(Link *link, const char *text) { link_append(link, text, strlen(text)); }

static void hello(Link *link) {
    append(link, "CONNECT {\"verbose\":false,\"pedantic\":false,\"tls_required\":true,"
                 "\"echo\":false,\"protocol\":1,\"lang\":\"c\",\"version\":\"1\"}\r\n");
}

/* A subscription has no answer of its own: the PONG behind them answers all. */
static void subscribe(Link *link, char (*names)[NAME_MAX_BYTES], int count) {
    static int identifier; /* unique for each connection is enough */
    char line[NAME_MAX_BYTES + 32];
    for (int i = 0; i < count; i++) {
        snprintf(line, sizeof line, "SUB %s %d\r\n", names[i], ++identifier);
        append(link, line);
    }
    append(link, "PING\r\n");
    link->awaited++;
}

static void publish(Link *link, const char *name, const char *payload, int length) {
    char line[NAME_MAX_BYTES + 32];
    snprintf(line, sizeof line, "PUB %s %d\r\n", name, length);
    append(link, line);
    link_append(link, payload, (size_t)length);
    append(link, "\r\n");
}

static int starts(const char *line, const char *end, const char *word) {
    size_t length = strlen(word);
    return (size_t)(end - line) >= length && !memcmp(line, word, length);
}

/* MSG subject sid [reply-to] bytes: the last word counts. */
static int payload_length(const char *line, const char *end) {
    const char *word = end;
    while (word > line && word[-1] != ' ') word--;
    int length = atoi(word);
    if (word == line || length < 0 || length > 1 << 20) fail("a MSG without a length");
    return length;
}

static int read_lines(Link *link, const char *bytes, int length) {
    int at = 0;
    for (;;) {
        const char *line = bytes + at, *end = memchr(line, '\n', (size_t)(length - at));
        if (!end) return at;
        int next = (int)(end + 1 - bytes);
        end--; /* the line ends before \r\n */
        if (starts(line, end, "MSG ")) {
            int size = payload_length(line, end);
            if (next + size + 2 > length) return at;
            ledger_delivery(link, bytes + next, size);
            next += size + 2;
        } else if (starts(line, end, "PONG")) {
            link_answered(link, 1);
        } else if (starts(line, end, "PING")) {
            append(link, "PONG\r\n");
        } else if (!starts(line, end, "INFO ") && !starts(line, end, "+OK")) {
            fail("the server says %.*s", (int)(end - line), line);
        }
        at = next;
    }
}

const Protocol nats = {.name = "nats", .greets_in_clear = true, .hello = hello,
                       .subscribe = subscribe, .publish = publish, .read = read_lines};
