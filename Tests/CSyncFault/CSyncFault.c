#define _GNU_SOURCE
#include "CSyncFault.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Thread_local int failures;

void sync_fault_arm(int count) { failures = count; }

static int run(long number, int descriptor) {
    if (failures > 0) {
        failures--;
        errno = EIO;
        return -1;
    }
    return (int)syscall(number, descriptor);
}

int fdatasync(int descriptor) { return run(SYS_fdatasync, descriptor); }

int fsync(int descriptor) { return run(SYS_fsync, descriptor); }
