/// Limits of reading the log for devices that were away.
package struct CatchUpLimits: Sendable {
    /// Records asked for in one read of the log.
    package var pageRecords = 256
    /// Reads of the log asked for in one turn, for all sessions; the others wait for the next turn.
    package var pagesPerTurn = 32
    /// Newest records of a hub that stay in memory.
    package var recentRecordsMax = 65_536
    /// Bytes of the bodies of the newest records that stay in memory.
    package var recentRecordBytesMax = 64 << 20
    /// Older records that were read from the log and are shared by the devices that read on there.
    package var coldRecordsMax = 4_096
    /// Bytes of the bodies of these.
    package var coldRecordBytesMax = 16 << 20
    /// Headers of older records that are shared in the same way while missed sets are worked out.
    package var coldHeadersMax = 65_536
    /// Matches of missed sets that are remembered from one page to the next, of all devices of a hub
    /// together; about 64 bytes each, and each set counts as 32 more.
    package var missedMatchesMax = 1 << 20
    /// Bytes of parcels that each of these records keeps; what does not fit is made again.
    package var coldParcelBytesMax = 8_192

    /// The defaults.
    package init() {}
}
