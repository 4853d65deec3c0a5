// Kernel calls that Swift's Glibc module lacks, in the shape the transport needs.
// Every function returns a negative errno on failure unless its comment says otherwise.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <stdint.h>

// An IPv6 address as two numbers (first byte highest), IPv4 mapped into ::ffff:0:0/96, and a port.
typedef struct belfry_endpoint {
    uint64_t high;
    uint64_t low;
    uint16_t port;
} belfry_endpoint;

// What happened to the descriptor that was added with `token`.
typedef struct belfry_event {
    uint64_t token;
    uint32_t events;
} belfry_event;

// The epoll bits used, as macros that Swift can import.
#define BELFRY_READABLE 0x01u
#define BELFRY_WRITABLE 0x04u
#define BELFRY_FAILED 0x08u
#define BELFRY_HUNG_UP 0x10u

int belfry_poller_new(void);
int belfry_poller_add(int poller, int descriptor, uint32_t interest, uint64_t token);
int belfry_poller_modify(int poller, int descriptor, uint32_t interest, uint64_t token);
int belfry_poller_remove(int poller, int descriptor);
// At most 1,024 events at once; an interrupted wait returns 0; a negative timeout waits for ever.
int belfry_poller_wait(int poller, belfry_event *events, int capacity, int timeout_milliseconds);

// From now on blocks of 1 MB and more are returned to the system when they are freed, instead of
// leaving holes among the small ones. Without it glibc raises that size to the largest block it saw.
void belfry_keep_large_blocks_apart(void);

// Gives pages that hold nothing but freed blocks back to the system.
void belfry_return_free_memory(void);

// An eventfd: raised from any thread, reset by the one that waits on it.
int belfry_counter_new(void);
void belfry_counter_raise(int descriptor);
void belfry_counter_reset(int descriptor);

// Options that a listener hands on to the connections it accepts.
typedef struct belfry_stream_options {
    int user_timeout_milliseconds;
    int unsent_bytes;
} belfry_stream_options;

// A listening socket. With `exclusive` the port must not be held by anyone; afterwards the
// socket shares it with others opened by this user. `bound` gets the address with its port.
int belfry_listen(
    const belfry_endpoint *address, int exclusive, int backlog,
    const belfry_stream_options *options, belfry_endpoint *bound);
// The next waiting connection, non-blocking.
int belfry_accept(int listener, belfry_endpoint *peer);
// A non-blocking socket whose connection is under way; writable once it is decided.
int belfry_connect(const belfry_endpoint *address, const belfry_stream_options *options);
// The error a connection attempt ended with; 0 when it stands.
int belfry_socket_error(int descriptor);
long belfry_send(int descriptor, const uint8_t *bytes, size_t count);
// Many sends in one call, through io_uring; for one thread. Bytes stay where they are until the
// result of their send was taken.
typedef struct belfry_ring belfry_ring;
// NULL when there is no io_uring or it may not be used; `code` is then the errno.
belfry_ring *belfry_ring_new(unsigned capacity, int *code);
void belfry_ring_free(belfry_ring *ring);
// Notes a send, at most `capacity` between two submits. It does not wait: what the socket has no
// room for ends with a smaller count or -EAGAIN, and nothing of it stays in the kernel.
void belfry_ring_prepare(
    belfry_ring *ring, uint64_t name, int descriptor, const uint8_t *bytes, size_t count);
// Gives the kernel all that was noted; 0, or a negative errno when it has not taken all.
int belfry_ring_submit(belfry_ring *ring, unsigned count);
// Forgets what the kernel has not taken: so many of those noted last.
unsigned belfry_ring_withdraw(belfry_ring *ring);
// The next result by the name of its send, in any order; waits for one.
int belfry_ring_next(belfry_ring *ring, uint64_t *name, int *result);
// 0 is the end of the stream.
long belfry_receive(int descriptor, uint8_t *bytes, size_t capacity);
void belfry_finish_writing(int descriptor);
void belfry_close(int descriptor);

/// Lets this process leave a core dump, and be looked into by its user, or not; 0 or -errno.
int belfry_allow_dumps(int allowed);
/// Whether this process may leave a core dump.
int belfry_allows_dumps(void);

// A numeric IPv4 or IPv6 address; 0 or -EINVAL.
int belfry_parse_address(const char *text, belfry_endpoint *address);
// Blocks in the system's resolver; the number of addresses found, or a negative EAI code.
int belfry_resolve(const char *host, belfry_endpoint *addresses, int capacity);
// Numeric text without the port; `capacity` at least 46. 0 or negative.
int belfry_print_address(const belfry_endpoint *address, char *text, size_t capacity);

// Names the calling thread; what does not fit in 15 bytes is cut off.
void belfry_name_thread(const char *name);

// CPU time of a process, all threads, user and system.
int belfry_process_cpu(int process, uint64_t *nanoseconds);
// RssAnon of /proc/PID/status in bytes.
int64_t belfry_resident_anonymous(int process);
// The limit on open files of this process; raise moves the soft limit up to the hard one.
int64_t belfry_open_file_limit(void);
int64_t belfry_raise_open_file_limit(int64_t wanted);
// 1 when the kernel's clock follows others, 0 when it does not, or -errno.
int belfry_clock_is_synchronised(void);

#endif
