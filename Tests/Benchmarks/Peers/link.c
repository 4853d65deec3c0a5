/* link.c - many TLS connections in one thread, on one epoll. */
#define _GNU_SOURCE
#include "load.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { EVENTS = 1024, INPUT = 1 << 18 };

Link *links;
static int all, epoll, awaiting;
static int started, up;
static SSL_CTX *context;
static char input[INPUT];

void links_prepare(int count) {
    all = count;
    links = fresh((size_t)count, sizeof *links);
    for (int i = 0; i < count; i++) links[i].number = i < count - 1 ? i : -1;
    epoll = epoll_create1(0);
    context = SSL_CTX_new(TLS_client_method());
    if (!context || epoll < 0) fail("no TLS context");
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, NULL);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE
                                  | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_read_ahead(context, 1);
    if (!SSL_CTX_set1_groups_list(context, "X25519")
        || !SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256"))
        fail("OpenSSL refuses group or cipher");
}

static void watch(Link *link, int operation, uint32_t events) {
    struct epoll_event event = {.events = events, .data.ptr = link};
    if (epoll_ctl(epoll, operation, link->fd, &event)) fail("epoll_ctl: %s", strerror(errno));
}

static void begin(Link *link) {
    int one = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)options.port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    link->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (link->fd < 0) fail("socket: %s", strerror(errno));
    setsockopt(link->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(link->fd, (void *)&address, sizeof address) && errno != EINPROGRESS)
        fail("connect: %s", strerror(errno));
    link->ssl = SSL_new(context);
    if (!link->ssl) fail("no TLS session");
    SSL_set_fd(link->ssl, link->fd);
    SSL_set_connect_state(link->ssl);
    link->state = CONNECTING;
    watch(link, EPOLL_CTL_ADD, EPOLLOUT);
}

void link_subscribe(Link *link, char (*names)[NAME_MAX_BYTES], int count) {
    options.protocol->subscribe(link, names, count);
    awaiting++;
    link_flush(link);
}

static void introduce(Link *link) {
    char names[2][NAME_MAX_BYTES];
    options.protocol->hello(link);
    if (link->number < 0) { /* the publisher only sends */
        link_flush(link);
        return;
    }
    name_of(BROADCAST, link->number >= options.devices, names[0]);
    name_of(DEVICE, link->number, names[1]);
    link_subscribe(link, names, 2);
}

static void shake_hands(Link *link) {
    ERR_clear_error();
    int result = SSL_do_handshake(link->ssl);
    if (result == 1) {
        link->state = UP;
        up++;
        introduce(link);
        return;
    }
    int error = SSL_get_error(link->ssl, result);
    if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE)
        fail("handshake %d: %s", link->number, ERR_reason_error_string(ERR_peek_error()));
}

/* Before TLS: the server's one line in clear, where the protocol has one. */
static void go_on(Link *link) {
    if (link->state == CONNECTING) {
        int error = 0;
        socklen_t size = sizeof error;
        getsockopt(link->fd, SOL_SOCKET, SO_ERROR, &error, &size);
        if (error) fail("connect: %s", strerror(error));
        watch(link, EPOLL_CTL_MOD, EPOLLIN);
        link->state = options.protocol->greets_in_clear ? IN_CLEAR : SHAKING;
        if (link->state == IN_CLEAR) return;
    }
    if (link->state == IN_CLEAR) {
        ssize_t count = recv(link->fd, input, INPUT, 0);
        if (count < 0 && errno == EAGAIN) return;
        if (count <= 0) fail("no greeting");
        if (input[count - 1] != '\n') return;
        link->state = SHAKING;
    }
    if (link->state == SHAKING) shake_hands(link);
}

static void take(Link *link, const char *bytes, int length) {
    free(link->rest);
    link->rest = NULL;
    link->rest_length = length;
    if (!length) return;
    link->rest = fresh((size_t)length, 1);
    memcpy(link->rest, bytes, (size_t)length);
}

static void receive(Link *link) {
    int used = link->rest_length, count;
    if (used) memcpy(input, link->rest, (size_t)used);
    do {
        ERR_clear_error();
        count = SSL_read(link->ssl, input + used, INPUT - used);
        if (count <= 0) break;
        used += count;
        int consumed = options.protocol->read(link, input, used);
        used -= consumed;
        memmove(input, input + consumed, (size_t)used);
        if (used == INPUT) fail("a message is too long");
    } while (SSL_has_pending(link->ssl));
    if (count <= 0 && SSL_get_error(link->ssl, count) != SSL_ERROR_WANT_READ)
        fail("the server ended connection %d", link->number);
    take(link, input, used);
    if (link->out_length) link_flush(link);
}

void link_append(Link *link, const void *bytes, size_t length) {
    if (link->out_length + length > link->out_capacity) {
        link->out_capacity = (link->out_length + length) * 2;
        link->out = realloc(link->out, link->out_capacity);
        if (!link->out) fail("out of memory");
    }
    memcpy(link->out + link->out_length, bytes, length);
    link->out_length += length;
}

void link_flush(Link *link) {
    size_t sent = 0;
    bool is_blocked = false;
    while (sent < link->out_length) {
        size_t left = link->out_length - sent;
        ERR_clear_error();
        int count = SSL_write(link->ssl, link->out + sent, left > 1 << 20 ? 1 << 20 : (int)left);
        if (count <= 0) {
            if (SSL_get_error(link->ssl, count) != SSL_ERROR_WANT_WRITE)
                fail("the server ended connection %d while it was written to", link->number);
            is_blocked = true;
            break;
        }
        sent += (size_t)count;
    }
    memmove(link->out, link->out + sent, link->out_length - sent);
    link->out_length -= sent;
    if (!link->out_length && link->number >= 0) { /* thousands of them; the publisher keeps its */
        free(link->out);
        link->out = NULL;
        link->out_capacity = 0;
    }
    if (is_blocked == link->is_blocked) return;
    link->is_blocked = is_blocked;
    watch(link, EPOLL_CTL_MOD, is_blocked ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

void link_answered(Link *link, int answers) {
    link->awaited -= answers;
    if (link->awaited < 0) fail("more answers than subscriptions");
    if (link->awaited == 0) awaiting--;
}

int links_awaiting(void) { return awaiting; }

void links_turn(int rest_milliseconds, int wait_milliseconds) {
    static struct epoll_event events[EVENTS];
    int count;
    if (rest_milliseconds) pause_for(rest_milliseconds * 1e-3);
    do { /* after a rest everything that waits is read, however much it is */
        count = epoll_wait(epoll, events, EVENTS, rest_milliseconds ? 0 : wait_milliseconds);
        for (int i = 0; i < count; i++) {
            Link *link = events[i].data.ptr;
            if (link->state != UP) {
                go_on(link);
            } else {
                if (events[i].events & EPOLLOUT) link_flush(link);
                if (events[i].events & ~(uint32_t)EPOLLOUT) receive(link);
            }
        }
    } while (rest_milliseconds && count == EVENTS);
}

void links_connect(int until) {
    double deadline = now() + options.deadline, told = now();
    while (up < until || awaiting) {
        while (started < until && started - up < options.openings) begin(&links[started++]);
        links_turn(0, 200);
        if (now() > deadline) fail("%d of %d connected in time", up, until);
        if (now() - told < 2) continue;
        told = now();
        note("%d of %d connected", up, until);
    }
}
