#define _GNU_SOURCE
#include "CFaultyDisk.h"
#include "CSyncFault.h"
#include "Recording.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILES_MAX 4096

struct recording recording;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int is_recording, refusal;
static char folder[4096], refused[4096];
static dev_t device;
static ino_t folder_inode, inodes[FILES_MAX];

// The name of a path directly in the folder; NULL for all others.
static const char *name_in_folder(const char *path) {
    size_t length = strlen(folder);
    if (strncmp(path, folder, length) != 0 || path[length] != '/') return NULL;
    const char *name = path + length + 1;
    return *name == 0 || strchr(name, '/') != NULL ? NULL : name;
}

static int is_shared_memory(const char *name) {
    size_t size = strlen(name);
    return size > 4 && strcmp(name + size - 4, "-shm") == 0;
}

// The newest file with the descriptor's inode; -1 for a file that is not recorded.
static int file_of(int descriptor, struct stat *found) {
    if (fstat(descriptor, found) != 0 || found->st_dev != device) return -1;
    for (int file = recording.files - 1; file >= 0; file--)
        if (inodes[file] == found->st_ino) return file;
    return -1;
}

static struct operation *record(enum operation_kind kind, int file) {
    if (recording.count == recording.capacity) {
        recording.capacity = recording.capacity ? recording.capacity * 2 : 1024;
        recording.operations =
            realloc(recording.operations, recording.capacity * sizeof(struct operation));
        if (recording.operations == NULL) abort();
    }
    struct operation *operation = &recording.operations[recording.count++];
    memset(operation, 0, sizeof *operation);
    operation->kind = kind;
    operation->file = file;
    return operation;
}

static _Thread_local long writes_left;
static _Thread_local int thread_refusal;

// Whether this thread's writes are refused now; errno says why.
static int refuses_thread(void) {
    if (thread_refusal == 0 || writes_left-- > 0) return 0;
    errno = thread_refusal;
    return 1;
}

static int is_refused(const char *path) {
    size_t length = strlen(refused);
    return strncmp(path, refused, length) == 0 && path[length] == '/';
}

// Whether writing to a descriptor is refused now; errno says why.
static int refuses(int descriptor) {
    if (refuses_thread()) return 1;
    int error = atomic_load(&refusal);
    if (error == 0) return 0;
    char link[64], path[4096];
    char *end = link + sizeof link - 1;
    *end = 0;
    // Without the formatting functions, which may write themselves.
    unsigned number = (unsigned)descriptor;
    do *--end = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    const char *prefix = "/proc/self/fd/";
    end -= strlen(prefix);
    memcpy(end, prefix, strlen(prefix));
    ssize_t size = readlink(end, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    if (!is_refused(path)) return 0;
    errno = error;
    return 1;
}

static void record_open(const char *name, int descriptor, int is_new, int flags) {
    struct stat found;
    if (fstat(descriptor, &found) != 0) abort();
    if (is_new) {
        if (recording.files == FILES_MAX) abort();
        inodes[recording.files] = found.st_ino;
        // Shared memory never reaches the disk: it is known, so that its inode is not mistaken for
        // that of a file which is gone, but has no name.
        if (!is_shared_memory(name))
            record(OPERATION_CREATE, recording.files)->name = strdup(name);
        recording.files++;
    } else if (flags & O_TRUNC) {
        int file = file_of(descriptor, &found);
        if (file >= 0) record(OPERATION_TRUNCATE, file);
    }
}

static int open_file(const char *path, int flags, mode_t mode) {
    int error = atomic_load(&refusal);
    if (error != 0 && (flags & O_CREAT) && is_refused(path) && access(path, F_OK) != 0) {
        errno = error;
        return -1;
    }
    const char *name = NULL;
    int records = atomic_load(&is_recording) && (flags & (O_CREAT | O_TRUNC));
    if (records) {
        pthread_mutex_lock(&lock);
        name = name_in_folder(path);
    }
    int is_new = name != NULL && access(path, F_OK) != 0;
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    int failure = errno;
    if (name != NULL && descriptor >= 0) record_open(name, descriptor, is_new, flags);
    if (records) pthread_mutex_unlock(&lock);
    errno = failure;
    return descriptor;
}

static mode_t mode_of(int flags, va_list arguments) {
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_file(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_file(path, flags | O_LARGEFILE, mode);
}

static void record_write(int file, const void *bytes, size_t size, off_t offset) {
    struct operation *operation = record(OPERATION_WRITE, file);
    operation->offset = (uint64_t)offset;
    operation->size = size;
    operation->bytes = malloc(size);
    if (operation->bytes == NULL) abort();
    memcpy(operation->bytes, bytes, size);
}

static ssize_t write_at(int descriptor, const void *bytes, size_t size, off_t offset) {
    if (refuses(descriptor)) return -1;
    if (!atomic_load(&is_recording))
        return syscall(SYS_pwrite64, descriptor, bytes, size, offset);
    pthread_mutex_lock(&lock);
    struct stat found;
    int file = file_of(descriptor, &found);
    ssize_t written = syscall(SYS_pwrite64, descriptor, bytes, size, offset);
    int failure = errno;
    if (file >= 0 && written > 0) record_write(file, bytes, (size_t)written, offset);
    pthread_mutex_unlock(&lock);
    errno = failure;
    return written;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
    return write_at(descriptor, bytes, size, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset) {
    return write_at(descriptor, bytes, size, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t size) {
    if (refuses(descriptor)) return -1;
    if (!atomic_load(&is_recording)) return syscall(SYS_write, descriptor, bytes, size);
    pthread_mutex_lock(&lock);
    struct stat found;
    int file = file_of(descriptor, &found);
    ssize_t written = syscall(SYS_write, descriptor, bytes, size);
    int failure = errno;
    if (file >= 0 && written > 0) {
        off_t end = lseek(descriptor, 0, SEEK_CUR);
        record_write(file, bytes, (size_t)written, end - written);
    }
    pthread_mutex_unlock(&lock);
    errno = failure;
    return written;
}

static int truncate_to(int descriptor, off_t size) {
    if (refuses(descriptor)) return -1;
    if (!atomic_load(&is_recording)) return (int)syscall(SYS_ftruncate, descriptor, size);
    pthread_mutex_lock(&lock);
    struct stat found;
    int file = file_of(descriptor, &found);
    int result = (int)syscall(SYS_ftruncate, descriptor, size);
    int failure = errno;
    if (file >= 0 && result == 0) record(OPERATION_TRUNCATE, file)->offset = (uint64_t)size;
    pthread_mutex_unlock(&lock);
    errno = failure;
    return result;
}

int ftruncate(int descriptor, off_t size) { return truncate_to(descriptor, size); }

int ftruncate64(int descriptor, off64_t size) { return truncate_to(descriptor, size); }

int unlink(const char *path) {
    if (!atomic_load(&is_recording)) return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    pthread_mutex_lock(&lock);
    const char *name = name_in_folder(path);
    int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    int failure = errno;
    if (name != NULL && !is_shared_memory(name) && result == 0)
        record(OPERATION_UNLINK, -1)->name = strdup(name);
    pthread_mutex_unlock(&lock);
    errno = failure;
    return result;
}

int rename(const char *from, const char *to) {
    if (!atomic_load(&is_recording))
        return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    pthread_mutex_lock(&lock);
    const char *old = name_in_folder(from), *new = name_in_folder(to);
    int result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    int failure = errno;
    if (old != NULL && new != NULL && result == 0) {
        struct operation *operation = record(OPERATION_RENAME, -1);
        operation->name = strdup(old);
        operation->to = strdup(new);
    }
    pthread_mutex_unlock(&lock);
    errno = failure;
    return result;
}

static void synced(int descriptor) {
    if (!atomic_load(&is_recording)) return;
    pthread_mutex_lock(&lock);
    struct stat found;
    int file = file_of(descriptor, &found);
    if (file >= 0) {
        record(OPERATION_SYNC, file);
    } else if (found.st_dev == device && found.st_ino == folder_inode) {
        record(OPERATION_SYNC_FOLDER, -1);
    }
    pthread_mutex_unlock(&lock);
}

int power_loss_begin(const char *path) {
    struct stat found;
    if (stat(path, &found) != 0) return -1;
    pthread_mutex_lock(&lock);
    strncpy(folder, path, sizeof folder - 1);
    device = found.st_dev;
    folder_inode = found.st_ino;
    pthread_mutex_unlock(&lock);
    sync_fault_observe(synced);
    atomic_store(&is_recording, 1);
    return 0;
}

uint64_t power_loss_count(void) {
    pthread_mutex_lock(&lock);
    uint64_t count = recording.count;
    pthread_mutex_unlock(&lock);
    return count;
}

int power_loss_is_sync(uint64_t place) {
    if (place >= recording.count) return 0;
    enum operation_kind kind = recording.operations[place].kind;
    return kind == OPERATION_SYNC || kind == OPERATION_SYNC_FOLDER;
}

void power_loss_stop(void) { atomic_store(&is_recording, 0); }

void power_loss_forget(void) {
    pthread_mutex_lock(&lock);
    for (uint64_t place = 0; place < recording.count; place++) {
        free(recording.operations[place].bytes);
        free(recording.operations[place].name);
        free(recording.operations[place].to);
    }
    free(recording.operations);
    memset(&recording, 0, sizeof recording);
    pthread_mutex_unlock(&lock);
}

void write_fault_arm_thread(long after, int error) {
    writes_left = after;
    thread_refusal = error;
}

void write_fault_arm(const char *path, int error) {
    if (error != 0) strncpy(refused, path, sizeof refused - 1);
    atomic_store(&refusal, error);
}
