// Memory that OpenSSL gives back is wiped first: `SSL_free` leaves the traffic secrets in what it
// frees, and for a connection that goes on without its session they would lie there for its life.
#define _DEFAULT_SOURCE
#include "COpenSSL.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

static void *take(size_t count, const char *file, int line) {
    (void)file, (void)line;
    return malloc(count);
}

static void give_back(void *block, const char *file, int line) {
    (void)file, (void)line;
    if (!block) return;
    // As sure as OPENSSL_cleanse, which writes eight bytes at a time: buffers of 16 KiB come here
    // several times in a handshake.
    explicit_bzero(block, malloc_usable_size(block));
    free(block);
}

static void *resize(void *block, size_t count, const char *file, int line) {
    if (!block) return take(count, file, line);
    size_t known = malloc_usable_size(block);
    if (count > 0 && count <= known && count >= known / 2) return block;
    void *other = count > 0 ? malloc(count) : NULL;
    if (other) memcpy(other, block, count < known ? count : known);
    // As with realloc, a block stays as it was when there is no other.
    if (other || count == 0) give_back(block, file, line);
    return other;
}

static int wipes_memory;

// Only allowed before the library's first block, so before `main`.
__attribute__((constructor)) static void set_memory_functions(void) {
    wipes_memory = CRYPTO_set_mem_functions(take, resize, give_back);
}

int belfry_wipes_memory(void) { return wipes_memory; }
