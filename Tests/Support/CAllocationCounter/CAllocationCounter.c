#include "CAllocationCounter.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

// glibc's own entry points, reached directly: looking the real functions up with dlsym would itself
// allocate.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// The executable's own thread-local storage is there before any thread runs, so reading it never
// allocates.
static _Thread_local bool counting;
static _Thread_local uint64_t allocations;

static void count(void) {
    if (counting) allocations++;
}

void allocation_counter_start(void) {
    allocations = 0;
    counting = true;
}

uint64_t allocation_counter_stop(void) {
    counting = false;
    return allocations;
}

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count();
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    count();
    bool is_power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
    if (!is_power_of_two || alignment % sizeof(void *) != 0) return EINVAL;
    void *block = __libc_memalign(alignment, size);
    if (block == NULL) return ENOMEM;
    *result = block;
    return 0;
}
