/// Limits of a hub's log in a database; tests give smaller ones.
package struct PostgresLogLimits: Sendable {
    /// For how long something in doubt is resolved before the lead is given up; nil for ever, where
    /// no other node could take it.
    package var resolving: Duration? = .seconds(20)
    /// For how long a call waits for a database that is away, unless the last call did already.
    package var waiting: Duration = .seconds(10)
    /// Between two attempts.
    package var pause: Duration = .milliseconds(100)
    /// Rows of each table that one step of trimming removes.
    package var rowsPerStep = 64
    /// Rows that one answer holds.
    package var rowsPerPage = 1_024
    /// Bytes of a cursor journal above which it is merged, unless all cursors have more.
    package var journalBytesMin = 4 << 20
    /// Bytes of the last merged rows of the journal that stay for nodes that wait, and one row at least.
    package var journalBytesKept = 1 << 20
    /// Bytes of the journal that one answer holds, and at least one row.
    package var journalBytesPerPage = 16 << 20
    /// Cursors that one step of merging rewrites, about.
    package var mergedCursorsPerStep = 4_096
    /// Notifications that a push service did not take and that are kept for explanations.
    package var laneFailuresMax = 250_000

    /// The limits of a hub.
    package init() {}
}
