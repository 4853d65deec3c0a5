// Makes syncing to the disk fail on the calling thread.
//
// Linking this target replaces fdatasync and fsync for the whole process; a thread that wants no
// failure pays one test of a thread-local number.
#ifndef C_SYNC_FAULT_H
#define C_SYNC_FAULT_H

// The next `count` calls of this thread fail with EIO, without syncing; 0 lets all succeed.
void sync_fault_arm(int count);

// Told of each descriptor that was synced, on the thread that did it.
typedef void (*sync_fault_observer)(int descriptor);

// Lets `called` hear of every sync that succeeds from now on; NULL nobody.
void sync_fault_observe(sync_fault_observer called);

#endif
