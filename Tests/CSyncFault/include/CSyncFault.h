// Makes syncing to the disk fail on the calling thread.
//
// Linking this target replaces fdatasync and fsync for the whole process; a thread that wants no
// failure pays one test of a thread-local number.
#ifndef C_SYNC_FAULT_H
#define C_SYNC_FAULT_H

// The next `count` calls of this thread fail with EIO, without syncing; 0 lets all succeed.
void sync_fault_arm(int count);

#endif
