// Many sends in one call to the kernel, through io_uring. The interface is the kernel's own.
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <linux/io_uring.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

struct belfry_ring {
    int descriptor;
    unsigned capacity;
    // The rings' memory is shared with the kernel: it moves `sq_head` and `cq_tail`, we move the
    // other two.
    uint8_t *rings;
    size_t rings_bytes;
    struct io_uring_sqe *entries;
    size_t entries_bytes;
    unsigned *sq_head, *sq_tail, *sq_mask, *sq_array;
    unsigned *cq_head, *cq_tail, *cq_mask;
    struct io_uring_cqe *completions;
};

static int map(belfry_ring *ring, const struct io_uring_params *made) {
    size_t sq = made->sq_off.array + made->sq_entries * sizeof(unsigned);
    size_t cq = made->cq_off.cqes + made->cq_entries * sizeof(struct io_uring_cqe);
    ring->rings_bytes = sq > cq ? sq : cq;
    ring->entries_bytes = made->sq_entries * sizeof(struct io_uring_sqe);
    int protection = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_POPULATE;
    void *rings = mmap(
        NULL, ring->rings_bytes, protection, flags, ring->descriptor, IORING_OFF_SQ_RING);
    if (rings == MAP_FAILED) return -errno;
    ring->rings = rings;
    void *entries = mmap(
        NULL, ring->entries_bytes, protection, flags, ring->descriptor, IORING_OFF_SQES);
    if (entries == MAP_FAILED) return -errno;
    ring->entries = entries;
    ring->capacity = made->sq_entries;
    ring->sq_head = (unsigned *)(ring->rings + made->sq_off.head);
    ring->sq_tail = (unsigned *)(ring->rings + made->sq_off.tail);
    ring->sq_mask = (unsigned *)(ring->rings + made->sq_off.ring_mask);
    ring->sq_array = (unsigned *)(ring->rings + made->sq_off.array);
    ring->cq_head = (unsigned *)(ring->rings + made->cq_off.head);
    ring->cq_tail = (unsigned *)(ring->rings + made->cq_off.tail);
    ring->cq_mask = (unsigned *)(ring->rings + made->cq_off.ring_mask);
    ring->completions = (struct io_uring_cqe *)(ring->rings + made->cq_off.cqes);
    return 0;
}

belfry_ring *belfry_ring_new(unsigned capacity, int *code) {
    struct io_uring_params made;
    memset(&made, 0, sizeof made);
    belfry_ring *ring = calloc(1, sizeof *ring);
    *code = ENOMEM;
    if (!ring) return NULL;
    ring->descriptor = (int)syscall(SYS_io_uring_setup, capacity, &made);
    if (ring->descriptor < 0) {
        *code = errno;
        free(ring);
        return NULL;
    }
    // Both have been there since Linux 5.5; without them completions could be lost.
    unsigned needed = IORING_FEAT_SINGLE_MMAP | IORING_FEAT_NODROP;
    *code = (made.features & needed) == needed ? -map(ring, &made) : ENOSYS;
    if (*code == 0) return ring;
    belfry_ring_free(ring);
    return NULL;
}

void belfry_ring_free(belfry_ring *ring) {
    if (ring->entries) munmap(ring->entries, ring->entries_bytes);
    if (ring->rings) munmap(ring->rings, ring->rings_bytes);
    close(ring->descriptor);
    free(ring);
}

void belfry_ring_prepare(
    belfry_ring *ring, uint64_t name, int descriptor, const uint8_t *bytes, size_t count) {
    unsigned tail = *ring->sq_tail, index = tail & *ring->sq_mask;
    struct io_uring_sqe *entry = &ring->entries[index];
    memset(entry, 0, sizeof *entry);
    entry->opcode = IORING_OP_SEND;
    entry->fd = descriptor;
    entry->addr = (uint64_t)(uintptr_t)bytes;
    entry->len = (uint32_t)count;
    // Like the socket's own O_NONBLOCK: what does not fit is told at once, and nothing of the
    // request remains in the kernel.
    entry->msg_flags = MSG_DONTWAIT | MSG_NOSIGNAL;
    entry->user_data = name;
    ring->sq_array[index] = index;
    // The entry is complete before the kernel may see it.
    __atomic_store_n(ring->sq_tail, tail + 1, __ATOMIC_RELEASE);
}

int belfry_ring_submit(belfry_ring *ring, unsigned count) {
    unsigned submitted = 0;
    while (submitted < count) {
        long result = syscall(
            SYS_io_uring_enter, ring->descriptor, count - submitted, 0, 0, NULL, 0);
        if (result > 0) submitted += (unsigned)result;
        else if (result < 0 && errno == EINTR) continue;
        else return result < 0 ? -errno : -EIO;
    }
    return 0;
}

unsigned belfry_ring_withdraw(belfry_ring *ring) {
    unsigned head = __atomic_load_n(ring->sq_head, __ATOMIC_ACQUIRE);
    unsigned left = *ring->sq_tail - head;
    __atomic_store_n(ring->sq_tail, head, __ATOMIC_RELEASE);
    return left;
}

int belfry_ring_next(belfry_ring *ring, uint64_t *name, int *result) {
    unsigned head = *ring->cq_head;
    while (head == __atomic_load_n(ring->cq_tail, __ATOMIC_ACQUIRE)) {
        long waited = syscall(
            SYS_io_uring_enter, ring->descriptor, 0, 1, IORING_ENTER_GETEVENTS, NULL, 0);
        if (waited < 0 && errno != EINTR) return -errno;
    }
    const struct io_uring_cqe *completion = &ring->completions[head & *ring->cq_mask];
    *name = completion->user_data;
    *result = completion->res;
    // Read before the kernel may write there again.
    __atomic_store_n(ring->cq_head, head + 1, __ATOMIC_RELEASE);
    return 0;
}
