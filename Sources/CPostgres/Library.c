#include "Library.h"
#include "CPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

struct libpq libpq;

static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static int is_loaded;

// Copies a pointer to a function, which C does not convert to one to data.
static int find(void *library, const char *name, void *pointer) {
    void *symbol = dlsym(library, name);
    if (!symbol) return 0;
    memcpy(pointer, &symbol, sizeof symbol);
    return 1;
}

static belfry_postgres_library load(const char *name) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library) return belfry_postgres_library_missing;
    struct libpq found;
#define LIBPQ_FIND(result, name, parameters)                                                       \
    if (!find(library, #name, &found.name)) {                                                      \
        dlclose(library);                                                                          \
        return belfry_postgres_library_old;                                                        \
    }
    LIBPQ_FUNCTIONS(LIBPQ_FIND)
#undef LIBPQ_FIND
    libpq = found;
    is_loaded = 1;
    return belfry_postgres_library_ready;
}

belfry_postgres_library belfry_postgres_load(const char *name) {
    pthread_mutex_lock(&loading);
    belfry_postgres_library result = is_loaded ? belfry_postgres_library_ready : load(name);
    pthread_mutex_unlock(&loading);
    return result;
}

int belfry_postgres_library_version(void) { return libpq.PQlibVersion(); }
