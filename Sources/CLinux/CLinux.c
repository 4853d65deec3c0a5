#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <malloc.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/timex.h>
#include <sys/prctl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

_Static_assert(BELFRY_READABLE == EPOLLIN && BELFRY_WRITABLE == EPOLLOUT, "epoll bits");
_Static_assert(BELFRY_FAILED == EPOLLERR && BELFRY_HUNG_UP == EPOLLHUP, "epoll bits");

static int checked(int result) { return result < 0 ? -errno : result; }

int belfry_poller_new(void) { return checked(epoll_create1(EPOLL_CLOEXEC)); }

static int control(int poller, int operation, int descriptor, uint32_t interest, uint64_t token) {
    struct epoll_event event = {.events = interest, .data.u64 = token};
    return checked(epoll_ctl(poller, operation, descriptor, &event));
}

int belfry_poller_add(int poller, int descriptor, uint32_t interest, uint64_t token) {
    return control(poller, EPOLL_CTL_ADD, descriptor, interest, token);
}

int belfry_poller_modify(int poller, int descriptor, uint32_t interest, uint64_t token) {
    return control(poller, EPOLL_CTL_MOD, descriptor, interest, token);
}

int belfry_poller_remove(int poller, int descriptor) {
    return control(poller, EPOLL_CTL_DEL, descriptor, 0, 0);
}

int belfry_poller_wait(int poller, belfry_event *events, int capacity, int timeout_milliseconds) {
    struct epoll_event raw[1024];
    if (capacity > 1024) capacity = 1024;
    int count = epoll_wait(poller, raw, capacity, timeout_milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int i = 0; i < count; i++) {
        events[i].token = raw[i].data.u64;
        events[i].events = raw[i].events;
    }
    return count;
}

int belfry_counter_new(void) { return checked(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)); }

void belfry_counter_raise(int descriptor) {
    uint64_t one = 1;
    // EAGAIN means the counter is at its top: the waiter is awake already.
    while (write(descriptor, &one, sizeof one) < 0 && errno == EINTR) {}
}

void belfry_counter_reset(int descriptor) {
    uint64_t value;
    while (read(descriptor, &value, sizeof value) < 0 && errno == EINTR) {}
}

static int is_mapped(const belfry_endpoint *address) {
    return address->high == 0 && (address->low >> 32) == 0xffff;
}

static socklen_t to_native(const belfry_endpoint *address, struct sockaddr_storage *native) {
    memset(native, 0, sizeof *native);
    if (is_mapped(address)) {
        struct sockaddr_in *v4 = (struct sockaddr_in *)native;
        v4->sin_family = AF_INET;
        v4->sin_port = htons(address->port);
        v4->sin_addr.s_addr = htonl((uint32_t)address->low);
        return sizeof *v4;
    }
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)native;
    uint64_t words[2] = {htobe64(address->high), htobe64(address->low)};
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(address->port);
    memcpy(&v6->sin6_addr, words, sizeof words);
    return sizeof *v6;
}

static void from_native(const struct sockaddr_storage *native, belfry_endpoint *address) {
    if (native->ss_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)native;
        address->high = 0;
        address->low = 0xffff00000000ull | ntohl(v4->sin_addr.s_addr);
        address->port = ntohs(v4->sin_port);
        return;
    }
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)native;
    uint64_t words[2];
    memcpy(words, &v6->sin6_addr, sizeof words);
    address->high = be64toh(words[0]);
    address->low = be64toh(words[1]);
    address->port = ntohs(v6->sin6_port);
}

static int stream_socket(const struct sockaddr_storage *native, const belfry_stream_options *options) {
    int one = 1;
    int descriptor = socket(native->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    if (setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) ||
        setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT,
                   &options->user_timeout_milliseconds, sizeof(int)) ||
        setsockopt(descriptor, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &options->unsent_bytes, sizeof(int))) {
        int code = errno;
        close(descriptor);
        return -code;
    }
    return descriptor;
}

int belfry_listen(
    const belfry_endpoint *address, int exclusive, int backlog,
    const belfry_stream_options *options, belfry_endpoint *bound) {
    struct sockaddr_storage native;
    socklen_t length = to_native(address, &native);
    int one = 1, zero = 0;
    int descriptor = stream_socket(&native, options);
    if (descriptor < 0) return descriptor;
    // Bound without SO_REUSEPORT the port is ours alone or refused; the option set afterwards
    // lets the sockets opened next share it, with no moment in which a stranger could slip in.
    if (setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) ||
        (!exclusive && setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one)) ||
        (native.ss_family == AF_INET6 &&
         setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof zero)) ||
        bind(descriptor, (struct sockaddr *)&native, length) ||
        (exclusive && setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one)) ||
        listen(descriptor, backlog)) {
        int code = errno;
        close(descriptor);
        return -code;
    }
    length = sizeof native;
    if (getsockname(descriptor, (struct sockaddr *)&native, &length)) {
        int code = errno;
        close(descriptor);
        return -code;
    }
    from_native(&native, bound);
    return descriptor;
}

int belfry_accept(int listener, belfry_endpoint *peer) {
    struct sockaddr_storage native;
    socklen_t length = sizeof native;
    int descriptor =
        accept4(listener, (struct sockaddr *)&native, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) return -errno;
    from_native(&native, peer);
    return descriptor;
}

int belfry_connect(const belfry_endpoint *address, const belfry_stream_options *options) {
    struct sockaddr_storage native;
    socklen_t length = to_native(address, &native);
    int descriptor = stream_socket(&native, options);
    if (descriptor < 0) return descriptor;
    if (connect(descriptor, (struct sockaddr *)&native, length) && errno != EINPROGRESS) {
        int code = errno;
        close(descriptor);
        return -code;
    }
    return descriptor;
}

int belfry_socket_error(int descriptor) {
    int code = 0;
    socklen_t length = sizeof code;
    if (getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)) return -errno;
    return -code;
}

long belfry_send(int descriptor, const uint8_t *bytes, size_t count) {
    ssize_t sent;
    do sent = send(descriptor, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : sent;
}

long belfry_receive(int descriptor, uint8_t *bytes, size_t capacity) {
    ssize_t received;
    do received = recv(descriptor, bytes, capacity, MSG_DONTWAIT);
    while (received < 0 && errno == EINTR);
    return received < 0 ? -errno : received;
}

void belfry_finish_writing(int descriptor) { (void)shutdown(descriptor, SHUT_WR); }

void belfry_close(int descriptor) { (void)close(descriptor); }

int belfry_allow_dumps(int allowed) { return prctl(PR_SET_DUMPABLE, allowed ? 1 : 0) ? -errno : 0; }

int belfry_allows_dumps(void) { return prctl(PR_GET_DUMPABLE) == 1; }

int belfry_parse_address(const char *text, belfry_endpoint *address) {
    struct in_addr v4;
    struct in6_addr v6;
    if (inet_pton(AF_INET, text, &v4) == 1) {
        address->high = 0;
        address->low = 0xffff00000000ull | ntohl(v4.s_addr);
        return 0;
    }
    if (inet_pton(AF_INET6, text, &v6) == 1) {
        uint64_t words[2];
        memcpy(words, &v6, sizeof words);
        address->high = be64toh(words[0]);
        address->low = be64toh(words[1]);
        return 0;
    }
    return -EINVAL;
}

int belfry_resolve(const char *host, belfry_endpoint *addresses, int capacity) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    int code = getaddrinfo(host, NULL, &hints, &found);
    if (code) return code < 0 ? code : -code;
    int count = 0;
    for (struct addrinfo *next = found; next && count < capacity; next = next->ai_next) {
        struct sockaddr_storage native;
        if (next->ai_family != AF_INET && next->ai_family != AF_INET6) continue;
        memset(&native, 0, sizeof native);
        memcpy(&native, next->ai_addr, next->ai_addrlen);
        from_native(&native, &addresses[count++]);
    }
    freeaddrinfo(found);
    return count;
}

int belfry_print_address(const belfry_endpoint *address, char *text, size_t capacity) {
    struct sockaddr_storage native;
    (void)to_native(address, &native);
    const void *raw = native.ss_family == AF_INET
        ? (const void *)&((struct sockaddr_in *)&native)->sin_addr
        : (const void *)&((struct sockaddr_in6 *)&native)->sin6_addr;
    return inet_ntop(native.ss_family, raw, text, (socklen_t)capacity) ? 0 : -errno;
}

void belfry_name_thread(const char *name) {
    char kept[16];
    snprintf(kept, sizeof kept, "%s", name);
    (void)pthread_setname_np(pthread_self(), kept);
}

int belfry_process_cpu(int process, uint64_t *nanoseconds) {
    clockid_t clock;
    struct timespec time;
    int code = clock_getcpuclockid(process, &clock);
    if (code) return -code;
    if (clock_gettime(clock, &time)) return -errno;
    *nanoseconds = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
    return 0;
}

int64_t belfry_resident_anonymous(int process) {
    char line[256];
    long long kibibytes = -1;
    snprintf(line, sizeof line, "/proc/%d/status", process);
    FILE *file = fopen(line, "re");
    if (!file) return -errno;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "RssAnon: %lld kB", &kibibytes) == 1) break;
    fclose(file);
    return kibibytes < 0 ? -ENODATA : kibibytes * 1024;
}

int64_t belfry_open_file_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit)) return -errno;
    return limit.rlim_cur > INT64_MAX ? INT64_MAX : (int64_t)limit.rlim_cur;
}

int64_t belfry_raise_open_file_limit(int64_t wanted) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit)) return -errno;
    if (wanted < 0 || (rlim_t)wanted <= limit.rlim_cur) return belfry_open_file_limit();
    limit.rlim_cur = (rlim_t)wanted < limit.rlim_max ? (rlim_t)wanted : limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit)) return -errno;
    return belfry_open_file_limit();
}

int belfry_clock_is_synchronised(void) {
    struct timex time = {0};
    int state = adjtimex(&time);
    return state < 0 ? -errno : state != TIME_ERROR;
}

void belfry_keep_large_blocks_apart(void) {
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
}

void belfry_return_free_memory(void) { malloc_trim(0); }
