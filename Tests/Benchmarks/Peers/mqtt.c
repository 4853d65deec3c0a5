/* mqtt.c - as much of MQTT 3.1.1 as devices and a publisher need. */
#include "load.h"

#include <stdio.h>
#include <string.h>

enum { CONNACK = 2, PUBLISH = 3, PUBACK = 4, SUBACK = 9 };

static void append_length(Link *link, size_t length) {
    do {
        unsigned char byte = length % 128;
        length /= 128;
        if (length) byte |= 128;
        link_append(link, &byte, 1);
    } while (length);
}

static void append_number(Link *link, unsigned number) {
    unsigned char bytes[2] = {(unsigned char)(number >> 8), (unsigned char)number};
    link_append(link, bytes, 2);
}

static void append_text(Link *link, const char *text) {
    append_number(link, (unsigned)strlen(text));
    link_append(link, text, strlen(text));
}

/* Keep-alive off, so that nothing but deliveries is measured. */
static void hello(Link *link) {
    static const char version[] = {0, 4, 'M', 'Q', 'T', 'T', 4, 2 /* clean session */, 0, 0};
    char identifier[NAME_MAX_BYTES];
    snprintf(identifier, sizeof identifier, "bench%d", link->number + 1);
    link_append(link, "\x10", 1);
    append_length(link, sizeof version + 2 + strlen(identifier));
    link_append(link, version, sizeof version);
    append_text(link, identifier);
}

static void subscribe(Link *link, char (*names)[NAME_MAX_BYTES], int count) {
    size_t length = 2;
    char qos = (char)options.qos;
    for (int i = 0; i < count; i++) length += 2 + strlen(names[i]) + 1;
    link_append(link, "\x82", 1);
    append_length(link, length);
    append_number(link, 1);
    for (int i = 0; i < count; i++) {
        append_text(link, names[i]);
        link_append(link, &qos, 1);
    }
    link->awaited += count;
}

static void publish(Link *link, const char *name, const char *payload, int length) {
    static unsigned identifier;
    unsigned char first = (unsigned char)(PUBLISH << 4 | options.qos << 1);
    link_append(link, &first, 1);
    append_length(link, 2 + strlen(name) + (options.qos ? 2 : 0) + (size_t)length);
    append_text(link, name);
    if (options.qos) {
        identifier = identifier % 65535 + 1;
        append_number(link, identifier);
    }
    link_append(link, payload, (size_t)length);
}

static void published(Link *link, int qos, const unsigned char *body, int length) {
    int at = 2 + (length >= 2 ? body[0] << 8 | body[1] : 0);
    if (at + (qos ? 2 : 0) > length) fail("a PUBLISH that ends too early");
    if (qos) {
        unsigned char answer[4] = {PUBACK << 4, 2, body[at], body[at + 1]};
        link_append(link, answer, sizeof answer);
        at += 2;
    }
    ledger_delivery(link, (const char *)body + at, length - at);
}

static void packet(Link *link, unsigned char first, const unsigned char *body, int length) {
    switch (first >> 4) {
    case CONNACK:
        if (length != 2 || body[1]) fail("CONNECT was refused");
        break;
    case SUBACK:
        for (int i = 2; i < length; i++)
            if (body[i] != options.qos) fail("SUBSCRIBE was refused");
        link_answered(link, length - 2);
        break;
    case PUBLISH: published(link, first >> 1 & 3, body, length); break;
    case PUBACK: break;
    default: fail("a packet of type %d", first >> 4);
    }
}

static int read_packets(Link *link, const char *bytes, int length) {
    const unsigned char *all = (const unsigned char *)bytes;
    int at = 0;
    for (;;) {
        int body = 0, head = 1, shift = 0;
        do {
            if (at + head >= length) return at;
            if (shift > 21) fail("a packet's length is malformed");
            body |= (all[at + head] & 127) << shift;
            shift += 7;
        } while (all[at + head++] & 128);
        if (at + head + body > length) return at;
        packet(link, all[at], all + at + head, body);
        at += head + body;
    }
}

const Protocol mqtt = {.name = "mqtt", .hello = hello, .subscribe = subscribe, .publish = publish,
                       .read = read_packets};
