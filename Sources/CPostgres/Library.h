// libpq's functions as pointers, filled by belfry_postgres_load.
#ifndef CPOSTGRES_LIBRARY_H
#define CPOSTGRES_LIBRARY_H

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef void (*notice_receiver)(void *argument, const PGresult *result);

// Each as libpq-fe.h declares it; Oid is unsigned.
#define LIBPQ_FUNCTIONS(X)                                                                         \
    X(int, PQlibVersion, (void))                                                                   \
    X(PGconn *, PQconnectStartParams, (const char *const *, const char *const *, int))             \
    X(int, PQconnectPoll, (PGconn *))                                                              \
    X(void, PQfinish, (PGconn *))                                                                  \
    X(int, PQstatus, (const PGconn *))                                                             \
    X(int, PQsocket, (const PGconn *))                                                             \
    X(char *, PQerrorMessage, (const PGconn *))                                                    \
    X(int, PQsetnonblocking, (PGconn *, int))                                                      \
    X(notice_receiver, PQsetNoticeReceiver, (PGconn *, notice_receiver, void *))                   \
    X(int, PQenterPipelineMode, (PGconn *))                                                        \
    X(int, PQpipelineSync, (PGconn *))                                                             \
    X(int, PQsendPrepare, (PGconn *, const char *, const char *, int, const unsigned *))           \
    X(int, PQsendQueryParams,                                                                      \
      (PGconn *, const char *, int, const unsigned *, const char *const *, const int *,            \
       const int *, int))                                                                          \
    X(int, PQsendQueryPrepared,                                                                    \
      (PGconn *, const char *, int, const char *const *, const int *, const int *, int))           \
    X(int, PQflush, (PGconn *))                                                                    \
    X(int, PQconsumeInput, (PGconn *))                                                             \
    X(int, PQisBusy, (PGconn *))                                                                   \
    X(PGresult *, PQgetResult, (PGconn *))                                                         \
    X(void, PQclear, (PGresult *))                                                                 \
    X(int, PQresultStatus, (const PGresult *))                                                     \
    X(char *, PQresultErrorField, (const PGresult *, int))                                         \
    X(int, PQntuples, (const PGresult *))                                                          \
    X(int, PQnfields, (const PGresult *))                                                          \
    X(char *, PQcmdTuples, (PGresult *))                                                           \
    X(int, PQgetisnull, (const PGresult *, int, int))                                              \
    X(int, PQgetlength, (const PGresult *, int, int))                                              \
    X(char *, PQgetvalue, (const PGresult *, int, int))

struct libpq {
#define LIBPQ_POINTER(result, name, parameters) result(*name) parameters;
    LIBPQ_FUNCTIONS(LIBPQ_POINTER)
#undef LIBPQ_POINTER
};

extern struct libpq libpq;

// The numbers of libpq-fe.h and postgres_ext.h that are looked at.
enum {
    connection_bad = 1,
    polling_failed = 0, polling_reading = 1, polling_writing = 2, polling_ok = 3,
    result_empty = 0, result_command = 1, result_tuples = 2, result_synced = 10,
    result_aborted = 11,
    field_severity = 'V', field_state = 'C', field_message = 'M',
};

#endif
