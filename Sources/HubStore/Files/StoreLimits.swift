/// Every limit of a store, by name; tests give smaller ones.
///
/// The files do not depend on them: a store may be opened with other limits than those of its last
/// run.
package struct StoreLimits: Equatable, Sendable {
    // MARK: Slices of the log

    /// Seconds for which a slice goes on at least, however much it holds.
    package var sliceSecondsMin: UInt64 = 3_600
    /// Bytes of records that a slice holds at least, unless it grows older than `sliceSecondsMax`.
    package var sliceBytesMin = 256 << 20
    /// Seconds after which a slice ends, however little it holds: a quiet hub's log is trimmed too.
    package var sliceSecondsMax: UInt64 = 86_400
    /// Records at which a slice ends, however young it is; bounds the work of sealing one.
    package var sliceRecordsMax = 1_000_000
    /// Sealed slices whose files are held open at once.
    package var openSlicesMax = 16

    // MARK: Lists of records by anchor

    /// Seconds of the newest slices whose lists are held in memory, counted from the newest record.
    package var hotSeconds: UInt64 = 86_400
    /// Entries of lists in memory, about 16 bytes each; those of slices that are not sealed come on
    /// top, at most a slice's.
    package var hotEntriesMax = 10_000_000
    /// Lists that a catch-up looks at before it lets others come first.
    package var anchorsPerLook = 256

    // MARK: Steps

    /// Rows that one step of sealing or forgetting writes: some milliseconds of work.
    package var rowsPerStep = 8_192
    /// Milliseconds for which a clock that leapt is doubted, also the one found at start: until then
    /// nothing is removed for having expired.
    package var clockDoubtMilliseconds: UInt64 = 600_000

    /// Notifications that a push service did not take and that are kept for explanations.
    package var laneFailuresMax = 250_000

    // MARK: Files

    /// Bytes of a cursor journal above which it is merged, unless all cursors have more.
    package var journalBytesMin = 4 << 20
    /// Cursors that one step of merging rewrites, about.
    package var mergedCursorsPerStep = 4_096
    /// How often a backup begins anew before a hub is said to be too busy.
    package var backupAttemptsMax = 100
    /// Pages that a backup copies at a time; the writer waits for none of them.
    package var backupPagesPerStep = 1_024
    /// Milliseconds after which opening a store says how far it is.
    package var progressMilliseconds: UInt64 = 1_000

    /// The limits of a hub.
    package init() {}
}
