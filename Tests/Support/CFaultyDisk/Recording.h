// What the calls record and images are made of.
#ifndef RECORDING_H
#define RECORDING_H

#include <stddef.h>
#include <stdint.h>

enum operation_kind {
    OPERATION_WRITE,
    OPERATION_TRUNCATE,
    OPERATION_SYNC,
    OPERATION_CREATE,
    OPERATION_UNLINK,
    OPERATION_RENAME,
    OPERATION_SYNC_FOLDER,
};

struct operation {
    enum operation_kind kind;
    // The file, by the order of creation; -1 for the folder.
    int file;
    uint64_t offset;
    size_t size;
    uint8_t *bytes;
    // Of a name: before, and after a rename.
    char *name;
    char *to;
};

struct recording {
    struct operation *operations;
    uint64_t count;
    uint64_t capacity;
    int files;
};

extern struct recording recording;

#endif
