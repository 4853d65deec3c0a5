/// Limits of counters and receipts.
package struct TelemetryLimits: Equatable, Sendable {
    /// Days for which the counters of a notification are kept after its acceptance, if its record is
    /// kept as long.
    package var telemetryDays: UInt64 = 30
    /// Counters, by notification and platform, that wait in memory for the next checkpoint; while
    /// the store refuses them, new ones beyond are dropped and counted.
    package var telemetryRowsMax = 65_536
    /// Receipts remembered so that a repeated one does not count again.
    package var receiptsRemembered = 131_072
    /// Newest notifications whose ids are found without reading the log.
    package var recentNotificationsMax = 32_768
    /// Searches of the log, at most, for receipts of older notifications in one report; receipts
    /// beyond are dropped and counted as such.
    package var receiptLookupsMax = 16
    /// Older notifications that were found so and are remembered.
    package var lookedUpNotificationsMax = 4_096
    /// Newest notifications with a curve of receipts over their age.
    package var curvesMax = 256

    /// The defaults.
    package init() {}
}
