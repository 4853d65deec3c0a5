#include "CPostgres.h"
#include "Library.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

struct belfry_postgres {
    PGconn *connection;
    unsigned warnings;
};

static const PGresult *plain(const belfry_postgres_result *result) {
    return (const PGresult *)result;
}

static const char *field(const PGresult *result, int code) {
    const char *text = libpq.PQresultErrorField(result, code);
    return text ? text : "";
}

// Without it libpq prints notices.
static void note(void *argument, const PGresult *result) {
    belfry_postgres *connection = argument;
    if (!strcmp(field(result, field_severity), "WARNING")) connection->warnings++;
}

belfry_postgres *belfry_postgres_connect(const char *options, int count) {
    const char *keywords[BELFRY_POSTGRES_OPTIONS_MAX + 1] = {0};
    const char *values[BELFRY_POSTGRES_OPTIONS_MAX + 1] = {0};
    if (count > BELFRY_POSTGRES_OPTIONS_MAX) return NULL;
    for (int i = 0; i < count; i++) {
        keywords[i] = options;
        options += strlen(options) + 1;
        values[i] = options;
        options += strlen(options) + 1;
    }
    belfry_postgres *connection = calloc(1, sizeof *connection);
    if (!connection) return NULL;
    connection->connection = libpq.PQconnectStartParams(keywords, values, 0);
    if (!connection->connection) {
        free(connection);
        return NULL;
    }
    libpq.PQsetNoticeReceiver(connection->connection, note, connection);
    return connection;
}

belfry_postgres_progress belfry_postgres_connect_first(const belfry_postgres *connection) {
    int status = libpq.PQstatus(connection->connection);
    return status == connection_bad ? belfry_postgres_failed : belfry_postgres_wants_writing;
}

belfry_postgres_progress belfry_postgres_connect_more(belfry_postgres *connection) {
    PGconn *own = connection->connection;
    if (libpq.PQstatus(own) == connection_bad) return belfry_postgres_failed;
    switch (libpq.PQconnectPoll(own)) {
        case polling_reading: return belfry_postgres_wants_reading;
        case polling_writing: return belfry_postgres_wants_writing;
        case polling_ok:
            if (libpq.PQsetnonblocking(own, 1) || !libpq.PQenterPipelineMode(own)) {
                return belfry_postgres_failed;
            }
            return belfry_postgres_connected;
        default: return belfry_postgres_failed;
    }
}

void belfry_postgres_close(belfry_postgres *connection) {
    libpq.PQfinish(connection->connection);
    free(connection);
}

int belfry_postgres_wait(
    const belfry_postgres *connection, int for_writing, int timeout_milliseconds) {
    struct pollfd one = {
        .fd = libpq.PQsocket(connection->connection),
        .events = POLLIN | (for_writing ? POLLOUT : 0),
    };
    if (one.fd < 0) return -1;
    int count = poll(&one, 1, timeout_milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -1;
    return count;
}

const char *belfry_postgres_message(const belfry_postgres *connection) {
    return libpq.PQerrorMessage(connection->connection);
}

unsigned belfry_postgres_warnings(const belfry_postgres *connection) {
    return connection->warnings;
}

int belfry_postgres_prepare(belfry_postgres *connection, const char *name, const char *sql) {
    return libpq.PQsendPrepare(connection->connection, name, sql, 0, NULL);
}

int belfry_postgres_send(
    belfry_postgres *connection, const char *text, int is_prepared, int count,
    const uint8_t *values, const int32_t *lengths) {
    static const uint8_t nothing;
    const char *starts[BELFRY_POSTGRES_VALUES_MAX];
    int sizes[BELFRY_POSTGRES_VALUES_MAX], formats[BELFRY_POSTGRES_VALUES_MAX];
    if (count > BELFRY_POSTGRES_VALUES_MAX) return 0;
    if (!values) values = &nothing;
    for (int i = 0; i < count; i++) {
        starts[i] = lengths[i] < 0 ? NULL : (const char *)values;
        sizes[i] = lengths[i] < 0 ? 0 : lengths[i];
        formats[i] = 1;
        values += sizes[i];
    }
    PGconn *own = connection->connection;
    return is_prepared
        ? libpq.PQsendQueryPrepared(own, text, count, starts, sizes, formats, 1)
        : libpq.PQsendQueryParams(own, text, count, NULL, starts, sizes, formats, 1);
}

int belfry_postgres_sync(belfry_postgres *connection) {
    return libpq.PQpipelineSync(connection->connection);
}

int belfry_postgres_flush(belfry_postgres *connection) {
    return libpq.PQflush(connection->connection);
}

int belfry_postgres_receive(belfry_postgres *connection) {
    return libpq.PQconsumeInput(connection->connection);
}

belfry_postgres_answer belfry_postgres_next(
    belfry_postgres *connection, belfry_postgres_result **result) {
    PGconn *own = connection->connection;
    *result = NULL;
    if (libpq.PQisBusy(own)) {
        return libpq.PQstatus(own) == connection_bad ? belfry_postgres_answer_lost
                                                     : belfry_postgres_answer_pending;
    }
    PGresult *found = libpq.PQgetResult(own);
    if (!found) {
        return libpq.PQstatus(own) == connection_bad ? belfry_postgres_answer_lost
                                                     : belfry_postgres_answer_end;
    }
    int status = libpq.PQresultStatus(found);
    if (status == result_synced || status == result_aborted) {
        libpq.PQclear(found);
        return status == result_synced ? belfry_postgres_answer_synced
                                       : belfry_postgres_answer_end;
    }
    *result = (belfry_postgres_result *)found;
    return status == result_tuples || status == result_command || status == result_empty
        ? belfry_postgres_answer_rows
        : belfry_postgres_answer_error;
}

void belfry_postgres_result_free(belfry_postgres_result *result) {
    libpq.PQclear((PGresult *)result);
}

int belfry_postgres_result_rows(const belfry_postgres_result *result) {
    return libpq.PQntuples(plain(result));
}

int belfry_postgres_result_columns(const belfry_postgres_result *result) {
    return libpq.PQnfields(plain(result));
}

int64_t belfry_postgres_result_changed(const belfry_postgres_result *result) {
    // libpq asks for a result that it may write to and only reads it.
    return strtoll(libpq.PQcmdTuples((PGresult *)result), NULL, 10);
}

int belfry_postgres_result_length(const belfry_postgres_result *result, int row, int column) {
    if (libpq.PQgetisnull(plain(result), row, column)) return -1;
    return libpq.PQgetlength(plain(result), row, column);
}

const uint8_t *belfry_postgres_result_bytes(
    const belfry_postgres_result *result, int row, int column) {
    return (const uint8_t *)libpq.PQgetvalue(plain(result), row, column);
}

const char *belfry_postgres_error_state(const belfry_postgres_result *result) {
    return field(plain(result), field_state);
}

const char *belfry_postgres_error_severity(const belfry_postgres_result *result) {
    return field(plain(result), field_severity);
}

const char *belfry_postgres_error_message(const belfry_postgres_result *result) {
    return field(plain(result), field_message);
}
