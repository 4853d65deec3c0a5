/* load.h - what the files of the load client share; main.c says what it does. */
#ifndef LOAD_H
#define LOAD_H

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a name is made of; a message goes to one of these. */
typedef enum { BROADCAST, DEVICE, SEGMENT } Kind;

enum { SEGMENTS = 1000, SEGMENTS_EACH = 10, NAME_MAX_BYTES = 32 };

typedef enum { CLOSED, CONNECTING, IN_CLEAR, SHAKING, UP } State;

/* One TLS connection: a device, a control, or the publisher (number < 0). */
typedef struct {
    SSL *ssl;
    char *rest;          /* received, and not a whole message yet */
    char *out;           /* to be written */
    size_t out_length, out_capacity;
    int fd, number, rest_length;
    int awaited;         /* answers to subscriptions that have not come */
    uint32_t last;       /* the newest message received, plus one */
    State state;
    bool is_blocked;     /* waits until the socket takes more */
} Link;

/* A protocol appends to a link's output and reads whole messages of its input. */
typedef struct {
    const char *name;
    bool greets_in_clear; /* the server speaks first, before TLS */
    void (*hello)(Link *);
    void (*subscribe)(Link *, char (*names)[NAME_MAX_BYTES], int count);
    void (*publish)(Link *, const char *name, const char *payload, int length);
    /* Bytes read as whole messages; the others come again with what follows them. */
    int (*read)(Link *, const char *bytes, int length);
} Protocol;

extern const Protocol mqtt, nats, resp;

/* What is to be done; main.c has the defaults. */
typedef struct {
    const Protocol *protocol;
    int port, server, devices, controls, payload, rest, openings, deadline, qos;
    int rounds, warmup, gap, idle, bursts, burst, targeted, window, segments, segment_window;
} Options;

extern Options options;

/* support.c */
double now(void);                        /* seconds */
void pause_for(double seconds);
void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *fresh(size_t count, size_t size);  /* zeroed, or the end */
double server_cpu(void);                 /* microseconds, user and system, all threads */
double server_bytes(void);               /* resident anonymous memory */

/* link.c */
extern Link *links;                      /* devices, controls, and last the publisher */
void links_prepare(int count);
void links_connect(int until);           /* connects the links before that one */
void links_turn(int rest_milliseconds, int wait_milliseconds);
int links_awaiting(void);                /* links whose subscriptions are not all answered */
void link_append(Link *link, const void *bytes, size_t length);
void link_flush(Link *link);
void link_subscribe(Link *link, char (*names)[NAME_MAX_BYTES], int count);
void link_answered(Link *link, int answers);

/* ledger.c */
typedef struct {
    long delivered, lost, duplicated, misrouted;
    long receivers_told;                 /* what the server says, where it says so */
    long expected;
} Ledger;

extern Ledger ledger;
void ledger_prepare(int messages);
void name_of(Kind kind, int target, char name[NAME_MAX_BYTES]);
int segment_of(int device, int choice);
int audience_of(Kind kind, int target);
void ledger_publish(Link *publisher, Kind kind, int target);
void ledger_delivery(Link *link, const char *payload, int length);

/* phases.c */
void phases_run(void);

#endif
