// Counts the memory allocations of the calling thread between two calls.
//
// Linking this target replaces malloc and its family for the whole process; a thread that doesn't
// count pays one test of a thread-local flag per allocation.
#ifndef C_ALLOCATION_COUNTER_H
#define C_ALLOCATION_COUNTER_H

#include <stdint.h>

// Begins counting on the calling thread, from 0.
void allocation_counter_start(void);

// Ends counting on the calling thread; the number of allocations since the start.
uint64_t allocation_counter_stop(void);

#endif
