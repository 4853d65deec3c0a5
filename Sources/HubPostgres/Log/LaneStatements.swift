/// Statements for lanes to push services.
enum LaneStatements {
    static let put = PostgresStatement(
        "put_lane",
        """
        INSERT INTO lane(hub, platform, mark, checksum) VALUES ($1, $2, $3, $4)
        ON CONFLICT (hub, platform) DO UPDATE
        SET mark = excluded.mark, checksum = excluded.checksum
        """
    )
    static let putDeferred = PostgresStatement(
        "put_deferred",
        """
        INSERT INTO lane_deferred(hub, platform, seq, registration, attempt, due, expires)
        SELECT $1::int8, $2::int8, t.*
        FROM unnest($3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::int8[]) AS t
        ON CONFLICT (hub, platform, seq, registration) DO UPDATE
        SET attempt = excluded.attempt, due = excluded.due, expires = excluded.expires
        """
    )
    static let removeDeferred = PostgresStatement(
        "remove_deferred",
        """
        DELETE FROM lane_deferred USING unnest($3::int8[], $4::int8[]) AS t(seq, registration)
        WHERE hub = $1 AND platform = $2 AND lane_deferred.seq = t.seq
            AND lane_deferred.registration = t.registration
        """
    )
    static let putFailures = PostgresStatement(
        "put_failures",
        """
        INSERT INTO lane_failure(hub, platform, seq, registration, outcome, time, reason)
        SELECT $1::int8, $2::int8, t.*
        FROM unnest($3::int8[], $4::int8[], $5::int8[], $6::int8[], $7::bytea[]) AS t
        ON CONFLICT (hub, seq, platform, registration) DO UPDATE
        SET outcome = excluded.outcome, time = excluded.time, reason = excluded.reason
        """
    )
    /// Those below a floor, and the oldest of more than are kept.
    static let forgetFailures = PostgresStatement(
        "forget_failures",
        """
        DELETE FROM lane_failure WHERE hub = $1 AND seq < greatest($2, coalesce((
            SELECT seq + 1 FROM lane_failure WHERE hub = $1 ORDER BY seq DESC LIMIT 1 OFFSET $3), 0))
        """
    )
    static let read = PostgresStatement(
        "read_lanes",
        "SELECT platform, mark, checksum FROM lane WHERE hub = $1 ORDER BY platform"
    )
    static let readDeferred = PostgresStatement(
        "read_deferred",
        """
        SELECT platform, seq, registration, attempt, due, expires FROM lane_deferred
        WHERE hub = $1 ORDER BY platform, seq, registration
        """
    )
    static let readFailures = PostgresStatement(
        "read_failures",
        """
        SELECT seq, registration, outcome, time, reason FROM lane_failure
        WHERE hub = $1 AND seq = $2 AND platform = $3 ORDER BY registration
        """
    )
    static let readAllFailures = PostgresStatement(
        "read_all_failures",
        """
        SELECT seq, registration, outcome, time, reason FROM lane_failure
        WHERE hub = $1 AND platform = $2 ORDER BY seq, registration
        """
    )

    static let all = [
        put, putDeferred, removeDeferred, putFailures, forgetFailures, read, readDeferred,
        readFailures,
    ]
}
