#define _GNU_SOURCE
#include "CFaultyDisk.h"
#include "Recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// What a disk can lose of a write and keep of it.
#define SECTOR 512

struct content {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
};

struct entry {
    char *name;
    int file;
};

struct image {
    struct content *contents;
    struct entry *entries;
    int entry_count;
    uint64_t random;
};

static uint64_t roll(uint64_t *state) {
    uint64_t mixed = *state += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
}

static int is_name(const struct operation *operation) {
    return operation->kind == OPERATION_CREATE || operation->kind == OPERATION_UNLINK ||
           operation->kind == OPERATION_RENAME;
}

static int is_content(const struct operation *operation) {
    return operation->kind == OPERATION_WRITE || operation->kind == OPERATION_TRUNCATE;
}

// For each operation before the point whether a sync that follows it made it durable.
static uint8_t *durable(uint64_t point) {
    uint8_t *is_durable = calloc(point + 1, 1);
    uint8_t *is_synced = calloc((size_t)recording.files + 1, 1);
    if (is_durable == NULL || is_synced == NULL) abort();
    int is_folder_synced = 0;
    for (uint64_t place = point; place-- > 0;) {
        const struct operation *operation = &recording.operations[place];
        if (operation->kind == OPERATION_SYNC) is_synced[operation->file] = 1;
        if (operation->kind == OPERATION_SYNC_FOLDER) is_folder_synced = 1;
        if (is_content(operation)) is_durable[place] = is_synced[operation->file];
        if (is_name(operation)) is_durable[place] = (uint8_t)is_folder_synced;
    }
    free(is_synced);
    return is_durable;
}

static void resize(struct content *content, size_t size) {
    if (size > content->capacity) {
        content->capacity = size * 2;
        content->bytes = realloc(content->bytes, content->capacity);
        if (content->bytes == NULL) abort();
    }
    if (size > content->size) memset(content->bytes + content->size, 0, size - content->size);
    content->size = size;
}

static void put(struct content *content, const struct operation *write, size_t from, size_t size) {
    size_t end = write->offset + from + size;
    if (end > content->size) resize(content, end);
    memcpy(content->bytes + write->offset + from, write->bytes + from, size);
}

// A write that was on its way when the power failed: all, nothing, or some sectors of it.
static void put_partly(struct image *image, const struct operation *write) {
    struct content *content = &image->contents[write->file];
    switch (roll(&image->random) % 3) {
    case 0: return;
    case 1: put(content, write, 0, write->size); return;
    }
    size_t from = 0;
    while (from < write->size) {
        size_t size = SECTOR - (write->offset + from) % SECTOR;
        if (size > write->size - from) size = write->size - from;
        if (roll(&image->random) & 1) put(content, write, from, size);
        from += size;
    }
}

static int find(const struct image *image, const char *name) {
    for (int index = 0; index < image->entry_count; index++)
        if (strcmp(image->entries[index].name, name) == 0) return index;
    return -1;
}

static void drop(struct image *image, const char *name) {
    int index = find(image, name);
    if (index >= 0) image->entries[index] = image->entries[--image->entry_count];
}

static void apply_name(struct image *image, const struct operation *operation) {
    if (operation->kind == OPERATION_UNLINK) {
        drop(image, operation->name);
    } else if (operation->kind == OPERATION_CREATE) {
        drop(image, operation->name);
        struct entry *entry = &image->entries[image->entry_count++];
        entry->name = operation->name;
        entry->file = operation->file;
    } else {
        // Where the old name never reached the disk there is nothing to rename.
        if (find(image, operation->name) < 0) return;
        drop(image, operation->to);
        image->entries[find(image, operation->name)].name = operation->to;
    }
}

static void apply_content(
    struct image *image, const struct operation *operation, int is_durable, int survival) {
    struct content *content = &image->contents[operation->file];
    int is_whole = is_durable || survival == POWER_LOSS_EVERYTHING;
    if (!is_whole && survival == POWER_LOSS_NOTHING) return;
    if (operation->kind == OPERATION_TRUNCATE) {
        if (is_whole || (roll(&image->random) & 1)) resize(content, operation->offset);
    } else if (is_whole) {
        put(content, operation, 0, operation->size);
    } else {
        put_partly(image, operation);
    }
}

// Names change in their order: of those since the folder's last sync so many survive.
static uint64_t surviving_names(
    struct image *image, uint64_t point, const uint8_t *is_durable, int survival) {
    uint64_t pending = 0;
    for (uint64_t place = 0; place < point; place++)
        pending += is_name(&recording.operations[place]) && !is_durable[place];
    if (survival == POWER_LOSS_EVERYTHING) return pending;
    return survival == POWER_LOSS_NOTHING ? 0 : roll(&image->random) % (pending + 1);
}

static int write_out(const struct image *image, const char *to) {
    if (mkdir(to, 0700) != 0) return -1;
    for (int index = 0; index < image->entry_count; index++) {
        char path[4608];
        snprintf(path, sizeof path, "%s/%s", to, image->entries[index].name);
        const struct content *content = &image->contents[image->entries[index].file];
        int descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
        if (descriptor < 0) return -1;
        size_t done = 0;
        while (done < content->size) {
            ssize_t size = write(descriptor, content->bytes + done, content->size - done);
            if (size <= 0) {
                close(descriptor);
                return -1;
            }
            done += (size_t)size;
        }
        close(descriptor);
    }
    return 0;
}

int power_loss_image(uint64_t point, uint64_t seed, int survival, const char *to) {
    if (point > recording.count) point = recording.count;
    struct image image = {.random = seed};
    image.contents = calloc((size_t)recording.files + 1, sizeof *image.contents);
    image.entries = calloc((size_t)recording.files + 1, sizeof *image.entries);
    if (image.contents == NULL || image.entries == NULL) abort();
    uint8_t *is_durable = durable(point);
    uint64_t names = surviving_names(&image, point, is_durable, survival);
    for (uint64_t place = 0; place < point; place++) {
        const struct operation *operation = &recording.operations[place];
        if (is_content(operation)) {
            apply_content(&image, operation, is_durable[place], survival);
        } else if (is_name(operation)) {
            if (is_durable[place]) {
                apply_name(&image, operation);
            } else if (names > 0) {
                names--;
                apply_name(&image, operation);
            }
        }
    }
    int result = write_out(&image, to);
    int failure = errno;
    for (int file = 0; file < recording.files; file++) free(image.contents[file].bytes);
    free(image.contents);
    free(image.entries);
    free(is_durable);
    errno = failure;
    return result;
}
