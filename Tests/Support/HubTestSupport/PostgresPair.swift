import LocalPostgres

/// A primary with a synchronous standby, which change places.
package final class PostgresPair {
    /// Names both servers, and whichever is the primary is used.
    package let url: String
    private var primary: TemporaryPostgres
    private var standby: TemporaryPostgres

    private static let database = "hubs"

    /// Starts both.
    package init() throws {
        let primary = try TemporaryPostgres()
        try primary.query("CREATE DATABASE \(Self.database)")
        let standby = try TemporaryPostgres(standbyOf: primary)
        (self.primary, self.standby) = (primary, standby)
        url = PostgresFolder.url(Self.database, of: primary.place, or: standby.place)
        try waitForStandby()
    }

    /// Ends the primary as a power cut does, and makes the standby the primary.
    ///
    /// With `alone` commits do not wait for a standby until `mend`, as where a program looks after
    /// both; otherwise they do.
    package func failOver(alone: Bool) throws {
        try primary.kill()
        try standby.promote()
        (primary, standby) = (standby, primary)
        if alone { try setStandbys("") }
    }

    /// Makes the server that was ended the standby, and waits until commits wait for it.
    package func mend() throws {
        try standby.follow(primary)
        try waitForStandby()
    }

    /// Ends the standby; commits wait for it from now on.
    package func endStandby() throws { try standby.stop() }

    /// Starts the standby again, and waits until it follows.
    package func startStandby() throws {
        try standby.start()
        try waitForStandby()
    }

    /// Runs a statement on the primary.
    @discardableResult
    package func query(_ sql: String) throws -> String {
        try primary.query(sql, in: Self.database)
    }

    private func waitForStandby() throws {
        try setStandbys("*")
        try eventually(blocking: "a synchronous standby") {
            try primary.query("SELECT sync_state FROM pg_stat_replication") == "sync"
        }
    }

    private func setStandbys(_ names: String) throws {
        // The statement itself waits for no standby.
        try primary.query("ALTER SYSTEM SET synchronous_standby_names = '\(names)'")
        try primary.reload()
    }
}
