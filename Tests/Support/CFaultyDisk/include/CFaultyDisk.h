// A disk that loses power, and one that takes no more.
//
// Linking this target replaces open, pwrite, write, ftruncate, unlink and rename for the whole
// process, beside the fsync and fdatasync of CSyncFault, so that whatever a program does to a folder
// is seen, whichever library does it. While nothing is recorded or refused, each call costs one test
// of a number.
#ifndef C_FAULTY_DISK_H
#define C_FAULTY_DISK_H

#include <stdint.h>

// Begins to record what is done to the files of `folder`, which is empty and known to the disk;
// files in folders below it are not seen, and shared memory ("-shm") is never on the disk.
// One recording at a time; 0, or -1 with errno.
int power_loss_begin(const char *folder);

// How many operations have been recorded: a crash point is a number up to this.
uint64_t power_loss_count(void);

// Whether the operation at a place was a sync of a file or of the folder.
int power_loss_is_sync(uint64_t place);

// What survives of that which was not synced before a crash.
enum power_loss_survival {
    // Nothing: neither bytes nor names.
    POWER_LOSS_NOTHING = 0,
    // Some, decided by the seed: whole writes, single sectors of them, and names as far as some
    // moment since the folder was synced.
    POWER_LOSS_SOMETHING = 1,
    // All of it, as when only the process ends.
    POWER_LOSS_EVERYTHING = 2,
};

// Makes `to`, which must not exist, as the folder would be found if the power had failed when the
// first `point` operations had been carried out. 0, or -1 with errno.
int power_loss_image(uint64_t point, uint64_t seed, int survival, const char *to);

// Records nothing more; what was recorded stays until it is forgotten.
void power_loss_stop(void);
void power_loss_forget(void);

// Behind the next `after` writes of the calling thread all fail with `error`, whatever they write
// to; an error of 0 lets all succeed.
void write_fault_arm_thread(long after, int error);

// Refuses to write to files below `folder`, or to make files there, with `error` such as ENOSPC;
// 0 lets everything succeed again.
void write_fault_arm(const char *folder, int error);

#endif
