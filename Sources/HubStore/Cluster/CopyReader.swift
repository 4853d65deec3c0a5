import HubModel
import HubVocabulary

/// The log of a copy, as other threads read it: refused while a group is missing that is committed.
///
/// A place that is not there counts as one that has gone, so a reader must not look too early.
final class CopyReader: LogReading, KeyReading {
    private let log: SlicedLog
    private let writes: CopyWrites

    /// Reads a log while `writes` lack nothing.
    init(_ log: SlicedLog, _ writes: CopyWrites) { (self.log, self.writes) = (log, writes) }

    private func current() throws(StoreError) -> SlicedLog {
        if let error = writes.error { throw error }
        return log
    }

    var purgedGone: UInt64 { log.purgedGone }

    func check(at sequence: UInt64) throws(StoreError) -> UInt32? {
        try current().check(at: sequence)
    }

    func candidates(
        anchors: Set<AnchorKey>,
        after: UInt64,
        through: UInt64,
        limit: Int
    ) throws(StoreError) -> LogCandidates {
        try current().candidates(anchors: anchors, after: after, through: through, limit: limit)
    }

    func records(
        at sequences: ArraySlice<UInt64>,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord] {
        try current().records(at: sequences, bytesMax: bytesMax)
    }

    func keys(
        behind end: UInt64,
        through: UInt64,
        from time: Timestamp,
        limit: Int
    ) throws(StoreError) -> LogKeyPage {
        try current().keys(behind: end, through: through, from: time, limit: limit)
    }

    func headers(at sequences: ArraySlice<UInt64>) throws(StoreError) -> [RecordHeader] {
        try current().headers(at: sequences)
    }

    func records(
        after: UInt64,
        through: UInt64,
        limit: Int,
        bytesMax: Int
    ) throws(StoreError) -> [NotificationRecord] {
        try current().records(after: after, through: through, limit: limit, bytesMax: bytesMax)
    }
}
