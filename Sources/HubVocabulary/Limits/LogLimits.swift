/// Limits of a hub's log and its writer.
package struct LogLimits: Equatable, Sendable {
    /// Changes and records of one group of the hub's writer at most, each.
    ///
    /// Source: rules A.2.
    package var groupMax = 128
    /// Bytes of bodies that may wait for a hub's writer; what comes beyond is asked to come later.
    package var waitingBytesMax = 128 << 20
    /// Seconds for which a record is kept after its acceptance although it has expired.
    ///
    /// So that what became of it can be told. One that has not expired is never removed for its age
    /// or size.
    /// Source: rules B.6.
    package var recordsKeptSeconds: UInt64 = 604_800
    /// Bytes of a hub's log above which its operator is told, unless they set another number.
    ///
    /// Source: rules B.6.
    package var logBytesWarned: UInt64 = 64 << 30
    /// The largest `logBytesWarned` that an operator may set.
    package var logBytesWarnedMax: UInt64 = 1 << 50

    /// The defaults.
    package init() {}
}
