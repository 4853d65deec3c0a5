#define _GNU_SOURCE
#include "CSyncFault.h"

#include <errno.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Thread_local int failures;
static _Atomic(sync_fault_observer) observer;

void sync_fault_arm(int count) { failures = count; }

void sync_fault_observe(sync_fault_observer called) { observer = called; }

static int run(long number, int descriptor) {
    if (failures > 0) {
        failures--;
        errno = EIO;
        return -1;
    }
    int result = (int)syscall(number, descriptor);
    sync_fault_observer called = observer;
    if (result == 0 && called != NULL) called(descriptor);
    return result;
}

int fdatasync(int descriptor) { return run(SYS_fdatasync, descriptor); }

int fsync(int descriptor) { return run(SYS_fsync, descriptor); }
