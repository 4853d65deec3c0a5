// The part of libpq that the hub uses, found with dlopen when a database is wanted: no program needs
// libpq to be built or to start. Source: PostgreSQL's manual, libpq.
#ifndef CPOSTGRES_H
#define CPOSTGRES_H

#include <stddef.h>
#include <stdint.h>

// Whether libpq is here.
typedef enum belfry_postgres_library {
    belfry_postgres_library_ready = 0,
    belfry_postgres_library_missing,
    // It lacks a function: pipelines came with release 14.
    belfry_postgres_library_old,
} belfry_postgres_library;

// Loads the library of this name, once for the process; the other functions need it.
belfry_postgres_library belfry_postgres_load(const char *name);
// As libpq writes it, 150018 for 15.18.
int belfry_postgres_library_version(void);

// One connection; not for two threads at once.
typedef struct belfry_postgres belfry_postgres;
// What the server answered to one command.
typedef struct belfry_postgres_result belfry_postgres_result;

// Where connecting stands.
typedef enum belfry_postgres_progress {
    belfry_postgres_wants_reading = 0,
    belfry_postgres_wants_writing,
    belfry_postgres_connected,
    belfry_postgres_failed,
} belfry_postgres_progress;

// Options of a connection at most.
#define BELFRY_POSTGRES_OPTIONS_MAX 64

// Begins to connect. `options` are `count` pairs of keyword and value, each ended by a zero byte,
// one behind the other. NULL when memory is short; looking up the host's name blocks.
belfry_postgres *belfry_postgres_connect(const char *options, int count);
// How it begins: it has failed, or goes on once the socket can be written.
belfry_postgres_progress belfry_postgres_connect_first(const belfry_postgres *connection);
// Goes on, once the socket is ready; a connection that is made is in pipeline mode.
belfry_postgres_progress belfry_postgres_connect_more(belfry_postgres *connection);
// Ends whatever was under way, and frees.
void belfry_postgres_close(belfry_postgres *connection);

// Waits until the socket can be read, or also written: 1, 0 when the time is up, or -1.
int belfry_postgres_wait(
    const belfry_postgres *connection, int for_writing, int timeout_milliseconds);

// The last problem in libpq's words, valid until the next call.
const char *belfry_postgres_message(const belfry_postgres *connection);
// Warnings that the server has sent, in all.
unsigned belfry_postgres_warnings(const belfry_postgres *connection);

// Values of a command at most.
#define BELFRY_POSTGRES_VALUES_MAX 32

// The next four queue something for the server: 1, or 0 with a message.
int belfry_postgres_prepare(belfry_postgres *connection, const char *name, const char *sql);
// A prepared statement, or SQL itself. The values are binary and stand one behind the other; a
// length of -1 means NULL.
int belfry_postgres_send(
    belfry_postgres *connection, const char *text, int is_prepared, int count,
    const uint8_t *values, const int32_t *lengths);
int belfry_postgres_sync(belfry_postgres *connection);
// Writes what is queued: 0 when all is written, 1 when some is left, -1 when the connection is lost.
int belfry_postgres_flush(belfry_postgres *connection);
// Reads what there is; 0 when the connection is lost.
int belfry_postgres_receive(belfry_postgres *connection);

// What comes next in the stream of answers.
typedef enum belfry_postgres_answer {
    // Nothing yet: receive more.
    belfry_postgres_answer_pending = 0,
    // Rows, or none; the caller frees the result.
    belfry_postgres_answer_rows,
    // An error, with a result too.
    belfry_postgres_answer_error,
    // The end of a command's answer, or a command that was left out behind an error.
    belfry_postgres_answer_end,
    // Everything up to the sync is done.
    belfry_postgres_answer_synced,
    // The connection is lost.
    belfry_postgres_answer_lost,
} belfry_postgres_answer;

belfry_postgres_answer belfry_postgres_next(
    belfry_postgres *connection, belfry_postgres_result **result);

void belfry_postgres_result_free(belfry_postgres_result *result);
int belfry_postgres_result_rows(const belfry_postgres_result *result);
int belfry_postgres_result_columns(const belfry_postgres_result *result);
// Rows that a command changed.
int64_t belfry_postgres_result_changed(const belfry_postgres_result *result);
// -1 for NULL.
int belfry_postgres_result_length(const belfry_postgres_result *result, int row, int column);
const uint8_t *belfry_postgres_result_bytes(
    const belfry_postgres_result *result, int row, int column);

// Fields of an error, each empty when the server did not say.
const char *belfry_postgres_error_state(const belfry_postgres_result *result);
const char *belfry_postgres_error_severity(const belfry_postgres_result *result);
const char *belfry_postgres_error_message(const belfry_postgres_result *result);

#endif
