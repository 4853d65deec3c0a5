/* support.c - clocks, failures, and readings of the server's process. */
#define _GNU_SOURCE
#include "load.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

void pause_for(double seconds) {
    struct timespec time = {.tv_sec = (time_t)seconds};
    time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    nanosleep(&time, NULL);
}

static void say(const char *format, va_list values) {
    fprintf(stderr, "load %s: ", options.protocol ? options.protocol->name : "");
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
}

void note(const char *format, ...) {
    va_list values;
    va_start(values, format);
    say(format, values);
    va_end(values);
}

void fail(const char *format, ...) {
    va_list values;
    va_start(values, format);
    say(format, values);
    va_end(values);
    exit(1);
}

void *fresh(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (!memory) fail("out of memory");
    return memory;
}

/* The same sum as utime and stime of /proc/PID/stat, which count hundredths of a second. */
double server_cpu(void) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(options.server, &clock) || clock_gettime(clock, &time))
        fail("the CPU time of process %d cannot be read", options.server);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

double server_bytes(void) {
    char path[64], line[256];
    long kilobytes = -1;
    snprintf(path, sizeof path, "/proc/%d/status", options.server);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "RssAnon: %ld", &kilobytes) == 1) break;
    if (file) fclose(file);
    if (kilobytes < 0) fail("the memory of process %d cannot be read", options.server);
    return (double)kilobytes * 1024;
}
